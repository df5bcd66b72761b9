//! What a question states. `Did you know that we supply Hollis?` asks for nothing: the clause behind `that` says what it
//! says in a sentence of its own, unless a word before it says that it is asked or wished, as in `is it right that`.

use std::ops::Range;

use gtm_lexicon::Phrases;
use gtm_lexicon::messages::{
    ASKED_JOINTS, DETERMINERS, MANNER_JOINTS, NO_STATED_JOINTS, STATED_JOINTS,
};

use super::super::super::passage::{Passage, Word};
use super::super::super::strangers::NOUNS_IN_CAPITALS;
use super::super::super::vocabulary::Vocabulary;

/// A clause of a question that states something.
pub(super) struct Stated {
    /// With the words that join it.
    pub whole: Range<usize>,
    /// Without them.
    pub behind: Range<usize>,
    /// Whether it says how or what, so that it is asked that the writer does it, and stated what that achieves.
    pub is_manner: bool,
}

/// The clauses of a question that state something. `clauses`: the parts between its marks.
pub(super) fn stated_in(
    passage: &Passage,
    words: &[Word],
    clauses: &[Range<usize>],
    vocabulary: &Vocabulary,
) -> Vec<Stated> {
    let language = vocabulary.language.as_str();
    let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let places = |phrases: Option<&'static Phrases>| -> Vec<Range<usize>> {
        let places = phrases
            .into_iter()
            .flat_map(|phrases| phrases.places(&bare));
        places.map(|(at, phrase)| at..at + phrase.len()).collect()
    };
    let (others, asked) = (
        places(NO_STATED_JOINTS.of(language)),
        places(ASKED_JOINTS.of(language)),
    );
    let joins = |joint: &Range<usize>| {
        let overlaps = |other: &Range<usize>| other.start < joint.end && joint.start < other.end;
        !others.iter().any(overlaps) && !asked.iter().any(|it| it.end == joint.start)
    };
    let stated = places(STATED_JOINTS.of(language)).into_iter();
    // `Qué` and `che` ask at the beginning, where only a joint of several words states: `did you know`.
    let stated = stated.filter(|joint| (joint.start > 0 || joint.len() > 1) && joins(joint));
    let manner = places(MANNER_JOINTS.of(language)).into_iter();
    let relative = relative(passage, words, vocabulary).into_iter();
    let all = (stated.map(|joint| (joint, false)))
        .chain(relative.map(|joint| (joint, false)))
        .chain(manner.map(|joint| (joint, true)));
    let found = all.filter_map(|(joint, is_manner)| {
        let first = words.get(joint.start)?.range.start;
        let end = clauses.iter().find(|clause| first < clause.end)?.end;
        let behind = words.get(joint.end)?.range.start;
        // Of `, that, in short, we …` a later clause says it.
        (behind < end).then_some(Stated {
            whole: first..end,
            behind: behind..end,
            is_manner,
        })
    });
    found.collect()
}

/// German relative pronouns are articles: behind a comma, and before `Ihr` or `wir`, one of them is a pronoun.
fn relative(passage: &Passage, words: &[Word], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    if vocabulary.language != NOUNS_IN_CAPITALS {
        return Vec::new();
    }
    let determiners = DETERMINERS.of(&vocabulary.language);
    let printed = |word: &Word| {
        passage
            .text
            .get(word.range.clone())
            .unwrap_or_default()
            .to_owned()
    };
    let triples = words.windows(3).enumerate();
    let found = triples.filter(|(_, triple)| match triple {
        [before, article, next] => {
            let between = passage.text.get(before.range.end..article.range.start);
            let next = printed(next);
            between.is_some_and(|between| between.contains(','))
                && determiners.contains(&article.folded)
                && vocabulary.speaks_of_persons(std::iter::once(next.as_str()))
        }
        _ => false,
    });
    found.map(|(at, _)| at + 1..at + 2).collect()
}
