//! From a presented key to the tenant it acts for.

use gtm_domain::{ApiKeySecret, KeyRecordId, Timestamp};

use super::{Store, on_engine};
use crate::access::Access;
use crate::columns::instant;
use crate::error::{AuthError, StoreError};
use crate::scope::ProjectScope;

impl Store {
    /// Check a presented key. A right key, a wrong secret and an unknown id cost the same.
    ///
    /// # Errors
    /// Why the key is not accepted. That it expired, or that its project is archived, is told only to
    /// who has the right secret.
    pub async fn authenticate(&self, presented: &ApiKeySecret) -> Result<ProjectScope, AuthError> {
        let public_id = presented.id().as_str().to_owned();
        // Bound to one type, because the row is another one for each engine.
        let found = on_engine!(self, read, Access::All, |c, repo| {
            let found = repo::keys::credential(c, &public_id).await?;
            Ok(found.map(|k| Found {
                scope: ProjectScope {
                    project: k.project_id.0,
                    organization: k.organization_id.0,
                    key: k.id.0,
                    permissions: k.permissions.0,
                },
                pepper_id: k.pepper_id,
                mac: k.mac,
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
        let now = self.now();
        if found.expires_at.is_some_and(|at| at <= now) {
            return Err(AuthError::Expired);
        }
        if found.archived {
            return Err(AuthError::ProjectArchived);
        }
        self.note_key_use(found.scope.key, now);
        Ok(found.scope)
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
        on_engine!(self, write, Access::All, |c, repo| repo::keys::touch(
            c, &uses
        )
        .await)
    }
}

struct Found {
    scope: ProjectScope,
    pepper_id: String,
    mac: Vec<u8>,
    expires_at: Option<Timestamp>,
    revoked: bool,
    archived: bool,
}
