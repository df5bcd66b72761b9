//! `GET /v1/message-template-revisions`.

use axum::Json;
use axum::extract::State;
use gtm_domain::MessageTemplateRevisionId;
use gtm_domain::message::language;
use gtm_engine::MessageTemplateRevisionPage;
use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::{Ref, RefOr, Schema};

use super::ReadTemplates;
use super::envelope::RevisionRow;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::page::{Collection, Filter, ListQuery, PageBody, Published};
use crate::query_reader::Fault;

/// The revisions of a project.
#[derive(Debug)]
pub struct Revisions;

impl Collection for Revisions {
    const NAME: &'static str = "message_template_revisions";
    const ZEROS: &'static [&'static str] = &["messages_enqueued", "messages_sent"];
    type Filter = Wanted;
    type Key = MessageTemplateRevisionId;
}

impl Published for Revisions {
    const SCHEMA: &'static str = "MessageTemplateRevisionList";
    const ABOUT: &'static str =
        "A page of message template revisions, newest first, without their structures.";

    fn row() -> RefOr<Schema> {
        Ref::from_schema_name(RevisionRow::SCHEMA).into()
    }

    fn example() -> (Vec<Value>, Option<&'static str>) {
        (vec![RevisionRow::example()], None)
    }
}

/// Which revisions the caller wants.
#[derive(Debug, Default, Serialize)]
pub struct Wanted {
    template_key: Option<String>,
    language: Option<String>,
}

/// Whether a template can have this key, as `MessageTemplateRevisionCreate` says.
fn is_template_key(text: &str) -> bool {
    let is_inner = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    let begins = text.as_bytes().first();
    begins.is_some_and(u8::is_ascii_alphanumeric) && text.len() <= 100 && text.bytes().all(is_inner)
}

impl Filter for Wanted {
    const PARAMETERS: &'static [&'static str] = &["template_key", "language"];
    const WITH_CURSOR: &'static str = ", with the same filters";

    fn take(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if name == "template_key" {
            if !is_template_key(value) {
                let message = "must consist of at most 100 ASCII letters, digits, hyphens, dots and underscores and begin with a letter or digit";
                return Err(Fault::refused(name, "pattern", message));
            }
            self.template_key = Some(value.to_owned());
            return Ok(());
        }
        let tag = language::canonical(value).ok_or_else(|| {
            Fault::refused(name, "language", "must be a language tag such as en-GB")
        });
        self.language = Some(tag?);
        Ok(())
    }
}

pub struct ListRevisions;

impl Operation for ListRevisions {
    const ERRORS: &'static [DeclaredError] = DeclaredError::OF_A_FILTERED_LIST;
}

/// List message template revisions, newest first.
///
/// Lists the revisions of the key's project, each without its structure. Continue with `next_cursor` while
/// `has_more` is true.
#[utoipa::path(
    get, path = "/v1/message-template-revisions", tag = "Message templates",
    operation_id = "list_message_template_revisions_v1_message_template_revisions_get",
    params(
        ("template_key" = Option<String>, Query, description = "Only revisions of this template.", pattern = "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"),
        ("language" = Option<String>, Query, description = "Only revisions in exactly this language.", pattern = "^[A-Za-z0-9-]{2,35}$"),
        ListQuery::<Revisions>,
    ),
    responses(
        (status = 200, description = "A page of revisions.", body = ref("#/components/schemas/MessageTemplateRevisionList"), content_type = "application/json"),
        Errors::<ListRevisions>,
    )
)]
pub async fn list_message_template_revisions(
    api: State<Api>,
    caller: Authorized<ReadTemplates>,
    query: ListQuery<Revisions>,
) -> Result<Json<PageBody<Revisions, RevisionRow>>, ApiError> {
    let page = query.page(&api, caller.scope(), "")?;
    let wanted = MessageTemplateRevisionPage {
        template_key: page.filter.template_key.clone(),
        language: page.filter.language.clone(),
        before: page.after,
        limit: page.rows(),
    };
    let store = api.engine().store();
    let rows = store
        .list_message_template_revisions(caller.scope(), wanted)
        .await?;
    Ok(Json(page.answer(rows, |row| row.id, RevisionRow)))
}
