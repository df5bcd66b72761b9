//! Message templates: storing what a person has read, and filling a stored revision. Calls nothing and creates no
//! job.

use std::collections::BTreeMap;

use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::Job;
use gtm_domain::message::generation::GenerateInput;
use gtm_domain::message::render::render;
use gtm_domain::message::revision::template_hash;
use gtm_domain::message::structure::check;
use gtm_domain::message::{
    MessageFault, NewRevision, PLACEHOLDER_CATALOG_VERSION, RenderedMessage, Review,
    RevisionOrigin, Structure, TemplateOffer, TemplateOptions, TemplateRevision, Variable,
};
use gtm_domain::offer::OfferContent;
use gtm_domain::{Digest, JobType, MessageTemplateRevisionId, Timestamp};
use gtm_evidence_check::message::{DraftToScore, WRONG_LANGUAGE, assess, draft_differs};
use gtm_runtime::blocking_work;
use gtm_store::{NewMessageTemplateRevision, ProjectScope};

use crate::create::{CreateError, CreateOutcome, Idempotency};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::offer_choice::OfferChoice;
use crate::offered_words::OfferedWords;

/// What a template sells, as a request names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OfferOfTemplate {
    /// An offer by id or key.
    Named(String),
    /// The caller's own summary.
    Summary(String),
}

/// A template that a person has read, from a normalized request: its texts are trimmed, its structure is
/// [cleaned](Structure::cleaned), its language tags are canonical.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedTemplate {
    pub template_key: String,
    pub name: String,
    pub language: String,
    pub audience: String,
    pub objective: String,
    pub offer: OfferOfTemplate,
    pub desired_next_step: String,
    pub options: TemplateOptions,
    pub reason: Option<String>,
    pub structure: Structure,
    pub reviewed_by: String,
    pub reviewed_at: Timestamp,
    pub statement: String,
}

/// Why a revision was not filled.
#[derive(Debug, Clone, thiserror::Error)]
pub enum RenderError {
    /// The project has no such revision.
    #[error("the project has no such revision")]
    Unknown,
    /// The revision has another hash than the caller expects.
    #[error("the revision has another hash")]
    OtherHash,
    /// The values do not fill it.
    #[error("the values do not fill the revision")]
    Values(Vec<MessageFault>),
    /// The engine failed.
    #[error(transparent)]
    Internal(#[from] EngineError),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilledRevision {
    pub id: MessageTemplateRevisionId,
    pub template_hash: Digest,
    pub message: RenderedMessage,
}

/// Holds a reviewed template to everything that no review can outweigh, and returns the placeholders that it uses.
/// `offer` is what it sells; without one, the summary stands for it.
///
/// # Errors
/// Faults with pointers into the structure.
fn held_to_the_rules(
    template: &ReviewedTemplate,
    offer: Option<&OfferContent>,
) -> Result<Vec<Variable>, Vec<MessageFault>> {
    let variables = check(&template.structure, &template.options)?;
    // DANGER: lists of words find nothing in a language that is not theirs.
    if draft_differs(&template.structure, &template.language) {
        let message = format!(
            "The text is not written in the language “{}”, which the template names.",
            template.language
        );
        return Err(vec![MessageFault::new("/blocks", WRONG_LANGUAGE, message)]);
    }
    let summary = match &template.offer {
        OfferOfTemplate::Summary(summary) => Some(summary.as_str()),
        OfferOfTemplate::Named(_) => None,
    };
    let offered = OfferedWords::of(offer, summary);
    let assessment = assess(&DraftToScore {
        structure: &template.structure,
        language: &template.language,
        options: &template.options,
        audience: &template.audience,
        objective: &template.objective,
        desired_next_step: &template.desired_next_step,
        approved_texts: &offered.texts,
        forbidden_claims: &offered.forbidden_claims,
    });
    let faults: Vec<MessageFault> = assessment
        .hard_failures
        .into_iter()
        .map(|failure| MessageFault {
            pointer: failure.pointer,
            rule: failure.code,
            message: failure.message,
        })
        .collect();
    if faults.is_empty() {
        Ok(variables)
    } else {
        Err(faults)
    }
}

impl Engine {
    /// Creates a job that generates a revision. `answer` builds the answer from the queued job.
    ///
    /// # Errors
    /// [`CreateError::Offer`] if the named offer cannot be bound, or any other [`CreateError`].
    pub async fn generate_message_template(
        &self,
        scope: &ProjectScope,
        input: GenerateInput,
        idempotency: Option<Idempotency>,
        answer: fn(&Job) -> StoredAnswer,
    ) -> Result<CreateOutcome<Box<Job>>, CreateError> {
        self.create_resource(scope, idempotency, |claim| async move {
            let input = serde_json::to_value(&input)
                .map_err(|e| EngineError::shape("template input", e))?;
            self.create_job(scope, JobType::MessageTemplates, input, None, claim, answer)
                .await
        })
        .await
    }

    /// Stores a reviewed template as the next revision of its key. `answer` builds the answer from the revision.
    ///
    /// # Errors
    /// [`CreateError::Offer`] if the named offer cannot be bound, [`CreateError::Template`] if the template breaks a
    /// rule, or any other [`CreateError`].
    pub async fn create_message_template_revision(
        &self,
        scope: &ProjectScope,
        template: ReviewedTemplate,
        idempotency: Option<Idempotency>,
        answer: fn(&TemplateRevision) -> StoredAnswer,
    ) -> Result<CreateOutcome<Box<TemplateRevision>>, CreateError> {
        self.create_resource(scope, idempotency, |claim| async move {
            let (offer, words) = self.offer_of(scope, &template.offer).await?;
            let held = move || match held_to_the_rules(&template, words.as_ref()) {
                Ok(variables) => Ok((template, variables)),
                Err(faults) => Err(faults),
            };
            let held = blocking_work(held).await;
            let held = held.map_err(|error| EngineError::shape("message template", error))?;
            let (template, variables) = held.map_err(CreateError::Template)?;
            let content = reviewed(template, offer, variables)?;
            let now = self.clock().now();
            let new = NewMessageTemplateRevision {
                id: MessageTemplateRevisionId::from_uuid(gtm_store::uuid_v7(now)),
                content,
                created_at: now,
            };
            let store = self.store();
            let created = store
                .create_message_template_revision(scope, new, claim, answer)
                .await?;
            CreateOutcome::shown(created, answer)
        })
        .await
    }

    /// The offer of a template as its revision keeps it, and what the offer says.
    async fn offer_of(
        &self,
        scope: &ProjectScope,
        offer: &OfferOfTemplate,
    ) -> Result<(TemplateOffer, Option<OfferContent>), CreateError> {
        match offer {
            OfferOfTemplate::Named(name) => {
                let bound = self.choose_offer(scope, OfferChoice::named(name)?).await?;
                let content = self.store().bound_offer(scope, &bound).await?;
                let content = content
                    .ok_or_else(|| EngineError::shape("offer", "its approved revision is gone"))?;
                let kept = TemplateOffer {
                    offer_id: Some(bound.offer_id),
                    summary: None,
                    offer_hash: bound.offer_hash,
                };
                Ok((kept, Some(content)))
            }
            OfferOfTemplate::Summary(summary) => {
                let kept = TemplateOffer {
                    offer_id: None,
                    offer_hash: Digest::of(summary.as_bytes()),
                    summary: Some(summary.clone()),
                };
                Ok((kept, None))
            }
        }
    }

    /// Fills a revision of the project with values by the name of their placeholder.
    ///
    /// # Errors
    /// See [`RenderError`].
    pub async fn render_message_template_revision(
        &self,
        scope: &ProjectScope,
        id: MessageTemplateRevisionId,
        values: &BTreeMap<String, String>,
        expected: Option<Digest>,
    ) -> Result<FilledRevision, RenderError> {
        let found = self.store().get_message_template_revision(scope, id).await;
        let revision = found
            .map_err(EngineError::from)?
            .ok_or(RenderError::Unknown)?;
        let hash = revision.template_hash;
        if expected.is_some_and(|expected| expected != hash) {
            return Err(RenderError::OtherHash);
        }
        let message = render(&revision.structure, &revision.language, values, hash)
            .map_err(RenderError::Values)?;
        Ok(FilledRevision {
            id,
            template_hash: hash,
            message,
        })
    }
}

/// A revision that was reviewed, before it has an identity.
fn reviewed(
    template: ReviewedTemplate,
    offer: TemplateOffer,
    variables: Vec<Variable>,
) -> Result<NewRevision, EngineError> {
    let of_shape = |fault| EngineError::shape("message template", fault);
    let hash = template_hash(
        &template.language,
        &template.options,
        &template.structure,
        &variables,
        PLACEHOLDER_CATALOG_VERSION,
    )
    .map_err(of_shape)?;
    let review = Review::of(
        template.reviewed_by,
        template.reviewed_at,
        template.statement,
        hash,
    )
    .map_err(of_shape)?;
    Ok(NewRevision {
        template_key: template.template_key,
        name: template.name,
        origin: RevisionOrigin::Reviewed,
        language: template.language,
        audience: template.audience,
        objective: template.objective,
        offer,
        desired_next_step: template.desired_next_step,
        options: template.options,
        reason: template.reason,
        structure: template.structure,
        variables,
        rubric: None,
        template_hash: hash,
        review: Some(review),
        placeholder_catalog_version: PLACEHOLDER_CATALOG_VERSION.to_owned(),
    })
}
