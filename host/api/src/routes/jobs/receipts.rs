//! `GET /v1/jobs/{job_id}/receipts`.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use axum::Json;
use axum::extract::State;
use gtm_domain::job::JobReceipt;
use gtm_domain::money::ReconciliationState;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Digest, JobId, ReceiptId, Timestamp};
use gtm_engine::{JobLookup, ReceiptPlace};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema};

use super::ReadJobs;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, ListQuery, PageBody, Published, Unfiltered};
use crate::path_id::PathId;

/// The receipts of a job.
#[derive(Debug)]
pub struct Receipts;

impl Collection for Receipts {
    const NAME: &'static str = "receipts";
    const ROWS: &'static str = "Receipts";
    type Filter = Unfiltered;
    type Key = Place;
}

impl Published for Receipts {
    const SCHEMA: &'static str = "JobReceiptList";
    const ABOUT: &'static str = "What a job's connectors exchanged with providers. Digests and counters only: no secrets, no headers, no bodies.";

    fn row() -> RefOr<Schema> {
        PublicReceipt::schema()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        let row = json!({
            "id": "rcp_01m7z9bmbme34thz72tqe55edw",
            "job_id": "job_01m7z9bm98ebdsbmgmvb1g024g",
            "step": 0,
            "plugin": {
                "kind": "connector",
                "key": "web-fetch",
                "version": "0.1.0",
                "component_digest": "sha256:07479681fc70b3cd11ee33c2f998c3737abddd1997fb6aa76f55d2c9ca126062"
            },
            "at": "2026-11-21T14:49:53.829Z",
            "outcome": "ok",
            "reconciliation": null,
            "resources": { "wall_ms": 49 },
            "egress": [
                {
                    "seq": 1,
                    "method": "GET",
                    "host": "acme-estates.example",
                    "port": 443,
                    "status": 200,
                    "attempts": 1,
                    "request_bytes": 0,
                    "response_bytes": 80,
                    "response_digest": "sha256:3d17e28b64a9f00f212f6a2de2954ca8f7a070f0f80a3e9365e982e0b1bd5eb9",
                    "decision": "allowed",
                    "secret_handles": []
                }
            ]
        });
        (vec![row], None)
    }
}

/// The position of a receipt, written `<step>.<position>`.
#[derive(Debug)]
pub struct Place(ReceiptPlace);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0.seq, self.0.position)
    }
}

impl FromStr for Place {
    type Err = ParseIntError;
    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        let (seq, position) = text.split_once('.').unwrap_or((text, ""));
        Ok(Self(ReceiptPlace {
            seq: seq.parse()?,
            position: position.parse()?,
        }))
    }
}

/// One exchange of a plug-in with a provider: who, with whom, how much, and the digest. It contains only
/// the host of the address, and neither headers nor bodies.
#[derive(Debug, Serialize, ToSchema)]
pub struct PublicReceipt {
    #[schema(value_type = String, pattern = "^rcp_")]
    id: ReceiptId,
    #[schema(value_type = String)]
    job_id: JobId,
    /// Position of the provider call in the job.
    step: u64,
    #[schema(inline, required)]
    plugin: Option<Plugin>,
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    #[schema(extensions(("x-extensible-enum" = json!(["ok", "failed", "denied"]))))]
    outcome: &'static str,
    /// Set if the cost of the call was unknown when the job was charged, because its answer was lost. An
    /// operator still has to settle it by the provider's invoice (`awaiting`) or has done so (`settled`);
    /// that changes the usage of the month in which the job ended, not the job's own. Null if the cost was
    /// known.
    #[schema(required, extensions(("x-extensible-enum" = json!(["awaiting", "settled"]))))]
    reconciliation: Option<&'static str>,
    #[schema(inline)]
    resources: Resources,
    #[schema(inline)]
    egress: Vec<Egress>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Plugin {
    #[schema(extensions(("x-extensible-enum" = json!(["connector"]))))]
    kind: &'static str,
    key: String,
    version: String,
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    component_digest: Digest,
}

#[derive(Debug, Serialize, ToSchema)]
struct Resources {
    wall_ms: u64,
}

#[derive(Debug, Serialize, ToSchema)]
struct Egress {
    #[schema(minimum = 1)]
    seq: u32,
    method: String,
    host: String,
    port: u16,
    #[schema(required)]
    status: Option<u16>,
    attempts: u32,
    request_bytes: u64,
    response_bytes: u64,
    #[schema(value_type = Option<String>, required, pattern = "^sha256:[0-9a-f]{64}$")]
    response_digest: Option<Digest>,
    /// `allowed`, or the code of the refusal.
    decision: String,
    /// Names of the credential schemes that were applied.
    secret_handles: Vec<String>,
}

pub struct ListJobReceipts;

impl Operation for ListJobReceipts {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::MALFORMED_QUERY,
        DeclaredError::CURSOR,
        DeclaredError::NOT_IN_PROJECT,
        DeclaredError::EXPIRED,
        DeclaredError::LIMIT,
    ];
}

/// List the receipts of a job.
///
/// What the job's connectors exchanged with providers, as the host's egress gate recorded it.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}/receipts", tag = "Jobs", operation_id = "list_job_receipts_v1_jobs__job_id__receipts_get",
    params(
        PathId::<JobId>,
        ListQuery::<Receipts>,
    ),
    responses(
        (status = 200, description = "A page of receipts in the order of the job's calls.", body = ref("#/components/schemas/JobReceiptList"), content_type = "application/json"),
        Errors::<ListJobReceipts>,
    )
)]
pub async fn list_job_receipts(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: PathId<JobId>,
    query: ListQuery<Receipts>,
) -> Result<Json<PageBody<Receipts, PublicReceipt>>, ApiError> {
    let page = query.page(&api, caller.scope(), &job.0.to_string())?;
    if matches!(
        api.engine().job(caller.scope(), job.0).await?,
        JobLookup::Expired
    ) {
        return Err(ApiError::job_expired());
    }
    let rows = api
        .engine()
        .store()
        .job_receipts_page(
            caller.scope(),
            job.0,
            page.after.as_ref().map(|p| p.0),
            page.rows(),
        )
        .await?
        .ok_or_else(ApiError::not_found)?;
    let place = |row: &JobReceipt| {
        Place(ReceiptPlace {
            seq: row.seq,
            position: row.position,
        })
    };
    Ok(Json(page.answer(rows, place, |row| public(job.0, row))))
}

impl PublicReceipt {
    /// The receipt of this job as callers see it.
    #[must_use]
    pub fn of(job_id: JobId, row: JobReceipt) -> Self {
        public(job_id, row)
    }
}

fn public(job_id: JobId, row: JobReceipt) -> PublicReceipt {
    let Receipt {
        id,
        method,
        host,
        port,
        status,
        request_bytes,
        response_bytes,
        response_digest,
        at,
        duration_ms,
        attempts,
        decision,
        credentials,
        ..
    } = row.receipt;
    let allowed = decision == "allowed";
    PublicReceipt {
        id,
        job_id,
        step: row.seq,
        plugin: row.connector.map(|c| Plugin {
            kind: "connector",
            key: c.key,
            version: c.version,
            component_digest: c.digest,
        }),
        at,
        outcome: match (allowed, status) {
            (false, _) => "denied",
            (true, Some(_)) => "ok",
            (true, None) => "failed",
        },
        reconciliation: row.reconciliation.map(ReconciliationState::as_str),
        resources: Resources {
            wall_ms: duration_ms,
        },
        egress: vec![Egress {
            seq: 1,
            method,
            host,
            port,
            status,
            attempts,
            request_bytes,
            response_bytes,
            response_digest,
            decision,
            secret_handles: credentials,
        }],
    }
}
