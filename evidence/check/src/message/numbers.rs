//! Numbers of messages: which of them somebody approved. A number is digits, a number in words, and words such as
//! `twice` or `half of`. Dates, marks of a list and the digits of addresses are none.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::{Range, RangeInclusive};

use gtm_lexicon::figures::{MULTIPLES, PERCENT, SHARES};
use gtm_lexicon::numbers::{self, Counts, Forms as _, InWords, Number, is_currency, is_unspaced};
use gtm_lexicon::{fold, split, with_ascii_digits};

use super::amounts::{Amounts, values_of};
use super::beside::{ApprovedNumber, Beside, counts, said_around, tells};
use super::clauses::Said;
use super::dates::is_part_of_date;
use super::multiples::{is_time, told_in_words};
use super::passage::{Passage, Source, Word, without_hidden_signs};
use super::signs::Signs;
use super::vocabulary::Vocabulary;
use crate::literals::Literals;

/// Most numbers of one passage that are looked up. A text with more of them is no message.
const MOST_NUMBERS: usize = 200;
/// Most numbers of approved texts that are kept.
const MOST_APPROVED: usize = 500;
/// Most digits of a mark of a list.
const LIST_MARK: usize = 2;

/// What a number says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// A percentage, a sum of money, or how many times as much: nothing that belongs to a name or an address.
    Measure,
    /// A number in digits. A code or a part of an address may be one.
    Digits,
    /// A number or a part in words. In names they are common.
    Words,
}

/// A number that is not approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unapproved {
    /// Bytes of the passage.
    pub range: Range<usize>,
    pub says: Says,
}

/// The numbers that a message may repeat.
///
/// DANGER: who approved “140 food labs use it” did not approve “save 140 hours”. What a writer words himself may repeat a
/// number only [beside the same words](Self::beside_words_of).
#[derive(Debug, Clone, Default)]
pub(super) struct Approved {
    /// Wherever they stand.
    anywhere: Literals,
    /// The signs of these.
    signs: Signs,
    /// Beside the words that they stand beside in an approved text.
    beside: Vec<ApprovedNumber>,
    /// Amounts that words tell.
    amounts: Amounts,
}

impl Approved {
    /// All numbers of these texts, for words that are taken from them as they stand.
    pub(super) fn quoted_from<'t>(texts: impl IntoIterator<Item = &'t str> + Clone) -> Self {
        Self {
            anywhere: Literals::of_all(texts.clone()),
            signs: Signs::of(texts.clone()),
            beside: Vec::new(),
            amounts: Amounts::of(texts, false),
        }
    }

    /// The numbers of these texts, as long as they stand beside the same words.
    pub(super) fn beside_words_of<'t>(texts: impl IntoIterator<Item = &'t str> + Clone) -> Self {
        let amounts = Amounts::of(texts.clone(), true);
        let numbers = texts.into_iter().flat_map(|text| {
            let ascii = with_ascii_digits(text);
            let found: Vec<ApprovedNumber> = numbers::read(&ascii, InWords::All)
                .take(MOST_NUMBERS)
                .map(|number| {
                    let beside = Beside::of(&ascii, &number, written_end(&ascii, &number), None);
                    ApprovedNumber::of(&number, beside)
                })
                .collect();
            found
        });
        Self {
            beside: numbers.take(MOST_APPROVED).collect(),
            amounts,
            ..Self::default()
        }
    }

    fn approves(&self, read: &Read) -> bool {
        let mut beside = self.beside.iter();
        let loses_sign = || {
            self.signs
                .contradict(&read.number, read.beside.is_negative())
                && !read.beside.tells_its_sign(&read.beside)
        };
        (read.number.stands_in(&[&self.anywhere]) && !loses_sign())
            || beside.any(|approved| approved.approves(&read.number, &read.beside))
    }

    /// Where a passage has numbers that are not approved, among the parts that are read.
    pub(super) fn missing_in(
        &self,
        passage: &Passage,
        vocabulary: &Vocabulary,
        reads: impl Fn(Source) -> bool + Copy,
    ) -> Vec<Range<usize>> {
        let found = self.unapproved_in(passage, vocabulary, reads);
        found.into_iter().map(|number| number.range).collect()
    }

    /// The same, with what each number says.
    pub(super) fn unapproved_in(
        &self,
        passage: &Passage,
        vocabulary: &Vocabulary,
        reads: impl Fn(Source) -> bool + Copy,
    ) -> Vec<Unapproved> {
        let blanked = passage.blanked(reads);
        let text = without_hidden_signs(&blanked);
        let read = all(&text, &vocabulary.language);
        let mut found: Vec<Unapproved> = (read.into_iter().enumerate())
            .filter(|(at, read)| *at >= MOST_NUMBERS || !self.approves(read))
            .map(|(_, read)| Unapproved {
                range: read.range,
                says: read.says,
            })
            .collect();
        if matches!(text, Cow::Owned(_)) {
            // Within such a word the places are others.
            for number in &mut found {
                number.range = whole_words(&blanked, &number.range);
            }
        }
        let words = passage.words(reads);
        let in_words = [
            (vocabulary.multiples, Says::Measure),
            (vocabulary.amounts, Says::Words),
        ];
        for (phrases, says) in in_words {
            let Some(phrases) = phrases else {
                continue;
            };
            let told = told_in_words(&blanked, &words, phrases, vocabulary.no_amounts).into_iter();
            let told = told.take(MOST_NUMBERS);
            let mut end = 0;
            let mut new = Vec::new();
            for range in told {
                // `a la mitad` has `la mitad` in it.
                let first = range.start >= end;
                end = end.max(range.end);
                let at = found.partition_point(|number| number.range.end <= range.start);
                match found.get_mut(at).filter(|it| it.range.start < range.end) {
                    Some(known) if says == Says::Measure => known.says = says,
                    Some(_) => {}
                    None => {
                        let approved = is_time(&words, &range)
                            || self.has_multiple(
                                &blanked,
                                &words,
                                (&range, says),
                                &vocabulary.language,
                            );
                        if first && !approved {
                            new.push(Unapproved { range, says });
                        }
                    }
                }
            }
            found.extend(new);
            found.sort_by_key(|number| number.range.start);
        }
        found
    }

    /// Whether what these words of a text tell is approved, as words or as a number.
    fn has_multiple(
        &self,
        text: &str,
        words: &[Word],
        (range, says): (&Range<usize>, Says),
        language: &str,
    ) -> bool {
        let first = words.partition_point(|word| word.range.end <= range.start);
        let within = words.get(first..).unwrap_or_default();
        let within = within
            .iter()
            .take_while(|word| word.range.start < range.end);
        let bare: Vec<&str> = within.map(|word| word.folded.as_str()).collect();
        let said = OnceCell::new();
        let bears_out = |approved: &Said| {
            let written = said.get_or_init(|| {
                let lead = text.get(..range.start).unwrap_or_default();
                let tail = text.get(range.end..).unwrap_or_default();
                said_around(lead, tail, Some(language))
            });
            match says {
                Says::Measure => tells(approved, written),
                Says::Digits | Says::Words => counts(approved, written),
            }
        };
        if self.amounts.approve(&bare, bears_out) {
            return true;
        }
        let has = |counts: Counts, values: &RangeInclusive<f64>| {
            let mut beside = self.beside.iter();
            self.anywhere.has_within(counts, values)
                || beside.any(|it| it.has_within(counts, values) && bears_out(it.said()))
        };
        // In scripts without blanks the place is that of the word within its run of letters.
        let written = text.get(range.clone()).unwrap_or_default();
        if written.starts_with(is_unspaced) {
            let near = |value: f64| value - 0.5..=value + 0.5;
            let share = SHARES.longest_prefix_of(written);
            let times = MULTIPLES.longest_prefix_of(written);
            return match (share, times) {
                (Some((_, share)), _) => has(Counts::Percent, &near(share * 100.0)),
                (None, Some((_, times))) => {
                    has(Counts::Things, &(times - 1e-6..=times + 1e-6))
                        || has(Counts::Percent, &near((times - 1.0) * 100.0))
                }
                (None, None) => false,
            };
        }
        let values = values_of(&bare, language);
        values.iter().any(|(counts, values)| has(*counts, values))
    }
}

/// The range with the rest of the words that it begins and ends in.
fn whole_words(text: &str, range: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let before = bytes.get(..range.start).unwrap_or_default();
    let start = before.iter().rposition(is_blank).map_or(0, |at| at + 1);
    let behind = bytes.get(range.end..).unwrap_or_default();
    let end = behind
        .iter()
        .position(is_blank)
        .map_or(text.len(), |at| range.end + at);
    start..end
}

/// Where the template's own words have numbers, approved or not.
pub(super) fn places_of(passage: &Passage, vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    Approved::default().missing_in(passage, vocabulary, Source::is_own)
}

/// A number of a text.
struct Read {
    number: Number,
    range: Range<usize>,
    says: Says,
    beside: Beside,
}

/// The numbers of a text that are neither parts of dates nor marks of a list, with their places.
fn all(text: &str, language: &str) -> Vec<Read> {
    let ascii = with_ascii_digits(text);
    // Places are those of the text with ASCII digits, which only then has other places.
    let same = ascii.len() == text.len();
    let mut found = Vec::new();
    let mut date_end = None;
    for number in numbers::read(&ascii, InWords::Of(language)) {
        // One too many says enough.
        if found.len() > MOST_NUMBERS {
            break;
        }
        let place = number.place.clone();
        if !number.in_words {
            if is_part_of_date(&ascii, &number, date_end) {
                date_end = Some(place.end);
                continue;
            }
            if is_list_mark(&ascii, &place) {
                continue;
            }
        }
        let end = written_end(&ascii, &number);
        let says = says(&ascii, &number);
        let beside = Beside::of(&ascii, &number, end, Some(language));
        let range = match same {
            true => place.start..end,
            false => 0..text.len(),
        };
        found.push(Read {
            number,
            range,
            says,
            beside,
        });
    }
    found
}

/// Most bytes behind a number that may hold a word for percent.
const PERCENT_BYTES: usize = 24;

/// What a number says by what stands beside it.
fn says(text: &str, number: &Number) -> Says {
    let behind = text.get(number.place.end..).unwrap_or_default();
    let near: String = behind.chars().take(PERCENT_BYTES).collect();
    let bare = near.trim_start();
    let folded = fold(bare);
    let is_percent = bare.starts_with(['%', '‰', '٪', '﹪', '％']) || PERCENT.open(&split(&folded));
    let before = text.get(..number.place.start).unwrap_or_default();
    let is_money = bare.starts_with(is_currency) || before.trim_end().ends_with(is_currency);
    let mut letters = bare.chars();
    let is_times = letters.next().is_some_and(|c| matches!(c, 'x' | 'X' | '×'))
        && !letters.next().is_some_and(char::is_alphanumeric);
    if is_percent || is_money || (is_times && !number.in_words) {
        Says::Measure
    } else if number.in_words {
        Says::Words
    } else {
        Says::Digits
    }
}

/// Where a number ends with what directly follows it: `40 %`, `3rd`.
fn written_end(text: &str, number: &Number) -> usize {
    let end = number.place.end;
    if number.in_words {
        return end;
    }
    let behind = text.get(end..).unwrap_or_default();
    let letters = behind
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(behind.len());
    let rest = behind.get(letters..).unwrap_or_default();
    let blank = rest
        .chars()
        .next()
        .filter(|c| c.is_whitespace())
        .map_or(0, char::len_utf8);
    let sign = rest.get(blank..).and_then(|rest| rest.chars().next());
    let sign = sign
        .filter(|c| matches!(c, '%' | '‰'))
        .map_or(0, |c| blank + c.len_utf8());
    end + letters + sign
}

/// `1.` or `1)` at the beginning of a text or of a sentence.
fn is_list_mark(text: &str, place: &Range<usize>) -> bool {
    let digits = text.get(place.clone()).unwrap_or_default();
    let digits = digits.trim_end_matches(['.', ')']);
    let plain = digits.len() <= LIST_MARK && digits.bytes().all(|c| c.is_ascii_digit());
    let behind = text.get(place.start + digits.len()..).unwrap_or_default();
    let marked = behind.strip_prefix(['.', ')']);
    let before = text.get(..place.start).unwrap_or_default().trim_end();
    plain
        && marked.is_some_and(|rest| rest.starts_with(char::is_whitespace))
        && (before.is_empty() || before.ends_with(['.', '!', '?']))
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;

    use super::*;

    fn missing(language: &str, approved: &[&str], text: &str) -> Vec<String> {
        let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
        let vocabulary = Vocabulary::of(language);
        let approved = Approved::quoted_from(approved.iter().copied());
        let found = approved.missing_in(&passage, &vocabulary, Source::is_own);
        found
            .into_iter()
            .map(|range| text[range].to_owned())
            .collect()
    }

    #[test]
    fn numbers_need_an_approval() {
        assert_eq!(
            missing("en", &["18,000"], "18,000 flats, 40% less"),
            ["40%"]
        );
        assert_eq!(
            missing("en", &["18000"], "18,000 flats and 1,200 meters"),
            ["1,200"]
        );
        assert_eq!(missing("de", &[], "in drei Wochen"), ["drei"]);
        assert_eq!(
            missing("en", &[], "One bill per flat, one reading."),
            Vec::<String>::new()
        );
        assert_eq!(missing("en", &[], "for B2B sellers"), Vec::<String>::new());
        assert_eq!(missing("en", &[], "since 1998"), ["1998"]);
        assert_eq!(
            missing("en", &[], "see https://a.example/2026/5 or a5@b.example"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn the_minutes_of_a_call_approve_nothing_else() {
        let approved = Approved::beside_words_of(["Book a 15 minute call."]);
        for (text, expected) in [
            ("A 15 minute call is enough.", &[][..]),
            ("3 slots are left.", &["3"]),
            ("You save 15 hours.", &["15"]),
        ] {
            let passage = Passage::of_inlines(&[Inline::Text { v: text.to_owned() }]);
            let vocabulary = Vocabulary::of("en");
            let found = approved.missing_in(&passage, &vocabulary, Source::is_own);
            let found: Vec<&str> = found.into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn neither_hidden_signs_nor_half_an_address_hide_a_number() {
        for (text, number) in [
            ("about 4\u{200e}0% less", "4\u{200e}0%"),
            ("thir\u{34f}ty percent less", "thir\u{34f}ty"),
            ("t\u{fe0f}wice as fast", "t\u{fe0f}wice as"),
        ] {
            assert!(
                missing("en", &[], text).concat().starts_with(number),
                "{number}"
            );
        }
        for text in [
            "90%@once",
            "90%://x",
            "www.90%",
            "90%https://a.example",
            "90%@b.example",
        ] {
            assert!(!missing("en", &[], text).is_empty(), "{text}");
        }
        for text in [
            "(www.a5.example/7).",
            "a5@b.example,",
            "HTTPS://a.example/2026",
        ] {
            assert_eq!(missing("en", &[], text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn dates_and_marks_of_lists_are_none() {
        for (language, text) in [
            ("en", "on 23 November 2026"),
            ("en", "on November 23, 2026"),
            ("en", "by the 3rd of March"),
            ("en", "in March 2027"),
            ("de", "am 23. November 2026"),
            ("de", "am 23.11.2026 oder 24.11.2026."),
            ("fr", "le 1er mars 2027"),
            ("es", "el 23 de noviembre de 2026"),
            ("en", "on 2026-11-23"),
            ("en", "1. Install the meters. 2. Bill the flats."),
            ("en", "1) Install the meters"),
        ] {
            assert_eq!(missing(language, &[], text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(missing("en", &[], "Total: 40. We bill."), ["40"]);
        assert_eq!(missing("en", &[], "40 flats in March"), ["40"]);
        assert_eq!(missing("en", &[], "in March we saved 40%"), ["40%"]);
    }

    #[test]
    fn words_of_parts_and_multiples_need_one_too() {
        assert_eq!(
            missing("en", &[], "It cuts reading time in half."),
            ["in half"]
        );
        assert_eq!(
            missing("en", &["half the time"], "It cuts reading time in half."),
            Vec::<String>::new()
        );
        assert_eq!(
            missing("en", &["50%"], "It halves the work."),
            Vec::<String>::new()
        );
        assert_eq!(missing("de", &[], "doppelt so schnell"), ["doppelt so"]);
        assert_eq!(
            missing("de", &["2x"], "doppelt so schnell"),
            Vec::<String>::new()
        );
        assert_eq!(
            missing("de", &[], "Das verdoppelt die Quote."),
            ["verdoppelt"]
        );
        assert_eq!(missing("fr", &[], "divise par deux"), ["deux"]);
        assert_eq!(missing("es", &[], "a la mitad de precio"), ["a la mitad"]);
        assert_eq!(missing("en", &[], "in half an hour"), Vec::<String>::new());
    }
}
