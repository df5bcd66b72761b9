//! The operator's view of what waits and runs.

use gtm_domain::job::Backlog;

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;

impl Operator {
    /// What waits and runs now, in the whole installation.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn backlog(&self) -> Result<Backlog, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::backlog::read(c)
            .await)
    }
}
