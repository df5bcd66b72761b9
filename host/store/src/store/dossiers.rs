//! Company dossier specifications of a project.

use gtm_domain::DossierSpecificationId;
use gtm_domain::dossier::DossierSpecification;

use super::tenant::is_lock_timeout;
use super::{Store, on_engine};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::audit::AuditEvent;
use crate::model::create::Create;
use crate::model::dossier::{DossierSpecificationPage, NewDossierSpecification};
use crate::model::job::{IdempotencyClaim, KnownRequest};
use crate::scope::ProjectScope;

impl Store {
    /// Store a specification, its idempotency row and its audit entry in one transaction. Of any
    /// number of concurrent requests with one key, exactly one stores anything. It belongs to the
    /// scope's project and key.
    ///
    /// # Errors
    /// If the database cannot be written; then nothing was.
    pub async fn create_dossier_specification(
        &self,
        scope: &ProjectScope,
        new: NewDossierSpecification,
        idempotency: Option<IdempotencyClaim>,
    ) -> Result<Create<DossierSpecification>, StoreError> {
        let (owner, now) = (scope.clone(), self.now());
        let made = &new.specification;
        let event = AuditEvent {
            after: Some(made.specification_hash),
            ..self.key_event(scope, "company_dossier_specification.created", made.id)
        };
        let result = on_engine!(self, write, Access::Project(owner.project), |c, repo| {
            repo::dossiers::create(c, &owner, &new, idempotency.as_ref(), &event, now).await
        });
        match (result, idempotency) {
            (Err(StoreError::KeyClaimed), Some(claim)) => {
                // The other request has committed, or it could not have been in the way.
                Ok(match self.find_idempotent(scope, &claim).await? {
                    Some(KnownRequest::Replay(response)) => Create::Replayed(response),
                    Some(KnownRequest::Reused) => Create::KeyReused,
                    None => Create::InProgress,
                })
            }
            (Err(error), Some(_)) if is_lock_timeout(&error) => Ok(Create::InProgress),
            (result, _) => result,
        }
    }

    /// A specification of the project.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get_dossier_specification(
        &self,
        scope: &ProjectScope,
        id: DossierSpecificationId,
    ) -> Result<Option<DossierSpecification>, StoreError> {
        let project = scope.project;
        on_engine!(self, read, Access::Project(project), |c, repo| {
            repo::dossiers::get(c, project, id).await
        })
    }

    /// Specifications of the project, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn list_dossier_specifications(
        &self,
        scope: &ProjectScope,
        page: DossierSpecificationPage,
    ) -> Result<Vec<DossierSpecification>, StoreError> {
        let project = scope.project;
        on_engine!(self, read, Access::Project(project), |c, repo| {
            repo::dossiers::list(c, project, page).await
        })
    }
}
