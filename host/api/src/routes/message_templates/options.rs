//! `options` of a template in a request: defaults, and what its schema cannot express.

use gtm_domain::message::{TemplateOptions, language};
use serde_json::Value;

use crate::validation::Violation;

/// A language tag in its canonical form. What is no text has been reported by the schema.
pub fn tag(value: &Value, at: &str, violations: &mut Vec<Violation>) -> Option<String> {
    let text = value.as_str()?;
    let tag = language::canonical(text);
    if tag.is_none() {
        let message = "must be a language tag such as en-GB";
        violations.push(Violation::new(at, "language", message));
    }
    tag
}

/// The options for a text in this language. Members that are null or absent have their defaults.
pub fn read(
    value: Option<&Value>,
    language: Option<&str>,
    violations: &mut Vec<Violation>,
) -> TemplateOptions {
    let member = |name: &str| value.and_then(|options| options.get(name));
    let locale = member("locale").and_then(|it| tag(it, "/options/locale", violations));
    // A whole number in the sense of JSON Schema includes 40.0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the schema has checked that it is whole and its range"
    )]
    let number = |name: &str, default: u32| {
        let given = member(name).and_then(Value::as_f64);
        given.map_or(default, |number| number as u32)
    };
    let claims = member("forbidden_claims").and_then(Value::as_array);
    let claims = claims.into_iter().flatten().filter_map(Value::as_str);
    let tone = member("tone").and_then(Value::as_str);
    TemplateOptions {
        tone: tone.unwrap_or(TemplateOptions::DEFAULT_TONE).to_owned(),
        locale: locale
            .or_else(|| language.map(str::to_owned))
            .unwrap_or_default(),
        max_words: number("max_words", TemplateOptions::DEFAULT_MAX_WORDS),
        max_links: number("max_links", TemplateOptions::DEFAULT_MAX_LINKS),
        forbidden_claims: claims.map(|claim| claim.trim().to_owned()).collect(),
    }
}
