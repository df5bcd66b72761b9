//! The operator's side of templates: registering, listing and removing them.

use bytes::Bytes;
use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::document::{DocumentFormat, DocumentTemplate};
use gtm_domain::{Digest, DocumentTemplateId, OrganizationId, ProjectId};

use super::on_database;
use super::operator::Operator;
use crate::access::Access;
use crate::error::StoreError;

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Registers a template, which takes the place of the one of the same format that the same project or organization
    /// has. The file was checked. A file that is in use there already changes nothing. [`StoreError::Absent`] if the
    /// owner does not exist, [`StoreError::Conflict`] if it is archived.
    pub async fn add_template(
        &self,
        organization: OrganizationId,
        project: Option<ProjectId>,
        format: DocumentFormat,
        name: &str,
        file: Bytes,
    ) -> Result<DocumentTemplate, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        // A sweep between blob and row would remove the blob, so none may run until both are written.
        let _writing = self.0.inner.blobs.writing().await?;
        let size_bytes = file.len() as u64;
        let new = DocumentTemplate {
            id: DocumentTemplateId::from_uuid(self.0.new_uuid()),
            organization,
            project,
            format,
            name: name.to_owned(),
            digest: self.0.inner.blobs.put(file).await?,
            size_bytes,
            created_at: now,
            removed_at: None,
        };
        on_database!(self.0, write, Access::All, |c, repo| {
            let owner = repo::tenants::organization(c, organization).await?;
            owner
                .ok_or_else(|| StoreError::absent("organization", organization))?
                .active()
                .map_err(StoreError::conflict)?;
            let all = repo::document_templates::in_use(c, organization).await?;
            let before = all
                .into_iter()
                .find(|known| known.project == project && known.format == format);
            if let Some(before) = &before {
                if before.digest == new.digest {
                    return Ok(before.clone());
                }
                repo::document_templates::remove(c, before.id, now).await?;
            }
            repo::document_templates::insert(c, &new).await?;
            let digests = (before.map(|before| before.digest), Some(new.digest));
            let event = operator.template_event(AuditAction::DocumentTemplateAdded, &new, digests);
            repo::audit::append(c, &event, now).await?;
            Ok(new)
        })
    }

    /// Removes a template: jobs created from now on do not use it. Removing it twice changes nothing.
    /// [`StoreError::Absent`] if it does not exist.
    pub async fn remove_template(
        &self,
        id: DocumentTemplateId,
    ) -> Result<DocumentTemplate, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let found = repo::document_templates::held(c, id).await?;
            let found = found.ok_or_else(|| StoreError::absent("template", id))?;
            if found.removed_at.is_some() {
                return Ok(found);
            }
            repo::document_templates::remove(c, id, now).await?;
            let digests = (Some(found.digest), None);
            let event =
                operator.template_event(AuditAction::DocumentTemplateRemoved, &found, digests);
            repo::audit::append(c, &event, now).await?;
            Ok(DocumentTemplate {
                removed_at: Some(now),
                ..found
            })
        })
    }

    /// Templates of one organization or all, newest first: those in use, or those that are not any more.
    pub async fn list_templates(
        &self,
        organization: Option<OrganizationId>,
        removed: bool,
    ) -> Result<Vec<DocumentTemplate>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::document_templates::operator_list(c, organization, removed).await
        })
    }

    /// A template, in use or not; `None` if it does not exist.
    pub async fn show_template(
        &self,
        id: DocumentTemplateId,
    ) -> Result<Option<DocumentTemplate>, StoreError> {
        on_database!(self.0, write, Access::All, |c, repo| {
            repo::document_templates::held(c, id).await
        })
    }

    fn template_event(
        &self,
        action: AuditAction,
        template: &DocumentTemplate,
        (before, after): (Option<Digest>, Option<Digest>),
    ) -> AuditEvent {
        let (organization, project) = (Some(template.organization), template.project);
        AuditEvent {
            before,
            after,
            ..self.event(action, template.id, organization, project)
        }
    }
}
