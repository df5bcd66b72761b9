//! Whether texts are in another language than a message is asked in.
//!
//! DANGER: no other check notices. Lists of words find nothing in a language that is not theirs, so a draft in English for
//! a request in German would pass with full points; and what a draft repeats of an offer is compared word by word, so an
//! offer in another language makes honest drafts fail. Only what is beyond doubt counts: short texts, names and numbers are of
//! no language.

use std::collections::BTreeMap;

use gtm_domain::message::Structure;
use gtm_lexicon::messages::FUNCTION_WORDS;
use gtm_lexicon::{fold, languages, split};
use gtm_page_text::{is_in_another_language, language_among, primary_language};

use super::passage::{Source, count_words};
use super::template::Template;
use super::vocabulary::Vocabulary;

/// The rule that a template breaks which is in another language than its tag says.
pub const WRONG_LANGUAGE: &str = "wrong_language";

/// Fewest words of its own by which a draft is judged.
const FEWEST_WORDS: usize = 12;

/// Whether a draft's own words, from subject to call, are beyond doubt in another language than this one.
#[must_use]
pub fn draft_differs(structure: &Structure, language: &str) -> bool {
    let template = Template::of(structure, &Vocabulary::of(language));
    let content = template.content().map(|(_, line)| line);
    let lines = template.subject().into_iter().chain(content);
    let texts: Vec<String> = lines
        .map(|line| line.passage.blanked(Source::is_own))
        .collect();
    words_differ(&texts, language)
}

/// Whether somebody's own words, taken together, are beyond doubt in another language than this one.
pub(super) fn words_differ(own: &[String], language: &str) -> bool {
    let text = own.join("\n");
    count_words(&text) >= FEWEST_WORDS && is_in_another(text.trim(), language)
}

/// A language in whose words a text is read besides those of its own.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OtherLanguage {
    pub code: &'static str,
    /// Whether the text as a whole is in it, and not only a line of it or a phrase that many know.
    pub is_of_the_whole: bool,
}

/// The language that business mixes into all others.
const OF_BUSINESS: &str = "en";
/// Of how many words of a text one is a word of grammar at least, in the language that it is written in. English has two of
/// five.
const GRAMMAR: usize = 4;

/// The languages besides its own by whose words a text is read: none, if its own has all lists, down to the words of its
/// grammar; a few phrases that press are not enough. Else English, and those that
/// its lines seem to be in. DANGER: whoever names a language without lists would have a text that nothing is looked for in.
pub(super) fn also_read_in(own: &[String], vocabulary: &Vocabulary) -> Vec<OtherLanguage> {
    if FUNCTION_WORDS
        .of(&vocabulary.language)
        .iter()
        .next()
        .is_some()
    {
        return Vec::new();
    }
    let primary = vocabulary.language.as_str();
    let seems = |text: &str| {
        let candidates = languages().iter().map(|known| known.code).chain([primary]);
        language_among(text.trim(), candidates).filter(|found| *found != primary)
    };
    let mut others = BTreeMap::from([(OF_BUSINESS, false)]);
    let lines = own.iter().filter_map(|line| seems(line));
    others.extend(lines.map(|code| (code, false)));
    let whole = own.join("\n");
    if count_words(&whole) >= FEWEST_WORDS
        && let Some(code) = seems(&whole)
        && has_grammar_of(&whole, code)
    {
        others.insert(code, true);
    }
    let others = others
        .into_iter()
        .map(|(code, is_of_the_whole)| OtherLanguage {
            code,
            is_of_the_whole,
        });
    others.collect()
}

/// Whether words of a language's grammar are as many as in texts of that language.
fn has_grammar_of(text: &str, code: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    let grammar = FUNCTION_WORDS.of(code);
    let small = words.iter().filter(|word| grammar.contains(word)).count();
    small * GRAMMAR >= words.len()
}

/// Fewest words by which a single sentence is judged.
const FEWEST_WORDS_OF_ONE: usize = 8;

/// Whether a sentence is beyond doubt in another language than this one.
pub(super) fn sentence_differs(sentence: &str, language: &str) -> bool {
    count_words(sentence) >= FEWEST_WORDS_OF_ONE && is_in_another(sentence.trim(), language)
}

/// Whether a text, of whatever length, is more likely in another language than in this one.
pub(super) fn seems_in_another(text: &str, language: &str) -> bool {
    let primary = primary_language(language);
    let candidates = languages().iter().map(|known| known.code).chain([primary]);
    language_among(text, candidates).is_some_and(|found| found != primary)
}

/// Beyond a doubt: among all languages, and among those that business is done in. Lists of words without grammar are of many.
fn is_in_another(text: &str, language: &str) -> bool {
    let primary = primary_language(language);
    let candidates = languages().iter().map(|known| known.code).chain([primary]);
    is_in_another_language(text, language)
        && language_among(text, candidates).is_some_and(|found| found != primary)
}

/// Whether the texts of an offer, taken together, are beyond doubt in another language than this one, and none of them is
/// in this one.
#[must_use]
pub fn offer_differs(texts: &[String], language: &str) -> bool {
    let primary = primary_language(language);
    let is_in_it = |text: &String| {
        let candidates = languages().iter().map(|known| known.code).chain([primary]);
        language_among(text, candidates) == Some(primary)
    };
    let text = texts.join("\n");
    count_words(&text) >= FEWEST_WORDS
        && is_in_another(&text, language)
        && !texts.iter().any(is_in_it)
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::{Block, BlockKind, Inline};

    use super::*;

    const GERMAN: &str = "Sie mieten möblierte Zimmer und vermieten sie an Ihre Auszubildenden weiter, ab dem ersten Monat \
        mit Heizung und ohne Kaution.";
    const ENGLISH: &str = "You rent furnished rooms and sublet them to your apprentices, from the first month on with \
        heating and without a deposit.";
    const FRENCH: &str = "Vous louez des chambres meublées et vous les sous-louez à vos apprentis dès le premier mois, \
        chauffage compris et sans caution.";

    fn differs(language: &str, words: &str) -> bool {
        let text = |v: &str| vec![Inline::Text { v: v.to_owned() }];
        let block = |kind, inlines| Block {
            id: "b1".to_owned(),
            kind,
            inlines,
            optional: false,
            fallback: Vec::new(),
        };
        let structure = Structure {
            subject: text("Azubi"),
            preview_text: Vec::new(),
            blocks: vec![block(BlockKind::Value, text(words))],
        };
        draft_differs(&structure, language)
    }

    #[test]
    fn a_draft_is_written_in_the_language_that_was_asked() {
        for (language, words) in [("de-CH", GERMAN), ("en", ENGLISH), ("fr", FRENCH)] {
            assert!(!differs(language, words), "{words}");
        }
        for (language, words) in [
            ("de", ENGLISH),
            ("en-GB", GERMAN),
            ("es", FRENCH),
            ("fr", ENGLISH),
        ] {
            assert!(differs(language, words), "{language}: {words}");
        }
        // Too little to tell.
        assert!(!differs("de", "Microsoft Dynamics 365 Business Central"));
        assert!(!differs("de", "Your rooms, from 340 euros"));
    }

    #[test]
    fn a_language_without_lists_is_read_with_those_of_others() {
        let read = |language: &str, text: &str| -> Vec<(&str, bool)> {
            let others = also_read_in(&[text.to_owned()], &Vocabulary::of(language));
            let others = others.into_iter();
            others.map(|it| (it.code, it.is_of_the_whole)).collect()
        };
        assert_eq!(read("en", GERMAN), []);
        assert_eq!(read("pl", "Ostatnia szansa"), [("en", false)]);
        // Of one the detector knows nothing, and the other is no language at all.
        for language in ["ga", "mul", "pl", "ja"] {
            assert_eq!(read(language, ENGLISH), [("en", true)], "{language}");
            assert_eq!(
                read(language, GERMAN),
                [("de", true), ("en", false)],
                "{language}"
            );
        }
        let polish = "Wynajmują Państwo umeblowane pokoje i podnajmują je swoim uczniom od pierwszego miesiąca, \
            z ogrzewaniem i bez kaucji.";
        assert_eq!(read("pl", polish), [("en", false)]);
        assert!(words_differ(&[ENGLISH.to_owned()], "pl"));
        assert!(words_differ(&[ENGLISH.to_owned()], "ja"));
        assert!(!words_differ(&[polish.to_owned()], "pl"));
    }

    #[test]
    fn an_offer_is_in_the_templates_language_or_in_both() {
        let texts = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
        };
        assert!(offer_differs(&texts(&[ENGLISH]), "de"));
        assert!(offer_differs(&texts(&["Room4Azubi", FRENCH]), "en"));
        assert!(!offer_differs(&texts(&[ENGLISH]), "en-US"));
        assert!(!offer_differs(&texts(&[ENGLISH, GERMAN]), "de"));
        assert!(!offer_differs(&texts(&["Sage 50", "Xero"]), "de"));
    }
}
