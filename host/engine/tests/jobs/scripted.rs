//! Plug-ins whose behaviour a test scripts, and which count their calls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use futures::future::BoxFuture;
use gtm_domain::dossier::ConnectorRevision;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Digest, Failure, ReceiptId, Timestamp};
use gtm_engine::connections::ConnectorCatalog;
use gtm_engine::plugins::{
    BackendFacts, BackendRequest, BackendRunner, ConnectorCaller, ConnectorFacts, ConnectorRequest,
    OperationFacts, PluginIdentity,
};
use gtm_runtime::egress::Sendings;
use gtm_runtime::{
    BackendHost, BackendOutcome, CapabilityCall, ConnectorOutcome, Exchange, Meters, PluginError,
    RawTokens, Resources,
};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::harness::until;

pub type Script = Arc<
    dyn Fn(Arc<dyn BackendHost>, BackendRequest) -> BoxFuture<'static, Result<Value, PluginError>>
        + Send
        + Sync,
>;

/// The key of a second backend, to which the operator granted addresses of its own making.
pub const COMPANION: &str = "companion";

/// A backend that runs a script.
pub struct ScriptedBackend {
    pub requires: Vec<(String, bool)>,
    pub free_urls: bool,
    pub script: Script,
}

pub fn identity(key: &str) -> PluginIdentity {
    PluginIdentity {
        key: key.into(),
        version: "1.0.0".into(),
        digest: Digest::of(key.as_bytes()),
        manifest_digest: None,
    }
}

#[async_trait]
impl BackendRunner for ScriptedBackend {
    fn find_backend(&self, key: &str, version: &str) -> Option<BackendFacts> {
        let known = ["playbook", COMPANION].contains(&key) && version == "1.0.0";
        known.then(|| BackendFacts {
            identity: identity(key),
            free_urls: self.free_urls || key == COMPANION,
            requires: self.requires.clone(),
            takes_start_urls: BTreeSet::from(["playbooks".to_owned()]),
        })
    }
    fn backend(&self, wanted: &PluginIdentity) -> Option<BackendFacts> {
        self.find_backend(&wanted.key, &wanted.version)
            .filter(|facts| facts.identity == *wanted)
    }
    async fn generate(
        &self,
        request: BackendRequest,
        host: Arc<dyn BackendHost>,
    ) -> BackendOutcome {
        let cancel = request.cancel.clone();
        let result = tokio::select! {
            result = (self.script)(host, request) => result,
            () = cancel.cancelled() => Err(PluginError::Canceled),
        };
        let resources = Resources {
            cpu_ms: 1,
            ..Resources::default()
        };
        BackendOutcome {
            result,
            resources,
            logs: vec![],
            denied: vec![],
        }
    }
}

pub type Answer = Arc<dyn Fn(Call) -> BoxFuture<'static, ConnectorOutcome> + Send + Sync>;

/// A call as a connector sees it.
#[derive(Clone)]
pub struct Call {
    pub capability: String,
    pub input: Value,
    /// How often exactly this input was requested, including this time.
    pub nth: usize,
    pub cancel: tokio_util::sync::CancellationToken,
}

/// An action that runs while a connector is looked up.
pub type Meanwhile = Box<dyn FnOnce() + Send>;

/// Connectors that give scripted answers and count their calls.
pub struct ScriptedConnectors {
    /// Runs once, when a specification next names a connector, and that connector is then reported gone.
    pub gone_after: Mutex<Option<Meanwhile>>,
    pub facts: Mutex<BTreeMap<String, OperationFacts>>,
    pub answer: Mutex<Answer>,
    pub calls: watch::Sender<Calls>,
}

/// Capability, input and idempotency key of each call, in order.
pub type Calls = Vec<(String, Value, Option<String>)>;

fn count(calls: &Calls, url: &str) -> usize {
    let with_url = calls.iter().filter(|(_, input, _)| input["url"] == url);
    with_url.count()
}

pub fn facts(replay_safe: bool, takes_idempotency_key: bool, billable: bool) -> OperationFacts {
    OperationFacts {
        id: "op".into(),
        replay_safe,
        takes_idempotency_key,
        billable,
        public_fields: BTreeSet::new(),
        synthetic: false,
    }
}

impl ScriptedConnectors {
    pub fn new(answer: Answer) -> Arc<Self> {
        let known = [
            ("web.fetch", facts(true, false, false)),
            ("model.complete", facts(false, false, true)),
        ];
        Arc::new(Self {
            gone_after: Mutex::default(),
            facts: Mutex::new(known.map(|(k, f)| (k.to_owned(), f)).into()),
            answer: Mutex::new(answer),
            calls: watch::Sender::default(),
        })
    }
    /// How often the input with this URL was requested.
    pub fn count(&self, url: &str) -> usize {
        count(&self.calls.borrow(), url)
    }
    pub fn total(&self) -> usize {
        self.calls.borrow().len()
    }
    /// Waits until the input with this URL was requested this often.
    pub async fn asked_for(&self, url: &str, times: usize) {
        until(url, &self.calls, |calls| count(calls, url) >= times).await;
    }
    /// Waits until this many calls were made.
    pub async fn asked(&self, times: usize) {
        until("calls", &self.calls, |calls| calls.len() >= times).await;
    }
}

#[async_trait]
impl ConnectorCaller for ScriptedConnectors {
    fn find_connector(&self, key: &str, version: &str) -> Option<PluginIdentity> {
        (version == "1.0.0" && key != "gone").then(|| identity(key))
    }
    fn connector_facts(&self, _: &str, _: &str) -> Option<ConnectorFacts> {
        None
    }
    fn connector_revision(&self, key: &str, manifest_version: &str) -> Option<ConnectorRevision> {
        let meanwhile = self.gone_after.lock().unwrap().take();
        if let Some(meanwhile) = meanwhile {
            meanwhile();
            return None;
        }
        self.find_connector(key, manifest_version)
            .map(|found| ConnectorRevision {
                connector_key: found.key,
                manifest_version: found.version,
                manifest_digest: Digest::of(b"manifest"),
                component_digest: Some(found.digest),
            })
    }
    fn connector_catalog(&self, _: Timestamp) -> ConnectorCatalog {
        ConnectorCatalog {
            catalog_version: "scripted".into(),
            connectors: Vec::new(),
        }
    }
    fn operation(&self, connector: &PluginIdentity, capability: &str) -> Option<OperationFacts> {
        self.find_connector(&connector.key, &connector.version)?;
        self.facts.lock().unwrap().get(capability).cloned()
    }
    async fn call(&self, request: ConnectorRequest) -> ConnectorOutcome {
        // Before announcing the call: a waiting test may change the answer for later calls.
        let answer = self.answer.lock().unwrap().clone();
        let call = {
            let capability = request.connector.key.clone();
            let mut nth = 0;
            self.calls.send_modify(|calls| {
                calls.push((
                    capability.clone(),
                    request.input.clone(),
                    request.idempotency_key.clone(),
                ));
                let same = calls.iter().filter(|(_, input, _)| *input == request.input);
                nth = same.count();
            });
            Call {
                capability,
                input: request.input,
                nth,
                cancel: request.cancel,
            }
        };
        answer(call).await
    }
}

pub fn receipt(url: &str, body: &[u8], content_type: &str) -> Receipt {
    let parsed = url::Url::parse(url).unwrap();
    Receipt {
        id: ReceiptId::from_uuid(gtm_store::uuid_v7(Timestamp::from_millis(1))),
        method: "GET".into(),
        url: url.into(),
        final_url: url.into(),
        host: parsed.host_str().unwrap().into(),
        port: parsed.port_or_known_default().unwrap(),
        status: Some(200),
        content_type: Some(content_type.into()),
        request_bytes: 0,
        response_bytes: body.len() as u64,
        response_digest: Some(Digest::of(body)),
        at: Timestamp::from_millis(1_700_000_000_000),
        duration_ms: 2,
        attempts: 1,
        decision: "allowed".into(),
        credentials: vec![],
    }
}

pub fn outcome(
    result: Result<Value, Failure>,
    exchanges: Vec<Exchange>,
    tokens: Option<RawTokens>,
) -> ConnectorOutcome {
    ConnectorOutcome {
        result,
        meters: Meters {
            tokens,
            requests: exchanges.len() as u64,
            ..Meters::default()
        },
        sendings: Sendings {
            sent: u32::try_from(exchanges.len()).unwrap(),
            lost: 0,
        },
        exchanges,
        resources: Resources {
            wall_ms: 2,
            ..Resources::default()
        },
        logs: vec![],
        denied: vec![],
    }
}

/// The bodies of all pages that this process served, for replays.
pub static BODIES: Mutex<BTreeMap<ReceiptId, Bytes>> = Mutex::new(BTreeMap::new());

/// A fetched page.
pub fn page(url: &str, html: &str) -> ConnectorOutcome {
    let body = Bytes::from(html.to_owned());
    let receipt = receipt(url, &body, "text/html; charset=utf-8");
    let output = json!({"receipt_id": receipt.id, "url": url, "title": "A page"});
    BODIES.lock().unwrap().insert(receipt.id, body.clone());
    let body = body.into();
    outcome(Ok(output), vec![Exchange { receipt, body }], None)
}

/// A model's answer that used this many tokens.
pub fn completion(text: &str, input: u64, output: u64) -> ConnectorOutcome {
    let body = Bytes::from(json!({"content": text}).to_string());
    let receipt = receipt(
        "https://model.example/v1/chat/completions",
        &body,
        "application/json",
    );
    let answer = json!({"receipt_id": receipt.id, "content": text});
    let tokens = RawTokens {
        input: Some(input),
        output: Some(output),
        ..RawTokens::default()
    };
    let body = body.into();
    outcome(Ok(answer), vec![Exchange { receipt, body }], Some(tokens))
}

/// A failed call, with the tokens that it used nevertheless.
pub fn failed(failure: Failure, tokens: Option<(u64, u64)>) -> ConnectorOutcome {
    let tokens = tokens.map(|(input, output)| RawTokens {
        input: Some(input),
        output: Some(output),
        ..RawTokens::default()
    });
    outcome(Err(failure), vec![], tokens)
}

pub fn fetch(url: &str) -> CapabilityCall {
    CapabilityCall {
        capability: "web.fetch".into(),
        input: json!({"url": url}),
    }
}

pub fn complete(prompt: &str, max_output_tokens: u64) -> CapabilityCall {
    let input = json!({"url": prompt, "messages": [{"role": "user", "content": prompt}], "max_output_tokens": max_output_tokens});
    CapabilityCall {
        capability: "model.complete".into(),
        input,
    }
}

/// Calls the host as the sandbox does: an abort ends the run.
pub async fn ask(
    host: &Arc<dyn BackendHost>,
    calls: Vec<CapabilityCall>,
) -> Result<Vec<Result<Value, Failure>>, PluginError> {
    host.invoke(calls)
        .await
        .map_err(|abort| PluginError::Aborted(abort.0))
}

pub fn aborted<T>(result: Result<T, gtm_runtime::HostAbort>) -> Result<T, PluginError> {
    result.map_err(|abort| PluginError::Aborted(abort.0))
}

/// A draft with this summary, quoted from the page behind this receipt.
pub fn draft(summary: &str, receipt: &Value, quote: &str) -> Value {
    json!({
        "result": {"target": {"company": null, "domain": null}, "language": "en", "business_summary": summary},
        "basis": [{"pointer": "/business_summary", "basis": "stated", "reasoning": null,
                   "excerpts": [{"receipt_id": receipt, "text": quote}], "receipt_ids": []}],
        "sources": []
    })
}

/// A draft without content: no job succeeds with it.
pub fn empty_draft() -> Value {
    json!({"result": {"language": "en"}, "basis": [], "sources": []})
}

/// The smallest draft with which a job succeeds: it repeats the name given in the request.
pub fn small_draft() -> Value {
    and_small_claim(empty_draft())
}

/// Adds a claim to the draft that is always supported, so that its job succeeds whatever happens to the
/// rest.
pub fn and_small_claim(mut draft: Value) -> Value {
    draft["result"]["priorities"] = json!(["Acme"]);
    let basis = json!({"pointer": "/priorities/0", "basis": "provided", "reasoning": null, "excerpts": [], "receipt_ids": []});
    draft["basis"].as_array_mut().unwrap().push(basis);
    draft
}

pub fn script<F, Fut>(run: F) -> Script
where
    F: Fn(Arc<dyn BackendHost>, BackendRequest) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Value, PluginError>> + Send + 'static,
{
    Arc::new(move |host, request| Box::pin(run(host, request)))
}

pub fn answers<F, Fut>(answer: F) -> Answer
where
    F: Fn(Call) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ConnectorOutcome> + Send + 'static,
{
    Arc::new(move |call| Box::pin(answer(call)))
}

/// Serves a page for every URL; its text contains the URL.
pub fn pages() -> Answer {
    answers(|call| async move {
        let url = call.input["url"].as_str().unwrap().to_owned();
        page(
            &url,
            &format!("<p>This is the page at {url} and no other.</p>"),
        )
    })
}
