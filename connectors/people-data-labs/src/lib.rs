//! `people-data-labs`: serves `company.enrich` and `people.search` with People Data Labs.
//!
//! It builds the requests, decides which members of a record are facts of the contracts, and interprets
//! refusals. The key and its meter belong to the host. Whether it is the right company is for the backend to
//! tell from the domain; what becomes of a person is the host's business.
#![forbid(unsafe_code)]

mod enrich;
mod person;
mod record;
mod refusal;
mod search;
mod texts;

use gtm_sdk::{Connector, Failure, Value};

#[derive(Debug)]
pub struct PeopleDataLabs;

impl Connector for PeopleDataLabs {
    fn invoke(operation: &str, input: Value) -> Result<Value, Failure> {
        match operation {
            "enrich_company" => enrich::enrich_company(input),
            "search_people" => search::search_people(search::ENDPOINT, input),
            other => Err(Failure::invalid_input(
                "unknown_operation",
                format!("There is no operation {other:?}."),
            )),
        }
    }
}

gtm_sdk::connector!(PeopleDataLabs);
