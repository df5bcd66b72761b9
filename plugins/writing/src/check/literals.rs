//! The literals of a sentence: quotations, addresses, numbers and names. Each must stand in an excerpt, which is then cited, or
//! in the caller's words.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::names::OF_THE_TARGET;
use gtm_lexicon::numbers::{self as reader, Forms, InWords, Number};
use gtm_page_text::primary_language;
use gtm_site_research::{facts, words};

use super::{Ground, Reading};
use crate::fault::Fault;
use crate::form::{Support, Words};
use crate::known::Known;
use crate::numbers::Derivation;
use crate::{names, wording};

/// A number with fewer digits stands somewhere by chance: its excerpt must share a word with the claim, too.
const TELLING_DIGITS: usize = 3;
/// The most that somebody counts by citing each thing of it.
const MOST_CITED_THINGS: f64 = 12.0;
/// Most words of a thing that is counted: a heading, a role on a card.
const WORDS_OF_A_THING: usize = 6;
/// Most numbers of one excerpt that are compared with each other.
const MOST_OPERANDS: usize = 6;

/// The sum that a text states: `46*29=1334`.
pub(super) fn declared_in(text: &str) -> Option<Derivation> {
    let (formula, result) = text.rsplit_once('=')?;
    Derivation::read(formula, result)
}

impl Ground<'_> {
    /// Checks the literals of a sentence, and cites the excerpts that carry them.
    pub(super) fn sentence(
        &self,
        text: &str,
        words: Words,
        reading: &mut Reading<'_>,
    ) -> Result<(), Fault> {
        // What the seller's product is or does only the seller knows. What stands on the target's pages is the target's.
        let of_pages = words != Words::Seller || self.is_about_the_target(text);
        if words != Words::Spoken {
            self.quotations(text, of_pages, reading)?;
        }
        let addresses = facts::addresses(text);
        for address in &addresses {
            let stands = facts::address_stands(address, &[self.caller, self.company])
                || self.cite(reading, |number, _| {
                    let excerpt = self.excerpts.get(number);
                    excerpt.is_some_and(|excerpt| facts::address_stands(address, &[&excerpt.text]))
                });
            if !stands {
                return Err(Fault::Address);
            }
        }
        // The digits and capitals of an address are no numbers and names.
        let bare: Vec<&str> = match addresses.is_empty() {
            true => vec![text],
            false => text
                .split_whitespace()
                .filter(|token| facts::addresses(token).is_empty())
                .collect(),
        };
        let bare = bare.join(" ");
        self.numbers(&bare, words, of_pages, reading)?;
        if !matches!(words, Words::Label | Words::Role | Words::Alternative) {
            self.names(&bare, of_pages, reading)?;
        }
        Ok(())
    }

    /// Whether a sentence speaks of the target or to it.
    fn is_about_the_target(&self, text: &str) -> bool {
        let folded = words::fold(text);
        let split = words::split(&folded);
        let named = split
            .iter()
            .any(|word| word.len() >= 4 && self.shown().company.words.contains(*word));
        let unspaced = OF_THE_TARGET
            .iter()
            .filter_map(|phrase| phrase.first())
            .any(|word| word.chars().any(crate::excerpts::is_unspaced) && folded.contains(word));
        named || unspaced || OF_THE_TARGET.any_in(&split)
    }

    fn quotations(
        &self,
        text: &str,
        of_pages: bool,
        reading: &mut Reading<'_>,
    ) -> Result<(), Fault> {
        // A question in quotation marks is one that the seller may ask.
        let advice = reading.unit.support == Support::Advice;
        let quotations = wording::quotations(text)
            .into_iter()
            .filter(|quotation| !(advice && quotation.ends_with(['?', '？'])));
        for part in quotations.flat_map(wording::quoted_parts) {
            let stands = wording::row_holds(&self.shown().caller.row, part)
                || (of_pages
                    && self.cite(reading, |_, known| wording::row_holds(&known.row, part)));
            if !stands {
                return Err(Fault::Quotation);
            }
        }
        Ok(())
    }

    fn numbers(
        &self,
        text: &str,
        words: Words,
        of_pages: bool,
        reading: &mut Reading<'_>,
    ) -> Result<(), Fault> {
        let free = match words {
            Words::Proposal => reader::proposed(text, self.in_words()),
            _ => Vec::new(),
        };
        let shown = self.shown();
        for number in reader::read(text, self.in_words()) {
            let given: [&dyn Forms; 2] = [&shown.caller.numbers, &shown.company.numbers];
            if free.contains(&number.place)
                || number.stands_in(&given)
                || (of_pages && self.cite_number(reading, &number, text))
                || self.counts_a_list(&number, reading)
            {
                continue;
            }
            if self.counts_cited_things(&number, reading) {
                let told = number.form().to_owned();
                if !reading.counted.contains(&told) {
                    reading.counted.push(told);
                }
                continue;
            }
            let declared = self.declared(reading, |sum| sum.gives(&number));
            let sums = match declared.is_empty() {
                true => self
                    .share_of_a_cited(&number, reading)
                    .into_iter()
                    .collect(),
                false => declared,
            };
            if sums.is_empty() {
                return Err(Fault::Number);
            }
            for sum in sums {
                if !reading.sums.contains(&sum) {
                    reading.sums.push(sum);
                }
            }
        }
        Ok(())
    }

    /// Checks a sum with its result.
    pub(super) fn formula(&self, text: &str, reading: &mut Reading<'_>) -> Result<(), Fault> {
        let sum = declared_in(text).ok_or(Fault::Number)?;
        let sums = self.declared(reading, |other| {
            (&other.formula, &other.result) == (&sum.formula, &sum.result)
        });
        if sums.is_empty() {
            return Err(Fault::Number);
        }
        for sum in sums {
            if !reading.sums.contains(&sum) {
                reading.sums.push(sum);
            }
        }
        Ok(())
    }

    /// The first wanted sum that the answer declares and whose numbers stand; before it the sums whose results it goes on from, whose
    /// own numbers stand. Further steps are not followed.
    pub(super) fn declared(
        &self,
        reading: &Reading<'_>,
        wanted: impl Fn(&Derivation) -> bool,
    ) -> Vec<Derivation> {
        let evidence = self.cited_numbers(reading);
        let standing: Vec<Derivation> = (reading.derivations.iter())
            .filter_map(|sum| sum.standing_in(&evidence))
            .collect();
        if let Some(sum) = standing.iter().find(|sum| wanted(sum)) {
            return vec![sum.clone()];
        }
        let results: Vec<BTreeSet<String>> = (standing.iter())
            .map(|sum| reader::offered(&sum.result))
            .collect();
        let mut with_results = evidence.clone();
        with_results.extend(results.iter().map(|result| result as &dyn Forms));
        let sums = reading.derivations.iter();
        let sum = sums
            .filter_map(|sum| sum.standing_in(&with_results))
            .find(|sum| wanted(sum));
        let Some(sum) = sum else {
            return Vec::new();
        };
        let begins_with = |inner: &&Derivation| {
            let mut operands = sum.operands.iter();
            operands.any(|operand| !operand.stands_in(&evidence) && inner.gives(operand))
        };
        let inner = standing.iter().filter(begins_with).cloned();
        inner.chain([sum.clone()]).collect()
    }

    /// The sum behind a percentage that the model did not declare: what two numbers of one cited excerpt are of each other.
    fn share_of_a_cited(&self, number: &Number, reading: &Reading<'_>) -> Option<Derivation> {
        if !number.is_percent() {
            return None;
        }
        let cited = reading.citations.iter();
        cited
            .filter_map(|cited| self.excerpts.get(*cited))
            .find_map(|excerpt| {
                let known: Vec<Number> = reader::read(&excerpt.text, InWords::Ignored)
                    .filter(|number| !number.is_percent())
                    .filter(|number| number.value().is_some_and(|value| value > 0.0))
                    .take(MOST_OPERANDS)
                    .collect();
                let pairs = known
                    .iter()
                    .flat_map(|one| known.iter().map(move |other| (one.form(), other.form())));
                pairs
                    .filter(|(one, other)| one != other)
                    .flat_map(|(one, other)| {
                        [
                            format!("{one}/{other}*100"),
                            format!("{one}/({one}+{other})*100"),
                            format!("({one}-{other})/{one}*100"),
                        ]
                    })
                    .filter_map(Derivation::computed)
                    .find(|sum| sum.value > 0.0 && sum.gives(number))
            })
    }

    /// What bears out the numbers of a sum: what this claim cites and the caller's words. A sum of one claim proves no number
    /// of another.
    fn cited_numbers(&self, reading: &Reading<'_>) -> Vec<&dyn Forms> {
        let shown = self.shown();
        reading
            .citations
            .iter()
            .filter_map(|cited| shown.get(*cited))
            .chain([&shown.caller])
            .map(|known| &known.numbers as &dyn Forms)
            .collect()
    }

    /// Whether the number counts what a cited excerpt lists.
    fn counts_a_list(&self, number: &Number, reading: &Reading<'_>) -> bool {
        let cited = reading.citations.iter();
        cited
            .filter_map(|cited| self.excerpts.get(*cited))
            .any(|excerpt| number.counts(&excerpt.text))
    }

    /// Whether the number counts things that the model cites one by one: as many short excerpts of one page and one kind.
    fn counts_cited_things(&self, number: &Number, reading: &Reading<'_>) -> bool {
        let few = |value: &f64| (2.0..=MOST_CITED_THINGS).contains(value);
        let Some(value) = number.value().filter(few).filter(|_| !number.is_percent()) else {
            return false;
        };
        let mut things: BTreeMap<(usize, String), usize> = BTreeMap::new();
        let cited = reading.all_cited.iter();
        for excerpt in cited.filter_map(|cited| self.excerpts.get(*cited)) {
            let is_thing = excerpt.words().len() <= WORDS_OF_A_THING
                && !excerpt.is_whole()
                && !excerpt.text.chars().any(char::is_numeric);
            if is_thing {
                let kind = format!("{:?}", excerpt.kind);
                *things.entry((excerpt.page, kind)).or_insert(0) += 1;
            }
        }
        #[allow(clippy::cast_precision_loss)]
        things.values().any(|count| *count as f64 == value)
    }

    /// Whether an excerpt has the number; one that is not cited yet is cited.
    fn cite_number(&self, reading: &mut Reading<'_>, number: &Number, text: &str) -> bool {
        if number.stands_in(&self.cited_numbers(reading)) {
            return true;
        }
        let telling = number.form().chars().filter(char::is_ascii_digit).count() >= TELLING_DIGITS;
        let subjects = wording::subjects(text);
        self.cite(reading, |_, known| {
            number.stands_in(&[&known.numbers]) && (telling || known.shares(&subjects))
        })
    }

    fn names(&self, text: &str, of_pages: bool, reading: &mut Reading<'_>) -> Result<(), Fault> {
        let shown = self.shown();
        let language = primary_language(self.language);
        if !names::candidates(text, language, shown).is_empty() {
            return Err(Fault::Name);
        }
        // A fact about a name needs an excerpt that has it.
        if reading.unit.support == Support::Fact && of_pages && language != "de" {
            for name in capitalized(text) {
                let given =
                    shown.caller.words.contains(&name) || shown.company.words.contains(&name);
                if !given {
                    self.cite(reading, |_, known| known.words.contains(&name));
                }
            }
        }
        Ok(())
    }

    /// Whether an excerpt carries something; the nearest one is cited if none of the cited does.
    pub(super) fn cite(
        &self,
        reading: &mut Reading<'_>,
        carries: impl Fn(u64, &Known) -> bool,
    ) -> bool {
        let shown = self.shown();
        let cited = |number: &u64| {
            shown
                .get(*number)
                .is_some_and(|known| carries(*number, known))
        };
        if reading.citations.iter().any(cited) {
            return true;
        }
        let page = |number: u64| self.excerpts.get(number).map(|excerpt| excerpt.page);
        let distance = |number: u64| {
            reading
                .citations
                .iter()
                .map(|cited| (page(*cited) != page(number), number.abs_diff(*cited)))
                .min()
        };
        let nearest = (1u64..)
            .zip(&shown.excerpts)
            .filter(|(number, known)| carries(*number, known))
            .map(|(number, _)| number)
            .min_by_key(|number| distance(*number));
        if reading.citations.len() < reading.most_citations {
            reading.citations.extend(nearest);
        }
        nearest.is_some()
    }
}

/// Capitalized words inside of the sentences of a text, folded.
fn capitalized(text: &str) -> BTreeSet<String> {
    let mut starts = true;
    let mut found = BTreeSet::new();
    for token in text.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        if !starts && word.chars().count() >= 3 && word.starts_with(char::is_uppercase) {
            let folded = words::fold(word);
            let parts = words::split(&folded).into_iter();
            found.extend(
                parts
                    .filter(|part| part.chars().count() >= 3)
                    .map(str::to_owned),
            );
        }
        starts = token.ends_with(['.', '!', '?', ':']);
    }
    found
}

#[cfg(test)]
mod tests;
