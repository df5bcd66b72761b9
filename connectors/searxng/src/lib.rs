//! `searxng`: serves `web.search` with a SearXNG instance of one's own.
//!
//! Lives here: SearXNG's parameters and JSON, and what its refusals mean. Does not live here: which
//! engines it asks, which is the instance's matter; retries, which are the host's; and what is searched
//! for, which is the backend's.
#![forbid(unsafe_code)]

mod answer;
mod query;
mod refusal;
mod search;

use gtm_sdk::{Connector, Failure, Value};

/// The connector.
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
