//! `people-data-labs`: serves `company.enrich` with People Data Labs' company enrichment.
//!
//! Lives here: the request, what of a company's record is a fact of the contract, and what refusals
//! mean. Does not live here: people (there is no contract for them yet), the key and its meter, which
//! are the host's, and whether it is the right company, which the backend tells from the domain.
#![forbid(unsafe_code)]

mod enrich;
mod record;
mod refusal;

use gtm_sdk::{Connector, Failure, Value};

/// The connector.
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
