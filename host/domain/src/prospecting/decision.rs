//! A person's decision about a candidate that waits for one.

use super::candidate::{Qualification, QualificationStatus};
use super::import::shows_an_address;
use crate::Timestamp;

/// Longest reason; as in an import.
const REASON_CHARS: usize = 500;

/// Whether a candidate is accepted. Nobody takes a decision back: another one follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Accepted,
    Rejected,
}

impl Decision {
    /// The qualification of a candidate after this decision.
    ///
    /// # Errors
    /// What is wrong with the reason. DANGER: it is shown to whoever may read the job, so nobody's address may stand
    /// in it.
    pub fn at(self, reason: Option<&str>, now: Timestamp) -> Result<Qualification, String> {
        let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
        if let Some(reason) = reason {
            let chars = reason.chars().count();
            if chars > REASON_CHARS {
                return Err(format!(
                    "a reason has at most {REASON_CHARS} characters, and this one {chars}"
                ));
            }
            if reason.chars().any(char::is_control) {
                return Err("a reason has one line and no control characters".to_owned());
            }
            if shows_an_address(reason) {
                return Err(
                    "the reason must not contain anybody's address, because it is shown in clear"
                        .to_owned(),
                );
            }
        }
        Ok(Qualification {
            status: match self {
                Self::Accepted => QualificationStatus::Accepted,
                Self::Rejected => QualificationStatus::Rejected,
            },
            reason: reason.map(str::to_owned),
            decided_at: Some(now),
        })
    }
}

/// Whether a decision may follow the one before. Whoever accepts a person whom somebody turned down says why: from then
/// on the candidate no longer shows the rejection.
///
/// # Errors
/// That a reason is wanted.
pub fn follows(before: &Qualification, decided: &Qualification) -> Result<(), String> {
    use QualificationStatus::{Accepted, Rejected};
    let is_reversal = (before.status, decided.status) == (Rejected, Accepted);
    if !is_reversal || decided.reason.is_some() {
        return Ok(());
    }
    let why = before.reason.as_deref();
    Err(match why {
        Some(why) => format!("somebody rejected the candidate ({why}): give a reason to accept it"),
        None => "somebody rejected the candidate: give a reason to accept it".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_a_rejection_is_reversed_with_a_reason_alone() {
        let now = Timestamp::from_millis(5_000);
        let decided = |decision: Decision, reason| decision.at(reason, now).unwrap();
        let (yes, no) = (Decision::Accepted, Decision::Rejected);
        assert_eq!(follows(&decided(yes, None), &decided(no, None)), Ok(()));
        assert_eq!(follows(&decided(no, None), &decided(no, None)), Ok(()));
        assert_eq!(
            follows(&decided(no, None), &decided(yes, Some("ICP"))),
            Ok(())
        );
        let told = follows(&decided(no, Some("a rival")), &decided(yes, None)).unwrap_err();
        assert!(
            told.contains("(a rival)") && told.contains("give a reason"),
            "{told}"
        );
        assert!(follows(&decided(no, None), &decided(yes, None)).is_err());
    }

    #[test]
    fn a_decision_says_when_and_why_without_an_address() {
        let now = Timestamp::from_millis(5);
        let accepted = Decision::Accepted.at(Some(" ICP match "), now).unwrap();
        assert_eq!(accepted.status, QualificationStatus::Accepted);
        assert_eq!(accepted.reason.as_deref(), Some("ICP match"));
        assert_eq!(accepted.decided_at, Some(now));
        let rejected = Decision::Rejected.at(Some("  "), now).unwrap();
        assert_eq!(rejected.reason, None);
        for bad in ["ask sam@acme.example", "a\nb", &"x".repeat(501)] {
            assert!(Decision::Accepted.at(Some(bad), now).is_err(), "{bad}");
        }
    }
}
