//! Where a text presses with an end that is near: `the price goes up on Friday`. Three kinds of words make it: what ends,
//! that it does, and when. Each by itself is harmless, and so are two of them: `you get our prices on Friday`.

use std::ops::Range;

use gtm_lexicon::Phrases;
use gtm_lexicon::company::YOU;
use gtm_lexicon::denials::{BEHIND, UNDONE};
use gtm_lexicon::messages::NO_LAPSES;

use super::passage::{Word, gap};
use super::vocabulary::Vocabulary;

/// Most words between what ends and that it does: `the price of your seat goes up`.
const BETWEEN: usize = 3;
/// Most words from there to when.
const TO_THE_TIME: usize = 5;
/// Most words between a negation and what it denies: `won't be going up`.
const TO_THE_DENIED: usize = 1;
/// Marks between two words of one clause, besides blanks.
const JOINING: [char; 5] = [',', '\'', '’', '-', '、'];

/// Where a passage presses with an end that is near.
pub(super) fn lapses(text: &str, words: &[Word], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in 1..=words.len() {
        let joins = words
            .get(end)
            .zip(words.get(end - 1))
            .is_some_and(|(next, last)| {
                let between = text.get(last.range.end..next.range.start);
                // Words of one run of letters have nothing between them.
                let between = between.unwrap_or_default();
                between
                    .chars()
                    .all(|c| c.is_whitespace() || JOINING.contains(&c))
            });
        if !joins {
            let clause = words.get(start..end).unwrap_or_default();
            found.extend(lapse_of(clause, vocabulary));
            start = end;
        }
    }
    found
}

/// The first such end in a clause.
fn lapse_of(clause: &[Word], vocabulary: &Vocabulary) -> Option<Range<usize>> {
    let bare: Vec<&str> = clause.iter().map(|word| word.folded.as_str()).collect();
    let of = |phrases: Option<&'static Phrases>| -> Vec<Range<usize>> {
        let places = phrases
            .into_iter()
            .flat_map(|phrases| phrases.places(&bare));
        places.map(|(at, phrase)| at..at + phrase.len()).collect()
    };
    let mut limited = of(vocabulary.limited);
    // What the reader has is not held out to him: `your seats`.
    limited.retain(|thing| {
        let before = thing.start.checked_sub(1).and_then(|at| bare.get(at));
        !before.is_some_and(|word| YOU.has_word(word))
    });
    if limited.is_empty() {
        return None;
    }
    let (undone, behind): (&'static Phrases, &'static Phrases) = (&UNDONE, &BEHIND);
    let (undone, behind) = (of(Some(undone)), of(Some(behind)));
    let (negations, no_ends) = (
        of(vocabulary.negations),
        of(NO_LAPSES.of(&vocabulary.language)),
    );
    let (mut ends, times) = (of(vocabulary.lapses), of(vocabulary.deadlines));
    // What ends up somewhere ends nothing, and what does not end presses nobody.
    ends.retain(|end| {
        let denies = |no: &Range<usize>| {
            no.end <= end.start
                && gap(no, end) <= TO_THE_DENIED
                && !undone
                    .iter()
                    .any(|it| it.start < no.end && no.start < it.end)
        };
        !negations.iter().any(denies)
            && !behind.iter().any(|no| no.start == end.end)
            && !no_ends.iter().any(|it| it.start == end.start)
    });
    for thing in &limited {
        for end in ends.iter().filter(|end| gap(thing, end) <= BETWEEN) {
            let both = thing.start.min(end.start)..thing.end.max(end.end);
            // Of `the end of the week` the end belongs to the time.
            let is_apart = |time: &&Range<usize>| {
                time.len() == 1 || end.end <= time.start || time.end <= end.start
            };
            let near = |time: &&Range<usize>| gap(&both, time) <= TO_THE_TIME;
            if let Some(time) = times.iter().filter(is_apart).find(near) {
                let first = clause.get(both.start.min(time.start))?;
                let last = clause.get(both.end.max(time.end).checked_sub(1)?)?;
                return Some(first.range.start..last.range.end);
            }
        }
    }
    None
}
