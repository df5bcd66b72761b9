//! What a number stands beside. “Sage 50” and “three weeks” of an approved text may be repeated, but only as what they are:
//! the 50 of a product's name is no saving of 50 percent, and three weeks are not three days. Nor is a price or a term a
//! result: “the licence costs 20 %” does not approve “you save 20 %”.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

use gtm_lexicon::figures::{CAPACITIES, COUNTERS, MEASURES, PERCENT, SPANS, TIMES, UNITS};
use gtm_lexicon::numbers::{Counts, Forms as _, Number, is_currency, is_unspaced};
use gtm_lexicon::{currency_of, fold, is_currency_code, split};

use super::clauses::{Direction, Said, WIDE};
use super::signs::is_negative;
use super::stems::are_forms;
use crate::small_words::is_small;

/// Most characters around a number that are looked at.
const NEAR: usize = 60;
/// Most words without a subject between a number and what it counts: `£190 per month`.
const SKIPPED: usize = 2;
const PERCENT_SIGN: &str = "%";
/// Numbers that may be years of a company.
const YEARS: RangeInclusive<f64> = 1800.0..=2100.0;

/// The words and signs around a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Beside {
    /// Letters and signs that belong to it, such as `h` or `%`. A percentage has `%` in signs and in words, and a sum of
    /// money the code of its currency where that is known.
    unit: String,
    /// Whether a word behind it names the currency: of `340 euros` that is what it counts.
    names_currency: bool,
    /// The word before it, if nothing but a blank or a hyphen is between.
    before: Option<String>,
    /// Whether that word has a capital although no sentence begins with it.
    is_name: bool,
    /// The next word with a subject in the same clause.
    behind: Option<String>,
    /// The word directly behind that one: the `labs` of `140 food labs`.
    head: Option<String>,
    /// Of what may be a year, the word before it, whatever it carries: `since 2019`.
    since: Option<String>,
    is_negative: bool,
    said: SaidAround,
}

/// What is said around it. It is read only if another number has its value, or many numbers would be much work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct SaidAround {
    lead: String,
    tail: String,
    language: Option<String>,
    read: OnceLock<Said>,
}

impl SaidAround {
    fn of(lead: &str, tail: &str, language: Option<&str>) -> Self {
        Self {
            lead: last_chars(lead, WIDE),
            tail: tail.chars().take(WIDE).collect(),
            language: language.map(str::to_owned),
            read: OnceLock::new(),
        }
    }

    fn read(&self) -> &Said {
        self.read
            .get_or_init(|| Said::around(&self.lead, &self.tail, self.language.as_deref()))
    }
}

/// What is said around words that tell how many times as much, such as `twice`.
pub(super) fn said_around(lead: &str, tail: &str, language: Option<&str>) -> Said {
    SaidAround::of(lead, tail, language).read().clone()
}

impl Beside {
    /// What stands around a number of a text, which ends where it is written to its end. Approved texts are read in all
    /// languages.
    pub(super) fn of(
        text: &str,
        number: &Number,
        written_end: usize,
        language: Option<&str>,
    ) -> Self {
        let place = &number.place;
        let lead = text.get(..place.start).unwrap_or_default();
        let tail = text.get(written_end..).unwrap_or_default();
        let tail = match number.is_percent() {
            true => without_percent(tail),
            false => tail,
        };
        let said = SaidAround::of(lead, tail, language);
        let lead = last_chars(lead, NEAR);
        let tail: String = tail.chars().take(NEAR).collect();
        let attached = text.get(place.end..written_end).unwrap_or_default();
        let mut unit: String = attached
            .chars()
            .filter(|c| !c.is_whitespace())
            .flat_map(char::to_lowercase)
            .collect();
        let (lead, sign) = without_currency_at_end(&lead);
        unit.push_str(sign);
        let (tail, sign) = match tail.trim_start().chars().next().filter(|c| is_currency(*c)) {
            Some(sign) => (
                tail.trim_start().get(sign.len_utf8()..).unwrap_or_default(),
                Some(sign),
            ),
            None => (tail.as_str(), None),
        };
        unit.extend(sign);
        let (mut behind, mut head) = words_behind(tail);
        let mut lead = lead;
        let mut names_currency = false;
        if number.is_percent() {
            unit = PERCENT_SIGN.to_owned();
        } else if let Some(code) = currency_of(&unit.to_uppercase()) {
            unit = code.to_owned();
        } else if unit.is_empty()
            && let Some((code, rest)) = currency_behind(tail)
        {
            unit = code.to_owned();
            names_currency = true;
            (behind, head) = words_behind(rest);
        } else if unit.is_empty()
            && let Some((code, rest)) = currency_before(lead)
        {
            unit = code.to_owned();
            lead = rest;
        } else if is_unit(&unit) || unit.starts_with(is_unspaced) {
            // `5km` and `5 km` are one, and 140社が has more than a unit.
            (behind, head) = (Some(std::mem::take(&mut unit)), None);
        }
        let (before, is_name) = word_before(lead);
        let may_be_year = unit.is_empty()
            && !number.in_words
            && number.decimals() == 0
            && number.value().is_some_and(|value| YEARS.contains(&value));
        Self {
            unit,
            names_currency,
            before,
            is_name,
            behind,
            head,
            since: may_be_year.then(|| last_word(lead)).flatten(),
            is_negative: is_negative(text, place),
            said,
        }
    }

    /// Whether a number of a draft stands beside the same as this one of an approved text. DANGER: what the draft calls a
    /// result, the approved text must have called the same, or any price would approve a saving.
    fn bears_out(&self, written: &Self) -> bool {
        if self.unit != written.unit || !self.calls_results_of(written) || !self.moves_as(written) {
            return false;
        }
        if self.is_negative != written.is_negative && !written.tells_its_sign(self) {
            return false;
        }
        let same_before = match (&self.before, &written.before) {
            (Some(approved), Some(written)) => are_forms(approved, written),
            _ => false,
        };
        let stands = match (&self.behind, &written.behind) {
            (Some(approved), Some(behind)) => {
                is_same(approved, behind) || self.is_of_kind(approved, behind)
            }
            (None, None) => same_before || self.counts_the_same(written),
            // A product's name at the end of a clause.
            (Some(_), None) => same_before && written.is_name,
            (None, Some(_)) => false,
        };
        let same_money = self.names_currency && written.names_currency;
        let same_year = self.since.is_some() && self.since == written.since;
        stands || same_money || same_year || self.has_the_same_result(written)
    }

    /// Whether a draft counts what an approved text counts, without the word that says of which kind it is: of `140 food
    /// labs` the `140 labs`. A unit is no kind: `3 weeks` stay weeks, and `24 working hours` are no 24 hours.
    fn is_of_kind(&self, kind: &str, written: &str) -> bool {
        let head = self.head.as_deref().filter(|head| !is_unit(head));
        head.is_some_and(|head| !is_unit(kind) && is_same(head, written))
    }

    /// Whether this number is below zero.
    pub(super) const fn is_negative(&self) -> bool {
        self.is_negative
    }

    /// Whether words tell whether something is more or less by this number: `-20 %` are 20 % less.
    pub(super) fn tells_its_sign(&self, other: &Self) -> bool {
        self.is_amount() && !(self.said().results.is_empty() && other.said().results.is_empty())
    }

    /// Whether this text calls its number every result that the draft calls it.
    fn calls_results_of(&self, written: &Self) -> bool {
        let approved = &self.said().results;
        let mut results = written.said().results.iter();
        // “By 30 days” may be a term, and no change.
        let counts = |it: &Direction| *it != Direction::Changed || written.is_amount();
        results.all(|it| !counts(it) || approved.contains(it))
    }

    /// Whether this text has every word of what the draft says to change to the number. A price is no price any more if
    /// something else comes down to it: “your costs shrivel to € 900”.
    fn moves_as(&self, written: &Self) -> bool {
        let mut moved = written.said().moved.iter();
        !written.is_amount() || moved.all(|word| self.said().speaks_of(word))
    }

    /// Whether a number with a unit and nothing behind it may be the same. A percentage or a sum of money may be one of
    /// anything, so what is said around it must have something in common, unless the draft calls the sum a price.
    fn counts_the_same(&self, written: &Self) -> bool {
        let differs = || {
            let is_price = self.is_money() && written.said().is_price;
            self.is_amount() && !is_price && self.said().differs(written.said())
        };
        !self.unit.is_empty() && !differs()
    }

    /// Whether a draft tells a result of an approved text in another order: `saves 20 % of the time`, `20 % less time`.
    fn has_the_same_result(&self, written: &Self) -> bool {
        if written.said().results.is_empty() {
            return false;
        }
        match (&self.said().named, &written.said().named) {
            (_, Some(word)) if self.is_percent() => self.said().speaks_of(word),
            (_, None) if self.is_percent() => {
                let mut subjects = written.said().subjects.iter();
                subjects.any(|word| self.said().speaks_of(word))
            }
            (Some(approved), Some(word)) => are_forms(approved, word),
            _ => false,
        }
    }

    fn said(&self) -> &Said {
        self.said.read()
    }

    fn is_percent(&self) -> bool {
        self.unit == PERCENT_SIGN
    }

    fn is_money(&self) -> bool {
        self.unit.contains(is_currency) || is_currency_code(&self.unit)
    }

    fn is_amount(&self) -> bool {
        self.is_percent() || self.is_money()
    }
}

/// A number of an approved text with what it stands beside.
#[derive(Debug, Clone)]
pub(super) struct ApprovedNumber {
    forms: BTreeSet<String>,
    is_percent: bool,
    beside: Beside,
}

impl ApprovedNumber {
    pub(super) fn of(number: &Number, beside: Beside) -> Self {
        let mut forms = BTreeSet::new();
        number.offered(|form| {
            forms.insert(form.to_owned());
        });
        Self {
            forms,
            is_percent: number.is_percent(),
            beside,
        }
    }

    /// Whether it approves a number that is written there.
    pub(super) fn approves(&self, number: &Number, written: &Beside) -> bool {
        self.is_percent == number.is_percent()
            && number.stands_in(&[&self.forms])
            && self.beside.bears_out(written)
    }

    /// Whether its value lies in the range.
    pub(super) fn has_within(&self, counts: Counts, values: &RangeInclusive<f64>) -> bool {
        self.forms.has_within(counts, values)
    }

    /// What its text says around it.
    pub(super) fn said(&self) -> &Said {
        self.beside.said()
    }
}

/// Whether an approved text tells of what a draft tells in words such as `twice`: of the same results, and of something that
/// both name. Two plants do not bear out `twice the output`.
pub(super) fn tells(approved: &Said, written: &Said) -> bool {
    let mut subjects = written.subjects.iter();
    written.results.is_subset(&approved.results)
        && (!written.results.is_empty() || subjects.any(|word| approved.speaks_of(word)))
}

/// Whether an approved text tells of what a draft counts in words such as `thousands of`.
pub(super) fn counts(approved: &Said, written: &Said) -> bool {
    let names = |word: &String| approved.speaks_of(word);
    tells(approved, written) && written.named.as_ref().is_none_or(names)
}

/// Whether two words name the same thing or unit. Units of time are one in any language and spelling; in scripts without
/// blanks what is counted goes over into the next word, so there the units are compared.
fn is_same(one: &str, other: &str) -> bool {
    let hours = |word: &str| {
        TIMES
            .at_start(&[word], None)
            .first()
            .map(|(.., hours)| *hours)
    };
    let is_same_time = || hours(one).is_some_and(|hours_of_one| hours(other) == Some(hours_of_one));
    let is_same_counter = || counter(one).is_some_and(|it| counter(other) == Some(it));
    are_forms(one, other) || is_same_time() || is_same_counter()
}

/// The unit with which a word of a script without blanks begins.
fn counter(word: &str) -> Option<&'static str> {
    let units = COUNTERS.iter();
    let units = units.filter(|unit| word.starts_with(is_unspaced) && word.starts_with(unit));
    units.max_by_key(|unit| unit.len())
}

/// Whether a word is a unit, beside which a number counts nothing else.
fn is_unit(word: &str) -> bool {
    TIMES.contains(word)
        || SPANS.open(&[word])
        || UNITS.open(&[word])
        || MEASURES.contains(word)
        || CAPACITIES.contains(word)
}

fn last_chars(text: &str, count: usize) -> String {
    let near: Vec<char> = text.chars().rev().take(count).collect();
    near.into_iter().rev().collect()
}

/// The text behind a percentage, without the words for percent.
fn without_percent(tail: &str) -> &str {
    let near: String = tail.chars().take(NEAR).collect();
    let folded = fold(&near);
    let words = split(&folded);
    let Some(count) = PERCENT.at_start(&words).map(<[_]>::len).max() else {
        return tail;
    };
    let mut words = 0;
    let mut inside = false;
    let end = tail.char_indices().find(|(_, c)| {
        let ends = inside && !c.is_alphanumeric();
        words += usize::from(ends);
        inside = c.is_alphanumeric();
        words == count
    });
    end.map_or("", |(at, _)| tail.get(at..).unwrap_or_default())
}

/// The text before the sign of a currency, and the sign. Letters that touch it belong to it: a `R$` is no `$`.
fn without_currency_at_end(lead: &str) -> (&str, &str) {
    let trimmed = lead.trim_end();
    let bare = trimmed.trim_end_matches(is_currency);
    if bare.len() == trimmed.len() {
        return (lead, "");
    }
    trimmed.split_at(bare.trim_end_matches(char::is_alphabetic).len())
}

/// The currency that the text begins with, such as `euros`, and the text behind it.
fn currency_behind(tail: &str) -> Option<(&'static str, &str)> {
    let tail = tail.trim_start();
    let end = tail.find(|c: char| !c.is_alphabetic());
    let (word, rest) = tail.split_at(end.unwrap_or(tail.len()));
    Some((currency_of(word)?, rest))
}

/// The currency that the text ends with, such as `EUR`, and the text before it.
fn currency_before(lead: &str) -> Option<(&'static str, &str)> {
    let lead = lead.trim_end();
    let start = lead.trim_end_matches(char::is_alphabetic).len();
    let (rest, word) = lead.split_at(start);
    Some((currency_of(word)?, rest))
}

/// The last word, folded, unless a mark follows it or it carries no subject; and whether it is a name.
fn word_before(lead: &str) -> (Option<String>, bool) {
    let bare = lead.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '‑'));
    let start = bare
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric())
        .last()
        .map(|(at, _)| at);
    let Some(start) = start else {
        return (None, false);
    };
    let word = bare.get(start..).unwrap_or_default();
    let folded = fold(word);
    if is_small(&folded) || !word.contains(char::is_alphabetic) {
        return (None, false);
    }
    let rest = bare.get(..start).unwrap_or_default().trim_end();
    let amid = rest
        .chars()
        .next_back()
        .is_some_and(|c| c.is_alphanumeric() || c == ',');
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    (Some(folded), capital && amid)
}

/// The last word, folded, if nothing but blanks follows it.
fn last_word(lead: &str) -> Option<String> {
    let bare = lead.trim_end();
    let start = bare
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphabetic())
        .last()
        .map(|(at, _)| at)?;
    bare.get(start..).map(fold)
}

/// The next word with a subject before the clause ends, and the one directly behind it.
fn words_behind(tail: &str) -> (Option<String>, Option<String>) {
    let end = tail.find(|c: char| ".,;:!?()[]–—\n。、！？".contains(c));
    let clause = tail.get(..end.unwrap_or(tail.len())).unwrap_or_default();
    let folded = fold(clause);
    let words = split(&folded);
    let has_subject = |word: &&str| !is_small(word) && word.chars().any(char::is_alphabetic);
    let near = words.get(..=SKIPPED).unwrap_or(&words);
    let Some(at) = near.iter().position(has_subject) else {
        return (None, None);
    };
    let word = |at: usize| words.get(at).copied().filter(has_subject);
    (word(at).map(str::to_owned), word(at + 1).map(str::to_owned))
}

#[cfg(test)]
mod tests;
