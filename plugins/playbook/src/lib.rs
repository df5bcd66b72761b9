//! The generation backend for playbooks (issue item 10, annex A3).
//!
//! Lives here: research of a target company through the host's capabilities, and a playbook draft in
//! which every claim names the words that carry it — written by a model from numbered excerpts, or
//! chosen from the site's own sentences where no model is bound.
//!
//! Does not live here: reading of pages (connector `web-fetch`), talking to models (connectors of
//! `model.complete`), and the judgement of evidence, which is the host's alone.
#![forbid(unsafe_code)]

pub mod boilerplate;
pub mod dates;
pub mod draft;
pub mod evidence;
pub mod facts;
pub mod failure;
pub mod generate;
pub mod host;
pub mod identity;
pub mod instructions;
pub mod language;
pub mod page;
pub mod quotes;
pub mod request;
pub mod research;
pub mod roles;
pub mod salience;
pub mod sentences;
pub mod settings;
pub mod site;
pub mod words;
pub mod writing;

use gtm_sdk::{Failure, GenerationBackend, Value, capabilities, context, log, progress};

use host::{Call, Host, StageStatus};

/// The backend as the component exports it.
#[derive(Debug, Clone, Copy)]
pub struct Playbook;

impl GenerationBackend for Playbook {
    fn generate(task: &str, input: Value) -> Result<Value, Failure> {
        generate::generate(&SdkHost, task, input)
    }
}

gtm_sdk::generation_backend!(Playbook);

/// The host behind the SDK.
struct SdkHost;

impl Host for SdkHost {
    fn invoke(&self, calls: &[Call]) -> Vec<Result<Value, Failure>> {
        let calls: Vec<capabilities::Call> = calls
            .iter()
            .map(|call| capabilities::Call::new(call.capability, call.input.clone()))
            .collect();
        capabilities::invoke_all(&calls)
    }

    fn bound(&self, capability: &str) -> bool {
        capabilities::bound(capability)
    }

    fn stage(&self, key: &str, status: StageStatus) {
        progress::stage(key, status);
    }

    fn report(&self, percent: u8, milestone: &str) {
        progress::report(percent, Some(milestone));
    }

    fn canceled(&self) -> bool {
        progress::canceled()
    }

    fn note(&self, message: &str) {
        log::info(message);
    }

    fn settings(&self) -> Result<Value, Failure> {
        context::settings()
    }

    fn now_ms(&self) -> u64 {
        context::now_ms()
    }
}
