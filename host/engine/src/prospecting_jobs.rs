//! Creating a job in which a connector searches for people: on the operator's side, bound to a connection when it is
//! created. What would let it fail for certain is refused here, because the operator is still there to mend it.

use gtm_domain::connection::ConnectionStatus;
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::Job;
use gtm_domain::prospecting::search::{SearchCountry, SearchInput};
use gtm_domain::{JobType, KeyRecordId, MicroUsd, ProjectId};
use gtm_lexicon::countries::Country;
use gtm_store::{Operator, ProjectScope, StoreError};

use crate::create::CreateError;
use crate::engine::Engine;
use crate::error::EngineError;
use crate::pins::{PinnedConnection, Pins};
use crate::spend::{PEOPLE_SEARCH, Price};

/// Why no search was created.
#[derive(Debug, thiserror::Error)]
pub enum PeopleSearchError {
    #[error("no connection is bound to people.search for this project")]
    NotBound,
    /// The connection that is bound is switched off, or lacks a credential or a setting.
    #[error("the connection to {connector} that is bound to people.search cannot be used: {why}")]
    Unusable { connector: String, why: String },
    #[error(
        "the price of a search is not known: the connection to {0} has no setting prices.per_record_usd"
    )]
    NoPrice(String),
    #[error("the search may cost {ceiling}, and a job may cost {cap} (engine.job_cost_cap_usd)")]
    OverCap { ceiling: MicroUsd, cap: MicroUsd },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Create(#[from] CreateError),
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// The country with an alpha-2 code, in any case, as searches name it.
#[must_use]
pub fn search_country(code: &str) -> Option<SearchCountry> {
    let country = Country::of_code(&code.trim().to_uppercase())?;
    Some(SearchCountry {
        code: country.code.to_owned(),
        name: country.name_in("en")?.to_owned(),
    })
}

impl Engine {
    /// Creates a job of the project that searches for people and makes candidates of them. It is charged to a key of
    /// the project: the given one, or the newest that is active.
    ///
    /// # Errors
    /// If no usable connection is bound, its price is unknown or over a job's cap, or the store refuses.
    pub async fn create_people_search(
        &self,
        operator: &Operator,
        project: ProjectId,
        key: Option<KeyRecordId>,
        search: &SearchInput,
    ) -> Result<Job, PeopleSearchError> {
        let scope = operator.charged_scope(project, key).await?;
        let input = serde_json::to_value(search)
            .map_err(|error| EngineError::shape("people search input", error))?;
        let answer = |_: &Job| StoredAnswer::none();
        let new = self
            .prepare(&scope, JobType::Prospecting, input, None, answer)
            .await?;
        let pins = Pins::from_value(&new.pins)?;
        let bound = self.usable(&scope, &pins).await?;
        let settings = &bound.connector.settings;
        let billable = self.is_billable(bound)?;
        let ceiling = Price::of(PEOPLE_SEARCH, billable, settings)
            .ceiling(&search.call(), settings)
            .ok_or_else(|| PeopleSearchError::NoPrice(bound.connector.key.clone()))?;
        if ceiling > new.cost_cap {
            let cap = new.cost_cap;
            return Err(PeopleSearchError::OverCap { ceiling, cap });
        }
        Ok(operator.create_prospecting_job(&scope, new).await?)
    }

    /// The pinned connection, if it can be used now.
    async fn usable<'p>(
        &self,
        scope: &ProjectScope,
        pins: &'p Pins,
    ) -> Result<&'p PinnedConnection, PeopleSearchError> {
        let bindings = self.store().resolve_bindings(scope).await?;
        let row = bindings
            .get(PEOPLE_SEARCH)
            .and_then(|effective| effective.connection.as_ref())
            .ok_or(PeopleSearchError::NotBound)?;
        let unusable = |why: &str| PeopleSearchError::Unusable {
            connector: row.provider_key.clone(),
            why: why.to_owned(),
        };
        if row.status != ConnectionStatus::Configured {
            return Err(unusable("it is not configured, or it is disabled"));
        }
        let lacking = pins.lacking(PEOPLE_SEARCH).join(", ");
        let pinned = pins.connections.get(PEOPLE_SEARCH);
        pinned.ok_or_else(|| unusable(&format!("it lacks {lacking}")))
    }

    /// Whether the provider charges for the call.
    fn is_billable(&self, bound: &PinnedConnection) -> Result<bool, PeopleSearchError> {
        let identity = bound.connector.identity();
        let facts = identity.and_then(|it| self.connectors().operation(&it, PEOPLE_SEARCH));
        let facts = facts.ok_or_else(|| PeopleSearchError::Unusable {
            connector: bound.connector.key.clone(),
            why:
                "the catalog does not have its version, or that version does not search for people"
                    .to_owned(),
        })?;
        Ok(facts.billable)
    }
}
