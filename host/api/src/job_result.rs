//! A job's result as callers see it: as stored, with the paths of this API in it.

use gtm_domain::brand::BrandsResult;
use gtm_domain::document::DocumentResult;
use gtm_domain::message::generation::{GENERATE, GenerateResult};
use gtm_domain::{JobId, JobType, ProjectId};
use serde_json::{Value, json};
use utoipa::openapi::schema::{ArrayItems, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The member that says where a guideline is read.
const GUIDELINE_PATH: &str = "guideline_path";
/// The member that says where a revision of a message template is read.
const REVISION_PATH: &str = "revision_path";
/// The members that say where a file is downloaded.
const DOWNLOAD_PATH: &str = "download_path";
const CONSOLE_PATH: &str = "console_path";

/// Where the files of a job are downloaded, by its project and its id.
pub type Place = (ProjectId, JobId);

/// The published form of a stored result.
pub fn published(job_type: JobType, place: Place, stored: Option<&Value>) -> Option<Value> {
    let mut result = stored?.clone();
    if job_type == JobType::Documents {
        let files = result.get_mut("files").and_then(Value::as_array_mut);
        for file in files.into_iter().flatten().filter_map(Value::as_object_mut) {
            let Some(id) = file
                .get("file_id")
                .and_then(Value::as_str)
                .map(str::to_owned)
            else {
                continue;
            };
            let (project, job) = place;
            let download = format!("/v1/documents/{job}/files/{id}");
            let console = format!("/console/projects/{project}/jobs/{job}/files/{id}");
            file.insert(DOWNLOAD_PATH.to_owned(), json!(download));
            file.insert(CONSOLE_PATH.to_owned(), json!(console));
        }
    }
    if job_type == JobType::MessageTemplates
        && let Some(members) = result.as_object_mut()
        && members.get("operation").and_then(Value::as_str) == Some(GENERATE)
    {
        let revision = members.get("revision_id").and_then(Value::as_str);
        let path = revision.map(|id| format!("/v1/message-template-revisions/{id}"));
        members.insert(REVISION_PATH.to_owned(), json!(path));
    }
    if job_type == JobType::Brands
        && let Some(members) = result.as_object_mut()
        && let Some(brand) = members.get("brand_profile_id").and_then(Value::as_str)
    {
        let path = format!("/v1/brands/{brand}/guideline");
        members.insert(GUIDELINE_PATH.to_owned(), json!(path));
    }
    Some(result)
}

/// How many candidates a job has; `None` for a job of a type that has none, or without a result.
pub fn candidates(job_type: JobType, stored: Option<&Value>) -> Option<u64> {
    match job_type {
        JobType::Prospecting => stored?.get("candidates")?.as_u64(),
        _ => None,
    }
}

/// The schema of a research job's published result.
pub struct PublishedResearch;

impl PartialSchema for PublishedResearch {
    fn schema() -> RefOr<Schema> {
        let mut schema = BrandsResult::schema();
        // What is derived from a struct is an object.
        if let RefOr::T(Schema::Object(result)) = &mut schema {
            let path = ObjectBuilder::new()
                .schema_type(Type::String)
                .description(Some("Where the guideline is read."));
            result
                .properties
                .insert(GUIDELINE_PATH.to_owned(), path.into());
            result.required.push(GUIDELINE_PATH.to_owned());
        }
        schema
    }
}

impl ToSchema for PublishedResearch {
    fn name() -> std::borrow::Cow<'static, str> {
        BrandsResult::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        BrandsResult::schemas(schemas);
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

    #[test]
    fn only_its_own_paths_are_added_to_a_result() {
        let id = uuid::Uuid::from_u128(1);
        let place = (ProjectId::from_uuid(id), JobId::from_uuid(id));
        let published = |job_type, stored| published(job_type, place, stored);
        let stored = json!({ "brand_profile_id": "brd_1", "revision": 2 });
        let shown = published(JobType::Brands, Some(&stored)).unwrap();
        let path = "/v1/brands/brd_1/guideline";
        assert_eq!(
            shown,
            json!({ "brand_profile_id": "brd_1", "revision": 2, "guideline_path": path })
        );
        let again = published(JobType::Brands, Some(&shown));
        assert_eq!(again.as_ref(), Some(&shown));
        let playbook = published(JobType::Playbooks, Some(&stored));
        assert_eq!(playbook.as_ref(), Some(&stored));
        assert_eq!(published(JobType::Brands, None), None);
        let made = json!({ "files": [{ "file_id": "file_1" }] });
        let shown = published(JobType::Documents, Some(&made)).unwrap();
        let (project, job) = place;
        assert_eq!(
            shown["files"][0],
            json!({
                "file_id": "file_1",
                "download_path": format!("/v1/documents/{job}/files/file_1"),
                "console_path": format!("/console/projects/{project}/jobs/{job}/files/file_1"),
            })
        );
    }

    #[test]
    fn a_generation_says_where_its_revision_is_read() {
        let id = uuid::Uuid::from_u128(1);
        let place = (ProjectId::from_uuid(id), JobId::from_uuid(id));
        let published = |stored: &Value| published(JobType::MessageTemplates, place, Some(stored));
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

    #[test]
    fn only_prospecting_jobs_count_candidates() {
        let made = json!({ "candidates": 3, "accepted": 2 });
        assert_eq!(candidates(JobType::Prospecting, Some(&made)), Some(3));
        assert_eq!(candidates(JobType::Prospecting, None), None);
        assert_eq!(candidates(JobType::Playbooks, Some(&made)), None);
    }
}
