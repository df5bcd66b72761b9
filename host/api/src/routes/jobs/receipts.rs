//! `GET /v1/jobs/{job_id}/receipts`.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use axum::Json;
use axum::extract::State;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Digest, JobId, ReceiptId, Timestamp};
use gtm_engine::{JobLookup, JobReceipt, ReceiptPlace, ReconciliationState};
use serde::Serialize;

use super::ReadJobs;
use super::path::JobPath;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::page::{Collection, ListQuery, PageBody, Unfiltered};

/// The receipts of a job.
#[derive(Debug)]
pub struct Receipts;

impl Collection for Receipts {
    const NAME: &'static str = "receipts";
    type Filter = Unfiltered;
    type Key = Place;
}

/// Where a receipt stands, written `<step>.<position>`.
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

/// One exchange of a plug-in with a provider: who, with whom, how much, with what digest. No
/// address beyond the host, no header, no body.
#[derive(Debug, Serialize)]
pub struct PublicReceipt {
    id: ReceiptId,
    job_id: JobId,
    step: u64,
    plugin: Option<Plugin>,
    at: Timestamp,
    outcome: &'static str,
    reconciliation: Option<&'static str>,
    resources: Resources,
    egress: Vec<Egress>,
}

#[derive(Debug, Serialize)]
struct Plugin {
    kind: &'static str,
    key: String,
    version: String,
    component_digest: Digest,
}

#[derive(Debug, Serialize)]
struct Resources {
    wall_ms: u64,
}

#[derive(Debug, Serialize)]
struct Egress {
    seq: u32,
    method: String,
    host: String,
    port: u16,
    status: Option<u16>,
    attempts: u32,
    request_bytes: u64,
    response_bytes: u64,
    response_digest: Option<Digest>,
    decision: String,
    secret_handles: Vec<String>,
}

/// List the receipts of a job.
///
/// What the job's connectors exchanged with providers, as the host's egress gate wrote it down.
#[utoipa::path(
    get, path = "/v1/jobs/{job_id}/receipts", tag = "Jobs", operation_id = "list_job_receipts_v1_jobs__job_id__receipts_get",
    params(
        ("job_id" = String, Path, description = "The job's id."),
        ("cursor" = Option<String>, Query, description = "`next_cursor` of the page before. Good for 7 days."),
        ("limit" = Option<u32>, Query, description = "Receipts on a page; 20 by default.", minimum = 1, maximum = 100)),
    responses(
        (status = 200, description = "A page of receipts in the order of the job's calls.", body = ref("#/components/schemas/JobReceiptList"), content_type = "application/json"),
        (status = 400, description = "invalid_request: the query is malformed; invalid_cursor"),
        (status = 404, description = "not_found: absent in the key's project"),
        (status = 410, description = "job_expired: past the 30-day retention"),
        (status = 422, description = "invalid_request: limit is out of range"),
    ),
    security(("bearer" = [])),
    extensions(("x-stability" = json!("preview")))
)]
pub async fn list_job_receipts(
    api: State<Api>,
    caller: Authorized<ReadJobs>,
    job: JobPath,
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
        .job_receipts(
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
