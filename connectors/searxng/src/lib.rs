//! `searxng`: serves `web.search` with your own SearXNG instance.
//!
//! It has SearXNG's parameters and JSON, and interprets its refusals. Which engines are asked is up to the
//! instance, retries are up to the host, and what is searched for is up to the backend.
#![forbid(unsafe_code)]

mod answer;
mod query;
mod refusal;
mod search;

use gtm_sdk::{Connector, Failure, Value};

#[derive(Debug)]
pub struct Searxng;

impl Connector for Searxng {
    fn invoke(operation: &str, input: Value) -> Result<Value, Failure> {
        match operation {
            "search" => search::search(input),
            other => Err(Failure::invalid_input(
                "unknown_operation",
                format!("There is no operation {other:?}."),
            )),
        }
    }
}

gtm_sdk::connector!(Searxng);
