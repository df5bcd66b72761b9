//! `gtm prospecting search`, and the values of its options.

use clap::ValueEnum;
use gtm_domain::prospecting::search::{SearchCountry, SearchInput};
use gtm_domain::{KeyRecordId, ProjectId};
use gtm_engine::{PeopleSearchError, search_country};

use super::view::job_json;
use crate::commands::owner::require_project;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields};

/// A decision about a candidate.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Decided {
    /// Worth writing to.
    Accepted,
    /// Not to be written to.
    Rejected,
}

/// Reads a country's code.
pub(super) fn parse_country(text: &str) -> Result<SearchCountry, String> {
    search_country(text).ok_or_else(|| "it must be a country such as GB or DE".to_owned())
}

/// Creates the job.
///
/// # Errors
/// If there is no such project, or the search cannot be made.
pub(super) async fn run(
    project: ProjectId,
    key: Option<KeyRecordId>,
    search: &SearchInput,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    require_project(&operator, Some(project)).await?;
    let engine = installation.engine(installation.start_recording_runtime().await?)?;
    let job = engine
        .create_people_search(&operator, project, key, search)
        .await
        .map_err(|error| no_search(error, project))?;
    output.print(&job_json(&job), || {
        let told = fields(&[
            ("job", job.id.to_string()),
            ("status", job.status.as_str().to_owned()),
            ("may cost", job.reserved.to_string()),
            ("expires", job.expires_at.to_string()),
        ]);
        let id = job.id;
        format!("{told}\n`gtm prospecting show {id}` shows its candidates when it has ended")
    })
}

/// Why there is no search, with what mends it.
fn no_search(error: PeopleSearchError, project: ProjectId) -> Failure {
    let hint = match &error {
        PeopleSearchError::NotBound => format!(
            "`gtm connector list` shows what serves people.search; \
             `gtm binding create --project {project} --capability people.search --connection CONN` binds a connection"
        ),
        PeopleSearchError::Unusable { .. } => {
            "`gtm connection list` shows the state of connections".to_owned()
        }
        PeopleSearchError::NoPrice(_) => {
            "`gtm connection update CONN --settings-json '{\"prices\": {\"per_record_usd\": 0.28}}'` sets it; the price is an example".to_owned()
        }
        PeopleSearchError::OverCap { .. } => "a lower --limit costs less".to_owned(),
        PeopleSearchError::Store(_) | PeopleSearchError::Create(_) => {
            "`gtm key list` shows the project's keys, `gtm quota list` its quotas, `gtm credit show` the credit"
                .to_owned()
        }
        PeopleSearchError::Engine(_) => return Failure::new(error.to_string()),
    };
    let failure = match error {
        PeopleSearchError::Store(store) => Failure::from(store),
        error => Failure::new(error.to_string()),
    };
    failure.hint(hint)
}
