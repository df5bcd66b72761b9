//! The generation backend for documents (issue item 12).
//!
//! From a brief, a guideline, an offer, a company's site and reference documents it makes the draft of a document: sections
//! or slides of `gtm.doc/1`, with the sources that they cite. A model writes it from numbered excerpts; without a model, it
//! is composed of what is given.
//!
//! How a document looks belongs to the host (theme) and to the renderers (pages); the host alone judges evidence.
#![forbid(unsafe_code)]

pub mod brief;
mod capital;
pub mod chapter;
pub mod compose;
pub mod draft;
pub mod form;
pub mod format;
pub mod generate;
pub mod kind;
pub mod labels;
pub mod language;
pub mod material;
pub mod milestones;
pub mod read;
pub mod request;
pub mod runs;
pub mod sender;
pub mod settings;
pub mod sources;
pub mod writing;

use gtm_sdk::{Failure, GenerationBackend, Value};
use gtm_site_research::host::SdkHost;

/// The backend that the component exports.
#[derive(Debug, Clone, Copy)]
pub struct DocumentBackend;

impl GenerationBackend for DocumentBackend {
    fn generate(task: &str, input: Value) -> Result<Value, Failure> {
        generate::generate(&SdkHost, task, input)
    }
}

gtm_sdk::generation_backend!(DocumentBackend);
