//! Company dossier specifications (annex A8): create, list and read. They are immutable: no
//! operation changes or removes one.

pub(super) mod create;
mod envelope;
pub(super) mod get;
mod input;
pub(super) mod list;

use gtm_domain::Permission;

use crate::authorization::Requirement;

/// What creating a specification requires.
pub struct WriteSpecifications;

impl Requirement for WriteSpecifications {
    const PERMISSION: Permission = Permission::DossierSpecificationsWrite;
}

/// What reading specifications requires.
pub struct ReadSpecifications;

impl Requirement for ReadSpecifications {
    const PERMISSION: Permission = Permission::DossierSpecificationsRead;
}
