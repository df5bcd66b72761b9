//! From a draft to the finished playbook (annex A3).

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::forbidden::ForbiddenClaims;
use gtm_domain::brand::BrandBinding;
use gtm_domain::domain_name::DomainName;
use gtm_domain::evidence::{Basis, FieldBasis};
use gtm_domain::offer::{OfferBinding, OfferContent};
use gtm_domain::playbook::{
    PlaybookInput, PlaybookSection, PublicPlaybookResult, ResultVersion, Risk, Target,
};
use gtm_domain::start_url::StartUrls;
use gtm_lexicon::names::OF_THE_TARGET;
use gtm_lexicon::numbers::{InWords, is_unspaced, without_proposed};
use gtm_lexicon::{fold, split};
use gtm_page_text::{UNDETERMINED, canonical_tag, primary_language};
use serde_json::{Value, json};

use self::tally::Tally;
use super::basis::DraftBasis;
use super::buckets::bounds;
use super::caller_input::CallerInput;
use super::claims::{CLAIM_FIELDS, ClaimField, SITE_DIGEST, is_populated, texts};
use super::draft::Draft;
use super::left_out::{self, LeftOut};
use super::library::Library;
use super::literals::Literals;
use super::numbering::Numbering;
use super::origin::{TargetSite, said_of};
use super::seller;
use super::stop_flag::StopFlag;
use super::verdict::{ClaimChecker, ClaimText, Dropped, VerifiedClaim};

mod business_case;
mod site_digest;
mod tally;

/// Where sums stand.
const NEXT_STEPS: &str = "/next_steps";
const SUMS: &str = "/business_case";
/// What the seller asks for at the end.
const ASK: &str = "/talk_track/ask";
/// Claims that propose something: how long a meeting lasts and how many come is the seller's to say, and no page
/// has it (docs/decisions/0065).
const PROPOSALS: [&str; 4] = [
    "/discovery_questions",
    "/messages_by_persona",
    NEXT_STEPS,
    ASK,
];
/// Claims that speak of the seller's product, each with the members that do; none means the whole claim.
const OF_SELLER: [(&str, &[&str]); 8] = [
    ("/value_map", &["capability", "outcome"]),
    ("/proof_points", &[]),
    ("/objections", &["response"]),
    ("/competitive_position", &["where_we_win"]),
    ("/talk_track/bridge", &[]),
    (ASK, &[]),
    (SUMS, &[]),
    (NEXT_STEPS, &[]),
];
/// Those among them whose other members suppose something: what a buyer may object, and what it may do instead.
const SUPPOSITIONS: [&str; 2] = ["/objections", "/competitive_position"];
/// Those among them that may speak of the target as well: what its customers say of it, a sum with its numbers.
const OF_BOTH: [&str; 4] = ["/proof_points", ASK, SUMS, NEXT_STEPS];
/// Most risks in a result.
const MAX_RISKS: usize = 50;

/// What the check needs besides the draft.
pub struct CheckInput<'a> {
    /// The job's normalized input.
    pub input: &'a PlaybookInput,
    pub brand: Option<&'a BrandBinding>,
    /// The brand's guideline: the seller's own words, like those of the input.
    pub guideline: Option<&'a Value>,
    /// The offer that is sold, with what its bound revision says: the caller's words, like those of the input.
    pub offer: Option<(&'a OfferBinding, &'a OfferContent)>,
    /// Addresses that the operator configured for sites.
    pub start_urls: &'a StartUrls,
    /// Stored answers that the draft cites.
    pub library: &'a Library,
    /// Time from the job's first start until now.
    pub duration_seconds: f64,
    /// Ends the check early.
    pub stop: &'a StopFlag,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    pub result: PublicPlaybookResult,
    /// Pointers of dropped claims in the draft, with the reason.
    pub dropped: Vec<(String, Dropped)>,
    /// What backend and host left out, for the job's events.
    pub left_out: Vec<LeftOut>,
}

impl Checked {
    /// Whether any claim of the draft is kept. Risks count only if only risks were requested, because the
    /// host writes some of them itself.
    #[must_use]
    pub fn says_something(&self) -> bool {
        let only_risks = self.result.included_sections == [PlaybookSection::Risks];
        !self.result.basis.is_empty() || (only_risks && !self.result.risks.is_empty())
    }
}

/// Why there is no playbook.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The checked draft does not form a playbook: a fault of this module.
    #[error("the checked draft is no playbook: {0}")]
    Shape(#[from] serde_json::Error),
    /// The flag was raised.
    #[error("the check was stopped")]
    Stopped,
}

/// Checks a draft and builds the result.
///
/// # Errors
/// If the check was stopped, or the finished value does not read back as a playbook, which is a fault of the
/// host.
pub fn check(draft: &Draft, by: &CheckInput<'_>) -> Result<Checked, CheckError> {
    let caller = [
        &by.input.target_company,
        &by.input.target_company_domain,
        &by.input.anchor_company,
        &by.input.product_info,
    ];
    let sold = by.offer.map(|(_, content)| content);
    let told = sold.map(OfferContent::words).unwrap_or_default();
    let given = CallerInput::of(
        caller.into_iter().flatten().map(String::as_str).chain(told),
        by.guideline.map(seller::words).unwrap_or_default(),
    );
    let sections = by.input.resolved_sections();
    let everything: Vec<&Literals> = by
        .library
        .iter()
        .map(|s| &s.literals)
        .chain(std::iter::once(given.literals()))
        .collect();
    let target = target(draft, by.input, &everything);
    let site = TargetSite::of(target.domain.as_deref(), by.start_urls);
    let said = said_of(&draft.sources);
    let kinds = site.kinds(by.library, &said);
    let checker = ClaimChecker {
        library: by.library,
        kinds: &kinds,
        given: &given,
        stop: by.stop,
    };

    let forbidden: &[String] = sold.map_or(&[], |offer| &offer.forbidden_claims);
    let worded = Worded {
        language: &draft.result.language,
        target: &target,
        forbidden: &ForbiddenClaims::of(&[forbidden]),
    };
    let mut fields = serde_json::to_value(&draft.result)?;
    let bases: BTreeMap<&str, &DraftBasis> = draft
        .basis
        .iter()
        .map(|b| (b.pointer.as_str(), b))
        .collect();
    let mut kept = Vec::new();
    let mut tally = Tally::default();
    tally.unknown_target(&draft.result.target, &target);
    for field in CLAIM_FIELDS {
        if sections.contains(&field.section) {
            let by = (&checker, &worded);
            judge_field(&field, &mut fields, &bases, by, &mut kept, &mut tally);
        } else {
            empty(&field, &mut fields);
        }
    }
    verdict_with_reasons_only(&mut fields);
    for left in draft.left_out.iter().filter(|left| left.is_unverified()) {
        tally.left_out(left, &sections);
    }
    tally.empty(&fields, &sections, &draft.unknowns);
    let risks = if sections.contains(&PlaybookSection::Risks) {
        risks(&draft.result.risks, &everything, worded.forbidden)
    } else {
        Vec::new()
    };
    let mut numbering = Numbering::default();
    let basis: Vec<FieldBasis> = kept
        .iter()
        .map(|(pointer, kept)| FieldBasis {
            pointer: pointer.clone(),
            confidence: Some(kept.confidence),
            basis: kept.basis,
            reasoning: kept.reasoning.clone(),
            source_ids: numbering.source_ids(kept),
            excerpt_ids: numbering.excerpt_ids(kept),
        })
        .collect();
    for source in &draft.sources {
        if let Some(stored) = by.library.find(&source.receipt_id) {
            numbering.source(stored.receipt.id);
        }
    }
    if by.stop.is_raised() {
        return Err(CheckError::Stopped);
    }
    let sources = numbering.sources(by.library, &kinds, &said);

    // A struct serializes as an object; if it ever does not, the check fails instead of panicking.
    let Value::Object(mut members) = fields else {
        let error = <serde_json::Error as serde::de::Error>::custom("its fields are no object");
        return Err(error.into());
    };
    let mut add = |key: &str, value: Value| members.insert(key.to_owned(), value);
    add("schema_version", json!(ResultVersion::V1));
    add("included_sections", serde_json::to_value(&sections)?);
    add("target", serde_json::to_value(&target)?);
    add("anchor_company", json!(by.input.anchor_company));
    add("tone", serde_json::to_value(by.input.tone)?);
    add("language", json!(language(&draft.result.language)));
    add("risks", serde_json::to_value(&risks)?);
    add("brand", serde_json::to_value(by.brand)?);
    add(
        "offer",
        serde_json::to_value(by.offer.map(|(bound, _)| bound))?,
    );
    add("basis", serde_json::to_value(&basis)?);
    add("unknowns", serde_json::to_value(&tally.unknowns)?);
    add("sources", serde_json::to_value(&sources)?);
    add("model", json!("default"));
    add("duration_seconds", json!(by.duration_seconds));
    let result: PublicPlaybookResult = serde_json::from_value(Value::Object(members))?;
    Ok(Checked {
        result,
        left_out: left_out::in_all(&draft.left_out, &tally.dropped),
        dropped: tally.dropped,
    })
}

fn judge_field(
    field: &ClaimField,
    fields: &mut Value,
    bases: &BTreeMap<&str, &DraftBasis>,
    (checker, worded): (&ClaimChecker<'_>, &Worded<'_>),
    kept: &mut Vec<(String, VerifiedClaim)>,
    tally: &mut Tally,
) {
    let Some(place) = fields.pointer_mut(field.pointer) else {
        return;
    };
    if !field.list {
        if place.is_null() {
            return;
        }
        let basis = bases.get(field.pointer).copied();
        match worded
            .claim(field, place)
            .and_then(|claim| checker.judge(&claim, basis))
        {
            Ok(verdict) => kept.push((field.pointer.to_owned(), verdict)),
            Err(reason) => {
                *place = Value::Null;
                tally.note(field, field.pointer.to_owned(), reason);
            }
        }
        return;
    }
    let Value::Array(elements) = std::mem::take(place) else {
        return;
    };
    let mut standing = Vec::with_capacity(elements.len());
    for (index, mut element) in elements.into_iter().enumerate() {
        if !is_populated(&element) {
            continue;
        }
        let before = format!("{}/{index}", field.pointer);
        let basis = bases.get(before.as_str()).copied();
        let judged = (worded.claim(field, &element))
            .and_then(|claim| checker.judge(&claim, basis))
            .and_then(|verdict| site_digest::confirmed(field, &mut element, verdict, checker));
        match judged {
            Ok(verdict) => {
                confirm_origin(&mut element, &verdict, checker);
                // The pointer counts the elements kept, not those of the draft.
                let after = format!("{}/{}", field.pointer, standing.len());
                if !date_stands(&mut element, &verdict, checker) {
                    tally.unknown(format!("{after}/observed_at"));
                }
                kept.push((after, verdict));
                standing.push(element);
            }
            Err(reason) => tally.note(field, before, reason),
        }
    }
    *place = Value::Array(standing);
}

/// How the claims of one playbook are worded.
struct Worded<'a> {
    language: &'a str,
    target: &'a Target,
    /// What the offer forbids to claim.
    forbidden: &'a ForbiddenClaims,
}

impl Worded<'_> {
    /// The texts of a claim to judge. A playbook paraphrases, so its wording is its own.
    ///
    /// # Errors
    /// If it makes a forbidden claim, or is a sum that is wrong.
    fn claim<'c>(&'c self, field: &ClaimField, claim: &'c Value) -> Result<ClaimText<'c>, Dropped> {
        let makes = |text: &&str| self.forbidden.first_in(text).is_some();
        if texts(claim).iter().any(makes) {
            return Err(Dropped::Forbidden);
        }
        if field.pointer == SITE_DIGEST {
            return Ok(site_digest::quotations(claim));
        }
        let headcount = field.pointer == "/company_profile/employee_range";
        let proposes = PROPOSALS.contains(&field.pointer);
        let words = InWords::Of(primary_language(self.language));
        let of_seller = OF_SELLER
            .iter()
            .find(|(pointer, _)| *pointer == field.pointer);
        let members = of_seller.filter(|(pointer, _)| !OF_BOTH.contains(pointer));
        let texts = if field.pointer == SUMS {
            business_case::texts(claim).ok_or(Dropped::Invented)?
        } else {
            texts(claim)
                .into_iter()
                .map(|text| match proposes {
                    true => Cow::Owned(without_proposed(text, words)),
                    false => Cow::Borrowed(text),
                })
                .collect()
        };
        let answers: Vec<&str> = members
            .into_iter()
            .flat_map(|(_, members)| seller_texts(claim, members))
            .collect();
        Ok(ClaimText {
            texts,
            range: claim.as_str().filter(|_| headcount).and_then(bounds),
            words,
            of_seller: of_seller.is_some(),
            proposes: [NEXT_STEPS, ASK].contains(&field.pointer),
            formula: (claim.get("formula").and_then(Value::as_str))
                .filter(|_| field.pointer == SUMS),
            supposes: SUPPOSITIONS.contains(&field.pointer),
            seller_texts: answers
                .iter()
                .filter(|text| !self.is_about_the_target(text))
                .map(|text| Cow::Borrowed(*text))
                .collect(),
            answers: answers.into_iter().map(Cow::Borrowed).collect(),
            ..ClaimText::default()
        })
    }

    /// Whether a text speaks of the target or to it.
    fn is_about_the_target(&self, text: &str) -> bool {
        let folded = fold(text);
        let words = split(&folded);
        let name = fold(self.target.company.as_deref().unwrap_or_default());
        let mut parts = split(&name).into_iter();
        parts.any(|part| part.chars().count() >= 4 && words.contains(&part))
            || OF_THE_TARGET.any_in(&words)
            || OF_THE_TARGET
                .iter()
                .filter_map(|phrase| phrase.first())
                .any(|word| word.starts_with(is_unspaced) && folded.contains(word))
    }
}

/// The texts of these members of a claim, or all.
fn seller_texts<'c>(claim: &'c Value, members: &[&str]) -> Vec<&'c str> {
    match claim.as_object().filter(|_| !members.is_empty()) {
        Some(object) => members
            .iter()
            .filter_map(|member| object.get(*member))
            .flat_map(texts)
            .collect(),
        None => texts(claim),
    }
}

/// Checks a signal's date. The backend chooses its form, so only the year can be looked up. A date whose year
/// occurs in none of the claim's sources becomes unknown, and the answer is false.
fn date_stands(element: &mut Value, verdict: &VerifiedClaim, checker: &ClaimChecker<'_>) -> bool {
    let Some(date) = element.get_mut("observed_at") else {
        return true;
    };
    let Some(text) = date.as_str() else {
        return true;
    };
    let year = text.get(..4).and_then(|y| y.parse::<u64>().ok());
    let plain = text.len() <= 35
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || "-:TZ+.".contains(c));
    let stands = year.is_some_and(|year| {
        verdict
            .sources
            .iter()
            .filter_map(|id| checker.library.find(&id.to_string()))
            .any(|stored| {
                stored.literals.integers().any(|n| n == year)
                    || stored.facts.iter().any(|f| f.contains(&year.to_string()))
            })
    });
    if !(plain && stands) {
        *date = Value::Null;
    }
    plain && stands
}

/// Sets the origin of a proof point, which the backend must not decide: the caller's words make it the
/// offer's, the guideline's words the brand's, a source makes it public.
fn confirm_origin(element: &mut Value, verdict: &VerifiedClaim, checker: &ClaimChecker<'_>) {
    let origin = match (verdict.basis, element.get("text").and_then(Value::as_str)) {
        (Basis::Provided, Some(text))
            if checker.given.brand_holds(text) || checker.given.is_of_brand(text) =>
        {
            "brand"
        }
        (Basis::Provided, _) => "offer",
        _ => "public",
    };
    if let Some(said) = element.get_mut("origin") {
        *said = json!(origin);
    }
}

fn empty(field: &ClaimField, fields: &mut Value) {
    if let Some(place) = fields.pointer_mut(field.pointer) {
        *place = if field.list {
            Value::Array(Vec::new())
        } else {
            Value::Null
        };
    }
}

/// The company that the result is about: as the caller named it, otherwise as the backend found it.
fn target(draft: &Draft, input: &PlaybookInput, everything: &[&Literals]) -> Target {
    let found = &draft.result.target;
    let domain = found
        .domain
        .as_deref()
        .and_then(|d| d.parse::<DomainName>().ok())
        .map(|d| d.to_string());
    let company = found
        .company
        .clone()
        .filter(|name| Literals::first_missing(name, everything).is_none());
    Target {
        company: input.target_company.clone().or(company),
        domain: input.target_company_domain.clone().or(domain),
    }
}

/// The language tag in canonical form, or "undetermined" if the text is not a tag.
fn language(tag: &str) -> String {
    canonical_tag(tag).unwrap_or_else(|| UNDETERMINED.to_owned())
}

/// The backend's risks that contain no invented literal and no forbidden claim. What was left out is no risk of the sale: the job's events
/// and `unknowns` tell it.
fn risks(drafted: &[Risk], everything: &[&Literals], forbidden: &ForbiddenClaims) -> Vec<Risk> {
    let mut risks: Vec<Risk> = Vec::new();
    for risk in drafted {
        if risks.len() >= MAX_RISKS {
            break;
        }
        let stands = !risk.text.is_empty()
            && Literals::first_missing(&risk.text, everything).is_none()
            && forbidden.first_in(&risk.text).is_none();
        if stands && !risks.contains(risk) {
            risks.push(risk.clone());
        }
    }
    risks
}

/// A verdict without a reason that stands is nobody's.
fn verdict_with_reasons_only(fields: &mut Value) {
    let reasons = fields.pointer("/fit/reasons").and_then(Value::as_array);
    if reasons.is_none_or(Vec::is_empty)
        && let Some(verdict) = fields.pointer_mut("/fit/verdict")
    {
        *verdict = Value::Null;
    }
}

#[cfg(test)]
mod tests;
