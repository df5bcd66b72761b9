//! Sentences that end a habit of the reader's: `Ne dites plus non à une commande urgente.` They sell something, and read like an order
//! to keep silent.
//!
//! Danger: `Ne dites plus rien au client` is such an order. So nobody else is named who is not to be told.

use gtm_lexicon::company::YOU;
use gtm_lexicon::documents::{
    ABSENT_READERS, ADDRESSING, CUSTOMERS, DESTINATIONS, IMPERATIVE_NEGATIONS, INTO_TEXTS,
    LIKEWISE, NEGATIONS, NO_MORE, NOTHINGS, OUTSIDERS, READING_ROLES, TELLING, TOLD_ONES,
};

/// How far into a sentence its negation stands, and behind that what is ended, in words.
const BEGIN: usize = 3;
const REACH: usize = 3;

/// Whether the words of a sentence end a habit.
pub fn are_ended(words: &[&str]) -> bool {
    let opening = words.get(..BEGIN.min(words.len())).unwrap_or_default();
    let negated = [&IMPERATIVE_NEGATIONS, &NEGATIONS]
        .into_iter()
        .flat_map(|list| list.places(opening))
        .map(|(at, phrase)| at + phrase.len())
        .min();
    let Some(begin) = negated else {
        return false;
    };
    let behind = words.get(begin..).unwrap_or_default();
    let near = behind.get(..REACH.min(behind.len())).unwrap_or_default();
    let ends = NO_MORE.any_in(near)
        || (1..=2).any(|length| {
            let from = behind.len().saturating_sub(length);
            behind.get(from..).is_some_and(|last| NO_MORE.are(last))
        });
    // `Ne pas mentionner Morel non plus` adds to a ban.
    ends && TELLING.any_in(near) && !LIKEWISE.any_in(words) && !names_others(words)
}

/// Whether somebody is named who is not to be told, or a place where it is not to stand.
fn names_others(words: &[&str]) -> bool {
    let is_theirs = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        before.is_some_and(|word| YOU.has_word(word) || ADDRESSING.any_has(word))
    };
    let named = [
        &ABSENT_READERS,
        &CUSTOMERS,
        &OUTSIDERS,
        &READING_ROLES,
        &TOLD_ONES,
    ]
    .into_iter()
    .flat_map(|list| list.places(words))
    .any(|(at, _)| !is_theirs(at));
    named
        || [&DESTINATIONS, &INTO_TEXTS, &NOTHINGS]
            .into_iter()
            .any(|list| list.any_in(words))
}

#[cfg(test)]
mod tests {
    use gtm_lexicon::{fold, split};

    #[test]
    fn a_habit_is_ended_where_nobody_else_is_named() {
        let ended = |sentence: &str| super::are_ended(&split(&fold(sentence)));
        for sentence in [
            "Ne dites plus non à une commande urgente.",
            "Ne parlez plus à vos clients de délais.",
            "Non dite più di no a un ordine urgente.",
            "No diga más que no a sus pedidos.",
            "Don't tell your auditors about paper any more.",
        ] {
            assert!(ended(sentence), "{sentence}");
        }
        for sentence in [
            "Ne dites plus rien au client.",
            "Ne leur dites plus cela.",
            "Ne parlez pas du litige.",
            "Ne pas mentionner Morel non plus.",
            "Non dite niente al cliente.",
            "Don't mention the fire in the document any more.",
        ] {
            assert!(!ended(sentence), "{sentence}");
        }
    }
}
