//! The generation backend for playbooks (issue item 10, annex A3).
//!
//! Lives here: research of a target company through the host's capabilities, and a playbook draft in
//! which every claim names the words that carry it — written by a model from numbered excerpts, or
//! chosen from the site's own sentences where no model is bound.
//!
//! Does not live here: how a site is read and a model's answer checked (`gtm-site-research`), reading of pages (connector `web-fetch`), talking to models (connectors of
//! `model.complete`), and the judgement of evidence, which is the host's alone.
#![forbid(unsafe_code)]

pub mod draft;
pub mod generate;
pub mod quotes;
pub mod request;
pub mod research;
pub mod salience;
pub mod settings;
pub mod writing;

use gtm_sdk::{Failure, GenerationBackend, Value};
use gtm_site_research::host::SdkHost;

/// The backend as the component exports it.
#[derive(Debug, Clone, Copy)]
pub struct Playbook;

impl GenerationBackend for Playbook {
    fn generate(task: &str, input: Value) -> Result<Value, Failure> {
        generate::generate(&SdkHost, task, input)
    }
}

gtm_sdk::generation_backend!(Playbook);
