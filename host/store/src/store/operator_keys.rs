//! The operator's side of API keys: issuing, rotating and restricting them. Showing and revoking are in
//! `operator`.

use std::time::Duration;

use gtm_domain::audit::AuditAction;
use gtm_domain::key_record::{KeyRecord, KeyRotation, KeyTerms};
use gtm_domain::{ApiKeySecret, CidrList, KeyRecordId, ProjectId, Timestamp};
use zeroize::Zeroizing;

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;
use crate::identity::random_bytes;
use crate::new_key::NewKey;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Creates a key. The secret is returned once and never stored. [`StoreError::Absent`] or
    /// [`StoreError::Conflict`] if the project does not exist or is archived.
    pub async fn issue_key(
        &self,
        project: ProjectId,
        terms: KeyTerms,
    ) -> Result<(KeyRecord, ApiKeySecret), StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let (drawn, secret) = self.draw_key()?;
        let record = on_database!(self.0, write, Access::All, |c, repo| {
            let owner = repo::tenants::active_project(c, project).await?;
            let record = repo::keys::insert(c, drawn.into_key(project, terms, None, now)).await?;
            let organization = Some(owner.organization);
            let event = operator.event(
                AuditAction::ApiKeyCreated,
                record.id,
                organization,
                Some(project),
            );
            repo::audit::append(c, &event.after(&record)?, now).await?;
            Ok(record)
        })?;
        Ok((record, secret))
    }

    /// Replaces a key by a new one for the same project with the same name, permissions, address ranges and
    /// limits, including its own monthly budget and quota. If no expiry is given, the new key gets the
    /// lifetime that the old one was created with. Both are accepted for `overlap`, and each counts for
    /// itself; after that the old key has expired, or earlier if it was to expire earlier. The new secret
    /// is returned once and never stored. [`StoreError::Absent`] if the key does not exist,
    /// [`StoreError::Conflict`] if it is revoked or has expired, or if its project is archived.
    pub async fn rotate_key(
        &self,
        id: KeyRecordId,
        overlap: Duration,
        expires_at: Option<Timestamp>,
    ) -> Result<(KeyRotation, ApiKeySecret), StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let (drawn, secret) = self.draw_key()?;
        let rotation = on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::keys::get_for_update(c, id).await?;
            let terms = before
                .successor_terms(expires_at, now)
                .map_err(StoreError::conflict)?;
            let owner = repo::tenants::active_project(c, before.project).await?;
            let new = drawn.into_key(before.project, terms, Some(id), now);
            let new = repo::keys::insert(c, new).await?;
            repo::limits::hand_on(c, id, new.id, now).await?;
            let old = repo::keys::end_by(c, id, now.plus(overlap)).await?;
            let (organization, project) = (Some(owner.organization), Some(owner.id));
            let made = operator.event(AuditAction::ApiKeyCreated, new.id, organization, project);
            let ended = operator.event(AuditAction::ApiKeyRotated, old.id, organization, project);
            let events = [made.after(&new)?, ended.before(&before)?.after(&old)?];
            repo::audit::append_all(c, &events, now).await?;
            Ok(KeyRotation { old, new })
        })?;
        Ok((rotation, secret))
    }

    /// Sets the addresses from which a key may be used; any if `ranges` is empty. Takes effect with the
    /// next request. [`StoreError::Absent`] if the key does not exist, [`StoreError::Conflict`] if it is
    /// revoked or has expired.
    pub async fn set_key_addresses(
        &self,
        id: KeyRecordId,
        ranges: CidrList,
    ) -> Result<KeyRecord, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::keys::get_for_update(c, id).await?;
            before.changeable(now).map_err(StoreError::conflict)?;
            if before.allowed_cidrs == ranges {
                return Ok(before);
            }
            let after = repo::keys::set_allowed_cidrs(c, id, ranges).await?;
            let owner = repo::tenants::existing_project(c, after.project).await?;
            let organization = Some(owner.organization);
            let event = operator.event(
                AuditAction::ApiKeyUpdated,
                id,
                organization,
                Some(after.project),
            );
            repo::audit::append(c, &event.before(&before)?.after(&after)?, now).await?;
            Ok(after)
        })
    }

    fn draw_key(&self) -> Result<(DrawnKey, ApiKeySecret), StoreError> {
        let entropy = Zeroizing::new(random_bytes::<32>());
        let secret = ApiKeySecret::from_entropy(&random_bytes(), &entropy);
        let (pepper_id, mac) = self.0.inner.keys.mac(&secret)?;
        let drawn = DrawnKey {
            id: KeyRecordId::from_uuid(self.0.new_uuid()),
            public_id: secret.id().as_str().to_owned(),
            last4: secret.last4().to_owned(),
            pepper_id,
            mac,
        };
        Ok((drawn, secret))
    }
}

/// The random parts of a new key.
struct DrawnKey {
    id: KeyRecordId,
    public_id: String,
    last4: String,
    pepper_id: String,
    mac: Vec<u8>,
}

impl DrawnKey {
    fn into_key(
        self,
        project: ProjectId,
        terms: KeyTerms,
        rotates_from: Option<KeyRecordId>,
        now: Timestamp,
    ) -> NewKey {
        let record = KeyRecord {
            id: self.id,
            public_id: self.public_id,
            last4: self.last4,
            project,
            name: terms.name,
            permissions: terms.permissions,
            created_at: now,
            expires_at: terms.expires_at,
            revoked_at: None,
            last_used_at: None,
            requests_per_minute: terms.requests_per_minute,
            allowed_cidrs: terms.allowed_cidrs,
            rotates_from,
        };
        NewKey {
            record,
            pepper_id: self.pepper_id,
            mac: self.mac,
        }
    }
}
