//! What a project used: sums of a month, limits and what is left of them.

pub(super) mod get;
mod query;
mod report;

use gtm_domain::Permission;

use crate::authorization::Requirement;

/// What reading usage requires.
pub struct ReadUsage;

impl Requirement for ReadUsage {
    const PERMISSION: Permission = Permission::UsageRead;
}
