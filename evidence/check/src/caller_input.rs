//! What the caller and its brand say: the only words besides sources that a claim may come from.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::words::STOPWORDS;

use super::caseless::caseless;
use super::literals::Literals;

/// What the caller gave, and the brand that it speaks for: the only places besides sources that a claim may
/// come from.
#[derive(Debug, Clone)]
pub struct CallerInput {
    caller: Vec<String>,
    brand: Vec<String>,
    literals: Literals,
    /// Beginnings of the words in them that carry a subject.
    words: BTreeSet<String>,
}

impl CallerInput {
    /// The caller's words and those of the bound guideline.
    #[must_use]
    pub fn of<'t>(
        caller: impl IntoIterator<Item = &'t str>,
        brand: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let caller: Vec<&str> = caller.into_iter().collect();
        let brand: Vec<&str> = brand.into_iter().collect();
        let texts = || caller.iter().chain(&brand).copied();
        Self {
            literals: Literals::of_all(texts()),
            words: texts().flat_map(content_words).collect(),
            caller: caller.into_iter().map(caseless).collect(),
            brand: brand.into_iter().map(caseless).collect(),
        }
    }
    /// Literals of these words.
    #[must_use]
    pub const fn literals(&self) -> &Literals {
        &self.literals
    }
    /// Whether the words occur in what the caller gave, ignoring case.
    pub(crate) fn holds(&self, words: &str) -> bool {
        stand_in(&self.caller, words) || self.brand_holds(words)
    }
    /// Whether the text speaks of what these words do: at least half of its words stand here. Less would let any
    /// statement pass as the caller's.
    pub(crate) fn tells(&self, text: &str) -> bool {
        let claimed: BTreeSet<String> = content_words(text).collect();
        let known = claimed.intersection(&self.words).count();
        // A text of numbers alone is judged by them.
        known * 2 >= claimed.len()
    }
    /// Whether a text shares more with the brand's guideline than with the caller's own words.
    #[must_use]
    pub fn is_of_brand(&self, text: &str) -> bool {
        let claimed: BTreeSet<String> = content_words(text).collect();
        let shared = |texts: &[String]| {
            let known: BTreeSet<String> =
                texts.iter().flat_map(|text| content_words(text)).collect();
            claimed.intersection(&known).count()
        };
        shared(&self.brand) > shared(&self.caller)
    }
    /// Whether the words occur in the brand's guideline and are not the caller's own.
    #[must_use]
    pub fn brand_holds(&self, words: &str) -> bool {
        stand_in(&self.brand, words) && !stand_in(&self.caller, words)
    }
}

/// Words that carry a subject, without their endings; pairs of signs where words have no spaces between them.
fn content_words(text: &str) -> impl Iterator<Item = String> {
    let folded = gtm_lexicon::fold(text);
    let words: Vec<String> = gtm_lexicon::split(&folded)
        .into_iter()
        .filter(|word| !STOPWORDS.contains(word))
        .flat_map(|word| match word.starts_with(is_unspaced) {
            true => pairs(word),
            false if word.chars().count() >= 4 => vec![word.chars().take(5).collect()],
            false => Vec::new(),
        })
        .collect();
    words.into_iter()
}

fn pairs(word: &str) -> Vec<String> {
    let signs = word.chars().zip(word.chars().skip(1));
    signs.map(|(one, other)| format!("{one}{other}")).collect()
}

fn stand_in(texts: &[String], words: &str) -> bool {
    let words = caseless(words);
    !words.is_empty() && texts.iter().any(|text| text.contains(&words))
}
