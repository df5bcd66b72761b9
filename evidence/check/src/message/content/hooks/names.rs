//! Names and months that a hook has and its record does not.

use std::ops::Range;

use gtm_lexicon::{fold, languages, months};

use super::super::super::CitedEvidence;
use super::super::super::passage::Word;
use super::super::super::stems::{Stems, acronym, carries_subject};
use super::super::super::strangers::NOUNS_IN_CAPITALS;
use super::super::super::vocabulary::Vocabulary;
use super::read::{Read, is_month};

/// Fewest letters of a name; shorter ones are compared if they are all capitals.
const NAME_LETTERS: usize = 3;
/// Fewest letters of the name of a month, however it is written; `may` is more often a verb.
const MONTH_LETTERS: usize = 4;

/// Which month a word names in the language of the message, from one on.
pub(super) fn month_of(said: &Read, word: &Word, vocabulary: &Vocabulary) -> Option<usize> {
    let mut languages = languages().iter();
    let language = languages.find(|it| it.code == vocabulary.language)?;
    let printed = said.printed(word);
    let is_long = printed.chars().count() >= MONTH_LETTERS;
    // `Marco` is no `março`.
    let is_it = |name: &&str| {
        *name == printed
            || (is_long
                && name.is_ascii() == printed.is_ascii()
                && fold(name).trim_end_matches('.') == word.folded)
    };
    let of = |names: &&'static [&'static str]| names.iter().any(is_it);
    language.months.iter().position(of).map(|at| at + 1)
}

/// Months that neither excerpt nor record have. A notice of March may be called so because it was seen in March.
pub(super) fn other_months(
    said: &Read,
    record: &CitedEvidence<'_>,
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let label = record.source_label.unwrap_or_default();
    let told = format!("{} {label}", record.excerpt);
    let folded = fold(&told);
    let words = gtm_lexicon::split(&folded);
    let seen = record
        .observed_on
        .and_then(|day| day.get(5..7)?.parse::<usize>().ok());
    let is_told = |month: usize| {
        let names = |word: &str| {
            let is_named = |(name, of): (&str, u8)| {
                usize::from(of) == month && fold(name).trim_end_matches('.') == word
            };
            months().any(is_named)
        };
        // `6 shops` is no June, `03/2026` is March.
        let is_part_of_date = |at: usize| {
            let is_number = |at: usize| words.get(at).is_some_and(|it| it.parse::<u32>().is_ok());
            words.get(at).and_then(|it| it.parse().ok()) == Some(month)
                && (is_number(at + 1) || at.checked_sub(1).is_some_and(is_number))
        };
        seen == Some(month)
            || (0..words.len())
                .any(|at| words.get(at).is_some_and(|it| names(it)) || is_part_of_date(at))
    };
    let months = said.words.iter().filter(|word| {
        let month = month_of(said, word, vocabulary);
        month.is_some_and(|month| !is_told(month))
    });
    months.map(|word| word.range.clone()).collect()
}

/// Names that neither the excerpt has nor what is known of the reader.
pub(super) fn other_names(
    said: &Read,
    borne: &Stems,
    known: &Stems,
    reports: &[Range<usize>],
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    if vocabulary.language == NOUNS_IN_CAPITALS {
        return Vec::new();
    }
    let begins: Vec<usize> = (said.passage.sentences().iter())
        .filter_map(|sentence| said.words_in(sentence).first())
        .map(|word| word.range.start)
        .collect();
    let names = said.words.iter().filter(|word| {
        let printed = said.printed(word);
        let long = printed.chars().count() >= NAME_LETTERS || acronym(printed).is_some();
        let compared = acronym(printed).unwrap_or_else(|| word.folded.clone());
        long && printed.chars().next().is_some_and(char::is_uppercase)
            && !begins.contains(&word.range.start)
            && carries_subject(&compared)
            && !is_month(printed)
            && !reports.iter().any(|it| it.contains(&word.range.start))
            && !borne.has(&compared)
            && !known.has(&compared)
    });
    names.map(|word| word.range.clone()).collect()
}
