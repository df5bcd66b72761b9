//! What the audit log records of connections.

use super::action::AuditAction;
use crate::connection::{Connection, ConnectionStatus};

/// What was done to a connection that was `before` and is `after` now: switching it off or on again has
/// a name of its own.
#[must_use]
pub const fn connection_changed(before: &Connection, after: &Connection) -> AuditAction {
    match (before.status, after.status) {
        (ConnectionStatus::Configured, ConnectionStatus::Disabled) => {
            AuditAction::ConnectionDisabled
        }
        (ConnectionStatus::Disabled, ConnectionStatus::Configured) => {
            AuditAction::ConnectionEnabled
        }
        _ => AuditAction::ConnectionUpdated,
    }
}
