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
use std::ops::{Range, RangeInclusive};

use gtm_lexicon::formula::Sum;
use gtm_lexicon::numbers::{self, Counts, Forms, InWords, Number};
use gtm_lexicon::prose::SMALL_WORDS;
use gtm_lexicon::staff::{MORE_THAN, NOUNS, TEAMS};

use self::addresses::{Address, host_of};
use self::text_set::TextSet;
use self::values::Values;
use super::stop_flag::StopFlag;

/// Most numbers of one text that are looked up. A text with more of them is a table, and no claim.
const MOST_NUMBERS: usize = 200;

/// Longest text that counts something by `more than`, in characters.
const LONGEST_COUNT: usize = 420;

/// The least that a word may count.
const LEAST_TOLD: u64 = 2;

/// How many words behind a number its noun may stand, and how far around it is looked for that, in characters.
const WORDS_TO_NOUN: usize = 3;
const NEAR: usize = 60;

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
    /// Numbers in words that count who works somewhere.
    heads: Vec<u64>,
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
    /// How many things were cited one by one, as a number may say, by source.
    pub things: &'r [u64],
    /// Ends the look-up early: what it finds then does not matter any more.
    pub stop: Option<&'r StopFlag>,
}

impl Reading<'_> {
    /// Only numbers in digits, and no sums.
    pub const PLAIN: Self = Self {
        words: InWords::Ignored,
        sums: &[],
        lists: &[],
        things: &[],
        stop: None,
    };

    /// Whether a sum or a list bears the number out; `counted` has the counts that were looked for in the lists before.
    /// `digits` is the number's text, with ASCII digits.
    fn bears_out(
        &self,
        number: &Number,
        digits: &str,
        counted: &mut BTreeMap<String, bool>,
    ) -> bool {
        let counts = self
            .things
            .iter()
            .any(|things| number.form() == things.to_string())
            && !measures(number, digits);
        if counts || self.sums.iter().any(|sum| sum.gives(number)) {
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
            heads: _,
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
        let digits = gtm_lexicon::with_ascii_digits(&bare);
        for number in numbers::read(&bare, InWords::All) {
            let set = match number.in_words {
                true => &mut self.told,
                false => &mut self.numbers,
            };
            number.offered(|form| set.add(form));
            if number.in_words && counts_heads(&digits, &number.place) {
                self.heads.extend(number.form().parse::<u64>());
            }
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

    /// Whether a whole number lies between the bounds, both included: one in digits, or in words that count staff.
    #[must_use]
    pub fn has_integer(&self, (low, high): (u64, u64)) -> bool {
        let least = self.at_least.iter().copied();
        // `one` is an article or a pronoun as often.
        let told = self.heads.iter().copied();
        let told = told.filter(|number| *number >= LEAST_TOLD);
        let mut counted = self.integers().chain(least).chain(told);
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
        let digits = gtm_lexicon::with_ascii_digits(&bare);
        let mut counted = BTreeMap::new();
        (numbers::read(&bare, reading.words).enumerate())
            .any(|(index, number)| {
                index >= MOST_NUMBERS
                    || reading.is_stopped()
                    || !(number.stands_in(&forms)
                        || reading.bears_out(&number, &digits, &mut counted))
            })
            .then_some(Missing::Number)
    }
}

/// Whether a number says a share, how long something lasts or what it costs, and so counts no things.
fn measures(number: &Number, digits: &str) -> bool {
    let mut lasts = false;
    number.offered(|form| {
        lasts |= numbers::value_of(form).is_some_and(|(counts, _)| counts == Counts::Hours);
    });
    let before = digits.get(..number.place.start).unwrap_or_default();
    let own = digits.get(number.place.clone()).unwrap_or_default();
    let behind = digits.get(number.place.end..).unwrap_or_default();
    let marks =
        |c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | '(');
    let last = before.trim_end().rsplit(marks).next();
    let next = behind.trim_start().split(marks).next();
    let is_unit = |word: &str| {
        gtm_lexicon::currency_of(word).is_some()
            || word.contains(|c: char| c == '%' || numbers::is_currency(c))
    };
    number.is_percent()
        || lasts
        || own.contains(numbers::is_currency)
        || last.is_some_and(is_unit)
        || next.is_some_and(is_unit)
}

/// Whether the number there counts who works somewhere: `six skilled employees`, `a team of six`.
fn counts_heads(text: &str, place: &Range<usize>) -> bool {
    let before = text.get(..place.start).unwrap_or_default();
    let begin = before.char_indices().rev().nth(NEAR);
    let before = before.get(begin.map_or(0, |(at, _)| at)..);
    let before = gtm_lexicon::fold(before.unwrap_or_default());
    let before = gtm_lexicon::split(&before);
    let last = before.get(before.len().saturating_sub(2)..);
    if TEAMS.contains(&last.unwrap_or_default().join(" ")) {
        return true;
    }
    let behind = text.get(place.end..).unwrap_or_default();
    let end = behind.char_indices().nth(NEAR);
    let behind = behind.get(..end.map_or(behind.len(), |(at, _)| at));
    // What stands behind a mark or a preposition is not what is counted.
    let marks = [',', ';', ':', '.', ')', '!', '?', '、', '。'];
    let clause = behind.and_then(|behind| behind.split(marks).next());
    let clause = gtm_lexicon::fold(clause.unwrap_or_default());
    let words: Vec<&str> = gtm_lexicon::split(&clause)
        .into_iter()
        .take(WORDS_TO_NOUN)
        .take_while(|word| NOUNS.contains(word) || !SMALL_WORDS.any_has(word))
        .collect();
    words.iter().any(|word| NOUNS.contains(word))
        || words.windows(2).any(|pair| NOUNS.contains(&pair.join(" ")))
}

#[cfg(test)]
mod tests;
