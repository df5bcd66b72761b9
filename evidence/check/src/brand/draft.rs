//! The draft of a brand guideline as a generation backend returns it, read strictly against
//! `wit/results/brand-draft.schema.json`.

use std::collections::{BTreeMap, BTreeSet};

use gtm_domain::evidence::{Basis, UnknownReason};
use gtm_domain::guideline::fields::{FIELDS, Field, FieldRule, Form, Section};
use gtm_domain::guideline::governance::Governance;
use gtm_domain::guideline::sections::{
    Audience, DraftLogo, Foundations, Identity, Messaging, Positioning, Visual, Voice,
};
use gtm_domain::guideline::shape::{Code, Member, Shape};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::basis::{
    DraftBasis, DraftError, DraftExcerpt, DraftSource, named_receipts, one_basis_each,
};
use crate::bounds::{bounded_evidence, within_bounds};
use crate::left_out::{self, LeftOut};

/// Longest key of an element.
const MAX_KEY: usize = 64;

#[derive(Debug, Clone, PartialEq)]
pub struct BrandDraft {
    /// Language of the site, according to the backend.
    pub language: Option<String>,
    /// Plain values at the pointers of [`FIELDS`], texts in normal form. Every field that a backend fills is
    /// present.
    pub values: Value,
    /// The basis of each claim; at most one entry per pointer.
    pub basis: Vec<DraftBasis>,
    /// What the backend says about its sources.
    pub sources: Vec<DraftSource>,
    /// Why fields are empty.
    pub unknowns: BTreeMap<String, UnknownReason>,
    /// Fields on which sources disagree.
    pub conflicts: Vec<DraftConflict>,
    /// What the backend's own check dropped.
    pub left_out: Vec<LeftOut>,
}

/// A field on which sources disagree, according to the backend.
#[derive(Debug, Clone, PartialEq)]
pub struct DraftConflict {
    pub field: &'static Field,
    /// The values that sources give for it.
    pub candidates: Vec<DraftCandidate>,
}

/// One of several conflicting values. Its basis is always [`Basis::Stated`].
#[derive(Debug, Clone, PartialEq)]
pub struct DraftCandidate {
    /// The value in the field's shape; for a list, one element.
    pub value: Value,
    /// The evidence behind it.
    pub basis: DraftBasis,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    language: Option<String>,
    guideline: Value,
    basis: Vec<DraftBasis>,
    sources: Vec<DraftSource>,
    unknowns: Vec<UnknownEntry>,
    conflicts: Vec<ConflictEntry>,
    #[serde(default)]
    left_out: Vec<LeftOut>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnknownEntry {
    pointer: String,
    reason: UnknownReason,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConflictEntry {
    pointer: String,
    candidates: Vec<CandidateEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidateEntry {
    value: Value,
    excerpts: Vec<DraftExcerpt>,
    receipt_ids: Vec<String>,
}

impl BrandDraft {
    /// Reads a draft and brings every text into normal form (NFC, single spaces, no control characters).
    ///
    /// # Errors
    /// If a member is missing, unknown or has the wrong shape, an enumeration has an unknown value, a key is
    /// malformed or occurs twice in its list, two basis entries name the same pointer, an unknown or a
    /// conflict names no field, or the draft is too large.
    pub fn read(output: &Value) -> Result<Self, DraftError> {
        within_bounds(output)?;
        let envelope = Envelope::deserialize(output).map_err(|e| DraftError::new(e.to_string()))?;
        let values = tidy(&envelope.guideline);
        only_fields(&values, "", "/guideline")?;
        for field in drafted() {
            check_field(field, &values)?;
        }
        one_basis_each(&envelope.basis)?;
        left_out::within_bounds(&envelope.left_out)?;
        let fields: Vec<&str> = FIELDS.iter().map(|field| field.pointer).collect();
        let mut unknowns = BTreeMap::new();
        for entry in envelope.unknowns {
            let field = named_field(&entry.pointer, "unknowns")?;
            if entry.reason == UnknownReason::Unverified {
                return Err(DraftError::new(
                    "unknowns: `unverified` is the host's to say",
                ));
            }
            unknowns.insert(field.pointer.to_owned(), entry.reason);
        }
        let conflicts = envelope.conflicts.into_iter().map(conflict);
        let draft = Self {
            language: envelope.language,
            values,
            basis: envelope.basis,
            sources: envelope.sources,
            unknowns,
            conflicts: conflicts.collect::<Result<_, _>>()?,
            left_out: left_out::of_fields(envelope.left_out, &fields),
        };
        bounded_evidence(draft.evidence())?;
        Ok(draft)
    }

    /// The evidence behind all claims and conflicting values.
    fn evidence(&self) -> impl Iterator<Item = &DraftBasis> {
        let candidates = self.conflicts.iter().flat_map(|c| &c.candidates);
        self.basis.iter().chain(candidates.map(|c| &c.basis))
    }

    /// The receipts that the draft names, without duplicates, in order of first mention.
    #[must_use]
    pub fn receipts(&self) -> Vec<String> {
        named_receipts(self.evidence(), &self.sources)
    }
}

/// The fields that a backend fills.
pub fn drafted() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| field.form != Form::Host)
}

fn named_field(pointer: &str, place: &str) -> Result<&'static Field, DraftError> {
    Field::at(pointer).ok_or_else(|| DraftError::new(format!("{place}: {pointer} is no field")))
}

fn conflict(entry: ConflictEntry) -> Result<DraftConflict, DraftError> {
    let field = named_field(&entry.pointer, "conflicts")?;
    let candidate = |candidate: CandidateEntry| {
        let value = tidy(&candidate.value);
        check_value(field, field.pointer, &value)?;
        Ok(DraftCandidate {
            value,
            basis: DraftBasis {
                pointer: field.pointer.to_owned(),
                basis: Basis::Stated,
                reasoning: None,
                excerpts: candidate.excerpts,
                receipt_ids: candidate.receipt_ids,
                derivations: Vec::new(),
                second_reading: None,
            },
        })
    };
    Ok(DraftConflict {
        field,
        candidates: entry
            .candidates
            .into_iter()
            .map(candidate)
            .collect::<Result<_, DraftError>>()?,
    })
}

/// The value with every text in normal form. A text with nothing visible in it stays as an empty text,
/// because pointers of basis entries count the elements as the backend wrote them.
fn tidy(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(gtm_page_text::normalize(text)),
        Value::Array(items) => Value::Array(items.iter().map(tidy).collect()),
        Value::Object(members) => {
            let tidied = members
                .iter()
                .map(|(key, value)| (key.clone(), tidy(value)));
            Value::Object(tidied.collect())
        }
        other => other.clone(),
    }
}

/// Refuses every member except the fields and the objects around them.
fn only_fields(value: &Value, at: &str, shown: &str) -> Result<(), DraftError> {
    let Value::Object(members) = value else {
        return Err(DraftError::new(format!("{shown} is no object")));
    };
    for (key, member) in members {
        let pointer = format!("{at}/{key}");
        let known = drafted().find(|field| field.pointer == pointer);
        let around = format!("{pointer}/");
        if known.is_some() {
            continue;
        }
        if !drafted().any(|field| field.pointer.starts_with(&around)) {
            return Err(DraftError::new(format!(
                "/guideline{pointer} is not part of it"
            )));
        }
        only_fields(member, &pointer, &format!("/guideline{pointer}"))?;
    }
    Ok(())
}

fn check_field(field: &Field, values: &Value) -> Result<(), DraftError> {
    let missing = || DraftError::new(format!("/guideline{} is missing", field.pointer));
    let value = values.pointer(field.pointer).ok_or_else(missing)?;
    if field.form != Form::Claims {
        return match value {
            Value::Null => Ok(()),
            value => check_value(field, field.pointer, value),
        };
    }
    let list = value
        .as_array()
        .ok_or_else(|| DraftError::new(format!("/guideline{} is no list", field.pointer)))?;
    let mut keys = BTreeSet::new();
    for (index, element) in list.iter().enumerate() {
        check_value(field, &format!("{}/{index}", field.pointer), element)?;
        if let Some(key) = element.get("key").and_then(Value::as_str)
            && !keys.insert(key)
        {
            let problem = format!("/guideline{} has the key {key} twice", field.pointer);
            return Err(DraftError::new(problem));
        }
    }
    Ok(())
}

/// Checks that a value has the shape of its field, by reading it as part of the finished document.
fn check_value(field: &Field, pointer: &str, value: &Value) -> Result<(), DraftError> {
    let wrong = |problem: String| Err(DraftError::new(format!("/guideline{pointer}: {problem}")));
    if value.is_null() {
        return wrong("a value is missing".to_owned());
    }
    let read = match field.rule {
        FieldRule::Logo => DraftLogo::deserialize(value).map(drop),
        _ => as_part_of_document(field, value),
    };
    if let Err(error) = read {
        return wrong(error.to_string());
    }
    if !keys(field.shape, value).iter().all(|key| is_key(key)) {
        return wrong("a key is a-z, 0-9 and -, with no - at either end".to_owned());
    }
    if let Shape::Text { most } = field.shape
        && field.has_strict_length
        && value
            .as_str()
            .is_some_and(|text| text.chars().count() > most as usize)
    {
        return wrong(format!("longer than {most} characters"));
    }
    Ok(())
}

/// The keys among the members of a value.
fn keys(shape: Shape, value: &Value) -> Vec<&str> {
    let Shape::Object(members) = shape else {
        return Vec::new();
    };
    let of_keys = |member: &&Member| member.shape == Shape::Coded(Code::Key);
    let values = members
        .iter()
        .filter(of_keys)
        .filter_map(|member| value.get(member.name));
    let texts = values.flat_map(|value| match value {
        Value::Array(keys) => keys.as_slice(),
        key => std::slice::from_ref(key),
    });
    texts.filter_map(Value::as_str).collect()
}

fn is_key(key: &str) -> bool {
    (1..=MAX_KEY).contains(&key.len())
        && key
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !key.starts_with('-')
        && !key.ends_with('-')
}

fn as_part_of_document(field: &Field, value: &Value) -> Result<(), serde_json::Error> {
    match field.section {
        Section::Identity => placed::<Identity>(field, value),
        Section::Foundations => placed::<Foundations>(field, value),
        Section::Audience => placed::<Audience>(field, value),
        Section::Positioning => placed::<Positioning>(field, value),
        Section::Voice => placed::<Voice>(field, value),
        Section::Messaging => placed::<Messaging>(field, value),
        Section::Visual => placed::<Visual>(field, value),
        Section::Governance => placed::<Governance>(field, value),
    }
}

/// Puts the value in its place in an otherwise empty section and reads that section.
fn placed<S: Default + Serialize + DeserializeOwned>(
    field: &Field,
    value: &Value,
) -> Result<(), serde_json::Error> {
    let mut section = serde_json::to_value(S::default())?;
    let within = field.pointer.strip_prefix('/').unwrap_or_default();
    let within = within.strip_prefix(field.section.key()).unwrap_or_default();
    let claim = json!({"value": value, "confidence": null, "basis": null, "source_ids": [], "excerpt_ids": []});
    if let Some(place) = section.pointer_mut(within) {
        *place = match field.form {
            Form::Claim => claim,
            Form::Claims => json!([claim]),
            Form::Plain | Form::Host => value.clone(),
        };
    }
    serde_json::from_value::<S>(section).map(drop)
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    /// A draft in which nothing is known.
    pub(crate) fn empty() -> Value {
        let mut guideline = json!({});
        for field in drafted() {
            let mut place = &mut guideline;
            for part in field.pointer[1..].split('/') {
                if place.is_null() {
                    *place = json!({});
                }
                place = &mut place[part];
            }
            *place = if field.form == Form::Claims {
                json!([])
            } else {
                Value::Null
            };
        }
        json!({"language": null, "guideline": guideline, "basis": [], "sources": [], "unknowns": [], "conflicts": []})
    }

    /// The empty draft with one value at a pointer of the guideline.
    pub(crate) fn with(pointer: &str, value: Value) -> Value {
        let mut draft = empty();
        *draft
            .pointer_mut(&format!("/guideline{pointer}"))
            .expect(pointer) = value;
        draft
    }

    #[test]
    fn texts_come_tidy() {
        let draft = BrandDraft::read(&with("/identity/brand_name", json!(" A\u{0}\n b "))).unwrap();
        assert_eq!(draft.values["identity"]["brand_name"], "A b");
    }

    #[test]
    fn strangers_are_refused() {
        for (draft, what) in [
            (
                with("/identity", json!({})),
                "/identity/brand_name is missing",
            ),
            (
                with("/identity/brand_name", json!(7)),
                "/identity/brand_name",
            ),
            (
                with("/identity/founded_year", json!("1999")),
                "founded_year",
            ),
            (
                with("/identity/employee_range", json!("10-20")),
                "employee_range",
            ),
            (
                with("/identity/description_short", json!("a".repeat(161))),
                "160",
            ),
            (with("/foundations/commitments", json!([null])), "missing"),
            (with("/voice/formality", json!(6)), "1 to 5"),
            (
                with(
                    "/positioning/proof_points",
                    json!([{"key": "A b", "kind": "award", "text": "x"}]),
                ),
                "a key",
            ),
            (
                with(
                    "/positioning/proof_points",
                    json!([{"key": "a", "kind": "award", "text": "x"}, {"key": "a", "kind": "award", "text": "y"}]),
                ),
                "twice",
            ),
            (
                with(
                    "/visual/logos",
                    json!([{"url": "x", "variant": "logo", "theme": null, "inline_svg": null, "digest": "y"}]),
                ),
                "digest",
            ),
            (
                with(
                    "/visual/palette",
                    json!([{"hex": "#ffffff", "role": "sky", "name": null}]),
                ),
                "sky",
            ),
        ] {
            let error = BrandDraft::read(&draft).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
        for (member, value, what) in [
            ("extra", json!(1), "extra"),
            (
                "unknowns",
                json!([{"pointer": "/identity/ceo", "reason": "not_found"}]),
                "no field",
            ),
            (
                "unknowns",
                json!([{"pointer": "/identity/tagline", "reason": "unverified"}]),
                "host",
            ),
            (
                "conflicts",
                json!([{"pointer": "/identity/founded_year", "candidates": [{"value": "x", "excerpts": [], "receipt_ids": []}]}]),
                "founded_year",
            ),
            (
                "basis",
                json!([{"pointer": "/a", "basis": "stated"}, {"pointer": "/a", "basis": "inferred"}]),
                "two basis",
            ),
        ] {
            let mut draft = empty();
            draft[member] = value;
            let error = BrandDraft::read(&draft).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
        let mut draft = empty();
        draft["guideline"]["identity"]["website_url"] = json!("https://a.example/");
        assert!(
            BrandDraft::read(&draft)
                .unwrap_err()
                .to_string()
                .contains("website_url")
        );
    }
}
