//! A research job's result as callers see it: as stored, with the path of the guideline.

use gtm_domain::brand::BrandsResult;
use serde_json::{Map, Value, json};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::job_result::{Place, ShownJobs};

/// The member that says where a guideline is read.
const GUIDELINE_PATH: &str = "guideline_path";

pub const RESEARCH: ShownJobs = ShownJobs {
    add_paths,
    ..ShownJobs::AS_STORED
};

fn add_paths(result: &mut Map<String, Value>, _: Place) {
    if let Some(brand) = result.get("brand_profile_id").and_then(Value::as_str) {
        let path = format!("/v1/brands/{brand}/guideline");
        result.insert(GUIDELINE_PATH.to_owned(), json!(path));
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

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_domain::{JobId, ProjectId};

    #[test]
    fn a_research_says_where_its_guideline_is_read() {
        let id = uuid::Uuid::from_u128(1);
        let place = (ProjectId::from_uuid(id), JobId::from_uuid(id));
        let stored = json!({ "brand_profile_id": "brd_1", "revision": 2 });
        let shown = RESEARCH.published(place, Some(&stored));
        let path = "/v1/brands/brd_1/guideline";
        let expected =
            json!({ "brand_profile_id": "brd_1", "revision": 2, "guideline_path": path });
        assert_eq!(shown, Some(expected));
        let again = RESEARCH.published(place, shown.as_ref());
        assert_eq!(again, shown);
        assert_eq!(RESEARCH.published(place, None), None);
    }
}
