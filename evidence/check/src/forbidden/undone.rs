//! Clauses that have a negation and deny nothing: `not only`, `cannot not`, `no savings like ours`.

use gtm_lexicon::denials::{EITHER, EXCEPTIONS, PARTICLES, PROMISES, THAT, UNDONE};

/// Most words between two negations of which one undoes the other: `cannot, as it were, not`.
const BETWEEN: usize = 3;

/// The number of its clause for each word, by the words with which clauses begin.
pub(super) fn clauses(begins: &[bool]) -> Vec<usize> {
    let clauses = begins.iter().scan(0, |clause, begins| {
        *clause += usize::from(*begins);
        Some(*clause)
    });
    clauses.collect()
}

/// For the number of each clause, whether its negations deny nothing.
pub(super) fn undone(words: &[&str], begins: &[bool], clauses: &[usize]) -> Vec<bool> {
    let mut undone = vec![false; words.len() + 1];
    let mut undo = |clause: Option<usize>| {
        if let Some(undone) = clause.and_then(|clause| undone.get_mut(clause)) {
            *undone = true;
        }
    };
    let clause_of = |at: usize| clauses.get(at).copied();
    for (at, phrase) in UNDONE.places(words) {
        // “Ne sont pas que garanties” is not only; “ne promettons pas que cela …” denies.
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_that = phrase.last().is_some_and(|word| THAT.has_word(word));
        if !(is_that && before.is_some_and(|word| PROMISES.has_word(word))) {
            undo(clause_of(at));
        }
    }
    for (at, _) in EXCEPTIONS.places(words) {
        undo(clause_of(at));
        // “No savings, except ours.”
        if begins.get(at).is_some_and(|begins| *begins) {
            undo(at.checked_sub(1).and_then(clause_of));
        }
    }
    let particles: Vec<(usize, usize)> = PARTICLES
        .places(words)
        .map(|(at, phrase)| (at, at + phrase.len()))
        .collect();
    for pair in particles.windows(2) {
        let [(first, end), (second, _)] = *pair else {
            continue;
        };
        let between = words.get(end..second);
        let is_double = between.is_some_and(|between| {
            between.len() <= BETWEEN
                && !EITHER.any_in(between)
                && !between.iter().any(|word| THAT.has_word(word))
        });
        if is_double && clause_of(first) == clause_of(second) {
            undo(clause_of(first));
        }
    }
    undone
}
