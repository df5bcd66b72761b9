//! `GET /v1/jobs/{job_id}/candidates` (preview).

use axum::Json;
use axum::extract::State;
use gtm_domain::prospecting::Candidate;
use gtm_domain::{ErrorCode, JobId, JobType, ProspectId};
use gtm_engine::{CandidatePage, JobLookup};
use serde_json::{Value, json};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema as _};

use super::ReadJobs;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::job_schemas::Named;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, ListQuery, PageBody, Published, Unfiltered};
use crate::path_id::PathId;

/// The candidates of a prospecting job.
#[derive(Debug)]
pub struct Candidates;

impl Collection for Candidates {
    const NAME: &'static str = "candidates";
    const ROWS: &'static str = "Candidates";
    type Filter = Unfiltered;
    type Key = ProspectId;
}

impl Published for Candidates {
    const SCHEMA: &'static str = "CandidateList";
    const ABOUT: &'static str = "Candidates of a prospecting job with their retained evidence. No address is shown in clear.";

    fn row() -> RefOr<Schema> {
        Ref::from_schema_name(Candidate::name()).into()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        let row = json!({
            "id": "prs_01jz9b0a1b2c3d4e5f6g7h8j9k",
            "job_id": "job_01jz9b00a1b2c3d4e5f6g7h8j9",
            "synthetic": false,
            "qualification": { "status": "accepted", "reason": "ICP match", "decided_at": "2026-11-18T12:10:00.000Z" },
            "person": { "first_name": "Sam", "full_name": "Sam Okafor", "role": "Head of operations" },
            "company": {
                "name": "Acme Estates",
                "domain": "acme-estates.example",
                "country": "GB",
                "legal_form": "limited_company",
                "industry": null,
                "location": null
            },
            "address": {
                "kind": "email",
                "masked": "s***@acme-estates.example",
                "address_evidence_id": "evd_01jz9c1a1b2c3d4e5f6g7h8j9k"
            },
            "evidence": [{
                "id": "evd_01jz9c1a1b2c3d4e5f6g7h8j9k",
                "kind": "address_provenance",
                "url": "https://acme-estates.example/team",
                "source_label": "Team page",
                "retrieved_at": "2026-11-18T12:00:00.000Z",
                "observed_on": null,
                "content_digest": "sha256:aa6fb1d0d5c3e8f1b2a3948576655443322110ffeeddccbbaa99887766554433",
                "excerpt": "Sam Okafor, Head of operations",
                "hook": null,
                "address_source_class": "published_by_company",
                "lawful_basis": null,
                "synthetic": false
            }],
            "expires_at": "2026-12-18T12:00:00.000Z"
        });
        (vec![row], None)
    }
}

/// The schema of a candidate, and those that it refers to.
pub fn components() -> Vec<Named> {
    let mut named = vec![(Candidate::name().into_owned(), Candidate::schema())];
    Candidate::schemas(&mut named);
    named
}

pub struct ListCandidates;

impl Operation for ListCandidates {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::MALFORMED_QUERY,
        DeclaredError::CURSOR,
        DeclaredError::when(
            ErrorCode::NotFound,
            "the key's project has no such prospecting job",
        ),
        DeclaredError::when(ErrorCode::NotReady, "the job has not ended yet"),
        DeclaredError::EXPIRED,
        DeclaredError::LIMIT,
    ];
}

/// List the candidates of a prospecting job.
///
/// Each with the evidence that is retained for it, in the order in which the job found them. Addresses are masked;
/// they never leave the platform in clear.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}/candidates", tag = "Jobs", operation_id = "list_job_candidates_v1_jobs__job_id__candidates_get",
    params(
        PathId::<JobId>,
        ListQuery::<Candidates>,
    ),
    responses(
        (status = 200, description = "A page of candidates.", body = ref("#/components/schemas/CandidateList"), content_type = "application/json"),
        Errors::<ListCandidates>,
    )
)]
pub async fn list_job_candidates(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: PathId<JobId>,
    query: ListQuery<Candidates>,
) -> Result<Json<PageBody<Candidates, Candidate>>, ApiError> {
    let page = query.page(&api, caller.scope(), &job.0.to_string())?;
    match api.engine().job(caller.scope(), job.0).await? {
        JobLookup::Found(found) if found.job_type != JobType::Prospecting => {
            return Err(ApiError::not_found());
        }
        JobLookup::Found(found) if !found.status.is_terminal() => {
            return Err(ApiError::new(
                ErrorCode::NotReady,
                "The job has not ended yet; poll it until it has.",
            ));
        }
        JobLookup::Found(_) => {}
        JobLookup::Expired => return Err(ApiError::job_expired()),
        JobLookup::Absent => return Err(ApiError::not_found()),
    }
    let wanted = CandidatePage {
        after: page.after,
        limit: page.rows(),
    };
    let store = api.engine().store();
    let rows = store.candidates(caller.scope(), job.0, wanted).await?;
    let rows = rows.ok_or_else(ApiError::not_found)?;
    Ok(Json(page.answer(rows, |row| row.id, |row| row)))
}
