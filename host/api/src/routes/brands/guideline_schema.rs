//! How a guideline is described: as its type says, with an example.

use gtm_domain::guideline::Guideline;
use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema as _, ToSchema as _};

use crate::job_schemas::Named;

/// A guideline with every member.
const EXAMPLE: &str = include_str!("guideline_example.json");

/// The schema of a guideline, and those that it refers to.
pub fn components() -> Vec<Named> {
    let mut schema = Guideline::schema();
    // What is derived from a struct is an object.
    if let RefOr::T(Schema::Object(guideline)) = &mut schema {
        guideline.examples = vec![example()];
    }
    let mut components = vec![(Guideline::name().into_owned(), schema)];
    Guideline::schemas(&mut components);
    components
}

/// The file is part of the program, and a test reads it.
fn example() -> Value {
    serde_json::from_str(EXAMPLE).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde::Deserialize as _;

    use super::*;

    #[test]
    fn the_example_is_a_guideline_with_every_member() {
        let example = example();
        let guideline = Guideline::deserialize(&example).unwrap();
        assert_eq!(guideline.document(), example);
    }

    #[test]
    fn the_schema_names_every_member_of_the_document() {
        let document = serde_json::to_value(components()[0].1.clone()).unwrap();
        fn compare(at: &str, schema: &Value, value: &Value) {
            // A claim's value may be null, and a document of tokens may have any member.
            if let (Some(properties), Some(members)) =
                (schema["properties"].as_object(), value.as_object())
            {
                let described: Vec<_> = properties.keys().collect();
                let required: Vec<_> = schema["required"].as_array().unwrap().iter().collect();
                let written: Vec<_> = members.keys().collect();
                assert_eq!(described, written, "{at}");
                assert_eq!(required, written, "{at}");
                for (name, value) in members {
                    compare(&format!("{at}/{name}"), &properties[name], value);
                }
            }
            for element in value.as_array().into_iter().flatten() {
                compare(&format!("{at}/-"), &schema["items"], element);
            }
        }
        compare("", &document, &example());
    }
}
