//! `openai-compatible`: serves `model.complete` with any server that speaks OpenAI's chat
//! completions: OpenAI itself, hosted look-alikes, llama.cpp, vLLM, Ollama.
//!
//! Lives here: the wire format of chat completions, structured output and its bounded repair, the
//! mapping of usage and errors. Does not live here: retries, prices and the key, which are the
//! host's, and what is asked of a model, which is the backend's.
#![forbid(unsafe_code)]

mod answer;
mod complete;
mod error;
mod request;
mod settings;
mod structure;
mod usage;

use gtm_sdk::{Connector, Failure, Value};

/// The connector.
#[derive(Debug)]
pub struct OpenAiCompatible;

impl Connector for OpenAiCompatible {
    fn invoke(operation: &str, input: Value) -> Result<Value, Failure> {
        match operation {
            "complete" => complete::complete(input),
            other => Err(Failure::invalid_input(
                "unknown_operation",
                format!("There is no operation {other:?}."),
            )),
        }
    }
}

gtm_sdk::connector!(OpenAiCompatible);
