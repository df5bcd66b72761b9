//! Names in a message's own words that nobody approved: `Shops such as Morrisons run their bays on it`. Customers,
//! authorities and certifiers are the claims that a reader checks first.
//!
//! Told by their capital in the middle of a sentence, so not where a sentence begins, nor in a line in title case. In a
//! language that writes all nouns with one, a name is told by what nouns do not have: a legal form behind it, a capital
//! within, a given name before it. Abbreviations are passed over: most are terms of a trade.

use std::ops::Range;

use gtm_lexicon::company::SMALL_WORDS_IN_NAMES;
use gtm_lexicon::names::{GIVEN_NAMES, HONORIFICS};
use gtm_lexicon::places::{COUNTIES, REGIONS};
use gtm_lexicon::roles::{JOBS, ROLE_WORDS};
use gtm_lexicon::{has_capital_by_custom, legal_forms};

use super::passage::{Passage, Word};
use super::vocabulary::Vocabulary;
use crate::small_words::is_small;

/// The language that writes all nouns with a capital.
pub(super) const NOUNS_IN_CAPITALS: &str = "de";
/// Fewest letters of a name.
const LETTERS: usize = 3;
/// Marks behind which a word may have a capital without being a name. A hyphen joins it to another word.
const OPENING: [char; 17] = [
    '.', '!', '?', ':', '\n', '"', '“', '„', '«', '(', '–', '—', '…', '‘', '[', '/', '-',
];

/// Such names among the own words of a passage, of which none is known.
pub(super) fn strangers(
    passage: &Passage,
    sentences: &[Range<usize>],
    words: &[Word],
    is_known: impl Fn(&str) -> bool,
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let among_nouns = vocabulary.language == NOUNS_IN_CAPITALS;
    let mut found = Vec::new();
    for sentence in sentences {
        let first = words.partition_point(|word| word.range.end <= sentence.start);
        let end = words.partition_point(|word| word.range.start < sentence.end);
        let own = Sentence {
            passage,
            words: words.get(first..end).unwrap_or_default(),
        };
        if among_nouns {
            let names = own.words.iter().enumerate().filter(|(at, word)| {
                own.is_no_noun(*at) && !is_everyday(&word.folded) && !is_known(&word.folded)
            });
            found.extend(names.map(|(_, word)| word.range.clone()));
            continue;
        }
        if own.is_in_title_case() {
            continue;
        }
        let names = own.words.iter().enumerate().filter(|(at, word)| {
            let printed = own.printed(word);
            has_a_capital(printed)
                && is_read(word)
                && printed.chars().count() >= LETTERS
                && !is_abbreviation(printed)
                && !opens(passage, sentence, word)
                && !own.is_of_a_role(*at)
                && !is_small(&word.folded)
                && !vocabulary.speaks_of_persons(std::iter::once(printed))
                && !is_everyday(&word.folded)
                && !is_known(&word.folded)
        });
        found.extend(names.map(|(_, word)| word.range.clone()));
    }
    found
}

/// The own words of a sentence.
struct Sentence<'p> {
    passage: &'p Passage,
    words: &'p [Word],
}

impl Sentence<'_> {
    fn printed(&self, word: &Word) -> &str {
        let text = self.passage.text.get(word.range.clone());
        text.unwrap_or_default()
    }

    /// Whether no word but small ones has small letters alone, so that a capital tells nothing.
    fn is_in_title_case(&self) -> bool {
        let is_lower = |word: &Word| {
            is_read(word) && !is_small(&word.folded) && !has_a_capital(self.printed(word))
        };
        !self.words.iter().any(is_lower)
    }

    /// Whether a word is a name even where all nouns have capitals: `Weidner GmbH`, `MediaHalle`, `Petra Kunze`.
    fn is_no_noun(&self, at: usize) -> bool {
        let Some(own) = self.words.get(at).filter(|word| is_read(word)) else {
            return false;
        };
        let printed = self.printed(own);
        let next = self.words.get(at + 1).map(|word| self.printed(word));
        let before = at.checked_sub(1).and_then(|at| self.words.get(at));
        let is_beside = |word: &Word| {
            let between = self.passage.text.get(word.range.end..own.range.start);
            between.is_some_and(|between| between.trim().is_empty())
        };
        let legal = next.is_some_and(|next| {
            let mut forms = legal_forms().iter().filter(|form| !form.elsewhere);
            forms.any(|form| form.written.contains(&next))
        });
        let given = before.is_some_and(|before| {
            is_beside(before)
                && has_a_capital(self.printed(before))
                && GIVEN_NAMES.contains(&before.folded)
        });
        let capital_within = printed.chars().skip(1).any(char::is_uppercase)
            && printed.chars().any(char::is_lowercase)
            && !is_abbreviation(printed);
        has_a_capital(printed)
            && printed.chars().count() >= LETTERS
            && !is_abbreviation(printed)
            && (legal || given || capital_within)
            && !self.is_of_a_role(at)
    }

    /// Whether the words with capitals around this one name a role: `Head of Health and Safety`.
    fn is_of_a_role(&self, at: usize) -> bool {
        let joins = |word: &&Word| {
            has_a_capital(self.printed(word)) || SMALL_WORDS_IN_NAMES.contains(&word.folded)
        };
        let is_role = |word: &Word| {
            has_a_capital(self.printed(word))
                && (JOBS.has_word(&word.folded) || ROLE_WORDS.has_word(&word.folded))
        };
        let (before, from) = self.words.split_at_checked(at).unwrap_or_default();
        before.iter().rev().take_while(joins).any(is_role)
            || from.iter().take_while(joins).any(is_role)
    }
}

fn has_a_capital(printed: &str) -> bool {
    printed.starts_with(char::is_uppercase)
}

/// Whether a word is read. What is not stands among the words as one of no letters.
fn is_read(word: &Word) -> bool {
    word.folded.chars().all(char::is_alphanumeric)
}

/// Whether at least half of a word's letters are capitals, and more than one: `KPIs`, `SaaS`.
fn is_abbreviation(printed: &str) -> bool {
    let capitals = printed.chars().filter(|c| c.is_uppercase()).count();
    capitals > 1 && capitals * 2 >= printed.chars().count()
}

/// Whether a sentence, an item of a list or a quotation begins with the word. A value may end with a full stop.
fn opens(passage: &Passage, sentence: &Range<usize>, word: &Word) -> bool {
    let before = passage.text.get(sentence.start..word.range.start);
    let before = before.unwrap_or_default();
    let before = before.trim_end_matches(|c: char| c.is_whitespace() && c != '\n');
    let end = sentence.start + before.len();
    let mut values = passage.parts.iter().filter(|part| !part.source.is_own());
    !before.contains(char::is_alphabetic)
        || before.ends_with(OPENING)
        || values.any(|value| value.range.end == end)
}

/// Whether a word has its capital by custom: as everywhere, or since it is a title, a region or a county.
fn is_everyday(folded: &str) -> bool {
    let lists = [HONORIFICS, REGIONS, COUNTIES];
    has_capital_by_custom(folded) || lists.iter().any(|list| list.contains(folded))
}
