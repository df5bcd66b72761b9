//! Creating a message to one prospect: what is refused before there is a job. Everything else is a gate
//! (`docs/message-gates.md`), because a caller can learn it only from the facts.

use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::job::Job;
use gtm_domain::message::prospect_message::{MessageOffer, PolicyReference, ProspectMessageInput};
use gtm_domain::offer::OfferSelection;
use gtm_domain::{JobStatus, JobType};
use gtm_runtime::PluginKind;
use gtm_store::ProjectScope;
use serde_json::json;

use crate::create::{CreateError, CreateOutcome, Idempotency};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::offer_choice::OfferProblem;
use crate::pins::PinnedPlugin;
use crate::prospect_message_problem::ProspectMessageProblem;

impl Engine {
    /// Creates a job that writes a message to one prospect, or says why there is none. `answer` builds the answer from
    /// the queued job.
    ///
    /// # Errors
    /// A [`ProspectMessageProblem`], an unknown offer, or another [`CreateError`].
    pub async fn create_prospect_message(
        &self,
        scope: &ProjectScope,
        input: ProspectMessageInput,
        idempotency: Option<Idempotency>,
        answer: fn(&Job) -> StoredAnswer,
    ) -> Result<CreateOutcome<Box<Job>>, CreateError> {
        self.create_resource(scope, idempotency, |claim| async move {
            self.check_prospect_message(scope, &input).await?;
            let input = serde_json::to_value(&input)
                .map_err(|e| EngineError::shape("prospect message input", e))?;
            let job_type = JobType::MessageTemplates;
            self.create_job(scope, job_type, input, None, claim, answer)
                .await
        })
        .await
    }

    async fn check_prospect_message(
        &self,
        scope: &ProjectScope,
        input: &ProspectMessageInput,
    ) -> Result<(), CreateError> {
        use ProspectMessageProblem as Problem;
        let store = self.store();
        let revision = store
            .get_message_template_revision(scope, input.revision_id)
            .await?
            .ok_or(Problem::UnknownRevision)?;
        let expected = input.expected_template_hash;
        if expected.is_some_and(|expected| expected != revision.template_hash) {
            return Err(Problem::TemplateHashMismatch.into());
        }
        // A job of another type has no prospects, whether it has expired or not.
        let job = store.get_job(scope, input.prospecting_job_id).await?;
        let job = job
            .filter(|job| job.job_type == JobType::Prospecting)
            .ok_or(Problem::UnknownProspect)?;
        if job.expired {
            return Err(Problem::JobExpired.into());
        }
        match job.status {
            JobStatus::Succeeded => {}
            JobStatus::Queued | JobStatus::Running => return Err(Problem::JobNotEnded.into()),
            JobStatus::Failed | JobStatus::Canceled => {
                return Err(Problem::JobNotSucceeded.into());
            }
        }
        if store
            .prospect(scope, input.prospecting_job_id, input.prospect_id)
            .await?
            .is_none()
        {
            return Err(Problem::UnknownProspect.into());
        }
        if let MessageOffer::Offer { offer_id } = &input.offer {
            let found = store
                .select_offer(scope, OfferSelection::Id(*offer_id))
                .await?;
            if found.is_none() {
                return Err(OfferProblem::Unknown.into());
            }
        }
        Ok(())
    }

    /// The evaluator of a policy, as the operator allowed it; `None` if the operator does not allow the policy. A
    /// component with another digest in the catalog is another policy: the job then fails, because its plug-in is not
    /// available.
    pub(crate) async fn pinned_policy(
        &self,
        policy: &PolicyReference,
    ) -> Result<Option<PinnedPlugin>, EngineError> {
        let Some(allowed) = self.store().allowed_policy(policy).await? else {
            return Ok(None);
        };
        let (key, version) = (allowed.evaluator, allowed.evaluator_version);
        let found = self.pure().find_pure(PluginKind::Evaluator, &key, &version);
        let same = found.filter(|found| found.digest == allowed.component);
        Ok(Some(PinnedPlugin {
            key,
            version: Some(version),
            digest: Some(allowed.component),
            manifest_digest: same.and_then(|found| found.manifest_digest),
            settings: json!({}),
            free_urls: false,
        }))
    }
}
