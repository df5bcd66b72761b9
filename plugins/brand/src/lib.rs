//! The generation backend for brand guidelines (annex A2).
//!
//! Lives here: which pages of a brand's site are read, which facts are told from them, and a guideline draft in
//! which every claim names the words or the bytes that carry it; with a model bound, also the parts that a
//! model writes from numbered excerpts.
//!
//! Does not live here: how a site is read and a model's answer checked (`gtm-site-research`), what stylesheets,
//! markup and prose show (`gtm-site-signals`, which the host uses again on the stored bytes), reading of pages
//! (connector `web-fetch`), and the judgement of evidence, which is the host's alone.
#![forbid(unsafe_code)]

pub mod company_data;
pub mod conflicts;
pub mod draft;
pub mod facts;
pub mod generate;
pub mod organization;
pub mod plan;
pub mod request;
pub mod research;
pub mod settings;
pub mod site;
pub mod styled;
pub mod visual;
pub mod voice;
pub mod writing;

use gtm_sdk::{Failure, GenerationBackend, Value};
use gtm_site_research::host::SdkHost;

/// The backend as the component exports it.
#[derive(Debug, Clone, Copy)]
pub struct Brand;

impl GenerationBackend for Brand {
    fn generate(task: &str, input: Value) -> Result<Value, Failure> {
        generate::generate(&SdkHost, task, input)
    }
}

gtm_sdk::generation_backend!(Brand);
