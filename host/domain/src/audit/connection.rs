//! What the audit log records about connections.

use super::action::AuditAction;
use crate::connection::{Connection, ConnectionStatus};

/// The action that turned the connection `before` into `after`. Disabling it and enabling it again have
/// their own names.
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
