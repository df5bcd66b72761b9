//! `progress`: stages, percentages and milestones of a generation backend.

use std::sync::Arc;

use super::text::one_line;
use crate::backend_host::StageStatus;
use crate::guest::backend::BackendState;
use crate::sandbox::Abort;
use crate::sandbox::bindings::interfaces::progress::{Host, StageStatus as GuestStatus};

/// Longest key of a stage, in bytes.
const MAX_KEY: usize = 64;
/// Longest milestone, in bytes: the engine keeps 300 characters of one, in whatever script.
const MAX_MILESTONE: usize = 1200;

impl BackendState {
    /// Whether the engine is told of one more stage or report. The limit is the same on every run of a job.
    const fn may_report(&mut self) -> bool {
        let may = self.reports_left > 0;
        self.reports_left = self.reports_left.saturating_sub(1);
        may
    }
}

impl Host for BackendState {
    async fn stage(&mut self, key: String, status: GuestStatus) -> wasmtime::Result<()> {
        if !self.may_report() {
            return Ok(());
        }
        let status = match status {
            GuestStatus::Started => StageStatus::Started,
            GuestStatus::Succeeded => StageStatus::Succeeded,
            GuestStatus::Failed => StageStatus::Failed,
            GuestStatus::Skipped => StageStatus::Skipped,
        };
        let key = one_line(&key, MAX_KEY);
        let (cpu, host) = (Arc::clone(&self.core.cpu), Arc::clone(&self.host));
        cpu.leave_out(host.stage(&key, status))
            .await
            .map_err(|abort| Abort(abort.0))?;
        Ok(())
    }

    async fn report(&mut self, percent: u8, milestone: Option<String>) -> wasmtime::Result<()> {
        if !self.may_report() {
            return Ok(());
        }
        // Never above a hundred and never falling, whatever the guest says.
        self.percent = self.percent.max(percent.min(100));
        let milestone = milestone.map(|text| one_line(&text, MAX_MILESTONE));
        let (cpu, host) = (Arc::clone(&self.core.cpu), Arc::clone(&self.host));
        cpu.leave_out(host.report(self.percent, milestone))
            .await
            .map_err(|abort| Abort(abort.0))?;
        Ok(())
    }

    fn canceled(&mut self) -> wasmtime::Result<bool> {
        Ok(self.host.canceled())
    }
}
