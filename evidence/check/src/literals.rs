//! Numbers, links and e-mail addresses in a text: the parts of a claim that must not be made up.
//!
//! A claim paraphrases, so its words cannot be compared. But a number, a link or an address that does not
//! occur in the evidence was invented by the backend or planted by a page. Literals match by value, not by
//! spelling (`gtm_lexicon::numbers`): `1,200`, `1.200` and `1 200` are the same number, `https://www.a.example/`
//! and `a.example` the same link.

mod addresses;
mod text_set;
mod values;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use gtm_lexicon::formula::Sum;
use gtm_lexicon::numbers::{self, Counts, Forms, InWords, Number};
use gtm_lexicon::staff::MORE_THAN;

use self::addresses::{Address, host_of};
use self::text_set::TextSet;
use self::values::Values;
use super::stop_flag::StopFlag;

/// Most numbers of one text that are looked up. A text with more of them is a table, and no claim.
const MOST_NUMBERS: usize = 200;

/// Longest text that counts something by `more than`, in characters.
const LONGEST_COUNT: usize = 420;

/// The literals of a text.
#[derive(Debug, Clone, Default)]
pub struct Literals {
    /// Forms of numbers in digits, and of words with digits, such as `q3`; a percentage is stored as both `20%`
    /// and `20`.
    numbers: TextSet,
    /// Forms of numbers that words tell.
    told: TextSet,
    /// Links without scheme, `www.` and trailing slash, hosts in lower case.
    links: TextSet,
    /// Addresses in lower case.
    emails: TextSet,
    /// The least that a short text counts by words such as `more than`: one more than the number beside them.
    at_least: Vec<u64>,
    /// Values of the numbers, and of how long something lasts.
    values: Values,
}

/// The kind of literal that was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// A number, or a word with digits.
    Number,
    /// A link or host name.
    Link,
    /// An e-mail address.
    Email,
}

impl Forms for Literals {
    fn has(&self, form: &str) -> bool {
        self.numbers.contains(form) || self.told.contains(form)
    }
    fn has_within(&self, counts: Counts, range: &RangeInclusive<f64>) -> bool {
        self.values.has_within(counts, range)
    }
}

/// How the numbers of a claim are read, and what bears them out besides the evidence.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'r> {
    /// Which numbers in words need evidence.
    pub words: InWords<'r>,
    /// Sums that were done again and whose operands stand.
    pub sums: &'r [Sum],
    /// Texts whose lists a number in words may count.
    pub lists: &'r [&'r str],
    /// Ends the look-up early: what it finds then does not matter any more.
    pub stop: Option<&'r StopFlag>,
}

impl Reading<'_> {
    /// Only numbers in digits, and no sums.
    pub const PLAIN: Self = Self {
        words: InWords::Ignored,
        sums: &[],
        lists: &[],
        stop: None,
    };

    /// Whether a sum or a list bears the number out; `counted` has the counts that were looked for in the lists before.
    fn bears_out(&self, number: &Number, counted: &mut BTreeMap<String, bool>) -> bool {
        if self.sums.iter().any(|sum| sum.gives(number)) {
            return true;
        }
        if !number.is_few() || self.lists.is_empty() {
            return false;
        }
        let count = || self.lists.iter().any(|text| number.counts(text));
        *counted
            .entry(number.form().to_owned())
            .or_insert_with(count)
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(StopFlag::is_raised)
    }
}

impl Literals {
    /// Extracts the literals of a text that serves as evidence.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::of_all([text])
    }

    /// Extracts the literals of several texts.
    #[must_use]
    pub fn of_all<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut found = Self::default();
        texts.into_iter().for_each(|text| found.add(text));
        let Self {
            numbers,
            told,
            links,
            emails,
            at_least: _,
            values,
        } = &mut found;
        for set in [&mut *numbers, &mut *told, links, emails] {
            set.settle();
        }
        *values = Values::of(numbers.iter().chain(told.iter()));
        found
    }

    fn add(&mut self, text: &str) {
        let bare = addresses::read(text, |address| match address {
            Address::Link(link) => {
                self.links.add(&link);
                // A page's address also proves its host.
                self.links.add(host_of(&link));
            }
            Address::Email(address) => self.emails.add(&address),
        });
        for number in numbers::read(&bare, InWords::All) {
            let set = match number.in_words {
                true => &mut self.told,
                false => &mut self.numbers,
            };
            number.offered(|form| set.add(form));
        }
        let more = || {
            let folded = gtm_lexicon::fold(text);
            text.contains(['+', '＋']) || MORE_THAN.any_in(&gtm_lexicon::split(&folded))
        };
        if text.chars().count() <= LONGEST_COUNT && more() {
            let counted = numbers::read(&bare, InWords::Ignored);
            counted.for_each(|number| {
                number.offered(|form| self.at_least.extend(form.parse::<u64>().map(|n| n + 1)));
            });
        }
    }

    /// The whole numbers among the literals that are written in digits.
    pub fn integers(&self) -> impl Iterator<Item = u64> {
        self.numbers.iter().filter_map(|form| form.parse().ok())
    }

    /// Whether a whole number lies between the bounds, both included.
    #[must_use]
    pub fn has_integer(&self, (low, high): (u64, u64)) -> bool {
        let least = self.at_least.iter().copied();
        let mut counted = self.integers().chain(least);
        counted.any(|number| (low..=high).contains(&number))
    }

    /// The first literal of `claim` that none of `evidence` contains.
    #[must_use]
    pub fn first_missing(claim: &str, evidence: &[&Self]) -> Option<Missing> {
        Self::first_missing_of(claim, evidence, Reading::PLAIN)
    }

    /// The same for a claim whose numbers are read otherwise.
    #[must_use]
    pub fn first_missing_of(
        claim: &str,
        evidence: &[&Self],
        reading: Reading<'_>,
    ) -> Option<Missing> {
        let mut missing = None;
        let bare = addresses::read(claim, |address| {
            let lacks = match &address {
                Address::Link(link) => !evidence.iter().any(|e| e.links.contains(link)),
                Address::Email(address) => !evidence.iter().any(|e| e.emails.contains(address)),
            };
            if lacks && missing.is_none() {
                missing = Some(match address {
                    Address::Link(_) => Missing::Link,
                    Address::Email(_) => Missing::Email,
                });
            }
        });
        if missing.is_some() {
            return missing;
        }
        let forms: Vec<&dyn Forms> = evidence.iter().map(|known| *known as &dyn Forms).collect();
        let mut counted = BTreeMap::new();
        (numbers::read(&bare, reading.words).enumerate())
            .any(|(index, number)| {
                index >= MOST_NUMBERS
                    || reading.is_stopped()
                    || !(number.stands_in(&forms) || reading.bears_out(&number, &mut counted))
            })
            .then_some(Missing::Number)
    }
}

#[cfg(test)]
mod tests;
