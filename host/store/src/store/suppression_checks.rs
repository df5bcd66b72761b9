//! Whether the outcome ledgers and the platform's list are what was entered.
//!
//! DANGER: whoever can write to the database can cut a ledger and move its head, and the people who objected are written
//! to again. The audit log tells of every entry, in a chain of its own, and is compared here.

use std::collections::{BTreeMap, BTreeSet};

use gtm_domain::audit::AuditAction;
use gtm_domain::outcome_ledger::LedgerBreach;
use gtm_domain::outcome_ledger::chain::{LedgerOf, Walk};
use gtm_domain::{Digest, ProjectId, canonical_digest};

use super::operator::Operator;
use super::operator_suppression::PLATFORM;
use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::prospecting::{DoNotContact, LedgerCheck, PlatformListCheck};

/// Entries that are read at a time.
const PAGE: u32 = 1000;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Checks the ledger of one project or all of them, from the first entry to the head. Entries that are added
    /// meanwhile are left to the next check. A broken ledger is part of the answer, not an error.
    ///
    /// The audit log is a second witness: it tells the hash of the last entry of each transaction, so a ledger that was cut
    /// together with its head, or taken away as a whole, does not hold either.
    pub async fn verify_outcome_ledgers(
        &self,
        project: Option<ProjectId>,
    ) -> Result<Vec<LedgerCheck>, StoreError> {
        let ledgers = on_database!(self.0, read, Access::All, |c, repo| {
            let mut ledgers = repo::outcome_ledger::ledgers(c, project).await?;
            let told = repo::audit::resources(c, AuditAction::OutcomesRecorded).await?;
            let told = told.iter().filter_map(|name| name.parse().ok());
            let told = told.filter(|it: &LedgerOf| project.is_none_or(|one| it.project == one));
            ledgers.extend(told);
            ledgers.sort_unstable_by_key(|ledger| (ledger.project, ledger.environment.as_str()));
            ledgers.dedup();
            Ok(ledgers)
        })?;
        let mut checks = Vec::new();
        for ledger in ledgers {
            checks.push(self.0.verify_outcome_ledger(ledger).await?);
        }
        Ok(checks)
    }

    /// Checks the platform's list against the audit log, which tells the hash of everything that was added.
    pub async fn verify_do_not_contact(&self) -> Result<PlatformListCheck, StoreError> {
        let (rows, told) = on_database!(self.0, snapshot, Access::All, |c, repo| {
            let rows = repo::outcome_ledger::platform_list(c).await?;
            let told = repo::audit::told(c, AuditAction::DoNotContactAdded, PLATFORM).await?;
            Ok((rows, told))
        })?;
        let mut together: BTreeMap<_, Vec<&DoNotContact>> = BTreeMap::new();
        let mut hashes = BTreeSet::new();
        for row in &rows {
            hashes.insert(canonical_digest(&[row]).map_err(unhashed)?);
            let added = (row.added_at, row.added_by.as_str());
            together.entry(added).or_default().push(row);
        }
        for added in together.values() {
            hashes.insert(canonical_digest(added).map_err(unhashed)?);
        }
        let missing = told.iter().filter(|hash| !hashes.contains(*hash)).count();
        Ok(PlatformListCheck {
            entries: rows.len() as u64,
            fault: (missing > 0).then(|| {
                format!("{missing} of {} additions that the audit log tells of are not there as they were added", told.len())
            }),
        })
    }
}

fn unhashed(error: impl std::fmt::Display) -> StoreError {
    StoreError::Conflict(error.to_string())
}

impl Store {
    async fn verify_outcome_ledger(&self, ledger: LedgerOf) -> Result<LedgerCheck, StoreError> {
        // Before the entries: what is entered from now on is left to the next check.
        let told = on_database!(self, read, Access::All, |c, repo| {
            let name = ledger.to_string();
            Ok(repo::audit::told(c, AuditAction::OutcomesRecorded, &name)
                .await?
                .pop())
        })?;
        let head = self.ledger_head(ledger).await?;
        let mut is_there = told.is_none();
        let mut walk = Walk::new(ledger);
        let mut breach = None;
        'pages: loop {
            let after = walk.sequence();
            let page = on_database!(self, read, Access::All, |c, repo| {
                repo::outcome_ledger::entries(c, ledger, after, PAGE).await
            })?;
            if page.is_empty() {
                break;
            }
            for entry in page {
                let behind = head.filter(|(last, _)| entry.sequence > *last);
                if let Some((last, _)) = behind {
                    // Either it was entered since the check began, and the head has moved, or it is not the ledger's.
                    if self.ledger_head(ledger).await? == head {
                        breach = Some(LedgerBreach {
                            sequence: last + 1,
                            fault: "the entry lies behind the ledger's head".to_owned(),
                        });
                    }
                    break 'pages;
                }
                if let Err(found) = walk.step(&entry) {
                    breach = Some(found);
                    break 'pages;
                }
                is_there |= entry.hash == told;
            }
        }
        if breach.is_none() {
            breach = walk.end(head).err();
        }
        if breach.is_none() && !is_there {
            breach = Some(LedgerBreach {
                sequence: walk.sequence() + 1,
                fault: "the audit log tells of an entry that is missing".to_owned(),
            });
        }
        Ok(LedgerCheck {
            project_id: ledger.project,
            environment: ledger.environment,
            entries: walk.sequence(),
            breach,
        })
    }

    async fn ledger_head(&self, ledger: LedgerOf) -> Result<Option<(u64, Digest)>, StoreError> {
        on_database!(self, read, Access::All, |c, repo| {
            repo::outcome_ledger::head(c, ledger).await
        })
    }
}
