//! Brands (specification, Brand): create, list, read, research again, and read the guideline in its
//! revisions. Brands belong to the organization: each of its projects sees them.

pub(super) mod create;
pub(super) mod envelope;
pub(super) mod get;
pub(super) mod guideline;
mod guideline_format;
pub(super) mod guideline_revisions;
pub(super) mod guideline_schema;
mod input;
pub(super) mod job;
pub(super) mod list;
pub(super) mod published;
pub(super) mod research;

use gtm_domain::Capability;
use gtm_domain::Permission;

use crate::authorization::Requirement;

/// What creating and researching brands requires.
pub struct WriteBrands;

impl Requirement for WriteBrands {
    const PERMISSION: Permission = Permission::BrandsWrite;
    const CAPABILITY: Option<Capability> = Some(Capability::BRANDS);
}

/// What reading brands requires.
pub struct ReadBrands;

impl Requirement for ReadBrands {
    const PERMISSION: Permission = Permission::BrandsRead;
    const CAPABILITY: Option<Capability> = Some(Capability::BRANDS);
}
