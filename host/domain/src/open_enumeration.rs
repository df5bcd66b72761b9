//! Enumerations that may get further words: callers are told those there are, and must take others.

use serde_json::Value;
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

/// The words of `T`, for a member's `x-extensible-enum`; none if `T` is no enumeration.
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
