//! Open enumerations: callers see the present values and must accept unknown ones, because new values may
//! be added.

use serde_json::Value;
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

/// The values of `T`, for a member's `x-extensible-enum`; empty if `T` is not an enumeration.
#[must_use]
pub fn open_enumeration<T: PartialSchema>() -> Vec<Value> {
    match T::schema() {
        RefOr::T(Schema::Object(schema)) => schema.enum_values.unwrap_or_default(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;
    use utoipa::ToSchema;

    use super::*;

    #[derive(Serialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code, reason = "only its schema is asked for")]
    enum Colour {
        Red,
        DarkBlue,
    }

    #[test]
    fn the_words_are_those_that_are_written() {
        let words = open_enumeration::<Colour>();
        assert_eq!(words, [json!(Colour::Red), json!(Colour::DarkBlue)]);
        assert_eq!(words[1], "dark_blue");
        assert_eq!(open_enumeration::<u64>(), Vec::<Value>::new());
    }
}
