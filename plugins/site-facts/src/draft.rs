//! The draft of a guideline: claims by their JSON pointers, and its JSON form
//! (`wit/results/brand-draft.schema.json`).

use std::collections::BTreeMap;

use gtm_site_research::claim::{Basis, Claim, Excerpt, sources};
use gtm_site_research::fixed_texts::FORM_SAYS_SO;
use serde_json::{Map, Value, json};

use crate::certainty::{Borne, Places};
use crate::part::Part;
use crate::site::Site;

/// A field that holds one claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct One(&'static str);

/// A field that holds a list of claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Many(&'static str);

impl One {
    /// Its pointer in a guideline.
    pub const fn pointer(self) -> &'static str {
        self.0
    }
}

impl Many {
    /// Its pointer in a guideline.
    pub const fn pointer(self) -> &'static str {
        self.0
    }
}

/// Limits of a value's texts and lists.
#[derive(Debug, Clone, Copy)]
enum Bounds {
    /// Most characters of a text.
    Text(usize),
    /// Most elements of a list, and the limits of each element.
    List(usize, &'static Bounds),
    /// The limits of an object's members.
    Object(&'static [(&'static str, Bounds)]),
    /// Has no free text, so no limit.
    Other,
}

// `build.rs` generates this file from the draft's schema.
include!(concat!(env!("OUT_DIR"), "/fields.rs"));

/// Why a field is empty (annex A2; only the host can say `unverified`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// None of the pages read says it.
    NotFound,
    /// We are not allowed to read the page that would say it.
    Blocked,
    /// The page that would say it was left out: the page budget was used up.
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

/// What makes the claim of a field surer. A heading that recurs in the page's title is no tagline for that, and the name of a
/// trade that recurs in menus may be one of several.
fn borne_of_one(field: One) -> Borne {
    match field {
        CATEGORY | CORE_MESSAGE | TAGLINE => Borne::Declared,
        EMPLOYEE_RANGE | OWNERSHIP | PRICE_POSITION => Borne::InOtherWords,
        _ => Borne::Again,
    }
}

/// What makes the claims of a list surer. Some are names and statements that only their place on a page makes what they are: the
/// name of a service stands in every menu, and is no group of customers for that.
fn borne_of_many(field: Many) -> Borne {
    match field {
        DIFFERENTIATORS | PERSONAS | PILLARS | SEGMENTS | VALUE_PROPOSITIONS => Borne::Nothing,
        INDUSTRIES | MARKETS => Borne::Declared,
        _ => Borne::AgainByItself,
    }
}

/// One of several contradicting values.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub value: Value,
    /// The excerpts that carry it.
    pub excerpts: Vec<Excerpt>,
}

/// A guideline under construction. Unknown fields are absent.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    ones: BTreeMap<One, Claim>,
    manys: BTreeMap<Many, Vec<Claim>>,
    reasons: BTreeMap<&'static str, Reason>,
    conflicts: Vec<(One, Vec<Candidate>)>,
    /// Pointer, reason and number of what the model wrote and its check dropped.
    left_out: Vec<(&'static str, &'static str, usize)>,
}

impl Draft {
    /// Fills a field, unless it is already filled or the value exceeds the limits of the draft's schema.
    pub fn set(&mut self, field: One, claim: Option<Claim>) {
        if let Some(claim) = claim.filter(|claim| fits(field.0, claim)) {
            self.ones.entry(field).or_insert(claim);
        }
    }

    /// Adds to a list, unless the list already holds the value or the value exceeds the limits of the draft's
    /// schema.
    pub fn push(&mut self, field: Many, claim: Claim) {
        if !fits(field.0, &claim) {
            return;
        }
        let list = self.manys.entry(field).or_default();
        if !list.iter().any(|known| known.value == claim.value) {
            list.push(claim);
        }
    }

    /// Adds each claim to a list, as [`Self::push`] does.
    pub fn extend(&mut self, field: Many, claims: impl IntoIterator<Item = Claim>) {
        for claim in claims {
            self.push(field, claim);
        }
    }

    /// Calls told what one place of the site says (see [`Places::weighed`]).
    pub fn weigh(&mut self, places: &Places) {
        let ones = std::mem::take(&mut self.ones).into_iter();
        let mut ones: BTreeMap<One, Claim> = ones
            .map(|(field, claim)| (field, places.weighed(claim, borne_of_one(field))))
            .collect();
        // A company with several addresses may sit at another one, however often this one is shown.
        if self.contradiction(HEADQUARTERS).next().is_some()
            && let Some(seat) = ones.get_mut(&HEADQUARTERS)
            && seat.basis == Basis::Stated
        {
            seat.basis = Basis::Observed;
        }
        self.ones = ones;
        for (field, claims) in &mut self.manys {
            let borne = borne_of_many(*field);
            let listed = std::mem::take(claims).into_iter();
            *claims = listed.map(|claim| places.weighed(claim, borne)).collect();
        }
    }

    /// Calls inferred what only its place and form on a page show.
    pub fn doubt(&mut self, field: Many, language: &str, by_form: impl Fn(&Claim) -> bool) {
        let claims = self.manys.entry(field).or_default();
        for claim in claims.iter_mut().filter(|claim| by_form(claim)) {
            claim.basis = Basis::Inferred;
            claim.reasoning = Some(FORM_SAYS_SO.in_language(language).to_owned());
        }
    }

    /// Takes the claims of a field out of the draft.
    pub fn take_one(&mut self, field: One) -> Option<Claim> {
        self.ones.remove(&field)
    }

    /// Takes the claims of a list out of the draft.
    pub fn take_many(&mut self, field: Many) -> Vec<Claim> {
        self.manys.remove(&field).unwrap_or_default()
    }

    /// The claim of a field.
    pub fn one(&self, field: One) -> Option<&Claim> {
        self.ones.get(&field)
    }

    /// The claims of a list.
    pub fn many(&self, field: Many) -> &[Claim] {
        self.manys.get(&field).map_or(&[], Vec::as_slice)
    }

    /// Records that claims of the field at `pointer` were left out.
    pub fn leave_out(&mut self, pointer: &'static str, reason: &'static str, count: usize) {
        self.left_out.push((pointer, reason, count));
    }

    /// Records a contradiction. If no value wins, the contradiction is the reason for the empty field.
    pub fn conflict(&mut self, field: One, candidates: Vec<Candidate>) {
        self.reasons.insert(field.0, Reason::Conflicting);
        self.conflicts.push((field, candidates));
    }

    /// The values that pages give for a field, where they contradict each other.
    pub fn contradiction(&self, field: One) -> impl Iterator<Item = &Value> {
        self.conflicts
            .iter()
            .filter(move |(known, _)| *known == field)
            .flat_map(|(_, candidates)| candidates.iter().map(|candidate| &candidate.value))
    }

    /// Number of claims in the draft.
    pub fn claims(&self) -> usize {
        self.ones.len() + self.manys.values().map(Vec::len).sum::<usize>()
    }

    /// The draft as JSON.
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
        let left_out: Vec<Value> = self
            .left_out
            .iter()
            .map(|(pointer, reason, count)| {
                json!({"pointer": pointer, "reason": reason, "count": count})
            })
            .collect();
        let language = (site.research.language != "und").then_some(&site.research.language);
        json!({
            "language": language,
            "guideline": guideline,
            "basis": basis,
            "sources": listed,
            "unknowns": unknowns,
            "conflicts": conflicts,
            "left_out": left_out,
        })
    }
}

/// Most characters of an excerpt (`wit/results/brand-draft.schema.json`).
const LONGEST_EXCERPT: usize = 4_000;
/// Whether a claim stays within the limits of the draft's schema. Pages and models may write texts of any
/// length.
fn fits(pointer: &str, claim: &Claim) -> bool {
    claim
        .excerpts
        .iter()
        .all(|excerpt| (1..=LONGEST_EXCERPT).contains(&excerpt.text.chars().count()))
        && (BOUNDS.iter())
            .find(|(field, _)| *field == pointer)
            .is_none_or(|(_, bounds)| bounds.hold(&claim.value))
}

impl Bounds {
    fn hold(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Text(most), Value::String(text)) => (1..=*most).contains(&text.chars().count()),
            (Self::List(most, bounds), Value::Array(items)) => {
                items.len() <= *most && items.iter().all(|item| bounds.hold(item))
            }
            (Self::Object(bounds), Value::Object(members)) => bounds
                .iter()
                .filter_map(|(name, bounds)| Some((members.get(*name)?, bounds)))
                .all(|(member, bounds)| bounds.hold(member)),
            _ => true,
        }
    }
}

/// Puts the value at the pointer and creates the objects on the way.
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

/// Why a field is empty that no page filled.
fn absence(pointer: &str, site: &Site) -> Reason {
    let parts = parts_that_say(pointer);
    if [PALETTE.0, TYPOGRAPHY.0].contains(&pointer) {
        // Pages have no looks without their stylesheets.
        return match site.styled.iter().any(|styled| styled.forbidden) {
            true => Reason::Blocked,
            false => Reason::NotFound,
        };
    }
    if parts.iter().any(|part| site.blocked.contains(part)) {
        Reason::Blocked
    } else if parts.iter().any(|part| site.unread.contains(part)) {
        Reason::Budget
    } else {
        Reason::NotFound
    }
}

/// For fields that only certain pages can fill: the parts of those pages.
const SAID_BY: &[(&str, &[Part])] = &[
    (LEGAL_NAME.0, &[Part::Legal]),
    (IDENTIFIERS.0, &[Part::Legal]),
    (HEADQUARTERS.0, &[Part::Legal, Part::Contact, Part::About]),
    (FOUNDED_YEAR.0, &[Part::About]),
    (MISSION.0, &[Part::About]),
    (VISION.0, &[Part::About]),
    (PURPOSE.0, &[Part::About]),
    (VALUES.0, &[Part::About]),
    (ORIGIN_STORY.0, &[Part::About]),
    (COMMITMENTS.0, &[Part::About]),
    (EMPLOYEE_RANGE.0, &[Part::About, Part::Careers]),
    (PROOF_POINTS.0, &[Part::Customers, Part::Trust]),
    (OBJECTIONS.0, &[Part::Questions]),
    (CATEGORY.0, &[Part::Product]),
    (VALUE_PROPOSITIONS.0, &[Part::Product]),
    (PRICE_POSITION.0, &[Part::Pricing]),
    (BOILERPLATE.0, &[Part::Press]),
];

fn parts_that_say(pointer: &str) -> &'static [Part] {
    let said = SAID_BY.iter().find(|(field, _)| *field == pointer);
    said.map_or(&[], |(_, parts)| parts)
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
            Claim::stated(json!({"name": "x".repeat(201)}), vec![]),
        );
        draft.push(CALLS_TO_ACTION, Claim::stated("", vec![]));
        draft.push(
            PROFILES,
            Claim::stated(json!({"network": "x".repeat(61), "url": "x"}), vec![]),
        );
        let fallbacks = vec!["x"; 21];
        draft.push(
            TYPOGRAPHY,
            Claim::stated(json!({"family": "x", "fallbacks": fallbacks}), vec![]),
        );
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
