//! Idempotent creation: each idempotency key creates at most one resource, with everything pinned that a
//! backend can observe, and stored together with the answer that a repeated request receives.

use gtm_domain::brand::BrandBinding;
use gtm_domain::document::{DocumentFormat, DocumentTemplate, TemplateBinding};
use gtm_domain::idempotency::{Create, IdempotencyClaim, KnownRequest, StoredAnswer};
use gtm_domain::job::{JOB_RETENTION, Job};
use gtm_domain::message::MessageFault;
use gtm_domain::money::Refusal;
use gtm_domain::{Digest, JobId, JobStage, JobStatus, JobType, MicroUsd, Timestamp, Usage};
use gtm_store::{NewJob, ProjectScope, StoreError};
use serde_json::Value;

use crate::brand_choice::{BrandProblem, ForBrand};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::fail_points;
use crate::job_types;
use crate::job_types::message_templates::prospect_message::POLICY;
use crate::offer_choice::{OfferChoice, OfferProblem};
use crate::pins::Pins;
use crate::plan::{Plan, PlannedOffer};
use crate::prospect_message_problem::ProspectMessageProblem;
use crate::spend::{MODEL_COMPLETE, Price};

/// A request's idempotency key, and the fingerprint that identifies the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// The key as the caller sent it, unquoted.
    pub key: String,
    /// Digest over method, path, body and content type (annex A0).
    pub fingerprint: Digest,
}

/// Outcome of a successful create. The caller builds the answers; the engine stores them unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CreateOutcome<T> {
    /// The resource is new.
    Created {
        resource: T,
        /// The answer that the caller built before the resource was stored.
        answer: StoredAnswer,
    },
    /// A running job already does what was requested, so no new one was created.
    Reused(StoredAnswer),
    /// The same request was answered before; this is that answer.
    Replayed(StoredAnswer),
}

/// Why nothing was created.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CreateError {
    #[error("a limit or the prepaid credit leaves no room for the job")]
    Refused(Refusal),
    #[error(transparent)]
    Brand(#[from] BrandProblem),
    #[error(transparent)]
    Offer(#[from] OfferProblem),
    #[error(transparent)]
    ProspectMessage(#[from] ProspectMessageProblem),
    /// The catalog does not have the connector with the requested key and version.
    #[error("the catalog has no such connector")]
    UnknownConnector,
    /// The message template breaks rules; the pointers lead into its structure.
    #[error("the message template breaks a rule")]
    Template(Vec<MessageFault>),
    #[error("the idempotency key was used with another request")]
    KeyReused,
    #[error("the first request with this idempotency key is still being processed")]
    InProgress,
    /// The engine failed.
    #[error(transparent)]
    Internal(#[from] EngineError),
}

impl CreateError {
    /// Whether the failure was found before the idempotency key was claimed, and depends on facts that may
    /// have changed after the key was looked up.
    const fn precedes_the_claim(&self) -> bool {
        match self {
            Self::Brand(_)
            | Self::Offer(_)
            | Self::ProspectMessage(_)
            | Self::Template(_)
            | Self::UnknownConnector => true,
            Self::Refused(_) | Self::KeyReused | Self::InProgress | Self::Internal(_) => false,
        }
    }
}

impl From<StoreError> for CreateError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Refused(refusal) => Self::Refused(refusal),
            other => Self::Internal(other.into()),
        }
    }
}

impl<T> CreateOutcome<T> {
    fn known(known: KnownRequest) -> Result<Self, CreateError> {
        match known {
            KnownRequest::Replay(answer) => Ok(Self::Replayed(answer)),
            KnownRequest::Reused => Err(CreateError::KeyReused),
        }
    }

    /// The outcome of a create whose new resource would have this answer.
    pub(crate) fn of(created: Create<T>, answer: StoredAnswer) -> Result<Self, CreateError> {
        match created {
            Create::Created(resource) => Ok(Self::Created { resource, answer }),
            Create::Replayed(answer) => Ok(Self::Replayed(answer)),
            Create::KeyReused => Err(CreateError::KeyReused),
            Create::InProgress => Err(CreateError::InProgress),
        }
    }
}

impl<T> CreateOutcome<Box<T>> {
    /// The outcome of a create whose answer shows what only the store knows, such as a revision's number.
    pub(crate) fn shown(
        created: Create<T>,
        answer: fn(&T) -> StoredAnswer,
    ) -> Result<Self, CreateError> {
        match created {
            Create::Created(resource) => Ok(Self::Created {
                answer: answer(&resource),
                resource: Box::new(resource),
            }),
            Create::Replayed(answer) => Ok(Self::Replayed(answer)),
            Create::KeyReused => Err(CreateError::KeyReused),
            Create::InProgress => Err(CreateError::InProgress),
        }
    }
}

impl Engine {
    /// The frame of every create. DANGER: a repeated request must not be refused because something has
    /// changed since the first: a brand, the catalog, a limit. So a known idempotency key is answered
    /// before anything else is looked up. Otherwise `create` resolves what the resource needs and stores it
    /// under the claim; of several requests with one key, the store lets only one create it.
    ///
    /// The same request may be answered elsewhere while `create` resolves. If what it names disappears at
    /// that moment, `create` refuses a request that already has an answer. So the key is looked up again
    /// after a refusal.
    ///
    /// # Errors
    /// [`CreateError::KeyReused`], or the error of `create`.
    pub(crate) async fn create_resource<T, F>(
        &self,
        scope: &ProjectScope,
        idempotency: Option<Idempotency>,
        create: impl FnOnce(Option<IdempotencyClaim>) -> F,
    ) -> Result<CreateOutcome<T>, CreateError>
    where
        F: Future<Output = Result<CreateOutcome<T>, CreateError>>,
    {
        let claim = idempotency.map(|given| IdempotencyClaim {
            key_hmac: self.store().idempotency_hmac(scope, &given.key),
            fingerprint: given.fingerprint,
        });
        if let Some(known) = self.known(scope, claim.as_ref()).await? {
            return CreateOutcome::known(known);
        }
        let refusal = match create(claim).await {
            Err(refusal) if refusal.precedes_the_claim() => refusal,
            decided => return decided,
        };
        match self.known(scope, claim.as_ref()).await? {
            Some(known) => CreateOutcome::known(known),
            None => Err(refusal),
        }
    }

    async fn known(
        &self,
        scope: &ProjectScope,
        claim: Option<&IdempotencyClaim>,
    ) -> Result<Option<KnownRequest>, StoreError> {
        match claim {
            Some(claim) => self.store().find_idempotent(scope, claim).await,
            None => Ok(None),
        }
    }

    /// Creates a job that speaks for a brand, which it binds. `answer` builds the answer from the queued job.
    ///
    /// A project without a backend still gets its job, which then fails with `backend_not_configured`
    /// (specification, General rules 3).
    ///
    /// # Errors
    /// See [`CreateError`].
    pub async fn create_for_brand<I: ForBrand>(
        &self,
        scope: &ProjectScope,
        input: I,
        idempotency: Option<Idempotency>,
        answer: fn(&Job) -> StoredAnswer,
    ) -> Result<CreateOutcome<Box<Job>>, CreateError> {
        self.create_resource(scope, idempotency, |claim| async move {
            let brand = self.choose_brand(scope, input.brand()?).await?;
            let input =
                serde_json::to_value(&input).map_err(|e| EngineError::shape("job input", e))?;
            self.create_job(scope, I::JOB_TYPE, input, brand, claim, answer)
                .await
        })
        .await
    }

    /// Creates a job of any type that creates nothing besides the job, from its normalized input, for a
    /// claim that was looked up before. `answer` builds the answer from the queued job.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub async fn create_job(
        &self,
        scope: &ProjectScope,
        job_type: JobType,
        input: Value,
        brand: Option<BrandBinding>,
        claim: Option<IdempotencyClaim>,
        answer: fn(&Job) -> StoredAnswer,
    ) -> Result<CreateOutcome<Box<Job>>, CreateError> {
        let new = self.prepare(scope, job_type, input, brand, answer).await?;
        let answer = new.response.clone();
        fail_points::pass(fail_points::CREATE_BEFORE);
        let created = self.store().create_job(scope, new, claim).await?;
        fail_points::pass(fail_points::CREATE_AFTER);
        CreateOutcome::of(created, answer)
    }

    /// A job that is about to be created, with everything pinned and with its answer.
    pub(crate) async fn prepare(
        &self,
        scope: &ProjectScope,
        job_type: JobType,
        input: Value,
        brand: Option<BrandBinding>,
        answer: fn(&Job) -> StoredAnswer,
    ) -> Result<NewJob, CreateError> {
        let bindings = self.store().resolve_bindings(scope).await?;
        let plan = job_types::find(self.job_types(), job_type)
            .map(|entry| (entry.plan)(&input))
            .unwrap_or_default();
        let start_urls = self.start_urls(scope, &plan, &bindings).await?;
        let sold = match &plan.offer {
            PlannedOffer::Named(named) => Some(OfferChoice::named(named)?),
            PlannedOffer::None => None,
            PlannedOffer::OfBinding => plan
                .writer()
                .and_then(|writer| bindings.get(writer.bound_as)?.binding.offer)
                .map(OfferChoice::from),
        };
        let offer = match sold {
            Some(choice) => Some(self.choose_offer(scope, choice).await?),
            None => None,
        };
        let templates = self.templates(scope, &plan).await?;
        let mut pins = Pins {
            brand,
            offer,
            templates,
            start_urls: Some(start_urls),
            ..Pins::resolve(
                &plan,
                &bindings,
                self.backends().as_ref(),
                self.pure().as_ref(),
                self.connectors().as_ref(),
            )
        };
        if let Some(policy) = &plan.policy {
            let pinned = self.pinned_policy(policy).await?;
            pins.plugins.extend(pinned.map(|pinned| (POLICY, pinned)));
        }
        // The store keeps microseconds; the row must not differ before and after storing.
        let now = self.clock().now();
        let id = JobId::from_uuid(gtm_store::uuid_v7(now));
        let cost_cap = self.config().job_cost_cap;
        let declared = plan
            .writer()
            .and_then(|writer| bindings.get(writer.bound_as)?.binding.expected_cost);
        let expected_cost = self
            .expected_cost(scope, job_type, &plan, &pins, declared)
            .await?;
        let backend = pins.writer().map(|backend| backend.key.clone());
        let stages: Vec<_> = plan
            .stages
            .iter()
            .map(|key| JobStage::pending(key))
            .collect();
        let job = Job {
            stages: (!stages.is_empty()).then_some(stages),
            external_ref: plan.external_ref,
            ..queued(scope, id, job_type, input, pins.to_value()?, now)
        };
        let response = answer(&job);
        Ok(NewJob {
            id,
            job_type,
            created_at: now,
            input: job.input,
            pins: job.pins,
            seed: seed_of(id),
            backend,
            stages: job.stages,
            external_ref: job.external_ref,
            expected_cost,
            cost_cap,
            response,
        })
    }

    /// The templates in use of the formats that the job may make.
    async fn templates(
        &self,
        scope: &ProjectScope,
        plan: &Plan,
    ) -> Result<Vec<TemplateBinding>, EngineError> {
        let makes = |format: DocumentFormat| {
            let mut roles = plan.roles.iter();
            roles.any(|planned| planned.role.as_str() == format.renderer_role())
        };
        if !DocumentFormat::ALL.into_iter().any(makes) {
            return Ok(Vec::new());
        }
        let found = self.store().templates_in_use(scope).await?;
        let made = found.iter().filter(|template| makes(template.format));
        Ok(made.map(DocumentTemplate::binding).collect())
    }

    /// Expected cost of a job with these pins: what its binding says, else the recent cost of such jobs,
    /// else the estimate of its plan or the configuration; never more than its cap. Zero means that the job
    /// makes only free calls, so a job that may cost anything is never expected to cost zero.
    async fn expected_cost(
        &self,
        scope: &ProjectScope,
        job_type: JobType,
        plan: &Plan,
        pins: &Pins,
        declared: Option<MicroUsd>,
    ) -> Result<MicroUsd, EngineError> {
        if !plan.may_cost || !may_cost(pins) {
            return Ok(MicroUsd::ZERO);
        }
        let learned = match (declared, pins.writer()) {
            (None, Some(backend)) => {
                let store = self.store();
                store.expected_cost(scope, job_type, &backend.key).await?
            }
            (Some(_), _) | (None, None) => None,
        };
        let config = self.config();
        Ok(declared
            .or(learned)
            .or(plan.estimate)
            .or_else(|| ceilings(plan, pins))
            .unwrap_or(config.job_cost_estimate)
            .min(config.job_cost_cap)
            .max(MicroUsd::from_micros(1)))
    }
}

/// The seed of a job's deterministic random numbers. Derived from the job's id, so that a replay uses the
/// same one.
#[must_use]
pub fn seed_of(job: JobId) -> [u8; 32] {
    *Digest::of(format!("gtm job seed {job}").as_bytes()).as_bytes()
}

/// Whether any call of the job can cost money. A model without a price is never called.
fn may_cost(pins: &Pins) -> bool {
    pins.connections.iter().any(|(capability, bound)| {
        let billable =
            capability == MODEL_COMPLETE || bound.connector.settings.get("prices").is_some();
        matches!(
            Price::of(capability, billable, &bound.connector.settings),
            Price::Tokens(_) | Price::PerRequest(_) | Price::PerRecord(_)
        )
    })
}

/// What the host's own calls may cost at most; `None` if it makes none, or for a price that is not known.
fn ceilings(plan: &Plan, pins: &Pins) -> Option<MicroUsd> {
    let each = plan.calls.iter().map(|call| {
        let settings = &pins.connections.get(call.capability)?.connector.settings;
        Price::of(call.capability, true, settings).ceiling(&call.input, settings)
    });
    let all: Vec<MicroUsd> = each.collect::<Option<_>>()?;
    (!all.is_empty()).then(|| all.into_iter().sum())
}

/// The row of a queued job, as far as its caller sees it.
fn queued(
    scope: &ProjectScope,
    id: JobId,
    job_type: JobType,
    input: Value,
    pins: Value,
    now: Timestamp,
) -> Job {
    Job {
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
        stages: None,
        external_ref: None,
        expires_at: now.plus(JOB_RETENTION),
        expired: false,
        started_at: None,
        finished_at: None,
        cancel_requested: false,
        attempts: 0,
    }
}
