//! The scripted host behind the wrappers on every target but `wasm32`.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use serde_json::Value;

use super::cassette::Cassette;
use super::http_script::{Answer, Expect};
use crate::Failure;
use crate::assets::Asset;
use crate::capabilities::Call;
use crate::http::{Head, Request, Response};
use crate::log::Level;
use crate::progress::StageStatus;

type Capability = Box<dyn FnMut(&Value) -> Result<Value, Failure>>;

/// A host that gives each scripted answer once, to requests in any order.
#[derive(Default)]
pub struct Host {
    settings: Option<Value>,
    now_ms: u64,
    time_left_ms: Option<u64>,
    canceled: bool,
    exchanges: Vec<Option<(Expect, Answer)>>,
    capabilities: BTreeMap<String, Capability>,
    assets: BTreeMap<String, Asset>,
    faults: Vec<String>,
    receipts: u64,
    record: Record,
}

#[derive(Default)]
struct Record {
    requests: Vec<Request>,
    calls: Vec<Call>,
    logs: Vec<(Level, String)>,
    stages: Vec<(String, StageStatus)>,
    reports: Vec<(u8, Option<String>)>,
    artifacts: Vec<Artifact>,
}

/// A finished file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// File name without a folder.
    pub filename: String,
    /// Media type, for example `application/pdf`.
    pub media_type: String,
    /// Content of the file.
    pub bytes: Vec<u8>,
}

/// What a plug-in did.
#[derive(Debug)]
pub struct Run<T> {
    /// What it returned.
    pub output: T,
    /// The requests it sent, in order.
    pub requests: Vec<Request>,
    /// The capabilities it invoked, in order.
    pub calls: Vec<Call>,
    /// What it logged.
    pub logs: Vec<(Level, String)>,
    /// The stages it reported.
    pub stages: Vec<(String, StageStatus)>,
    /// The percentages and milestones it reported.
    pub reports: Vec<(u8, Option<String>)>,
    /// The files it finished.
    pub artifacts: Vec<Artifact>,
}

thread_local! {
    static CURRENT: RefCell<Option<Host>> = const { RefCell::new(None) };
}

impl Host {
    /// A host with empty settings, nothing bound and no answers. It is 2026-11-21T00:00:00Z.
    pub fn new() -> Self {
        Self {
            now_ms: 1_795_219_200_000,
            ..Self::default()
        }
    }

    /// Sets the settings of the connection or binding.
    #[must_use]
    pub fn settings(mut self, settings: Value) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Sets the time, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn now_ms(mut self, now_ms: u64) -> Self {
        self.now_ms = now_ms;
        self
    }

    /// Sets the time that is left, in milliseconds; the default is 30,000.
    #[must_use]
    pub fn time_left_ms(mut self, time_left_ms: u64) -> Self {
        self.time_left_ms = Some(time_left_ms);
        self
    }

    /// Marks the job as canceled.
    #[must_use]
    pub fn canceled(mut self) -> Self {
        self.canceled = true;
        self
    }

    /// Answers one request.
    #[must_use]
    pub fn answer(mut self, expect: Expect, answer: Answer) -> Self {
        self.exchanges.push(Some((expect, answer)));
        self
    }

    /// Answers the requests of a cassette file.
    ///
    /// # Panics
    /// If the file is not a cassette or contains something like a secret.
    #[must_use]
    #[expect(
        clippy::panic,
        reason = "a broken cassette fails the test that plays it"
    )]
    pub fn cassette(mut self, path: impl AsRef<Path>) -> Self {
        match Cassette::read(path) {
            Ok(cassette) => self
                .exchanges
                .extend(cassette.exchanges.into_iter().map(Some)),
            Err(error) => panic!("{error}"),
        }
        self
    }

    /// Serves a capability with a function.
    #[must_use]
    pub fn capability(
        mut self,
        name: &str,
        serve: impl FnMut(&Value) -> Result<Value, Failure> + 'static,
    ) -> Self {
        self.capabilities.insert(name.to_owned(), Box::new(serve));
        self
    }

    /// Provides an asset.
    #[must_use]
    pub fn asset(mut self, name: &str, media_type: &str, bytes: &[u8]) -> Self {
        let asset = Asset {
            media_type: media_type.to_owned(),
            bytes: bytes.to_vec(),
        };
        self.assets.insert(name.to_owned(), asset);
        self
    }

    /// Runs plug-in code against this host.
    ///
    /// # Panics
    /// If the code sent a request that nothing answers, or left an answer unused.
    #[expect(
        clippy::panic,
        reason = "a request that doesn't fit the script fails the test"
    )]
    pub fn run<T>(self, plugin: impl FnOnce() -> T) -> Run<T> {
        /// Removes the host even if the plug-in panics, so that no later test finds it.
        struct Installed;
        impl Drop for Installed {
            fn drop(&mut self) {
                CURRENT.with_borrow_mut(Option::take);
            }
        }
        CURRENT.with_borrow_mut(|current| *current = Some(self));
        let installed = Installed;
        let output = plugin();
        let host = CURRENT.with_borrow_mut(Option::take).unwrap_or_default();
        drop(installed);
        let mut faults = host.faults;
        faults.extend(host.exchanges.iter().flatten().map(|(expect, _)| {
            format!(
                "not sent: {} {} {}",
                expect.method,
                expect.url,
                describe(expect.body.as_ref())
            )
        }));
        if !faults.is_empty() {
            panic!(
                "the requests do not fit the script:\n  {}",
                faults.join("\n  ")
            );
        }
        let Record {
            requests,
            calls,
            logs,
            stages,
            reports,
            artifacts,
        } = host.record;
        Run {
            output,
            requests,
            calls,
            logs,
            stages,
            reports,
            artifacts,
        }
    }

    fn send(&mut self, request: &Request) -> Result<Response, Failure> {
        self.record.requests.push(request.clone());
        let found = self
            .exchanges
            .iter_mut()
            .find(|slot| {
                slot.as_ref()
                    .is_some_and(|(expect, _)| expect.matches(request))
            })
            .and_then(Option::take);
        let Some((_, answer)) = found else {
            let body = request.body.as_deref().map(String::from_utf8_lossy);
            self.faults.push(format!(
                "not answered: {} {} {}",
                request.method,
                request.url,
                body.unwrap_or_default()
            ));
            return Err(Failure::internal(
                "no_scripted_answer",
                "The test has no answer to this request.",
            ));
        };
        self.receipts += 1;
        answer.deliver(request, format!("rcpt_test_{:02}", self.receipts))
    }
}

fn describe(body: Option<&Value>) -> String {
    body.map(Value::to_string).unwrap_or_default()
}

#[expect(
    clippy::panic,
    reason = "plug-in code that runs outside of a test host is a mistake in a test"
)]
fn with<T>(action: impl FnOnce(&mut Host) -> T) -> T {
    CURRENT.with_borrow_mut(|current| match current {
        Some(host) => action(host),
        None => panic!("natively, plug-in code runs inside gtm_sdk::testing::Host::run"),
    })
}

pub(crate) fn log_write(level: Level, message: &str) {
    with(|host| host.record.logs.push((level, message.to_owned())));
}

pub(crate) fn context_settings() -> String {
    with(|host| match &host.settings {
        Some(settings) => settings.to_string(),
        None => "{}".to_owned(),
    })
}

pub(crate) fn context_now_ms() -> u64 {
    with(|host| host.now_ms)
}

pub(crate) fn deadline_time_left_ms() -> u64 {
    with(|host| host.time_left_ms.unwrap_or(30_000))
}

pub(crate) fn http_send(request: &Request) -> Result<Response, Failure> {
    with(|host| host.send(request))
}

pub(crate) fn http_send_all(requests: &[Request]) -> Vec<Result<Response, Failure>> {
    with(|host| requests.iter().map(|request| host.send(request)).collect())
}

pub(crate) fn http_open(request: &Request) -> Result<(Head, BodyReader), Failure> {
    let response = http_send(request)?;
    let head = Head {
        status: response.status,
        headers: response.headers,
        final_url: response.final_url,
        receipt_id: response.receipt_id,
    };
    Ok((head, BodyReader(response.body.into())))
}

#[derive(Debug)]
pub(crate) struct BodyReader(VecDeque<u8>);

impl BodyReader {
    pub(crate) fn read(&mut self, max_bytes: u32) -> Result<Option<Vec<u8>>, Failure> {
        let length = self
            .0
            .len()
            .min(usize::try_from(max_bytes).unwrap_or(usize::MAX));
        let bytes: Vec<u8> = self.0.drain(..length).collect();
        Ok((!bytes.is_empty()).then_some(bytes))
    }
}

pub(crate) fn capabilities_invoke(calls: &[Call]) -> Vec<Result<Value, Failure>> {
    calls
        .iter()
        .map(|call| {
            // The function is removed while it runs, so that it may use the wrappers itself.
            let serve = with(|host| {
                host.record.calls.push(call.clone());
                host.capabilities.remove(&call.capability)
            });
            let Some(mut serve) = serve else {
                return Err(Failure::denied(
                    "capability_not_bound",
                    format!("Nothing serves {}.", call.capability),
                ));
            };
            let answer = serve(&call.input);
            with(|host| host.capabilities.insert(call.capability.clone(), serve));
            answer
        })
        .collect()
}

pub(crate) fn capabilities_bound(capability: &str) -> bool {
    with(|host| host.capabilities.contains_key(capability))
}

pub(crate) fn progress_stage(key: &str, status: StageStatus) {
    with(|host| host.record.stages.push((key.to_owned(), status)));
}

pub(crate) fn progress_report(percent: u8, milestone: Option<&str>) {
    with(|host| {
        host.record
            .reports
            .push((percent, milestone.map(str::to_owned)))
    });
}

pub(crate) fn progress_canceled() -> bool {
    with(|host| host.canceled)
}

pub(crate) fn assets_names() -> Vec<String> {
    with(|host| host.assets.keys().cloned().collect())
}

pub(crate) fn assets_read(name: &str) -> Option<Asset> {
    with(|host| host.assets.get(name).cloned())
}

pub(crate) fn artifacts_create(
    filename: &str,
    media_type: &str,
) -> Result<ArtifactWriter, Failure> {
    Ok(ArtifactWriter(Artifact {
        filename: filename.to_owned(),
        media_type: media_type.to_owned(),
        bytes: Vec::new(),
    }))
}

#[derive(Debug)]
pub(crate) struct ArtifactWriter(Artifact);

impl ArtifactWriter {
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.0.bytes.extend_from_slice(bytes);
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<(), Failure> {
        with(|host| host.record.artifacts.push(self.0));
        Ok(())
    }
}
