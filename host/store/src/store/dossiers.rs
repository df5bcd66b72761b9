//! Company dossier specifications of a project.

use gtm_domain::DossierSpecificationId;
use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::dossier::DossierSpecification;
use gtm_domain::idempotency::{Create, IdempotencyClaim};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::dossier::{DossierSpecificationPage, NewDossierSpecification};
use crate::scope::ProjectScope;

impl Store {
    /// Stores a specification, its idempotency row and its audit entry in one transaction. Of any number of
    /// concurrent requests with one key, exactly one stores anything. The specification belongs to the
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
            ..self.key_event(
                scope,
                AuditAction::CompanyDossierSpecificationCreated,
                made.id,
            )
        };
        let result = on_database!(self, write, Access::Project(owner.project), |c, repo| {
            repo::dossiers::create(c, &owner, &new, idempotency.as_ref(), &event, now).await
        });
        self.settle_race(scope, idempotency, result).await
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
        on_database!(self, read, Access::Project(project), |c, repo| {
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
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::dossiers::list(c, project, page).await
        })
    }
}
