//! Prospecting jobs in which a connector searches for people. The host itself asks it, once, through the journal, and
//! makes candidates of what the answer's bytes say. (Imported candidates are stored as a job that has ended; no run
//! makes them.)

use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use gtm_domain::job::{Product, ProductKind};
use gtm_domain::outcome_ledger::LedgerSubject;
use gtm_domain::prospecting::import::counted;
use gtm_domain::prospecting::search::{FoundPeople, SEARCH, SearchInput, Told, candidates};
use gtm_domain::prospecting::{ImportedCandidate, SearchResult};
use gtm_domain::receipt::Receipt;
use gtm_domain::{Digest, Failure, FailureKind, JobErrorCode, JobType, Timestamp, Usage};
use gtm_lexicon::countries;
use gtm_runtime::{BackendHost as _, CapabilityCall, PluginError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::backend::{host_parts, made_every_call, output, settled};
use super::checking::off_the_event_loop;
use super::cited::{fault, unreadable};
use super::observation::{Recorded, record};
use super::{JobRun, JobTypeEntry};
use crate::ending::Ending;
use crate::job_error;
use crate::journal::JournaledHost;
use crate::plan::{Plan, PlannedCall};
use crate::spend::PEOPLE_SEARCH;

const DAY: Duration = Duration::from_secs(86_400);

/// The table entry of prospecting jobs.
pub const ENTRY: JobTypeEntry = JobTypeEntry {
    job_type: JobType::Prospecting,
    product: ProductKind::Candidates,
    plan,
    run: |job| run(job).boxed(),
    volatile: &[],
    replayable: |input| match is_search(input) {
        true => Ok(()),
        false => Err("its candidates were imported, not computed"),
    },
};

/// Whether an input is that of a search.
fn is_search(input: &Value) -> bool {
    input.get("operation").and_then(Value::as_str) == Some(SEARCH)
}

/// What a search needs: a connection for its one call. An import needs nothing.
fn plan(input: &Value) -> Plan {
    let search = SearchInput::deserialize(input).ok();
    let call = search
        .filter(|_| is_search(input))
        .map(|search| PlannedCall {
            capability: PEOPLE_SEARCH,
            input: search.call(),
        });
    Plan {
        may_cost: call.is_some(),
        calls: call.into_iter().collect(),
        ..Plan::default()
    }
}

async fn run(mut run: JobRun) -> (Ending, Usage) {
    let search = match SearchInput::deserialize(&run.job.input) {
        Ok(search) if is_search(&run.job.input) => search,
        Ok(_) | Err(_) => {
            let ending = fault(&run, &"the stored input is no search");
            return (ending, Usage::default());
        }
    };
    if !run.pins.connections.contains_key(PEOPLE_SEARCH) {
        let lacking = run.pins.lacking(PEOPLE_SEARCH);
        let error = job_error::connector_not_configured(PEOPLE_SEARCH, lacking);
        return (Ending::Failed(error), Usage::default());
    }
    let host = JournaledHost::new(host_parts(&mut run, [PEOPLE_SEARCH.to_owned()].into()));
    let answered = asked(&run, &search, &host).await;
    let usage = host.usage();
    let ending = match answered {
        Ok(answer) => made(&mut run, &search, answer, &host).await,
        Err(ending) => Err(ending),
    };
    (ending.unwrap_or_else(|ending| ending), usage)
}

/// Asks the connector, or the journal if it has the answer.
async fn asked(run: &JobRun, search: &SearchInput, host: &JournaledHost) -> Result<Value, Ending> {
    let calls = vec![CapabilityCall {
        capability: PEOPLE_SEARCH.to_owned(),
        input: search.call(),
    }];
    let answer = tokio::select! {
        answers = host.invoke(calls) => match answers {
            Ok(answers) => match answers.into_iter().next() {
                Some(answer) => answer.map_err(|failure| PluginError::Failure(told(failure))),
                None => Err(PluginError::Failure(told(Failure::new(
                    FailureKind::Internal,
                    "no_answer",
                    "the call has no answer",
                )))),
            },
            Err(abort) => Err(PluginError::Aborted(abort.0)),
        },
        () = run.stop.cut_and_noticed() => Err(PluginError::Canceled),
    };
    settled(run, host).await;
    let answer = output(run, answer, host)?;
    made_every_call(host)?;
    Ok(answer)
}

/// A connector's failure under the code of what failed: there is no backend here that could have.
fn told(failure: Failure) -> Failure {
    let code = match (failure.kind, failure.code.as_str()) {
        // A connector that claims a backend's code is not believed.
        (_, code) if JobErrorCode::claimed(code).is_some() => JobErrorCode::ConnectorError,
        // Credentials, quotas and what the host itself refused have codes of their own.
        (FailureKind::Unauthorized | FailureKind::CredentialMissing | FailureKind::Quota, _)
        | (
            FailureKind::Denied,
            "capability_not_bound"
            | "capability_not_declared"
            | "robots_disallowed"
            | "private_address"
            | "host_not_allowed"
            | "scheme_not_allowed",
        ) => return failure,
        (FailureKind::Upstream, code) if code.starts_with("invalid_") => {
            JobErrorCode::ConnectorInvalidResponse
        }
        (FailureKind::RateLimited | FailureKind::Timeout | FailureKind::Upstream, _) => {
            JobErrorCode::ConnectorUnavailable
        }
        _ => JobErrorCode::ConnectorError,
    };
    // A plug-in's detail may be any value.
    let mut detail = match failure.detail {
        Some(Value::Object(detail)) => detail,
        _ => Map::new(),
    };
    detail.insert("capability".to_owned(), json!(PEOPLE_SEARCH));
    detail.insert("failure_code".to_owned(), json!(failure.code));
    // DANGER: the connector's own words may hold what it was answered, and they go to the host's log.
    let message = "The connector could not search for people.";
    Failure::new(failure.kind, code.as_str(), message).with_detail(Value::Object(detail))
}

/// Makes candidates of the answer.
async fn made(
    run: &mut JobRun,
    search: &SearchInput,
    answer: Value,
    host: &JournaledHost,
) -> Result<Ending, Ending> {
    let found = FoundPeople::deserialize(answer).map_err(|error| {
        tracing::info!(%error, "the connector's answer is none of people.search");
        unusable("The connector's answer is not a list of people.")
    })?;
    let returned = found.people.len() as u64;
    let (receipt, bytes) = received(run, &found, host).await?;
    let recorded: Recorded<Observed> = Recorded::of(run)?;
    let synthetic = match recorded.known() {
        Some(known) => known.synthetic,
        None => is_synthetic(run)?,
    };
    let (limit, expires_at) = (usize::from(search.limit), expiry(run, search));
    let (mut all, mut left_out) = off_the_event_loop(run, move |_| {
        let told = Told {
            answer: &bytes,
            digest: receipt.digest,
            url: &receipt.url,
            retrieved_at: receipt.at,
            synthetic,
            expires_at,
        };
        candidates(&found, limit, &told, &code_of)
    })
    .await?;
    left_out.suppressed = leave_out_suppressed(run, recorded, synthetic, &mut all).await?;
    let result = SearchResult {
        counts: counted(&all),
        found: returned,
        left_out,
    };
    Ok(Ending::Succeeded {
        result: serde_json::to_value(result).map_err(|error| fault(run, &error))?,
        product: Product::Candidates(all),
    })
}

/// How a job ends whose connector answered something else than people.
fn unusable(message: &str) -> Ending {
    let details = json!({ "capability": PEOPLE_SEARCH });
    let code = JobErrorCode::ConnectorInvalidResponse;
    Ending::Failed(job_error::error(code, message, Some(details)))
}

/// What a receipt says of the exchange.
struct Exchange {
    digest: Digest,
    url: String,
    at: Timestamp,
}

/// The exchange in which the people were found, with its bytes. DANGER: a connector could name any receipt; only one
/// of this job's own call counts, which the gate let through and whose server did what was asked: a refusal, a redirect or
/// a page about a fault says of nobody that the provider has them. That it has nobody may be said with a 404.
async fn received(
    run: &JobRun,
    found: &FoundPeople,
    host: &JournaledHost,
) -> Result<(Exchange, Bytes), Ending> {
    let unproven = || unusable("The connector's answer does not say where it comes from.");
    let receipts = run.reader.receipts().await.map_err(unreadable)?;
    let named = receipts.into_iter().find(|row| {
        row.receipt.id.to_string() == found.receipt_id && host.cited(row.seq).is_some()
    });
    let receipt: Receipt = named.ok_or_else(unproven)?.receipt;
    let is_success = receipt.is_success() || found.people.is_empty();
    if !receipt.was_allowed() || !is_success {
        return Err(unproven());
    }
    let digest = receipt.response_digest.ok_or_else(unproven)?;
    let bytes = run.reader.bytes(&receipt).await.map_err(unreadable)?;
    let bytes = bytes.ok_or_else(unproven)?;
    let exchange = Exchange {
        digest,
        // A query may hold what was asked for, and no more than its address is needed.
        url: without_query(&receipt.url),
        at: Timestamp::from_millis(receipt.at.millis()),
    };
    Ok((exchange, bytes))
}

fn without_query(url: &str) -> String {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    url[..end].to_owned()
}

/// Whether the pinned connector makes up what it answers.
fn is_synthetic(run: &JobRun) -> Result<bool, Ending> {
    let pinned = run.pins.connections.get(PEOPLE_SEARCH);
    let pinned = pinned.ok_or_else(|| fault(run, &"the connection is not pinned"))?;
    let gone = || Ending::Failed(job_error::connector_gone(&pinned.connector));
    let identity = pinned.connector.identity().ok_or_else(gone)?;
    let facts = run.plugins.connectors.operation(&identity, PEOPLE_SEARCH);
    Ok(facts.ok_or_else(gone)?.synthetic)
}

/// Counted from the job's first start, so that every run finds the same.
fn expiry(run: &JobRun, search: &SearchInput) -> Timestamp {
    let job = run.job.expires_at;
    let Some(days) = search.expires_in_days else {
        return job;
    };
    let own = run.started_at.plus(DAY * u32::from(days));
    Timestamp::from_millis(own.millis()).min(job)
}

/// The code of a country that a provider names.
fn code_of(name: &str) -> Option<&'static str> {
    let name = name.trim().to_lowercase();
    let found = countries::all().find(|country| {
        let mut names = country.names();
        country.code.eq_ignore_ascii_case(&name) || names.any(|known| known.to_lowercase() == name)
    });
    found.map(|country| country.code)
}

/// What a run reads that another run might read otherwise, recorded for those that follow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Observed {
    /// Whether the connector makes up what it answers.
    synthetic: bool,
    /// Candidates whom the outcome ledger or an erasure names, by their place among those that the answer gives.
    suppressed: Vec<usize>,
}

/// Leaves out whom the outcome ledger names, or an erasure since the search was made: nothing is retained of a person who
/// objected. A replay leaves out whom the record names; a resumed run asks again, and leaves out more if the ledger says
/// more (decision 0085). Returns how many were left out.
///
/// DANGER: only a ledger that was read says that nobody in it is among them. If it cannot be read, the run ends without a
/// result and stores nobody; a worker asks again once the lease has run out.
async fn leave_out_suppressed(
    run: &mut JobRun,
    recorded: Recorded<Observed>,
    synthetic: bool,
    all: &mut Vec<ImportedCandidate>,
) -> Result<u64, Ending> {
    let suppressed = match recorded {
        Recorded::Final(recorded) => recorded.suppressed,
        Recorded::Open { leased, before } => {
            let known = before.as_ref().map(|before| before.suppressed.clone());
            let mut suppressed = known.unwrap_or_default();
            for (index, candidate) in all.iter().enumerate() {
                let subjects: Vec<LedgerSubject> = candidate
                    .subjects()
                    .iter()
                    .map(|subject| leased.store.ledger_subject(subject))
                    .collect();
                let must_go = leased.store.must_not_store(&leased.lease, &subjects).await;
                if must_go.map_err(unreadable)? && !suppressed.contains(&index) {
                    suppressed.push(index);
                }
            }
            suppressed.sort_unstable();
            let observed = Observed {
                synthetic,
                suppressed,
            };
            record(run, &leased, before.as_ref(), &observed).await?;
            observed.suppressed
        }
    };
    let mut index = 0..;
    all.retain(|_| {
        index
            .next()
            .is_some_and(|index| !suppressed.contains(&index))
    });
    Ok(suppressed.len() as u64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_search_pins_one_connection_and_an_import_nothing() {
        let input = json!({
            "operation": "search", "roles": ["cfo"], "company_domains": [], "countries": [],
            "limit": 3, "expires_in_days": null,
        });
        let planned = plan(&input);
        assert!(planned.may_cost && planned.roles.is_empty());
        assert_eq!(planned.calls[0].capability, "people.search");
        assert_eq!(planned.calls[0].input["limit"], 3);
        let import = json!({"operation": "import", "format": "csv", "candidates": 3});
        assert_eq!(plan(&import), Plan::default());
    }

    #[test]
    fn a_country_is_found_by_name_and_by_code() {
        for (name, code) in [
            ("United Kingdom", Some("GB")),
            ("united states", Some("US")),
            ("Deutschland", Some("DE")),
            ("de", Some("DE")),
            ("Utopia", None),
            ("", None),
        ] {
            assert_eq!(code_of(name), code, "{name}");
        }
    }

    #[test]
    fn no_error_of_a_search_speaks_of_a_backend() {
        use crate::backend_end::meaning;
        use FailureKind as Kind;
        for kind in [
            Kind::Denied,
            Kind::InvalidInput,
            Kind::Unauthorized,
            Kind::CredentialMissing,
            Kind::RateLimited,
            Kind::Quota,
            Kind::NotFound,
            Kind::Timeout,
            Kind::Upstream,
            Kind::Canceled,
            Kind::Internal,
        ] {
            for code in [
                "http_404",
                "invalid_answer",
                "capability_not_bound",
                "method_not_allowed",
                "backend_error",
                "backend_timeout",
                "budget_exceeded",
            ] {
                let failure = told(Failure::new(kind, code, "x"));
                let error = meaning(PluginError::Failure(failure));
                let told = format!("{} {}", error.code, error.message);
                assert!(!told.contains("backend"), "{kind:?} {code}: {told}");
            }
        }
        let unbound = job_error::connector_not_configured(PEOPLE_SEARCH, &[]);
        assert!(!unbound.message.contains("backend"));
    }

    #[test]
    fn a_failure_is_that_of_the_connector() {
        for (kind, code, want) in [
            (
                FailureKind::RateLimited,
                "http_429",
                "connector_unavailable",
            ),
            (FailureKind::Upstream, "http_500", "connector_unavailable"),
            (FailureKind::Timeout, "timeout", "connector_unavailable"),
            (
                FailureKind::Upstream,
                "invalid_provider_response",
                "connector_invalid_response",
            ),
            (FailureKind::InvalidInput, "http_400", "connector_error"),
            (FailureKind::Unauthorized, "http_401", "http_401"),
            (
                FailureKind::Quota,
                "provider_credit_exhausted",
                "provider_credit_exhausted",
            ),
        ] {
            let failure = told(Failure::new(kind, code, "x"));
            assert_eq!(failure.code, want);
        }
        let failure = told(Failure::new(FailureKind::Upstream, "http_500", "x"));
        assert_eq!(failure.detail.unwrap()["failure_code"], "http_500");
    }
}
