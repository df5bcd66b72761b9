//! Checks whose things a list shows: an owner that does not exist is an error, not an empty list.

use gtm_domain::{ConnectionId, OrganizationId, ProjectId};
use gtm_store::Operator;

use crate::failure::Failure;

/// Fails if a project does not exist: an empty list would hide a mistyped id.
pub async fn require_project(
    operator: &Operator,
    project: Option<ProjectId>,
) -> Result<(), Failure> {
    match project {
        Some(id) if operator.show_project(id).await?.is_none() => {
            Err(Failure::absent("project", id))
        }
        _ => Ok(()),
    }
}

/// The same for a connection that a command names.
pub async fn require_connection(operator: &Operator, id: ConnectionId) -> Result<(), Failure> {
    match operator.show_connection(id).await? {
        Some(_) => Ok(()),
        None => Err(Failure::absent("connection", id)),
    }
}

/// The same for an organization.
pub async fn require_organization(
    operator: &Operator,
    organization: Option<OrganizationId>,
) -> Result<(), Failure> {
    match organization {
        Some(id) if operator.show_organization(id).await?.is_none() => {
            Err(Failure::absent("org", id))
        }
        _ => Ok(()),
    }
}
