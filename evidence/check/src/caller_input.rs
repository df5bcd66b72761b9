//! What the caller and its brand say: the only words besides sources that a claim may come from.

use std::collections::BTreeSet;

use gtm_lexicon::formula::Sum;
use gtm_lexicon::numbers::{self, InWords, is_unspaced};
use gtm_lexicon::words::STOPWORDS;
use gtm_page_text::{is_rather_in, language_among, other_language};

use super::caseless::caseless;
use super::literals::Literals;

/// So many words of a proposal must be the caller's.
const LEAST_KNOWN: usize = 2;
/// Most characters of what the caller says by which its language is told.
const SAMPLE: usize = 4_000;
/// One word in so many.
const THIRD: usize = 3;

/// What the caller gave, and the brand that it speaks for: the only places besides sources that a claim may
/// come from.
#[derive(Debug, Clone)]
pub struct CallerInput {
    caller: Vec<String>,
    brand: Vec<String>,
    literals: Literals,
    /// Beginnings of the words in them that carry a subject.
    words: BTreeSet<String>,
    /// All their words, for names of any length.
    whole: BTreeSet<String>,
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
            whole: texts().flat_map(whole_words).collect(),
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
        // Where words have no blanks between them, endings and particles make pairs of signs, too.
        let of_pairs = claimed
            .iter()
            .filter(|word| word.starts_with(is_unspaced))
            .count();
        let least = if of_pairs * 2 > claimed.len() { 3 } else { 2 };
        known * least >= claimed.len()
    }
    /// The language of these words, if it is beyond a doubt another one than `language` and none of them is in that one: then
    /// words of a claim in `language` can't be theirs.
    pub(crate) fn other_language(&self, language: &str) -> Option<&'static str> {
        let texts = || self.caller.iter().chain(&self.brand);
        let all: Vec<&str> = texts().map(String::as_str).collect();
        let sample: String = all.join(" ").chars().take(SAMPLE).collect();
        let own = other_language(&sample, language)?;
        let in_both =
            |text: &String| language_among(text, [language, own]).is_some_and(|known| known != own);
        (!texts().any(in_both)).then_some(own)
    }
    /// Whether the texts are in another language than these words, so that they share none with them whatever they say.
    pub(crate) fn is_told_in_another_language<'t>(
        &self,
        texts: impl Iterator<Item = &'t str>,
        language: &str,
    ) -> bool {
        let texts: Vec<&str> = texts.collect();
        let own = self.other_language(language);
        own.is_some_and(|own| is_rather_in(&texts.join(" "), language, own))
    }
    /// Whether a proposal speaks of what these words do: two of its words stand here, and all of its names do.
    /// `has_german_nouns`: whether every noun has a capital.
    pub(crate) fn is_named_by(&self, text: &str, has_german_nouns: bool) -> bool {
        let tells = self.tells(text);
        let claimed: BTreeSet<String> = content_words(text).collect();
        let known = claimed.intersection(&self.words).count();
        (tells || known >= LEAST_KNOWN) && self.knows_names(text, has_german_nouns && tells)
    }
    /// Whether the sentence of a sum that stands speaks of what these words do: a third of its words stand here, where words
    /// have blanks between them.
    pub(crate) fn tells_of_a_sum(&self, text: &str) -> bool {
        let mut claimed: BTreeSet<String> = content_words(text).collect();
        claimed.retain(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
        let known = claimed.intersection(&self.words).count();
        let of_pairs = claimed
            .iter()
            .filter(|word| word.starts_with(is_unspaced))
            .count();
        of_pairs * 2 > claimed.len() || known * THIRD >= claimed.len()
    }
    /// Whether whatever has a capital stands here. What opens a sentence has one anyway, so there it must be all of capitals or
    /// have one inside; `only_inside` asks no more of the others.
    pub(crate) fn knows_names(&self, text: &str, only_inside: bool) -> bool {
        let mut opens = true;
        for token in text.split_whitespace() {
            let parts = token.split(|c: char| !c.is_alphanumeric());
            for part in parts.filter(|part| !part.is_empty()) {
                let has_inside = part.chars().skip(1).any(char::is_uppercase);
                let begins = part.starts_with(char::is_uppercase) && part.chars().nth(1).is_some();
                let is_name = has_inside || (begins && !opens && !only_inside);
                if is_name && !self.knows_name(part) {
                    return false;
                }
                opens = false;
            }
            opens |= token.ends_with(['.', '!', '?']);
        }
        true
    }
    fn knows_name(&self, name: &str) -> bool {
        let folded = gtm_lexicon::fold(name);
        let bare = folded.strip_suffix('s').unwrap_or(&folded);
        let mut parts = content_words(name).peekable();
        STOPWORDS.contains(&folded)
            || gtm_lexicon::is_currency_code(name)
            || self.whole.contains(&folded)
            || self.whole.contains(bare)
            || (parts.peek().is_some() && parts.all(|part| self.words.contains(&part)))
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

/// Whether a sum is of this formula, which is written with its result.
pub(crate) fn is_sum_of(sum: &Sum, written: &str) -> bool {
    let own = written.rsplit_once('=');
    let own = own.and_then(|(formula, result)| Sum::read(formula, result));
    own.is_some_and(|own| {
        let signs = own.formula.split_whitespace().collect::<String>();
        signs == sum.formula.split_whitespace().collect::<String>()
    })
}

/// Whether a third of the words of some texts that carry a subject, and of their numbers, stand in others.
pub(crate) fn has_a_third<'t>(
    told: impl Iterator<Item = &'t str>,
    others: impl Iterator<Item = &'t str>,
) -> bool {
    let told: BTreeSet<String> = told.flat_map(words_and_numbers).collect();
    let others: BTreeSet<String> = others.flat_map(words_and_numbers).collect();
    told.intersection(&others).count() * THIRD >= told.len()
}

fn words_and_numbers(text: &str) -> Vec<String> {
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let numbers = whole_words(text).into_iter().filter(is_number);
    content_words(text).chain(numbers).collect()
}

fn whole_words(text: &str) -> Vec<String> {
    let folded = gtm_lexicon::fold(text);
    let words = gtm_lexicon::split(&folded).into_iter();
    words.map(str::to_owned).collect()
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
        let proposed = |text: &str| given.is_named_by(text, false);
        assert!(proposed(
            "Offer them a call about sensors and the dashboard, a size below."
        ));
        assert!(!proposed(
            "Offer them a call about sensors and the dashboard of Zenoti."
        ));
        for named in [
            "Offer them a call about sensors and the dashboard of SAP.",
            "Offer them a call about sensors and the dashboard of Wix.",
            "Offer sensors with a dashboard: Zenoti has them.",
            "SAP has sensors with a dashboard.",
            "TorMeister has sensors with a dashboard.",
        ] {
            assert!(!proposed(named), "{named}");
        }
        assert!(proposed(
            "Sensors with a dashboard from 9 EUR: I offer them."
        ));
        assert!(given.is_named_by("Sensors und das Dashboard am Tor", true));
        assert!(!given.is_named_by("Sensors und das Dashboard von SAP", true));
        assert!(!proposed(
            "Send them a long letter about sensors and their grandmother."
        ));
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
