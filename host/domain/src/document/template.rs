//! Templates: an organization's own PPTX or DOCX, whose masters, layouts, styles and theme its documents have. The
//! operator registers them; a documents job binds the one in use when it is created.

use serde::{Deserialize, Serialize};

use super::DocumentFormat;
use crate::{Digest, DocumentTemplateId, OrganizationId, ProjectId, Timestamp};

/// A registered template. Its file is in the blob store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentTemplate {
    pub id: DocumentTemplateId,
    pub organization: OrganizationId,
    /// The project that it is for; `None` for all projects of the organization.
    pub project: Option<ProjectId>,
    pub format: DocumentFormat,
    /// Its name for people.
    pub name: String,
    pub digest: Digest,
    pub size_bytes: u64,
    pub created_at: Timestamp,
    /// When it was removed, or another one took its place.
    pub removed_at: Option<Timestamp>,
}

impl DocumentTemplate {
    /// What a job that is made in this look is bound to.
    #[must_use]
    pub const fn binding(&self) -> TemplateBinding {
        TemplateBinding {
            template_id: self.id,
            format: self.format,
            digest: self.digest,
        }
    }
}

/// The template that a job's files of a format are made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateBinding {
    pub template_id: DocumentTemplateId,
    pub format: DocumentFormat,
    /// Of the file.
    pub digest: Digest,
}

/// Name of the asset under which a renderer reads the template of its format; `None` for a format without templates.
#[must_use]
pub const fn asset(format: DocumentFormat) -> Option<&'static str> {
    match format {
        DocumentFormat::Pptx => Some("template.pptx"),
        DocumentFormat::Docx => Some("template.docx"),
        DocumentFormat::Pdf => None,
    }
}

/// The templates that a project uses, of those in use in its organization: its own before the organization's.
#[must_use]
pub fn in_use(project: ProjectId, all: &[DocumentTemplate]) -> Vec<&DocumentTemplate> {
    let of = |format: DocumentFormat| {
        let mut fitting = all.iter().filter(move |template| {
            template.format == format
                && template.removed_at.is_none()
                && template.project.is_none_or(|own| own == project)
        });
        let first = fitting.next()?;
        Some(
            fitting
                .chain([first])
                .find(|template| template.project.is_some())
                .unwrap_or(first),
        )
    };
    DocumentFormat::ALL.into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_project_s_own_template_comes_before_the_organization_s() {
        let now = Timestamp::from_millis(1_800_000_000_000);
        let [own, other] = [1, 2].map(|n| ProjectId::from_uuid(Uuid::from_u128(n)));
        let template = |number: u128, project, format, removed_at| DocumentTemplate {
            id: DocumentTemplateId::from_uuid(Uuid::from_u128(number)),
            organization: OrganizationId::from_uuid(Uuid::from_u128(9)),
            project,
            format,
            name: "Brand".to_owned(),
            digest: Digest::of(&number.to_be_bytes()),
            size_bytes: 1,
            created_at: now,
            removed_at,
        };
        let all = [
            template(1, None, DocumentFormat::Pptx, None),
            template(2, Some(own), DocumentFormat::Pptx, None),
            template(3, Some(other), DocumentFormat::Docx, None),
            template(4, Some(own), DocumentFormat::Docx, Some(now)),
        ];
        let ids = |project| -> Vec<u128> {
            let found = in_use(project, &all);
            found
                .iter()
                .map(|found| found.id.uuid().as_u128())
                .collect()
        };
        assert_eq!(ids(own), [2]);
        assert_eq!(ids(other), [1, 3]);
    }
}
