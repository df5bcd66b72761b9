//! The result of a message-template job as callers see it: as stored, and a generation's with the path of its revision.

use gtm_domain::message::generation::{GENERATE, GenerateResult};
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::job_result::{Place, ShownJobs};

/// The member that says where a revision of a message template is read.
const REVISION_PATH: &str = "revision_path";

pub const MESSAGES: ShownJobs = ShownJobs {
    add_paths,
    sends_nothing: true,
    ..ShownJobs::AS_STORED
};

fn add_paths(result: &mut Map<String, Value>, _: Place) {
    if result.get("operation").and_then(Value::as_str) == Some(GENERATE) {
        let revision = result.get("revision_id").and_then(Value::as_str);
        let path = revision.map(|id| format!("/v1/message-template-revisions/{id}"));
        result.insert(REVISION_PATH.to_owned(), json!(path));
    }
}

/// The schema of a generation job's published result.
pub struct PublishedGeneration;

impl PartialSchema for PublishedGeneration {
    fn schema() -> RefOr<Schema> {
        let mut schema = GenerateResult::schema();
        if let RefOr::T(Schema::Object(result)) = &mut schema {
            let path = ObjectBuilder::new()
                .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
                .description(Some("Where the revision is read; null without one."));
            result
                .properties
                .insert(REVISION_PATH.to_owned(), path.into());
            result.required.push(REVISION_PATH.to_owned());
        }
        schema
    }
}

impl ToSchema for PublishedGeneration {
    fn name() -> std::borrow::Cow<'static, str> {
        GenerateResult::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        GenerateResult::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::{JobId, ProjectId};

    #[test]
    fn a_generation_says_where_its_revision_is_read() {
        let id = uuid::Uuid::from_u128(1);
        let place = (ProjectId::from_uuid(id), JobId::from_uuid(id));
        let published = |stored: &Value| MESSAGES.published(place, Some(stored));
        let made = json!({ "operation": "generate", "revision_id": "mtr_1" });
        let shown = published(&made).unwrap();
        let path = "/v1/message-template-revisions/mtr_1";
        assert_eq!(
            shown,
            json!({ "operation": "generate", "revision_id": "mtr_1", "revision_path": path })
        );
        let none = json!({ "operation": "generate", "revision_id": null });
        let shown = published(&none).unwrap();
        assert_eq!(shown.get("revision_path"), Some(&Value::Null));
        let message = json!({ "operation": "prospect_message", "revision_id": "mtr_1" });
        assert_eq!(published(&message).as_ref(), Some(&message));
    }
}
