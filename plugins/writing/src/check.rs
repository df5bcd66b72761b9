//! Checks what a model wrote against the excerpts that it cites, as far as code can know.
//!
//! Whether a paraphrase says the same as its excerpts is a reader's question (`critique`); words that differ prove nothing. But a
//! number, an address, a name or a quotation that stands nowhere was made up. Where it stands in another excerpt than the cited
//! ones, that excerpt is cited, too.

mod literals;
mod ranges;
mod resting;
mod rivals;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use gtm_lexicon::numbers::{self, InWords};
use gtm_page_text::primary_language;
use gtm_site_research::claim::{Basis, Claim, Derivation as Derived, Excerpt, SecondReading};
use gtm_site_research::fixed_texts::WRITTEN_BY_MODEL;
use gtm_site_research::{dates, facts, instructions};
use serde_json::{Map, Value};

use crate::answer::{number, one_line, text_of};
use crate::excerpts::Excerpts;
use crate::fault::Fault;
use crate::form::{Field, Form, Support, Unit, Words};
use crate::known::{Known, Shown};
use crate::names;
use crate::numbers::Derivation;
use crate::prompt::one_line as one_line_of;
use crate::wording;

/// Maximum number of citations per unit, and of a unit with a long text, whose every sentence rests on something else.
pub const MOST_CITATIONS: usize = 12;
pub const MOST_CITATIONS_OF_LONG: usize = 24;
/// A text of more characters is long.
const LONG: usize = 400;
/// Most citations of which one answer's numbers may be the count.
const MOST_COUNTED: usize = 60;
/// Longest reason, in characters.
const LONGEST_REASON: usize = 220;
/// Longest reasoning of a claim with its sums (`wit/results`), in characters.
const LONGEST_REASONING: usize = 480;
/// The citation that means the caller's own words, beside the numbers of excerpts.
pub const CALLER: u64 = 0;

/// What answers are checked against.
#[derive(Debug, Clone)]
pub struct Ground<'a> {
    excerpts: &'a Excerpts,
    caller: &'a str,
    company: &'a str,
    language: &'a str,
    /// What they say, read once, when it is first asked for.
    shown: OnceCell<Shown>,
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
    /// Whether it cites what the caller says.
    pub on_caller: bool,
    /// Whether its excerpts say nothing of it, so that what it says is the caller's: a page beside it is no source of it.
    pub only_caller: bool,
    /// Numbers that count excerpts which it cites.
    pub counted: Vec<String>,
    /// Whether its only text is a whole sentence or block of an excerpt. A part of a sentence can say the opposite of it.
    pub whole_quotation: bool,
    /// Why it follows, in the model's words.
    pub reason: Option<String>,
    /// The sums that it contains.
    pub sums: Vec<Derivation>,
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
    /// All excerpts that the model cites; `citations` may hold fewer.
    all_cited: Vec<u64>,
    most_citations: usize,
    /// Numbers that count them.
    counted: Vec<String>,
    derivations: &'a [Derivation],
    /// Whether it rests on what the caller says.
    on_caller: bool,
    sums: Vec<Derivation>,
    lost: Vec<Fault>,
}

impl<'a> Ground<'a> {
    /// `caller` are the caller's own words, whose numbers and names may be used; empty if there are none. `company` is name
    /// and domain of the company, `language` that of the answer.
    #[must_use]
    pub const fn new(
        excerpts: &'a Excerpts,
        caller: &'a str,
        company: &'a str,
        language: &'a str,
    ) -> Self {
        Self {
            excerpts,
            caller,
            company,
            language,
            shown: OnceCell::new(),
        }
    }

    fn shown(&self) -> &Shown {
        let texts = self
            .excerpts
            .all
            .iter()
            .map(|excerpt| excerpt.text.as_str());
        self.shown
            .get_or_init(|| Shown::of(texts, self.caller, self.company))
    }

    fn in_words(&self) -> InWords<'_> {
        InWords::Of(primary_language(self.language))
    }

    /// Checks one unit of an answer. `derivations` are the sums that the answer declares.
    #[must_use]
    pub fn check(&self, unit: Unit, answer: &Value, derivations: &[Derivation]) -> Verdict {
        let Some(first) = unit.fields.first() else {
            return Verdict::Empty;
        };
        let text = text_of(answer, first.name);
        let is_null = matches!(first.form, Form::Choice(_, Some(null)) if text == null);
        if text.is_empty() || is_null {
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
        resting::strings(answer, &mut said);
        if instructions::addressed_to_a_model(&said.join(" ")) {
            return Err(Fault::Instruction);
        }
        // A sum of its own counts for the whole unit.
        let formulas = unit
            .fields
            .iter()
            .filter(|field| field.words == Words::Formula);
        let own = formulas.filter_map(|field| literals::declared_in(&text_of(answer, field.name)));
        let derivations: Vec<Derivation> = own.chain(derivations.iter().cloned()).collect();
        let all_cited = self.cited(answer.get("citations"));
        let is_long = |field: &Field| matches!(field.form, Form::Text(most) if most > LONG);
        let most_citations = match unit.fields.iter().any(is_long) {
            true => MOST_CITATIONS_OF_LONG,
            false => MOST_CITATIONS,
        };
        let mut reading = Reading {
            unit,
            citations: all_cited.iter().copied().take(most_citations).collect(),
            all_cited,
            most_citations,
            counted: Vec::new(),
            derivations: &derivations,
            on_caller: self.cites_caller(answer.get("citations")),
            sums: Vec::new(),
            lost: Vec::new(),
        };
        // What the caller says carries what is said of the seller, and nothing about the target.
        if reading.citations.is_empty() && !(reading.on_caller && unit.may_rest_on_caller()) {
            return Err(Fault::NoCitation);
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
        // An object's other members rest on the other citations.
        let citations = if verbatim && unit.plain {
            carriers
        } else {
            reading.citations.iter().copied().collect()
        };
        let reason = self.reason(answer, &citations);
        let only_caller = reading.on_caller
            && !verbatim
            && !resting::is_borne_out(&value, &self.cited_texts(&citations), self.language);
        Ok(Checked {
            value,
            basis: if verbatim {
                Basis::Stated
            } else if citations.is_empty() {
                Basis::Provided
            } else {
                Basis::Inferred
            },
            citations,
            on_caller: reading.on_caller,
            only_caller,
            counted: reading.counted,
            whole_quotation,
            reason,
            sums: reading.sums,
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

    fn cited_texts(&self, citations: &BTreeSet<u64>) -> String {
        let cited = citations
            .iter()
            .filter_map(|cited| self.excerpts.get(*cited));
        let texts: Vec<&str> = cited.map(|excerpt| excerpt.text.as_str()).collect();
        texts.join(" ")
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
                && cited.len() < MOST_COUNTED
            {
                cited.push(number);
            }
        }
        cited
    }

    /// Whether an answer cites what the caller says: only if it says anything.
    fn cites_caller(&self, citations: Option<&Value>) -> bool {
        let cited = citations.and_then(Value::as_array).into_iter().flatten();
        !self.caller.trim().is_empty() && cited.filter_map(number).any(|number| number == CALLER)
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
            Form::Choice(choices, _) if field.words == Words::Range => {
                self.range(&text, choices, reading)
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
        if words == Words::Formula {
            return self.formula(&text, reading).map(|()| text);
        }
        if words == Words::Role && names::has_a_person(&text, &self.shown().small) {
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
        let has = |number: u64, _: &Known| {
            self.excerpts.get(number).is_some_and(|excerpt| {
                pages.contains(&excerpt.page)
                    && dates::find(&excerpt.text).is_some_and(|date| date.iso() == text)
            })
        };
        if self.cite(reading, has) {
            Value::from(text)
        } else {
            Value::Null
        }
    }

    /// The model's reason, unless it brings something that stands nowhere.
    fn reason(&self, answer: &Value, citations: &BTreeSet<u64>) -> Option<String> {
        let reason = wording::cut(&text_of(answer, "reason"), LONGEST_REASON, self.language);
        let known: Vec<&Known> = citations
            .iter()
            .filter_map(|number| self.shown().get(*number))
            .chain([&self.shown().caller, &self.shown().company])
            .collect();
        let forms: Vec<&dyn numbers::Forms> = known
            .iter()
            .map(|known| &known.numbers as &dyn numbers::Forms)
            .collect();
        let numbers_stand =
            numbers::read(&reason, self.in_words()).all(|number| number.stands_in(&forms));
        let addresses_stand = facts::addresses(&reason)
            .iter()
            .all(|address| facts::address_stands(address, &[self.caller, self.company]));
        (!reason.is_empty() && numbers_stand && addresses_stand).then_some(reason)
    }

    /// The claim of a unit that passed. `supported` is its basis if a second reading confirmed it.
    #[must_use]
    pub fn claim(&self, checked: Checked, read: Option<SecondReading>, supported: Basis) -> Claim {
        let is_supported = read == Some(SecondReading::Supported);
        let basis = match checked.basis {
            Basis::Inferred if is_supported && !checked.only_caller => supported,
            basis => basis,
        };
        let mut reasoning = checked.reason;
        if basis != Basis::Stated && reasoning.is_none() {
            reasoning = Some(WRITTEN_BY_MODEL.in_language(self.language).to_owned());
        }
        if !checked.sums.is_empty() {
            let sums: Vec<String> = checked
                .sums
                .iter()
                .map(|sum| format!("{}={}", sum.formula, sum.result))
                .collect();
            let sums = sums.join(", ");
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
            derivations: checked
                .sums
                .into_iter()
                .map(|sum| Derived {
                    formula: sum.formula,
                    result: sum.result,
                })
                .collect(),
            second_reading: read,
        }
    }
}
