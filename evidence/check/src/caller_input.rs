//! What the caller and its brand say: the only words besides sources that a claim may come from.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::{self, InWords, is_unspaced};
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
        if claimed.is_empty() {
            // A text of numbers alone is judged by them.
            let counts = numbers::read(text, InWords::Ignored).next().is_some();
            return counts || text.is_empty() || self.holds(text);
        }
        let known = claimed.intersection(&self.words).count();
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
        .flat_map(|word| {
            // Words of Latin letters that are shorter say little; those of other scripts are shorter.
            let least = if word.is_ascii() { 4 } else { 2 };
            let length = word.chars().count();
            match word.starts_with(|c| is_unspaced(c) || is_hangul(c)) {
                true if length == 1 => vec![word.to_owned()],
                true => pairs(word),
                false if length >= least => vec![word.chars().take(5).collect()],
                false => Vec::new(),
            }
        })
        .collect();
    words.into_iter()
}

/// Korean has blanks between words, but its words are of few signs, and their endings are attached.
fn is_hangul(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}')
}

fn pairs(word: &str) -> Vec<String> {
    let signs = word.chars().zip(word.chars().skip(1));
    signs.map(|(one, other)| format!("{one}{other}")).collect()
}

fn stand_in(texts: &[String], words: &str) -> bool {
    let words = caseless(words);
    !words.is_empty() && texts.iter().any(|text| text.contains(&words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_script_must_be_the_caller_s() {
        let given = CallerInput::of(
            [
                "We sell sensors with a dashboard from 9 EUR. 현장 센서를 판매합니다. Мы продаём газ и лёд. センサー販売",
            ],
            [],
        );
        for told in [
            "Sensors with a dashboard",
            "9 EUR",
            "센서를 판매",
            "газ и лёд",
            "センサーの販売",
            "with a",
        ] {
            assert!(given.tells(told), "{told}");
        }
        for untold in [
            "It is a fad, a sin",
            "절대 고장 없음, 모든 경쟁 제품 결함",
            "고장",
            "яд и мор",
            "欠陥品",
            "毒",
        ] {
            assert!(!given.tells(untold), "{untold}");
        }
    }
}
