//! Sentences that greet, and the names below those that close a letter.

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{GREETINGS, HELLOS, LETTER_CLOSINGS, SALUTATIONS};
use gtm_lexicon::names::PARTICLES;
use gtm_lexicon::{fold, split};

use super::addressee;

/// Longest name of a company below a letter, in words.
const SIGNED_WORDS: usize = 6;
/// Longest greeting, in words.
const GREETING_WORDS: usize = 5;

/// Whether a text may be a person's name below a letter.
pub fn is_persons_name(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    (1..=2).contains(&words.len())
        && words.iter().all(|word| {
            let letters = word.chars().all(|c| c.is_alphabetic() || c == '.');
            letters && word.starts_with(char::is_uppercase)
        })
}

/// Whether a text is a company's name with its legal form. `We supply Northwind GmbH.` is none.
pub fn is_companys_name(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let Some((form, name)) = words.split_last() else {
        return false;
    };
    let is_part = |word: &str| {
        let begins = word.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || c == '&');
        (begins || PARTICLES.contains(&fold(word))) && !word.ends_with(['.', '!', '?', ':', ';'])
    };
    (1..SIGNED_WORDS).contains(&name.len())
        && name.iter().all(|word| is_part(word))
        && !name.first().is_some_and(|first| WE.has_word(&fold(first)))
        && addressee::is_legal_form(form)
}

/// `Hi Jo,`
pub fn opens_a_letter(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    HELLOS.open(&words) || SALUTATIONS.open(&words)
}

/// `Hi Jo,` and `Thanks!`.
pub fn is_greeting(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let marked = sentence.contains(',') || sentence.trim_end().ends_with('!');
    let short = words.len() <= 2 || (marked && words.len() <= GREETING_WORDS);
    // `Cher Luc,`
    let addresses = sentence.trim_end().ends_with(',')
        && words.len() <= GREETING_WORDS
        && SALUTATIONS.open(&words);
    let closes = LETTER_CLOSINGS
        .at_start(&words)
        .any(|formula| formula == words.as_slice());
    GREETINGS.are(&words) || closes || (short && GREETINGS.open(&words)) || addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_s_name_is_no_sentence() {
        for name in ["Northwind GmbH", "Vela & Sons Ltd", "Van der Roe Ltd."] {
            assert!(is_companys_name(name), "{name}");
        }
        for other in [
            "We supply Northwind GmbH.",
            "Our Northwind GmbH",
            "Hull. Vela Ltd",
            "GmbH",
            "Northwind Rollout",
        ] {
            assert!(!is_companys_name(other), "{other}");
        }
    }

    #[test]
    fn greetings_open_or_close() {
        for (greeting, opens) in [
            ("Hi Jo,", true),
            ("Cher Luc,", true),
            ("Thanks!", false),
            ("Viele Grüße", false),
        ] {
            assert!(is_greeting(greeting), "{greeting}");
            assert_eq!(opens_a_letter(greeting), opens, "{greeting}");
        }
    }
}
