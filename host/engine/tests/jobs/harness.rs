//! The test harness: a store with one project, and engines on it that can be started, drained and crashed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::Job;
use gtm_domain::playbook::{PlaybookInput, Tone};
use gtm_domain::{
    Clock, ConnectionId, JobId, JobStatus, MicroUsd, Permissions, ProjectId, Timestamp,
};
use gtm_engine::job_types::JobTypeEntry;
use gtm_engine::plugins::Plugins;
use gtm_engine::{CreateOutcome, Engine, EngineConfig, Workers, job_types};
use gtm_store::{KeyRing, NewConnection, ProjectScope, Store, StoreConfig};
use serde_json::{Value, json};
use sqlx::Connection as _;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

use gtm_test_support::postgres::{self as private_postgres, TestDatabase};

use crate::scripted::{Script, ScriptedBackend, ScriptedConnectors};
use crate::scripted_pure::ScriptedPure;

/// How long a test waits for an expected event, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// When test clocks start.
const START: i64 = 1_795_000_000_000;

/// A clock that starts on a fixed day and either runs or stands still until a test moves it.
pub struct TestClock {
    began: Instant,
    still: Option<Mutex<Duration>>,
}

impl TestClock {
    pub fn real() -> Arc<Self> {
        Arc::new(Self {
            began: Instant::now(),
            still: None,
        })
    }
    pub fn standing_still() -> Arc<Self> {
        Arc::new(Self {
            began: Instant::now(),
            still: Some(Mutex::default()),
        })
    }
    /// A running clock that says what another process's clock says.
    pub fn at(now: Timestamp) -> Arc<Self> {
        let since = now.since(Timestamp::from_millis(START));
        Arc::new(Self {
            began: Instant::now().checked_sub(since).unwrap(),
            still: None,
        })
    }
    pub fn advance(&self, by: Duration) {
        *self.still.as_ref().unwrap().lock().unwrap() += by;
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        let since = match &self.still {
            None => self.began.elapsed(),
            Some(still) => *still.lock().unwrap(),
        };
        Timestamp::from_millis(START).plus(since)
    }
}

/// Stands for a caller's answer to a create.
pub fn answer(body: impl Into<Bytes>) -> StoredAnswer {
    StoredAnswer {
        head: "somewhere".to_owned(),
        body: body.into(),
    }
}

pub struct Harness {
    pub store: Store,
    pub clock: Arc<TestClock>,
    pub scope: ProjectScope,
    pub project: ProjectId,
    pub connectors: Arc<ScriptedConnectors>,
    pub config: EngineConfig,
    pub requires: Vec<(String, bool)>,
    /// Whether the scripts may fetch addresses that they were never told of.
    pub free_urls: bool,
    _dir: tempfile::TempDir,
    _database: Option<TestDatabase>,
}

impl Harness {
    /// A project with `playbooks`, `web.fetch` and `model.complete` bound.
    pub async fn new(connectors: Arc<ScriptedConnectors>) -> Self {
        Self::at(TestClock::real(), connectors).await
    }

    /// Like [`new`](Self::new), with this clock.
    pub async fn at(clock: Arc<TestClock>, connectors: Arc<ScriptedConnectors>) -> Self {
        let bare = Self::bare_at(clock, connectors).await;
        bare.bind_backend("playbook").await;
        bare.bind_connection("web.fetch", "web.fetch", json!({}))
            .await;
        bare.bind_connection("model.complete", "model.complete", json!({"free": true}))
            .await;
        bare
    }

    /// A project without bindings.
    pub async fn bare(connectors: Arc<ScriptedConnectors>) -> Self {
        Self::bare_at(TestClock::real(), connectors).await
    }

    /// Like [`bare`](Self::bare), on PostgreSQL; `None` where it is not installed.
    pub async fn postgres(test: &str, connectors: Arc<ScriptedConnectors>) -> Option<Self> {
        let database = private_postgres::database(test)?;
        Some(Self::open(TestClock::real(), connectors, Some(database)).await)
    }

    async fn bare_at(clock: Arc<TestClock>, connectors: Arc<ScriptedConnectors>) -> Self {
        Self::open(clock, connectors, None).await
    }

    async fn open(
        clock: Arc<TestClock>,
        connectors: Arc<ScriptedConnectors>,
        database: Option<TestDatabase>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let keys = KeyRing::from_dir(dir.path()).unwrap();
        let mut config = StoreConfig::in_data_dir(dir.path());
        if let Some(database) = &database {
            config.database_url = database.url().to_owned();
        }
        let store = Store::connect(&config, keys, clock.clone()).await.unwrap();
        let operator = store.operator();
        let organization = operator.create_organization("Org").await.unwrap();
        operator
            .grant_credit(organization.id, MicroUsd::from_micros(1_000_000_000), None)
            .await
            .unwrap();
        let project = operator
            .create_project(organization.id, "Project")
            .await
            .unwrap();
        let permissions = Permissions::parse("generate").unwrap();
        let (_, secret) = operator
            .create_key(project.id, "key", permissions, None)
            .await
            .unwrap();
        let scope = store.authenticate(&secret, None).await.unwrap();
        let config = EngineConfig {
            workers: 4,
            // Long enough to be renewed in time on a busy machine; tests that wait for it to expire wait
            // this long.
            lease: Duration::from_secs(2),
            poll_interval: Duration::from_millis(20),
            job_deadline: Duration::from_secs(300),
            cancel_grace: Duration::from_millis(200),
            paid_call_grace: Duration::from_millis(400),
            ..EngineConfig::default()
        };
        let requires = vec![
            ("web.fetch".to_owned(), false),
            ("model.complete".to_owned(), true),
        ];
        Self {
            store,
            clock,
            scope,
            project: project.id,
            connectors,
            config,
            requires,
            free_urls: true,
            _dir: dir,
            _database: database,
        }
    }

    pub async fn bind_backend(&self, key: &str) {
        self.bind_backend_for("playbooks", key).await;
    }

    /// Binds a backend to a product capability.
    pub async fn bind_backend_for(&self, capability: &str, key: &str) {
        let target = BindingTarget::Backend {
            key: key.into(),
            version: Some("1.0.0".into()),
        };
        self.bind(capability, target, json!({})).await;
    }

    /// Binds a connection of the connector `provider` to `capability`.
    pub async fn bind_connection(
        &self,
        capability: &str,
        provider: &str,
        settings: Value,
    ) -> ConnectionId {
        let new = NewConnection {
            provider_key: provider.into(),
            manifest_version: "1.0.0".into(),
            name: provider.into(),
            settings,
            credentials: [("api_key".to_owned(), "s3cret-value".to_owned().into())].into(),
        };
        let row = self
            .store
            .operator()
            .create_connection(self.project, new)
            .await
            .unwrap();
        self.bind(
            capability,
            BindingTarget::Connection { connection: row.id },
            json!({}),
        )
        .await;
        row.id
    }

    pub async fn bind(&self, capability: &str, target: BindingTarget, settings: Value) {
        self.store
            .operator()
            .set_binding(
                BindingScope::Project(self.project),
                capability,
                target,
                settings,
            )
            .await
            .unwrap();
    }

    pub fn engine(&self, script: Script) -> Engine {
        self.engine_of(script, job_types::ALL, Arc::default())
    }

    /// Opens the same database and keys again, with connections that belong to the runtime awaiting this.
    fn reconnect(&self) -> impl Future<Output = Store> + Send + use<> {
        let config = self.store_config();
        let keys = KeyRing::from_dir(self._dir.path()).unwrap();
        let clock = self.clock.clone();
        async move { Store::connect(&config, keys, clock).await.unwrap() }
    }

    /// Where another process finds the store: its folder and its database.
    pub fn place(&self) -> (String, String) {
        let dir = self._dir.path().to_str().unwrap().to_owned();
        (dir, self.store_config().database_url)
    }

    fn store_config(&self) -> StoreConfig {
        let mut config = StoreConfig::in_data_dir(self._dir.path());
        if let Some(database) = &self._database {
            config.database_url = database.url().to_owned();
        }
        config
    }

    /// An engine with these job types and these renderers and evaluators.
    pub fn engine_of(
        &self,
        script: Script,
        job_types: &'static [JobTypeEntry],
        pure: Arc<ScriptedPure>,
    ) -> Engine {
        self.engine_over(self.store.clone(), script, job_types, pure)
    }

    /// Like [`engine_of`](Self::engine_of), on a store from [`reconnect`](Self::reconnect).
    pub fn engine_over(
        &self,
        store: Store,
        script: Script,
        job_types: &'static [JobTypeEntry],
        pure: Arc<ScriptedPure>,
    ) -> Engine {
        let backend = ScriptedBackend {
            requires: self.requires.clone(),
            free_urls: self.free_urls,
            script,
        };
        Engine::with_plugins(
            store,
            Plugins {
                connectors: self.connectors.clone(),
                backends: Arc::new(backend),
                pure,
            },
            job_types,
            self.config.clone(),
            self.clock.clone(),
        )
    }

    /// Creates a job through an engine.
    pub async fn create(&self, engine: &Engine) -> JobId {
        let made = engine
            .create_for_brand(&self.scope, input(), None, |_| answer("{}"))
            .await
            .unwrap();
        let CreateOutcome::Created { resource: job, .. } = made else {
            panic!("replayed")
        };
        job.id
    }

    pub async fn job(&self, id: JobId) -> Job {
        self.store.get_job(&self.scope, id).await.unwrap().unwrap()
    }

    /// Waits until the job has ended. It polls, like callers of the API, because the store announces only
    /// that a job waits for a worker.
    pub async fn ended(&self, id: JobId) -> Job {
        let wait = async {
            loop {
                let job = self.job(id).await;
                if job.status.is_terminal() {
                    return job;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, wait)
            .await
            .expect("the job did not end")
    }

    /// Waits until this many calls of a job are settled. It polls, like [`ended`](Self::ended).
    pub async fn settled(&self, id: JobId, calls: usize) {
        let wait = async {
            loop {
                let receipts = self.store.job_receipts(&self.scope, id).await.unwrap();
                if receipts.unwrap().len() >= calls {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, wait)
            .await
            .expect("the calls were not settled");
    }

    /// Creates a job and runs it to its end on one engine.
    pub async fn run(&self, script: Script) -> Job {
        let engine = self.engine(script);
        let id = self.create(&engine).await;
        let workers = Workers::start(&engine);
        let job = self.ended(id).await;
        workers.shutdown(Duration::from_secs(1)).await;
        job
    }

    /// Runs SQL behind the store's back.
    pub async fn raw(&self, sql: &'static str) {
        let config = StoreConfig::in_data_dir(self._dir.path());
        let mut connection = sqlx::SqliteConnection::connect(&config.database_url)
            .await
            .unwrap();
        sqlx::query(sql).execute(&mut connection).await.unwrap();
    }

    /// The folder of bytes kept outside the database.
    pub fn blobs(&self) -> std::path::PathBuf {
        self.store_config().blob_dir.join("blobs")
    }

    /// A job's events: kinds and data.
    pub async fn events(&self, id: JobId) -> Vec<(String, Value)> {
        let events = self
            .store
            .job_events(&self.scope, id, 0, 1000)
            .await
            .unwrap()
            .unwrap();
        events.into_iter().map(|e| (e.kind, e.data)).collect()
    }
}

/// The store of a harness in another process.
pub async fn store_at((dir, database_url): (String, String), clock: Arc<TestClock>) -> Store {
    let dir = std::path::Path::new(&dir);
    let keys = KeyRing::from_dir(dir).unwrap();
    let config = StoreConfig {
        database_url,
        ..StoreConfig::in_data_dir(dir)
    };
    Store::connect(&config, keys, clock).await.unwrap()
}

/// Workers in a tokio runtime of their own, which can disappear as if the process had been killed.
pub struct Victim {
    runtime: Option<tokio::runtime::Runtime>,
    drain: Option<oneshot::Sender<()>>,
    workers: JoinHandle<()>,
}

impl Victim {
    pub fn start(engine: Engine) -> Self {
        Self::start_in(
            engine,
            tokio::runtime::Builder::new_multi_thread().worker_threads(2),
        )
    }
    /// Runs everything on one thread, so that a blocking call stops everything, including renewals.
    pub fn start_frozen_by_blocking_calls(engine: Engine) -> Self {
        Self::start_in(
            engine,
            tokio::runtime::Builder::new_multi_thread().worker_threads(1),
        )
    }
    /// Starts workers whose connections die with them: a pool shared with the test would hand the test a
    /// connection of a runtime that is gone. SQLite's connections belong to no runtime.
    pub async fn start_reconnected(
        harness: &Harness,
        engine: impl FnOnce(Store) -> Engine,
    ) -> Self {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).enable_all().build().unwrap();
        let store = runtime.spawn(harness.reconnect()).await.unwrap();
        Self::start_on(runtime, engine(store))
    }
    fn start_in(engine: Engine, builder: &mut tokio::runtime::Builder) -> Self {
        Self::start_on(builder.enable_all().build().unwrap(), engine)
    }
    fn start_on(runtime: tokio::runtime::Runtime, engine: Engine) -> Self {
        let (drain, drained) = oneshot::channel();
        let workers = runtime.spawn(async move {
            let workers = Workers::start(&engine);
            match drained.await {
                Ok(()) => workers.shutdown(PATIENCE).await,
                Err(_) => std::future::pending().await,
            }
        });
        Self {
            runtime: Some(runtime),
            drain: Some(drain),
            workers,
        }
    }
    /// Lets the workers finish what they have begun, and waits until they have.
    pub async fn drained(mut self) {
        self.drain.take().unwrap().send(()).unwrap();
        (&mut self.workers).await.unwrap();
    }
    /// Stops everything at once; nothing more is written.
    pub fn kill(mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Waits until a condition holds for the observed value; each change wakes the waiting test.
pub async fn until<T>(what: &str, seen: &watch::Sender<T>, holds: impl FnMut(&T) -> bool) {
    let mut seen = seen.subscribe();
    let held = tokio::time::timeout(PATIENCE, seen.wait_for(holds)).await;
    assert!(held.is_ok(), "never: {what}");
}

pub fn input() -> PlaybookInput {
    PlaybookInput {
        target_company: Some("Acme".into()),
        target_company_domain: Some("acme.example".into()),
        anchor_company: None,
        product_info: None,
        tone: Tone::Consultative,
        sections: None,
        model: "default".into(),
        brand_profile_id: None,
        brand_profile_key: None,
    }
}

pub fn code(job: &Job) -> &str {
    assert_eq!(job.status, JobStatus::Failed, "{job:?}");
    job.error.as_ref().map_or("", |e| e.code.as_str())
}
