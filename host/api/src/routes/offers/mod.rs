//! Offers (annex A13): list and read what operators have approved. Offers belong to the organization: each of its
//! projects sees them. Only operators create and change them.

pub(super) mod envelope;
pub(super) mod get;
pub(super) mod list;

use gtm_domain::Permission;

use crate::authorization::Requirement;

/// What reading offers requires.
pub struct ReadOffers;

impl Requirement for ReadOffers {
    const PERMISSION: Permission = Permission::OffersRead;
}
