//! What callers can work with: capabilities, connectors, and the project's connections.

pub(super) mod capabilities;
pub(super) mod connections;
pub(super) mod connectors;

use gtm_domain::Permission;

use crate::authorization::Requirement;

/// What reading the catalog requires.
pub struct ReadCatalog;

impl Requirement for ReadCatalog {
    const PERMISSION: Permission = Permission::CatalogRead;
}

/// What reading connections requires.
pub struct ReadConnections;

impl Requirement for ReadConnections {
    const PERMISSION: Permission = Permission::ConnectionsRead;
}
