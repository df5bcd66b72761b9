//! Start URLs of bindings: as set by operators, and as in effect for a project.

use std::collections::BTreeMap;

use gtm_domain::BindingId;
use gtm_domain::audit::AuditAction;
use gtm_domain::domain_name::DomainName;
use gtm_domain::start_url::{StartUrl, StartUrls};

use super::operator::Operator;
use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::scope::ProjectScope;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartUrlChange {
    /// Add these; a new one replaces that of the same domain.
    Add(Vec<StartUrl>),
    /// Replace all with these.
    Replace(Vec<StartUrl>),
    /// Remove that of this domain.
    Remove(DomainName),
}

impl Store {
    /// The start URLs of a binding in effect for the project: those of the domain's site, or all if
    /// `domain` is `None`. Empty for any other binding.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn start_urls(
        &self,
        scope: &ProjectScope,
        binding: BindingId,
        domain: Option<&DomainName>,
    ) -> Result<StartUrls, StoreError> {
        let site = domain.map(|domain| domain.registrable().to_owned());
        let (project, organization) = (scope.project, scope.organization);
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::start_urls::for_project(c, project, organization, binding, site.as_deref()).await
        })
    }
}

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// The start URLs of a binding; empty if it does not exist.
    pub async fn binding_start_urls(&self, binding: BindingId) -> Result<StartUrls, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::start_urls::of_binding(c, binding).await
        })
    }

    /// The number of start URLs of each binding that has any.
    pub async fn start_url_counts(&self) -> Result<BTreeMap<BindingId, usize>, StoreError> {
        let counts = on_database!(self.0, read, Access::All, |c, repo| {
            repo::start_urls::counts(c).await
        })?;
        Ok(counts.into_iter().collect())
    }

    /// Changes the start URLs of a binding, all or nothing, and returns the new ones.
    /// [`StoreError::Absent`] if it does not exist, [`StoreError::Conflict`] if it leads to a connection or
    /// would have too many.
    pub async fn change_start_urls(
        &self,
        binding: BindingId,
        change: StartUrlChange,
    ) -> Result<StartUrls, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let row = repo::bindings::touch(c, binding, now)
                .await?
                .ok_or_else(|| StoreError::absent("binding", binding))?;
            let before = repo::start_urls::of_binding(c, binding).await?;
            match &change {
                StartUrlChange::Add(urls) => repo::start_urls::put(c, &row, urls).await?,
                StartUrlChange::Replace(urls) => {
                    repo::start_urls::remove(c, binding, None).await?;
                    repo::start_urls::put(c, &row, urls).await?;
                }
                StartUrlChange::Remove(domain) => {
                    repo::start_urls::remove(c, binding, Some(domain.as_str())).await?;
                }
            }
            let after = repo::start_urls::of_binding(c, binding).await?;
            let (organization, project) = repo::bindings::owner(c, row.scope).await?;
            let action = AuditAction::BindingStartUrlsChanged;
            let event = operator.event(action, binding, organization, project);
            repo::audit::append(c, &event.before(&before)?.after(&after)?, now).await?;
            Ok(after)
        })
    }
}
