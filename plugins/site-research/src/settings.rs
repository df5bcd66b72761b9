//! Reads a binding's settings.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::{Failure, FailureKind};

/// The language that a binding wants, in canonical form.
///
/// # Errors
/// `backend_error` if it is no BCP 47 tag.
pub fn language(tag: Option<String>) -> Result<Option<String>, Failure> {
    let Some(tag) = tag.filter(|tag| !tag.trim().is_empty()) else {
        return Ok(None);
    };
    let canonical = gtm_page_text::canonical_tag(tag.trim());
    canonical.map(Some).ok_or_else(|| {
        Failure::new(
            FailureKind::InvalidInput,
            "backend_error",
            format!("The setting `language` is no language tag such as `de` or `pt-BR`: {tag:?}."),
        )
    })
}

/// Reads settings; what they don't say is as in the defaults, and a member that those don't have is refused. The caller
/// applies its own limits.
///
/// # Errors
/// `backend_error` for invalid settings, although the host has checked them before.
pub fn read<T: Default + Serialize + DeserializeOwned>(settings: Value) -> Result<T, Failure> {
    let invalid = |error: String| {
        Failure::new(
            FailureKind::InvalidInput,
            "backend_error",
            format!("The backend's settings have an unexpected form: {error}."),
        )
    };
    let mut read =
        serde_json::to_value(T::default()).map_err(|error| invalid(error.to_string()))?;
    match settings {
        Value::Null => {}
        Value::Object(given) => {
            for (name, value) in given {
                // Settings that backends share are members of a part of their type, which refuses none.
                let Some(known) = read.get_mut(&name) else {
                    return Err(invalid(format!("unknown field `{name}`")));
                };
                *known = value;
            }
        }
        _ => return Err(invalid("expected an object".to_owned())),
    }
    serde_json::from_value(read).map_err(|error| invalid(error.to_string()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    struct Part {
        pages: usize,
        language: Option<String>,
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Whole {
        #[serde(flatten)]
        part: Part,
        share: Option<f64>,
    }

    impl Default for Whole {
        fn default() -> Self {
            let part = Part {
                pages: 7,
                language: None,
            };
            Self { part, share: None }
        }
    }

    #[test]
    fn what_settings_do_not_say_is_as_in_the_defaults() {
        for nothing in [Value::Null, json!({})] {
            assert_eq!(read::<Whole>(nothing).unwrap(), Whole::default());
        }
        let told = read::<Whole>(json!({"share": 1, "language": "de"})).unwrap();
        assert_eq!((told.share, told.part.pages), (Some(1.0), 7));
        assert_eq!(told.part.language.as_deref(), Some("de"));
        for (wrong, expected) in [
            (json!({"page": 3}), "unknown field `page`"),
            (json!({"part": {"pages": 3}}), "unknown field `part`"),
            (json!({"pages": "many"}), "invalid type"),
            (json!([]), "expected an object"),
        ] {
            let message = format!("{:?}", read::<Whole>(wrong).unwrap_err());
            assert!(message.contains(expected), "{message}");
        }
    }
}
