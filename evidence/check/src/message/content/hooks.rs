//! Whether a hook says what its excerpt says. It was worded by a person, so words may differ; but not what it is about,
//! whether it is so, nor who and when.
//!
//! DANGER: the hook is what a message claims to know of its reader. One that says `closes` of what opens is a lie to
//! somebody who knows better.

use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_lexicon::denials::UNDONE;
use gtm_lexicon::messages::OPPOSITES;
use gtm_lexicon::{Phrases, fold, languages, months};

use super::super::CitedEvidence;
use super::super::facts::{ApprovedTexts, COVERED};
use super::super::passage::{Part, Passage, Source, Word, found};
use super::super::said_by::is_hook;
use super::super::stems::{Stems, acronym, carries_subject};
use super::super::text_language::{seems_in_another, sentence_differs};
use super::super::vocabulary::Vocabulary;
use super::Reader;
use crate::caseless::caseless;
use crate::small_words::is_small;

/// The language that writes all nouns with a capital, so that a capital tells no name there.
const NOUNS_IN_CAPITALS: &str = "de";
/// Fewest letters of a name; shorter ones are compared if they are all capitals.
const NAME_LETTERS: usize = 3;
/// Fewest words with a subject by which a part of a sentence is compared for itself.
const PART: usize = 2;
/// Marks that part a sentence.
const MARKS: [char; 8] = [',', ';', ':', '–', '—', '(', ')', '、'];

impl Reader<'_> {
    /// The parts of a hook that its record does not bear out, as bytes of the paragraph.
    pub(super) fn unborne_by_its_excerpt(&self, part: &Part, hook: &str) -> Vec<Range<usize>> {
        let Some(record) = self.record_of(Placeholder::EvidenceHook, hook) else {
            return vec![part.range.clone()];
        };
        if sentence_differs(hook, self.given.language) {
            return vec![part.range.clone()];
        }
        let unborne = unborne(hook, record, self.given.recipient, self.vocabulary);
        let from = part.range.start;
        (unborne.into_iter())
            .map(|range| from + range.start..from + range.end)
            .collect()
    }

    /// Whether a phrase that presses is the reader's own: it stands in a hook, in the middle of more, and in an excerpt.
    /// `Act now.` is nobody's, whoever wrote it.
    pub(super) fn is_quoted_pressure(&self, passage: &Passage, hit: &Range<usize>) -> bool {
        if !stands_in_a_hook(passage, hit) {
            return false;
        }
        let words = passage.words(is_hook);
        let phrase: Vec<&str> = (words.iter())
            .filter(|word| hit.contains(&word.range.start))
            .map(|word| word.folded.as_str())
            .collect();
        let besides = words.iter().filter(|word| !hit.contains(&word.range.start));
        let besides = besides.filter(|word| carries_subject(&word.folded));
        besides.count() >= PART && self.excerpts().have(&phrase)
    }

    /// Whether praise in a hook stands in an excerpt, so that the reader says it.
    pub(super) fn is_quoted_praise(&self, passage: &Passage, hit: &Range<usize>) -> bool {
        if !stands_in_a_hook(passage, hit) {
            return false;
        }
        let words = passage.words(is_hook);
        let phrase: Vec<&str> = (words.iter())
            .filter(|word| hit.contains(&word.range.start) && !is_small(&word.folded))
            .map(|word| word.folded.as_str())
            .collect();
        self.excerpts().have(&phrase)
    }

    fn excerpts(&self) -> ApprovedTexts {
        ApprovedTexts::of(self.given.evidence.iter().map(|record| record.excerpt))
    }
}

fn stands_in_a_hook(passage: &Passage, hit: &Range<usize>) -> bool {
    passage.source_at(hit.start).is_some_and(is_hook)
}

/// A text, read.
struct Read {
    passage: Passage,
    words: Vec<Word>,
}

impl Read {
    fn of(text: &str) -> Self {
        let mut passage = Passage::default();
        passage.push(text, Source::Literal);
        let words = passage.words(Source::is_own);
        Self { passage, words }
    }

    fn words_in(&self, range: &Range<usize>) -> &[Word] {
        let first = (self.words).partition_point(|word| word.range.start < range.start);
        let end = (self.words).partition_point(|word| word.range.start < range.end);
        self.words.get(first..end).unwrap_or_default()
    }

    /// The parts of a range between marks.
    fn parts_of(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let text = self.passage.text.get(range.clone()).unwrap_or_default();
        let mut at = range.start;
        let mut parts = Vec::new();
        for part in text.split_inclusive(MARKS) {
            parts.push(at..at + part.len());
            at += part.len();
        }
        parts
    }

    fn printed(&self, word: &Word) -> &str {
        self.passage
            .text
            .get(word.range.clone())
            .unwrap_or_default()
    }

    /// The words in a range that carry a subject, as they are compared, but for those that these phrases have.
    fn subjects(&self, range: &Range<usize>, but: &[Range<usize>]) -> Vec<String> {
        let words = self.words_in(range).iter();
        let said = words.filter(|word| !but.iter().any(|it| it.contains(&word.range.start)));
        said.map(|word| acronym(self.printed(word)).unwrap_or_else(|| word.folded.clone()))
            .filter(|word| carries_subject(word))
            .collect()
    }
}

/// What a hook says that its record does not: bytes of the hook.
fn unborne(
    hook: &str,
    record: &CitedEvidence<'_>,
    recipient: &[&str],
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    if caseless(record.excerpt).contains(&caseless(hook)) {
        return Vec::new();
    }
    let (said, excerpt) = (Read::of(hook), Read::of(record.excerpt));
    let borne = Stems::of_text(record.excerpt);
    let known = [&[record.source_label.unwrap_or_default()][..], recipient].concat();
    let known = Stems::of_text(&known.join(" "));
    let reports = found(&said.words, vocabulary.reports);
    let mut unborne = other_months(&said, record, vocabulary);
    unborne.extend(other_names(&said, &borne, &known, &reports, vocabulary));
    // Words of another language cannot be compared, nor those of one without lists.
    if vocabulary.reports.is_some() && !seems_in_another(record.excerpt, &vocabulary.language) {
        let parts = parts_of_all(&excerpt);
        for sentence in said.passage.sentences() {
            let mut about = said.subjects(&sentence, &reports);
            about.retain(|word| !known.has(word) || borne.has(word));
            let (all, covered) = borne.covered(about.iter().map(String::as_str));
            let is_about_it = covered * 100 >= all * COVERED;
            if !is_about_it
                || contradicts(&said, &sentence, &reports, (&excerpt, &parts), vocabulary)
            {
                unborne.push(sentence);
            }
        }
    }
    unborne.sort_by_key(|range| (range.start, range.end));
    unborne.dedup();
    unborne
}

fn parts_of_all(read: &Read) -> Vec<Range<usize>> {
    let sentences = read.passage.sentences();
    sentences.iter().flat_map(|it| read.parts_of(it)).collect()
}

/// Whether a part of a sentence says the contrary of those parts of the excerpt that are about the same.
fn contradicts(
    said: &Read,
    sentence: &Range<usize>,
    reports: &[Range<usize>],
    (excerpt, of_excerpt): (&Read, &[Range<usize>]),
    vocabulary: &Vocabulary,
) -> bool {
    let parts = said.parts_of(sentence);
    let is_one = parts.len() == 1;
    parts.iter().any(|part| {
        let about = said.subjects(part, reports);
        if about.len() < PART && !is_one {
            return false;
        }
        let shared = |other: &Range<usize>| {
            let stems = excerpt.subjects(other, &[]);
            let stems = Stems::of(stems.iter().map(String::as_str));
            stems.covered(about.iter().map(String::as_str)).1
        };
        let most = of_excerpt.iter().map(shared).max().unwrap_or_default();
        let nearest = || of_excerpt.iter().filter(|other| shared(other) == most);
        let agrees = |other: &Range<usize>| {
            let (one, other) = (said.words_in(part), excerpt.words_in(other));
            let turned = is_denied(one, vocabulary) != is_denied(other, vocabulary);
            turned == are_opposed(one, other, vocabulary)
        };
        most > 0 && !nearest().any(agrees)
    })
}

/// Whether words say that something is not so. `Not only` does not.
fn is_denied(words: &[Word], vocabulary: &Vocabulary) -> bool {
    let undone: &'static Phrases = &UNDONE;
    let undone = found(words, Some(undone));
    let mut negations = found(words, vocabulary.negations).into_iter();
    negations.any(|it| {
        !undone
            .iter()
            .any(|un| un.start < it.end && it.start < un.end)
    })
}

/// Whether one stands on one side and the other on the other: `opens` and `closes`.
fn are_opposed(one: &[Word], other: &[Word], vocabulary: &Vocabulary) -> bool {
    let (one, other) = (sides(one, vocabulary), sides(other, vocabulary));
    one.iter().any(|side| {
        let back = -side;
        !one.contains(&back) && other.contains(&back) && !other.contains(side)
    })
}

fn sides(words: &[Word], vocabulary: &Vocabulary) -> Vec<f64> {
    let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let at = |at: usize| {
        OPPOSITES.at_start(
            bare.get(at..).unwrap_or_default(),
            Some(&vocabulary.language),
        )
    };
    let found = (0..bare.len()).flat_map(at).map(|(_, _, side)| side);
    found.filter(|side| *side != 0.0).collect()
}

/// Months that neither excerpt nor record have. A notice of March may be called so because it was seen in March.
fn other_months(
    said: &Read,
    record: &CitedEvidence<'_>,
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let Some(language) = languages().iter().find(|it| it.code == vocabulary.language) else {
        return Vec::new();
    };
    let month_of = |printed: &str| {
        let of = |names: &&'static [&'static str]| names.contains(&printed);
        language.months.iter().position(of).map(|at| at + 1)
    };
    let label = record.source_label.unwrap_or_default();
    let told = format!("{} {label}", record.excerpt);
    let folded = fold(&told);
    let words = gtm_lexicon::split(&folded);
    let seen = record
        .observed_on
        .and_then(|day| day.get(5..7)?.parse::<usize>().ok());
    let is_told = |month: usize| {
        let names = |word: &&str| {
            let is_named = |(name, of): (&str, u8)| {
                usize::from(of) == month && fold(name).trim_end_matches('.') == *word
            };
            months().any(is_named) || word.parse() == Ok(month)
        };
        seen == Some(month) || words.iter().any(names)
    };
    let months = said.words.iter().filter(|word| {
        let month = month_of(said.printed(word));
        month.is_some_and(|month| !is_told(month))
    });
    months.map(|word| word.range.clone()).collect()
}

/// Names that neither the excerpt has nor what is known of the reader.
fn other_names(
    said: &Read,
    borne: &Stems,
    known: &Stems,
    reports: &[Range<usize>],
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    if vocabulary.language == NOUNS_IN_CAPITALS {
        return Vec::new();
    }
    let begins: Vec<usize> = (said.passage.sentences().iter())
        .filter_map(|sentence| said.words_in(sentence).first())
        .map(|word| word.range.start)
        .collect();
    let is_month = |printed: &str| months().any(|(name, _)| name == printed);
    let names = said.words.iter().filter(|word| {
        let printed = said.printed(word);
        let long = printed.chars().count() >= NAME_LETTERS || acronym(printed).is_some();
        let compared = acronym(printed).unwrap_or_else(|| word.folded.clone());
        long && printed.chars().next().is_some_and(char::is_uppercase)
            && !begins.contains(&word.range.start)
            && carries_subject(&compared)
            && !is_month(printed)
            && !reports.iter().any(|it| it.contains(&word.range.start))
            && !borne.has(&compared)
            && !known.has(&compared)
    });
    names.map(|word| word.range.clone()).collect()
}
