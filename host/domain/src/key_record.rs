//! API keys as stored: without their secrets.

use serde::Serialize;

use crate::{CidrList, KeyRecordId, Permissions, ProjectId, Timestamp};

/// An API key without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyRecord {
    pub id: KeyRecordId,
    /// The public part of the key's text.
    pub public_id: String,
    /// Last four characters of the secret, so that people recognize the key.
    pub last4: String,
    /// The project that it acts for.
    pub project: ProjectId,
    pub name: String,
    /// What it may do.
    pub permissions: Permissions,
    pub created_at: Timestamp,
    /// When it stops being accepted.
    pub expires_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, accurate to about a minute.
    pub last_used_at: Option<Timestamp>,
    /// Limit of requests in 60 seconds, where lower than the usage tier's.
    pub requests_per_minute: Option<u32>,
    /// Where it may be used from; empty means anywhere.
    pub allowed_cidrs: CidrList,
    /// The key that it replaces.
    pub rotates_from: Option<KeyRecordId>,
}

impl KeyRecord {
    /// Whether the key itself is accepted at `now`. Its project may still be archived.
    #[must_use]
    pub fn status(&self, now: Timestamp) -> KeyStatus {
        if self.revoked_at.is_some() {
            KeyStatus::Revoked
        } else if self.expires_at.is_some_and(|at| at <= now) {
            KeyStatus::Expired
        } else {
            KeyStatus::Active
        }
    }
}

/// Status of an API key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyStatus {
    /// Accepted.
    Active,
    /// Past its expiry.
    Expired,
    /// Revoked by an operator.
    Revoked,
}

impl KeyStatus {
    /// The text shown to people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// The settings of a new API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTerms {
    pub name: String,
    /// What it may do.
    pub permissions: Permissions,
    /// When it stops being accepted; `None` means never.
    pub expires_at: Option<Timestamp>,
    /// Limit of requests in 60 seconds, where lower than the usage tier's.
    pub requests_per_minute: Option<u32>,
    /// Where it may be used from; empty means anywhere.
    pub allowed_cidrs: CidrList,
}

/// A key and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRotation {
    /// The old key; it expires when the overlap ends.
    pub old: KeyRecord,
    pub new: KeyRecord,
}

/// A key that is no longer accepted cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyHasEnded {
    /// It cannot be replaced.
    #[error("key {key} is {} and cannot be replaced; make a new one", .status.as_str())]
    NotReplaced {
        /// The ended key.
        key: KeyRecordId,
        /// Why it ended.
        status: KeyStatus,
    },
    /// Its settings cannot be changed.
    #[error("key {key} is {} and cannot be changed", .status.as_str())]
    NotChanged {
        /// The ended key.
        key: KeyRecordId,
        /// Why it ended.
        status: KeyStatus,
    },
}

impl KeyRecord {
    /// The settings of a key that replaces this one. The new key lives until `expires_at`; without one, for
    /// as long as this key was made to live.
    ///
    /// # Errors
    /// If this key is no longer accepted.
    pub fn successor_terms(
        &self,
        expires_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<KeyTerms, KeyHasEnded> {
        let (key, status) = (self.id, self.status(now));
        if status != KeyStatus::Active {
            return Err(KeyHasEnded::NotReplaced { key, status });
        }
        let lifetime = self.expires_at.map(|end| end.since(self.created_at));
        Ok(KeyTerms {
            name: self.name.clone(),
            permissions: self.permissions.clone(),
            expires_at: expires_at.or_else(|| lifetime.map(|lifetime| now.plus(lifetime))),
            requests_per_minute: self.requests_per_minute,
            allowed_cidrs: self.allowed_cidrs.clone(),
        })
    }

    /// Whether its settings may be changed.
    ///
    /// # Errors
    /// If it is no longer accepted.
    pub fn changeable(&self, now: Timestamp) -> Result<(), KeyHasEnded> {
        let (key, status) = (self.id, self.status(now));
        if status == KeyStatus::Active {
            Ok(())
        } else {
            Err(KeyHasEnded::NotChanged { key, status })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;

    const MADE: Timestamp = Timestamp::from_micros(0);
    const DAY: Duration = Duration::from_secs(86_400);

    fn key(expires_at: Option<Timestamp>) -> KeyRecord {
        KeyRecord {
            id: KeyRecordId::from_uuid(Uuid::from_u128(1)),
            public_id: "public".to_owned(),
            last4: "last".to_owned(),
            project: ProjectId::from_uuid(Uuid::from_u128(2)),
            name: "key".to_owned(),
            permissions: Permissions::of(Vec::new()),
            created_at: MADE,
            expires_at,
            revoked_at: None,
            last_used_at: None,
            requests_per_minute: Some(5),
            allowed_cidrs: CidrList::default(),
            rotates_from: None,
        }
    }

    #[test]
    fn a_successor_lives_as_long_as_its_key_was_made_to() {
        let now = MADE.plus(DAY);
        let lifetime = DAY * 3;
        let key = key(Some(MADE.plus(lifetime)));
        let terms = key.successor_terms(None, now).map(|terms| terms.expires_at);
        assert_eq!(terms, Ok(Some(now.plus(lifetime))));
        let said = now.plus(DAY);
        let terms = key.successor_terms(Some(said), now);
        assert_eq!(terms.map(|terms| terms.expires_at), Ok(Some(said)));
    }

    #[test]
    fn a_key_that_has_ended_is_neither_replaced_nor_changed() {
        let expired = key(Some(MADE.plus(DAY)));
        let now = MADE.plus(DAY);
        assert_eq!(expired.status(now), KeyStatus::Expired);
        assert!(expired.successor_terms(None, now).is_err());
        assert!(expired.changeable(now).is_err());
        let revoked = KeyRecord {
            revoked_at: Some(MADE),
            ..key(None)
        };
        assert_eq!(
            revoked.changeable(MADE).map_err(|e| e.to_string()),
            Err(format!(
                "key {} is revoked and cannot be changed",
                revoked.id
            ))
        );
        assert_eq!(key(None).changeable(now), Ok(()));
    }
}
