//! What the excerpts and the caller say, read once: their numbers and words.

use std::collections::BTreeSet;

use gtm_lexicon::numbers;
use gtm_site_research::words;

use crate::wording;

/// A text in the forms in which claims are compared with it.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Forms of its numbers.
    pub numbers: BTreeSet<String>,
    /// Its folded words.
    pub words: BTreeSet<String>,
    /// Its folded words in a row.
    pub row: String,
    /// Beginnings of its words, and pairs of letters of scripts without spaces.
    subjects: BTreeSet<String>,
}

impl Known {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        let folded = words::fold(text);
        let split = words::split(&folded);
        Self {
            numbers: numbers::offered(text),
            row: wording::row(&split),
            words: split.into_iter().map(str::to_owned).collect(),
            subjects: wording::subjects(text),
        }
    }

    /// Whether it shares a subject with a text of these subjects.
    pub fn shares(&self, subjects: &BTreeSet<String>) -> bool {
        !self.subjects.is_disjoint(subjects)
    }
}

/// All that a claim may rest on.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The excerpts, the first of which has the number 1.
    pub excerpts: Vec<Known>,
    /// The caller's own words.
    pub caller: Known,
    /// Name and domain of the company.
    pub company: Known,
    /// Words that stand somewhere without a capital.
    pub small: BTreeSet<String>,
    /// Beginnings of all words.
    pub beginnings: BTreeSet<String>,
}

/// How many letters of a word tell it from others, whatever its ending.
const TELLING_LETTERS: usize = 5;

impl Shown {
    /// Reads everything.
    pub fn of<'t>(
        excerpts: impl Iterator<Item = &'t str> + Clone,
        caller: &'t str,
        company: &'t str,
    ) -> Self {
        let mut shown = Self {
            excerpts: excerpts.clone().map(Known::of).collect(),
            caller: Known::of(caller),
            company: Known::of(company),
            ..Self::default()
        };
        for text in excerpts.chain([caller, company]) {
            shown.small.extend(small_words(text));
        }
        shown.beginnings = shown
            .all()
            .flat_map(|known| &known.words)
            .map(|word| beginning(word))
            .collect();
        shown
    }

    /// The excerpt with a number.
    pub fn get(&self, number: u64) -> Option<&Known> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.excerpts.get(index)
    }

    /// Excerpts, caller and company.
    pub fn all(&self) -> impl Iterator<Item = &Known> {
        self.excerpts.iter().chain([&self.caller, &self.company])
    }

    /// Whether a folded word stands somewhere, perhaps with another ending.
    pub fn mentions(&self, word: &str) -> bool {
        self.beginnings.contains(&beginning(word))
    }

    /// Whether the words of a text stand somewhere in a row.
    pub fn holds(&self, text: &str) -> bool {
        self.all().any(|known| wording::row_holds(&known.row, text))
    }
}

/// The folded words of a text that begin with a small letter.
pub fn small_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let small = words.filter(|word| word.starts_with(char::is_lowercase));
    small.map(words::fold)
}

fn beginning(word: &str) -> String {
    word.chars().take(TELLING_LETTERS).collect()
}
