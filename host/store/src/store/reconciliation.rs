//! Reconciliation: operators settle provider calls whose answer was lost, and thereby complete the ends of
//! jobs that wait for it.

use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::canonical::NotCanonical;
use gtm_domain::job::JobSettlement;
use gtm_domain::money::{InvoicedCost, MarkedCall, ProviderCallId};
use gtm_domain::{JobId, MicroUsd};

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;
use crate::model::reconciliation::MarkedCallFilter;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Calls marked for reconciliation, oldest job first.
    pub async fn marked_calls(
        &self,
        filter: &MarkedCallFilter,
    ) -> Result<Vec<MarkedCall>, StoreError> {
        let filter = filter.clone();
        on_database!(self.0, report, Access::All, |c, repo| {
            repo::reconciliations::list(c, &filter).await
        })
    }

    /// Settles a marked call with the provider's actual charge. The difference from what was charged
    /// becomes a ledger transaction of its own and counts in the month in which the call was charged; the
    /// job's own usage stays as its caller has read it. Settling with the same cost again changes nothing.
    /// Settling the last such call of a job also writes the missing parts of the job's end.
    ///
    /// [`StoreError::Absent`] if no such call is marked; [`StoreError::Conflict`] if its job has not ended,
    /// if it was settled with another cost, or if the cost is negative.
    pub async fn reconcile_call(
        &self,
        id: ProviderCallId,
        cost: MicroUsd,
        note: Option<String>,
    ) -> Result<MarkedCall, StoreError> {
        let invoiced = InvoicedCost::new(cost).map_err(StoreError::conflict)?;
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let absent = || StoreError::absent("provider call", id);
            let marked = repo::reconciliations::get(c, id).await?;
            let organization = marked.ok_or_else(absent)?.organization;
            repo::money::lock(c, organization).await?;
            // Another operator may have been faster.
            let before = repo::reconciliations::get(c, id)
                .await?
                .ok_or_else(absent)?;
            if !before.awaits(invoiced).map_err(StoreError::conflict)? {
                return Ok(before);
            }
            let end = repo::reconciliations::settle(c, &before, cost, note, now).await?;
            let after = repo::reconciliations::get(c, id)
                .await?
                .ok_or_else(absent)?;
            let event = operator.event(
                AuditAction::ProviderCallReconciled,
                id,
                Some(organization),
                Some(before.project),
            );
            let event = event.before(&before)?.after(&after)?;
            repo::audit::append(c, &event, now).await?;
            if let Some(end) = end {
                repo::audit::append(c, &operator.job_settled(&end)?, now).await?;
            }
            Ok(after)
        })
    }

    /// Writes the missing parts of the end of a job that was given up: settlement, usage row, marks on its
    /// calls, sums.
    ///
    /// [`StoreError::Absent`] if the job does not exist; [`StoreError::Conflict`] if it has not ended,
    /// nothing is missing, or the missing parts have to wait for calls that await reconciliation.
    pub async fn settle_job(&self, id: JobId) -> Result<JobSettlement, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let end = repo::missing_ends::settle(c, id, now).await?;
            repo::audit::append(c, &operator.job_settled(&end)?, now).await?;
            Ok(end)
        })
    }

    fn job_settled(&self, end: &JobSettlement) -> Result<AuditEvent, NotCanonical> {
        let (organization, project) = (Some(end.organization), Some(end.project));
        self.event(AuditAction::JobSettled, end.job, organization, project)
            .after(end)
    }
}
