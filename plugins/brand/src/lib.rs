//! The generation backend for brand guidelines (annex A2).
//!
//! This crate decides which pages of a brand's site to read, takes facts from them, and builds a guideline
//! draft in which every claim names the words or bytes that carry it. With a model bound, it also drafts the
//! parts that a model writes from numbered excerpts.
//!
//! It does not read sites or check a model's answers (`gtm-site-research`), analyze stylesheets, markup and
//! prose (`gtm-site-signals`, which the host runs again on the stored bytes), or fetch pages (connector
//! `web-fetch`). Only the host judges evidence.
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
