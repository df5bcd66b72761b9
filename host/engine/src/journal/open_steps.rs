//! Calls that are still open when a job ends for another reason: canceled, out of time, given up. Nobody
//! will resume them, so they are closed and their possible charges are marked.

use gtm_domain::Usage;
use gtm_domain::step::StepState;
use gtm_store::StoreError;

use super::busy_time::consumed;
use super::lost;
use super::persist::persist;
use super::state::LeasedJob;

/// Closes the open steps of a job that is about to end. Returns what the job consumed by its journal,
/// including the closed steps; the time covers only calls.
///
/// # Errors
/// If the journal cannot be read or written.
pub async fn close(leased: &LeasedJob) -> Result<Usage, StoreError> {
    let rows = persist(|| leased.store.load_steps(&leased.lease), || None).await?;
    let mut closed = false;
    for row in rows.iter().filter(|row| row.state == StepState::Started) {
        let settlement = lost(row);
        let write = || {
            leased
                .store
                .settle_step(&leased.lease, row.step.seq, settlement.clone())
        };
        match persist(write, || Some(())).await {
            // The call itself was settled in the meantime.
            Ok(()) | Err(StoreError::Conflict(_)) => closed = true,
            Err(error) => return Err(error),
        }
    }
    let rows = if closed {
        persist(|| leased.store.load_steps(&leased.lease), || None).await?
    } else {
        rows
    };
    let (usage, spans) = consumed(&rows);
    Ok(Usage {
        backend_runtime_ms: spans.busy_ms(),
        ..usage
    })
}
