//! How much an entry says: figures, names and words that are rare on the site, beside its length.

use std::collections::{BTreeMap, BTreeSet};

use gtm_page_text::is_joined;
use gtm_site_research::words;

/// Of a text's figures, the most that count, and what each is worth.
const MOST_FIGURES: usize = 4;
const FIGURE: i32 = 4;
/// Most rare words that count.
const MOST_RARE: usize = 10;
/// A word is rare in at most so many entries.
const RARE: usize = 2;
/// Pairs of letters that are worth one word, in scripts without blanks.
const PAIRS_OF_WORD: usize = 3;
/// Most capitalized words behind the first one that count.
const MOST_NAMES: usize = 4;
/// So much length costs a point.
const LENGTH: usize = 50;

/// The room that a text takes: a letter of a script without blanks says and takes as much as two others.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| 1 + usize::from(is_joined(c))).sum()
}

/// The words of a text by which it is compared with others; pairs of letters in scripts without blanks.
fn terms(text: &str) -> BTreeSet<String> {
    let stems = words::stems(text).into_iter();
    let mut found: BTreeSet<String> = stems.filter(|stem| !stem.contains(is_joined)).collect();
    let letters: Vec<char> = text.chars().collect();
    let pairs = letters
        .windows(2)
        .filter(|pair| pair.iter().all(|c| is_joined(*c)));
    found.extend(pairs.map(|pair| pair.iter().collect::<String>()));
    found
}

/// In how many entries of the site each word stands.
#[derive(Debug, Default)]
pub struct Frequencies(BTreeMap<String, usize>);

impl Frequencies {
    pub fn add(&mut self, text: &str) {
        for term in terms(text) {
            *self.0.entry(term).or_insert(0) += 1;
        }
    }

    /// How much the text says.
    pub fn score(&self, text: &str) -> i32 {
        let rare = |term: &&String| self.0.get(*term).is_none_or(|count| *count <= RARE);
        let terms = terms(text);
        let (pairs, rare): (Vec<&String>, Vec<&String>) =
            (terms.iter().filter(rare)).partition(|term| term.contains(is_joined));
        let rare = (rare.len() + pairs.len() / PAIRS_OF_WORD).min(MOST_RARE);
        let tokens = words::tokens(text);
        let figures: BTreeSet<&str> = tokens
            .iter()
            .map(|(.., token)| *token)
            .filter(|token| token.contains(char::is_numeric))
            .collect();
        let names = tokens
            .iter()
            .skip(1)
            .filter(|(.., token)| token.starts_with(char::is_uppercase))
            .count()
            .min(MOST_NAMES);
        let points = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        points(rare) + points(names) + FIGURE * points(figures.len().min(MOST_FIGURES))
            - points(width(text) / LENGTH)
    }
}
