//! Reconciling: what operators say about provider calls whose answer was lost.

use gtm_domain::MicroUsd;

use super::on_engine;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;
use crate::model::audit_action::AuditAction;
use crate::model::reconciliation::{MarkedCall, MarkedCallFilter, ProviderCallId};

/// Every function fails if the database does; further errors are named where there are any.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Calls that were marked for reconciliation, those of the oldest jobs first.
    pub async fn marked_calls(
        &self,
        filter: &MarkedCallFilter,
    ) -> Result<Vec<MarkedCall>, StoreError> {
        let filter = filter.clone();
        on_engine!(self.0, report, Access::All, |c, repo| {
            repo::reconciliations::list(c, &filter).await
        })
    }

    /// Settle a marked call with what the provider charged for it. The difference to what was charged
    /// is a ledger transaction of its own and counts in the month in which the call was charged; the
    /// job's own usage stays as its caller has read it. The same cost said twice changes nothing.
    ///
    /// [`StoreError::Absent`] if no such call was marked; [`StoreError::Conflict`] if its job has not
    /// ended, if it was settled with another cost, or if the cost is below zero.
    pub async fn reconcile_call(
        &self,
        id: ProviderCallId,
        cost: MicroUsd,
        note: Option<String>,
    ) -> Result<MarkedCall, StoreError> {
        if cost < MicroUsd::ZERO {
            return Err(StoreError::Conflict(
                "a call cannot cost less than nothing".to_owned(),
            ));
        }
        let (operator, now) = (self.clone(), self.0.now());
        on_engine!(self.0, write, Access::All, |c, repo| {
            let absent = || StoreError::absent("provider call", id);
            let marked = repo::reconciliations::get(c, id).await?;
            let organization = marked.ok_or_else(absent)?.organization;
            repo::money::lock(c, organization).await?;
            // Another operator may have been quicker.
            let before = repo::reconciliations::get(c, id)
                .await?
                .ok_or_else(absent)?;
            if let Some(said) = &before.reconciliation {
                if said.cost == cost {
                    return Ok(before);
                }
                return Err(StoreError::Conflict(format!(
                    "{id} was settled with {} already; a further difference is for `gtm credit`",
                    said.cost
                )));
            }
            repo::reconciliations::settle(c, &before, cost, note, now).await?;
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
            Ok(after)
        })
    }
}
