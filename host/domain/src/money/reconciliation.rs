//! Provider calls whose cost is not known for certain: their answer was lost although the provider may
//! charge for them, or what it reported cannot be true. Each is charged what is known, mostly nothing,
//! and waits until an operator says what the provider's invoice says (architecture §4, §9).

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::step::ConnectorRef;
use crate::{
    ConnectionId, JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp,
};

/// A provider call by its job and its place in the job's journal, written `<job id>.<step>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProviderCallId {
    /// The job.
    pub job: JobId,
    /// Position among the job's calls, from 0.
    pub step: u64,
}

/// A text that names no provider call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected <job id>.<step>, such as job_01jz8q7b0x5f8s1t4v6w9y2a3c.0")]
pub struct UnknownProviderCallId;

impl FromStr for ProviderCallId {
    type Err = UnknownProviderCallId;
    fn from_str(text: &str) -> Result<Self, UnknownProviderCallId> {
        let (job, step) = text.split_once('.').ok_or(UnknownProviderCallId)?;
        let decimal = step.bytes().all(|byte| byte.is_ascii_digit());
        // One way to write a place: no sign, no further zeros, nothing that no journal can hold.
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

/// Where a call stands whose cost was not known when it was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReconciliationState {
    /// Nobody has said yet what it cost.
    Awaiting,
    /// An operator settled it with what the provider's invoice says.
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

/// What an operator said that a call cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconciliation {
    /// The ledger transaction that corrects the charge.
    pub transaction: LedgerTransactionId,
    /// What the provider charged for it.
    pub cost: MicroUsd,
    /// When it was said.
    pub at: Timestamp,
    /// What was written beside it.
    pub note: Option<String>,
}

/// A call that was marked for reconciliation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkedCall {
    /// Which call.
    pub id: ProviderCallId,
    /// Who pays.
    pub organization: OrganizationId,
    /// Whose job.
    pub project: ProjectId,
    /// Provider capability.
    pub capability: String,
    /// The connection that served it.
    pub connection: Option<ConnectionId>,
    /// The connector behind it.
    pub connector: Option<ConnectorRef>,
    /// Idempotency key towards the provider, to find the call on an invoice; gone with the job's data.
    pub step_key: Option<String>,
    /// The most that it may have cost if its requests were made once; gone with the job's data.
    pub ceiling: Option<MicroUsd>,
    /// What was charged for it when its job ended.
    pub charged: MicroUsd,
    /// What it may have cost beyond that, which counts against limits and credit; nothing once it is
    /// settled.
    pub held: MicroUsd,
    /// What the provider's figures came to where they were not charged: they were over the most that the
    /// call may cost, or the job's end could not be written.
    pub reported: Option<MicroUsd>,
    /// When it was given up.
    pub at: Timestamp,
    /// When its job ended and was charged, which says the month of a correction; none while it runs.
    pub charged_at: Option<Timestamp>,
    /// What an operator said; none while it awaits that.
    pub reconciliation: Option<Reconciliation>,
}

impl MarkedCall {
    /// Where it stands.
    #[must_use]
    pub const fn state(&self) -> ReconciliationState {
        match self.reconciliation {
            None => ReconciliationState::Awaiting,
            Some(_) => ReconciliationState::Settled,
        }
    }
}

/// Why what a provider charged for a call is not taken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotReconciled {
    /// No provider charges that.
    #[error("a call cannot cost less than nothing")]
    BelowNothing,
    /// Something else was said before.
    #[error("{call} was settled with {cost} already; a further difference is for `gtm credit`")]
    SettledOtherwise {
        /// The call.
        call: ProviderCallId,
        /// What was said.
        cost: MicroUsd,
    },
}

/// What a provider's invoice says of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvoicedCost(MicroUsd);

impl InvoicedCost {
    /// That the provider charged `cost`.
    ///
    /// # Errors
    /// If that is less than nothing.
    pub fn new(cost: MicroUsd) -> Result<Self, NotReconciled> {
        if cost < MicroUsd::ZERO {
            Err(NotReconciled::BelowNothing)
        } else {
            Ok(Self(cost))
        }
    }

    /// The amount.
    #[must_use]
    pub const fn amount(self) -> MicroUsd {
        self.0
    }
}

impl MarkedCall {
    /// Whether the call has yet to be settled with this cost. The same cost said twice changes nothing.
    ///
    /// # Errors
    /// If it was settled with another one.
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
