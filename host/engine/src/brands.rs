//! Brands (specification, Brand): creating one with its first research, researching it again, reading what
//! is known about it, and choosing the brand that a result speaks for.

use gtm_domain::brand::{
    ActiveResearch, BrandBinding, BrandCreate, BrandInput, BrandKey, BrandSelection,
    GuidelineRevision, Research, SelectedBrand, StoredGuideline,
};
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::Job;
use gtm_domain::{BrandId, JobType};
use gtm_store::{GuidelineRevisionPage, NewBrand, NewJob, ProjectScope};

use crate::brand_choice::{BrandChoice, BrandProblem, default_binding, named_binding};
use crate::create::{CreateError, CreateOutcome, Idempotency};
use crate::engine::Engine;
use crate::error::EngineError;

/// Outcome of looking up a guideline.
#[derive(Debug, Clone, PartialEq)]
pub enum GuidelineLookup {
    /// The guideline exists.
    Found(Box<StoredGuideline>),
    /// The brand has no guideline yet.
    NotReady,
    /// The organization has no such brand, or the brand no such revision.
    Absent,
}

impl Engine {
    /// Creates a brand and its first research job. `answer` builds the answer from the queued job.
    ///
    /// # Errors
    /// See [`CreateError`].
    pub async fn create_brand(
        &self,
        scope: &ProjectScope,
        request: BrandCreate,
        idempotency: Option<Idempotency>,
        answer: fn(&Job) -> StoredAnswer,
    ) -> Result<CreateOutcome<Box<Job>>, CreateError> {
        self.create_resource(scope, idempotency, |claim| async move {
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
            let new = self.prepare_research(scope, &input, answer).await?;
            let answer = new.response.clone();
            let created = self.store().create_brand(scope, brand, new, claim).await?;
            CreateOutcome::of(created, answer)
        })
        .await
    }

    /// Researches a brand again. If a job for it is already active, possibly one of another project of the
    /// organization, the outcome is [`CreateOutcome::Reused`] with the answer that `answer_running` builds
    /// from that job. `answer` builds the answer from a job newly queued for this request.
    ///
    /// # Errors
    /// [`BrandProblem::Unknown`], [`BrandProblem::Archived`], or any other [`CreateError`].
    pub async fn research_brand(
        &self,
        scope: &ProjectScope,
        id: BrandId,
        idempotency: Option<Idempotency>,
        answer: fn(&Job) -> StoredAnswer,
        answer_running: fn(&ActiveResearch) -> StoredAnswer,
    ) -> Result<CreateOutcome<Box<Job>>, CreateError> {
        self.create_resource(scope, idempotency, |claim| async move {
            let store = self.store();
            let brand = store.get_brand(scope, id).await?;
            let brand = brand.ok_or(BrandProblem::Unknown)?;
            let input = BrandInput {
                company_name: brand.company_name,
                website_url: brand.website_url,
                is_default: brand.is_default || brand.default_wished_at.is_some(),
                brand_profile_id: id,
            };
            let new = self.prepare_research(scope, &input, answer).await?;
            let answer = new.response.clone();
            let begun = store.research_brand(scope, id, new, claim, answer_running);
            match begun.await? {
                Research::Absent => Err(BrandProblem::Unknown.into()),
                Research::Archived => Err(BrandProblem::Archived.into()),
                Research::Job(created) => CreateOutcome::of(created, answer),
                Research::Active(_, answer) => Ok(CreateOutcome::Reused(answer)),
            }
        })
        .await
    }

    async fn prepare_research(
        &self,
        scope: &ProjectScope,
        input: &BrandInput,
        answer: fn(&Job) -> StoredAnswer,
    ) -> Result<NewJob, CreateError> {
        let input =
            serde_json::to_value(input).map_err(|e| EngineError::shape("brand input", e))?;
        self.prepare(scope, JobType::Brands, input, None, answer)
            .await
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
        let Some(brand) = self.store().get_brand(scope, id).await? else {
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

    /// Revisions of a brand's guideline, newest first; `None` if the organization has no such brand.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn guideline_revisions(
        &self,
        scope: &ProjectScope,
        id: BrandId,
        page: GuidelineRevisionPage,
    ) -> Result<Option<Vec<GuidelineRevision>>, EngineError> {
        if self.store().get_brand(scope, id).await?.is_none() {
            return Ok(None);
        }
        Ok(Some(
            self.store().guideline_revisions(scope, id, page).await?,
        ))
    }

    /// The guideline to bind; `None` if the request does not require a brand, names none, and the
    /// organization has no default.
    ///
    /// # Errors
    /// A [`BrandProblem`], or an internal failure of the engine.
    pub(crate) async fn choose_brand(
        &self,
        scope: &ProjectScope,
        choice: BrandChoice,
    ) -> Result<Option<BrandBinding>, CreateError> {
        let store = self.store();
        if choice.by.is_empty() {
            let found = store.select_brand(scope, BrandSelection::Default).await?;
            return Ok(default_binding(found, choice.required)?);
        }
        let mut chosen: Option<SelectedBrand> = None;
        for by in choice.by {
            let found = store.select_brand(scope, by).await?;
            let found = found.ok_or(BrandProblem::Unknown)?;
            if chosen.is_some_and(|other| other.brand.id != found.brand.id) {
                return Err(BrandProblem::Mismatch.into());
            }
            chosen = Some(found);
        }
        let chosen = chosen.ok_or(BrandProblem::Unknown)?;
        Ok(Some(named_binding(chosen)?))
    }
}
