//! The operator's view of waiting and running work.

use gtm_domain::job::Backlog;

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;

impl Operator {
    /// Waiting and running work of the whole installation.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn backlog(&self) -> Result<Backlog, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::backlog::read(c)
            .await)
    }
}
