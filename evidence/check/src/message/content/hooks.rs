//! Whether a hook says what its excerpt says. It was worded by a person, so words may differ; but not what it is about,
//! whether it is so, nor who and when.
//!
//! DANGER: the hook is what a message claims to know of its reader. One that says `closes` of what opens is a lie to
//! somebody who knows better.

use std::collections::BTreeSet;
use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_lexicon::company::YOU;
use gtm_lexicon::denials::UNDONE;
use gtm_lexicon::messages::{ADDITIONS, AGENTS, GREETINGS, OPPOSITES, STOPS};
use gtm_lexicon::{Phrases, fold, languages, months};

use super::super::CitedEvidence;
use super::super::facts::COVERED;
use super::super::passage::{Part, Passage, Source, Word, found, gap};
use super::super::said_by::is_hook;
use super::super::stems::{Stems, acronym, bare, carries_subject};
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
/// Most words with a subject that a sentence has and its excerpt does not, besides the share of them.
const UNKNOWN: usize = 1;
/// Fewest letters of the name of a month, however it is written; `may` is more often a verb.
const MONTH_LETTERS: usize = 4;
/// Most words between a verb that stops something and what it stops: `stopped all our hiring`.
const TO_THE_STOPPED: usize = 2;
/// Marks that part a sentence. A hyphen does between blanks.
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
        let besides = words.iter().filter(|word| !hit.contains(&word.range.start));
        let besides = besides.filter(|word| carries_subject(&word.folded));
        besides.count() >= PART && self.excerpts_have(&words, hit)
    }

    /// Whether praise in a hook stands in an excerpt, so that the reader says it.
    pub(super) fn is_quoted_praise(&self, passage: &Passage, hit: &Range<usize>) -> bool {
        if !stands_in_a_hook(passage, hit) {
            return false;
        }
        self.excerpts_have(&passage.words(is_hook), hit)
    }

    /// Whether an excerpt has the words of a phrase in a row, but for small ones: the hook says `your` for `our`.
    fn excerpts_have(&self, words: &[Word], hit: &Range<usize>) -> bool {
        let is_large = |word: &&Word| !is_small(&word.folded);
        let within = words.iter().filter(|word| hit.contains(&word.range.start));
        let phrase: Vec<&str> = (within.filter(is_large))
            .map(|word| word.folded.as_str())
            .collect();
        let mut excerpts = self.given.evidence.iter().map(|record| record.excerpt);
        excerpts.any(|excerpt| {
            let told = Read::of(excerpt).words;
            let told: Vec<&str> = (told.iter().filter(is_large))
                .map(|word| word.folded.as_str())
                .collect();
            have_in_a_row(&told, &phrase)
        })
    }
}

fn stands_in_a_hook(passage: &Passage, hit: &Range<usize>) -> bool {
    passage.source_at(hit.start).is_some_and(is_hook)
}

fn have_in_a_row(words: &[&str], phrase: &[&str]) -> bool {
    !phrase.is_empty() && words.windows(phrase.len()).any(|it| it == phrase)
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
        let mut from = range.start;
        let mut parts = Vec::new();
        for (at, c) in text.char_indices() {
            if MARKS.contains(&c) || (c == '-' && is_between_blanks(text, at)) {
                let end = range.start + at + c.len_utf8();
                parts.push(from..end);
                from = end;
            }
        }
        if from < range.start + text.len() {
            parts.push(from..range.start + text.len());
        }
        parts
    }

    /// Whether a sentence greets and says nothing else: `Congratulations to you!`
    fn only_greets(
        &self,
        sentence: &Range<usize>,
        greetings: &[Range<usize>],
        known: &[Word],
    ) -> bool {
        let greets = |word: &Word| greetings.iter().any(|it| it.contains(&word.range.start));
        let is_known = |word: &Word| known.iter().any(|it| it.folded == word.folded);
        let words = self.words_in(sentence);
        let says_nothing = |word: &Word| greets(word) || !is_compared(word) || is_known(word);
        words.iter().any(greets) && words.iter().all(says_nothing)
    }

    /// The names among words of this text: those with a capital that carry a subject.
    fn names_in(&self, words: &[Word]) -> BTreeSet<String> {
        let names = words.iter().filter(|word| {
            let printed = self.printed(word);
            printed.chars().next().is_some_and(char::is_uppercase)
                && carries_subject(&word.folded)
                && !months().any(|(name, _)| name == printed)
        });
        names.map(|word| word.folded.clone()).collect()
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

fn is_between_blanks(text: &str, hyphen: usize) -> bool {
    let (before, behind) = (text.get(..hyphen), text.get(hyphen + 1..));
    before.is_some_and(|before| before.ends_with(char::is_whitespace))
        && behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
}

/// Whether a word is looked at where none carries a subject. Who is spoken of differs between hook and excerpt.
fn is_compared(word: &Word) -> bool {
    !is_small(&word.folded) && !YOU.has_word(&word.folded)
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
    let known_words = Read::of(&known.join(" ")).words;
    let known = Stems::of_text(&known.join(" "));
    let reports = found(&said.words, vocabulary.reports);
    let mut unborne = other_months(&said, record, vocabulary);
    unborne.extend(other_names(&said, &borne, &known, &reports, vocabulary));
    // Words of another language cannot be compared, nor those of one without lists.
    if vocabulary.reports.is_some() && !seems_in_another(record.excerpt, &vocabulary.language) {
        let parts = parts_of_all(&excerpt);
        let greetings = found(&said.words, GREETINGS.of(&vocabulary.language));
        let additions = found(&said.words, ADDITIONS.of(&vocabulary.language));
        let aside = [reports.as_slice(), &greetings, &additions].concat();
        let answered = answered(&said.words, &excerpt.words, vocabulary);
        let apart = [aside.as_slice(), &answered].concat();
        for sentence in said.passage.sentences() {
            if said.only_greets(&sentence, &greetings, &known_words) {
                continue;
            }
            let about = said.subjects(&sentence, &aside);
            let mut about: BTreeSet<String> = about.into_iter().collect();
            about.retain(|word| !YOU.has_word(word) && (!known.has(word) || borne.has(word)));
            let unknown = said.subjects(&sentence, &apart);
            let mut unknown: BTreeSet<String> = unknown.into_iter().collect();
            unknown.retain(|word| about.contains(word) && !borne.has(word));
            let is_borne = if about.is_empty() {
                stands_in(&said, &sentence, &reports, (&excerpt, &parts), vocabulary)
            } else {
                let covered = about.len().saturating_sub(unknown.len());
                unknown.len() <= UNKNOWN
                    && covered * 100 >= about.len() * COVERED
                    && !contradicts(&said, &sentence, &reports, (&excerpt, &parts), vocabulary)
            };
            if !is_borne {
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

/// Words of the hook with a side on which the excerpt has a word, or on the other: they are compared as opposites, so
/// `found buyers` need not be `sold`.
fn answered(said: &[Word], excerpt: &[Word], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let sides_of = |words: &[Word]| {
        let bare: Vec<&str> = bare(words).collect();
        sides(&bare, &vocabulary.language)
    };
    let amounts: Vec<f64> = (sides_of(excerpt).iter())
        .map(|(_, side)| side.abs())
        .collect();
    let answered = sides_of(said).into_iter();
    let answered = answered.filter(|(_, side)| amounts.contains(&side.abs()));
    let bytes = answered.filter_map(|(at, _)| {
        let within = said.get(at)?;
        Some(within.first()?.range.start..within.last()?.range.end)
    });
    bytes.collect()
}

/// Whether a sentence without a subject stands in the excerpt, word by word: `You charge no tax.` Small words and those that
/// tell where it was read are not compared, unless it has no others.
fn stands_in(
    said: &Read,
    sentence: &Range<usize>,
    reports: &[Range<usize>],
    (excerpt, of_excerpt): (&Read, &[Range<usize>]),
    vocabulary: &Vocabulary,
) -> bool {
    let words = said.words_in(sentence);
    let is_report = |word: &Word| reports.iter().any(|it| it.contains(&word.range.start));
    let mut wanted: Vec<&str> = (words.iter())
        .filter(|word| is_compared(word) && !is_report(word))
        .map(|word| word.folded.as_str())
        .collect();
    let is_whole = wanted.is_empty();
    if is_whole {
        wanted = bare(words).collect();
    }
    let denied = Saying::of(words, vocabulary).is_denied;
    let sentences = excerpt.passage.sentences();
    let mut places = sentences.iter().chain(of_excerpt);
    places.any(|place| {
        let other = excerpt.words_in(place);
        let told: Vec<&str> = (other.iter())
            .filter(|word| is_whole || is_compared(word))
            .map(|word| word.folded.as_str())
            .collect();
        have_in_a_row(&told, &wanted) && Saying::of(other, vocabulary).is_denied == denied
    })
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
        let says = Saying::of(said.words_in(part), vocabulary);
        let deed = Deed::of(said, part, vocabulary);
        let agrees = |other: &Range<usize>| {
            let turns = |deed: &Deed| {
                let other = Deed::of(excerpt, other, vocabulary);
                other.is_some_and(|other| deed.is_turned(&other))
            };
            says.agrees_with(&Saying::of(excerpt.words_in(other), vocabulary))
                && !deed.as_ref().is_some_and(turns)
        };
        most > 0 && !nearest().any(agrees)
    })
}

/// On which sides the words of a part stand, and whether it says that something is not so.
struct Saying {
    sides: Vec<f64>,
    is_denied: bool,
}

impl Saying {
    /// What is stopped stands on its other side, and what is never stopped on its own: `we never stop hiring`.
    fn of(words: &[Word], vocabulary: &Vocabulary) -> Self {
        let bare: Vec<&str> = bare(words).collect();
        let mut sides = sides(&bare, &vocabulary.language);
        let mut negations = negations(&bare, vocabulary);
        for stop in within(&bare, STOPS.of(&vocabulary.language)) {
            let is_behind = |(at, _): &(Range<usize>, f64)| {
                at.start >= stop.end && at.start - stop.end <= TO_THE_STOPPED
            };
            let is_before = |(at, _): &(Range<usize>, f64)| {
                at.end <= stop.start && stop.start - at.end < TO_THE_STOPPED
            };
            let behind = sides.iter().position(is_behind);
            let Some(stopped) = behind.or_else(|| sides.iter().rposition(is_before)) else {
                continue;
            };
            let before = negations.len();
            negations.retain(|it| gap(it, &stop) >= TO_THE_STOPPED);
            if negations.len() == before
                && let Some((_, side)) = sides.get_mut(stopped)
            {
                *side = -*side;
            }
            sides.retain(|(at, _)| at.end <= stop.start || stop.end <= at.start);
        }
        let mut different: Vec<f64> = Vec::new();
        for (_, side) in sides {
            if !different.contains(&side) {
                different.push(side);
            }
        }
        Self {
            sides: different,
            is_denied: !negations.is_empty(),
        }
    }

    /// `Does not close` says what `opens` says; of more sides than one nobody can tell which is denied.
    fn agrees_with(&self, other: &Self) -> bool {
        let opposed = are_opposed(&self.sides, &other.sides);
        if self.is_denied == other.is_denied {
            return !opposed;
        }
        opposed && self.sides.len() == 1 && other.sides.len() == 1
    }
}

/// What is done in a part, and the names before and behind it.
struct Deed {
    side: f64,
    before: BTreeSet<String>,
    behind: BTreeSet<String>,
    /// Whether who does it stands behind: `was bought by`.
    is_passive: bool,
}

impl Deed {
    /// None of a part that does more than one thing or nothing.
    fn of(read: &Read, part: &Range<usize>, vocabulary: &Vocabulary) -> Option<Self> {
        let words = read.words_in(part);
        let bare: Vec<&str> = bare(words).collect();
        let sides = sides(&bare, &vocabulary.language);
        let [(at, side)] = sides.as_slice() else {
            return None;
        };
        let agents = AGENTS.of(&vocabulary.language)?;
        Some(Self {
            side: *side,
            before: read.names_in(words.get(..at.start)?),
            behind: read.names_in(words.get(at.end..)?),
            is_passive: agents.open(bare.get(at.end..)?),
        })
    }

    /// Whether the other one does it: `Hollis was bought by Tarn` and `Hollis bought Tarn`.
    fn is_turned(&self, other: &Self) -> bool {
        let share = |one: &BTreeSet<String>, other: &BTreeSet<String>| !one.is_disjoint(other);
        let nobody = self.before.is_empty() && other.before.is_empty();
        self.is_passive != other.is_passive
            && (self.side - other.side).abs() < f64::EPSILON
            && (nobody || share(&self.before, &other.before))
            && share(&self.behind, &other.behind)
            && !share(&self.before, &other.behind)
            && !share(&self.behind, &other.before)
    }
}

/// Words that say that something is not so. `Not only` does not.
fn negations(bare: &[&str], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let undone: &'static Phrases = &UNDONE;
    let undone = within(bare, Some(undone));
    let mut negations = within(bare, vocabulary.negations);
    // A verb and its particle: `sagen die Eröffnung ab`.
    if let Some((phrases, last)) = vocabulary.negations.zip(bare.last()) {
        let is_parted = |word: &str| {
            let both = [word, *last];
            let mut phrases = phrases.at_start(&both);
            phrases.any(|phrase| phrase.len() == 2)
        };
        let verbs = bare.iter().enumerate().filter(|(_, word)| is_parted(word));
        negations.extend(verbs.map(|(at, _)| at..at + 1));
    }
    negations.retain(|it| {
        !undone
            .iter()
            .any(|un| un.start < it.end && it.start < un.end)
    });
    negations
}

fn within(bare: &[&str], phrases: Option<&'static Phrases>) -> Vec<Range<usize>> {
    let places = phrases.into_iter().flat_map(|it| it.places(bare));
    places.map(|(at, phrase)| at..at + phrase.len()).collect()
}

/// Whether one stands on one side and the other on the other: `opens` and `closes`.
fn are_opposed(one: &[f64], other: &[f64]) -> bool {
    one.iter().any(|side| {
        let back = -side;
        !one.contains(&back) && other.contains(&back) && !other.contains(side)
    })
}

/// The words with a side, and which it is. A verb may have its particle at the end: `stellen zehn Schweißer ein`.
fn sides(bare: &[&str], language: &str) -> Vec<(Range<usize>, f64)> {
    let first = |words: &[&str]| {
        let found = OPPOSITES.at_start(words, Some(language));
        found.first().map(|(_, length, side)| (*length, *side))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = bare.get(at..).filter(|rest| !rest.is_empty()) {
        let here = first(rest);
        let parted = (rest.first().zip(rest.last()))
            .and_then(|(verb, particle)| first(&[*verb, *particle]))
            .filter(|(length, _)| *length == 2)
            .map(|(_, side)| (1, side));
        let longer = here.filter(|(length, _)| *length > 1);
        let (length, side) = longer.or(parted).or(here).unwrap_or((1, 0.0));
        if side != 0.0 {
            found.push((at..at + length, side));
        }
        at += length.max(1);
    }
    found
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
    let month_of = |word: &Word| {
        let printed = said.printed(word);
        let is_long = printed.chars().count() >= MONTH_LETTERS;
        // `Marco` is no `março`.
        let is_it = |name: &&str| {
            *name == printed
                || (is_long
                    && name.is_ascii() == printed.is_ascii()
                    && fold(name).trim_end_matches('.') == word.folded)
        };
        let of = |names: &&'static [&'static str]| names.iter().any(is_it);
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
        let names = |word: &str| {
            let is_named = |(name, of): (&str, u8)| {
                usize::from(of) == month && fold(name).trim_end_matches('.') == word
            };
            months().any(is_named)
        };
        // `6 shops` is no June, `03/2026` is March.
        let is_part_of_date = |at: usize| {
            let is_number = |at: usize| words.get(at).is_some_and(|it| it.parse::<u32>().is_ok());
            words.get(at).and_then(|it| it.parse().ok()) == Some(month)
                && (is_number(at + 1) || at.checked_sub(1).is_some_and(is_number))
        };
        seen == Some(month)
            || (0..words.len())
                .any(|at| words.get(at).is_some_and(|it| names(it)) || is_part_of_date(at))
    };
    let months = said.words.iter().filter(|word| {
        let month = month_of(word);
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
