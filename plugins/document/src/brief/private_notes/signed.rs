//! Brackets that somebody signed, as margins of a draft have them: `[Rob: can you check?]`, `<<JH 12/3: was six>>`, `[CHANGE KS: was
//! optional]`.
//!
//! Danger: `[EU: 12 %]` and `(UK: free)` are for the reader. So it begins with a given name, with letters of a name beside a day or
//! a word for a change, or with one word to whom a question is put.

use gtm_lexicon::company::YOU;
use gtm_lexicon::documents::{CHANGES, CHAT_QUESTIONS, EDITING, FAMILIAR_YOU, SOMEBODY};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{fold, split};

use super::clauses::is_colon;

/// Longest signature, in words, and the letters of a name.
const SIGNATURE_WORDS: usize = 5;
/// Signs behind the name of who is called, and fewest words that are said to him.
const CALL_SIGNS: [char; 6] = [',', ':', '–', '—', '，', '：'];
const FEWEST_WORDS: usize = 2;
const INITIALS: std::ops::RangeInclusive<usize> = 2..=3;

/// Whether what stands in a bracket calls somebody by a given name, and says something to him or of others: `Dave, he will ring
/// you about it`. `Anna, our head of sites` and `Leeds, by rail` call nobody.
pub fn calls_somebody(inner: &str) -> bool {
    let Some((name, said)) = inner.split_once(CALL_SIGNS) else {
        return false;
    };
    let (name, said) = (name.trim(), said.trim());
    let folded = fold(said);
    let words = split(&folded);
    let is_word = split(name).len() == 1 && name.starts_with(char::is_uppercase);
    let is_name =
        is_word && (GIVEN_NAMES.contains(fold(name).as_str()) || !inner.contains(is_colon));
    let asks = said.ends_with(['?', '？']) || EDITING.open(&words) || CHAT_QUESTIONS.open(&words);
    let speaks = SOMEBODY.any_has(words.first().copied().unwrap_or_default())
        || words
            .iter()
            .any(|word| YOU.has_word(word) || FAMILIAR_YOU.has_word(word));
    is_name && words.len() >= FEWEST_WORDS && (asks || speaks)
}

/// Whether what stands in a bracket begins with whoever says it.
pub fn is_one(inner: &str, is_round: bool) -> bool {
    let Some((signature, said)) = inner.split_once(is_colon) else {
        return false;
    };
    let printed = split(signature);
    let folded = fold(signature);
    let is_name = |word: &&str| {
        word.starts_with(char::is_uppercase) && GIVEN_NAMES.contains(fold(word).as_str())
    };
    let is_initials = |word: &&str| {
        INITIALS.contains(&word.len()) && word.bytes().all(|c| c.is_ascii_uppercase())
    };
    let names = printed.iter().any(is_name);
    let initials = printed.iter().any(is_initials);
    // `12/3`, but not `ISO 9001`
    let dated = signature
        .split_whitespace()
        .any(|word| word.contains(['/', '.', '-']) && word.contains(|c: char| c.is_ascii_digit()));
    let changes = CHANGES.any_in(&split(&folded));
    let asked = printed.len() == 1
        && signature.trim_start().starts_with(char::is_uppercase)
        && signature.contains(char::is_lowercase)
        && said.trim_end().ends_with(['?', '？']);
    (1..=SIGNATURE_WORDS).contains(&printed.len())
        && said.contains(char::is_alphanumeric)
        && ((names || asked) && !is_round
            || (names || initials) && changes
            || initials && dated && !is_round)
}

#[cfg(test)]
mod tests {
    use super::{calls_somebody, is_one};

    #[test]
    fn a_signature_tells() {
        for inner in [
            "Rob: can you check?",
            "Maria: was 40",
            "JH 12/3: was six",
            "ÄNDERUNG KS: bisher optional",
            "edit Maria: was 40",
        ] {
            assert!(is_one(inner, false), "{inner}");
        }
        for inner in [
            "EU: 12 %",
            "UK: free",
            "see the chart",
            "Note: net",
            "ISO 9001: yes",
        ] {
            assert!(!is_one(inner, true), "{inner}");
        }
        assert!(!is_one("EU: 12 %", false));
    }

    #[test]
    fn a_name_that_is_called_tells() {
        for inner in [
            "Dave, he will ring you about it",
            "Sven – guckst du da noch mal?",
            "Marta: check the dates",
            "Luca, te lo dico dopo",
        ] {
            assert!(calls_somebody(inner), "{inner}");
        }
        for inner in [
            "Anna, our head of sites",
            "Leeds, by rail",
            "Marta: 14 days",
            "Paul, Leiter Technik",
        ] {
            assert!(!calls_somebody(inner), "{inner}");
        }
    }
}
