//! Reconciliation of provider calls whose cost is uncertain: the answer was lost although the provider may
//! charge, or the reported cost cannot be true. Each call is charged what is known, mostly nothing, and
//! waits until an operator enters the amount on the provider's invoice (architecture §4, §9).

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::step::ConnectorRef;
use crate::{
    ConnectionId, JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp,
};

/// A provider call: its job and its position in the job's journal, written `<job id>.<step>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProviderCallId {
    pub job: JobId,
    /// Position among the job's calls, from 0.
    pub step: u64,
}

/// The text does not name a provider call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected <job id>.<step>, such as job_01jz8q7b0x5f8s1t4v6w9y2a3c.0")]
pub struct UnknownProviderCallId;

impl FromStr for ProviderCallId {
    type Err = UnknownProviderCallId;
    fn from_str(text: &str) -> Result<Self, UnknownProviderCallId> {
        let (job, step) = text.split_once('.').ok_or(UnknownProviderCallId)?;
        let decimal = step.bytes().all(|byte| byte.is_ascii_digit());
        // Only one notation per position: no sign, no leading zeros, nothing that no journal can hold.
        let canonical = decimal && (step == "0" || !step.starts_with('0'));
        let step = step
            .parse()
            .ok()
            .filter(|step| canonical && *step <= i64::MAX as u64);
        Ok(Self {
            job: job.parse().map_err(|_| UnknownProviderCallId)?,
            step: step.ok_or(UnknownProviderCallId)?,
        })
    }
}

impl fmt::Display for ProviderCallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.job, self.step)
    }
}

impl Serialize for ProviderCallId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reconciliation state of a call whose cost was unknown when it was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReconciliationState {
    /// No operator has settled its cost yet.
    Awaiting,
    /// An operator settled it with the amount on the provider's invoice.
    Settled,
}

impl ReconciliationState {
    /// The value on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Awaiting => "awaiting",
            Self::Settled => "settled",
        }
    }
}

/// The cost of a call as an operator settled it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconciliation {
    /// The ledger transaction that corrects the charge.
    pub transaction: LedgerTransactionId,
    /// What the provider charged for it.
    pub cost: MicroUsd,
    /// When the operator settled it.
    pub at: Timestamp,
    /// The operator's note.
    pub note: Option<String>,
}

/// A call marked for reconciliation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkedCall {
    pub id: ProviderCallId,
    /// The organization that pays.
    pub organization: OrganizationId,
    /// The job's project.
    pub project: ProjectId,
    /// Provider capability.
    pub capability: String,
    /// The connection that served it.
    pub connection: Option<ConnectionId>,
    /// The connector behind that connection.
    pub connector: Option<ConnectorRef>,
    /// Idempotency key sent to the provider, which identifies the call on an invoice; erased with the job's
    /// data.
    pub step_key: Option<String>,
    /// Maximum cost if its requests were made once; erased with the job's data.
    pub ceiling: Option<MicroUsd>,
    /// What was charged for it when its job ended.
    pub charged: MicroUsd,
    /// What it may have cost beyond the charge. Counts against limits and credit; zero once it is settled.
    pub held: MicroUsd,
    /// The cost by the provider's figures where it was not charged: the figures exceed the call's ceiling,
    /// or the job's end could not be written.
    pub reported: Option<MicroUsd>,
    /// When its outcome was given up.
    pub at: Timestamp,
    /// When its job ended and was charged, which decides the month of a correction; `None` while the job
    /// runs.
    pub charged_at: Option<Timestamp>,
    /// The operator's settlement; `None` while the call awaits it.
    pub reconciliation: Option<Reconciliation>,
}

impl MarkedCall {
    /// Its reconciliation state.
    #[must_use]
    pub const fn state(&self) -> ReconciliationState {
        match self.reconciliation {
            None => ReconciliationState::Awaiting,
            Some(_) => ReconciliationState::Settled,
        }
    }
}

/// Why a provider's charge for a call is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotReconciled {
    /// No provider charges a negative amount.
    #[error("a call cannot cost less than nothing")]
    BelowNothing,
    /// The call was settled with another cost before.
    #[error("{call} was settled with {cost} already; a further difference is for `gtm credit`")]
    SettledOtherwise {
        call: ProviderCallId,
        /// The cost with which it was settled.
        cost: MicroUsd,
    },
}

/// The amount on a provider's invoice for one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvoicedCost(MicroUsd);

impl InvoicedCost {
    /// Validates an invoiced cost.
    ///
    /// # Errors
    /// If the cost is negative.
    pub fn new(cost: MicroUsd) -> Result<Self, NotReconciled> {
        if cost < MicroUsd::ZERO {
            Err(NotReconciled::BelowNothing)
        } else {
            Ok(Self(cost))
        }
    }

    #[must_use]
    pub const fn amount(self) -> MicroUsd {
        self.0
    }
}

impl MarkedCall {
    /// Whether the call has yet to be settled with this cost. Settling it twice with the same cost changes
    /// nothing.
    ///
    /// # Errors
    /// If it was settled with another cost.
    pub fn awaits(&self, cost: InvoicedCost) -> Result<bool, NotReconciled> {
        match &self.reconciliation {
            None => Ok(true),
            Some(said) if said.cost == cost.amount() => Ok(false),
            Some(said) => Err(NotReconciled::SettledOtherwise {
                call: self.id,
                cost: said.cost,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_call_is_settled_once() {
        let id = ProviderCallId {
            job: JobId::from_uuid(uuid::Uuid::from_u128(1)),
            step: 0,
        };
        let awaiting = MarkedCall {
            id,
            organization: OrganizationId::from_uuid(uuid::Uuid::from_u128(2)),
            project: ProjectId::from_uuid(uuid::Uuid::from_u128(3)),
            capability: "web.fetch".to_owned(),
            connection: None,
            connector: None,
            step_key: None,
            ceiling: None,
            charged: MicroUsd::ZERO,
            held: MicroUsd::ZERO,
            reported: None,
            at: Timestamp::from_micros(0),
            charged_at: None,
            reconciliation: None,
        };
        let cost = |micros| InvoicedCost::new(MicroUsd::from_micros(micros)).unwrap();
        assert_eq!(awaiting.awaits(cost(5)), Ok(true));
        let settled = MarkedCall {
            reconciliation: Some(Reconciliation {
                transaction: LedgerTransactionId::from_uuid(uuid::Uuid::from_u128(4)),
                cost: cost(5).amount(),
                at: Timestamp::from_micros(0),
                note: None,
            }),
            ..awaiting
        };
        assert_eq!(settled.awaits(cost(5)), Ok(false));
        assert!(settled.awaits(cost(6)).is_err());
        let below = InvoicedCost::new(MicroUsd::from_micros(-1));
        assert_eq!(below, Err(NotReconciled::BelowNothing));
    }

    proptest! {
        #[test]
        fn an_id_is_read_as_it_is_written(job: u128, step in 0..=i64::MAX as u64) {
            let id = ProviderCallId { job: JobId::from_uuid(uuid::Uuid::from_u128(job)), step };
            prop_assert_eq!(id.to_string().parse(), Ok(id));
        }

        #[test]
        fn what_is_read_is_written_the_same(text in "job_[0-7][0-9a-hjkmnp-tv-z]{25}\\.[+0-9]{0,21}") {
            if let Ok(id) = text.parse::<ProviderCallId>() {
                prop_assert_eq!(id.to_string(), text);
            }
        }
    }
}
