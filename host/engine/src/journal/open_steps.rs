//! Calls that are still open when a job ends for another reason: canceled, out of time, given up.
//! Nobody will resume them, so they are closed, and what may have been charged is marked.

use gtm_domain::Usage;
use gtm_store::{Settlement, StepState, StoreError};

use super::host::Leased;
use super::persist::persist;
use super::unknown_outcome;

/// Close the open steps of a job that is about to end. Returns what its journal says it consumed.
///
/// # Errors
/// If the journal cannot be read or written.
pub async fn close(leased: &Leased) -> Result<Usage, StoreError> {
    let rows = persist(|| leased.store.load_steps(&leased.lease), || None).await?;
    for row in rows.iter().filter(|row| row.state == StepState::Started) {
        let settlement = Settlement {
            outcome: Err(unknown_outcome()),
            exchanges: Vec::new(),
            usage: Usage::default(),
            // A call that may be repeated freely costs nothing worth asking the provider about.
            reconcile: !row.step.replay_safe,
        };
        let write = || {
            leased
                .store
                .settle_step(&leased.lease, row.step.seq, settlement.clone())
        };
        match persist(write, || Some(())).await {
            // The call itself came in while this was under way.
            Ok(()) | Err(StoreError::Conflict(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(rows
        .iter()
        .fold(Usage::default(), |sum, row| sum.plus(&row.usage)))
}
