//! The operator's side of the outcome ledgers: entering outcomes and looking an address up. `suppression_checks`
//! checks them.

use gtm_domain::ProjectId;
use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::outcome_ledger::chain::{self, LedgerOf, NewEntry};
use gtm_domain::outcome_ledger::{OutcomeKind, ReportedOutcome, Subject};

use super::operator::Operator;
use super::{Store, on_database};
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
    /// [`StoreError::Absent`] if the project does not exist. A person is entered once for each part of the name by which
    /// they may be sought, all or none.
    pub async fn record_outcomes(
        &self,
        project: ProjectId,
        outcomes: Vec<ReportedOutcome>,
    ) -> Result<OutcomesRecorded, StoreError> {
        let news: Vec<Vec<NewEntry>> = outcomes
            .iter()
            .map(|outcome| self.0.entries_of(outcome))
            .collect();
        let mut recorded = OutcomesRecorded::default();
        // Without outcomes the project is looked up all the same.
        let mut batches = news.chunks(BATCH).map(<[_]>::to_vec);
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
        news: Vec<Vec<NewEntry>>,
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
            for outcome in news {
                let before_it = sequence;
                for new in outcome {
                    if repo::outcome_ledger::has(c, ledger, &new).await? {
                        continue;
                    }
                    let (entry, sealed) = chain::seal(ledger, new, sequence + 1, hash, now)?;
                    repo::outcome_ledger::append(c, &entry, sealed).await?;
                    (sequence, hash) = (entry.sequence, sealed);
                }
                match sequence > before_it {
                    true => recorded.added += 1,
                    false => recorded.already_known += 1,
                }
            }
            recorded.sequence = Some(sequence).filter(|last| *last > 0);
            if sequence > first {
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
                for entry in entries.into_iter().map(repo::outcome_ledger::as_match) {
                    // A person's outcome is several entries.
                    if !found.iter().any(|other| tells_the_same(other, &entry)) {
                        found.push(entry);
                    }
                }
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
        let kept_as = |subject: &Subject| {
            let kept = subject.kept_as();
            let kept = kept.iter().map(|kept| self.0.ledger_subject(kept));
            let rows = kept.map(|subject| DoNotContact {
                subject_type: subject.subject_type,
                hmac: subject.hmac,
                source: source.to_owned(),
                added_by: self.1.id.clone(),
                added_at: now,
            });
            rows.collect::<Vec<_>>()
        };
        let news: Vec<Vec<DoNotContact>> = subjects.iter().map(kept_as).collect();
        on_database!(self.0, write, Access::All, |c, repo| {
            let (mut added, mut named) = (Vec::new(), 0);
            for rows in news {
                let before = added.len();
                for new in rows {
                    if repo::outcome_ledger::add_to_platform_list(c, &new).await? {
                        added.push(new);
                    }
                }
                named += u64::from(added.len() > before);
            }
            if !added.is_empty() {
                // The order in which the list is read, so that it can be compared with what is hashed here.
                added.sort_by_key(|new| (new.subject_type.as_str(), new.hmac.to_string()));
                let action = AuditAction::DoNotContactAdded;
                let event = operator.event(action, PLATFORM, None, None);
                repo::audit::append(c, &event.after(&added)?, now).await?;
            }
            Ok(named)
        })
    }

    /// The platform's list, oldest first.
    pub async fn list_do_not_contact(&self) -> Result<Vec<DoNotContact>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::outcome_ledger::platform_list(c).await
        })
    }
}

/// Whether two entries were made for one outcome.
fn tells_the_same(one: &SuppressionMatch, other: &SuppressionMatch) -> bool {
    let told = |it: &SuppressionMatch| {
        (
            it.project_id,
            it.environment,
            it.kind,
            it.r#match,
            it.occurred_at,
        )
    };
    told(one) == told(other) && one.source == other.source
}

impl Store {
    /// What a ledger keeps of an outcome.
    fn entries_of(&self, outcome: &ReportedOutcome) -> Vec<NewEntry> {
        let kept = outcome.subject.kept_as();
        let entries = kept.iter().map(|subject| NewEntry {
            kind: outcome.kind,
            subject: self.ledger_subject(subject),
            occurred_at: outcome.occurred_at,
            source: outcome.source.clone(),
        });
        entries.collect()
    }
}
