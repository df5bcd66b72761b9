//! Templates of documents, for the tenant's jobs.

use bytes::Bytes;
use gtm_domain::document::template::in_use;
use gtm_domain::document::{DocumentTemplate, TemplateBinding};

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::scope::ProjectScope;

impl Store {
    /// The templates that jobs of the project are bound to from now on, at most one of each format.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn templates_in_use(
        &self,
        scope: &ProjectScope,
    ) -> Result<Vec<DocumentTemplate>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        let all = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::document_templates::in_use(c, organization).await
        })?;
        Ok(in_use(project, &all).into_iter().cloned().collect())
    }

    /// The file of a template that a job of the project is bound to; `None` if the organization has no such template.
    ///
    /// # Errors
    /// If the database or the blob cannot be read.
    pub async fn bound_template(
        &self,
        scope: &ProjectScope,
        bound: &TemplateBinding,
    ) -> Result<Option<Bytes>, StoreError> {
        let (project, organization) = (scope.project, scope.organization);
        let id = bound.template_id;
        let digest = on_database!(self, read, Access::Project(project), |c, repo| {
            repo::document_templates::digest(c, organization, id).await
        })?;
        match digest {
            Some(digest) if digest == bound.digest => self.inner.blobs.read(digest).await.map(Some),
            _ => Ok(None),
        }
    }
}
