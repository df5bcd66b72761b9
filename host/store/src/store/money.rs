//! Where a project and its organization stand with limits and credit, for a request.

use super::{Store, on_engine};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::money::MoneyPosition;
use crate::scope::ProjectScope;

impl Store {
    /// Budgets, quotas, tier and credit of a key, its project and its organization, as they stand at
    /// one moment. Reads a few rows of sums, however many jobs there are.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn money_position(&self, scope: &ProjectScope) -> Result<MoneyPosition, StoreError> {
        let (store, scope, now) = (self.clone(), scope.clone(), self.now());
        on_engine!(self, snapshot, Access::Project(scope.project), |c, repo| {
            let balance = repo::money::balance(c, scope.organization).await?;
            repo::money::position(c, &scope, store.tiers(), balance, now).await
        })
    }
}
