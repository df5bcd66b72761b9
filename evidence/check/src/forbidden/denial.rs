//! Sentences as claims are looked for in them: their words, where their clauses begin, and what they deny.
//!
//! DANGER: “not only guaranteed savings” denies nothing, nor does “no risk: guaranteed savings”. So a negation counts only
//! for the next words of its own clause, and the less it says of itself what it denies, the fewer these are. What else
//! stands between must be a known word: “we never break our guarantee” denies the breaking.

use gtm_domain::message::plain_letters::Reading;
use gtm_lexicon::denials::{
    ATTRIBUTES, BEHIND, JOINTS, NOBODY, OF_NOUNS, OF_VERBS, PROMISES, THAT, THROUGH, WITHOUT,
};
use gtm_lexicon::messages::COMPARATIVES;
use gtm_lexicon::{Phrases, fold, split};
use unicode_normalization::UnicodeNormalization as _;

use super::undone::{clauses, undone};
use crate::document::sentences::sentences;
use crate::small_words::is_small;

/// Words that say something, from the negation of a verb to the next word that it denies: `do not promise savings`.
const BEHIND_VERBS: usize = 2;
/// The same for a negation that belongs to a noun: of `no risk, savings` it is the risk.
const BEHIND_NOUNS: usize = 1;
/// Words from the last word that is denied to a negation behind it: `sparen wir nicht`.
const BEFORE: usize = 2;
/// Words among which the negation of a claim is looked for.
const NEAR: usize = 24;
/// Most words of a sentence that is read together with its neighbour, and of all that are.
const SHORT: usize = 4;
const TOGETHER: usize = 8;
/// Words at the end of a longer sentence to which a short one behind it may belong.
const TAIL: usize = 6;

/// A text in which claims are looked for.
pub(super) struct Text {
    pub sentences: Vec<Sentence>,
    /// Short sentences in a row, read as one.
    pub rows: Vec<Row>,
}

/// Sentences that say one thing together: “Your savings? Guaranteed.”
pub(super) struct Row {
    pub sentence: Sentence,
    /// How many words each of them has.
    pub lengths: Vec<usize>,
    /// The first word that may belong to a claim: only the end of a longer sentence is read with those behind it.
    pub from: usize,
}

impl Text {
    pub(super) fn of(text: &Reading) -> Self {
        let seen = text.as_str();
        let mut found: Vec<(&str, Sentence)> = Vec::new();
        for range in sentences(seen) {
            let whole = seen.get(range).unwrap_or_default();
            for part in whole.split_inclusive("; ") {
                let sentence = Sentence::of(part);
                if !sentence.words.is_empty() {
                    found.push((part, sentence));
                }
            }
        }
        let rows = [2, 3].into_iter().flat_map(|count| found.windows(count));
        let rows = rows.filter_map(row).collect();
        Self {
            sentences: found.into_iter().map(|(_, sentence)| sentence).collect(),
            rows,
        }
    }

    /// How often these words stand in a row, if each time they are denied; else 0.
    pub(super) fn times_denied(&self, words: &[String]) -> usize {
        if words.is_empty() {
            return 0;
        }
        let mut times = 0;
        for sentence in &self.sentences {
            let windows = sentence.words.windows(words.len()).enumerate();
            for (at, _) in windows.filter(|(_, window)| *window == words) {
                if !sentence.denies(&[at, at + words.len() - 1]) {
                    return 0;
                }
                times += 1;
            }
        }
        times
    }
}

/// The sentences as one, if they stand in one line and are short; only the first may have any length.
fn row(sentences: &[(&str, Sentence)]) -> Option<Row> {
    let lengths: Vec<usize> = sentences.iter().map(|(_, it)| it.words.len()).collect();
    let (_, before) = sentences.split_last()?;
    let (first, behind) = lengths.split_first()?;
    let from = match *first <= SHORT {
        true => 0,
        false => first.saturating_sub(TAIL),
    };
    let fits = behind.iter().all(|length| *length <= SHORT)
        && behind.iter().sum::<usize>() + first.min(&SHORT) <= TOGETHER
        && !before.iter().any(|(text, _)| text.contains('\n'));
    fits.then(|| {
        let texts: Vec<&str> = sentences.iter().map(|(text, _)| *text).collect();
        Row {
            sentence: Sentence::of(&texts.join(" ")),
            lengths,
            from,
        }
    })
}

/// A sentence that may make a claim.
pub(super) struct Sentence {
    /// Folded, in compatibility form.
    pub words: Vec<String>,
    /// Whether a clause begins with the word.
    pub begins: Vec<bool>,
    /// In order of their places.
    negations: Vec<Negation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Denies {
    Verb,
    Noun,
    /// The verb before it.
    Before,
    /// That anybody does what the verb says.
    Anybody,
}

struct Negation {
    /// Places of its first and last word.
    first: usize,
    last: usize,
    denies: Denies,
    /// Where another one begins that it denies itself: of `not without savings`, the savings are not denied.
    until: Option<usize>,
}

impl Sentence {
    pub(super) fn of(text: &str) -> Self {
        let plain: String = text.nfkc().collect();
        // A dash is often written as a hyphen between blanks.
        let folded = fold(&plain).replace(" - ", " – ");
        let (mut words, mut begins) = (Vec::new(), Vec::new());
        for clause in folded.split(is_border) {
            let mut first = true;
            for word in split(clause) {
                words.push(word.to_owned());
                begins.push(first);
                first = false;
            }
        }
        let bare: Vec<&str> = words.iter().map(String::as_str).collect();
        for (at, _) in JOINTS.places(&bare) {
            if let Some(begins) = begins.get_mut(at) {
                *begins = true;
            }
        }
        let ends = folded.trim_end_matches(|c: char| !is_border(c));
        // “Why not …?” and “don't you want …?” deny nothing.
        let negations = match ends.ends_with(['?', '؟']) {
            true => Vec::new(),
            false => negations(&bare, &begins),
        };
        Self {
            words,
            begins,
            negations,
        }
    }

    /// Whether it denies what it says with the words at these places, or that one of them promises the others: `we do not
    /// promise, that you save`.
    pub(super) fn denies(&self, places: &[usize]) -> bool {
        let last = places.iter().max().copied().unwrap_or_default();
        let is_promise = |place: usize| {
            let behind = self.words.get(place + 1..=last).unwrap_or_default();
            let word = self.words.get(place);
            word.is_some_and(|word| PROMISES.has_word(word))
                && behind.iter().any(|word| THAT.has_word(word))
        };
        self.denies_all(places)
            || (places.iter()).any(|place| is_promise(*place) && self.denies_all(&[*place]))
    }

    fn denies_all(&self, places: &[usize]) -> bool {
        let (Some(first), Some(last)) = (places.iter().min(), places.iter().max()) else {
            return false;
        };
        let near = first.saturating_sub(NEAR);
        let from = self.negations.partition_point(|it| it.first < near);
        let mut negations = self.negations.iter().skip(from);
        let mut negations = negations
            .by_ref()
            .take_while(|it| it.first <= last + BEFORE);
        negations.any(|negation| match negation.denies {
            Denies::Before => {
                let ends = negation.last + 1;
                negation.first > *last
                    && self.is_one_clause(*last, negation.first)
                    && self.begins.get(ends).is_none_or(|begins| *begins)
            }
            Denies::Verb => self.reaches(negation, places, BEHIND_VERBS),
            Denies::Noun => self.reaches(negation, places, BEHIND_NOUNS),
            // “Nobody guarantees higher savings” claims that somebody guarantees as much.
            Denies::Anybody => {
                !places.iter().any(|place| self.is_compared(*place))
                    && self.reaches(negation, places, BEHIND_VERBS)
            }
        })
    }

    /// Whether a word directly before says that it is more than something else.
    fn is_compared(&self, place: usize) -> bool {
        let before = place
            .checked_sub(1)
            .and_then(|before| self.words.get(before));
        before.is_some_and(|word| COMPARATIVES.any_has(word))
    }

    /// Whether a clause before denies that something is denied: `it is not true that savings are not guaranteed`. Who denies
    /// that he promises it has promised nothing.
    fn is_undone(&self, negation: &Negation) -> bool {
        let near = negation.first.saturating_sub(NEAR);
        let before = self.words.get(near..negation.first).unwrap_or_default();
        let Some(that) = before.iter().rposition(|word| THAT.has_word(word)) else {
            return false;
        };
        let that = near + that;
        let begins = self.begins.get(..that).unwrap_or_default();
        let clause = begins.iter().rposition(|begins| *begins);
        let clause = clause.unwrap_or_default().max(near)..that;
        let mut words = self.words.get(clause.clone()).into_iter().flatten();
        !words.any(|word| PROMISES.has_word(word))
            && self.negations.iter().any(|it| clause.contains(&it.first))
    }

    /// Whether one of the places is within reach behind the negation.
    fn reaches(&self, negation: &Negation, places: &[usize], reach: usize) -> bool {
        let until = negation.until.unwrap_or(usize::MAX);
        let behind = places
            .iter()
            .filter(|place| (negation.last + 1..until).contains(*place));
        behind.min().is_some_and(|next| {
            let between = self.words.get(negation.last + 1..*next).unwrap_or_default();
            let says = |word: &&String| !is_small(word) && !ATTRIBUTES.has_word(word);
            let mut saying = between.iter().filter(says);
            let reaches = saying.clone().count() < reach;
            reaches
                && saying.all(|word| THROUGH.has_word(word))
                && self.is_one_clause(negation.first, *next)
                && !self.is_undone(negation)
        })
    }

    /// Whether no clause begins behind the first place and up to the last one.
    fn is_one_clause(&self, first: usize, last: usize) -> bool {
        let within = self.begins.get(first + 1..=last).unwrap_or_default();
        !within.contains(&true)
    }
}

/// Whether words say that something is not so.
pub(super) fn is_negative(words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    [&NOBODY, &OF_NOUNS, &OF_VERBS, &WITHOUT]
        .into_iter()
        .any(|phrases| phrases.any_in(&words))
}

fn is_border(c: char) -> bool {
    ",;:.!?…–—()[]¿¡\n、。؟،؛".contains(c)
}

fn negations(words: &[&str], begins: &[bool]) -> Vec<Negation> {
    let clauses = clauses(begins);
    let undone = undone(words, begins, &clauses);
    let places = |phrases: &'static Phrases| phrases.places(words).collect::<Vec<_>>();
    let mut found: Vec<(Negation, bool)> = Vec::new();
    for (phrases, denies, may_be_undone) in [
        (&NOBODY, Denies::Anybody, false),
        (&OF_VERBS, Denies::Verb, false),
        (&OF_NOUNS, Denies::Noun, false),
        (&WITHOUT, Denies::Noun, true),
        (&BEHIND, Denies::Before, false),
    ] {
        found.extend(places(phrases).into_iter().map(|(first, phrase)| {
            let negation = Negation {
                first,
                last: first + phrase.len().saturating_sub(1),
                denies,
                until: None,
            };
            (negation, may_be_undone)
        }));
    }
    found.sort_by_key(|(negation, _)| negation.first);
    let mut kept: Vec<Negation> = Vec::new();
    // The clause of the last negation.
    let mut denied = None;
    for (negation, may_be_undone) in found {
        let clause = clauses.get(negation.first).copied().unwrap_or_default();
        // “Not a day without …”
        let is_double = may_be_undone && denied == Some(clause);
        denied = Some(clause);
        if is_double {
            let of_clause = |it: &&mut Negation| clauses.get(it.first) == Some(&clause);
            for it in kept.iter_mut().filter(of_clause) {
                it.until = it.until.or(Some(negation.first));
            }
        } else if !undone.get(clause).is_some_and(|undone| *undone) {
            kept.push(negation);
        }
    }
    kept
}
