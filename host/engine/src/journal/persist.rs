//! Fenced writes that outlast a temporary database failure.
//!
//! DANGER: a full disk or a restarting database must not turn an answered provider call into one in doubt.
//! So a write is retried for as long as a lease can last; a lost lease ends it at once.

use std::future::Future;
use std::time::Duration;

use gtm_store::StoreError;

/// Pauses between the attempts.
const WAITS: [Duration; 8] = [
    Duration::from_millis(20),
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(6),
    Duration::from_secs(8),
];

/// Writes until it succeeds. A conflict after an attempt whose answer was lost means that the earlier
/// attempt succeeded; `repeated` then returns what it wrote.
///
/// # Errors
/// [`StoreError::LeaseLost`], a fault that waiting does not fix, or the last error.
pub async fn persist<T, F>(
    mut write: impl FnMut() -> F,
    repeated: impl Fn() -> Option<T>,
) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let mut waits = WAITS.iter();
    let mut first = true;
    loop {
        let error = match write().await {
            Ok(value) => return Ok(value),
            Err(StoreError::Conflict(problem)) if !first => {
                return repeated().ok_or(StoreError::Conflict(problem));
            }
            Err(error) => error,
        };
        first = false;
        match waits.next() {
            Some(wait) if may_pass(&error) => {
                tracing::warn!(%error, "a write failed and is tried again");
                tokio::time::sleep(*wait).await;
            }
            _ => return Err(error),
        }
    }
}

/// Whether waiting may fix the error.
#[must_use]
pub const fn may_pass(error: &StoreError) -> bool {
    matches!(
        error,
        StoreError::Database(_)
            | StoreError::Busy
            | StoreError::Deadlocked
            | StoreError::Unreachable { .. }
            | StoreError::Unanswered
            | StoreError::FileGone { .. }
            | StoreError::Blob(_)
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use std::cell::RefCell;

    async fn run(answers: Vec<Result<u8, StoreError>>) -> (Result<u8, StoreError>, usize) {
        let answers = RefCell::new(answers.into_iter());
        let count = RefCell::new(0);
        let write = || {
            *count.borrow_mut() += 1;
            let answer = answers.borrow_mut().next().unwrap();
            async move { answer }
        };
        let result = persist(write, || Some(9)).await;
        let tries = *count.borrow();
        (result, tries)
    }

    #[tokio::test]
    async fn passing_faults_are_outlasted_and_others_are_not() {
        let passing = || Err(StoreError::Blob("full".into()));
        assert!(matches!(
            run(vec![passing(), passing(), Ok(1)]).await,
            (Ok(1), 3)
        ));
        assert!(matches!(
            run(vec![passing(), Err(StoreError::LeaseLost)]).await,
            (Err(StoreError::LeaseLost), 2)
        ));
        assert!(matches!(
            run(vec![Err(StoreError::Closed)]).await,
            (Err(StoreError::Closed), 1)
        ));
    }

    #[tokio::test]
    async fn a_database_that_does_not_answer_or_is_gone_for_a_while_is_outlasted() {
        let gone = || {
            Err(StoreError::FileGone {
                path: "gtm.db".into(),
            })
        };
        assert!(matches!(
            run(vec![Err(StoreError::Unanswered), gone(), Ok(1)]).await,
            (Ok(1), 3)
        ));
        // The attempt may have succeeded: the write is done, or the lease has passed to another worker.
        let conflict = Err(StoreError::Conflict("settled already".into()));
        assert!(matches!(
            run(vec![Err(StoreError::Unanswered), conflict]).await,
            (Ok(9), 2)
        ));
        assert!(matches!(
            run(vec![
                Err(StoreError::Unanswered),
                Err(StoreError::LeaseLost)
            ])
            .await,
            (Err(StoreError::LeaseLost), 2)
        ));
    }

    #[tokio::test]
    async fn what_a_rule_of_the_database_refuses_is_not_tried_again() {
        let refused = || Err(StoreError::RuleViolated("a check".into()));
        assert!(matches!(
            run(vec![refused(), Ok(1)]).await,
            (Err(StoreError::RuleViolated(_)), 1)
        ));
    }

    #[tokio::test]
    async fn a_conflict_after_a_lost_answer_means_it_was_written() {
        let conflict = || Err(StoreError::Conflict("settled already".into()));
        assert!(matches!(
            run(vec![Err(StoreError::Blob("x".into())), conflict()]).await,
            (Ok(9), 2)
        ));
        assert!(matches!(
            run(vec![conflict()]).await,
            (Err(StoreError::Conflict(_)), 1)
        ));
    }
}
