//! What is said around a number: whether it is called a result, and of what else its clause speaks. “You save 20 %” says
//! another thing than “the licence costs 20 %”.
//!
//! DANGER: a mark or a word such as `and` must not tear a number from what it is called: “Your saving: 20 %”. So a clause
//! that says too little by itself is read with its neighbours.

use std::collections::BTreeSet;

use gtm_lexicon::figures::{AT_LEAST, ROUGHLY};
use gtm_lexicon::judging::JOINTS;
use gtm_lexicon::messages::{
    NO_RESULTS, NO_RESULTS_TO, PRICES, RESULTS_AT, RESULTS_BY, RESULTS_FASTER, RESULTS_LESS,
    RESULTS_MORE, RESULTS_TO,
};
use gtm_lexicon::{Phrases, PhrasesByLanguage, fold, split};

use super::stems::{are_forms, carries_subject};

/// How many characters on each side of a number are to be read.
pub(super) const WIDE: usize = 240;
/// Most clauses on each side that are read with a number's own.
const NEIGHBOURS: usize = 3;
/// Fewest words with a subject that make a clause of their own.
const OWN: usize = 2;

/// Most words without a subject between `by` and a number: `by up to 20 %`.
const BETWEEN: usize = 3;

/// In which direction a number is a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Direction {
    Faster,
    Less,
    More,
    /// Something changes by it, and no word says in which direction.
    Changed,
}

const RESULTS: [(Direction, &PhrasesByLanguage); 3] = [
    (Direction::Faster, &RESULTS_FASTER),
    (Direction::Less, &RESULTS_LESS),
    (Direction::More, &RESULTS_MORE),
];

/// What is said around a number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Said {
    /// As what kinds of results.
    pub results: BTreeSet<Direction>,
    /// Words that carry a subject and call nothing a result.
    pub subjects: BTreeSet<String>,
    /// The first of them behind the number, in its own clause.
    pub named: Option<String>,
    /// Whether the number's own clause calls something a price.
    pub is_price: bool,
    /// If something may change to the number, the words that say what does and how, as far as they call nothing a result
    /// or a price: of “your costs shrivel to € 900” nobody knows what `shrivel` does.
    pub moved: Vec<String>,
}

impl Said {
    /// What a text says around what stands between `lead` and `tail`. Words of results are those of the language; without
    /// one, which is the case of approved texts, those of all languages.
    pub(super) fn around(lead: &str, tail: &str, language: Option<&str>) -> Self {
        let mut before = clauses(lead, language).into_iter().rev();
        let mut behind = clauses(tail, language).into_iter();
        let first = before.next().unwrap_or_default();
        let (mark, last) = (first.mark, behind.next().unwrap_or_default());
        let is_changed = first.ends_with_by(language);
        let is_price = first.has_price(language) || last.has_price(language);
        let moved = moved_to(&first, &last, language);
        let (first, last) = (first.read(language), last.read(language));
        let weight = first.weight + last.weight;
        let mut said = Self {
            named: last.subjects.first().cloned(),
            is_price,
            moved,
            ..Self::default()
        };
        said.add(last);
        said.add(first);
        // The mark before each clause stands between it and the next one.
        let (mut own, mut mark) = (weight, mark);
        for clause in before.take(NEIGHBOURS) {
            let next = clause.mark;
            let read = clause.read(language);
            if !mark.joins(own, read.weight) {
                break;
            }
            (own, mark) = (read.weight, next);
            said.add(read);
        }
        own = weight;
        for clause in behind.take(NEIGHBOURS) {
            let mark = clause.mark;
            let read = clause.read(language);
            let joins = match mark {
                // An answer may follow its question, but nothing that is said of a number follows it as a whole sentence.
                Mark::End => read.weight < OWN,
                mark => mark.joins(own, read.weight),
            };
            if !joins {
                break;
            }
            own = read.weight;
            said.add(read);
        }
        if is_changed && said.results.is_empty() {
            said.results.insert(Direction::Changed);
        }
        said
    }

    fn add(&mut self, clause: ReadClause) {
        self.results.extend(clause.results);
        self.subjects.extend(clause.subjects);
    }

    /// Whether one of the subjects is a form of the word.
    pub(super) fn speaks_of(&self, word: &str) -> bool {
        self.subjects.iter().any(|subject| are_forms(subject, word))
    }

    /// Whether both speak of something, and of nothing in common.
    pub(super) fn differs(&self, other: &Self) -> bool {
        !self.subjects.is_empty()
            && !other.subjects.is_empty()
            && !other.subjects.iter().any(|word| self.speaks_of(word))
    }
}

/// What stands before a clause.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Mark {
    /// What explains the other: a colon, a dash, a bracket.
    Tight,
    /// A comma, or a word that joins.
    #[default]
    Loose,
    /// The end of a sentence.
    End,
}

impl Mark {
    /// Whether it stands within what is said of a number, by the weights of the number's clause and of its neighbour.
    const fn joins(self, own: usize, other: usize) -> bool {
        let least = if matches!(self, Self::Tight) { OWN } else { 1 };
        own < least || other < OWN
    }
}

#[derive(Debug, Default)]
struct Clause {
    mark: Mark,
    words: Vec<String>,
}

/// What a clause says.
struct ReadClause {
    results: BTreeSet<Direction>,
    subjects: Vec<String>,
    /// How many of its words say something.
    weight: usize,
}

/// The words of a number's clause that say what changes to the number; none if nothing does.
fn moved_to(before: &Clause, behind: &Clause, language: Option<&str>) -> Vec<String> {
    let first = before.unknown(language);
    // “€ 900 is all that your costs shrivel to.”
    if before.ends_with_to(&RESULTS_TO, language) || behind.ends_with_to(&RESULTS_TO, language) {
        return first.chain(behind.unknown(language)).collect();
    }
    // What such a word belongs to stands before it: `fondent à 900 €`, `le forfait à 900 €`.
    match before.ends_with_to(&RESULTS_AT, language) {
        true => first.last().into_iter().collect(),
        false => Vec::new(),
    }
}

impl Clause {
    /// Whether it ends with one of the words with which something changes to a number, or with words behind these that say
    /// nothing: `to just`.
    fn ends_with_to(&self, to: &'static PhrasesByLanguage, language: Option<&str>) -> bool {
        let bare: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let mut is = vec![false; bare.len()];
        for phrases in lists_of(&NO_RESULTS_TO, language) {
            mark_places(phrases, &bare, &mut is);
        }
        let between = bare.iter().rev().take_while(|word| !carries_subject(word));
        let from = bare.len() - between.count().min(BETWEEN);
        lists_of(to, language).any(|phrases| {
            let mut places = phrases.places(&bare);
            places
                .any(|(at, phrase)| at + phrase.len() >= from && !is.get(at).is_some_and(|is| *is))
        })
    }

    /// Its words with a subject that call nothing a result or a price.
    fn unknown(&self, language: Option<&str>) -> impl Iterator<Item = String> {
        let bare: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let (_, mut known) = results_in(&self.words, language);
        for phrases in lists_of(&PRICES, language) {
            mark_places(phrases, &bare, &mut known);
        }
        let words = bare.iter().zip(&known);
        let unknown = words.filter(|(word, known)| !**known && carries_subject(word));
        let unknown: Vec<String> = unknown
            .filter(|(word, _)| is_word(word))
            .map(|(word, _)| (*word).to_owned())
            .collect();
        unknown.into_iter()
    }

    /// Whether a number behind it is one by which something changes: `by 20 %`, `by up to 20 %`.
    fn ends_with_by(&self, language: Option<&str>) -> bool {
        let bare: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let mut rounds = vec![false; bare.len()];
        for phrases in [&AT_LEAST, &ROUGHLY] {
            mark_places(phrases, &bare, &mut rounds);
        }
        let said = bare.iter().zip(&rounds).rev();
        let between = said.take_while(|(word, rounds)| **rounds || !carries_subject(word));
        let from = bare.len() - between.count().min(BETWEEN);
        lists_of(&RESULTS_BY, language).any(|phrases| {
            let mut places = phrases.places(&bare);
            places.any(|(at, phrase)| at + phrase.len() >= from)
        })
    }

    fn has_price(&self, language: Option<&str>) -> bool {
        let bare: Vec<&str> = self.words.iter().map(String::as_str).collect();
        lists_of(&PRICES, language).any(|phrases| phrases.any_in(&bare))
    }

    fn read(self, language: Option<&str>) -> ReadClause {
        let (results, taken) = results_in(&self.words, language);
        let mut weight = taken.iter().filter(|taken| **taken).count();
        let rest = self.words.into_iter().zip(&taken);
        let rest = rest.filter(|(word, taken)| !**taken && carries_subject(word) && is_word(word));
        let subjects: Vec<String> = rest.map(|(word, _)| word).collect();
        weight += subjects.len();
        ReadClause {
            results,
            subjects,
            weight,
        }
    }
}

fn is_word(word: &str) -> bool {
    word.contains(char::is_alphabetic)
}

/// The clauses of a text; the last one has nothing if the text ends with a mark.
fn clauses(text: &str, language: Option<&str>) -> Vec<Clause> {
    let folded = fold(text);
    let mut found = Vec::new();
    let (mut start, mut mark, mut last) = (0, Mark::default(), None);
    for (at, c) in folded.char_indices() {
        let end = at + c.len_utf8();
        let next = folded.get(end..).and_then(|rest| rest.chars().next());
        let spaced = next.is_none_or(char::is_whitespace);
        let border = match c {
            ':' | ',' | '.' | '!' | '?' | '…' if !spaced => None,
            ':' | '–' | '—' | '(' | ')' | '[' | ']' | '：' => Some(Mark::Tight),
            '-' if spaced && last.is_none_or(char::is_whitespace) => Some(Mark::Tight),
            ',' | ';' | '、' | '，' => Some(Mark::Loose),
            '.' | '!' | '?' | '…' | '\n' | '。' | '！' | '？' => Some(Mark::End),
            _ => None,
        };
        last = Some(c);
        if let Some(border) = border {
            add_clauses(
                folded.get(start..at).unwrap_or_default(),
                mark,
                language,
                &mut found,
            );
            (start, mark) = (end, border);
        }
    }
    add_clauses(
        folded.get(start..).unwrap_or_default(),
        mark,
        language,
        &mut found,
    );
    found
}

/// Adds what stands between two marks, parted where a word joins two clauses.
fn add_clauses(folded: &str, mark: Mark, language: Option<&str>, found: &mut Vec<Clause>) {
    let joins = |word: &str| match language {
        Some(language) => JOINTS.of(language).contains(word),
        None => JOINTS.iter().any(|(_, words)| words.contains(word)),
    };
    let mut clause = Clause {
        mark,
        words: Vec::new(),
    };
    for word in split(folded) {
        if joins(word) {
            found.push(std::mem::take(&mut clause));
        } else {
            clause.words.push(word.to_owned());
        }
    }
    found.push(clause);
}

/// As what results the words call something, and which of them do.
fn results_in(words: &[String], language: Option<&str>) -> (BTreeSet<Direction>, Vec<bool>) {
    let bare: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut rounds = vec![false; bare.len()];
    // “More than 30 days” calls nothing more.
    for phrases in [&AT_LEAST, &ROUGHLY, &NO_RESULTS] {
        mark_places(phrases, &bare, &mut rounds);
    }
    let mut taken = vec![false; bare.len()];
    let mut results = BTreeSet::new();
    for (direction, by_language) in RESULTS {
        for phrases in lists_of(by_language, language) {
            for (at, phrase) in phrases.places(&bare) {
                if rounds.get(at).is_some_and(|rounds| *rounds) {
                    continue;
                }
                results.insert(direction);
                for taken in taken.iter_mut().skip(at).take(phrase.len()) {
                    *taken = true;
                }
            }
        }
    }
    (results, taken)
}

/// The list of the language, or without one those of all.
fn lists_of(
    by_language: &'static PhrasesByLanguage,
    language: Option<&str>,
) -> impl Iterator<Item = &'static Phrases> {
    let language = language.map(str::to_owned);
    let lists = by_language.iter();
    lists
        .filter(move |(code, _)| language.as_deref().is_none_or(|it| it == *code))
        .map(|(_, phrases)| phrases)
}

fn mark_places(phrases: &'static Phrases, words: &[&str], marked: &mut [bool]) {
    for (at, phrase) in phrases.places(words) {
        for marked in marked.iter_mut().skip(at).take(phrase.len()) {
            *marked = true;
        }
    }
}
