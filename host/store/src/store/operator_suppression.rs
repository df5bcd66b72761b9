//! The operator's side of the outcome ledgers: entering outcomes and looking an address up. `suppression_checks`
//! checks them.

use gtm_domain::ProjectId;
use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::outcome_ledger::chain::{self, LedgerOf, NewEntry};
use gtm_domain::outcome_ledger::{OutcomeKind, ReportedOutcome, Subject};

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;
use crate::model::prospecting::{DoNotContact, OutcomesRecorded, SuppressionMatch};

/// Outcomes per transaction: each locks the ledger, and others wait.
const BATCH: usize = 500;
/// How the audit log calls the platform's list.
pub(super) const PLATFORM: &str = "platform";

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Enters outcomes into the ledger of a project and its environment; what the ledger says already is not entered
    /// again, so that a file can be imported twice, or once more after a failure. Archived projects have ledgers too.
    /// [`StoreError::Absent`] if the project does not exist.
    pub async fn record_outcomes(
        &self,
        project: ProjectId,
        outcomes: Vec<ReportedOutcome>,
    ) -> Result<OutcomesRecorded, StoreError> {
        let news: Vec<NewEntry> = outcomes
            .into_iter()
            .map(|outcome| NewEntry {
                kind: outcome.kind,
                subject: self.0.ledger_subject(&outcome.subject),
                occurred_at: outcome.occurred_at,
                source: outcome.source,
            })
            .collect();
        let mut recorded = OutcomesRecorded::default();
        // Without outcomes the project is looked up all the same.
        let mut batches = news.chunks(BATCH).map(<[NewEntry]>::to_vec);
        let mut batch = batches.next().unwrap_or_default();
        loop {
            let done = self.record_batch(project, batch).await?;
            recorded.added += done.added;
            recorded.already_known += done.already_known;
            recorded.sequence = done.sequence;
            match batches.next() {
                Some(next) => batch = next,
                None => return Ok(recorded),
            }
        }
    }

    async fn record_batch(
        &self,
        project: ProjectId,
        news: Vec<NewEntry>,
    ) -> Result<OutcomesRecorded, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let owner = repo::tenants::existing_project(c, project).await?;
            let ledger = LedgerOf {
                project,
                environment: owner.environment,
            };
            let (first, before) = repo::outcome_ledger::hold_head(c, ledger).await?;
            let (mut sequence, mut hash) = (first, before);
            let mut recorded = OutcomesRecorded::default();
            for new in news {
                if repo::outcome_ledger::has(c, ledger, &new).await? {
                    recorded.already_known += 1;
                    continue;
                }
                let (entry, sealed) = chain::seal(ledger, new, sequence + 1, hash, now)?;
                repo::outcome_ledger::append(c, &entry, sealed).await?;
                (sequence, hash) = (entry.sequence, sealed);
            }
            recorded.added = sequence - first;
            recorded.sequence = Some(sequence).filter(|last| *last > 0);
            if recorded.added > 0 {
                let action = AuditAction::OutcomesRecorded;
                let organization = Some(owner.organization);
                let event = AuditEvent {
                    before: Some(before),
                    after: Some(hash),
                    ..operator.event(action, ledger, organization, Some(project))
                };
                repo::audit::append(c, &event, now).await?;
            }
            Ok(recorded)
        })
    }

    /// Everything that is known of these subjects, in the ledger of one project or all, and on the platform's list;
    /// also what does not speak against writing, such as soft bounces.
    pub async fn look_up_outcomes(
        &self,
        project: Option<ProjectId>,
        subjects: &[Subject],
    ) -> Result<Vec<SuppressionMatch>, StoreError> {
        let subjects: Vec<_> = subjects
            .iter()
            .map(|subject| self.0.ledger_subject(subject))
            .collect();
        on_database!(self.0, snapshot, Access::All, |c, repo| {
            let mut found = Vec::new();
            for subject in subjects {
                let listed = repo::outcome_ledger::on_platform_list(c, subject).await?;
                found.extend(listed.map(|listed| SuppressionMatch {
                    project_id: None,
                    environment: None,
                    sequence: None,
                    kind: OutcomeKind::DoNotContact,
                    r#match: listed.subject_type,
                    occurred_at: listed.added_at,
                    source: listed.source,
                }));
                let entries = repo::outcome_ledger::of_subject(c, project, subject).await?;
                found.extend(entries.into_iter().map(repo::outcome_ledger::as_match));
            }
            Ok(found)
        })
    }

    /// Puts subjects on the platform's list, which holds for every project, for good. Returns how many are new.
    pub async fn add_do_not_contact(
        &self,
        subjects: &[Subject],
        source: &str,
    ) -> Result<u64, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let news: Vec<DoNotContact> = subjects
            .iter()
            .map(|subject| self.0.ledger_subject(subject))
            .map(|subject| DoNotContact {
                subject_type: subject.subject_type,
                hmac: subject.hmac,
                source: source.to_owned(),
                added_by: self.1.id.clone(),
                added_at: now,
            })
            .collect();
        on_database!(self.0, write, Access::All, |c, repo| {
            let mut added = Vec::new();
            for new in news {
                if repo::outcome_ledger::add_to_platform_list(c, &new).await? {
                    added.push(new);
                }
            }
            if !added.is_empty() {
                // The order in which the list is read, so that it can be compared with what is hashed here.
                added.sort_by_key(|new| (new.subject_type.as_str(), new.hmac.to_string()));
                let action = AuditAction::DoNotContactAdded;
                let event = operator.event(action, PLATFORM, None, None);
                repo::audit::append(c, &event.after(&added)?, now).await?;
            }
            Ok(added.len() as u64)
        })
    }

    /// The platform's list, oldest first.
    pub async fn list_do_not_contact(&self) -> Result<Vec<DoNotContact>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::outcome_ledger::platform_list(c).await
        })
    }
}
