//! Revisions of message templates to store, and which of them to list.

use gtm_domain::message::NewRevision;
use gtm_domain::{MessageTemplateRevisionId, Timestamp};

/// A revision to store as the next one of its template. The store numbers it.
#[derive(Debug, Clone)]
pub struct NewMessageTemplateRevision {
    pub id: MessageTemplateRevisionId,
    pub content: NewRevision,
    pub created_at: Timestamp,
}

/// A page of the list of revisions, newest first.
#[derive(Debug, Clone, Default)]
pub struct MessageTemplateRevisionPage {
    /// Only revisions of this template.
    pub template_key: Option<String>,
    /// Only revisions in this language, a BCP 47 tag in its canonical form.
    pub language: Option<String>,
    /// Only revisions after this one in the list (cursor).
    pub before: Option<MessageTemplateRevisionId>,
    /// At most this many.
    pub limit: u32,
}
