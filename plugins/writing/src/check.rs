//! Checks what a model wrote against the excerpts that it cites, as far as code can know.
//!
//! Whether a paraphrase says the same as its excerpts is a reader's question (`critique`); words that differ prove nothing. But a
//! number, an address, a name or a quotation that stands nowhere was made up. Where it stands in another excerpt than the cited
//! ones, that excerpt is cited, too.

use std::collections::BTreeSet;

use gtm_page_text::primary_language;
use gtm_site_research::claim::{Basis, Claim, Excerpt};
use gtm_site_research::evidence::Sentence;
use gtm_site_research::roles::Role;
use gtm_site_research::{dates, facts, instructions, words};
use serde_json::{Map, Value};

use crate::answer::{number, one_line, text_of};
use crate::excerpts::Excerpts;
use crate::fault::Fault;
use crate::form::{Field, Form, Support, Unit, Words};
use crate::names;
use crate::numbers::{self, Derivation};
use crate::prompt::one_line as one_line_of;
use crate::wording;

/// Maximum number of citations per unit.
pub const MOST_CITATIONS: usize = 12;
/// Longest reason, in characters.
const LONGEST_REASON: usize = 220;
/// Longest reasoning of a claim with its sums (`wit/results`), in characters.
const LONGEST_REASONING: usize = 480;
/// A number with fewer digits stands somewhere by chance: its excerpt must share a word with the claim, too.
const TELLING_DIGITS: usize = 3;

/// What answers are checked against.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The excerpts by their numbers.
    pub excerpts: &'a Excerpts,
    /// The caller's own words, whose numbers and names may be used; empty if there are none.
    pub caller: &'a str,
    /// Name and domain of the company.
    pub company: &'a str,
    /// Language of the answer.
    pub language: &'a str,
}

/// A unit that passed.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The value as it appears in the result.
    pub value: Value,
    /// The numbers of its excerpts.
    pub citations: BTreeSet<u64>,
    /// `Stated` if an excerpt says it in these words, else `Inferred`.
    pub basis: Basis,
    /// Whether its only text is a whole sentence or block of an excerpt. A part of a sentence can say the opposite of it.
    pub whole_quotation: bool,
    /// Why it follows, in the model's words.
    pub reason: Option<String>,
    /// The sums that it contains.
    pub formulas: Vec<String>,
    /// Why sentences or optional members were left out.
    pub lost: Vec<Fault>,
}

/// The result of checking a unit.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It passed.
    Kept(Checked),
    /// The model left it empty.
    Empty,
    /// It didn't pass.
    Dropped(Fault),
}

/// A unit while it is checked.
struct Reading<'a> {
    unit: Unit,
    citations: Vec<u64>,
    derivations: &'a [Derivation],
    formulas: Vec<String>,
    lost: Vec<Fault>,
}

impl Ground<'_> {
    /// Checks one unit of an answer. `derivations` are the sums that the answer declares.
    #[must_use]
    pub fn check(&self, unit: Unit, answer: &Value, derivations: &[Derivation]) -> Verdict {
        let Some(first) = unit.fields.first() else {
            return Verdict::Empty;
        };
        if text_of(answer, first.name).is_empty() {
            return Verdict::Empty;
        }
        match self.read(unit, answer, derivations) {
            Ok(checked) => Verdict::Kept(checked),
            Err(fault) => Verdict::Dropped(fault),
        }
    }

    fn read(
        &self,
        unit: Unit,
        answer: &Value,
        derivations: &[Derivation],
    ) -> Result<Checked, Fault> {
        let mut said = Vec::new();
        strings(answer, &mut said);
        if instructions::addressed_to_a_model(&said.join(" ")) {
            return Err(Fault::Instruction);
        }
        let mut reading = Reading {
            unit,
            citations: self.cited(answer.get("citations")),
            derivations,
            formulas: Vec::new(),
            lost: Vec::new(),
        };
        if reading.citations.is_empty() {
            return Err(Fault::NoCitation);
        }
        if !unit.from_job_offers && self.are_job_offers(&reading.citations) {
            return Err(Fault::JobOffer);
        }
        let mut members = Map::new();
        for field in unit.fields {
            let value = self.field(*field, answer, &mut reading)?;
            members.insert(field.name.to_owned(), value);
        }
        let main = unit
            .fields
            .first()
            .and_then(|field| members.get(field.name));
        let main = main.and_then(Value::as_str).unwrap_or_default().to_owned();
        let value = if unit.plain {
            Value::from(main.as_str())
        } else {
            Value::Object(members)
        };
        let bare = main.trim_end_matches(['.', '!', '。']);
        let carriers: BTreeSet<u64> = reading
            .citations
            .iter()
            .copied()
            .filter(|cited| {
                let excerpt = self.excerpts.get(*cited);
                excerpt.is_some_and(|excerpt| {
                    one_line(&excerpt.text).contains(bare) && wording::holds(&excerpt.text, bare)
                })
            })
            .collect();
        let verbatim = unit.support == Support::Fact && !carriers.is_empty() && !bare.is_empty();
        let whole_quotation = verbatim && unit.plain && self.is_whole(&carriers, bare);
        let citations = if verbatim {
            carriers
        } else {
            reading.citations.iter().copied().collect()
        };
        let reason = self.reason(answer, &citations);
        Ok(Checked {
            value,
            citations,
            basis: if verbatim {
                Basis::Stated
            } else {
                Basis::Inferred
            },
            whole_quotation,
            reason,
            formulas: reading.formulas,
            lost: reading.lost,
        })
    }

    /// Whether the text is a whole excerpt or a whole sentence of one.
    fn is_whole(&self, carriers: &BTreeSet<u64>, bare: &str) -> bool {
        let ends = |text: &str| one_line(text).trim_end_matches(['.', '!', '。']) == bare;
        carriers
            .iter()
            .filter_map(|number| self.excerpts.get(*number))
            .any(|excerpt| {
                ends(&excerpt.text)
                    || wording::sentences(&excerpt.text, self.language)
                        .into_iter()
                        .any(ends)
            })
    }

    /// The numbers of excerpts that exist, in the order of the answer.
    fn cited(&self, citations: Option<&Value>) -> Vec<u64> {
        let mut cited: Vec<u64> = Vec::new();
        for number in citations
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(number)
        {
            if self.excerpts.get(number).is_some()
                && !cited.contains(&number)
                && cited.len() < MOST_CITATIONS
            {
                cited.push(number);
            }
        }
        cited
    }

    fn are_job_offers(&self, cited: &[u64]) -> bool {
        cited.iter().all(|number| {
            self.excerpts
                .get(*number)
                .is_some_and(|excerpt| excerpt.role == Role::Careers)
        })
    }

    fn field(
        &self,
        field: Field,
        answer: &Value,
        reading: &mut Reading<'_>,
    ) -> Result<Value, Fault> {
        let text = text_of(answer, field.name);
        let absent = |fault: Fault| {
            if field.needed {
                Err(fault)
            } else {
                Ok(Value::Null)
            }
        };
        match field.form {
            Form::Text(_) if text.is_empty() => absent(Fault::Incomplete),
            Form::Text(most) => match self.text(&text, most, field.words, reading) {
                Ok(text) => Ok(Value::from(text)),
                Err(fault) => {
                    if !field.needed {
                        reading.lost.push(fault);
                    }
                    absent(fault)
                }
            },
            Form::Date => Ok(self.date(&text, reading)),
            Form::List(most, length) => {
                let items = answer.get(field.name).and_then(Value::as_array);
                let mut kept: Vec<Value> = Vec::new();
                // A broken model may list without end, and each item is looked for in all excerpts.
                let items = items.into_iter().flatten().take(2 * most);
                for text in items.filter_map(Value::as_str) {
                    let text = one_line(text);
                    if text.is_empty() || kept.len() >= most {
                        continue;
                    }
                    match self.text(&text, length, field.words, reading) {
                        Ok(text) => kept.push(Value::from(text)),
                        Err(fault) => reading.lost.push(fault),
                    }
                }
                Ok(Value::Array(kept))
            }
            Form::Choice(_, Some(null)) if text == null || text.is_empty() => Ok(Value::Null),
            Form::Choice(choices, null) => {
                let text = text.to_lowercase().replace([' ', '-'], "_");
                if choices.contains(&text.as_str()) {
                    return Ok(Value::from(text));
                }
                // A word that nobody offered says nothing, but the rest of the unit may.
                let neutral = ["unknown", "other"]
                    .into_iter()
                    .find(|word| choices.contains(word));
                match (null, neutral) {
                    (Some(_), _) => Ok(Value::Null),
                    (None, Some(word)) => Ok(Value::from(word)),
                    (None, None) => absent(Fault::Incomplete),
                }
            }
        }
    }

    /// The text without its faulty sentences, and not much longer than `most` characters.
    fn text(
        &self,
        text: &str,
        most: usize,
        words: Words,
        reading: &mut Reading<'_>,
    ) -> Result<String, Fault> {
        let text = wording::cut(text, most, self.language);
        if words == Words::Role && names::has_a_person(&text, &self.everything()) {
            return Err(Fault::Person);
        }
        if words == Words::Alternative && self.is_a_rival(&text) {
            return Err(Fault::Rival);
        }
        let mut faults = Vec::new();
        let mut kept = Vec::new();
        for sentence in wording::sentences(&text, self.language) {
            match self.sentence(sentence, words, reading) {
                Ok(()) => kept.push(sentence),
                Err(fault) => faults.push(fault),
            }
        }
        match (kept.is_empty(), faults.first()) {
            (true, fault) => Err(fault.copied().unwrap_or(Fault::Incomplete)),
            (false, None) => Ok(text),
            (false, Some(_)) => {
                reading.lost.extend(faults);
                Ok(wording::joined(&kept))
            }
        }
    }

    /// Checks the literals of a sentence, and cites the excerpts that carry them.
    fn sentence(&self, text: &str, words: Words, reading: &mut Reading<'_>) -> Result<(), Fault> {
        let fact = reading.unit.support == Support::Fact;
        if fact || words != Words::Proposal {
            for quotation in wording::quotations(text) {
                let stands = wording::holds(self.caller, quotation)
                    || self.cite(reading, |excerpt| wording::holds(&excerpt.text, quotation));
                if !stands {
                    return Err(Fault::Quotation);
                }
            }
        }
        for address in facts::addresses(text) {
            let stands = facts::borne_out(&address, &[self.caller, self.company])
                || self.cite(reading, |excerpt| {
                    facts::borne_out(&address, &[&excerpt.text])
                });
            if !stands {
                return Err(Fault::Address);
            }
        }
        self.numbers(text, words, reading)?;
        let spells_nouns_small = primary_language(self.language) != "de";
        if fact && spells_nouns_small && words == Words::Plain {
            for name in names::capitalized(text) {
                let stands = has_word(self.caller, &name)
                    || has_word(self.company, &name)
                    || self.cite(reading, |excerpt| excerpt.words().contains(&name.as_str()));
                if !stands {
                    return Err(Fault::Name);
                }
            }
        }
        Ok(())
    }

    fn numbers(&self, text: &str, words: Words, reading: &mut Reading<'_>) -> Result<(), Fault> {
        let free = if words == Words::Proposal {
            numbers::proposed(text)
        } else {
            BTreeSet::new()
        };
        let caller = numbers::in_text(self.caller);
        let company = numbers::in_text(self.company);
        let mut bare = text.to_owned();
        for address in facts::addresses(text) {
            bare = bare.replace(&address, " ");
        }
        for number in numbers::in_text(&bare) {
            let known =
                free.contains(&number) || caller.contains(&number) || company.contains(&number);
            if known || self.cite_number(reading, &number, text) {
                continue;
            }
            let sum = reading
                .derivations
                .iter()
                .find(|derivation| derivation.result == number)
                .cloned();
            let Some(sum) = sum else {
                return Err(Fault::Number);
            };
            let stand = sum.operands.iter().all(|operand| {
                caller.contains(operand) || self.cite_number(reading, operand, text)
            });
            if !stand {
                return Err(Fault::Number);
            }
            reading
                .formulas
                .push(format!("{}={}", sum.formula, sum.result));
        }
        Ok(())
    }

    /// Whether an excerpt has the number; one that is not cited yet is cited.
    fn cite_number(&self, reading: &mut Reading<'_>, number: &str, text: &str) -> bool {
        let has = |excerpt: &str| numbers::in_text(excerpt).contains(number);
        let cited = reading
            .citations
            .iter()
            .filter_map(|cited| self.excerpts.get(*cited))
            .any(|excerpt| has(&excerpt.text));
        let telling = number.chars().filter(char::is_ascii_digit).count() >= TELLING_DIGITS;
        cited
            || self.cite(reading, |excerpt| {
                has(&excerpt.text) && (telling || wording::share_a_word(&excerpt.text, text))
            })
    }

    /// Whether an excerpt carries something; the nearest one is cited if none of the cited does.
    fn cite(&self, reading: &mut Reading<'_>, carries: impl Fn(&Sentence) -> bool) -> bool {
        let cited = |number: &u64| {
            let excerpt = self.excerpts.get(*number);
            excerpt.is_some_and(&carries)
        };
        if reading.citations.iter().any(cited) {
            return true;
        }
        let distance = |number: u64, excerpt: &Sentence| {
            reading
                .citations
                .iter()
                .map(|cited| {
                    let elsewhere = self
                        .excerpts
                        .get(*cited)
                        .is_none_or(|known| known.page != excerpt.page);
                    (elsewhere, number.abs_diff(*cited))
                })
                .min()
        };
        let nearest = (1u64..)
            .zip(&self.excerpts.all)
            .filter(|(_, excerpt)| carries(excerpt))
            .min_by_key(|(number, excerpt)| distance(*number, excerpt))
            .map(|(number, _)| number);
        if reading.citations.len() < MOST_CITATIONS {
            reading.citations.extend(nearest);
        }
        nearest.is_some()
    }

    /// A date as ISO 8601, if an excerpt on the page of a cited one has it.
    fn date(&self, text: &str, reading: &mut Reading<'_>) -> Value {
        if text.is_empty() {
            return Value::Null;
        }
        let pages: BTreeSet<usize> = reading
            .citations
            .iter()
            .filter_map(|cited| self.excerpts.get(*cited))
            .map(|excerpt| excerpt.page)
            .collect();
        let has = |excerpt: &Sentence| {
            pages.contains(&excerpt.page)
                && dates::find(&excerpt.text).is_some_and(|date| date.iso() == text)
        };
        if self.cite(reading, has) {
            Value::from(text)
        } else {
            Value::Null
        }
    }

    /// Whether an alternative names somebody whom neither a page nor the caller mentions.
    fn is_a_rival(&self, text: &str) -> bool {
        let stands = |word: &str| self.everything().iter().any(|known| has_word(known, word));
        if names::is_generic(text)
            || self
                .everything()
                .iter()
                .any(|known| wording::holds(known, text))
        {
            return false;
        }
        let inner = names::capitalized(text);
        let unknown_inside =
            primary_language(self.language) != "de" && inner.iter().any(|name| !stands(name));
        let folded = words::fold(text);
        let unknown_alone =
            names::is_only_a_name(text) && words::split(&folded).iter().any(|word| !stands(word));
        unknown_inside || unknown_alone
    }

    /// Everything that pages and caller say.
    fn everything(&self) -> Vec<&str> {
        let shown = self
            .excerpts
            .all
            .iter()
            .map(|excerpt| excerpt.text.as_str());
        shown.chain([self.caller, self.company]).collect()
    }

    /// The model's reason, unless it brings something that stands nowhere.
    fn reason(&self, answer: &Value, citations: &BTreeSet<u64>) -> Option<String> {
        let reason = wording::cut(&text_of(answer, "reason"), LONGEST_REASON, self.language);
        let mut evidence: Vec<&str> = citations
            .iter()
            .filter_map(|number| self.excerpts.get(*number))
            .map(|excerpt| excerpt.text.as_str())
            .collect();
        evidence.extend([self.caller, self.company]);
        (!reason.is_empty() && facts::borne_out(&reason, &evidence)).then_some(reason)
    }

    /// The claim of a unit that passed. `supported` is its basis if a second reading confirmed it.
    #[must_use]
    pub fn claim(&self, checked: Checked, supported: Option<Basis>) -> Claim {
        let basis = match (checked.basis, supported) {
            (Basis::Inferred, Some(basis)) => basis,
            (basis, _) => basis,
        };
        let mut reasoning = checked.reason;
        if basis != Basis::Stated && reasoning.is_none() {
            reasoning = Some("Written by the model from the cited excerpts.".to_owned());
        }
        if !checked.formulas.is_empty() {
            let sums = checked.formulas.join(", ");
            let told = format!("{} ({sums})", reasoning.unwrap_or_default());
            reasoning = Some(one_line_of(&told, LONGEST_REASONING));
        }
        Claim {
            value: checked.value,
            basis,
            reasoning,
            excerpts: checked
                .citations
                .iter()
                .filter_map(|number| self.excerpts.get(*number))
                .map(|excerpt| Excerpt {
                    page: excerpt.page,
                    text: excerpt.text.clone(),
                })
                .collect(),
            receipts: Vec::new(),
        }
    }
}

/// Whether the text has the folded word.
fn has_word(text: &str, word: &str) -> bool {
    let folded = words::fold(text);
    words::split(&folded).contains(&word)
}

fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(object) => object.values().for_each(|item| strings(item, found)),
        _ => {}
    }
}
