//! What the orders of a brief ask for that can be counted or checked: how many slides, pages and bullets, and what must not
//! be shown. The rest of an order only a writer can follow.

use std::ops::Range;

use gtm_lexicon::company::YOU;
use gtm_lexicon::documents::{
    ADDRESSING, BESIDES, COVERS, CUSTOMERS, HINTS, ITEM_UNITS, LIMITS, NAMING, NEGATIONS,
    PAGE_UNITS, PER, PRICE_HEADINGS, RECIPIENT_ENDS, RECIPIENTS, SLIDE_UNITS, SUBJECTS,
};
use gtm_lexicon::numbers::{self, InWords};
use gtm_lexicon::{Phrases, fold, split};
use gtm_page_text::primary_language;

/// Longest sentence that only says how long a document is to be, in words.
const SIZE_WORDS: usize = 18;
/// Longest sentence that only forbids to show something, in words.
const BAN_WORDS: usize = 16;
/// How far behind a count a cover besides it is named, in words.
const COVER_REACH: usize = 5;
/// Longest words of a limit.
const LIMIT_WORDS: usize = 4;
/// Most of anything that somebody asks for.
const MOST: usize = 300;

/// A number that a brief asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub number: usize,
    /// Whether fewer are as good.
    pub at_most: bool,
}

/// What a brief asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wishes {
    pub slides: Option<Count>,
    pub pages: Option<Count>,
    /// Most items of a slide.
    pub items: Option<usize>,
    /// Whether no customer may be named.
    pub no_customers: bool,
    /// Whether no price may be shown.
    pub no_prices: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Slides,
    Pages,
    Items,
}

/// A number with what it counts, and where that ends.
#[derive(Debug, Clone, Copy)]
struct Counted {
    begin: usize,
    end: usize,
    number: usize,
    unit: Unit,
}

impl Wishes {
    /// Reads the orders.
    pub fn of(orders: &[String]) -> Self {
        let mut wishes = Self::default();
        for order in orders {
            let folded = fold(order);
            let words = split(&folded);
            for counted in counts(&words) {
                let at_most = is_limited(&words, counted);
                let apart = counted.unit == Unit::Slides && has_cover_besides(&words, counted);
                let count = Count {
                    number: counted.number + usize::from(apart),
                    at_most,
                };
                match counted.unit {
                    Unit::Slides => wishes.slides = wishes.slides.or(Some(count)),
                    Unit::Pages => wishes.pages = wishes.pages.or(Some(count)),
                    Unit::Items => wishes.items = wishes.items.or(Some(count.number)),
                }
            }
            wishes.no_customers |= bans(order, &CUSTOMERS);
            wishes.no_prices |= bans(order, &PRICE_HEADINGS);
        }
        wishes
    }
}

/// Whether a cover comes besides what is counted: `8 slides plus cover`, `8 Folien ohne Titelfolie`.
fn has_cover_besides(words: &[&str], counted: Counted) -> bool {
    let behind = words.get(counted.end..).unwrap_or_default();
    let near = behind
        .get(..COVER_REACH.min(behind.len()))
        .unwrap_or_default();
    BESIDES.places(near).next().is_some_and(|(at, phrase)| {
        let rest = near.get(at + phrase.len()..).unwrap_or_default();
        COVERS.any_in(rest)
    })
}

/// Whether a limit stands directly before or behind a count: `at most 8 slides`, `8 slides max`.
fn is_limited(words: &[&str], counted: Counted) -> bool {
    let before = (1..=LIMIT_WORDS).any(|back| {
        let from = counted.begin.checked_sub(back);
        let limit = from.and_then(|from| words.get(from..counted.begin));
        limit.is_some_and(|limit| LIMITS.are(limit))
    });
    let behind = words.get(counted.end..).unwrap_or_default();
    let own = longest(&LIMITS, behind).is_some_and(|length| {
        // `8 slides, at most 5 bullets each` limits the bullets.
        behind
            .get(length)
            .is_none_or(|word| number_of(word).is_none())
    });
    before || own
}

fn longest(phrases: &Phrases, words: &[&str]) -> Option<usize> {
    phrases.at_start(words).map(<[_]>::len).max()
}

/// The number that a word is, in digits or in letters.
pub fn number_of(word: &str) -> Option<usize> {
    if word.len() < 2 && !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = numbers::read(word, InWords::All).next()?.value()?;
    let whole = value.fract() == 0.0 && (1.0..=300.0).contains(&value);
    // Checked just before.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let number = value as usize;
    (whole && number <= MOST).then_some(number)
}

fn counts(words: &[&str]) -> Vec<Counted> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let counted = words
            .get(at)
            .and_then(|word| number_of(word))
            .and_then(|number| counted(words, at, number));
        at = match counted {
            Some(counted) => {
                found.push(counted);
                counted.end
            }
            None => at + 1,
        };
    }
    found
}

fn counted(words: &[&str], begin: usize, number: usize) -> Option<Counted> {
    // A word may stand between the number and what it counts: `3 short pages`.
    for at in [begin + 1, begin + 2] {
        let rest = words.get(at..)?;
        // `8-10 slides` are ten.
        if at > begin + 1
            && words
                .get(begin + 1)
                .is_some_and(|word| number_of(word).is_some())
        {
            return None;
        }
        let units = [
            (Unit::Slides, &SLIDE_UNITS),
            (Unit::Pages, &PAGE_UNITS),
            (Unit::Items, &ITEM_UNITS),
        ];
        for (unit, phrases) in units {
            let Some(length) = longest(phrases, rest) else {
                continue;
            };
            let mut end = at + length;
            if unit == Unit::Items {
                let behind = words.get(end..).unwrap_or_default();
                let per = longest(&PER, behind).unwrap_or(0);
                let behind = behind.get(per..).unwrap_or_default();
                // Only items of a slide: `5 points to settle` are none of the text.
                match longest(&SLIDE_UNITS, behind) {
                    Some(slide) => end += per + slide,
                    None if words.len() > end => continue,
                    None => {}
                }
            }
            return Some(Counted {
                begin,
                end,
                number,
                unit,
            });
        }
    }
    None
}

/// Where the words say how many slides, pages or bullets there may be.
pub fn lengths(words: &[&str]) -> Vec<Range<usize>> {
    let found = counts(words);
    let begin = |counted: &Counted| {
        // `8-10 slides`
        let before = counted.begin.checked_sub(1).filter(|before| {
            words
                .get(*before)
                .is_some_and(|word| number_of(word).is_some())
        });
        before.unwrap_or(counted.begin)
    };
    let places = found.iter().map(|counted| begin(counted)..counted.end);
    places.collect()
}

/// Whether the words say how many slides, pages or bullets there may be.
pub fn has_count(words: &[&str]) -> bool {
    !counts(words).is_empty()
}

/// Whether a sentence says nothing but how long the document is to be: `Max 5 bullets per slide`. `at_the_beginning`, where
/// briefs give their orders, something may follow: `8 slides, for the board`.
pub fn is_size(sentence: &str, language: &str, at_the_beginning: bool) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    if words.len() > SIZE_WORDS {
        return false;
    }
    let found = counts(&words);
    let mut at = 0;
    let mut counted = false;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some(next) = found.iter().find(|next| next.begin == at) {
            counted = true;
            at = next.end;
        } else if is_range(rest, at, &found) {
            at += 1;
        } else if let Some(length) = longest(&LIMITS, rest) {
            at += length;
        } else if let Some(length) = longest(&HINTS, rest).filter(|_| !counted) {
            at += length;
        } else {
            break;
        }
    }
    let mut behind = words.get(at..).unwrap_or_default();
    // `Max 3 pages, please`, `8 slides plus cover`
    let is_cover = behind.len() <= COVER_REACH && BESIDES.open(behind) && COVERS.any_in(behind);
    if behind.len() == 1 && HINTS.open(behind) || is_cover {
        behind = &[];
    }
    let primary = primary_language(language);
    let goes_on = behind.first().is_some_and(|word| {
        [&RECIPIENTS, &SUBJECTS, &RECIPIENT_ENDS]
            .iter()
            .any(|words| words.of(primary).contains(word))
    });
    counted && (behind.is_empty() || (at_the_beginning && goes_on))
        || at_the_beginning && is_size_with_more(sentence, language)
}

/// Whether a limit is followed by a few words without a number: `3 pages max, ton sobre`.
fn is_size_with_more(sentence: &str, language: &str) -> bool {
    sentence
        .split_once([',', ';', '–'])
        .is_some_and(|(size, more)| {
            let folded = fold(size);
            LIMITS.any_in(&split(&folded))
                && more.split_whitespace().count() <= LIMIT_WORDS
                && !more.contains(char::is_numeric)
                && is_size(size, language, false)
        })
}

/// Whether the words begin with the lower end of a count: the 8 of `8-10 slides`.
fn is_range(words: &[&str], at: usize, found: &[Counted]) -> bool {
    let number = words.first().and_then(|word| number_of(word));
    number.is_some() && found.iter().any(|next| next.begin == at + 1)
}

/// Whether a sentence, or a part of it, forbids to show prices or customers.
pub fn is_ban(sentence: &str) -> bool {
    bans(sentence, &CUSTOMERS) || bans(sentence, &PRICE_HEADINGS)
}

fn bans(sentence: &str, what: &'static Phrases) -> bool {
    sentence
        .split([',', ';', '–', '—', '.', '\n'])
        .any(|clause| {
            let folded = fold(clause);
            let words = split(&folded);
            let mut words: &[&str] = &words;
            // `and please don't name them`
            while let Some(rest) = words.get(1..)
                && !NEGATIONS.open(words)
                && !what.open(words)
                && (words.first().is_some_and(|word| word.is_empty())
                    || HINTS.open(words.get(..1).unwrap_or_default()))
            {
                words = rest;
            }
            let named = NAMING.any_in(words);
            let last = words.last().is_some_and(|word| NAMING.has_word(word));
            // `ohne Kosten für Sie` promises the reader something.
            let promises = split(clause)
                .iter()
                .any(|word| ADDRESSING.any_has(word) || YOU.has_word(&fold(word)));
            let short = words.len() <= 4 && NEGATIONS.open(words) && !promises;
            words.len() <= BAN_WORDS
                && what.any_in(words)
                && NEGATIONS.any_in(words)
                && ((NEGATIONS.open(words) && (named || short)) || (what.open(words) && last))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(number: usize, at_most: bool) -> Option<Count> {
        Some(Count { number, at_most })
    }

    #[test]
    fn sizes_are_read() {
        for (order, language, slides, pages, items) in [
            ("8 slides, for the board", "en", count(8, false), None, None),
            ("Max 5 bullets per slide", "en", None, None, Some(5)),
            ("No more than 3 pages.", "en", None, count(3, true), None),
            ("8 slides plus a cover", "en", count(9, false), None, None),
            (
                "8 Folien ohne Titelfolie",
                "de",
                count(9, false),
                None,
                None,
            ),
            (
                "8-10 slides, at most 4 bullets a slide",
                "en",
                count(10, false),
                None,
                Some(4),
            ),
            (
                "Maximal acht Folien, höchstens 5 Stichpunkte pro Folie",
                "de",
                count(8, true),
                None,
                Some(5),
            ),
            ("Bitte nur 2 Seiten", "de", None, count(2, true), None),
            ("Pas plus de 3 pages", "fr", None, count(3, true), None),
            (
                "6 diapositives, pour le comité",
                "fr",
                count(6, false),
                None,
                None,
            ),
        ] {
            assert!(is_size(order, language, true), "{order}");
            let wishes = Wishes::of(&[order.to_owned()]);
            assert_eq!(
                (wishes.slides, wishes.pages, wishes.items),
                (slides, pages, items),
                "{order}"
            );
        }
        let wishes = Wishes::of(&["Write a two-page proposal for the CFO.".to_owned()]);
        assert_eq!(wishes.pages, count(2, false));
    }

    #[test]
    fn what_counts_something_else_is_no_size() {
        for (sentence, language) in [
            ("3 pages of the report were missing.", "en"),
            ("5 points to settle before May", "en"),
            ("14 depots, 3 countries", "en"),
            ("Max 5 sites in the first year", "en"),
            ("40 Seiten Papier je Schicht fallen weg.", "de"),
        ] {
            assert!(!is_size(sentence, language, true), "{sentence}");
        }
        // Behind the beginning, only a sentence that says nothing else.
        assert!(!is_size("8 slides for the board", "en", false));
        assert!(is_size("max. 5 bullets per slide, please", "en", false));
    }

    #[test]
    fn bans_are_told_from_what_only_speaks_of_customers() {
        for sentence in [
            "do not name any of our customers",
            "Please don't mention client names.",
            "No customer names!",
            "8 slides, no client names",
            "Keine Kundennamen nennen.",
            "Kunden bitte nicht namentlich nennen",
            "Bitte keine Referenzkunden erwähnen",
            "Ne citez aucun client par son nom"
                .replace("citez", "citer")
                .as_str(),
            "No prices",
            "Preise nicht nennen",
        ] {
            assert!(is_ban(sentence), "{sentence}");
        }
        for sentence in [
            "We never show customer data to anybody.",
            "Our customers do not lose readings.",
            "No customer has ever left us in a winter of storms.",
            "Die Kunden sehen keine Namen, nur Nummern.",
            "Prices do not change for a year.",
        ] {
            assert!(!is_ban(sentence), "{sentence}");
        }
        let wishes = Wishes::of(&["do not name any of our customers".to_owned()]);
        assert!(wishes.no_customers && !wishes.no_prices);
    }
}
