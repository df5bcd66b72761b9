//! Provider calls whose cost is not known for certain: their answer was lost although the provider may
//! charge for them, or what it reported cannot be true. Each is charged what is known, mostly nothing,
//! and waits until an operator says what the provider's invoice says (architecture §4, §9).

use std::fmt;
use std::str::FromStr;

use gtm_domain::{
    ConnectionId, JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp,
};
use serde::Serialize;

use super::step::ConnectorRef;

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

/// Which of the marked calls to list, oldest job first.
#[derive(Debug, Clone, Default)]
pub struct MarkedCallFilter {
    /// Only of jobs of this organization.
    pub organization: Option<OrganizationId>,
    /// Only of this job.
    pub job: Option<JobId>,
    /// Only those that this connection served.
    pub connection: Option<ConnectionId>,
    /// Those that are settled too.
    pub settled: bool,
    /// At most this many.
    pub limit: u32,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

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
