//! A store with a clock that the test controls, and shortcuts to what tests need in it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use gtm_domain::clock::ManualClock;
use gtm_domain::idempotency::{IdempotencyClaim, StoredAnswer};
use gtm_domain::job::{CreateJob, Job};
use gtm_domain::money::MoneyPosition;
use gtm_domain::receipt::Receipt;
use gtm_domain::step::NewStep;
use gtm_domain::{
    ApiKeySecret, Clock, Digest, JobId, JobType, KeyRecordId, MicroUsd, Month, OrganizationId,
    Permissions, ProjectId, ReceiptId, Timestamp, TokenUsage, Usage, WorkerId,
};
use gtm_store::{
    ClaimedJob, KeyRing, Lease, NewJob, ProjectScope, Settlement, Store, StoreConfig, StoreError,
    uuid_v7,
};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor};
use tempfile::TempDir;

use crate::private_postgres::{self, TestDatabase};

pub const LEASE: Duration = Duration::from_secs(30);
/// Credit of an organization created by [`World::tenant`]: with the highest tier, enough for any test.
pub const CREDIT: i64 = 1_000_000_000_000;

pub struct World {
    pub store: Store,
    pub clock: Arc<ManualClock>,
    pub config: StoreConfig,
    pub dir: TempDir,
    _database: Option<TestDatabase>,
}

/// An organization with a project, a key, and the scope that the key authenticates as.
pub struct Tenant {
    pub organization: OrganizationId,
    pub project: ProjectId,
    pub key: KeyRecordId,
    pub secret: ApiKeySecret,
    pub scope: ProjectScope,
}

/// Migrates the database and does no more: what a store makes next is the folder for blobs, and here lies a file.
fn migrate(url: &str) {
    let dir = tempfile::tempdir().unwrap();
    let mut config = StoreConfig::in_data_dir(dir.path());
    config.database_url = url.to_owned();
    std::fs::write(&config.blob_dir, "").unwrap();
    let keys = KeyRing::from_dir(dir.path()).unwrap();
    // The test's own runtime must not block.
    let migrating = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(0)));
        runtime.block_on(Store::connect(&config, keys, clock))
    });
    assert!(migrating.join().unwrap().is_err());
}

impl World {
    pub async fn sqlite() -> Self {
        Self::open(None).await
    }

    pub async fn postgres(test: &str) -> Option<Self> {
        Some(Self::open(Some(private_postgres::migrated(test, migrate)?)).await)
    }

    async fn open(database: Option<TestDatabase>) -> Self {
        let dir = tempfile::Builder::new()
            .prefix("gtm-store-")
            .tempdir()
            .unwrap();
        let mut config = StoreConfig::in_data_dir(dir.path());
        if let Some(database) = &database {
            config.database_url = database.url().to_owned();
        }
        // Blobs carry the file system's times, so the clock starts at the time of the new directory.
        let now = std::fs::metadata(dir.path()).unwrap().modified().unwrap();
        let now = now.duration_since(std::time::UNIX_EPOCH).unwrap();
        let now = Timestamp::from_millis(i64::try_from(now.as_millis()).unwrap());
        let clock = Arc::new(ManualClock::at(now));
        let keys = KeyRing::from_dir(dir.path()).unwrap();
        let store = Store::connect(&config, keys, clock.clone()).await.unwrap();
        Self {
            store,
            clock,
            config,
            dir,
            _database: database,
        }
    }

    /// Closes the store and opens it again, as a restarted process would.
    pub async fn reopen(&mut self) {
        self.store.close().await;
        self.store = self.another_node().await;
    }

    /// A second handle on the same data, as another node would have.
    pub async fn another_node(&self) -> Store {
        let keys = KeyRing::from_dir(self.dir.path()).unwrap();
        Store::connect(&self.config, keys, self.clock.clone())
            .await
            .unwrap()
    }

    pub fn is_postgres(&self) -> bool {
        self.config.database_url.starts_with("postgres")
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn worker(&self) -> WorkerId {
        WorkerId::from_uuid(uuid_v7(self.now()))
    }

    pub async fn tenant(&self) -> Tenant {
        let organization = self
            .store
            .operator()
            .create_organization("Acme")
            .await
            .unwrap()
            .id;
        self.grant(organization, CREDIT).await;
        let highest = Some(Some("tier_5".to_owned()));
        let operator = self.store.operator();
        operator
            .set_billing(organization, None, highest)
            .await
            .unwrap();
        self.tenant_in(organization).await
    }

    /// A newly created tenant: prepaid, without credit, in the lowest tier.
    pub async fn new_tenant(&self) -> Tenant {
        let made = self.store.operator().create_organization("Acme").await;
        self.tenant_in(made.unwrap().id).await
    }

    /// A tenant that may spend; nothing of that is in the audit log.
    pub async fn unaudited_tenant(&self) -> Tenant {
        let tenant = self.new_tenant().await;
        self.raw("UPDATE organizations SET billing = 'postpaid', tier = 'tier_5'")
            .await
            .unwrap();
        tenant
    }

    pub async fn grant(&self, organization: OrganizationId, micros: i64) {
        let amount = MicroUsd::from_micros(micros);
        let operator = self.store.operator();
        operator
            .grant_credit(organization, amount, None)
            .await
            .unwrap();
    }

    pub async fn tenant_in(&self, organization: OrganizationId) -> Tenant {
        let operator = self.store.operator();
        let project = operator
            .create_project(organization, "main")
            .await
            .unwrap()
            .id;
        let (key, secret) = operator
            .create_key(project, "tests", Permissions::parse("full").unwrap(), None)
            .await
            .unwrap();
        let scope = self.store.authenticate(&secret, None).await.unwrap();
        Tenant {
            organization,
            project,
            key: key.id,
            secret,
            scope,
        }
    }

    pub fn new_job(&self) -> NewJob {
        let id = JobId::from_uuid(uuid_v7(self.now()));
        NewJob {
            stages: None,
            external_ref: None,
            id,
            job_type: JobType::Playbooks,
            created_at: self.now(),
            input: json!({"target_company_domain": "example.com"}),
            pins: json!({"backend": "playbook"}),
            seed: [7; 32],
            backend: Some("playbook".to_owned()),
            expected_cost: MicroUsd::from_micros(1_000_000),
            cost_cap: MicroUsd::from_micros(1_000_000),
            response: StoredAnswer {
                head: format!("created {id}"),
                body: Bytes::from(format!("{{\"id\": \"{id}\"}}")),
            },
        }
    }

    pub async fn create(&self, scope: &ProjectScope) -> Job {
        match self
            .store
            .create_job(scope, self.new_job(), None)
            .await
            .unwrap()
        {
            CreateJob::Created(row) => *row,
            other => panic!("{other:?}"),
        }
    }

    pub fn idempotency(
        &self,
        scope: &ProjectScope,
        key: &str,
        fingerprint: &str,
    ) -> IdempotencyClaim {
        IdempotencyClaim {
            key_hmac: self.store.idempotency_hmac(scope, key),
            fingerprint: Digest::of(fingerprint.as_bytes()),
        }
    }

    /// Claims all claimable jobs, at most `max`.
    pub async fn claim(&self, max: usize) -> Vec<ClaimedJob> {
        self.store
            .claim_jobs(self.worker(), max, 100, LEASE)
            .await
            .unwrap()
            .jobs
    }

    /// Claims the only claimable job.
    pub async fn claim_one(&self) -> ClaimedJob {
        let mut claimed = self.claim(2).await;
        assert_eq!(claimed.len(), 1);
        claimed.remove(0)
    }

    /// A new job that this world's worker runs.
    pub async fn running(&self, tenant: &Tenant) -> ClaimedJob {
        self.create(&tenant.scope).await;
        self.claim_one().await
    }

    /// Runs SQL behind the store's back, with all rows visible.
    pub async fn raw(&self, sql: &str) -> Result<u64, sqlx::Error> {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.is_postgres() {
            let mut connection = sqlx::PgConnection::connect(&self.config.database_url).await?;
            connection
                .execute("SELECT set_config('gtm.project', '*', false)")
                .await?;
            Ok(sqlx::query(sql)
                .execute(&mut connection)
                .await?
                .rows_affected())
        } else {
            let mut connection = sqlx::SqliteConnection::connect(&self.config.database_url).await?;
            Ok(sqlx::query(sql)
                .execute(&mut connection)
                .await?
                .rows_affected())
        }
    }

    /// The single number that a query returns, behind the store's back.
    pub async fn number(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.is_postgres() {
            let mut connection = sqlx::PgConnection::connect(&self.config.database_url)
                .await
                .unwrap();
            connection
                .execute("SELECT set_config('gtm.project', '*', false)")
                .await
                .unwrap();
            sqlx::query_scalar(sql)
                .fetch_one(&mut connection)
                .await
                .unwrap()
        } else {
            let mut connection = sqlx::SqliteConnection::connect(&self.config.database_url)
                .await
                .unwrap();
            sqlx::query_scalar(sql)
                .fetch_one(&mut connection)
                .await
                .unwrap()
        }
    }

    /// The only text column of all rows that a query returns, behind the store's back.
    pub async fn texts(&self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        let url = &self.config.database_url;
        if self.is_postgres() {
            let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
            let all = "SELECT set_config('gtm.project', '*', false)";
            connection.execute(all).await.unwrap();
            let rows = sqlx::query_scalar(sql).fetch_all(&mut connection).await;
            rows.unwrap()
        } else {
            let mut connection = sqlx::SqliteConnection::connect(url).await.unwrap();
            let rows = sqlx::query_scalar(sql).fetch_all(&mut connection).await;
            rows.unwrap()
        }
    }

    /// The money position of a key, its project and its organization.
    pub async fn position(&self, scope: &ProjectScope) -> MoneyPosition {
        let month = Month::of(self.now());
        self.store.usage(scope, month, false).await.unwrap().1
    }

    pub fn receipt(&self, body: &[u8]) -> Receipt {
        Receipt {
            id: ReceiptId::from_uuid(uuid_v7(self.now())),
            method: "GET".to_owned(),
            url: "https://example.com/".to_owned(),
            final_url: "https://example.com/".to_owned(),
            host: "example.com".to_owned(),
            port: 443,
            status: Some(200),
            content_type: Some("text/html".to_owned()),
            request_bytes: 0,
            response_bytes: body.len() as u64,
            response_digest: Some(Digest::of(body)),
            at: self.now(),
            duration_ms: 12,
            attempts: 1,
            decision: "allowed".to_owned(),
            credentials: Vec::new(),
        }
    }

    /// Starts and settles a step that costs `micros`.
    pub async fn step(&self, lease: &Lease, seq: u64, micros: i64) -> Result<(), StoreError> {
        self.store.start_step(lease, new_step(seq)).await?;
        self.store.settle_step(lease, seq, settlement(micros)).await
    }
}

pub fn new_step(seq: u64) -> NewStep {
    NewStep {
        seq,
        capability: "web.fetch".to_owned(),
        input_digest: Digest::of(&seq.to_be_bytes()),
        connection: None,
        connector: None,
        replay_safe: true,
        keyed: false,
        step_key: format!("step-{seq}"),
        ceiling: MicroUsd::ZERO,
    }
}

pub fn settlement(micros: i64) -> Settlement {
    Settlement {
        outcome: Ok(json!({"ok": true})),
        exchanges: Vec::new(),
        usage: Usage {
            tokens: TokenUsage {
                input: 3,
                output: 4,
                ..TokenUsage::default()
            },
            cost: MicroUsd::from_micros(micros),
            connector_requests: 1,
            connector_bytes: 10,
            ..Usage::default()
        },
        reported: None,
        reconcile: false,
        at_most: None,
    }
}
