//! Judges one claim of a guideline: by the rule of its field, then by the rule that all drafts share
//! (decision 0022).

use std::borrow::Cow;
use std::collections::BTreeMap;

use gtm_domain::ReceiptId;
use gtm_domain::evidence::{Basis, Confidence, SourceKind};
use gtm_domain::guideline::fields::{Field, FieldRule};
use gtm_domain::guideline::sections::DraftLogo;
use gtm_domain::guideline::shape::Shape;
use gtm_domain::guideline::words::Ownership;
use gtm_lexicon::{is_registered_in, postal};
use gtm_page_text::{canonical_tag, detect_language};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::countries::Country;
use super::facts::{PageFacts, link_form};
use super::identifiers::{bare, is_lei, is_of_another, is_vat, is_vat_of};
use super::ownership::is_stated_in;
use super::postal::is_posted_in;
use super::profiles::is_profile;
use super::recompute::{Agreement, Signals};
use crate::basis::DraftBasis;
use crate::buckets::bounds;
use crate::library::Stored;
use crate::verdict::{ClaimChecker, ClaimText, Dropped, VerifiedClaim, Wording, stands_in};

/// Judges the claims of one draft.
pub struct BrandRules<'a> {
    /// The rule that all drafts share.
    pub checker: ClaimChecker<'a>,
    /// What each stored page declares.
    pub facts: &'a BTreeMap<ReceiptId, PageFacts>,
    /// Signals computed from pages and style sheets.
    pub signals: &'a Signals,
    /// The company's domain; empty if none is known.
    pub domain: &'a str,
    /// The language of its site; empty if none is known.
    pub language: &'a str,
    /// The year in which the job started: no company was founded later.
    pub year: i64,
}

impl BrandRules<'_> {
    /// Judges a value of a field. Returns the value as the result may show it: completed, canonical, and
    /// without members that no source supports.
    ///
    /// # Errors
    /// The reason for dropping it.
    pub fn judge(
        &self,
        field: &Field,
        value: &Value,
        basis: Option<&DraftBasis>,
    ) -> Result<(Value, VerifiedClaim), Dropped> {
        if is_hollow(value) {
            return Err(Dropped::Malformed);
        }
        let given = basis.ok_or(Dropped::NoBasis)?;
        match field.rule {
            FieldRule::Palette | FieldRule::Typography | FieldRule::Logo => {
                self.visual(field, value, given)
            }
            FieldRule::DeclaredLanguage => self.locale(value, given),
            FieldRule::Profile => self.profile(value, given),
            FieldRule::Measured => self.habit(field, value, given),
            FieldRule::MeasuredOrConcluded | FieldRule::SpellingLocale
                if given.basis == Basis::Observed =>
            {
                self.habit(field, value, given)
            }
            FieldRule::Market if self.is_declared_market(value, given) => Ok((
                value.clone(),
                observed(Basis::Observed, &self.checker.cited(&[], given)),
            )),
            FieldRule::Concluded
            | FieldRule::Given
            | FieldRule::Quoted
            | FieldRule::FoundingYear
            | FieldRule::Headcount
            | FieldRule::Headquarters
            | FieldRule::Identifier
            | FieldRule::Ownership
            | FieldRule::Market
            | FieldRule::MeasuredOrConcluded
            | FieldRule::SpellingLocale => self.quoted(field, value, given),
        }
    }

    /// Applies the shared rule, with the texts and excerpts that matter to the field.
    fn quoted(
        &self,
        field: &Field,
        value: &Value,
        basis: &DraftBasis,
    ) -> Result<(Value, VerifiedClaim), Dropped> {
        if basis.basis == Basis::Provided && field.rule != FieldRule::Given {
            return Err(Dropped::NotProvided);
        }
        let words = self.words(field, value, basis)?;
        let kept = self.checker.judge(&words, Some(basis))?;
        if kept.basis == Basis::Inferred && !field.rule.allows_conclusions() {
            return Err(Dropped::NotSeen);
        }
        Ok((canonical(field, value), kept))
    }

    /// The texts of a claim, and the excerpts that support it in other words.
    fn words<'c>(
        &self,
        field: &Field,
        value: &'c Value,
        basis: &'c DraftBasis,
    ) -> Result<ClaimText<'c>, Dropped> {
        let mut words = ClaimText {
            texts: Vec::new(),
            aliases: Vec::new(),
            wording: Wording::Verbatim,
            range: None,
            retold: matches!(field.rule, FieldRule::Concluded),
            ..ClaimText::default()
        };
        let quotations = || basis.excerpts.iter().map(|e| e.text.as_str());
        match field.rule {
            FieldRule::FoundingYear => {
                let year = value
                    .as_i64()
                    .filter(|year| (800..=self.year).contains(year));
                let year = year.ok_or(Dropped::Malformed)?;
                // A year may count from an era.
                let of_era =
                    |text| gtm_lexicon::year_of_era(text).filter(|(counted, _)| *counted == year);
                let spelled = quotations().find_map(of_era);
                words.texts.push(spelled.map_or_else(
                    || Cow::Owned(year.to_string()),
                    |(_, spelled)| Cow::Borrowed(spelled),
                ));
            }
            FieldRule::Headcount => {
                let range = value.as_str().and_then(bounds).ok_or(Dropped::Malformed)?;
                words.range = Some(range);
            }
            FieldRule::Headquarters => {
                let code = value
                    .get("country")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let country = Country::of_code(code).ok_or(Dropped::Malformed)?;
                free_texts(field.shape, value, &mut words.texts);
                let town = value.get("locality").and_then(Value::as_str);
                let site = postal::Site {
                    domain: self.domain,
                    language: self.language,
                };
                let tells = |text: &&str| {
                    country.is_named_in(text)
                        || country.is_dialled_in(text)
                        || is_posted_in(code, text)
                        || is_registered_in(code, text)
                        || postal::is_posted(code, town.unwrap_or_default(), text, site)
                };
                words.aliases = quotations().filter(tells).map(Cow::Borrowed).collect();
                if words.aliases.is_empty() {
                    return Err(Dropped::NotSeen);
                }
            }
            FieldRule::Market => {
                let country = value.as_str().and_then(Country::of_code);
                let country = country.ok_or(Dropped::Malformed)?;
                let names = |text: &&str| country.is_named_in(text);
                words.aliases = quotations().filter(names).map(Cow::Borrowed).collect();
            }
            FieldRule::Identifier => {
                let labelled = |number: &str| quotations().any(|text| is_vat_of(text, number));
                let number = identifier(value, labelled)?;
                let has = |text: &&str| has_number(text, number) && !is_of_another(text, number);
                words.aliases = quotations().filter(has).map(Cow::Borrowed).collect();
            }
            FieldRule::Ownership => {
                let ownership = Ownership::deserialize(value).map_err(|_| Dropped::Malformed)?;
                let says = |text: &&str| is_stated_in(ownership, text);
                words.aliases = quotations().filter(says).map(Cow::Borrowed).collect();
            }
            FieldRule::SpellingLocale => {
                let tag = value.as_str().and_then(canonical_tag);
                tag.filter(|tag| Some(tag.as_str()) == value.as_str())
                    .ok_or(Dropped::Malformed)?;
            }
            FieldRule::Concluded
            | FieldRule::Given
            | FieldRule::Quoted
            | FieldRule::Measured
            | FieldRule::MeasuredOrConcluded
            | FieldRule::DeclaredLanguage
            | FieldRule::Profile
            | FieldRule::Palette
            | FieldRule::Typography
            | FieldRule::Logo => free_texts(field.shape, value, &mut words.texts),
        }
        Ok(words)
    }

    /// Checks a language of the site: a cited page of the site must declare it for itself or for another
    /// version, or be written in it.
    fn locale(&self, value: &Value, basis: &DraftBasis) -> Result<(Value, VerifiedClaim), Dropped> {
        let tag = value
            .as_str()
            .and_then(canonical_tag)
            .ok_or(Dropped::Malformed)?;
        let declares = |stored: &&Stored| {
            let facts = self.facts.get(&stored.receipt.id);
            self.is_own(stored) && facts.is_some_and(|facts| facts.languages.contains(&tag))
        };
        let cited = self.cited(basis);
        let is_written = |stored: &&Stored| {
            self.is_own(stored) && detect_language([stored.text.as_str()]) == Some(tag.as_str())
        };
        let pages: Vec<&Stored> = cited
            .into_iter()
            .filter(|stored| declares(stored) || is_written(stored))
            .collect();
        if pages.is_empty() {
            return Err(Dropped::NotSeen);
        }
        Ok((json!(tag), observed(Basis::Observed, &pages)))
    }

    /// Whether the cited pages are the site's and have versions for this market.
    fn is_declared_market(&self, value: &Value, basis: &DraftBasis) -> bool {
        let region = format!("-{}", value.as_str().unwrap_or_default());
        let real = value.as_str().and_then(Country::of_code).is_some();
        let cited = self.checker.cited(&[], basis);
        basis.basis == Basis::Observed
            && real
            && !cited.is_empty()
            && cited.iter().all(|stored| {
                let facts = self.facts.get(&stored.receipt.id);
                self.is_own(stored)
                    && facts.is_some_and(|f| f.languages.iter().any(|tag| tag.ends_with(&region)))
            })
    }

    /// Checks a profile: a cited page must link to an address of the network.
    fn profile(
        &self,
        value: &Value,
        basis: &DraftBasis,
    ) -> Result<(Value, VerifiedClaim), Dropped> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        let url = Url::parse(text("url")).map_err(|_| Dropped::Malformed)?;
        if !is_profile(text("network"), &url) {
            return Err(Dropped::Malformed);
        }
        let link = link_form(&url);
        let links = |stored: &&Stored| {
            let facts = self.facts.get(&stored.receipt.id);
            facts.is_some_and(|facts| facts.links.contains(&link))
        };
        let cited = self.cited(basis);
        let pages: Vec<&Stored> = cited.into_iter().filter(links).collect();
        if pages.is_empty() {
            return Err(Dropped::NotSeen);
        }
        let words = ClaimText {
            texts: vec![Cow::Borrowed(text("url"))],
            aliases: Vec::new(),
            wording: Wording::Verbatim,
            range: None,
            ..ClaimText::default()
        };
        let stated = self.checker.judge(&words, Some(basis));
        let kept = stated.ok().filter(|kept| kept.basis == Basis::Stated);
        Ok((
            value.clone(),
            kept.unwrap_or_else(|| observed(Basis::Observed, &pages)),
        ))
    }

    /// Checks colours, typefaces and logos: only what the bytes show counts, whatever basis the draft claims.
    fn visual(
        &self,
        field: &Field,
        value: &Value,
        basis: &DraftBasis,
    ) -> Result<(Value, VerifiedClaim), Dropped> {
        let cited = self.cited(basis);
        let seen = match field.rule {
            FieldRule::Palette => self.signals.swatch(value, &cited),
            FieldRule::Typography => self.signals.typeface(value, &cited),
            _ => {
                let logo = DraftLogo::deserialize(value).map_err(|_| Dropped::Malformed)?;
                self.signals.logo(&logo, &cited, self.facts)
            }
        };
        let (value, agreement) = seen.ok_or(Dropped::NotSeen)?;
        let basis = match agreement {
            Agreement::Equal => Basis::Observed,
            Agreement::Literal => Basis::Inferred,
        };
        Ok((value, observed(basis, &cited)))
    }

    /// Checks a measured writing habit: only the measured value is accepted.
    fn habit(
        &self,
        field: &Field,
        value: &Value,
        basis: &DraftBasis,
    ) -> Result<(Value, VerifiedClaim), Dropped> {
        let cited = self.cited(basis);
        let measured = self.signals.habits(&cited);
        if cited.is_empty() || measured.get(field.name()) != Some(value) {
            return Err(Dropped::NotSeen);
        }
        Ok((value.clone(), observed(Basis::Observed, &cited)))
    }

    /// Whether the site itself answered.
    fn is_own(&self, stored: &Stored) -> bool {
        self.checker.kind(stored) == SourceKind::FirstParty
    }

    /// Every stored answer that a basis cites, by excerpt or by receipt.
    fn cited(&self, basis: &DraftBasis) -> Vec<&Stored> {
        let quoted = basis.excerpts.iter().map(|e| e.receipt_id.clone());
        let all = DraftBasis {
            receipt_ids: quoted.chain(basis.receipt_ids.iter().cloned()).collect(),
            ..basis.clone()
        };
        self.checker.cited(&[], &all)
    }
}

/// A claim that the host computed from bytes or, if inferred, whose literal part it found there.
fn observed(basis: Basis, cited: &[&Stored]) -> VerifiedClaim {
    VerifiedClaim {
        basis,
        confidence: if basis == Basis::Inferred {
            Confidence::Low
        } else {
            Confidence::Medium
        },
        reasoning: None,
        sources: cited.iter().map(|stored| stored.receipt.id).collect(),
        excerpts: Vec::new(),
    }
}

/// Whether any text in the value, at any depth, has nothing visible in it.
fn is_hollow(value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.iter().any(is_hollow),
        Value::Object(members) => members.values().any(is_hollow),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The free texts of a value. Skips an object's members that are chosen from a list or name something.
fn free_texts<'c>(shape: Shape, value: &'c Value, texts: &mut Vec<Cow<'c, str>>) {
    match value {
        Value::String(text) => texts.push(Cow::Borrowed(text)),
        Value::Array(items) => items.iter().for_each(|item| free_texts(shape, item, texts)),
        Value::Object(values) => {
            let Shape::Object(members) = shape else {
                return;
            };
            for (name, value) in values {
                let member = members.iter().find(|member| member.name == name);
                if let Some(shape @ Shape::Text { .. }) = member.map(|member| member.shape) {
                    free_texts(shape, value, texts);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Rewrites a number in the one form its scheme allows, if it has one.
fn canonical(field: &Field, value: &Value) -> Value {
    let mut value = value.clone();
    let has_one_form = matches!(
        value.get("scheme").and_then(Value::as_str),
        Some("vat" | "lei")
    );
    if field.rule == FieldRule::Identifier
        && has_one_form
        && let Some(number) = value.get("value").and_then(Value::as_str).map(bare)
    {
        value["value"] = json!(number);
    }
    value
}

/// The number of an identifier, if its scheme allows it; `labelled` says whether the evidence calls a number
/// without its country a VAT number.
fn identifier(value: &Value, labelled: impl Fn(&str) -> bool) -> Result<&str, Dropped> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let number = text("value");
    let possible = match text("scheme") {
        "lei" => is_lei(number),
        "vat" => is_vat(number) || labelled(number),
        "ticker" => {
            (1..=20).contains(&number.len())
                && number
                    .chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || " .:-".contains(c))
        }
        _ => number.chars().any(char::is_numeric) && number.chars().count() <= 60,
    };
    possible.then_some(number).ok_or(Dropped::Malformed)
}

/// Whether a text contains the number by itself, not as part of a longer one. Spaces, dots and hyphens are
/// ignored.
fn has_number(text: &str, number: &str) -> bool {
    if stands_in(number, text) {
        return true;
    }
    let (text, number) = (bare(text), bare(number));
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    number.chars().count() >= 5
        && text.match_indices(&number).any(|(at, found)| {
            let before = text[..at].chars().next_back();
            let after = text[at + found.len()..].chars().next();
            let goes_on_left = digit(number.chars().next()) && digit(before);
            let goes_on_right = digit(number.chars().next_back()) && digit(after);
            !goes_on_left && !goes_on_right
        })
}
