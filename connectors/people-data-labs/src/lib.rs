//! `people-data-labs`: serves `company.enrich` with People Data Labs' company enrichment.
//!
//! It builds the request, decides which members of a company's record are facts of the contract, and
//! interprets refusals. People are not covered (there is no contract for them yet). The key and its meter
//! belong to the host, and whether it is the right company is for the backend to tell from the domain.
#![forbid(unsafe_code)]

mod enrich;
mod record;
mod refusal;

use gtm_sdk::{Connector, Failure, Value};

#[derive(Debug)]
pub struct PeopleDataLabs;

impl Connector for PeopleDataLabs {
    fn invoke(operation: &str, input: Value) -> Result<Value, Failure> {
        match operation {
            "enrich_company" => enrich::enrich_company(input),
            other => Err(Failure::invalid_input(
                "unknown_operation",
                format!("There is no operation {other:?}."),
            )),
        }
    }
}

gtm_sdk::connector!(PeopleDataLabs);
