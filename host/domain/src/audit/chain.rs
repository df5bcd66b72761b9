//! How entries of the audit log are chained, and how a chain is checked. The repository decides where
//! entries are stored. `docs/audit-log.md` describes the rule for outside verifiers.

use std::collections::BTreeMap;

use super::entry::{AuditEntry, Party};
use super::event::AuditEvent;
use super::report::AuditBreach;
use crate::canonical::NotCanonical;
use crate::{AuditEntryId, Digest, Timestamp, canonical_digest};

/// Name of the chain for events that belong to no organization.
pub const PLATFORM: &str = "platform";

/// Name of the chain to which an event belongs.
#[must_use]
pub fn chain_of(event: &AuditEvent) -> String {
    event
        .organization
        .map_or_else(|| PLATFORM.to_owned(), |id| id.to_string())
}

/// The previous hash of a chain's first entry.
#[must_use]
pub fn genesis(chain: &str) -> Digest {
    Digest::of(chain.as_bytes())
}

/// The hash of an entry: covers every field but the hash itself.
///
/// # Errors
/// Never for an entry that was read or sealed; serializing to JSON can fail in general.
pub fn hash_of(entry: &AuditEntry) -> Result<Digest, NotCanonical> {
    let unsealed = AuditEntry {
        hash: None,
        ..entry.clone()
    };
    canonical_digest(&unsealed).map_err(|e| NotCanonical::new("audit entry", &e))
}

/// Builds the entry for an event at its position in the chain, including its hash.
///
/// # Errors
/// Never for an event of this crate; serializing to JSON can fail in general.
pub fn seal(
    id: AuditEntryId,
    event: &AuditEvent,
    seq: u64,
    prev_hash: Digest,
    now: Timestamp,
) -> Result<(AuditEntry, Digest), NotCanonical> {
    let mut entry = AuditEntry {
        id,
        chain: chain_of(event),
        seq,
        // The hash covers the instant's text, which has milliseconds, so the stored instant has them too.
        at: Timestamp::from_millis(now.millis()),
        actor: Party {
            kind: event.actor.kind.to_owned(),
            id: event.actor.id.clone(),
        },
        action: event.action.as_str().to_owned(),
        resource: Party {
            kind: event.resource.kind.to_owned(),
            id: event.resource.id.clone(),
        },
        organization_id: event.organization,
        project_id: event.project,
        request_id: event.request_id.clone(),
        ip_hash: event.ip_hash.clone(),
        before_hash: event.before,
        after_hash: event.after,
        prev_hash,
        hash: None,
    };
    let hash = hash_of(&entry)?;
    entry.hash = Some(hash);
    Ok((entry, hash))
}

/// Checks one chain, entry by entry.
pub struct Walk<'a> {
    chain: &'a str,
    seq: u64,
    hash: Digest,
    /// Hashes anchored outside the log, by position.
    anchored: Option<&'a BTreeMap<u64, Digest>>,
}

impl<'a> Walk<'a> {
    /// Starts before the first entry of a chain.
    #[must_use]
    pub fn new(chain: &'a str, anchored: Option<&'a BTreeMap<u64, Digest>>) -> Self {
        Self {
            chain,
            seq: 0,
            hash: genesis(chain),
            anchored,
        }
    }

    /// Position of the last valid entry.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// Checks the next entry.
    ///
    /// # Errors
    /// The first fault found in the entry.
    pub fn step(&mut self, entry: &AuditEntry) -> Result<(), AuditBreach> {
        let seq = self.seq + 1;
        let breach = |fault: &str| Err(self.breach(seq, fault));
        if entry.seq != seq {
            return breach("the entry is missing");
        }
        if entry.prev_hash != self.hash {
            return breach("the previous hash is not that of the entry before");
        }
        // Microseconds are not part of the hashed text.
        if entry.at.micros() % 1000 != 0 {
            return breach("the time was changed");
        }
        let right = hash_of(entry).ok().filter(|h| Some(*h) == entry.hash);
        let Some(hash) = right else {
            return breach("the hash does not fit the entry");
        };
        if self
            .anchored
            .and_then(|known| known.get(&seq))
            .is_some_and(|known| *known != hash)
        {
            return breach("the hash is not the one that was anchored");
        }
        (self.seq, self.hash) = (seq, hash);
        Ok(())
    }

    /// Checks the end: the chain has `last` entries, and its head is as given.
    ///
    /// # Errors
    /// The fault found at the end.
    pub fn end(&self, last: u64, head: Option<(u64, String)>) -> Result<(), AuditBreach> {
        if self.seq != last {
            return Err(self.breach(self.seq + 1, "the entry is missing"));
        }
        // A chain exists only once it has an entry.
        if last == 0 && head.as_ref().is_none_or(|(seq, _)| *seq == 0) {
            return Err(self.breach(1, "the chain is missing"));
        }
        let Some((head_seq, head_hash)) = head else {
            return Err(self.breach(last, "the chain's head is missing"));
        };
        if head_seq > last {
            return Err(self.breach(last + 1, "the entry is missing: the head lies behind it"));
        }
        if head_seq < last {
            return Err(self.breach(head_seq + 1, "the entry lies behind the chain's head"));
        }
        if head_hash != self.hash.to_string() {
            return Err(self.breach(last, "the chain's head has another hash"));
        }
        let anchored = self.anchored.and_then(|known| known.last_key_value());
        match anchored {
            Some((anchored, _)) if *anchored > last => {
                Err(self.breach(last + 1, "the entry is missing: a later one was anchored"))
            }
            _ => Ok(()),
        }
    }

    fn breach(&self, seq: u64, fault: &str) -> AuditBreach {
        AuditBreach {
            chain: self.chain.to_owned(),
            seq,
            fault: fault.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::audit::{AuditAction, AuditActor, AuditResource};
    use crate::{OrganizationId, ProjectId, canonical_json};

    fn event() -> impl Strategy<Value = AuditEvent> {
        let parts = (
            any::<u128>(),
            any::<Option<u128>>(),
            "\\PC{0,20}",
            "\\PC{0,20}",
            proptest::option::of("[a-z0-9-]{1,20}"),
            any::<Option<[u8; 32]>>(),
            any::<Option<[u8; 32]>>(),
        );
        parts.prop_map(
            |(organization, project, actor, resource, request_id, before, after)| AuditEvent {
                actor: AuditActor {
                    kind: "operator",
                    id: actor,
                },
                action: AuditAction::ApiKeyCreated,
                resource: AuditResource {
                    kind: "api_key",
                    id: resource,
                },
                organization: Some(OrganizationId::from_uuid(Uuid::from_u128(organization))),
                project: project.map(|p| ProjectId::from_uuid(Uuid::from_u128(p))),
                ip_hash: request_id.clone(),
                request_id,
                before: before.map(Digest::from_bytes),
                after: after.map(Digest::from_bytes),
            },
        )
    }

    fn chained(events: &[AuditEvent], micros: i64) -> Vec<AuditEntry> {
        let chain = chain_of(&events[0]);
        let mut prev = genesis(&chain);
        let mut entries = Vec::new();
        for (n, event) in events.iter().enumerate() {
            let event = AuditEvent {
                organization: events[0].organization,
                ..event.clone()
            };
            let now = Timestamp::from_micros(micros);
            let (entry, hash) = seal(
                AuditEntryId::from_uuid(Uuid::from_u128(n as u128)),
                &event,
                n as u64 + 1,
                prev,
                now,
            )
            .unwrap();
            entries.push(entry);
            prev = hash;
        }
        entries
    }

    fn walk(entries: &[AuditEntry]) -> Result<(), AuditBreach> {
        let mut walk = Walk::new(&entries[0].chain, None);
        entries.iter().try_for_each(|entry| walk.step(entry))
    }

    /// Changes one field, chosen by `n`; the stored hash stays.
    fn changed(entry: &AuditEntry, n: usize) -> AuditEntry {
        let mut e = entry.clone();
        let other = Digest::of(b"other");
        match n {
            0 => e.id = AuditEntryId::from_uuid(Uuid::from_u128(e.id.uuid().as_u128() ^ 1)),
            1 => e.seq += 1,
            2 => e.at = Timestamp::from_micros(e.at.micros() + 1),
            3 => e.at = Timestamp::from_micros(e.at.micros() + 1000),
            4 => e.actor.kind.push('x'),
            5 => e.actor.id.push('x'),
            6 => e.action.push('x'),
            7 => e.resource.kind.push('x'),
            8 => e.resource.id.push('x'),
            9 => e.organization_id = None,
            10 => {
                e.project_id = e
                    .project_id
                    .xor(Some(ProjectId::from_uuid(Uuid::from_u128(5))))
            }
            11 => e.request_id = e.request_id.xor(Some(String::new())),
            12 => e.ip_hash = e.ip_hash.xor(Some(String::new())),
            13 => e.before_hash = e.before_hash.xor(Some(other)),
            14 => e.after_hash = e.after_hash.xor(Some(other)),
            15 => e.prev_hash = other,
            16 => e.hash = Some(other),
            17 => e.chain.push('x'),
            _ => e.hash = None,
        }
        e
    }

    proptest! {
        #[test]
        fn a_chain_holds_and_no_field_of_it_can_change(
            events in proptest::collection::vec(event(), 1..6),
            micros in 0i64..2_000_000_000_000_000,
            at: prop::sample::Index,
            field in 0usize..19,
        ) {
            let entries = chained(&events, micros);
            prop_assert_eq!(walk(&entries), Ok(()));
            let place = at.index(entries.len());
            let mut tampered = entries.clone();
            tampered[place] = changed(&tampered[place], field);
            let breach = walk(&tampered).unwrap_err();
            prop_assert_eq!(breach.seq, place as u64 + 1, "the breach is told where it is");
        }

        #[test]
        fn a_chain_of_another_order_or_with_a_gap_does_not_hold(
            events in proptest::collection::vec(event(), 2..6),
            at: prop::sample::Index,
        ) {
            let entries = chained(&events, 0);
            let place = at.index(entries.len() - 1);
            let mut swapped = entries.clone();
            swapped.swap(place, place + 1);
            prop_assert!(walk(&swapped).is_err());
            let mut cut = entries.clone();
            cut.remove(place);
            prop_assert_eq!(walk(&cut).unwrap_err().seq, place as u64 + 1);
        }

        /// An exported line of text contains everything that the hash covers.
        #[test]
        fn the_text_of_an_entry_gives_its_hash(event in event(), micros in 0i64..2_000_000_000_000_000) {
            let entry = chained(&[event], micros).remove(0);
            let mut value: serde_json::Value =
                serde_json::from_str(&serde_json::to_string(&entry).unwrap()).unwrap();
            let hash = value.as_object_mut().unwrap().remove("hash").unwrap();
            let again = Digest::of(&canonical_json(&value).unwrap());
            prop_assert_eq!(hash.as_str().unwrap(), again.to_string());
        }
    }
}
