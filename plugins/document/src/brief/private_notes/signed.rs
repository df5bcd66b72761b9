//! Brackets that somebody signed, as margins of a draft have them: `[Rob: can you check?]`, `<<JH 12/3: was six>>`, `[CHANGE KS: was
//! optional]`.
//!
//! Danger: `[EU: 12 %]` and `(UK: free)` are for the reader. So it begins with a given name, with letters of a name beside a day or
//! a word for a change, or with one word to whom a question is put.

use gtm_lexicon::documents::CHANGES;
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{fold, split};

use super::clauses::is_colon;

/// Longest signature, in words, and the letters of a name.
const SIGNATURE_WORDS: usize = 5;
const INITIALS: std::ops::RangeInclusive<usize> = 2..=3;

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
    use super::is_one;

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
}
