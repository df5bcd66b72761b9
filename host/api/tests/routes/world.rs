//! One installation in a temporary directory, with a project and a key.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use gtm_api::{Api, ApiConfig, contract, router};
use gtm_domain::clock::ManualClock;
use gtm_domain::{OrganizationId, Permissions, ProjectId, TierTable, Timestamp};
use gtm_engine::plugins::{ConnectorCaller, Plugins};
use gtm_engine::{Engine, EngineConfig, job_types};
use gtm_runtime::egress::EgressPolicy;
use gtm_runtime::{HostLimits, Runtime, RuntimeConfig};
use gtm_store::{KeyRing, Store, StoreConfig};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::promises;

pub struct World {
    pub router: Router,
    pub api: Api,
    pub store: Store,
    pub clock: Arc<ManualClock>,
    pub organization: OrganizationId,
    pub project: ProjectId,
    pub key: String,
    _dir: tempfile::TempDir,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&self.body)))
    }
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|v| v.to_str().unwrap())
    }
    /// Status and code. Checks first that the envelope is complete.
    pub fn error(&self) -> (u16, String) {
        let json = self.json();
        let error = &json["error"];
        assert_eq!(
            error["request_id"].as_str(),
            self.header("x-request-id"),
            "{json}"
        );
        assert!(
            error["message"].as_str().is_some_and(|m| !m.is_empty()),
            "{json}"
        );
        let code = error["code"].as_str().unwrap().to_owned();
        assert!(
            error["docs_url"]
                .as_str()
                .is_some_and(|u| u.ends_with(&format!("#{code}"))),
            "{json}"
        );
        (self.status.as_u16(), code)
    }
}

impl World {
    pub async fn start() -> Self {
        Self::with(ApiConfig::default()).await
    }

    pub async fn with(config: ApiConfig) -> Self {
        Self::assemble(config, TierTable::default(), None).await
    }

    /// With these connectors instead of the runtime's own.
    pub async fn with_connectors(
        config: ApiConfig,
        connectors: Option<Arc<dyn ConnectorCaller>>,
    ) -> Self {
        Self::assemble(config, TierTable::default(), connectors).await
    }

    /// A single usage tier with this rate limit.
    pub async fn limited(limit: u32, config: ApiConfig) -> Self {
        let mut tier = TierTable::default().tiers()[0].clone();
        tier.rate_limit_per_minute = limit;
        let tiers = TierTable::new(vec![tier]).unwrap();
        Self::assemble(config, tiers, None).await
    }

    async fn assemble(
        config: ApiConfig,
        tiers: TierTable,
        connectors: Option<Arc<dyn ConnectorCaller>>,
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at(
            "2026-03-02T09:00:00Z".parse::<Timestamp>().unwrap(),
        ));
        let keys =
            KeyRing::from_base64("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", None).unwrap();
        let mut store_config = StoreConfig::in_data_dir(dir.path());
        store_config.tiers = tiers;
        let store = Store::connect(&store_config, keys, clock.clone())
            .await
            .unwrap();
        let runtime = RuntimeConfig {
            catalog_dirs: Vec::new(),
            cache_dir: dir.path().join("cache"),
            cache_key: [7; 32],
            trusted_publishers: Vec::new(),
            allow_unsigned: false,
            egress: EgressPolicy::default(),
            limits: HostLimits::default(),
            records: gtm_runtime::CatalogRecords::default(),
            allow_changed_packages: false,
            blocked_digests: Vec::new(),
            compile_command: None,
        };
        let runtime = Arc::new(Runtime::start(runtime, clock.clone()).await.unwrap());
        let engine = Engine::with_plugins(
            store.clone(),
            Plugins {
                connectors: connectors.unwrap_or_else(|| runtime.clone()),
                backends: runtime.clone(),
                pure: runtime,
            },
            job_types::ALL,
            EngineConfig::default(),
            clock.clone(),
        );
        let organization = store.operator().create_organization("Acme").await.unwrap();
        let project = store
            .operator()
            .create_project(organization.id, "main")
            .await
            .unwrap()
            .id;
        let api = Api::new(engine, config, clock.clone(), contract().unwrap());
        let mut world = Self {
            router: router(api.clone()),
            api,
            store,
            clock,
            organization: organization.id,
            project,
            key: String::new(),
            _dir: dir,
        };
        world.key = world.new_key("generate", None).await;
        world
    }

    pub async fn new_key(&self, scopes: &str, expires_at: Option<Timestamp>) -> String {
        let permissions = Permissions::parse(scopes).unwrap();
        let (_, secret) = self
            .store
            .operator()
            .create_key(self.project, "k", permissions, expires_at)
            .await
            .unwrap();
        secret.reveal()
    }

    /// A key of another organization's project.
    pub async fn stranger(&self) -> String {
        let operator = self.store.operator();
        let organization = operator.create_organization("Other").await.unwrap();
        let project = operator
            .create_project(organization.id, "main")
            .await
            .unwrap();
        let (_, secret) = operator
            .create_key(project.id, "k", Permissions::parse("full").unwrap(), None)
            .await
            .unwrap();
        secret.reveal()
    }

    pub async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        promises::hold(&method, &path, parts.status, &body);
        Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.get_as(path, &self.key).await
    }

    pub async fn get_as(&self, path: &str, key: &str) -> Answer {
        let request = Request::get(path).header("authorization", format!("Bearer {key}"));
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, body: impl Into<Body>, headers: &[(&str, &str)]) -> Answer {
        let mut request =
            Request::post("/v1/playbooks").header("authorization", format!("Bearer {}", self.key));
        if !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(body.into()).unwrap()).await
    }
}

impl World {
    pub fn clock_now(&self) -> Timestamp {
        gtm_domain::Clock::now(&*self.clock)
    }
}

/// A body that never sends a byte.
pub struct NeverBody;

impl axum::body::HttpBody for NeverBody {
    type Data = bytes::Bytes;
    type Error = std::convert::Infallible;
    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<bytes::Bytes>, Self::Error>>> {
        std::task::Poll::Pending
    }
}
