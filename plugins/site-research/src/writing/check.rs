//! Checks what a model wrote against the excerpts that it cites. What they do not support is dropped.

use std::collections::BTreeSet;

use gtm_lexicon::roles::{GENERIC_ALTERNATIVES, ROLE_WORDS};
use gtm_page_text::primary_language;
use serde_json::{Map, Value};

use super::form::{Field, Form, Support, Unit};
use crate::claim::{Basis, Claim, Excerpt};
use crate::dates;
use crate::evidence::Sentence;
use crate::facts;
use crate::instructions;
use crate::words;

/// Percentage of a fact's words that the evidence must contain.
const FACT_WORDS_PERCENT: usize = 40;

/// What answers are checked against.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// Excerpts by number, starting with 1.
    pub excerpts: &'a [Sentence],
    /// The caller's own words, whose numbers and names may be used; empty if there are none.
    pub caller: &'a str,
    /// Name and domain of the company.
    pub company: &'a str,
    /// Language of the answer.
    pub language: &'a str,
}

/// The result of checking a unit.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Supported by what it cites.
    Kept(Claim),
    /// The model left it empty.
    Empty,
    /// Not supported by what it cites.
    Dropped,
}

impl Ground<'_> {
    /// Checks one unit of an answer.
    pub fn check(&self, unit: Unit, answer: &Value) -> Verdict {
        let Some(object) = answer.as_object() else {
            return Verdict::Empty;
        };
        let Some(first) = unit.fields.first() else {
            return Verdict::Empty;
        };
        let main = text_of(object, first.name);
        if main.is_empty() {
            return Verdict::Empty;
        }
        let Some(cited) = self.cited(object.get("citations")) else {
            return Verdict::Dropped;
        };
        let Some(value) = self.value(unit, object, &cited) else {
            return Verdict::Dropped;
        };
        let mut said = Vec::new();
        strings(&value, &mut said);
        let said = said.join(" ");
        let mut evidence: Vec<&str> = cited
            .iter()
            .map(|sentence| sentence.text.as_str())
            .collect();
        evidence.push(self.caller);
        evidence.push(self.company);
        if instructions::addressed_to_a_model(&said) || !facts::borne_out(&said, &evidence) {
            return Verdict::Dropped;
        }
        if !self.is_about(unit, first, &main, &said, &cited) {
            return Verdict::Dropped;
        }
        let bare = main.trim_end_matches(['.', '!']);
        let carriers: Vec<&Sentence> = cited
            .iter()
            .copied()
            .filter(|sentence| sentence.text.contains(bare))
            .collect();
        let verbatim = !carriers.is_empty() && unit.support == Support::Fact;
        let (basis, carriers) = if verbatim {
            (Basis::Stated, carriers)
        } else {
            (Basis::Inferred, cited)
        };
        Verdict::Kept(Claim {
            value,
            basis,
            reasoning: (!verbatim)
                .then(|| "Written by the model from the cited excerpts.".to_owned()),
            excerpts: carriers
                .into_iter()
                .map(|sentence| Excerpt {
                    page: sentence.page,
                    text: sentence.text.clone(),
                })
                .collect(),
            receipts: Vec::new(),
        })
    }

    /// The cited excerpts; `None` if none is cited, or one that does not exist.
    fn cited(&self, citations: Option<&Value>) -> Option<Vec<&Sentence>> {
        let numbers: BTreeSet<u64> = citations?
            .as_array()?
            .iter()
            .map(Value::as_u64)
            .collect::<Option<_>>()?;
        if numbers.is_empty() {
            return None;
        }
        numbers
            .into_iter()
            .map(|number| {
                let index = usize::try_from(number).ok()?.checked_sub(1)?;
                self.excerpts.get(index)
            })
            .collect()
    }

    /// The unit's value in the result; `None` if a required field is missing or has an unknown word.
    fn value(&self, unit: Unit, object: &Map<String, Value>, cited: &[&Sentence]) -> Option<Value> {
        if unit.plain {
            return unit
                .fields
                .first()
                .map(|field| Value::from(text_of(object, field.name)));
        }
        let mut value = Map::new();
        for field in unit.fields {
            value.insert(field.name.to_owned(), self.field(*field, object, cited)?);
        }
        Some(Value::Object(value))
    }

    fn field(
        &self,
        field: Field,
        object: &Map<String, Value>,
        cited: &[&Sentence],
    ) -> Option<Value> {
        let text = text_of(object, field.name);
        match field.form {
            Form::Text(_) if text.is_empty() => (!field.needed).then_some(Value::Null),
            Form::Text(_) => Some(Value::from(text)),
            Form::Date => {
                let dated = cited
                    .iter()
                    .filter_map(|sentence| dates::find(&sentence.text))
                    .any(|date| date.iso() == text);
                Some(if dated {
                    Value::from(text)
                } else {
                    Value::Null
                })
            }
            Form::List(most, _) => {
                let items = object
                    .get(field.name)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten();
                let texts: Vec<Value> = items
                    .filter_map(Value::as_str)
                    .map(one_line)
                    .filter(|text| !text.is_empty())
                    .take(most)
                    .map(Value::from)
                    .collect();
                Some(Value::Array(texts))
            }
            Form::Choice(_, Some(null)) if text == null || text.is_empty() => Some(Value::Null),
            Form::Choice(choices, _) => choices.contains(&text.as_str()).then(|| Value::from(text)),
        }
    }

    /// Whether the unit is about what it cites.
    fn is_about(
        &self,
        unit: Unit,
        first: &Field,
        main: &str,
        said: &str,
        cited: &[&Sentence],
    ) -> bool {
        let mut evidence: String = cited
            .iter()
            .map(|sentence| sentence.text.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        evidence.push('\n');
        evidence.push_str(self.caller);
        evidence.push('\n');
        evidence.push_str(self.company);
        if matches!(first.name, "role") {
            // The name of a role is ordinary language, but a person's name is not; names of roles have a
            // known form.
            return names_a_role(main);
        }
        let known = words::stems(&evidence);
        let claimed = words::stems(said);
        let shared = claimed.intersection(&known).count();
        let enough = match unit.support {
            _ if claimed.len() < 2 => {
                self.contains_folded(&evidence, main) || unit.support == Support::Advice
            }
            Support::Fact => shared * 100 >= claimed.len() * FACT_WORDS_PERCENT,
            Support::Advice => shared >= 1,
        };
        let names_known = match (unit.support, first.name) {
            (_, "alternative") => is_generic(main) || self.contains_folded(&evidence, main),
            (Support::Fact, _) if primary_language(self.language) != "de" => {
                self.names_stand_in(main, &evidence)
            }
            _ => true,
        };
        enough && names_known
    }

    fn contains_folded(&self, evidence: &str, text: &str) -> bool {
        let bare = text.trim_end_matches(['.', '!']);
        words::fold(evidence).contains(&words::fold(bare))
    }

    /// Whether the evidence contains every capitalized word within a sentence.
    fn names_stand_in(&self, text: &str, evidence: &str) -> bool {
        let folded = words::fold(evidence);
        let known: BTreeSet<&str> = words::split(&folded).into_iter().collect();
        let mut starts = true;
        text.split_whitespace().all(|token| {
            let word = token.trim_matches(|c: char| !c.is_alphanumeric());
            let is_name =
                !starts && word.chars().count() >= 3 && word.starts_with(char::is_uppercase);
            starts = token.ends_with(['.', '!', '?', ':']);
            let folded = words::fold(word);
            !is_name
                || words::split(&folded)
                    .iter()
                    .all(|part| known.contains(part) || part.chars().count() < 3)
        })
    }
}

fn text_of(object: &Map<String, Value>, name: &str) -> String {
    object
        .get(name)
        .and_then(Value::as_str)
        .map(one_line)
        .unwrap_or_default()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(object) => {
            // A date is checked separately: `2026-03-12` appears on the page as "12 March 2026".
            object
                .iter()
                .filter(|(name, _)| *name != "observed_at")
                .for_each(|(_, item)| strings(item, found));
        }
        _ => {}
    }
}

/// Alternatives to buying that no page needs to name.
fn is_generic(alternative: &str) -> bool {
    let folded = words::fold(alternative);
    GENERIC_ALTERNATIVES.any_in(&words::split(&folded))
}

/// Whether the text reads like the name of a role.
fn names_a_role(text: &str) -> bool {
    let folded = words::fold(text);
    ROLE_WORDS.any_in(&words::split(&folded))
}
