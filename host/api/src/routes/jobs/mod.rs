//! Jobs of every type: list and read them, their events, their receipts and their candidates.

pub(super) mod accepted;
pub(super) mod candidates;
pub(super) mod events;
pub(super) mod get;
pub(super) mod list;
pub(super) mod receipts;

use gtm_domain::Permission;

use crate::authorization::Requirement;

/// What reading jobs requires.
pub struct ReadJobs;

impl Requirement for ReadJobs {
    const PERMISSION: Permission = Permission::JobsRead;
}
