//! The job as callers see it (specification, Job): exactly the specification's fields, in its order.

use bytes::Bytes;
use gtm_domain::brand::ResearchJob;
use gtm_domain::fixed::Zero;
use gtm_domain::job::{Job, JobError};
use gtm_domain::{JobId, JobStage, JobStatus, JobType, ProjectId, Timestamp, TokenUsage, Usage};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::routes::shown_jobs;

/// What every job has.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct JobEnvelope {
    /// Durable identifier.
    #[schema(value_type = String, pattern = "^job_[0-9a-hjkmnp-tv-z]{26}$")]
    id: JobId,
    #[schema(inline)]
    status: JobStatus,
    /// Coarse percentage.
    #[schema(maximum = 100)]
    progress: u8,
    /// Project charged for the work.
    #[schema(value_type = String)]
    project_id: ProjectId,
    // No job of this API belongs to a campaign yet.
    #[schema(required)]
    campaign_id: Option<String>,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    job_type: JobType,
    /// Normalized request.
    #[schema(value_type = Object)]
    input: Value,
    /// Null until the job succeeded.
    #[schema(value_type = Option<Object>, required)]
    result: Option<Value>,
    /// Null unless the job failed.
    #[schema(required)]
    error: Option<JobError>,
    usage: UsageEnvelope,
    // What a stage has differs by type, and may grow.
    #[schema(value_type = Option<Vec<Object>>, required)]
    stages: Option<Vec<JobStage>>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// 30 days after creation; later reads answer 410.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    started_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    finished_at: Option<Timestamp>,
    // The schema of the types that have them says so.
    #[serde(flatten)]
    #[schema(ignore)]
    sent: Option<SentNothing>,
}

/// What every job about messages says, whatever its status: nothing was enqueued or sent, and nothing ever is.
#[derive(Debug, Clone, Copy, Serialize)]
struct SentNothing {
    messages_enqueued: Zero,
    messages_sent: Zero,
}

impl SentNothing {
    const SAID: Self = Self {
        messages_enqueued: Zero,
        messages_sent: Zero,
    };
}

/// What a job consumed.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = JobUsage)]
pub(crate) struct UsageEnvelope {
    /// All tokens; the sum of the five kinds.
    tokens: u64,
    #[schema(inline)]
    token_details: TokenDetails,
    /// US dollars, at most six decimals.
    #[schema(minimum = 0)]
    cost_usd: f64,
    backend_requests: u64,
    backend_runtime_ms: u64,
    /// Of a prospecting job; null for every other type.
    #[schema(required)]
    candidates: Option<u64>,
}

/// Disjoint kinds that add up to the total.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TokenDetails {
    input: u64,
    cached_input: u64,
    cache_write: u64,
    output: u64,
    reasoning: u64,
    total: u64,
}

impl From<TokenUsage> for TokenDetails {
    fn from(t: TokenUsage) -> Self {
        Self {
            input: t.input,
            cached_input: t.cached_input,
            cache_write: t.cache_write,
            output: t.output,
            reasoning: t.reasoning,
            total: t.total(),
        }
    }
}

impl From<Usage> for UsageEnvelope {
    fn from(usage: Usage) -> Self {
        let t = usage.tokens;
        Self {
            tokens: t.total(),
            token_details: t.into(),
            cost_usd: usage.cost.usd(),
            backend_requests: usage.backend_requests,
            backend_runtime_ms: usage.backend_runtime_ms,
            candidates: None,
        }
    }
}

impl JobEnvelope {
    /// The envelope of a stored job.
    #[must_use]
    pub fn of(row: &Job) -> Self {
        let shown = shown_jobs::of(row.job_type);
        Self {
            id: row.id,
            status: row.status,
            progress: row.progress,
            project_id: row.project,
            campaign_id: None,
            job_type: row.job_type,
            input: row.input.clone(),
            result: shown.published((row.project, row.id), row.result.as_ref()),
            error: row.error.clone(),
            usage: UsageEnvelope {
                candidates: row.result.as_ref().and_then(shown.candidates),
                ..row.usage.into()
            },
            stages: row.stages.clone(),
            created_at: row.created_at,
            expires_at: row.expires_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            sent: shown.sends_nothing.then_some(SentNothing::SAID),
        }
    }
}

impl From<ResearchJob> for JobEnvelope {
    /// The research of a brand, shown to another project than the one that is charged, with its charges
    /// removed.
    fn from(job: ResearchJob) -> Self {
        let shown = shown_jobs::of(job.job_type);
        Self {
            id: job.id,
            status: job.status,
            progress: job.progress,
            project_id: job.project,
            campaign_id: None,
            job_type: job.job_type,
            input: job.input,
            result: shown.published((job.project, job.id), job.result.as_ref()),
            error: job.error,
            usage: Usage::default().into(),
            stages: None,
            created_at: job.created_at,
            expires_at: job.expires_at,
            started_at: job.started_at,
            finished_at: job.finished_at,
            sent: shown.sends_nothing.then_some(SentNothing::SAID),
        }
    }
}

/// The body of an answer with this job.
#[must_use]
pub fn body(row: &Job) -> Bytes {
    serialized(&JobEnvelope::of(row))
}

/// The same for a job that another project of the organization requested.
#[must_use]
pub fn shared_body(job: &ResearchJob) -> Bytes {
    serialized(&JobEnvelope::from(job.clone()))
}

fn serialized(envelope: &JobEnvelope) -> Bytes {
    // An envelope holds only numbers, strings and JSON values, so it always serializes.
    serde_json::to_vec(envelope)
        .map(Bytes::from)
        .unwrap_or_default()
}
