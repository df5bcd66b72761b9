//! The generation backend for playbooks (issue item 10, annex A3).
//!
//! It researches a target company through the host's capabilities, and drafts a playbook in which every
//! claim names the words that support it. A model writes it from numbered excerpts; without a model, it
//! consists of the site's own sentences.
//!
//! How a site is read and a model's answer checked is in `gtm-site-research`; pages are read by the
//! connector `web-fetch`, models called by the connectors of `model.complete`, and evidence judged by the
//! host alone.
#![forbid(unsafe_code)]

pub mod draft;
pub mod generate;
pub mod offer;
pub mod quotes;
pub mod request;
pub mod research;
pub mod salience;
pub mod searches;
pub mod seller;
pub mod settings;
pub mod unread;
pub mod writing;

use gtm_sdk::{Failure, GenerationBackend, Value};
use gtm_site_research::host::SdkHost;

/// The backend that the component exports.
#[derive(Debug, Clone, Copy)]
pub struct Playbook;

impl GenerationBackend for Playbook {
    fn generate(task: &str, input: Value) -> Result<Value, Failure> {
        generate::generate(&SdkHost, task, input)
    }
}

gtm_sdk::generation_backend!(Playbook);
