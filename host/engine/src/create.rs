//! Creating jobs: bindings resolved, everything that a backend can observe pinned, the answer
//! rendered before the job exists so that an idempotent replay repeats it byte for byte.

use bytes::Bytes;
use gtm_domain::brand::BrandBinding;
use gtm_domain::job::JOB_RETENTION;
use gtm_domain::playbook::PlaybookInput;
use gtm_domain::{Digest, ErrorCode, JobId, JobStatus, JobType, MicroUsd, Timestamp, Usage};
use gtm_store::{
    Create, CreateJob, IdempotencyClaim, JobRow, KnownRequest, NewJob, ProjectScope, StoreError,
    StoredResponse,
};
use serde_json::Value;

use crate::engine::Engine;
use crate::error::EngineError;
use crate::fail_points;
use crate::pins::Pins;
use crate::spend::{MODEL_COMPLETE, Price};

/// A request's idempotency key and what makes two requests the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The key as the caller sent it, unquoted.
    pub key: String,
    /// Digest over method, path, body and content type (annex A0).
    pub fingerprint: Digest,
}

/// What became of a create.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives for one request and is mostly Created"
)]
pub enum CreateOutcome {
    /// A job was created and is queued.
    Created {
        /// The job.
        job: JobRow,
        /// The rendered answer.
        body: Bytes,
    },
    /// The same request was answered before; its answer again.
    Replayed(StoredResponse),
}

/// Why no job was created.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CreateError {
    /// A rule of the API; the code says which.
    #[error("{}", .0.as_str())]
    Code(ErrorCode, Option<Value>),
    /// The engine failed.
    #[error(transparent)]
    Internal(#[from] EngineError),
}

impl From<StoreError> for CreateError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(refusal) => Self::Code(refusal.code(), refusal.details()),
            other => Self::Internal(other.into()),
        }
    }
}

/// Status of an accepted job (specification, operation table).
pub(crate) const ACCEPTED: u16 = 202;

impl Engine {
    /// Create a playbook job. `render` makes the body of the 202 answer from the queued job.
    ///
    /// A project without a backend still gets its job; it fails `backend_not_configured`
    /// (specification, General rules 3).
    ///
    /// # Errors
    /// A rule of the API, or a fault of the engine.
    pub async fn create_playbook(
        &self,
        scope: &ProjectScope,
        input: PlaybookInput,
        idempotency: Option<Idempotency>,
        render: &(dyn Fn(&JobRow) -> Bytes + Sync),
    ) -> Result<CreateOutcome, CreateError> {
        let claim = self.claim(scope, idempotency);
        let brand = match self.bound_brand(scope, &input).await {
            Err(CreateError::Code(code, details)) => {
                // A repeated request gets its answer also when the brand is another one since.
                return match self.replayed(scope, claim.as_ref()).await? {
                    Some(known) => known,
                    None => Err(CreateError::Code(code, details)),
                };
            }
            bound => bound?,
        };
        let input =
            serde_json::to_value(&input).map_err(|e| EngineError::shape("playbook input", e))?;
        let (new, body) = self
            .prepare(scope, JobType::Playbooks, input, brand, render)
            .await?;
        fail_points::pass(fail_points::CREATE_BEFORE);
        let created = self.store().create_job(scope, new, claim).await?;
        fail_points::pass(fail_points::CREATE_AFTER);
        outcome(created, body)
    }

    /// The claim of a request's idempotency key.
    pub(crate) fn claim(
        &self,
        scope: &ProjectScope,
        idempotency: Option<Idempotency>,
    ) -> Option<IdempotencyClaim> {
        idempotency.map(|given| IdempotencyClaim {
            key_hmac: self.store().idempotency_hmac(scope, &given.key),
            fingerprint: given.fingerprint,
        })
    }

    /// What a request with a known idempotency key is answered with; none if the key is free.
    async fn replayed(
        &self,
        scope: &ProjectScope,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Option<Result<CreateOutcome, CreateError>>, CreateError> {
        let Some(claim) = claim else { return Ok(None) };
        Ok(match self.store().find_idempotent(scope, claim).await? {
            Some(KnownRequest::Replay(response)) => Some(Ok(CreateOutcome::Replayed(response))),
            Some(KnownRequest::Reused) => Some(Err(CreateError::Code(
                ErrorCode::IdempotencyKeyReused,
                None,
            ))),
            None => None,
        })
    }

    /// A job to be created, with everything pinned, and its rendered answer.
    pub(crate) async fn prepare(
        &self,
        scope: &ProjectScope,
        job_type: JobType,
        input: Value,
        brand: Option<BrandBinding>,
        render: &(dyn Fn(&JobRow) -> Bytes + Sync),
    ) -> Result<(NewJob, Bytes), CreateError> {
        let bindings = self.store().resolve_bindings(scope).await?;
        let start_urls = self.start_urls(scope, job_type, &bindings, &input).await?;
        let pins = Pins {
            brand,
            start_urls: Some(start_urls),
            ..Pins::resolve(
                job_type.as_str(),
                &bindings,
                self.backends().as_ref(),
                self.connectors().as_ref(),
            )
        };
        // The store keeps microseconds; the row must be the same before and after.
        let now = self.clock().now();
        let id = JobId::from_uuid(gtm_store::uuid_v7(now));
        let cost_cap = self.config().job_cost_cap;
        let declared = bindings
            .get(job_type.as_str())
            .and_then(|bound| bound.binding.expected_cost);
        let expected_cost = self.expected_cost(scope, job_type, &pins, declared).await?;
        let backend = pins.backend.as_ref().map(|backend| backend.key.clone());
        let job = queued(scope, id, job_type, input, pins.to_value()?, now);
        let body = render(&job);
        let response = StoredResponse {
            status: ACCEPTED,
            headers: vec![("location".to_owned(), job_location(id))],
            body: body.clone(),
        };
        let new = NewJob {
            id,
            job_type,
            created_at: now,
            input: job.input,
            pins: job.pins,
            seed: seed_of(id),
            backend,
            expected_cost,
            cost_cap,
            response,
        };
        Ok((new, body))
    }

    /// What a job with these pins is expected to cost: what its binding says, else what such jobs cost
    /// lately, else the configured estimate; never more than its cap. Zero means that it makes free
    /// calls alone, so that a job which may cost anything is expected to cost something.
    async fn expected_cost(
        &self,
        scope: &ProjectScope,
        job_type: JobType,
        pins: &Pins,
        declared: Option<MicroUsd>,
    ) -> Result<MicroUsd, EngineError> {
        if !may_cost(pins) {
            return Ok(MicroUsd::ZERO);
        }
        let learned = match (declared, &pins.backend) {
            (None, Some(backend)) => {
                let store = self.store();
                store.expected_cost(scope, job_type, &backend.key).await?
            }
            (Some(_), _) | (None, None) => None,
        };
        let config = self.config();
        Ok(declared
            .or(learned)
            .unwrap_or(config.job_cost_estimate)
            .min(config.job_cost_cap)
            .max(MicroUsd::from_micros(1)))
    }
}

/// What the store made of a create, for the caller.
pub(crate) fn outcome(created: CreateJob, body: Bytes) -> Result<CreateOutcome, CreateError> {
    match created {
        Create::Created(job) => Ok(CreateOutcome::Created { job: *job, body }),
        Create::Replayed(response) => Ok(CreateOutcome::Replayed(response)),
        Create::KeyReused => Err(CreateError::Code(ErrorCode::IdempotencyKeyReused, None)),
        Create::InProgress => Err(CreateError::Code(ErrorCode::IdempotencyInProgress, None)),
    }
}

/// Path at which a job is read.
pub(crate) fn job_location(id: JobId) -> String {
    format!("/v1/jobs/{id}")
}

/// The seed of a job's deterministic random numbers: a function of its id, so that a replay has it.
#[must_use]
pub fn seed_of(job: JobId) -> [u8; 32] {
    *Digest::of(format!("gtm job seed {job}").as_bytes()).as_bytes()
}

/// Whether some call of the job can cost money. A model without a price is never called.
fn may_cost(pins: &Pins) -> bool {
    pins.connections.iter().any(|(capability, bound)| {
        let billable =
            capability == MODEL_COMPLETE || bound.connector.settings.get("prices").is_some();
        matches!(
            Price::of(capability, billable, &bound.connector.settings),
            Price::Tokens(_) | Price::PerRequest(_)
        )
    })
}

/// The row of a queued job as far as its caller sees it.
fn queued(
    scope: &ProjectScope,
    id: JobId,
    job_type: JobType,
    input: Value,
    pins: Value,
    now: Timestamp,
) -> JobRow {
    JobRow {
        id,
        project: scope.project(),
        organization: scope.organization(),
        key: scope.key(),
        job_type,
        status: JobStatus::Queued,
        progress: 0,
        input,
        pins,
        result: None,
        error: None,
        usage: Usage::default(),
        reserved: MicroUsd::ZERO,
        cost_cap: MicroUsd::ZERO,
        created_at: now,
        backend: None,
        expires_at: now.plus(JOB_RETENTION),
        expired: false,
        started_at: None,
        finished_at: None,
        cancel_requested: false,
        attempts: 0,
    }
}
