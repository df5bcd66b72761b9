//! What callers are told about a refusal: its sentence and `error.details`, by what was refused. Answers of the API,
//! errors of jobs and the command line take them from here.

use serde_json::{Value, json};

use super::limit::LimitScope;
use super::refusal::Refusal;
use crate::job::JobError;
use crate::{MicroUsd, Timestamp};

/// What was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused<'a> {
    /// A new job.
    Job,
    /// A provider call of a running job.
    Call {
        capability: &'a str,
        /// The most that the call may cost.
        ceiling: MicroUsd,
    },
    /// The result of a completed job whose charge exceeds the credit (specification, `insufficient_credits`).
    Result { charge: MicroUsd },
}

impl Refusal {
    /// The sentence for whoever wanted what was refused.
    #[must_use]
    pub fn sentence(&self, refused: Refused<'_>) -> String {
        match refused {
            Refused::Job => self.of_job(),
            Refused::Call {
                capability,
                ceiling,
            } => format!(
                "A {capability} call, which may cost {ceiling}, was not made: {}",
                self.of_call()
            ),
            Refused::Result { charge } => format!(
                "The job was completed, but its charge of {charge} exceeds the prepaid credit; it is charged, and its result is withheld."
            ),
        }
    }

    /// Whose limit it is, when it resets and who can do something about it.
    fn of_job(&self) -> String {
        match *self {
            // A limit of zero has no room in any month, so waiting does not help.
            Self::Quota {
                scope, limit: 0, ..
            } => format!(
                "The monthly job quota of {} is 0, so no job is accepted in any month. An operator can raise it.",
                owner(scope)
            ),
            Self::Quota {
                scope, resets_at, ..
            } => limited("monthly job quota", scope, "used up", resets_at),
            Self::Budget { scope, limit, .. } if limit == MicroUsd::ZERO => format!(
                "The monthly cost budget of {} is 0, so no job that may cost something is accepted in any month. An operator can raise it.",
                owner(scope)
            ),
            Self::Budget {
                scope,
                limit,
                settled,
                awaiting,
                resets_at,
                ..
            } => {
                // Running jobs may release part of what they reserve before the month ends, and so may calls in
                // doubt, once an operator has settled them.
                let state = if settled >= limit {
                    "used up"
                } else if awaiting.is_positive() {
                    "reserved for running jobs, and for calls whose cost is not known until an operator settles them"
                } else {
                    "reserved for running jobs, which release what they do not use"
                };
                limited("monthly cost budget", scope, state, resets_at)
            }
            Self::Credit { awaiting, .. } if awaiting.is_positive() => "No spendable prepaid credit remains: it is used up, reserved for running jobs, or reserved for calls whose cost is not known until an operator settles them. An operator can grant more.".to_owned(),
            Self::Credit { .. } => "No spendable prepaid credit remains, or all of it is reserved for running jobs; an operator can grant more.".to_owned(),
        }
    }

    /// What stands beside the call's ceiling: it may be far below what is left for new jobs.
    fn of_call(&self) -> String {
        match *self {
            Self::Quota { .. } => self.of_job(),
            Self::Budget {
                scope,
                limit,
                settled,
                reserved,
                awaiting,
                ..
            } => format!(
                "of the {}'s monthly cost budget of {limit}, {settled} is charged and {reserved} is taken by calls of running jobs{}.",
                noun(scope),
                in_doubt(awaiting, "")
            ),
            Self::Credit { balance, awaiting } => format!(
                "{balance} of prepaid credit is left beside calls of running jobs{}.",
                in_doubt(awaiting, "the ")
            ),
        }
    }

    /// `error.details` (specification, Errors): scope and reset time of a limit; for a budget also its
    /// amount, what was charged and what is set aside, in dollars (decision 0014); of a call, its capability and
    /// ceiling. If an amount awaits reconciliation, the details of a budget and of the credit include it.
    #[must_use]
    pub fn details(&self, refused: Refused<'_>) -> Option<Value> {
        let mut details = match self {
            Self::Quota {
                scope, resets_at, ..
            } => json!({"scope": scope, "resets_at": resets_at}),
            Self::Budget {
                scope,
                limit,
                settled,
                reserved,
                awaiting,
                resets_at,
            } => json!({
                "scope": scope,
                "resets_at": resets_at,
                "limit_usd": limit.usd(),
                "settled_usd": settled.usd(),
                "reserved_usd": (*reserved + *awaiting).usd(),
            }),
            Self::Credit { .. } => json!({}),
        };
        if let Self::Budget { awaiting, .. } | Self::Credit { awaiting, .. } = self
            && awaiting.is_positive()
        {
            details["awaiting_usd"] = json!(awaiting.usd());
        }
        if let Refused::Call {
            capability,
            ceiling,
        } = refused
        {
            if matches!(self, Self::Credit { .. }) {
                details["scope"] = json!("credit");
            }
            details["capability"] = json!(capability);
            details["call_usd"] = json!(ceiling.usd());
        }
        let is_empty = details.as_object().is_none_or(serde_json::Map::is_empty);
        (!is_empty).then_some(details)
    }

    /// The error of the job whose call or result was refused.
    #[must_use]
    pub fn job_error(&self, refused: Refused<'_>) -> JobError {
        JobError {
            code: self.job_code().as_str().to_owned(),
            message: self.sentence(refused),
            details: self.details(refused),
        }
    }
}

fn limited(what: &str, scope: LimitScope, state: &str, resets_at: Timestamp) -> String {
    format!(
        "The {what} of {} is {state}; it resets at {resets_at}. An operator can raise it earlier.",
        owner(scope)
    )
}

/// Whose limit it is, to whoever uses the API key.
const fn owner(scope: LimitScope) -> &'static str {
    match scope {
        LimitScope::Project => "the project",
        LimitScope::Key => "this API key",
        LimitScope::Organization => "the organization",
        LimitScope::UsageTier => "the organization's usage tier",
    }
}

/// Whose limit it is, to whoever reads the job, perhaps with another key.
const fn noun(scope: LimitScope) -> &'static str {
    match scope {
        LimitScope::Project => "project",
        LimitScope::Key => "API key",
        LimitScope::Organization => "organization",
        LimitScope::UsageTier => "organization's usage tier",
    }
}

/// A clause about calls of ended jobs whose cost is still unknown, which count too.
fn in_doubt(awaiting: MicroUsd, article: &str) -> String {
    if awaiting.is_positive() {
        format!(" and {article}{awaiting} that ended jobs may yet be charged for calls in doubt")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESETS_AT: Timestamp = Timestamp::from_millis(1_798_761_600_000);
    const CALL: Refused<'static> = Refused::Call {
        capability: "web.fetch",
        ceiling: MicroUsd::from_micros(9),
    };
    const RESULT: Refused<'static> = Refused::Result {
        charge: MicroUsd::from_micros(7),
    };

    fn quota(limit: u64) -> Refusal {
        Refusal::Quota {
            scope: LimitScope::Key,
            limit,
            resets_at: RESETS_AT,
        }
    }

    fn budget(scope: LimitScope, limit: i64, settled: i64, awaiting: i64) -> Refusal {
        Refusal::Budget {
            scope,
            limit: MicroUsd::from_micros(limit),
            settled: MicroUsd::from_micros(settled),
            reserved: MicroUsd::from_micros(2),
            awaiting: MicroUsd::from_micros(awaiting),
            resets_at: RESETS_AT,
        }
    }

    fn credit(awaiting: i64) -> Refusal {
        Refusal::Credit {
            balance: MicroUsd::from_micros(3),
            awaiting: MicroUsd::from_micros(awaiting),
        }
    }

    /// A budget's details, but for what awaits reconciliation.
    fn amounts(scope: &str, limit: f64, settled: f64, reserved: f64) -> Value {
        json!({
            "scope": scope, "resets_at": "2027-01-01T00:00:00.000Z",
            "limit_usd": limit, "settled_usd": settled, "reserved_usd": reserved,
        })
    }

    fn with(mut details: Value, more: &Value) -> Value {
        for (name, value) in more.as_object().into_iter().flatten() {
            details[name] = value.clone();
        }
        details
    }

    #[test]
    fn a_refusal_says_whose_limit_it_is_and_what_helps() {
        use LimitScope::{Key, Organization, Project, UsageTier};
        let of_call = json!({"capability": "web.fetch", "call_usd": 0.000_009});
        let awaits = json!({"awaiting_usd": 0.000_001});
        let table = [
            (
                quota(7),
                Refused::Job,
                "The monthly job quota of this API key is used up; it resets at 2027-01-01T00:00:00.000Z. An operator can raise it earlier.",
                Some(json!({"scope": "key", "resets_at": "2027-01-01T00:00:00.000Z"})),
            ),
            (
                quota(0),
                Refused::Job,
                "The monthly job quota of this API key is 0, so no job is accepted in any month. An operator can raise it.",
                Some(json!({"scope": "key", "resets_at": "2027-01-01T00:00:00.000Z"})),
            ),
            (
                budget(UsageTier, 0, 0, 1),
                Refused::Job,
                "The monthly cost budget of the organization's usage tier is 0, so no job that may cost something is accepted in any month. An operator can raise it.",
                Some(with(amounts("usage_tier", 0.0, 0.0, 0.000_003), &awaits)),
            ),
            (
                budget(Key, 5, 5, 1),
                Refused::Job,
                "The monthly cost budget of this API key is used up; it resets at 2027-01-01T00:00:00.000Z. An operator can raise it earlier.",
                Some(with(
                    amounts("key", 0.000_005, 0.000_005, 0.000_003),
                    &awaits,
                )),
            ),
            (
                budget(Organization, 5, 4, 1),
                Refused::Job,
                "The monthly cost budget of the organization is reserved for running jobs, and for calls whose cost is not known until an operator settles them; it resets at 2027-01-01T00:00:00.000Z. An operator can raise it earlier.",
                Some(with(
                    amounts("organization", 0.000_005, 0.000_004, 0.000_003),
                    &awaits,
                )),
            ),
            (
                budget(Project, 5, 4, 0),
                Refused::Job,
                "The monthly cost budget of the project is reserved for running jobs, which release what they do not use; it resets at 2027-01-01T00:00:00.000Z. An operator can raise it earlier.",
                Some(amounts("project", 0.000_005, 0.000_004, 0.000_002)),
            ),
            (
                credit(1),
                Refused::Job,
                "No spendable prepaid credit remains: it is used up, reserved for running jobs, or reserved for calls whose cost is not known until an operator settles them. An operator can grant more.",
                Some(awaits.clone()),
            ),
            (
                credit(0),
                Refused::Job,
                "No spendable prepaid credit remains, or all of it is reserved for running jobs; an operator can grant more.",
                None,
            ),
            (
                budget(Key, 5, 4, 0),
                CALL,
                "A web.fetch call, which may cost $0.000009, was not made: of the API key's monthly cost budget of $0.000005, $0.000004 is charged and $0.000002 is taken by calls of running jobs.",
                Some(with(
                    amounts("key", 0.000_005, 0.000_004, 0.000_002),
                    &of_call,
                )),
            ),
            (
                budget(UsageTier, 5, 4, 1),
                CALL,
                "A web.fetch call, which may cost $0.000009, was not made: of the organization's usage tier's monthly cost budget of $0.000005, $0.000004 is charged and $0.000002 is taken by calls of running jobs and $0.000001 that ended jobs may yet be charged for calls in doubt.",
                Some(with(
                    with(
                        amounts("usage_tier", 0.000_005, 0.000_004, 0.000_003),
                        &awaits,
                    ),
                    &of_call,
                )),
            ),
            (
                credit(0),
                CALL,
                "A web.fetch call, which may cost $0.000009, was not made: $0.000003 of prepaid credit is left beside calls of running jobs.",
                Some(with(json!({"scope": "credit"}), &of_call)),
            ),
            (
                credit(1),
                CALL,
                "A web.fetch call, which may cost $0.000009, was not made: $0.000003 of prepaid credit is left beside calls of running jobs and the $0.000001 that ended jobs may yet be charged for calls in doubt.",
                Some(with(with(awaits, &json!({"scope": "credit"})), &of_call)),
            ),
            (
                credit(0),
                RESULT,
                "The job was completed, but its charge of $0.000007 exceeds the prepaid credit; it is charged, and its result is withheld.",
                None,
            ),
        ];
        for (refusal, refused, sentence, details) in table {
            assert_eq!(refusal.sentence(refused), sentence);
            assert_eq!(refusal.details(refused), details, "{sentence}");
            let error = refusal.job_error(refused);
            assert_eq!(error.code, refusal.code().as_str(), "{sentence}");
            assert_eq!((error.message.as_str(), error.details), (sentence, details));
        }
    }
}
