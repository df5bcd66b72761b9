//! What a worker does while commands run: a tenant's jobs in the store of an installation.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::clock::ManualClock;
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::{ApiKeySecret, JobId, JobType, MicroUsd, Timestamp, WorkerId};
use gtm_store::{ClaimedJob, KeyRing, NewJob, ProjectScope, Store, StoreConfig, uuid_v7};
use serde_json::json;
use sqlx::Connection as _;

use crate::process::{Gtm, text};

/// The time of everything that happens here.
pub const NOW: Timestamp = Timestamp::from_millis(1_795_000_000_000);

/// An open store, and a project of a postpaid organization in it.
pub struct WorkerSide {
    pub store: Store,
    pub organization: String,
    pub scope: ProjectScope,
}

impl WorkerSide {
    pub async fn open(gtm: &Gtm) -> Self {
        let organization = text(
            &gtm.json(&["org", "create", "--billing", "postpaid", "Acme"]),
            "id",
        );
        let project = text(
            &gtm.json(&["project", "create", "--org", &organization, "main"]),
            "id",
        );
        let key = gtm.json(&["key", "create", "--project", &project, "k"]);
        let store = open_store(gtm).await;
        let secret = ApiKeySecret::parse(&text(&key, "secret")).unwrap();
        let scope = store.authenticate(&secret, None).await.unwrap();
        Self {
            store,
            organization,
            scope,
        }
    }

    /// A job to create that may cost this much.
    pub fn job(&self, job_type: JobType, cost: MicroUsd) -> NewJob {
        NewJob {
            stages: None,
            external_ref: None,
            id: JobId::from_uuid(uuid_v7(NOW)),
            job_type,
            created_at: NOW,
            input: json!({}),
            pins: json!({}),
            seed: [0; 32],
            backend: None,
            expected_cost: cost,
            cost_cap: cost,
            response: StoredAnswer {
                head: String::new(),
                body: "{}".into(),
            },
        }
    }

    /// Claims the only queued job.
    pub async fn claim(&self) -> ClaimedJob {
        let worker = WorkerId::from_uuid(uuid_v7(NOW));
        let lease = Duration::from_secs(60);
        let claims = self.store.claim_jobs(worker, 1, 1, lease).await;
        claims.unwrap().jobs.remove(0)
    }
}

/// The store that the commands use.
pub async fn open_store(gtm: &Gtm) -> Store {
    let keys = KeyRing::from_dir(&gtm.data()).unwrap();
    let config = StoreConfig::in_data_dir(&gtm.data());
    let clock = Arc::new(ManualClock::at(NOW));
    Store::connect(&config, keys, clock).await.unwrap()
}

/// Runs SQL directly, without the commands or the store.
pub async fn raw(gtm: &Gtm, sql: &'static str) {
    let config = StoreConfig::in_data_dir(&gtm.data());
    let mut connection = sqlx::SqliteConnection::connect(&config.database_url)
        .await
        .unwrap();
    sqlx::query(sql).execute(&mut connection).await.unwrap();
}
