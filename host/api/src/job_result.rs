//! A job's result as callers see it: as stored, with the paths of this API in it.

use gtm_domain::JobType;
use gtm_domain::brand::BrandsResult;
use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The member that says where a guideline is read.
const GUIDELINE_PATH: &str = "guideline_path";

/// The published form of a stored result.
pub fn published(job_type: JobType, stored: Option<&Value>) -> Option<Value> {
    let mut result = stored?.clone();
    if job_type == JobType::Brands
        && let Some(members) = result.as_object_mut()
        && let Some(brand) = members.get("brand_profile_id").and_then(Value::as_str)
    {
        let path = format!("/v1/brands/{brand}/guideline");
        members.insert(GUIDELINE_PATH.to_owned(), json!(path));
    }
    Some(result)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_the_result_of_research_names_the_guideline() {
        let stored = json!({ "brand_profile_id": "brd_1", "revision": 2 });
        let shown = published(JobType::Brands, Some(&stored)).unwrap();
        let path = "/v1/brands/brd_1/guideline";
        assert_eq!(
            shown,
            json!({ "brand_profile_id": "brd_1", "revision": 2, "guideline_path": path })
        );
        assert_eq!(published(JobType::Brands, Some(&shown)), Some(shown));
        let playbook = published(JobType::Playbooks, Some(&stored));
        assert_eq!(playbook, Some(stored));
        assert_eq!(published(JobType::Brands, None), None);
    }
}
