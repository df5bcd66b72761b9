//! Message templates of a project: their revisions, which are never changed.

use gtm_domain::MessageTemplateRevisionId;
use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::idempotency::{Create, IdempotencyClaim, StoredAnswer};
use gtm_domain::message::TemplateRevision;

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::message_template::{MessageTemplateRevisionPage, NewMessageTemplateRevision};
use crate::scope::ProjectScope;

impl Store {
    /// Stores a reviewed revision as the next one of its template, with its idempotency row and its audit entry, in
    /// one transaction. Of any number of concurrent requests with one key, exactly one stores anything; of requests
    /// without one, each gets a number of its own. `answer` builds what a replay repeats.
    ///
    /// # Errors
    /// If the database cannot be written; then nothing was.
    pub async fn create_message_template_revision(
        &self,
        scope: &ProjectScope,
        new: NewMessageTemplateRevision,
        idempotency: Option<IdempotencyClaim>,
        answer: impl Fn(&TemplateRevision) -> StoredAnswer + Send + Sync + 'static,
    ) -> Result<Create<TemplateRevision>, StoreError> {
        let (project, now) = (scope.project, self.now());
        let event = AuditEvent {
            after: Some(new.content.template_hash),
            ..self.key_event(scope, AuditAction::MessageTemplateRevisionCreated, new.id)
        };
        let result = on_database!(self, write, Access::Project(project), |c, repo| {
            let claim = idempotency.as_ref();
            repo::message_template_revisions::create(c, project, new, claim, &answer, &event, now)
                .await
        });
        self.settle_race(scope, idempotency, result).await
    }

    /// A revision of the project.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn get_message_template_revision(
        &self,
        scope: &ProjectScope,
        id: MessageTemplateRevisionId,
    ) -> Result<Option<TemplateRevision>, StoreError> {
        let project = scope.project;
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::message_template_revisions::get(c, project, id).await
        })
    }

    /// Revisions of the project, newest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn list_message_template_revisions(
        &self,
        scope: &ProjectScope,
        page: MessageTemplateRevisionPage,
    ) -> Result<Vec<TemplateRevision>, StoreError> {
        let project = scope.project;
        on_database!(self, read, Access::Project(project), |c, repo| {
            repo::message_template_revisions::list(c, project, &page).await
        })
    }
}
