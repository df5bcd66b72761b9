//! The generation backend for message templates (annex A4 and A6): one round of writing, with one model call.
//!
//! It asks a model for the copy of a first e-mail and returns it as a draft. The blocks that have only one legal
//! form (signature, postal identity, notices) are added here, so that no model can get them wrong. Whether the
//! draft is good is decided by the host, which checks and scores it and may ask again with what failed.
//!
//! Not here: the rules of the structure and of rendering (`host/domain`), the rubric (`evidence/check`), the
//! judge (`plugins/judge-message`).
#![forbid(unsafe_code)]

pub mod context;
pub mod draft;
pub mod fixed_blocks;
pub mod generate;
pub mod instructions;
pub mod missing;
pub mod offer;
pub mod placeholders;
pub mod request;
pub mod response_form;
pub mod settings;

use gtm_sdk::{Failure, GenerationBackend, Value};
use gtm_site_research::host::SdkHost;

/// The backend that the component exports.
#[derive(Debug, Clone, Copy)]
pub struct MessageTemplate;

impl GenerationBackend for MessageTemplate {
    fn generate(task: &str, input: Value) -> Result<Value, Failure> {
        generate::generate(&SdkHost, task, input)
    }
}

gtm_sdk::generation_backend!(MessageTemplate);
