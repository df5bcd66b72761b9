//! Brands (specification, Brand): creating one with its first research, researching it again, reading
//! what is known, and the brand that a playbook speaks for.

use bytes::Bytes;
use gtm_domain::brand::{BrandBinding, BrandCreate, BrandInput, BrandKey};
use gtm_domain::playbook::PlaybookInput;
use gtm_domain::{BrandId, ErrorCode, JobType};
use gtm_store::{
    BrandPage, BrandRow, BrandSelection, BrandStatus, Create, GuidelineRevision,
    GuidelineRevisionPage, JobRow, NewBrand, ProjectScope, Research, SelectedBrand,
    StoredGuideline, StoredResponse,
};
use serde_json::json;

use crate::create::{ACCEPTED, CreateError, CreateOutcome, Idempotency, job_location, outcome};
use crate::engine::Engine;
use crate::error::EngineError;

/// Header of an answer that gives a job which was at work already.
pub const JOB_REUSED: &str = "job-reused";

/// What became of a request to research a brand.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives for one request and is mostly Started"
)]
pub enum ResearchOutcome {
    /// As for any create: a job was made, or an earlier answer is repeated.
    Started(CreateOutcome),
    /// A job was at work already, and none was made.
    Reused(StoredResponse),
}

/// What became of a request for a guideline.
#[derive(Debug, Clone, PartialEq)]
pub enum GuidelineLookup {
    /// It is there.
    Found(Box<StoredGuideline>),
    /// The brand has none yet (409 `not_ready`).
    NotReady,
    /// The organization has no such brand, or the brand no such revision.
    Absent,
}

impl Engine {
    /// Create a brand and its first research job. `render` makes the body of the 202 answer from the
    /// queued job.
    ///
    /// # Errors
    /// A rule of the API, or a fault of the engine.
    pub async fn create_brand(
        &self,
        scope: &ProjectScope,
        request: BrandCreate,
        idempotency: Option<Idempotency>,
        render: &(dyn Fn(&JobRow) -> Bytes + Sync),
    ) -> Result<CreateOutcome, CreateError> {
        let claim = self.claim(scope, idempotency);
        let brand = NewBrand {
            id: BrandId::from_uuid(gtm_store::uuid_v7(self.clock().now())),
            key: BrandKey::derived(request.company_name.as_deref(), request.website.as_ref()),
            company_name: request.company_name,
            website_url: request.website.map(|site| site.to_string()),
            is_default: request.is_default,
        };
        let input = BrandInput {
            company_name: brand.company_name.clone(),
            website_url: brand.website_url.clone(),
            is_default: brand.is_default,
            brand_profile_id: brand.id,
        };
        let input =
            serde_json::to_value(&input).map_err(|e| EngineError::shape("brand input", e))?;
        let (new, body) = self
            .prepare(scope, JobType::Brands, input, None, render)
            .await?;
        let created = self.store().create_brand(scope, brand, new, claim).await?;
        outcome(created, body)
    }

    /// Research a brand again, or give the job that does so already, which may be another project's of
    /// the organization. `render` makes the body of the 202 answer.
    ///
    /// # Errors
    /// `not_found`, `brand_profile_archived`, any other rule of the API, or a fault of the engine.
    pub async fn research_brand(
        &self,
        scope: &ProjectScope,
        id: BrandId,
        idempotency: Option<Idempotency>,
        render: &(dyn Fn(&JobRow) -> Bytes + Sync),
    ) -> Result<ResearchOutcome, CreateError> {
        let claim = self.claim(scope, idempotency);
        let Some(brand) = self.brand(scope, id).await? else {
            return Err(CreateError::Code(ErrorCode::NotFound, None));
        };
        let input = BrandInput {
            company_name: brand.company_name,
            website_url: brand.website_url,
            is_default: brand.is_default,
            brand_profile_id: id,
        };
        let input =
            serde_json::to_value(&input).map_err(|e| EngineError::shape("brand input", e))?;
        let (new, body) = self
            .prepare(scope, JobType::Brands, input, None, render)
            .await?;
        match self.store().research_brand(scope, id, new, claim).await? {
            Research::Absent => Err(CreateError::Code(ErrorCode::NotFound, None)),
            Research::Archived => Err(CreateError::Code(ErrorCode::BrandProfileArchived, None)),
            Research::Job(created) => outcome(created, body).map(ResearchOutcome::Started),
            Research::Active(job) => {
                let answer = StoredResponse {
                    status: ACCEPTED,
                    headers: vec![
                        ("location".to_owned(), job_location(job.id)),
                        (JOB_REUSED.to_owned(), "true".to_owned()),
                    ],
                    body: render(&job),
                };
                // A repeated request is answered with this job also after its end.
                let Some(claim) = claim else {
                    return Ok(ResearchOutcome::Reused(answer));
                };
                let kept = self
                    .store()
                    .keep_answer(scope, claim, job.id, answer.clone())
                    .await?;
                match kept {
                    Create::Created(()) => Ok(ResearchOutcome::Reused(answer)),
                    Create::Replayed(earlier) => {
                        Ok(ResearchOutcome::Started(CreateOutcome::Replayed(earlier)))
                    }
                    Create::KeyReused => {
                        Err(CreateError::Code(ErrorCode::IdempotencyKeyReused, None))
                    }
                    Create::InProgress => {
                        Err(CreateError::Code(ErrorCode::IdempotencyInProgress, None))
                    }
                }
            }
        }
    }

    /// A brand of the organization, active or archived.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn brand(
        &self,
        scope: &ProjectScope,
        id: BrandId,
    ) -> Result<Option<BrandRow>, EngineError> {
        Ok(self.store().get_brand(scope, id).await?)
    }

    /// Active brands of the organization, newest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn brands(
        &self,
        scope: &ProjectScope,
        page: BrandPage,
    ) -> Result<Vec<BrandRow>, EngineError> {
        Ok(self.store().list_brands(scope, page).await?)
    }

    /// The current guideline of a brand, or the named revision of it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn guideline(
        &self,
        scope: &ProjectScope,
        id: BrandId,
        revision: Option<u64>,
    ) -> Result<GuidelineLookup, EngineError> {
        let Some(brand) = self.brand(scope, id).await? else {
            return Ok(GuidelineLookup::Absent);
        };
        let Some(current) = brand.guideline_revision else {
            return Ok(GuidelineLookup::NotReady);
        };
        let wanted = revision.unwrap_or(current);
        let found = self.store().guideline(scope, id, wanted).await?;
        Ok(found.map_or(GuidelineLookup::Absent, |found| {
            GuidelineLookup::Found(Box::new(found))
        }))
    }

    /// Revisions of a brand's guideline, newest first; none if the organization has no such brand.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn guideline_revisions(
        &self,
        scope: &ProjectScope,
        id: BrandId,
        page: GuidelineRevisionPage,
    ) -> Result<Option<Vec<GuidelineRevision>>, EngineError> {
        if self.brand(scope, id).await?.is_none() {
            return Ok(None);
        }
        Ok(Some(
            self.store().guideline_revisions(scope, id, page).await?,
        ))
    }

    /// The guideline that a playbook speaks for: of the brand that the request names, or of the
    /// organization's default brand if it names none and that one has a guideline (decision 0023).
    ///
    /// # Errors
    /// `brand_profile_not_found`, `brand_profile_mismatch`, `brand_profile_archived` or
    /// `brand_profile_not_ready`; a fault of the engine.
    pub(crate) async fn bound_brand(
        &self,
        scope: &ProjectScope,
        input: &PlaybookInput,
    ) -> Result<Option<BrandBinding>, CreateError> {
        let refuse = |code| CreateError::Code(code, None);
        let absent = || refuse(ErrorCode::BrandProfileNotFound);
        let mut named: Vec<BrandSelection> = Vec::new();
        if let Some(id) = &input.brand_profile_id {
            named.push(BrandSelection::Id(id.parse().map_err(|_| absent())?));
        }
        if let Some(key) = &input.brand_profile_key {
            named.push(BrandSelection::Key(key.parse().map_err(|_| absent())?));
        }
        if named.is_empty() {
            let found = self.store().select_brand(scope, BrandSelection::Default);
            return Ok(found.await?.and_then(|found| found.binding));
        }
        let mut chosen: Option<SelectedBrand> = None;
        for by in named {
            let found = self.store().select_brand(scope, by).await?;
            let found = found.ok_or_else(absent)?;
            if chosen
                .as_ref()
                .is_some_and(|c| c.brand.id != found.brand.id)
            {
                return Err(refuse(ErrorCode::BrandProfileMismatch));
            }
            chosen = Some(found);
        }
        let chosen = chosen.ok_or_else(absent)?;
        if chosen.brand.status == BrandStatus::Archived {
            return Err(refuse(ErrorCode::BrandProfileArchived));
        }
        match chosen.binding {
            Some(binding) => Ok(Some(binding)),
            None if chosen.rejected => Err(CreateError::Code(
                ErrorCode::BrandProfileNotReady,
                Some(json!({"reason": "guideline_rejected"})),
            )),
            None => Err(refuse(ErrorCode::BrandProfileNotReady)),
        }
    }
}

/// Path at which a brand's guideline is read.
#[must_use]
pub fn guideline_path(id: BrandId) -> String {
    format!("/v1/brands/{id}/guideline")
}
