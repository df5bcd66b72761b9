//! What is told in confidence by who is not to know it, and by whom one is warned of: `…, but we aren't saying that yet`, `nobody
//! there knows that yet`, `so tread lightly`, `if they insist, 8 %`.
//!
//! Danger: `We cannot yet say how many` is for the reader, and so is `The blade is hot, so be careful`. So what is not yet said is
//! what was said just before, and a warning is of a person.

use gtm_lexicon::company::{WE, YOU};
use gtm_lexicon::documents::{
    ABSENT_READERS, ADDRESSING, CAUTIONS, CLAUSE_OPENINGS, KNOWS, NEGATIONS, NOBODY, POINTING,
    PRESSING, READING_ROLES, SAYING, YET,
};
use gtm_lexicon::{Phrases, contracted_negation, fold, split};

use super::clauses::parts_clauses;

/// Longest clause that says that something is not yet told, in words.
const CLAUSE_WORDS: usize = 9;
/// Most words of such a clause that say something of their own.
const OWN_WORDS: usize = 2;

/// Whether a sentence says something in confidence.
pub fn is_one(sentence: &str) -> bool {
    let to_the_reader = split(sentence)
        .iter()
        .any(|word| ADDRESSING.any_has(word) || YOU.has_word(&fold(word)));
    if to_the_reader {
        return false;
    }
    let folded: Vec<String> = sentence.split(parts_clauses).map(fold).collect();
    let clauses: Vec<Vec<&str>> = folded.iter().map(|clause| split(clause)).collect();
    let clauses: Vec<&[&str]> = clauses
        .iter()
        .map(Vec::as_slice)
        .filter(|clause| !clause.is_empty())
        .collect();
    let asks = sentence.contains(['?', '？']);
    let mut behind = clauses.iter().enumerate();
    !asks
        && behind
            .any(|(at, clause)| is_not_told_yet(clause, at > 0) || at > 0 && is_unknown(clause))
        || warns_of_somebody(&clauses)
        || sentence.contains(char::is_numeric)
            && clauses
                .iter()
                .any(|clause| PRESSING.any_in(clause) && !WE.any_in(clause))
}

fn denies(words: &[&str]) -> bool {
    NEGATIONS.any_in(words) || contracted_negation(words).is_some()
}

/// `aber das sagen wir noch nicht`, `we aren't telling them yet`. `Über Preise sprechen wir noch nicht` says of what.
fn is_not_told_yet(words: &[&str], follows: bool) -> bool {
    let known: [&'static Phrases; 6] =
        [&SAYING, &YET, &NEGATIONS, &WE, &CLAUSE_OPENINGS, &POINTING];
    let own = words
        .iter()
        .filter(|word| !known.iter().any(|list| list.has_word(word)));
    let closing: [&'static Phrases; 3] = [&SAYING, &YET, &NEGATIONS];
    let ends = words
        .last()
        .is_some_and(|last| closing.iter().any(|list| list.has_word(last)));
    words.len() <= CLAUSE_WORDS
        && SAYING.any_in(words)
        && YET.any_in(words)
        && denies(words)
        && (follows || POINTING.any_in(words))
        && ends
        && own.count() <= OWN_WORDS
}

/// `das weiß dort aber noch keiner`
fn is_unknown(words: &[&str]) -> bool {
    words.len() <= CLAUSE_WORDS
        && NOBODY.any_in(words)
        && KNOWS.any_in(words)
        && YET.any_in(words)
        && POINTING.any_in(words)
}

/// `Their ops director left ours, so tread lightly.`
fn warns_of_somebody(clauses: &[&[&str]]) -> bool {
    let Some((last, before)) = clauses.split_last() else {
        return false;
    };
    let opening = CLAUSE_OPENINGS.at_start(last).map(<[_]>::len).max();
    let bare = last.get(opening.unwrap_or(0)..).unwrap_or_default();
    let in_one_run = CAUTIONS
        .places(last)
        .any(|(_, phrase)| phrase.first().is_some_and(|word| word.starts_with('*')));
    let warns = CAUTIONS.are(last) || CAUTIONS.are(bare) || in_one_run;
    let of_somebody =
        |clause: &&[&str]| READING_ROLES.any_in(clause) || ABSENT_READERS.any_in(clause);
    warns && (before.iter().any(of_somebody) || in_one_run && of_somebody(last))
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn what_is_told_in_confidence_is_known() {
        for sentence in [
            "Wir eröffnen ein zweites Lager, aber das sagen wir noch nicht.",
            "A second hall opens in May, but we're not telling them yet.",
            "On ouvre un second dépôt, mais on ne le dit pas encore.",
            "Abrimos otro almacén, pero aún no lo decimos.",
            "Apriamo un secondo magazzino, ma non lo diciamo ancora.",
            "We openen een tweede hal, maar dat zeggen we nog niet.",
            "Der Einkäufer geht im Mai, das weiß dort aber noch keiner.",
            "Their director and ours fell out, so tread lightly.",
            "If they insist, 8 % is fine.",
        ] {
            assert!(is_one(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_a_reader_is_told_is_none() {
        for sentence in [
            "We cannot yet say how many sensors hall 3 will need.",
            "Der Termin steht noch nicht fest, wir nennen ihn im Mai.",
            "Über Preise sprechen wir noch nicht.",
            "The blade is hot, so be careful.",
            "Wie viele es werden, weiß noch keiner.",
            "Das sagen wir Ihnen noch nicht zu.",
            "Your manager and ours agree, so be careful.",
        ] {
            assert!(!is_one(sentence), "{sentence}");
        }
    }
}
