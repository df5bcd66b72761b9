//! A revision as callers see it (annex A4.3): whole, and without its structure in lists.

use bytes::Bytes;
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::message::TemplateRevision;
use http::StatusCode;
use serde::{Serialize, Serializer};
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::created;
use crate::job_schemas::Named;

const EXAMPLE: &str = include_str!("example.json");
/// The member that lists leave out.
const STRUCTURE: &str = "structure";

/// An example of a revision as answers show it. The file is part of the program, and a test reads it.
fn example() -> Value {
    serde_json::from_str(EXAMPLE).unwrap_or_default()
}

/// A revision in a list.
#[derive(Debug)]
pub struct RevisionRow(pub TemplateRevision);

impl Serialize for RevisionRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut row = serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?;
        without_structure(&mut row);
        row.serialize(serializer)
    }
}

impl RevisionRow {
    pub const SCHEMA: &'static str = "MessageTemplateRevisionSummary";

    pub fn example() -> Value {
        let mut row = example();
        without_structure(&mut row);
        row
    }
}

fn without_structure(revision: &mut Value) {
    if let Some(members) = revision.as_object_mut() {
        members.shift_remove(STRUCTURE);
    }
}

/// The schemas of a revision, of its row in a list, and of what they consist of.
pub fn components() -> Vec<Named> {
    let mut whole = TemplateRevision::schema();
    let mut row = TemplateRevision::schema();
    // What is derived from a struct is an object.
    if let RefOr::T(Schema::Object(whole)) = &mut whole {
        whole.examples = vec![example()];
    }
    if let RefOr::T(Schema::Object(row)) = &mut row {
        row.description = Some("A revision in a list: everything but its structure.".to_owned());
        row.properties.shift_remove(STRUCTURE);
        row.required.retain(|name| name != STRUCTURE);
        row.examples = vec![RevisionRow::example()];
    }
    let mut components = vec![
        (TemplateRevision::name().into_owned(), whole),
        (RevisionRow::SCHEMA.to_owned(), row),
    ];
    TemplateRevision::schemas(&mut components);
    components
}

/// The 201 for a revision, which is stored with it.
#[must_use]
pub fn created(revision: &TemplateRevision) -> StoredAnswer {
    // A revision holds only what JSON can say, so it always serializes.
    let body = serde_json::to_vec(revision)
        .map(Bytes::from)
        .unwrap_or_default();
    let location = format!("/v1/message-template-revisions/{}", revision.id);
    created::answer(StatusCode::CREATED, location, body)
}
