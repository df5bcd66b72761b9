//! Whether one clause of the excerpt tells what a part of a hook tells. A hook of the excerpt's own words can lie: by what is
//! told of something else (`your carpenters won` where apprentices did), or by another order (`Tarn bought Hollis`).
//!
//! Circumstances may be told elsewhere in the sentence or beside it, unless the clause has its own: `the depot in Hull` is
//! not closed by what is told of the depot in Goole.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use gtm_lexicon::denials::JOINTS;

use super::super::super::passage::Word;
use super::super::super::vocabulary::Vocabulary;
use super::clauses::{Clause, clauses};
use super::read::Read;
use super::said::{Content, Said, Same};
use super::tellings::{Place, Telling};
use super::turned::is_turned;
use super::{Comparison, PART};

/// An excerpt's clause with what it tells.
struct Told<'r> {
    clause: Clause,
    said: Said<'r>,
    telling: Telling<'r>,
}

/// The clauses of an excerpt. None in a language without lists for them.
pub(super) struct Tellings<'r> {
    told: Vec<Told<'r>>,
    read: &'r Read,
    vocabulary: &'r Vocabulary,
}

impl<'r> Tellings<'r> {
    pub(super) fn of(read: &'r Read, vocabulary: &'r Vocabulary) -> Self {
        let language = vocabulary.language.as_str();
        let told = clauses(read, vocabulary).into_iter().filter_map(|clause| {
            let content = Content::of(read, &clause.range, &[], vocabulary);
            Some(Told {
                said: said_in(read, std::slice::from_ref(&clause.range), language),
                telling: Telling::of(read, &clause.range, &content, vocabulary)?,
                clause,
            })
        });
        Self {
            told: told.collect(),
            read,
            vocabulary,
        }
    }

    /// The clauses, as bytes of the excerpt.
    pub(super) fn clauses(&self) -> impl Iterator<Item = &Range<usize>> {
        self.told.iter().map(|it| &it.clause.range)
    }

    /// What the clauses of a sentence and of the sentences beside it say.
    fn around(&self, sentence: usize) -> Said<'r> {
        let beside = self.told.iter().map(|it| &it.clause);
        let beside = beside.filter(|it| it.sentence.abs_diff(sentence) <= 1);
        let ranges: Vec<Range<usize>> = beside.map(|it| it.range.clone()).collect();
        said_in(self.read, &ranges, &self.vocabulary.language)
    }
}

/// What ranges of a text say: as a whole, and between marks, where a verb may end with its particle.
fn said_in<'r>(read: &'r Read, ranges: &[Range<usize>], language: &str) -> Said<'r> {
    let parts = ranges.iter().flat_map(|range| read.parts_of(range));
    let all = ranges.iter().cloned().chain(parts);
    let words: Vec<_> = all.map(|range| read.words_in(&range)).collect();
    Said::of(&words, language)
}

impl Comparison<'_> {
    /// Whether a part of a sentence is told by no clause of the excerpt.
    pub(super) fn is_mistold(&self, sentence: &Range<usize>) -> bool {
        if self.tellings.told.is_empty() {
            return false;
        }
        let parts = self.said.parts_of(sentence).into_iter();
        let mut parts = parts.flat_map(|part| between_joints(&self.said, &part));
        parts.any(|part| !self.is_told(&part))
    }

    fn is_told(&self, part: &Range<usize>) -> bool {
        let content = self.content(part);
        let telling = Telling::of(&self.said, part, &content, self.vocabulary);
        let Some(mut telling) = telling.filter(|_| content.count() >= PART) else {
            return true;
        };
        telling.lengthen(|words| self.stands_in_a_row(words));
        let answered = self.answered(part);
        let language = self.vocabulary.language.as_str();
        let known = Said::of(&[&self.known.words], language);
        let lacking: Vec<BTreeSet<usize>> = (self.tellings.told.iter())
            .map(|told| places(&telling, &told.said.lacks(&content, language)))
            .map(|places| self.but_known(&telling, places, (&known, &answered)))
            .collect();
        for (_, words) in telling.tied() {
            let is_one = |kept: &usize| {
                let kept = words.get(..*kept).unwrap_or_default();
                lacking
                    .iter()
                    .any(|it| kept.iter().all(|at| !it.contains(at)))
            };
            let kept = (1..=words.len()).rev().find(is_one).unwrap_or(words.len());
            telling.untie(words.get(kept..).unwrap_or_default());
        }
        let part = Part {
            telling,
            content,
            lacking,
        };
        let mut beside = BTreeMap::new();
        (0..part.lacking.len()).any(|at| self.tells(at, &part, &mut beside))
    }

    /// Without those words that are known of the reader, or said by their opposite.
    fn but_known(
        &self,
        telling: &Telling<'_>,
        mut places: BTreeSet<usize>,
        (known, answered): (&Said<'_>, &[Range<usize>]),
    ) -> BTreeSet<usize> {
        places.retain(|at| {
            let word = telling.words.get(*at);
            !word.is_some_and(|word| answered.contains(&word.range) || known.has(&word.folded))
        });
        // A person is named by one of his names.
        for name in telling.names() {
            let words = telling.words.get(name.clone()).unwrap_or_default();
            if name.clone().any(|at| !places.contains(&at)) && self.stands_in_a_row(words) {
                places.retain(|at| !name.contains(at));
            }
        }
        places
    }

    fn stands_in_a_row(&self, words: &[Word]) -> bool {
        let mut rows = self.excerpt.words.windows(words.len().max(1));
        rows.any(|row| {
            row.iter()
                .zip(words)
                .all(|(one, other)| one.folded == other.folded)
        })
    }

    /// Whether a clause tells the part. `beside`: of each sentence, the words that neither it nor those beside it say.
    fn tells(
        &self,
        at: usize,
        part: &Part<'_>,
        beside: &mut BTreeMap<usize, BTreeSet<usize>>,
    ) -> bool {
        let all = &self.tellings.told;
        let (Some(told), Some(lacks)) = (all.get(at), part.lacking.get(at)) else {
            return false;
        };
        let telling = &part.telling;
        let before = at
            .checked_sub(1)
            .and_then(|before| part.lacking.get(before));
        let before = before.filter(|_| told.telling.refers_back());
        let language = self.vocabulary.language.as_str();
        let is_core_told = lacks.iter().all(|at| {
            telling.places.get(*at) != Some(&Place::Core)
                || before.is_some_and(|before| !before.contains(at))
        });
        if !is_core_told {
            return false;
        }
        let sentence = told.clause.sentence;
        let beside = beside.entry(sentence).or_insert_with(|| {
            let around = self.tellings.around(sentence);
            places(telling, &around.lacks(&part.content, language))
        });
        let ties = telling.tied();
        // Whether the clause has a circumstance of this kind that the hook does not tell.
        let has_own = |class: &str| {
            let of_class = ties.iter().filter(|(it, _)| *it == class);
            let words = of_class.flat_map(|(_, words)| words);
            let words = words.filter_map(|at| telling.words.get(*at));
            let own = Said::of_words(words.map(|word| word.folded.as_str()), language);
            told.telling.tied().iter().any(|(other, words)| {
                let mut words = words.iter().filter_map(|at| told.telling.words.get(*at));
                *other == class && !words.any(|word| own.has(&word.folded))
            })
        };
        let are_ties_told = ties.iter().all(|(class, words)| {
            let mut foreign = words.iter().filter(|at| lacks.contains(at)).peekable();
            foreign.peek().is_none() || (!foreign.any(|at| beside.contains(at)) && !has_own(class))
        });
        let same = Same::of(telling.words, told.telling.words, language);
        are_ties_told
            && !has_other_number(telling, &told.telling, &same)
            && !is_turned(telling, &told.telling, &same)
    }
}

/// Whether the clause has another number behind a word that names a place with one: hall 5 is not hall 2. Other numbers are
/// held against the excerpt as a whole.
fn has_other_number(hook: &Telling<'_>, told: &Telling<'_>, same: &Same<'_>) -> bool {
    let mut numbered = hook.numbered();
    numbered.any(|(at, number)| {
        let others = told
            .numbered()
            .filter(|(other, _)| same.are_forms(at, *other));
        let others: Vec<&str> = others.map(|(_, number)| number).collect();
        !others.is_empty() && !others.contains(&number)
    })
}

/// A part of a hook that is held against each clause.
struct Part<'p> {
    telling: Telling<'p>,
    content: Content<'p>,
    /// Of each clause, the places of the words that it does not say.
    lacking: Vec<BTreeSet<usize>>,
}

/// The places of words that stand at these bytes.
fn places(telling: &Telling<'_>, bytes: &[Range<usize>]) -> BTreeSet<usize> {
    let words = telling.words.iter().enumerate();
    let found = words.filter(|(_, word)| bytes.contains(&word.range));
    found.map(|(at, _)| at).collect()
}

/// A part of a hook, cut before words that join another clause to it.
fn between_joints(read: &Read, part: &Range<usize>) -> Vec<Range<usize>> {
    let joints = read.words_in(part).iter().skip(1);
    let joints = joints.filter(|word| JOINTS.has_word(&word.folded));
    let mut ends: Vec<usize> = joints.map(|word| word.range.start).collect();
    ends.push(part.end);
    let mut from = part.start;
    let cut = ends.into_iter().map(|end| {
        let range = from..end;
        from = end;
        range
    });
    cut.collect()
}
