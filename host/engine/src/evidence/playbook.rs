//! From a draft to the finished playbook (annex A3).

use std::collections::BTreeMap;

use gtm_domain::ReceiptId;
use gtm_domain::domain_name::DomainName;
use gtm_domain::evidence::{Excerpt, FieldBasis, Source, SourceKind, Unknown, UnknownReason};
use gtm_domain::playbook::{PlaybookInput, PlaybookSection, PublicPlaybookResult, Risk, Target};
use serde_json::{Map, Value, json};

use super::claims::{CLAIM_FIELDS, ClaimField, in_words, is_populated};
use super::draft::{Draft, DraftBasis, DraftSource};
use super::library::{Library, Stored};
use super::literals::Literals;
use super::origin::TargetSite;
use super::verdict::{Bench, Dropped, Given, Kept};

/// Most risks of a result; what the host itself has to say comes first.
const MAX_RISKS: usize = 50;

/// What the check needs beside the draft.
pub struct CheckInput<'a> {
    /// The job's normalized input.
    pub input: &'a PlaybookInput,
    /// Pinned settings of the backend's binding.
    pub settings: &'a Value,
    /// Stored answers that the draft names.
    pub library: &'a Library,
    /// From the job's first start to now.
    pub duration_seconds: f64,
}

/// A checked playbook.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The finished result.
    pub result: PublicPlaybookResult,
    /// Pointers of the draft that were dropped, with the reason.
    pub dropped: Vec<(String, Dropped)>,
}

/// A checked draft that is no playbook after all: a fault of this module.
#[derive(Debug, thiserror::Error)]
#[error("the checked draft is no playbook: {0}")]
pub struct CheckError(#[from] serde_json::Error);

/// Check a draft and make the result.
///
/// # Errors
/// If the finished value does not read back as a playbook, which would be a fault of the host.
pub fn check(draft: &Draft, by: &CheckInput<'_>) -> Result<Checked, CheckError> {
    let given = Given::of(by.input);
    let sections = by.input.resolved_sections();
    let everything: Vec<&Literals> = by
        .library
        .iter()
        .map(|s| &s.literals)
        .chain(std::iter::once(given.literals()))
        .collect();
    let target = target(draft, by.input, &everything);
    let site = TargetSite::of(target.domain.as_deref(), by.settings);
    let said: BTreeMap<&str, &DraftSource> = draft
        .sources
        .iter()
        .rev()
        .map(|s| (s.receipt_id.as_str(), s))
        .collect();
    let kinds: BTreeMap<ReceiptId, SourceKind> = by
        .library
        .iter()
        .map(|stored| {
            let said = said
                .get(stored.receipt.id.to_string().as_str())
                .map(|s| s.kind);
            (stored.receipt.id, site.kind(&stored.receipt, said))
        })
        .collect();
    let bench = Bench {
        library: by.library,
        kinds: &kinds,
        given: &given,
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
            judge_field(&field, &mut fields, &bases, &bench, &mut kept, &mut tally);
        } else {
            empty(&field, &mut fields);
        }
    }
    let risks = if sections.contains(&PlaybookSection::Risks) {
        risks(&draft.result.risks, &tally, &everything)
    } else {
        Vec::new()
    };
    let mut numbering = Numbering::default();
    let basis: Vec<FieldBasis> = kept
        .iter()
        .map(|(pointer, kept)| numbering.basis(pointer, kept))
        .collect();
    for source in &draft.sources {
        if let Some(stored) = by.library.find(&source.receipt_id) {
            numbering.source(stored.receipt.id);
        }
    }
    let sources = numbering.sources(by.library, &kinds, &said);

    // A struct serializes as an object; should it ever not, the check fails instead of panicking.
    let Value::Object(mut members) = fields else {
        return Err(CheckError(<serde_json::Error as serde::de::Error>::custom(
            "its fields are no object",
        )));
    };
    let mut add = |key: &str, value: Value| members.insert(key.to_owned(), value);
    add("schema_version", json!("1.0"));
    add("included_sections", serde_json::to_value(&sections)?);
    add("target", serde_json::to_value(&target)?);
    add("anchor_company", json!(by.input.anchor_company));
    add("tone", serde_json::to_value(by.input.tone)?);
    add("language", json!(language(&draft.result.language)));
    add("risks", serde_json::to_value(&risks)?);
    add("brand", Value::Null);
    add("basis", serde_json::to_value(&basis)?);
    add("unknowns", serde_json::to_value(&tally.unknowns)?);
    add("sources", serde_json::to_value(&sources)?);
    add("model", json!("default"));
    add("duration_seconds", json!(by.duration_seconds));
    let result: PublicPlaybookResult = serde_json::from_value(Value::Object(members))?;
    Ok(Checked {
        result,
        dropped: tally.dropped,
    })
}

/// What was judged and dropped, by section.
#[derive(Debug, Default)]
struct Tally {
    dropped: Vec<(String, Dropped)>,
    sections: Vec<(PlaybookSection, Dropped, usize)>,
    /// Pointers into the result, where `dropped` has those into the draft.
    unknowns: Vec<Unknown>,
}

impl Tally {
    fn note(&mut self, field: &ClaimField, pointer: String, reason: Dropped) {
        let section = field.section;
        self.dropped.push((pointer, reason));
        self.unknown(field.pointer.to_owned());
        match self
            .sections
            .iter_mut()
            .find(|(s, r, _)| *s == section && *r == reason)
        {
            Some((_, _, count)) => *count += 1,
            None => self.sections.push((section, reason, 1)),
        }
    }

    /// Whatever was wrong with the evidence, to the reader of the result it is unverified (annex A1).
    fn unknown(&mut self, pointer: String) {
        self.unknowns.push(Unknown {
            pointer,
            reason: UnknownReason::Unverified,
        });
    }

    /// What the draft says of the target and neither the caller nor a source confirms.
    fn unknown_target(&mut self, drafted: &Target, target: &Target) {
        if drafted.company.is_some() && target.company.is_none() {
            self.unknown("/target/company".to_owned());
        }
        if drafted.domain.is_some() && target.domain.is_none() {
            self.unknown("/target/domain".to_owned());
        }
    }
}

fn judge_field(
    field: &ClaimField,
    fields: &mut Value,
    bases: &BTreeMap<&str, &DraftBasis>,
    bench: &Bench<'_>,
    kept: &mut Vec<(String, Kept)>,
    tally: &mut Tally,
) {
    let Some(place) = fields.pointer_mut(field.pointer) else {
        return;
    };
    if !field.list {
        if place.is_null() {
            return;
        }
        match bench.judge(field.pointer, place, bases.get(field.pointer).copied()) {
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
        match bench.judge(&before, &element, bases.get(before.as_str()).copied()) {
            Ok(verdict) => {
                // The pointer counts the elements that stand, not those of the draft.
                let after = format!("{}/{}", field.pointer, standing.len());
                if !date_stands(&mut element, &verdict, bench) {
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

/// A signal's date is written in the backend's form, so only its year can be looked up. A date whose
/// year stands in none of the claim's sources becomes unknown; then the answer is false.
fn date_stands(element: &mut Value, verdict: &Kept, bench: &Bench<'_>) -> bool {
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
            .filter_map(|id| bench.library.find(&id.to_string()))
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

fn empty(field: &ClaimField, fields: &mut Value) {
    if let Some(place) = fields.pointer_mut(field.pointer) {
        *place = if field.list {
            Value::Array(Vec::new())
        } else {
            Value::Null
        };
    }
}

/// The company that the result is about: what the caller named, else what the backend found.
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

/// The language tag as it stands if it has the form of one, else `und` (BCP 47: undetermined).
fn language(tag: &str) -> String {
    let mut parts = tag.split('-');
    let primary = parts
        .next()
        .is_some_and(|p| (2..=8).contains(&p.len()) && p.chars().all(|c| c.is_ascii_alphabetic()));
    let rest =
        parts.all(|p| (1..=8).contains(&p.len()) && p.chars().all(|c| c.is_ascii_alphanumeric()));
    if primary && rest && tag.len() <= 35 {
        tag.to_owned()
    } else {
        "und".to_owned()
    }
}

/// The host's own unknowns, then the backend's risks that make nothing up.
fn risks(drafted: &[Risk], tally: &Tally, everything: &[&Literals]) -> Vec<Risk> {
    let mut risks: Vec<Risk> = tally
        .sections
        .iter()
        .map(|(section, reason, count)| {
            let statements = if *count == 1 {
                "one statement was".to_owned()
            } else {
                format!("{count} statements were")
            };
            let text = format!(
                "{}: {statements} left out because {}.",
                in_words(*section),
                reason.in_words()
            );
            Risk {
                text,
                kind: "unknown".to_owned(),
            }
        })
        .collect();
    for risk in drafted {
        let stands =
            !risk.text.is_empty() && Literals::first_missing(&risk.text, everything).is_none();
        if stands && !risks.contains(risk) {
            risks.push(risk.clone());
        }
    }
    risks.truncate(MAX_RISKS);
    risks
}

/// Hands out `src_…` and `ex_…` in the order of first citation.
#[derive(Default)]
struct Numbering {
    sources: Vec<ReceiptId>,
    excerpts: Vec<(String, super::verdict::Found)>,
}

impl Numbering {
    fn source(&mut self, receipt: ReceiptId) -> String {
        let at = self
            .sources
            .iter()
            .position(|id| *id == receipt)
            .unwrap_or_else(|| {
                self.sources.push(receipt);
                self.sources.len() - 1
            });
        format!("src_{:02}", at + 1)
    }

    fn excerpt(&mut self, found: &super::verdict::Found) -> String {
        if let Some((id, _)) = self.excerpts.iter().find(|(_, known)| known == found) {
            return id.clone();
        }
        let id = format!("ex_{:02}", self.excerpts.len() + 1);
        self.excerpts.push((id.clone(), found.clone()));
        id
    }

    fn basis(&mut self, pointer: &str, kept: &Kept) -> FieldBasis {
        FieldBasis {
            pointer: pointer.to_owned(),
            confidence: Some(kept.confidence),
            basis: kept.basis,
            reasoning: kept.reasoning.clone(),
            source_ids: kept.sources.iter().map(|id| self.source(*id)).collect(),
            excerpt_ids: kept
                .excerpts
                .iter()
                .map(|found| self.excerpt(found))
                .collect(),
        }
    }

    fn sources(
        &self,
        library: &Library,
        kinds: &BTreeMap<ReceiptId, SourceKind>,
        said: &BTreeMap<&str, &DraftSource>,
    ) -> Vec<Source> {
        let shown = |(index, id): (usize, &ReceiptId)| {
            let stored = library.find(&id.to_string())?;
            let said = said.get(id.to_string().as_str()).copied();
            let fact = |text: fn(&DraftSource) -> Option<&String>| {
                said.and_then(text)
                    .map(|t| gtm_page_text::normalize(t))
                    .filter(|t| known(stored, t))
            };
            Some(Source {
                id: format!("src_{:02}", index + 1),
                url: stored.receipt.url.clone(),
                final_url: stored.receipt.final_url.clone(),
                kind: kinds.get(id).copied().unwrap_or(SourceKind::Other),
                publisher: fact(|s| s.publisher.as_ref()),
                title: fact(|s| s.title.as_ref()),
                language: fact(|s| s.language.as_ref()),
                retrieved_at: stored.receipt.at,
                published_at: fact(|s| s.published_at.as_ref()),
                content_type: stored.receipt.content_type.clone(),
                bytes: stored.receipt.response_bytes,
                content_digest: stored.digest()?,
                connector: stored.connector.clone(),
                receipt_id: *id,
                excerpts: self
                    .excerpts
                    .iter()
                    .filter(|(_, found)| found.receipt == *id)
                    .map(|(id, found)| Excerpt {
                        id: id.clone(),
                        text: found.text.clone(),
                        text_start: found.range.0 as u64,
                        text_end: found.range.1 as u64,
                        verified: true,
                    })
                    .collect(),
            })
        };
        self.sources.iter().enumerate().filter_map(shown).collect()
    }
}

/// Whether the connector read this from the answer, or the answer's text or host has it.
fn known(stored: &Stored, text: &str) -> bool {
    !text.is_empty()
        && (stored.facts.contains(text)
            || gtm_page_text::find_excerpt(&stored.text, text).is_some()
            || super::origin::site_of(&stored.receipt.host) == text
            || stored.receipt.host == text)
}

/// The parts of a result that must be equal when a job is replayed: everything but the time it took.
#[must_use]
pub fn replayable(result: &Value) -> Value {
    let mut same: Map<String, Value> = result.as_object().cloned().unwrap_or_default();
    same.remove("duration_seconds");
    Value::Object(same)
}

#[cfg(test)]
mod tests;
