//! The draft of a guideline: claims by their pointers, and its JSON form (`wit/results/brand-draft.schema.json`).

use std::collections::BTreeMap;

use gtm_site_research::claim::{Claim, Excerpt, sources};
use serde_json::{Map, Value, json};

use crate::plan::Part;
use crate::site::Site;

/// A field that holds one claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct One(&'static str);

/// A field that holds a list of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Many(&'static str);

macro_rules! fields {
    ($kind:ident, $all:ident: $($name:ident = $pointer:literal),+ $(,)?) => {
        $(#[doc = concat!("Claims at `", $pointer, "`.")] pub const $name: $kind = $kind($pointer);)+
        const $all: &[$kind] = &[$($name),+];
    };
}

fields!(One, ONES:
    BRAND_NAME = "/identity/brand_name",
    LEGAL_NAME = "/identity/legal_name",
    TAGLINE = "/identity/tagline",
    DESCRIPTION_SHORT = "/identity/description_short",
    DESCRIPTION_LONG = "/identity/description_long",
    FOUNDED_YEAR = "/identity/founded_year",
    HEADQUARTERS = "/identity/headquarters",
    EMPLOYEE_RANGE = "/identity/employee_range",
    OWNERSHIP = "/identity/ownership",
    MISSION = "/foundations/mission",
    VISION = "/foundations/vision",
    PURPOSE = "/foundations/purpose",
    ORIGIN_STORY = "/foundations/origin_story",
    CATEGORY = "/positioning/category",
    STATEMENT = "/positioning/statement",
    PRICE_POSITION = "/positioning/price_position",
    VOICE_SUMMARY = "/voice/summary",
    FORMALITY = "/voice/formality",
    PERSON = "/voice/person",
    SPELLING_LOCALE = "/voice/spelling_locale",
    CONTRACTIONS = "/voice/style/contractions",
    OXFORD_COMMA = "/voice/style/oxford_comma",
    EMOJI = "/voice/style/emoji",
    EXCLAMATION_MARKS = "/voice/style/exclamation_marks",
    HEADLINE_CASE = "/voice/style/headline_case",
    CORE_MESSAGE = "/messaging/core_message",
    BOILERPLATE = "/messaging/boilerplate",
    SECONDS_10 = "/messaging/pitches/seconds_10",
    SECONDS_30 = "/messaging/pitches/seconds_30",
    WORDS_100 = "/messaging/pitches/words_100",
    IMAGERY = "/visual/imagery",
    LAYOUT = "/visual/layout",
);

fields!(Many, MANYS:
    INDUSTRIES = "/identity/industries",
    LOCALES = "/identity/locales",
    PROFILES = "/identity/profiles",
    IDENTIFIERS = "/identity/identifiers",
    VALUES = "/foundations/values",
    COMMITMENTS = "/foundations/commitments",
    SEGMENTS = "/audience/segments",
    PERSONAS = "/audience/personas",
    MARKETS = "/audience/markets",
    EXCLUSIONS = "/audience/exclusions",
    VALUE_PROPOSITIONS = "/positioning/value_propositions",
    DIFFERENTIATORS = "/positioning/differentiators",
    ALTERNATIVES = "/positioning/alternatives",
    PROOF_POINTS = "/positioning/proof_points",
    TRAITS = "/voice/traits",
    TONE_BY_CONTEXT = "/voice/tone_by_context",
    VOCABULARY_PREFERRED = "/voice/vocabulary/preferred",
    VOCABULARY_AVOIDED = "/voice/vocabulary/avoided",
    SAMPLES = "/voice/samples",
    PILLARS = "/messaging/pillars",
    CALLS_TO_ACTION = "/messaging/calls_to_action",
    OBJECTIONS = "/messaging/objections",
    CLAIMS_ALLOWED = "/messaging/claims_allowed",
    CLAIMS_RESTRICTED = "/messaging/claims_restricted",
    LOGOS = "/visual/logos",
    PALETTE = "/visual/palette",
    TYPOGRAPHY = "/visual/typography",
    REQUIRED_LEGAL_LINES = "/governance/required_legal_lines",
    TRADEMARK_USAGE = "/governance/trademark_usage",
    RESTRICTED_TOPICS = "/governance/restricted_topics",
);

/// Why a field is empty (annex A2; `unverified` is the host's alone to say).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The pages that were read don't say it.
    NotFound,
    /// The page that would say it may not be read.
    Blocked,
    /// The page that would say it was not read, for enough had been read.
    Budget,
    /// Pages contradict each other.
    Conflicting,
}

impl Reason {
    fn key(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Blocked => "blocked",
            Self::Budget => "budget",
            Self::Conflicting => "conflicting",
        }
    }
}

/// One of several values that contradict each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The value.
    pub value: Value,
    /// The words that carry it.
    pub excerpts: Vec<Excerpt>,
}

/// A guideline in the making. What isn't known is absent.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    ones: BTreeMap<One, Claim>,
    manys: BTreeMap<Many, Vec<Claim>>,
    reasons: BTreeMap<&'static str, Reason>,
    conflicts: Vec<(One, Vec<Candidate>)>,
}

impl Draft {
    /// Fill a field, unless it is filled or the value is longer than a guideline takes.
    pub fn set(&mut self, field: One, claim: Option<Claim>) {
        if let Some(claim) = claim.filter(|claim| fits(field.0, claim)) {
            self.ones.entry(field).or_insert(claim);
        }
    }

    /// Add to a list, unless it holds the value or the value is longer than a guideline takes.
    pub fn push(&mut self, field: Many, claim: Claim) {
        if !fits(field.0, &claim) {
            return;
        }
        let list = self.manys.entry(field).or_default();
        if !list.iter().any(|known| known.value == claim.value) {
            list.push(claim);
        }
    }

    /// Add all to a list.
    pub fn extend(&mut self, field: Many, claims: impl IntoIterator<Item = Claim>) {
        for claim in claims {
            self.push(field, claim);
        }
    }

    /// The claim of a field.
    pub fn one(&self, field: One) -> Option<&Claim> {
        self.ones.get(&field)
    }

    /// The claims of a list.
    pub fn many(&self, field: Many) -> &[Claim] {
        self.manys.get(&field).map_or(&[], Vec::as_slice)
    }

    /// Record a contradiction. If no value stands, the field's absence is explained by it.
    pub fn conflict(&mut self, field: One, candidates: Vec<Candidate>) {
        self.reasons.insert(field.0, Reason::Conflicting);
        self.conflicts.push((field, candidates));
    }

    /// Number of claims.
    pub fn claims(&self) -> usize {
        self.ones.len() + self.manys.values().map(Vec::len).sum::<usize>()
    }

    /// The JSON form.
    pub fn to_json(&self, site: &Site) -> Value {
        let pages = &site.research.pages;
        let mut guideline = Value::Object(Map::new());
        let mut basis = Vec::new();
        let mut unknowns = Vec::new();
        let mut unknown = |pointer: &'static str| {
            let reason = self
                .reasons
                .get(pointer)
                .copied()
                .unwrap_or_else(|| absence(pointer, site));
            unknowns.push(json!({"pointer": pointer, "reason": reason.key()}));
        };
        for field in ONES {
            let claim = self.ones.get(field);
            place(
                &mut guideline,
                field.0,
                claim.map_or(Value::Null, |claim| claim.value.clone()),
            );
            match claim {
                Some(claim) => basis.push(claim.basis_entry(field.0, pages)),
                None => unknown(field.0),
            }
        }
        for field in MANYS {
            let claims = self.many(*field);
            place(
                &mut guideline,
                field.0,
                claims.iter().map(|claim| claim.value.clone()).collect(),
            );
            if claims.is_empty() {
                unknown(field.0);
            }
            for (index, claim) in claims.iter().enumerate() {
                basis.push(claim.basis_entry(&format!("{}/{index}", field.0), pages));
            }
        }
        let conflicts: Vec<Value> = self
            .conflicts
            .iter()
            .map(|(field, candidates)| {
                let candidates: Vec<Value> = candidates
                    .iter()
                    .map(|candidate| {
                        let claim =
                            Claim::stated(candidate.value.clone(), candidate.excerpts.clone());
                        let entry = claim.basis_entry(field.0, pages);
                        json!({"value": candidate.value, "excerpts": entry["excerpts"], "receipt_ids": entry["receipt_ids"]})
                    })
                    .collect();
                json!({"pointer": field.0, "candidates": candidates})
            })
            .collect();
        let mut listed = sources(pages).as_array().cloned().unwrap_or_default();
        listed.extend(site.assets.iter().map(|asset| asset.source()));
        let language = (site.research.language != "und").then_some(&site.research.language);
        json!({
            "language": language,
            "guideline": guideline,
            "basis": basis,
            "sources": listed,
            "unknowns": unknowns,
            "conflicts": conflicts,
        })
    }
}

/// Longest excerpt, in characters (`wit/results/brand-draft.schema.json`).
const LONGEST_EXCERPT: usize = 4_000;
/// Elements of a list inside of a value.
const MOST_INNER: usize = 20;

/// Whether a claim's texts are within the bounds of the draft's schema: pages and models write what they like.
fn fits(pointer: &str, claim: &Claim) -> bool {
    claim
        .excerpts
        .iter()
        .all(|excerpt| (1..=LONGEST_EXCERPT).contains(&excerpt.text.chars().count()))
        && within(&claim.value, longest(pointer))
}

fn within(value: &Value, most: usize) -> bool {
    match value {
        Value::String(text) => (1..=most).contains(&text.chars().count()),
        Value::Array(items) => {
            items.len() <= MOST_INNER && items.iter().all(|item| within(item, most))
        }
        Value::Object(members) => members.iter().all(|(name, member)| {
            let most = match name.as_str() {
                "url" => 2_048,
                "name" | "value" | "license" => most.min(100),
                "label" | "role" | "trait" | "title" | "family" | "locality" | "region"
                | "fallbacks" => most.min(200),
                "text" | "message" | "style" | "response" => 1_000,
                _ => most,
            };
            within(member, most)
        }),
        _ => true,
    }
}

/// Characters of the longest text at the pointer.
fn longest(pointer: &str) -> usize {
    match pointer {
        "/identity/description_long" | "/foundations/origin_story" | "/messaging/boilerplate" => {
            4_000
        }
        "/messaging/pitches/words_100" => 1_500,
        "/messaging/pitches/seconds_30" => 1_200,
        "/foundations/mission"
        | "/foundations/vision"
        | "/foundations/purpose"
        | "/voice/summary"
        | "/voice/samples"
        | "/governance/required_legal_lines"
        | "/governance/trademark_usage" => 1_000,
        "/positioning/category" | "/identity/tagline" => 300,
        "/identity/brand_name" | "/identity/legal_name" | "/messaging/calls_to_action" => 200,
        "/identity/description_short" => 160,
        "/identity/locales" | "/voice/spelling_locale" => 35,
        _ => 600,
    }
}

/// Put the value at the pointer, making the objects on the way.
fn place(root: &mut Value, pointer: &str, value: Value) {
    let mut names = pointer.split('/').skip(1).peekable();
    let mut at = root;
    while let Some(name) = names.next() {
        let Some(object) = at.as_object_mut() else {
            return;
        };
        if names.peek().is_none() {
            object.insert(name.to_owned(), value);
            return;
        }
        at = object
            .entry(name.to_owned())
            .or_insert_with(|| Value::Object(Map::new()));
    }
}

/// Why a field that no page filled is empty.
fn absence(pointer: &str, site: &Site) -> Reason {
    let parts = parts_that_say(pointer);
    if parts.iter().any(|part| site.blocked.contains(part)) {
        Reason::Blocked
    } else if parts.iter().any(|part| site.unread.contains(part)) {
        Reason::Budget
    } else {
        Reason::NotFound
    }
}

/// The pages that would say what stands at the pointer.
fn parts_that_say(pointer: &str) -> &'static [Part] {
    match pointer {
        "/identity/legal_name" | "/identity/identifiers" => &[Part::Legal],
        "/identity/headquarters" => &[Part::Legal, Part::Contact, Part::About],
        "/identity/founded_year"
        | "/foundations/mission"
        | "/foundations/vision"
        | "/foundations/purpose"
        | "/foundations/values"
        | "/foundations/origin_story"
        | "/foundations/commitments" => &[Part::About],
        "/identity/employee_range" => &[Part::About, Part::Careers],
        "/positioning/proof_points" => &[Part::Customers, Part::Trust],
        "/messaging/objections" => &[Part::Questions],
        "/positioning/category" | "/positioning/value_propositions" => &[Part::Product],
        "/positioning/price_position" => &[Part::Pricing],
        "/messaging/boilerplate" => &[Part::Press],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn values_find_their_place() {
        let mut root = json!({});
        place(&mut root, "/voice/style/emoji", json!(true));
        place(&mut root, "/voice/samples", json!([]));
        assert_eq!(
            root,
            json!({"voice": {"style": {"emoji": true}, "samples": []}})
        );
    }

    #[test]
    fn what_is_too_long_for_a_guideline_is_left_out() {
        let mut draft = Draft::default();
        let excerpt = |length: usize| Excerpt {
            page: 0,
            text: "x".repeat(length),
        };
        draft.set(TAGLINE, Some(Claim::stated("x".repeat(301), vec![])));
        draft.set(MISSION, Some(Claim::stated("x", vec![excerpt(4_001)])));
        draft.push(
            SEGMENTS,
            Claim::stated(json!({"name": "x".repeat(101)}), vec![]),
        );
        draft.push(CALLS_TO_ACTION, Claim::stated("", vec![]));
        assert_eq!(draft.claims(), 0);
        draft.set(MISSION, Some(Claim::stated("x", vec![excerpt(4_000)])));
        draft.push(
            PROOF_POINTS,
            Claim::stated(json!({"text": "x".repeat(1_000), "key": "x"}), vec![]),
        );
        assert_eq!(draft.claims(), 2);
    }

    #[test]
    fn a_value_stands_once_and_the_first_claim_stays() {
        let mut draft = Draft::default();
        draft.set(TAGLINE, Some(Claim::stated("One", vec![])));
        draft.set(TAGLINE, Some(Claim::stated("Two", vec![])));
        draft.extend(
            LOCALES,
            [Claim::observed("de", vec![]), Claim::observed("de", vec![])],
        );
        assert_eq!(draft.one(TAGLINE).unwrap().value, "One");
        assert_eq!(draft.claims(), 2);
    }
}
