//! What a number stands beside. “Sage 50” and “three weeks” of an approved text may be repeated, but only as what they are:
//! the 50 of a product's name is no saving of 50 percent, and three weeks are not three days.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::{Number, is_currency};
use gtm_lexicon::{fold, split};

use crate::small_words::is_small;

/// Most characters around a number that are looked at.
const NEAR: usize = 60;
/// Most words without a subject between a number and what it counts: `£190 per month`.
const SKIPPED: usize = 2;
/// Letters by which long words are compared, and most letters of an ending of a short one.
const LETTERS: usize = 5;
const ENDING: usize = 2;

/// The words and signs around a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Beside {
    /// Letters and signs that belong to it, such as `h`, `%` or `£`.
    unit: String,
    /// The word before it, if nothing but a blank or a hyphen is between.
    before: Option<String>,
    /// Whether that word has a capital although no sentence begins with it.
    is_name: bool,
    /// The next word with a subject in the same clause.
    behind: Option<String>,
}

impl Beside {
    /// What stands around a number of a text, which ends where it is written to its end.
    pub(super) fn of(text: &str, number: &Number, written_end: usize) -> Self {
        let place = &number.place;
        let lead = text.get(..place.start).unwrap_or_default();
        let lead: String = {
            let near: Vec<char> = lead.chars().rev().take(NEAR).collect();
            near.into_iter().rev().collect()
        };
        let tail = text.get(written_end..).unwrap_or_default();
        let tail: String = tail.chars().take(NEAR).collect();
        let attached = text.get(place.end..written_end).unwrap_or_default();
        let mut unit: String = attached
            .chars()
            .filter(|c| !c.is_whitespace())
            .flat_map(char::to_lowercase)
            .collect();
        let (lead, sign) = without_currency_at_end(&lead);
        unit.extend(sign);
        let (tail, sign) = match tail.trim_start().chars().next().filter(|c| is_currency(*c)) {
            Some(sign) => (
                tail.trim_start().get(sign.len_utf8()..).unwrap_or_default(),
                Some(sign),
            ),
            None => (tail.as_str(), None),
        };
        unit.extend(sign);
        let (before, is_name) = word_before(lead);
        Self {
            unit,
            before,
            is_name,
            behind: word_behind(tail),
        }
    }

    /// Whether a number of a draft stands beside the same as this one of an approved text.
    fn bears_out(&self, written: &Self) -> bool {
        let same_before = match (&self.before, &written.before) {
            (Some(approved), Some(written)) => is_same(approved, written),
            _ => false,
        };
        self.unit == written.unit
            && match (&self.behind, &written.behind) {
                (Some(approved), Some(written)) => is_same(approved, written),
                (None, None) => same_before || !self.unit.is_empty(),
                // A product's name at the end of a clause.
                (Some(_), None) => same_before && written.is_name,
                (None, Some(_)) => false,
            }
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
            && self.beside.bears_out(written)
            && number.stands_in(&[&self.forms])
    }
}

fn without_currency_at_end(lead: &str) -> (&str, Option<char>) {
    let trimmed = lead.trim_end();
    match trimmed.chars().next_back().filter(|c| is_currency(*c)) {
        Some(sign) => (
            trimmed
                .get(..trimmed.len() - sign.len_utf8())
                .unwrap_or_default(),
            Some(sign),
        ),
        None => (lead, None),
    }
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

/// The next word with a subject before the clause ends.
fn word_behind(tail: &str) -> Option<String> {
    let end = tail.find(|c: char| ".,;:!?()[]–—\n。、！？".contains(c));
    let clause = tail.get(..end.unwrap_or(tail.len()))?;
    let folded = fold(clause);
    let mut words = split(&folded)
        .into_iter()
        .filter(|word| !word.is_empty())
        .map(str::to_owned);
    for _ in 0..=SKIPPED {
        let word = words.next()?;
        if !is_small(&word) && word.chars().any(char::is_alphabetic) {
            return Some(word);
        }
    }
    None
}

/// Whether two folded words are forms of one.
fn is_same(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let shared = shared.count();
    let longer = one.chars().count().max(other.chars().count());
    let shorter = one.chars().count().min(other.chars().count());
    shared >= LETTERS || (shared == shorter && shorter > 2 && longer - shorter <= ENDING)
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;

    use super::super::numbers::Approved;
    use super::super::passage::{Passage, Source};
    use super::super::vocabulary::Vocabulary;

    #[test]
    fn numbers_of_approved_texts_may_stand_where_they_stand_there() {
        let texts = [
            "It posts to Xero and Sage 50 every night.",
            "Setup takes three weeks, with the import of open contracts included.",
            "Le rapport exigé lors d'un contrôle sanitaire est prêt en deux minutes.",
            "from £190 per month",
            "Laufzeit 12 Monate",
            "ISO 17100",
            "Used by 26 food wholesalers.",
            "51-200",
            "Save 40 minutes.",
        ];
        let missing = |language: &str, text: &str| {
            let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
            let approved = Approved::default().beside_words_of(texts);
            let found = approved.missing_in(&passage, &Vocabulary::of(language), Source::is_own);
            found
                .into_iter()
                .map(|range| text[range].to_owned())
                .collect::<Vec<_>>()
        };
        for (language, text) in [
            ("en", "The ledger posts to Xero and Sage 50 every night."),
            ("en", "It works with Xero and Sage 50."),
            ("en", "Set up in three weeks, with open contracts imported"),
            ("en", "Setup takes 3 weeks."),
            ("en", "Your report is ready in two minutes."),
            ("fr", "Votre rapport est prêt en 2 minutes."),
            ("en", "It costs £190 a month."),
            ("de", "Die Laufzeit beträgt 12 Monate."),
            ("en", "We translate by ISO 17100."),
            ("en", "26 food wholesalers use it."),
        ] {
            assert_eq!(missing(language, text), Vec::<String>::new(), "{text}");
        }
        for (language, text, number) in [
            ("en", "You get 50% savings.", "50%"),
            ("en", "Sage 50 savings", "50"),
            ("en", "You save 50 hours.", "50"),
            ("en", "Setup takes three days.", "three"),
            ("en", "The price is £190 lower.", "190"),
            ("en", "190 users", "190"),
            ("de", "Laufzeit 12 Jahre", "12"),
            ("en", "26% fewer batches", "26%"),
            ("en", "200 customers", "200"),
            ("en", "Save 40.", "40"),
        ] {
            assert_eq!(missing(language, text), [number], "{text}");
        }
    }
}
