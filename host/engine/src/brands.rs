//! Brands (specification, Brand): creating one with its first research, researching it again, reading
//! what is known, and the brand that a playbook speaks for.

use bytes::Bytes;
use gtm_domain::brand::{BrandBinding, BrandCreate, BrandInput, BrandKey};
use gtm_domain::playbook::PlaybookInput;
use gtm_domain::{BrandId, ErrorCode, JobId, JobType};
use gtm_store::{
    ActiveResearch, BrandPage, BrandRow, BrandSelection, BrandStatus, GuidelineRevision,
    GuidelineRevisionPage, JobRow, NewBrand, ProjectScope, Research, ResearchJob, SelectedBrand,
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
    /// the organization. `render` makes the body of the 202 answer from a job of the caller's project,
    /// `render_shared` from another's.
    ///
    /// # Errors
    /// `not_found`, `brand_profile_archived`, any other rule of the API, or a fault of the engine.
    pub async fn research_brand(
        &self,
        scope: &ProjectScope,
        id: BrandId,
        idempotency: Option<Idempotency>,
        render: fn(&JobRow) -> Bytes,
        render_shared: fn(&ResearchJob) -> Bytes,
    ) -> Result<ResearchOutcome, CreateError> {
        let claim = self.claim(scope, idempotency);
        let Some(brand) = self.brand(scope, id).await? else {
            return Err(CreateError::Code(ErrorCode::NotFound, None));
        };
        let input = BrandInput {
            company_name: brand.company_name,
            website_url: brand.website_url,
            is_default: brand.is_default || brand.default_wished_at.is_some(),
            brand_profile_id: id,
        };
        let input =
            serde_json::to_value(&input).map_err(|e| EngineError::shape("brand input", e))?;
        let (new, body) = self
            .prepare(scope, JobType::Brands, input, None, &render)
            .await?;
        let answer = move |active: &ActiveResearch| StoredResponse {
            status: ACCEPTED,
            headers: vec![
                ("location".to_owned(), job_location(active.id())),
                (JOB_REUSED.to_owned(), "true".to_owned()),
            ],
            body: match active {
                ActiveResearch::Own(job) => render(job),
                ActiveResearch::Shared(job) => render_shared(job),
            },
        };
        let store = self.store();
        match store.research_brand(scope, id, new, claim, answer).await? {
            Research::Absent => Err(CreateError::Code(ErrorCode::NotFound, None)),
            Research::Archived => Err(CreateError::Code(ErrorCode::BrandProfileArchived, None)),
            Research::Job(created) => outcome(created, body).map(ResearchOutcome::Started),
            Research::Active(_, answer) => Ok(ResearchOutcome::Reused(answer)),
        }
    }

    /// The research of a brand of the organization, as projects see it that did not ask for it.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn research_job(
        &self,
        scope: &ProjectScope,
        id: JobId,
    ) -> Result<Option<ResearchJob>, EngineError> {
        Ok(self.store().research_job(scope, id).await?)
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
    /// organization's default brand if it names none. No brand at all if there is no default either
    /// (decision 0045).
    ///
    /// # Errors
    /// `brand_profile_not_found`, `brand_profile_mismatch`, `brand_profile_archived`,
    /// `brand_profile_not_ready` or `missing_default_brand_profile`; a fault of the engine.
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
            return found.await?.map(default_binding).transpose();
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

/// What a default brand binds. One that cannot be used is told of: a playbook without a brand is not
/// what was asked for where a default is set.
fn default_binding(found: SelectedBrand) -> Result<BrandBinding, CreateError> {
    let reason = match found.binding {
        Some(binding) if found.brand.status == BrandStatus::Active => return Ok(binding),
        Some(_) => "archived",
        None if found.brand.status == BrandStatus::Archived => "archived",
        None if found.rejected => "guideline_rejected",
        None => "no_guideline",
    };
    let details = json!({"reason": reason, "brand_profile_id": found.brand.id});
    Err(CreateError::Code(
        ErrorCode::MissingDefaultBrandProfile,
        Some(details),
    ))
}

/// Path at which a brand's guideline is read.
#[must_use]
pub fn guideline_path(id: BrandId) -> String {
    format!("/v1/brands/{id}/guideline")
}
