//! The generation backend for brand guidelines (annex A2).
//!
//! This crate decides which pages of a brand's site to read and builds a guideline draft in which every claim
//! names the words or bytes that carry it: facts, styles, voice, and with a model bound the parts that it writes
//! from numbered excerpts.
//!
//! It does not read sites (`gtm-site-research`) or the facts on their pages (`gtm-site-facts`), check a model's
//! answers (`gtm-writing`), analyze stylesheets, markup and
//! prose (`gtm-site-signals`, which the host runs again on the stored bytes), or fetch pages (connector
//! `web-fetch`). Only the host judges evidence.
#![forbid(unsafe_code)]

pub mod generate;
pub mod plan;
pub mod request;
pub mod research;
pub mod settings;
pub mod visual;
pub mod voice;
pub mod writing;

pub use gtm_site_facts::{company_data, conflicts, draft, facts, organization, site, styled};

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
