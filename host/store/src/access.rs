//! Which tenant's rows a transaction may touch. PostgreSQL enforces it with row-level security; on SQLite
//! only the repositories' own filters do.

use std::fmt;

use gtm_domain::ProjectId;

#[derive(Debug, Clone, Copy)]
pub(crate) enum Access {
    /// Rows of one project.
    Project(ProjectId),
    /// Rows of all projects: authentication, claiming, administration, retention.
    All,
}

/// The value of the setting `gtm.project`.
impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Project(id) => fmt::Display::fmt(id, f),
            Self::All => f.write_str("*"),
        }
    }
}
