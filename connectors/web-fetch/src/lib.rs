//! `web-fetch`: reads one public page for the capability `web.fetch`.
//!
//! It asks robots.txt, fetches, and converts an answer to the contract's output. What "the text of a page"
//! is (`gtm-page-text`), that of a document's file (`gtm-file-text`) and what its bytes show of the company's looks (`gtm-site-signals`) are shared with
//! the host; network rules belong to the host's egress gate.
#![forbid(unsafe_code)]

mod document;
mod fetch;
mod main_text;
mod markup;
mod page;
mod robots;
mod signals;

use gtm_sdk::{Connector, Failure, Value};

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
