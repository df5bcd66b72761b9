//! The paragraph with which a brief orders its document: `Write a proposal for Northwind. They are wary of the cloud.`
//!
//! Danger: what such a paragraph says besides its order is said to the writer, who must know it, and of the reader, who must not
//! read it. So the paragraph is an order as a whole. Only what it says to the reader, and facts in figures, are content.

use gtm_lexicon::documents::{ADDRESSING, HINTS, ORDERS, PAGE_UNITS, SLIDE_UNITS, TEXTS};
use gtm_lexicon::numbers::{self, InWords};
use gtm_lexicon::prose::I;
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use super::orders::{is_order, names_a_document, names_reader_and_size};
use super::soft_breaks::ASKED_FOR;
use super::{forms, wishes};

/// How many words behind a number its unit may stand: `two short pages`.
const UNIT_REACH: usize = 3;

/// Whether a sentence orders a document, or names its type or its extent.
pub fn orders(sentence: &str, language: &str) -> bool {
    is_order(sentence)
        || names_a_document(sentence, language)
        || names_reader_and_size(sentence, language)
        || forms::are_named(sentence, language)
        || wishes::is_size(sentence, language, true)
}

/// Whether a sentence beside an order is content.
pub fn is_content(sentence: &str, language: &str) -> bool {
    sentence.contains(ASKED_FOR)
        || states_figures(sentence)
        || speaks_to_the_reader(sentence, language)
}

/// Whether a sentence states a number that counts no pages, slides or words of a document. `One` is rarely a figure.
fn states_figures(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let counts_text = |at: usize| {
        (at + 1..=at + UNIT_REACH).any(|at| {
            let rest = words.get(at..).unwrap_or_default();
            [&PAGE_UNITS, &SLIDE_UNITS, &TEXTS]
                .iter()
                .any(|units| units.open(rest))
        })
    };
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || numbers::read(word, InWords::All)
                .next()
                .and_then(|number| number.value())
                .is_some_and(|value| value >= 2.0)
    };
    let mut numbered = words.iter().enumerate();
    numbered.any(|(at, word)| is_number(word) && !counts_text(at))
}

/// Whether a sentence speaks to the reader of the document. One that has words of orders, of documents or of the one who
/// orders speaks to the writer, and so may one that begins with the word: German `Sie` may be `they` there.
fn speaks_to_the_reader(sentence: &str, language: &str) -> bool {
    let primary = primary_language(language);
    let (you, i) = (ADDRESSING.of(primary), I.of(primary));
    let printed = sentence
        .split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty());
    let folded = fold(sentence);
    let words = split(&folded);
    let first = if primary == "de" { 1 } else { 0 };
    let addressed = printed.clone().skip(first).any(|word| {
        let small = word.to_lowercase();
        you.contains(word) || (primary != "de" && you.contains(&small))
    });
    let own = printed
        .into_iter()
        .any(|word| i.contains(&word.to_lowercase()));
    addressed && !own && !ORDERS.open(&words) && !HINTS.any_in(&words) && !TEXTS.any_in(&words)
}
