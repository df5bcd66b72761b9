//! The retention sweep: rows first, then the blobs that no row names any more.

use gtm_domain::job::JOB_RETENTION;

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::retention::SweepReport;

impl Store {
    /// Removes what retention no longer allows us to keep, by the store's clock. Call it about every hour;
    /// it works in small transactions and may be interrupted anywhere.
    ///
    /// # Errors
    /// If database or blobs cannot be read or written; what was removed before that stays removed.
    pub async fn sweep(&self) -> Result<SweepReport, StoreError> {
        let now = self.now();
        let mut report = SweepReport::default();
        while on_database!(self, write, Access::All, |c, repo| {
            repo::retention::end_overdue(c, now).await
        })? > 0
        {}
        loop {
            let removed = on_database!(self, write, Access::All, |c, repo| {
                repo::retention::sweep_idempotency(c, now).await
            })?;
            report.idempotency += removed;
            if removed == 0 {
                break;
            }
        }
        loop {
            let swept = on_database!(self, write, Access::All, |c, repo| {
                repo::retention::sweep_jobs(c, now).await
            })?;
            report.jobs += swept;
            if swept == 0 {
                break;
            }
        }
        let mut after = None;
        while let Some((last, completed)) = on_database!(self, write, Access::All, |c, repo| {
            repo::searches::complete_some(c, after, now).await
        })? {
            after = Some(last);
            report.erasures += completed;
        }
        // What was erased since the last sweep stands in SQLite's log until it is emptied; a reader may prevent that once.
        if let Err(error) = self.inner.database.empty_log().await {
            tracing::warn!(%error, "emptying the log of the database");
        }
        for digest in self.inner.blobs.old(now).await? {
            let unused = async || {
                on_database!(self, read, Access::All, |c, repo| {
                    let since = now.minus(JOB_RETENTION);
                    Ok(repo::blob_references::held(c, digest).await?
                        || repo::document_templates::need(c, digest, since).await?)
                })
                .map(|held| !held)
            };
            if self.inner.blobs.remove_if(digest, now, unused).await? {
                report.blobs += 1;
            }
        }
        Ok(report)
    }
}
