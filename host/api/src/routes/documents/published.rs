//! A documents job's result as callers see it: as stored, with the paths of its files.

use gtm_domain::document::DocumentResult;
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{ArrayItems, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::job_result::{Place, ShownJobs};

/// The members that say where a file is downloaded.
const DOWNLOAD_PATH: &str = "download_path";
const CONSOLE_PATH: &str = "console_path";

pub const DOCUMENTS: ShownJobs = ShownJobs {
    add_paths,
    ..ShownJobs::AS_STORED
};

fn add_paths(result: &mut Map<String, Value>, (project, job): Place) {
    let files = result.get_mut("files").and_then(Value::as_array_mut);
    for file in files.into_iter().flatten().filter_map(Value::as_object_mut) {
        let Some(id) = file
            .get("file_id")
            .and_then(Value::as_str)
            .map(str::to_owned)
        else {
            continue;
        };
        let download = format!("/v1/documents/{job}/files/{id}");
        let console = format!("/console/projects/{project}/jobs/{job}/files/{id}");
        file.insert(DOWNLOAD_PATH.to_owned(), json!(download));
        file.insert(CONSOLE_PATH.to_owned(), json!(console));
    }
}

/// The schema of a documents job's published result.
pub struct PublishedDocument;

impl PartialSchema for PublishedDocument {
    fn schema() -> RefOr<Schema> {
        let mut schema = DocumentResult::schema();
        if let RefOr::T(Schema::Object(result)) = &mut schema
            && let Some(RefOr::T(Schema::Array(files))) = result.properties.get_mut("files")
            && let ArrayItems::RefOrSchema(file) = &mut files.items
            && let RefOr::T(Schema::Object(file)) = file.as_mut()
        {
            for (member, about) in [
                (DOWNLOAD_PATH, "Where the file is downloaded."),
                (
                    CONSOLE_PATH,
                    "Where people find it in the console; informational.",
                ),
            ] {
                let path = ObjectBuilder::new()
                    .schema_type(Type::String)
                    .description(Some(about));
                file.properties.insert(member.to_owned(), path.into());
                file.required.push(member.to_owned());
            }
        }
        schema
    }
}

impl ToSchema for PublishedDocument {
    fn name() -> std::borrow::Cow<'static, str> {
        DocumentResult::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        DocumentResult::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::{JobId, ProjectId};

    #[test]
    fn a_file_says_where_it_is_downloaded() {
        let id = uuid::Uuid::from_u128(1);
        let (project, job) = (ProjectId::from_uuid(id), JobId::from_uuid(id));
        let made = json!({ "files": [{ "file_id": "file_1" }] });
        let shown = DOCUMENTS.published((project, job), Some(&made)).unwrap();
        assert_eq!(
            shown["files"][0],
            json!({
                "file_id": "file_1",
                "download_path": format!("/v1/documents/{job}/files/file_1"),
                "console_path": format!("/console/projects/{project}/jobs/{job}/files/file_1"),
            })
        );
    }
}
