//! Erasing a person: candidates in all projects, the texts that were written to them, and what searches received.

use std::collections::BTreeSet;

use gtm_domain::JobId;
use gtm_domain::audit::AuditAction;
use gtm_domain::outcome_ledger::{MailAddress, Subject};
use gtm_domain::prospecting::import::shows;

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::blobs::Kept;
use crate::error::StoreError;
use crate::model::step::ReceiptPlace;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Erases every candidate with this address, in all projects, with evidence and HMACs, and the texts that were
    /// written to them from the results of jobs; and of searches that have ended every answer of a provider in which
    /// the address stands, with the job's journal: it may tell of a person who did not become a candidate. What the
    /// outcome ledger says about the address stays, because it names nobody in clear. Returns how many candidates were
    /// erased.
    pub async fn erase_prospects(&self, address: &MailAddress) -> Result<u64, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let searches = self.searches_that_received(address).await?;
        let subject = Subject::Address(address.clone());
        let hmac = self.0.ledger_subject(&subject).hmac;
        on_database!(self.0, write, Access::All, |c, repo| {
            let mut events = Vec::new();
            for (id, project) in repo::prospects::with_address(c, hmac).await? {
                let owner = repo::tenants::existing_project(c, project).await?;
                repo::prospects::delete(c, project, id).await?;
                repo::written_messages::erase(c, project, id, now).await?;
                let organization = Some(owner.organization);
                let action = AuditAction::ProspectErased;
                events.push(operator.event(action, id, organization, Some(project)));
            }
            let erased = events.len() as u64;
            for job in searches {
                repo::retention::forget_calls(c, job).await?;
                let found = repo::damaged_jobs::read(c, job, now).await?;
                let owner = found.map(|found| (found.job.organization, found.job.project));
                let (organization, project) = owner.unzip();
                let action = AuditAction::ProspectingAnswerErased;
                events.push(operator.event(action, job, organization, project));
            }
            repo::audit::append_all(c, &events, now).await?;
            Ok(erased)
        })
    }

    /// The searches that have ended in whose answers the address stands.
    async fn searches_that_received(
        &self,
        address: &MailAddress,
    ) -> Result<BTreeSet<JobId>, StoreError> {
        let mut found = BTreeSet::new();
        let mut after = None;
        loop {
            let page = on_database!(self.0, read, Access::All, |c, repo| {
                repo::searches::page(c, after).await
            })?;
            let Some(last) = page.last() else { break };
            after = Some(last.id);
            for search in page.into_iter().filter(|search| search.ended) {
                if self.tells_of(search.id, address).await? {
                    found.insert(search.id);
                }
            }
        }
        Ok(found)
    }

    /// Whether the address stands in what the calls of a search received.
    async fn tells_of(&self, search: JobId, address: &MailAddress) -> Result<bool, StoreError> {
        let mut after: Option<ReceiptPlace> = None;
        loop {
            let page = on_database!(self.0, read, Access::All, |c, repo| {
                repo::searches::answers(c, search, after).await
            })?;
            let Some((last, _)) = page.last() else {
                return Ok(false);
            };
            after = Some(*last);
            for (_, kept) in page {
                if self.is_shown_in(kept, address).await {
                    return Ok(true);
                }
            }
        }
    }

    /// Whether the address stands in an answer, as a text of any kind shows it: no format is asked for, because a
    /// provider may answer in any, and a document that no reader takes holds the address all the same.
    async fn is_shown_in(&self, kept: Kept, address: &MailAddress) -> bool {
        match self.0.inner.blobs.fetch(kept).await {
            Ok(bytes) => shows(&String::from_utf8_lossy(&bytes), address),
            // What cannot be read is erased as well: nobody can say that the person is not in it.
            Err(_) => true,
        }
    }
}
