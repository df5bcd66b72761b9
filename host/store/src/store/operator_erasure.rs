//! Erasing a person: candidates in all projects, the texts that were written to them, and what searches received.

use std::collections::BTreeMap;
use std::time::Duration;

use gtm_domain::JobId;
use gtm_domain::audit::AuditAction;
use gtm_domain::outcome_ledger::{MailAddress, Subject};
use gtm_domain::prospecting::import::shows;

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::blobs::StoredBytes;
use crate::error::StoreError;
use crate::model::prospecting::{Erased, Unread};
use crate::model::step::ReceiptPlace;

/// How often an erasure looks into searches that ended while it looked into others. Without a bound it would have no end
/// where searches end all the time.
const ROUNDS: usize = 4;
/// How often the database's log is tried to be emptied, and the wait between two tries: readers are short.
const TRIES: usize = 5;
const RETRY: Duration = Duration::from_millis(100);

/// What the answers of a search say of the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    /// The address stands in one.
    Shown,
    /// Every one was read, and it stands in none. How many calls they are of.
    Silent(u64),
    /// One could not be read, and it stands in none of the others.
    Unread,
}

/// What was found in the answers of searches.
#[derive(Debug, Clone, Default)]
struct Looked {
    /// Of each search that had ended, what its answers tell.
    ended: BTreeMap<JobId, Told>,
    /// Of each search that had not, how many of its calls were settled and do not tell of the person.
    under_way: BTreeMap<JobId, u64>,
}

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Erases every candidate with this address, in all projects, with evidence and HMACs, and the texts that were
    /// written to them from the results of jobs, also where retention has taken the candidate; and every answer that a search received in which the address stands,
    /// with the job's journal: it may tell of a person who did not become a candidate. A search that has not ended does
    /// not store the person, and its answers go when it ends. What the outcome ledger says about the address stays,
    /// because it names nobody in clear.
    ///
    /// DANGER: where the folder of blobs is not the installation's, or not mounted, no long answer can be read, and to
    /// erase them all would take the journals of all searches. So those that cannot be read are counted and stay, unless
    /// the operator asks for them to go as well.
    ///
    /// Searches that end while others are looked into are looked into again, a few times. What ends after that is left for
    /// later ([`Erased::searches_pending`]): it is marked like a search that runs, and the next sweep or the next erasure
    /// of the same person completes it. Nothing that was left is counted as erased.
    pub async fn erase_prospects(
        &self,
        address: &MailAddress,
        unread: Unread,
    ) -> Result<Erased, StoreError> {
        let mut looked = Looked::default();
        let mut rounds = 1;
        let mut erased = loop {
            self.look_into_searches(address, &mut looked).await?;
            let is_last = rounds >= ROUNDS;
            if let Some(erased) = self.erase(address, looked.clone(), unread, is_last).await? {
                break erased;
            }
            rounds += 1;
        };
        erased.log_held = !self.empty_log().await;
        Ok(erased)
    }

    /// Whether the database's log was emptied. What was erased is erased: a failure here undoes nothing of it.
    async fn empty_log(&self) -> bool {
        for tries in 1..=TRIES {
            match self.0.inner.database.empty_log().await {
                Ok(true) => return true,
                Ok(false) if tries < TRIES => tokio::time::sleep(RETRY).await,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "emptying the log of the database after an erasure");
                    return false;
                }
            }
        }
        false
    }

    /// Erases what there is. `None`, and nothing was written, if there is a search that has ended and was not looked into
    /// since; in the last round, such searches are marked.
    async fn erase(
        &self,
        address: &MailAddress,
        looked: Looked,
        unread: Unread,
        is_last: bool,
    ) -> Result<Option<Erased>, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let subject = Subject::Address(address.clone());
        let hmac = self.0.ledger_subject(&subject).hmac;
        on_database!(self.0, write, Access::All, |c, repo| {
            // First, so that a search either has stored its candidates by now or finds its mark when it does.
            let under_way = repo::searches::hold_open(c).await?;
            let ended = repo::searches::ended(c).await?;
            let was_looked_into = |(job, _): &(JobId, _)| looked.ended.contains_key(job);
            if !is_last && !ended.iter().all(was_looked_into) {
                return Ok(None);
            }
            let mut erased = Erased {
                searches_under_way: under_way.len() as u64,
                ..Erased::default()
            };
            let cleared = |job: &JobId| looked.under_way.get(job).copied().unwrap_or_default();
            for search in under_way {
                repo::searches::mark(c, search, hmac, cleared(&search.0)).await?;
            }
            let mut events = Vec::new();
            for (id, project) in repo::prospects::with_address(c, hmac).await? {
                let owner = repo::tenants::existing_project(c, project).await?;
                repo::prospects::delete(c, project, id).await?;
                let messages = repo::written_messages::erase(c, project, id, now).await?;
                erased.candidates += 1;
                erased.messages += messages.len() as u64;
                let organization = Some(owner.organization);
                let action = AuditAction::ProspectErased;
                events.push(operator.event(action, id, organization, Some(project)));
                let action = AuditAction::MessageErased;
                let of_messages = (messages.into_iter())
                    .map(|job| operator.event(action, job, organization, Some(project)));
                events.extend(of_messages);
            }
            for (job, project) in repo::written_messages::erase_by_address(c, hmac, now).await? {
                let owner = repo::tenants::existing_project(c, project).await?;
                erased.messages += 1;
                let organization = Some(owner.organization);
                let action = AuditAction::MessageErased;
                events.push(operator.event(action, job, organization, Some(project)));
            }
            for (job, project) in ended {
                match (looked.ended.get(&job), unread) {
                    (Some(Told::Shown), _) | (Some(Told::Unread), Unread::Erase) => {}
                    (Some(Told::Unread), Unread::Keep) => {
                        // An earlier erasure may have left it to a sweep, and that holds.
                        match repo::searches::is_marked(c, project, job, hmac).await? {
                            true => erased.searches_pending += 1,
                            false => erased.searches_unread += 1,
                        }
                        continue;
                    }
                    (Some(Told::Silent(_)), _) => {
                        repo::searches::unmark(c, job, Some(hmac)).await?;
                        continue;
                    }
                    (None, _) => {
                        repo::searches::mark(c, (job, project), hmac, cleared(&job)).await?;
                        erased.searches_pending += 1;
                        continue;
                    }
                }
                erased.answers += repo::searches::count_answers(c, job).await?;
                repo::recorded_calls::forget(c, job).await?;
                repo::searches::unmark(c, job, None).await?;
                let found = repo::damaged_jobs::read(c, job, now).await?;
                let owner = found.map(|found| (found.job.organization, found.job.project));
                let (organization, project) = owner.unzip();
                let action = AuditAction::ProspectingAnswerErased;
                events.push(operator.event(action, job, organization, project));
            }
            repo::audit::append_all(c, &events, now).await?;
            Ok(Some(erased))
        })
    }

    /// Looks into the answers of all searches but those that were looked into after they had ended.
    async fn look_into_searches(
        &self,
        address: &MailAddress,
        looked: &mut Looked,
    ) -> Result<(), StoreError> {
        let mut after = None;
        loop {
            let page = on_database!(self.0, read, Access::All, |c, repo| {
                repo::searches::page(c, after).await
            })?;
            let Some(last) = page.last() else {
                return Ok(());
            };
            after = Some(last.id);
            for search in page {
                if looked.ended.contains_key(&search.id) {
                    continue;
                }
                let told = self.told(search.id, address).await?;
                if search.ended {
                    looked.ended.insert(search.id, told);
                } else {
                    let cleared = match told {
                        Told::Silent(calls) => calls,
                        Told::Shown | Told::Unread => 0,
                    };
                    looked.under_way.insert(search.id, cleared);
                }
            }
        }
    }

    /// What the answers of a search, and what the connector made of them, tell of the address.
    async fn told(&self, search: JobId, address: &MailAddress) -> Result<Told, StoreError> {
        // Before the answers: what is settled in between is then not counted as read.
        let steps = on_database!(self.0, read, Access::All, |c, repo| {
            repo::steps::list(c, search).await
        })?;
        let (mut settled, mut all_read) = (0, true);
        for outcome in steps.into_iter().filter_map(|step| step.outcome) {
            settled += 1;
            match self.is_shown_in(outcome, address).await {
                Some(true) => return Ok(Told::Shown),
                Some(false) => {}
                None => all_read = false,
            }
        }
        let mut after: Option<ReceiptPlace> = None;
        loop {
            let page = on_database!(self.0, read, Access::All, |c, repo| {
                repo::searches::answers(c, search, after).await
            })?;
            let Some((last, _)) = page.last() else {
                return Ok(match all_read {
                    true => Told::Silent(settled),
                    false => Told::Unread,
                });
            };
            after = Some(*last);
            for (_, kept) in page {
                match self.is_shown_in(kept, address).await {
                    Some(true) => return Ok(Told::Shown),
                    Some(false) => {}
                    None => all_read = false,
                }
            }
        }
    }

    /// Whether the address stands in an answer, as a text of any kind shows it: no format is asked for, because a
    /// provider may answer in any, and a document that no reader takes holds the address all the same. `None` if the
    /// answer cannot be read.
    async fn is_shown_in(&self, kept: StoredBytes, address: &MailAddress) -> Option<bool> {
        let bytes = match self.0.inner.blobs.fetch(kept).await {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::warn!(%error, "an answer of a search cannot be read for an erasure");
                return None;
            }
        };
        // An answer may be long, and others wait on this thread.
        let address = address.clone();
        let shown = move || shows(&String::from_utf8_lossy(&bytes), &address);
        match tokio::task::spawn_blocking(shown).await {
            Ok(shown) => Some(shown),
            Err(error) => {
                tracing::warn!(%error, "an answer of a search was not read for an erasure");
                None
            }
        }
    }
}
