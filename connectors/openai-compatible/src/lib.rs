//! `openai-compatible`: serves `model.complete` with any server that speaks OpenAI's chat
//! completions: OpenAI itself, hosted look-alikes, llama.cpp, vLLM, Ollama.
//!
//! It has the wire format of chat completions, structured output with its bounded repair, and the mapping
//! of usage and errors. Retries, prices and the key belong to the host, and what a model is asked belongs
//! to the backend.
#![forbid(unsafe_code)]

mod answer;
mod complete;
mod error;
mod request;
mod settings;
mod structure;
mod usage;

use gtm_sdk::{Connector, Failure, Value};

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
