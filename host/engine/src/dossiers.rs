//! Company dossier specifications (annex A8): the connector that a request names is pinned to the
//! catalog's bytes, and the plan is stored. Nothing is called, and no job comes of it.

use bytes::Bytes;
use gtm_domain::dossier::{DossierRequest, DossierSpecification, specification_hash};
use gtm_domain::{DossierSpecificationId, ErrorCode};
use gtm_store::{
    Create, DossierSpecificationPage, IdempotencyClaim, KnownRequest, NewDossierSpecification,
    ProjectScope, StoredResponse,
};

use crate::create::{CreateError, Idempotency};
use crate::engine::Engine;
use crate::error::EngineError;

/// What became of a create.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "lives for one request and is mostly Created"
)]
pub enum DossierOutcome {
    /// A specification was stored.
    Created {
        /// The specification.
        specification: DossierSpecification,
        /// The rendered answer.
        body: Bytes,
    },
    /// The same request was answered before; its answer again.
    Replayed(StoredResponse),
    /// The catalog has no connector with the key and version of the request.
    UnknownConnector,
}

/// Status of a created specification (annex A8).
const CREATED: u16 = 201;

impl Engine {
    /// Freeze a plan. `render` makes the body of the 201 answer.
    ///
    /// # Errors
    /// A rule of the API, or a fault of the engine.
    pub async fn create_dossier_specification(
        &self,
        scope: &ProjectScope,
        request: DossierRequest,
        idempotency: Option<Idempotency>,
        render: &(dyn Fn(&DossierSpecification) -> Bytes + Sync),
    ) -> Result<DossierOutcome, CreateError> {
        let claim = idempotency.map(|given| IdempotencyClaim {
            key_hmac: self.store().idempotency_hmac(scope, &given.key),
            fingerprint: given.fingerprint,
        });
        let revision = self
            .connectors()
            .connector_revision(&request.connector_key, &request.manifest_version);
        let Some(revision) = revision else {
            // A repeated request gets its answer also when the catalog has moved on since.
            let Some(claim) = claim else {
                return Ok(DossierOutcome::UnknownConnector);
            };
            return match self.store().find_idempotent(scope, &claim).await? {
                Some(KnownRequest::Replay(response)) => Ok(DossierOutcome::Replayed(response)),
                Some(KnownRequest::Reused) => {
                    Err(CreateError::Code(ErrorCode::IdempotencyKeyReused, None))
                }
                None => Ok(DossierOutcome::UnknownConnector),
            };
        };
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
        let body = render(&specification);
        let response = StoredResponse {
            status: CREATED,
            headers: vec![("location".to_owned(), location(specification.id))],
            body: body.clone(),
        };
        let new = NewDossierSpecification {
            specification,
            response,
        };
        let made = self
            .store()
            .create_dossier_specification(scope, new, claim)
            .await?;
        match made {
            Create::Created(specification) => Ok(DossierOutcome::Created {
                specification,
                body,
            }),
            Create::Replayed(response) => Ok(DossierOutcome::Replayed(response)),
            Create::KeyReused => Err(CreateError::Code(ErrorCode::IdempotencyKeyReused, None)),
            Create::InProgress => Err(CreateError::Code(ErrorCode::IdempotencyInProgress, None)),
        }
    }

    /// A specification of the project.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn dossier_specification(
        &self,
        scope: &ProjectScope,
        id: DossierSpecificationId,
    ) -> Result<Option<DossierSpecification>, EngineError> {
        Ok(self.store().get_dossier_specification(scope, id).await?)
    }

    /// Specifications of the project, newest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn dossier_specifications(
        &self,
        scope: &ProjectScope,
        page: DossierSpecificationPage,
    ) -> Result<Vec<DossierSpecification>, EngineError> {
        Ok(self
            .store()
            .list_dossier_specifications(scope, page)
            .await?)
    }
}

/// Path at which a specification is read.
#[must_use]
pub fn location(id: DossierSpecificationId) -> String {
    format!("/v1/company-dossier-specifications/{id}")
}
