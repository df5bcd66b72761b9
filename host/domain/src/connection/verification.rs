//! What is known about a connection beyond its row: the last check of its credentials, and whether its
//! secrets decrypt. The engine derives the public status from this.

use serde::Serialize;
use serde_json::json;

use super::Connection;
use crate::canonical::NotCanonical;
use crate::{Digest, Timestamp, canonical_digest};

/// How credentials were checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationMethod {
    /// By their form, without a request.
    Format,
    /// By a request to the provider.
    LiveProbe,
}

impl VerificationMethod {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::LiveProbe => "live_probe",
        }
    }
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Format, Self::LiveProbe]
            .into_iter()
            .find(|m| m.as_str() == text)
    }
}

/// Verdict of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerificationResult {
    /// No verdict yet: a check ran, but its answer decides nothing.
    Pending,
    /// The credentials are good.
    Verified,
    /// The credentials are bad.
    Failed,
}

impl VerificationResult {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Verified => "verified",
            Self::Failed => "failed",
        }
    }
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Pending, Self::Verified, Self::Failed]
            .into_iter()
            .find(|r| r.as_str() == text)
    }
}

/// A check that is about to be recorded.
#[derive(Debug, Clone)]
pub struct NewVerification {
    /// The connection as it was when checked.
    pub checked: Connection,
    pub method: VerificationMethod,
    pub result: VerificationResult,
    /// Whether a request was sent.
    pub network_request_made: bool,
    /// One sentence for the operator. Must never contain a secret.
    pub detail: Option<String>,
}

impl NewVerification {
    /// The record to keep after this check of `subject`, given the last check `before` it, and whether that
    /// record is this check: a check without a verdict does not replace an earlier verdict on the same
    /// credentials.
    #[must_use]
    pub fn recorded(
        &self,
        before: Option<VerificationRecord>,
        subject: Digest,
        now: Timestamp,
    ) -> (VerificationRecord, bool) {
        let before = before.filter(|record| record.subject == subject);
        if self.result == VerificationResult::Pending
            && let Some(verdict) = &before
            && verdict.result != VerificationResult::Pending
        {
            return (verdict.clone(), false);
        }
        let was_taken = before
            .is_some_and(|record| record.result == VerificationResult::Verified || record.revoked);
        let record = VerificationRecord {
            method: self.method,
            result: self.result,
            network_request_made: self.network_request_made,
            revoked: was_taken && self.result == VerificationResult::Failed,
            detail: self.detail.clone(),
            subject,
            at: now,
        };
        (record, true)
    }
}

/// The last check of a connection's credentials.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VerificationRecord {
    pub method: VerificationMethod,
    pub result: VerificationResult,
    /// Whether a request was sent.
    pub network_request_made: bool,
    /// Whether the provider accepted exactly these credentials before.
    pub revoked: bool,
    /// One sentence for the operator.
    pub detail: Option<String>,
    /// Digest of what was checked.
    pub subject: Digest,
    pub at: Timestamp,
}

/// A connection with what is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectionState {
    pub connection: Connection,
    /// The last check, if there was one.
    pub verification: Option<VerificationRecord>,
    /// Whether that check covered the connection's present credentials, settings and manifest.
    pub verification_is_current: bool,
    /// Whether the key ring decrypts all of its secrets.
    pub secrets_open: bool,
}

impl Connection {
    /// Digest of everything that a check of the credentials depends on.
    ///
    /// # Errors
    /// If the settings have no canonical form.
    pub fn verification_subject(&self) -> Result<Digest, NotCanonical> {
        canonical_digest(&json!({
            "credentials_version": self.credentials_version,
            "manifest_version": self.manifest_version,
            "settings": self.settings,
        }))
        .map_err(|e| NotCanonical::new(format!("settings of connection {}", self.id), &e))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::connection::ConnectionStatus;
    use crate::{ConnectionId, OrganizationId, ProjectId};

    const NOW: Timestamp = Timestamp::from_micros(7);

    fn check(result: VerificationResult) -> NewVerification {
        NewVerification {
            checked: Connection {
                id: ConnectionId::from_uuid(Uuid::from_u128(1)),
                project: ProjectId::from_uuid(Uuid::from_u128(2)),
                organization: OrganizationId::from_uuid(Uuid::from_u128(3)),
                provider_key: "provider".to_owned(),
                manifest_version: "1.0.0".to_owned(),
                name: "name".to_owned(),
                status: ConnectionStatus::Configured,
                settings: json!({}),
                configured_fields: Vec::new(),
                credentials_version: 1,
                created_at: NOW,
                updated_at: NOW,
            },
            method: VerificationMethod::LiveProbe,
            result,
            network_request_made: true,
            detail: None,
        }
    }

    #[test]
    fn credentials_that_were_taken_and_are_not_any_more_are_revoked() {
        let subject = Digest::of(b"these");
        let (bad, _) = check(VerificationResult::Failed).recorded(None, subject, NOW);
        assert!(!bad.revoked);
        let (good, _) = check(VerificationResult::Verified).recorded(Some(bad), subject, NOW);
        let failed = check(VerificationResult::Failed);
        let (gone, written) = failed.recorded(Some(good.clone()), subject, NOW);
        assert!(gone.revoked && written);
        let (still, _) = failed.recorded(Some(gone), subject, NOW);
        assert!(still.revoked);
        // Other credentials were never accepted.
        let (other, _) = failed.recorded(Some(good), Digest::of(b"others"), NOW);
        assert!(!other.revoked);
    }

    #[test]
    fn a_check_that_decides_nothing_leaves_a_verdict_alone() {
        let subject = Digest::of(b"these");
        let (good, _) = check(VerificationResult::Verified).recorded(None, subject, NOW);
        let pending = check(VerificationResult::Pending);
        assert_eq!(
            pending.recorded(Some(good.clone()), subject, NOW),
            (good.clone(), false)
        );
        let (other, written) = pending.recorded(Some(good), Digest::of(b"others"), NOW);
        assert_eq!((other.result, written), (VerificationResult::Pending, true));
    }
}
