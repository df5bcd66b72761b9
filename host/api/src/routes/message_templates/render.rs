//! `POST /v1/message-template-revisions/{revision_id}/render`.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use gtm_domain::fixed::Zero;
use gtm_domain::message::rendered::{MessageCounts, RendererIdentity};
use gtm_domain::{Digest, ErrorCode, MessageTemplateRevisionId};
use gtm_engine::{FilledRevision, RenderError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::ReadTemplates;
use crate::api::Api;
use crate::authorization::Authorized;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::operation::{DeclaredError, Errors, Operation};
use crate::path_id::PathId;
use crate::validation::{RequestBody, Violation};

/// The values that fill a revision.
#[derive(Debug, Deserialize)]
pub struct RenderRequest {
    values: BTreeMap<String, String>,
    #[serde(default)]
    expected_template_hash: Option<Digest>,
}

impl RequestBody for RenderRequest {
    const SCHEMA: &'static str = "MessageTemplateRender";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        // The schema has already reported whatever fails here.
        Self::deserialize(value).map_err(|_| Vec::new())
    }
}

/// A filled revision: the same values give the same bytes. Nothing was sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RenderedMessageTemplate, examples(example))]
pub struct Rendered {
    #[schema(value_type = String, pattern = "^mtr_[0-9a-hjkmnp-tv-z]{26}$")]
    revision_id: MessageTemplateRevisionId,
    /// Hash of the revision.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    template_hash: Digest,
    /// Hash of the values as given.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    values_hash: Digest,
    /// Hash of template, values, renderer and everything that was made of them.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    render_hash: Digest,
    /// One line.
    subject: String,
    /// What a mailbox shows beside the subject; stands hidden in the HTML and not in the text.
    #[schema(required)]
    preview_text: Option<String>,
    /// Plain text: blocks with a blank line between them, CRLF, no line end at the end.
    text: String,
    /// A whole HTML document that says the same.
    html: String,
    /// Ids of optional blocks that were dropped.
    dropped_blocks: Vec<String>,
    /// Ids of blocks whose fallback stands in their place.
    used_fallbacks: Vec<String>,
    /// Its sizes.
    #[schema(inline)]
    counts: MessageCounts,
    /// What filled it.
    #[schema(inline)]
    renderer: RendererIdentity,
    /// Nothing is ever enqueued.
    #[schema(inline)]
    messages_enqueued: Zero,
    /// Nothing is ever sent.
    #[schema(inline)]
    messages_sent: Zero,
}

fn example() -> Value {
    json!({
        "revision_id": "mtr_01jz9a0b1c2d3e4f5g6h7j8k9m",
        "template_hash": "sha256:2222222222222222222222222222222222222222222222222222222222222222",
        "values_hash": "sha256:3333333333333333333333333333333333333333333333333333333333333333",
        "render_hash": "sha256:4444444444444444444444444444444444444444444444444444444444444444",
        "subject": "Metering at Acme & Sons",
        "preview_text": null,
        "text": "Hello,\r\n\r\nIs metering for your next block already contracted?\r\n\r\nReply \"stop\" and we will not write to you again.",
        "html": "<!DOCTYPE html>\n<html lang=\"en-GB\" dir=\"ltr\">…</html>\n",
        "dropped_blocks": ["b7"],
        "used_fallbacks": ["b1"],
        "counts": { "words": 9, "links": 0, "subject_chars": 23 },
        "renderer": { "key": "message-renderer", "version": "1.0.0" },
        "messages_enqueued": 0,
        "messages_sent": 0
    })
}

impl From<FilledRevision> for Rendered {
    fn from(filled: FilledRevision) -> Self {
        let message = filled.message;
        Self {
            revision_id: filled.id,
            template_hash: filled.template_hash,
            values_hash: message.values_hash,
            render_hash: message.render_hash,
            subject: message.subject,
            preview_text: message.preview_text,
            text: message.text,
            html: message.html,
            dropped_blocks: message.dropped_blocks,
            used_fallbacks: message.used_fallbacks,
            counts: message.counts,
            renderer: message.renderer,
            messages_enqueued: Zero,
            messages_sent: Zero,
        }
    }
}

impl From<RenderError> for ApiError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Unknown => Self::not_found(),
            RenderError::OtherHash => Self::invalid(&[Violation::new(
                "/expected_template_hash",
                "template_hash_mismatch",
                "is not the hash of this revision",
            )]),
            RenderError::Values(faults) => {
                let of_values = |fault| Violation::of_message("", fault);
                let violations: Vec<Violation> = faults.into_iter().map(of_values).collect();
                Self::invalid(&violations)
            }
            RenderError::Internal(cause) => cause.into(),
        }
    }
}

pub struct RenderRevision;

impl Operation for RenderRevision {
    const ERRORS: &'static [DeclaredError] = &[
        DeclaredError::NOT_IN_PROJECT,
        DeclaredError::when(ErrorCode::MalformedRequest, "the body is too large").with_status(413),
        DeclaredError::BROKEN_RULES,
    ];
}

/// Render a message template revision.
///
/// Fills the revision with your values and answers with the exact subject, plain text and HTML, which say the same.
/// No job, no model and no network are involved; the same values give the same bytes, and nothing is kept or sent.
/// A placeholder that the revision does not declare, and a required one without a value, are refused.
#[utoipa::path(
    post, path = "/v1/message-template-revisions/{revision_id}/render", tag = "Message templates",
    operation_id = "render_message_template_revision_v1_message_template_revisions__revision_id__render_post",
    params(PathId::<MessageTemplateRevisionId>),
    request_body(content = ref("#/components/schemas/MessageTemplateRender"), content_type = "application/json"),
    responses(
        (status = 200, description = "The filled revision.", body = Rendered, content_type = "application/json"),
        Errors::<RenderRevision>,
    )
)]
pub async fn render_message_template_revision(
    api: State<Api>,
    caller: Authorized<ReadTemplates>,
    path: PathId<MessageTemplateRevisionId>,
    body: JsonBody<RenderRequest>,
) -> Result<Json<Rendered>, ApiError> {
    let RenderRequest {
        values,
        expected_template_hash,
    } = body.value;
    let engine = api.engine();
    let filled = engine
        .render_message_template_revision(caller.scope(), path.0, &values, expected_template_hash)
        .await?;
    Ok(Json(filled.into()))
}
