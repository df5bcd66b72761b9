//! Reading a project's usage.

use gtm_domain::Month;
use gtm_domain::money::MoneyPosition;
use gtm_domain::usage::MonthUsage;

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::scope::ProjectScope;

impl Store {
    /// What the project used in a month (also by connector if `connectors`), and the current position of
    /// key, project and organization in limits and credit, all from one snapshot. Reads stored sums, so its
    /// cost does not grow with the number of jobs.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn usage(
        &self,
        scope: &ProjectScope,
        month: Month,
        connectors: bool,
    ) -> Result<(MonthUsage, MoneyPosition), StoreError> {
        let (store, scope, now) = (self.clone(), scope.clone(), self.now());
        on_database!(self, report, Access::Project(scope.project), |c, repo| {
            let usage = repo::usage::of_month(c, scope.project, month, connectors, now).await?;
            let balance = repo::money::balance(c, scope.organization).await?;
            let money = repo::money::position(c, &scope, store.tiers(), balance, now).await?;
            Ok((usage, money))
        })
    }
}
