//! The audit log: recording actions, checking all chains, and reading them. The function that performs an
//! action is responsible for recording it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::net::IpAddr;

use aws_lc_rs::hmac;
use gtm_domain::audit::chain::Walk;
use gtm_domain::audit::{
    AuditAction, AuditActor, AuditBreach, AuditEntry, AuditEvent, AuditHead, AuditReport,
};
use gtm_domain::{Digest, OrganizationId, ProjectId};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::audit::{AuditFilter, AuditPlace, AuditRange};
use crate::scope::ProjectScope;
use crate::store::operator::Operator;

/// Entries read at a time.
const PAGE: u32 = 500;

impl Operator {
    /// An action of this operator, to append in the transaction that performs it.
    pub(super) fn event(
        &self,
        action: AuditAction,
        resource: impl Display,
        organization: Option<OrganizationId>,
        project: Option<ProjectId>,
    ) -> AuditEvent {
        AuditEvent::new(&self.1, action, resource, organization, project)
    }
}

impl Store {
    /// An action of a request's key, to append in the transaction that performs it.
    pub(super) fn key_event(
        &self,
        scope: &ProjectScope,
        action: AuditAction,
        resource: impl Display,
    ) -> AuditEvent {
        let actor = AuditActor {
            kind: "key",
            id: scope.key.to_string(),
        };
        let organization = scope.organization;
        let origin = scope.origin.as_deref();
        AuditEvent {
            request_id: origin.map(|o| o.request_id.clone()),
            ip_hash: origin
                .and_then(|o| o.peer)
                .map(|peer| self.address_hash(organization, peer)),
            ..AuditEvent::new(
                &actor,
                action,
                resource,
                Some(organization),
                Some(scope.project),
            )
        }
    }

    /// The keyed digest of a caller's address: equal for the same caller within an organization. Without
    /// the key it cannot be compared across organizations or traced back to the address.
    fn address_hash(&self, organization: OrganizationId, peer: IpAddr) -> String {
        let text = format!("address {organization} {}", peer.to_canonical());
        let tag = hmac::sign(&self.inner.secret, text.as_bytes());
        format!("hmac-sha256:{}", hex::encode(tag))
    }

    /// Walks every chain and checks it: no position is missing, every hash is correct, each entry links to
    /// the one before, the head points to the end, and entries anchored elsewhere are unchanged. Reads in
    /// pages, so it needs little memory; entries appended meanwhile are left to the next check.
    ///
    /// # Errors
    /// If the database cannot be read. A broken chain is part of the report, not an error.
    pub async fn verify_audit(&self, anchored: &[AuditHead]) -> Result<AuditReport, StoreError> {
        let mut anchors: BTreeMap<&str, BTreeMap<u64, Digest>> = BTreeMap::new();
        for head in anchored {
            let places = anchors.entry(&head.chain).or_default();
            places.insert(head.seq, head.hash);
        }
        let mut report = AuditReport::default();
        let mut chain = String::new();
        while let Some(next) = self.next_audit_chain(&chain).await? {
            chain = next;
            let known = anchors.remove(chain.as_str());
            let mut walk = Walk::new(&chain, known.as_ref());
            let outcome = self.walk(&chain, &mut walk).await?;
            report.chains += 1;
            report.entries += walk.seq();
            if let Err(breach) = outcome {
                report.note(breach);
            }
        }
        for chain in anchors.into_keys() {
            report.note(AuditBreach {
                chain: chain.to_owned(),
                seq: 1,
                fault: "the chain is missing: it was anchored".to_owned(),
            });
        }
        Ok(report)
    }

    async fn walk(
        &self,
        chain: &str,
        walk: &mut Walk<'_>,
    ) -> Result<Result<(), AuditBreach>, StoreError> {
        let name = chain.to_owned();
        let (last, head) = on_database!(self, report, Access::All, |c, repo| {
            repo::audit::end(c, &name).await
        })?;
        while walk.seq() < last {
            let page = self
                .audit_page(chain, walk.seq(), AuditRange::default())
                .await?;
            if page.is_empty() {
                break;
            }
            for entry in page {
                if walk.seq() == last {
                    break;
                }
                if let Err(breach) = entry.and_then(|entry| walk.step(&entry)) {
                    return Ok(Err(breach));
                }
            }
        }
        Ok(walk.end(last, head))
    }

    async fn next_audit_chain(&self, after: &str) -> Result<Option<String>, StoreError> {
        let after = after.to_owned();
        on_database!(self, read, Access::All, |c, repo| {
            repo::audit::next_chain(c, &after).await
        })
    }

    async fn audit_page(
        &self,
        chain: &str,
        after: u64,
        range: AuditRange,
    ) -> Result<Vec<Result<AuditEntry, AuditBreach>>, StoreError> {
        let chain = chain.to_owned();
        on_database!(self, read, Access::All, |c, repo| {
            repo::audit::page(c, &chain, after, range, PAGE).await
        })
    }
}

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// The heads of all chains, to keep in a place where nobody can change them.
    pub async fn audit_heads(&self) -> Result<Vec<AuditHead>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::audit::heads(c)
            .await)
    }

    /// The newest entries, newest first. [`StoreError::Corrupt`] if one cannot be read.
    pub async fn newest_audit_entries(
        &self,
        filter: &AuditFilter,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let filter = filter.clone();
        let found = on_database!(self.0, read, Access::All, |c, repo| {
            repo::audit::newest(c, &filter).await
        })?;
        let mut entries = readable(found)?;
        // Times are shown in milliseconds; entries that look simultaneous are sorted by their position in
        // the chain.
        entries.sort_by(|a, b| {
            let place = |e: &AuditEntry| (Reverse(e.at.millis()), e.chain.clone(), Reverse(e.seq));
            place(a).cmp(&place(b))
        });
        Ok(entries)
    }

    /// The actions that occur in the log, each with the kind of its resource. Reads the whole log.
    pub async fn audit_actions(&self) -> Result<Vec<(String, String)>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::audit::actions(c).await
        })
    }

    /// A page of entries after `place`, chain by chain, each in order; empty after the last entry. Moves
    /// `place` to the last entry returned. [`StoreError::Corrupt`] if one cannot be read.
    pub async fn audit_entries(
        &self,
        range: AuditRange,
        place: &mut AuditPlace,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        if let (Some(organization), true) = (range.organization, place.chain.is_empty()) {
            place.chain = organization.to_string();
        }
        loop {
            if !place.chain.is_empty() {
                let page = self.0.audit_page(&place.chain, place.seq, range).await?;
                if let Some(entry) = page.last() {
                    place.seq = match entry {
                        Ok(entry) => entry.seq,
                        Err(breach) => breach.seq,
                    };
                    return readable(page);
                }
                if range.organization.is_some() {
                    return Ok(Vec::new());
                }
            }
            match self.0.next_audit_chain(&place.chain).await? {
                Some(chain) => *place = AuditPlace { chain, seq: 0 },
                None => return Ok(Vec::new()),
            }
        }
    }
}

fn readable(found: Vec<Result<AuditEntry, AuditBreach>>) -> Result<Vec<AuditEntry>, StoreError> {
    found
        .into_iter()
        .map(|entry| entry.map_err(|b| StoreError::Corrupt(format!("audit log, {b}"))))
        .collect()
}
