//! The claims of a guideline: its fields, and the words of a claim.

use serde_json::{Map, Value};

/// Fields with one claim each (annex A2).
pub(super) const ONE: [&str; 27] = [
    "/identity/brand_name",
    "/identity/legal_name",
    "/identity/tagline",
    "/identity/description_short",
    "/identity/description_long",
    "/identity/founded_year",
    "/identity/headquarters",
    "/identity/employee_range",
    "/identity/ownership",
    "/foundations/mission",
    "/foundations/vision",
    "/foundations/purpose",
    "/foundations/origin_story",
    "/positioning/category",
    "/positioning/statement",
    "/positioning/price_position",
    "/voice/summary",
    "/voice/formality",
    "/voice/person",
    "/voice/spelling_locale",
    "/messaging/core_message",
    "/messaging/boilerplate",
    "/messaging/pitches/seconds_10",
    "/messaging/pitches/seconds_30",
    "/messaging/pitches/words_100",
    "/visual/imagery",
    "/visual/layout",
];

/// Fields with a list of claims.
pub(super) const MANY: [&str; 31] = [
    "/identity/industries",
    "/identity/locales",
    "/identity/profiles",
    "/identity/identifiers",
    "/foundations/values",
    "/foundations/commitments",
    "/audience/segments",
    "/audience/personas",
    "/audience/markets",
    "/audience/exclusions",
    "/positioning/value_propositions",
    "/positioning/differentiators",
    "/positioning/alternatives",
    "/positioning/proof_points",
    "/voice/traits",
    "/voice/tone_by_context",
    "/voice/vocabulary/preferred",
    "/voice/vocabulary/avoided",
    "/voice/samples",
    "/messaging/pillars",
    "/messaging/calls_to_action",
    "/messaging/objections",
    "/messaging/claims_allowed",
    "/messaging/claims_restricted",
    "/visual/logos",
    "/visual/palette",
    "/visual/typography",
    "/governance/required_legal_lines",
    "/governance/trademark_usage",
    "/governance/restricted_topics",
    // Not claims but plain values.
    "/governance/accessibility/failing_pairs",
];

/// Measured facts of style: plain values, not claims.
pub(super) const STYLE: [&str; 5] = [
    "/voice/style/contractions",
    "/voice/style/oxford_comma",
    "/voice/style/emoji",
    "/voice/style/exclamation_marks",
    "/voice/style/headline_case",
];

/// Fields whose values are measured, derived or from a closed set: no page has them as words.
pub(super) const CLOSED: [&str; 10] = [
    "/identity/employee_range",
    "/identity/ownership",
    "/positioning/price_position",
    "/voice/formality",
    "/voice/person",
    "/voice/spelling_locale",
    "/voice/style/",
    "/audience/markets",
    "/identity/locales",
    "/governance/accessibility/",
];

/// Members of values that are derived or from a closed set.
const CLOSED_MEMBERS: [&str; 15] = [
    "role",
    "kind",
    "variant",
    "theme",
    "scheme",
    "network",
    "country",
    "media_type",
    "digest",
    "weights",
    "fallbacks",
    "key",
    "license",
    "width",
    "height",
];

/// A claim in a guideline.
#[derive(Debug, Clone)]
pub struct Found {
    pub pointer: &'static str,
    pub value: Value,
    /// `stated`, `observed`, `inferred`, `provided`; null for measured facts.
    pub basis: Value,
}

/// The claims of a guideline.
pub fn claims(guideline: &Value) -> Vec<Found> {
    let mut found = Vec::new();
    let mut add = |pointer, claim: &Value| {
        let (value, basis) = if claim.get("confidence").is_some() {
            (claim["value"].clone(), claim["basis"].clone())
        } else {
            (claim.clone(), Value::Null)
        };
        if !value.is_null() {
            found.push(Found {
                pointer,
                value,
                basis,
            });
        }
    };
    for pointer in ONE.into_iter().chain(STYLE) {
        if let Some(claim) = guideline.pointer(pointer) {
            add(pointer, claim);
        }
    }
    for pointer in MANY {
        let list = guideline.pointer(pointer).and_then(Value::as_array);
        for claim in list.into_iter().flatten() {
            add(pointer, claim);
        }
    }
    found
}

/// Texts and numbers of a value that the site must show; derived ones do not count.
pub(super) fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(texts_of).collect(),
        Value::Object(members) => members
            .iter()
            .filter(|(name, value)| !is_derived(members, name, value))
            .flat_map(|(_, value)| texts_of(value))
            .collect(),
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}

/// A color's name comes from a custom property; the name of a value or a competitor is text.
fn is_derived(members: &Map<String, Value>, name: &str, value: &Value) -> bool {
    match name {
        "name" => members.contains_key("hex"),
        _ => value.is_null() || CLOSED_MEMBERS.contains(&name),
    }
}
