//! Company dossier specifications (annex A8): pins the requested connector to the catalog's bytes and
//! stores the plan. Calls nothing and creates no job.

use gtm_domain::DossierSpecificationId;
use gtm_domain::dossier::{DossierRequest, DossierSpecification, specification_hash};
use gtm_domain::idempotency::StoredAnswer;
use gtm_store::{NewDossierSpecification, ProjectScope};

use crate::create::{CreateError, CreateOutcome, Idempotency};
use crate::engine::Engine;
use crate::error::EngineError;

impl Engine {
    /// Freezes a plan. `answer` builds the answer from the specification.
    ///
    /// # Errors
    /// [`CreateError::UnknownConnector`], or any other [`CreateError`].
    pub async fn create_dossier_specification(
        &self,
        scope: &ProjectScope,
        request: DossierRequest,
        idempotency: Option<Idempotency>,
        answer: fn(&DossierSpecification) -> StoredAnswer,
    ) -> Result<CreateOutcome<DossierSpecification>, CreateError> {
        self.create_resource(scope, idempotency, |claim| async move {
            let revision = self
                .connectors()
                .connector_revision(&request.connector_key, &request.manifest_version)
                .ok_or(CreateError::UnknownConnector)?;
            let plan = request.pinned(revision);
            let now = self.clock().now();
            let specification = DossierSpecification {
                id: DossierSpecificationId::from_uuid(gtm_store::uuid_v7(now)),
                project: scope.project(),
                specification_hash: specification_hash(scope.project(), &plan)
                    .map_err(|e| EngineError::shape("dossier plan", e))?,
                plan,
                created_at: now,
                created_by: scope.key(),
            };
            let answer = answer(&specification);
            let new = NewDossierSpecification {
                specification,
                response: answer.clone(),
            };
            let store = self.store();
            let created = store
                .create_dossier_specification(scope, new, claim)
                .await?;
            CreateOutcome::of(created, answer)
        })
        .await
    }
}
