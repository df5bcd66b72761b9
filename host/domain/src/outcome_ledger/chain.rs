//! How entries of an outcome ledger are chained, and how a chain is checked. Each project has a ledger for its
//! environment. The repository decides where entries are stored.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{OutcomeKind, SubjectHmac, SubjectType};
use crate::canonical::NotCanonical;
use crate::message::compliance::Environment;
use crate::{Digest, ProjectId, Timestamp, canonical_digest};

/// Whose ledger it is. Its text names the chain, such as `prj_…/production`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LedgerOf {
    pub project: ProjectId,
    /// What its messages are for.
    pub environment: Environment,
}

impl fmt::Display for LedgerOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.project, self.environment.as_str())
    }
}

/// The text is no name of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoLedger;

impl std::str::FromStr for LedgerOf {
    type Err = NoLedger;

    fn from_str(name: &str) -> Result<Self, NoLedger> {
        let (project, environment) = name.split_once('/').ok_or(NoLedger)?;
        Ok(Self {
            project: project.parse().map_err(|_| NoLedger)?,
            environment: environment.parse().map_err(|_| NoLedger)?,
        })
    }
}

/// Whom an entry names, as the ledger keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LedgerSubject {
    /// What it is.
    #[serde(rename = "type")]
    pub subject_type: SubjectType,
    /// Its keyed HMAC.
    pub hmac: SubjectHmac,
}

/// What is to be entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// What happened.
    pub kind: OutcomeKind,
    /// To whom.
    pub subject: LedgerSubject,
    /// When.
    pub occurred_at: Timestamp,
    /// Where it was learned.
    pub source: String,
}

/// An entry: what happened, and the hash of all that the ledger says up to here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// Its position in the ledger, from 1.
    pub sequence: u64,
    pub project_id: ProjectId,
    /// What its messages are for.
    pub environment: Environment,
    /// What happened.
    pub kind: OutcomeKind,
    /// To whom.
    pub subject: LedgerSubject,
    /// When, in milliseconds.
    pub occurred_at: Timestamp,
    /// Where it was learned.
    pub source: String,
    /// When it was entered, in milliseconds.
    pub recorded_at: Timestamp,
    /// Hash of the entry before.
    pub prev_hash: Digest,
    /// Hash of this entry; `None` only while it is computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
}

/// The previous hash of a ledger's first entry.
#[must_use]
pub fn genesis(ledger: LedgerOf) -> Digest {
    Digest::of(format!("outcome ledger {ledger}").as_bytes())
}

/// The hash of an entry: covers every field but the hash itself.
///
/// # Errors
/// Never for an entry that was read or sealed; serializing to JSON can fail in general.
pub fn hash_of(entry: &LedgerEntry) -> Result<Digest, NotCanonical> {
    let unsealed = LedgerEntry {
        hash: None,
        ..entry.clone()
    };
    canonical_digest(&unsealed).map_err(|e| NotCanonical::new("ledger entry", &e))
}

/// Builds the entry at its position in the ledger, including its hash.
///
/// # Errors
/// Never; serializing to JSON can fail in general.
pub fn seal(
    ledger: LedgerOf,
    new: NewEntry,
    sequence: u64,
    prev_hash: Digest,
    now: Timestamp,
) -> Result<(LedgerEntry, Digest), NotCanonical> {
    // The hash covers the instants' texts, which have milliseconds, so the stored instants have them too.
    let in_millis = |at: Timestamp| Timestamp::from_millis(at.millis());
    let mut entry = LedgerEntry {
        sequence,
        project_id: ledger.project,
        environment: ledger.environment,
        kind: new.kind,
        subject: new.subject,
        occurred_at: in_millis(new.occurred_at),
        source: new.source,
        recorded_at: in_millis(now),
        prev_hash,
        hash: None,
    };
    let hash = hash_of(&entry)?;
    entry.hash = Some(hash);
    Ok((entry, hash))
}

/// The first place at which a ledger does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LedgerBreach {
    /// Position of the entry.
    pub sequence: u64,
    /// What is wrong there.
    pub fault: String,
}

/// Checks one ledger, entry by entry.
pub struct Walk {
    ledger: LedgerOf,
    sequence: u64,
    hash: Digest,
}

impl Walk {
    /// Starts before the first entry.
    #[must_use]
    pub fn new(ledger: LedgerOf) -> Self {
        Self {
            ledger,
            sequence: 0,
            hash: genesis(ledger),
        }
    }

    /// Position of the last valid entry.
    #[must_use]
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Checks the next entry.
    ///
    /// # Errors
    /// The first fault found in the entry.
    pub fn step(&mut self, entry: &LedgerEntry) -> Result<(), LedgerBreach> {
        let sequence = self.sequence + 1;
        let breach = |fault: &str| {
            Err(LedgerBreach {
                sequence,
                fault: fault.to_owned(),
            })
        };
        if entry.sequence != sequence {
            return breach("the entry is missing");
        }
        if (entry.project_id, entry.environment) != (self.ledger.project, self.ledger.environment) {
            return breach("the entry is another ledger's");
        }
        if entry.prev_hash != self.hash {
            return breach("the previous hash is not that of the entry before");
        }
        // Microseconds are not part of the hashed text.
        let instants = [entry.occurred_at, entry.recorded_at];
        if instants.iter().any(|at| at.micros() % 1000 != 0) {
            return breach("a time was changed");
        }
        let right = hash_of(entry).ok().filter(|h| Some(*h) == entry.hash);
        let Some(hash) = right else {
            return breach("the hash does not fit the entry");
        };
        (self.sequence, self.hash) = (sequence, hash);
        Ok(())
    }

    /// Checks the end: the head, which is stored apart from the entries, is the last entry's.
    ///
    /// # Errors
    /// The fault found at the end.
    pub fn end(&self, head: Option<(u64, Digest)>) -> Result<(), LedgerBreach> {
        let breach = |sequence: u64, fault: &str| {
            Err(LedgerBreach {
                sequence,
                fault: fault.to_owned(),
            })
        };
        match head {
            None if self.sequence == 0 => Ok(()),
            None => breach(self.sequence, "the ledger's head is missing"),
            Some((head, _)) if head > self.sequence => breach(
                self.sequence + 1,
                "the entry is missing: the head lies behind it",
            ),
            Some((head, _)) if head < self.sequence => {
                breach(head + 1, "the entry lies behind the ledger's head")
            }
            Some((_, hash)) if hash != self.hash => {
                breach(self.sequence, "the ledger's head has another hash")
            }
            Some(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::canonical_json;

    fn ledger() -> LedgerOf {
        LedgerOf {
            project: ProjectId::from_uuid(Uuid::from_u128(7)),
            environment: Environment::Production,
        }
    }

    fn new_entry() -> impl Strategy<Value = NewEntry> {
        let parts = (
            prop::sample::select(OutcomeKind::ALL.to_vec()),
            prop::sample::select(SubjectType::ALL.to_vec()),
            any::<[u8; 32]>(),
            0i64..2_000_000_000_000_000,
            "\\PC{0,20}",
        );
        parts.prop_map(|(kind, subject_type, hmac, micros, source)| NewEntry {
            kind,
            subject: LedgerSubject {
                subject_type,
                hmac: SubjectHmac::from_bytes(hmac),
            },
            occurred_at: Timestamp::from_micros(micros),
            source,
        })
    }

    fn chained(news: Vec<NewEntry>, micros: i64) -> Vec<LedgerEntry> {
        let mut prev = genesis(ledger());
        let mut entries = Vec::new();
        for (n, new) in (1..).zip(news) {
            let now = Timestamp::from_micros(micros);
            let (entry, hash) = seal(ledger(), new, n, prev, now).unwrap();
            entries.push(entry);
            prev = hash;
        }
        entries
    }

    fn walked(entries: &[LedgerEntry]) -> Result<Walk, LedgerBreach> {
        let mut walk = Walk::new(ledger());
        entries.iter().try_for_each(|entry| walk.step(entry))?;
        Ok(walk)
    }

    /// Changes one field, chosen by `n`; the stored hash stays.
    fn changed(entry: &LedgerEntry, n: usize) -> LedgerEntry {
        let mut e = entry.clone();
        let other = Digest::of(b"other");
        match n {
            0 => e.sequence += 1,
            1 => e.project_id = ProjectId::from_uuid(Uuid::from_u128(8)),
            2 => e.environment = Environment::Staging,
            3 => {
                let kinds = OutcomeKind::ALL.into_iter();
                e.kind = kinds
                    .cycle()
                    .skip_while(|k| *k != entry.kind)
                    .nth(1)
                    .unwrap();
            }
            4 => {
                let types = SubjectType::ALL.into_iter().cycle();
                let at = entry.subject.subject_type;
                e.subject.subject_type = types.skip_while(|t| *t != at).nth(1).unwrap();
            }
            5 => e.subject.hmac = SubjectHmac::from_bytes(*other.as_bytes()),
            6 => e.occurred_at = Timestamp::from_micros(e.occurred_at.micros() + 1),
            7 => e.occurred_at = Timestamp::from_micros(e.occurred_at.micros() + 1000),
            8 => e.source.push('x'),
            9 => e.recorded_at = Timestamp::from_micros(e.recorded_at.micros() + 1),
            10 => e.recorded_at = Timestamp::from_micros(e.recorded_at.micros() + 1000),
            11 => e.prev_hash = other,
            12 => e.hash = Some(other),
            _ => e.hash = None,
        }
        e
    }

    proptest! {
        #[test]
        fn a_ledger_holds_and_no_field_of_it_can_change(
            news in proptest::collection::vec(new_entry(), 1..6),
            micros in 0i64..2_000_000_000_000_000,
            at: prop::sample::Index,
            field in 0usize..14,
        ) {
            let entries = chained(news, micros);
            let walk = walked(&entries).map_err(|breach| TestCaseError::fail(breach.fault))?;
            let last = entries.len() as u64;
            let head = entries.last().and_then(|entry| entry.hash).unwrap();
            prop_assert_eq!(walk.end(Some((last, head))), Ok(()));
            prop_assert!(walk.end(None).is_err());
            prop_assert!(walk.end(Some((last + 1, head))).is_err());
            prop_assert!(walk.end(Some((last - 1, head))).is_err());
            prop_assert!(walk.end(Some((last, Digest::of(b"other")))).is_err());
            let place = at.index(entries.len());
            let mut tampered = entries.clone();
            tampered[place] = changed(&tampered[place], field);
            let breach = walked(&tampered).err().unwrap();
            prop_assert_eq!(breach.sequence, place as u64 + 1, "the breach is told where it is");
        }

        #[test]
        fn a_ledger_of_another_order_or_with_a_gap_does_not_hold(
            news in proptest::collection::vec(new_entry(), 2..6),
            at: prop::sample::Index,
        ) {
            let entries = chained(news, 0);
            let place = at.index(entries.len() - 1);
            let mut swapped = entries.clone();
            swapped.swap(place, place + 1);
            prop_assert!(walked(&swapped).is_err());
            let mut cut = entries.clone();
            cut.remove(place);
            prop_assert_eq!(walked(&cut).err().unwrap().sequence, place as u64 + 1);
        }

        /// A printed entry contains everything that the hash covers.
        #[test]
        fn the_text_of_an_entry_gives_its_hash(new in new_entry()) {
            let entry = chained(vec![new], 0).remove(0);
            let mut value: serde_json::Value =
                serde_json::from_str(&serde_json::to_string(&entry).unwrap()).unwrap();
            let hash = value.as_object_mut().unwrap().remove("hash").unwrap();
            let again = Digest::of(&canonical_json(&value).unwrap());
            prop_assert_eq!(hash.as_str().unwrap(), again.to_string());
        }
    }

    #[test]
    fn two_ledgers_begin_differently() {
        let staging = LedgerOf {
            environment: Environment::Staging,
            ..ledger()
        };
        assert_ne!(genesis(ledger()), genesis(staging));
    }
}
