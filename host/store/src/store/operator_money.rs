//! The operator's side of money: how an organization pays, its credit, and monthly limits.

use gtm_domain::audit::AuditAction;
use gtm_domain::money::{
    BillingMode, CreditMovement, CreditStatement, LedgerTransaction, Limit, LimitMetric, LimitOwner,
};
use gtm_domain::tenant::Organization;
use gtm_domain::{MicroUsd, OrganizationId};

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Changes how an organization pays, and which usage tier it has regardless of what it has paid
    /// (`Some(None)`: the tier that it has earned by paying). `None` leaves a value unchanged.
    /// [`StoreError::Absent`] if the organization does not exist, [`StoreError::Conflict`] if the tier does
    /// not.
    pub async fn set_billing(
        &self,
        id: OrganizationId,
        billing: Option<BillingMode>,
        tier: Option<Option<String>>,
    ) -> Result<Organization, StoreError> {
        if let Some(Some(key)) = &tier {
            self.0.tiers().known(key).map_err(StoreError::conflict)?;
        }
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            repo::money::lock(c, id).await?;
            let before = repo::tenants::organization(c, id).await?;
            let before = before.ok_or_else(|| StoreError::absent("organization", id))?;
            let billing = billing.unwrap_or(before.billing);
            let tier = tier.unwrap_or_else(|| before.tier.clone());
            let row = repo::tenants::set_billing(c, id, billing, tier.as_deref()).await?;
            let event = operator.event(AuditAction::OrganizationUpdated, id, Some(id), None);
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Grants an organization credit. [`StoreError::Conflict`] if the amount is not positive.
    pub async fn grant_credit(
        &self,
        id: OrganizationId,
        amount: MicroUsd,
        note: Option<String>,
    ) -> Result<LedgerTransaction, StoreError> {
        self.move_credit(AuditAction::CreditGranted, id, amount, MicroUsd::ZERO, note)
            .await
    }

    /// Takes back credit that is not charged yet, even if it is reserved. Running jobs are still charged
    /// for what they have spent, but begin no call that the rest does not cover. [`StoreError::Conflict`]
    /// if the amount is not positive, or exceeds what is not charged yet.
    pub async fn revoke_credit(
        &self,
        id: OrganizationId,
        amount: MicroUsd,
        note: Option<String>,
    ) -> Result<LedgerTransaction, StoreError> {
        self.move_credit(AuditAction::CreditRevoked, id, MicroUsd::ZERO, amount, note)
            .await
    }

    async fn move_credit(
        &self,
        action: AuditAction,
        id: OrganizationId,
        given: MicroUsd,
        taken: MicroUsd,
        note: Option<String>,
    ) -> Result<LedgerTransaction, StoreError> {
        let movement = CreditMovement::new(given, taken).map_err(StoreError::conflict)?;
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let balance = repo::money::lock(c, id).await?;
            let credit = repo::money::credit(c, id, balance).await?;
            let by = movement.within(&credit).map_err(StoreError::conflict)?;
            let moved = repo::ledger::move_credit(c, id, by, note, now).await?;
            let event = operator.event(action, moved.id, Some(id), None);
            repo::audit::append(c, &event.after(&moved)?, now).await?;
            Ok(moved)
        })
    }

    /// An organization's credit statement. [`StoreError::Absent`] if it does not exist.
    pub async fn credit_statement(
        &self,
        id: OrganizationId,
    ) -> Result<CreditStatement, StoreError> {
        on_database!(self.0, report, Access::All, |c, repo| {
            let row = repo::tenants::organization(c, id).await?;
            let row = row.ok_or_else(|| StoreError::absent("organization", id))?;
            let balance = repo::money::balance(c, id).await?;
            let credit = repo::money::credit(c, id, balance).await?;
            let movements = repo::ledger::credit_of(c, id).await?;
            Ok(CreditStatement::of(&row, &credit, movements))
        })
    }

    /// Sets a monthly limit and replaces the scope's previous one. [`StoreError::Absent`] if the scope does
    /// not exist, [`StoreError::Conflict`] for a negative value.
    pub async fn set_limit(
        &self,
        owner: LimitOwner,
        metric: LimitMetric,
        value: i64,
    ) -> Result<Limit, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let row = Limit::new(owner, metric, value, now).map_err(StoreError::conflict)?;
        on_database!(self.0, write, Access::All, |c, repo| {
            let (organization, project) = repo::limits::tenant(c, owner).await?;
            repo::money::lock(c, organization).await?;
            let before = repo::limits::put(c, &row, now).await?;
            let project = project.map(|project| project.id);
            let mut event = operator.event(
                AuditAction::LimitSet,
                owner.id(),
                Some(organization),
                project,
            );
            if let Some(before) = &before {
                event = event.before(before)?;
            }
            repo::audit::append(c, &event.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Removes a monthly limit and returns it. [`StoreError::Absent`] if the scope does not exist.
    pub async fn clear_limit(
        &self,
        owner: LimitOwner,
        metric: LimitMetric,
    ) -> Result<Option<Limit>, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let (organization, project) = repo::limits::tenant(c, owner).await?;
            repo::money::lock(c, organization).await?;
            let Some(before) = repo::limits::delete(c, owner, metric).await? else {
                return Ok(None);
            };
            let project = project.map(|project| project.id);
            let event = operator.event(
                AuditAction::LimitCleared,
                owner.id(),
                Some(organization),
                project,
            );
            repo::audit::append(c, &event.before(&before)?, now).await?;
            Ok(Some(before))
        })
    }

    /// Limits of one metric: of one organization with its projects and keys, or of all.
    pub async fn list_limits(
        &self,
        metric: LimitMetric,
        organization: Option<OrganizationId>,
    ) -> Result<Vec<Limit>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::limits::list(c, metric, organization).await
        })
    }
}
