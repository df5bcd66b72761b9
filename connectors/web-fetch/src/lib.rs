//! `web-fetch`: reads one public page for the capability `web.fetch`.
//!
//! Lives here: asking robots.txt, fetching, and turning an answer into the contract's output.
//! Does not live here: what "the text of a page" is (`gtm-page-text`), what its bytes show of the
//! company's looks (`gtm-site-signals`), both of which the host shares, and any network rule (the host's egress gate).
#![forbid(unsafe_code)]

mod fetch;
mod language;
mod main_text;
mod markup;
mod page;
mod robots;
mod signals;

use gtm_sdk::{Connector, Failure, Value};

/// The connector.
#[derive(Debug)]
pub struct WebFetch;

impl Connector for WebFetch {
    fn invoke(operation: &str, input: Value) -> Result<Value, Failure> {
        match operation {
            "fetch" => fetch::fetch(input),
            other => Err(Failure::invalid_input(
                "unknown_operation",
                format!("There is no operation {other:?}."),
            )),
        }
    }
}

gtm_sdk::connector!(WebFetch);
