//! Authentication: from a presented key to the tenant that it acts for.

use std::net::IpAddr;
use std::sync::Arc;

use gtm_domain::{ApiKeySecret, CidrList, KeyRecordId, Timestamp};

use super::{Store, on_database};
use crate::access::Access;
use crate::columns::instant;
use crate::error::{AuthError, StoreError};
use crate::scope::{CallerTerms, ProjectScope};

impl Store {
    /// Checks a key presented from the address `from`. A correct key, a wrong secret and an unknown id take
    /// equally long. A key with address ranges is refused if the address is unknown.
    ///
    /// # Errors
    /// Why the key is refused. Only a caller with the correct secret learns that the key has expired, that
    /// it may not be used from this address, or that its project is archived.
    pub async fn authenticate(
        &self,
        presented: &ApiKeySecret,
        from: Option<IpAddr>,
    ) -> Result<ProjectScope, AuthError> {
        let public_id = presented.id().as_str().to_owned();
        let (inner, now) = (Arc::clone(&self.inner), self.now());
        // Converted to one type here, because the row type differs between the engines.
        let found = on_database!(self, read, Access::All, |c, repo| {
            let found = repo::keys::credential(c, &public_id).await?;
            Ok(found.map(|k| Found {
                terms: k.terms(&inner.tiers, now),
                scope: ProjectScope {
                    project: k.project_id.0,
                    organization: k.organization_id.0,
                    key: k.id.0,
                    permissions: k.permissions.0,
                    origin: None,
                    terms: None,
                },
                pepper_id: k.pepper_id,
                mac: k.mac,
                allowed_cidrs: k.allowed_cidrs.0,
                expires_at: instant(k.expires_at),
                revoked: k.revoked_at.is_some(),
                archived: k.archived_at.is_some(),
            }))
        })?;
        let stored = found
            .as_ref()
            .map(|f| (f.pepper_id.as_str(), f.mac.as_slice()));
        let right = self.inner.keys.verify(presented, stored)?;
        let Some(found) = found.filter(|f| right && !f.revoked) else {
            return Err(AuthError::Invalid);
        };
        if found.expires_at.is_some_and(|at| at <= now) {
            return Err(AuthError::Expired);
        }
        self.note_key_use(found.scope.key, now);
        let allowed = found.allowed_cidrs.is_empty()
            || from.is_some_and(|address| found.allowed_cidrs.contains(address));
        if !allowed {
            return Err(AuthError::AddressNotAllowed {
                key: found.scope.key,
                project: found.scope.project,
                rate_limit_per_minute: found.terms.rate_limit_per_minute(),
            });
        }
        if found.archived {
            return Err(AuthError::ProjectArchived {
                key: found.scope.key,
                project: found.scope.project,
                rate_limit_per_minute: found.terms.rate_limit_per_minute(),
            });
        }
        Ok(ProjectScope {
            terms: Some(Arc::new(found.terms)),
            ..found.scope
        })
    }

    fn note_key_use(&self, key: KeyRecordId, now: Timestamp) {
        let Some(uses) = self.inner.key_use.note(key, now) else {
            return;
        };
        let store = self.clone();
        tokio::spawn(async move {
            if let Err(error) = store.write_key_uses(uses).await {
                tracing::warn!(%error, "noting when keys were last used");
            }
        });
    }

    pub(super) async fn write_key_uses(
        &self,
        uses: Vec<(KeyRecordId, Timestamp)>,
    ) -> Result<(), StoreError> {
        if uses.is_empty() {
            return Ok(());
        }
        on_database!(self, write, Access::All, |c, repo| repo::keys::touch(
            c, &uses
        )
        .await)
    }
}

struct Found {
    scope: ProjectScope,
    terms: CallerTerms,
    pepper_id: String,
    mac: Vec<u8>,
    allowed_cidrs: CidrList,
    expires_at: Option<Timestamp>,
    revoked: bool,
    archived: bool,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use gtm_domain::Permissions;
    use gtm_domain::clock::ManualClock;
    use sqlx::Connection as _;

    use super::*;
    use crate::config::StoreConfig;
    use crate::secrets::API_KEY_MACS;
    use crate::secrets::KeyRing;

    /// Whatever is presented costs one query and one MAC, so that the response time reveals nothing.
    #[tokio::test]
    async fn every_well_formed_key_costs_one_mac() {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_700_000_000_000)));
        let keys = KeyRing::from_dir(dir.path()).unwrap();
        let config = StoreConfig::in_data_dir(dir.path());
        let store = Store::connect(&config, keys, clock).await.unwrap();
        let operator = store.operator();
        let organization = operator.create_organization("Acme").await.unwrap().id;
        let project = operator.create_project(organization, "main").await.unwrap();
        let full = Permissions::parse("full").unwrap();
        let make = |name: &'static str| operator.create_key(project.id, name, full.clone(), None);
        let (_, right) = make("right").await.unwrap();
        let (record, revoked) = make("revoked").await.unwrap();
        operator.revoke_key(record.id).await.unwrap();
        let unknown = ApiKeySecret::from_entropy(&[1; 9], &[2; 32]);
        // A key with the id of a stored key and another secret.
        let wrong = ApiKeySecret::from_entropy(&[3; 9], &[4; 32]);
        let (record, _) = make("of a known id").await.unwrap();
        let mut database = sqlx::SqliteConnection::connect(&config.database_url)
            .await
            .unwrap();
        let moved = sqlx::query("UPDATE api_keys SET public_id = $2 WHERE id = $1")
            .bind(crate::columns::Text(record.id))
            .bind(wrong.id().as_str().to_owned())
            .execute(&mut database)
            .await;
        assert_eq!(moved.unwrap().rows_affected(), 1);
        for (what, key, accepted) in [
            ("right", &right, true),
            ("revoked", &revoked, false),
            ("unknown", &unknown, false),
            ("wrong secret", &wrong, false),
        ] {
            let before = API_KEY_MACS.get();
            assert_eq!(
                store.authenticate(key, None).await.is_ok(),
                accepted,
                "{what}"
            );
            assert_eq!(API_KEY_MACS.get() - before, 1, "{what}");
        }
    }
}
