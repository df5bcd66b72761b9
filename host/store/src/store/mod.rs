//! [`Store`]: one handle over both engines. Its functions are grouped by caller: `tenant`, `worker` and
//! `operator`.

mod audit;
mod authentication;
mod brands;
mod connection_states;
mod cursors;
mod database;
mod document_templates;
mod dossiers;
mod key_use;
mod message_templates;
mod offers;
pub(crate) mod operator;
mod operator_backlog;
mod operator_brands;
mod operator_capabilities;
mod operator_document_templates;
mod operator_erasure;
mod operator_jobs;
mod operator_keys;
mod operator_money;
mod operator_offers;
mod operator_plugins;
mod operator_policies;
mod operator_prospecting;
mod operator_suppression;
mod prospecting;
mod reconciliation;
mod retention;
pub(crate) mod start_urls;
mod suppression;
mod suppression_checks;
mod tenant;
mod usage;
mod worker;

use std::sync::Arc;

use aws_lc_rs::hmac;
use gtm_domain::audit::{AuditAction, AuditActor, AuditEvent};
use gtm_domain::money::LedgerReport;
use gtm_domain::{Clock, TierTable, Timestamp};
use tokio::sync::Notify;
use uuid::Uuid;

use crate::access::Access;
use crate::blobs::Blobs;
use crate::config::StoreConfig;
use crate::error::StoreError;
use crate::identity::{random_bytes, uuid_v7};
use crate::secrets::KeyRing;
use database::{Database, on_database};
use key_use::KeyUse;
use operator::Operator;

/// A handle on the database and the blobs. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    database: Database,
    blobs: Blobs,
    keys: KeyRing,
    /// Keys the database's own digests; it is stored in the database, sealed under the master key.
    secret: hmac::Key,
    clock: Arc<dyn Clock>,
    tiers: TierTable,
    key_use: KeyUse,
    wake: Arc<Notify>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let database = match self.inner.database {
            Database::Sqlite(_) => "sqlite",
            Database::Postgres(_) => "postgres",
        };
        f.debug_tuple("Store").field(&database).finish()
    }
}

impl Store {
    /// Opens the database (created if absent on SQLite), brings its schema up to date and checks the key
    /// ring against it.
    ///
    /// # Errors
    /// [`StoreError::DatabaseTooNew`], [`StoreError::WrongMasterKey`], [`StoreError::WrongPepper`],
    /// [`StoreError::KeyRingLost`], [`StoreError::Unreachable`] within five seconds, or another failure of
    /// engine or disk.
    pub async fn connect(
        config: &StoreConfig,
        keys: KeyRing,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, StoreError> {
        let wake = Arc::new(Notify::new());
        let database = Database::open(config, wake.clone()).await?;
        let opened = match Blobs::open(&config.blob_dir) {
            Ok(blobs) => ring_and_secret(&database, keys, clock.now())
                .await
                .map(|(keys, secret)| (blobs, keys, secret)),
            Err(error) => Err(error),
        };
        match opened {
            Ok((blobs, keys, secret)) => {
                let inner = Inner {
                    database,
                    blobs,
                    keys,
                    secret,
                    clock,
                    tiers: config.tiers.clone(),
                    key_use: KeyUse::default(),
                    wake,
                };
                Ok(Self {
                    inner: Arc::new(inner),
                })
            }
            Err(error) => {
                database.close().await;
                Err(error)
            }
        }
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// The engine's failure if it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        on_database!(self, read, Access::All, |c, repo| {
            repo::key_ring_checks::list(c).await
        })
        .map(drop)
    }

    /// Writes pending data and closes all connections. The handle is useless afterwards.
    pub async fn close(&self) {
        let uses = self.inner.key_use.take();
        if let Err(error) = self.write_key_uses(uses).await {
            tracing::warn!(%error, "noting when keys were last used");
        }
        self.inner.database.close().await;
    }

    /// The operator's side under the default name: the audit log records `local`.
    #[must_use]
    pub fn operator(&self) -> Operator {
        self.operator_named("local")
    }

    /// The operator's side for this person or program; the audit log records the name.
    #[must_use]
    pub fn operator_named(&self, name: &str) -> Operator {
        let actor = AuditActor {
            kind: "operator",
            id: name.to_owned(),
        };
        Operator(self.clone(), actor)
    }

    /// Checks the whole ledger in one snapshot.
    ///
    /// # Errors
    /// If the database cannot be read. An unsound ledger is part of the report, not an error.
    pub async fn verify_ledger(&self) -> Result<LedgerReport, StoreError> {
        on_database!(self, report, Access::All, |c, repo| repo::ledger::verify(c)
            .await)
    }

    #[must_use]
    pub fn tiers(&self) -> &TierTable {
        &self.inner.tiers
    }

    fn database(&self) -> &Database {
        &self.inner.database
    }
    /// Tells workers, here and on other nodes, that a job waits to be claimed.
    fn job_waits(&self) {
        self.inner.wake.notify_one();
        self.inner.database.announce_job();
    }
    fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }
    fn new_uuid(&self) -> Uuid {
        uuid_v7(self.now())
    }
}

/// The key ring that belongs to the database, and the database's secret. A new ring is written only for a
/// database that has none, and nothing else is written before the ring is known to match.
async fn ring_and_secret(
    database: &Database,
    keys: KeyRing,
    now: Timestamp,
) -> Result<(KeyRing, hmac::Key), StoreError> {
    let known = on_database!(database, read, Access::All, |c, repo| {
        repo::key_ring_checks::list(c).await
    })?;
    let keys = keys.on_disk(!known.is_empty())?;
    let secret = check_keys(database, &keys, now).await?;
    on_database!(database, write, Access::All, |c, repo| {
        repo::plugins::complete(c).await?;
        repo::audit::begin_chains(c, now).await
    })?;
    database.begin_serving().await?;
    Ok((keys, secret))
}

/// Checks the key ring against the database and returns the database's secret; creates it on first use.
async fn check_keys(
    database: &Database,
    keys: &KeyRing,
    now: Timestamp,
) -> Result<hmac::Key, StoreError> {
    let mut checks = Vec::new();
    for check in [
        keys.master_check(&random_bytes::<32>())?,
        keys.pepper_check()?,
    ] {
        checks = on_database!(database, write, Access::All, |c, repo| {
            repo::key_ring_checks::insert_if_none_of_kind(c, &check, now).await
        })?;
    }
    let secret = keys
        .database_secret(&checks)
        .ok_or(StoreError::WrongMasterKey)?;
    if !keys.knows_pepper(&checks) {
        return Err(StoreError::WrongPepper);
    }
    // After a rotation, the old keys beside the new current ones prove that the new ones belong here too.
    for check in [keys.master_check(&secret)?, keys.pepper_check()?] {
        if checks.iter().all(|known| known.key_id != check.key_id) {
            let system = AuditActor::system("startup");
            let event = AuditEvent::new(
                &system,
                AuditAction::KeyRingRotated,
                &check.key_id,
                None,
                None,
            );
            on_database!(database, write, Access::All, |c, repo| {
                // Of two nodes that start at once, only one adds the key.
                if repo::key_ring_checks::insert(c, &check, now).await? {
                    repo::audit::append(c, &event, now).await?;
                }
                Ok(())
            })?;
        }
    }
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &secret))
}
