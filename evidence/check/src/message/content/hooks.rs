//! Whether a hook says what its excerpt says. It was worded by a person, so words may differ; but not what it is about,
//! whether it is so, nor who and when.
//!
//! DANGER: the hook is what a message claims to know of its reader. One that says `closes` of what opens is a lie to
//! somebody who knows better.

mod clauses;
mod mistold;
mod names;
mod read;
mod said;
mod saying;
mod sources;
mod tellings;
mod turned;

use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_lexicon::messages::{ADDITIONS, GREETINGS};

use super::super::CitedEvidence;
use super::super::passage::{Part, Passage, Word, found};
use super::super::said_by::is_hook;
use super::super::stems::{Stems, bare, carries_subject};
use super::super::text_language::{seems_in_another, sentence_differs};
use super::super::vocabulary::Vocabulary;
use super::Reader;
use crate::caseless::caseless;
use crate::small_words::is_small;
use mistold::Tellings;
use names::{other_months, other_names};
use read::{Read, is_compared};
use said::{Content, Said};
use saying::{Deed, Saying, Ways, sides};

/// Fewest words with a subject by which a part of a sentence is compared for itself.
const PART: usize = 2;

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
    let said = Read::of(hook);
    let known = [&[record.source_label.unwrap_or_default()][..], recipient].concat();
    let known_text = known.join(" ");
    let known = Read::of(&known_text);
    let mut unborne = other_months(&said, record, vocabulary);
    let reports = found(&said.words, vocabulary.reports);
    // DANGER: in a language without lists nothing tells a true hook from a lie made of other words.
    if vocabulary.reports.is_none() && !said.words.is_empty() {
        let whole = 0..hook.len();
        return vec![whole];
    }
    // Words of another language cannot be compared.
    if seems_in_another(record.excerpt, &vocabulary.language) {
        let borne = Stems::of_text(record.excerpt);
        let known = Stems::of_text(&known_text);
        unborne.extend(other_names(&said, &borne, &known, &reports, vocabulary));
    } else {
        let greetings = found(&said.words, GREETINGS.of(&vocabulary.language));
        let additions = found(&said.words, ADDITIONS.of(&vocabulary.language));
        let excerpt = Read::of(record.excerpt);
        let held = Comparison {
            parts: excerpt.parts(),
            tellings: Tellings::of(&excerpt, vocabulary),
            aside: [reports.as_slice(), &greetings, &additions].concat(),
            said,
            reports,
            known: &known,
            excerpt: &excerpt,
            vocabulary,
        };
        for sentence in held.said.passage.sentences() {
            if !(held.said).only_greets(&sentence, &greetings, &known.words) {
                unborne.extend(held.unsaid(&sentence));
            }
        }
    }
    unborne.sort_by_key(|range| (range.start, range.end));
    unborne.dedup();
    unborne
}

/// A hook beside its excerpt.
struct Comparison<'c> {
    said: Read,
    /// Where the hook tells that something was read.
    reports: Vec<Range<usize>>,
    /// What of the hook claims nothing.
    aside: Vec<Range<usize>>,
    /// What is known of the reader besides.
    known: &'c Read,
    excerpt: &'c Read,
    /// The parts of the excerpt's sentences.
    parts: Vec<Range<usize>>,
    /// What the excerpt's clauses tell.
    tellings: Tellings<'c>,
    vocabulary: &'c Vocabulary,
}

impl<'c> Comparison<'c> {
    /// What a sentence of the hook says that the excerpt does not: words, or all of it.
    fn unsaid(&self, sentence: &Range<usize>) -> Vec<Range<usize>> {
        let language = self.vocabulary.language.as_str();
        let parts = self.parts.iter().map(|part| self.excerpt.words_in(part));
        let parts: Vec<&[Word]> = parts.collect();
        let told = Said::of(&parts, language);
        let known = Said::of(&[&self.known.words], language);
        let mut says_something = false;
        let mut unsaid = Vec::new();
        for part in self.said.parts_of(sentence) {
            let content = self.content(&part);
            says_something |= content.count() > 0;
            let answered = self.answered(&part);
            let is_known = |at: &Range<usize>| {
                let words = self.said.words_in(at);
                words.iter().all(|word| known.has(&word.folded))
            };
            let lacking = told.lacks(&content, language).into_iter();
            unsaid.extend(lacking.filter(|it| !answered.contains(it) && !is_known(it)));
        }
        let is_whole = match says_something {
            false => !self.stands_in(sentence),
            true => unsaid.is_empty() && (self.contradicts(sentence) || self.is_mistold(sentence)),
        };
        if is_whole {
            return vec![sentence.clone()];
        }
        unsaid
    }

    fn content(&self, part: &Range<usize>) -> Content<'_> {
        Content::of(&self.said, part, &self.aside, self.vocabulary)
    }

    /// Words of a part of the hook on the other side of what the excerpt says, if one of the two is denied:
    /// `does not close` for `stays open`.
    fn answered(&self, part: &Range<usize>) -> Vec<Range<usize>> {
        let words = self.said.words_in(part);
        let is_denied = Saying::of(words, self.vocabulary).is_denied;
        let language = self.vocabulary.language.as_str();
        let sides_of = |words: &[Word]| {
            let bare: Vec<&str> = bare(words).collect();
            sides(&bare, language)
        };
        let others = self.parts.iter().map(|other| self.excerpt.words_in(other));
        let others = others.filter(|other| Saying::of(other, self.vocabulary).turns(is_denied));
        let others: Vec<f64> = (others.flat_map(sides_of)).map(|(_, side)| -side).collect();
        let answered = sides_of(words).into_iter();
        let answered = answered.filter(|(_, side)| others.contains(side));
        let places = answered.flat_map(|(at, _)| words.get(at).unwrap_or_default());
        places.map(|word| word.range.clone()).collect()
    }

    /// Whether a sentence that says nothing stands in the excerpt, word by word. Small words and those that tell where it
    /// was read are not compared, unless it has no others.
    fn stands_in(&self, sentence: &Range<usize>) -> bool {
        let words = self.said.words_in(sentence);
        let is_report =
            |word: &Word| (self.reports.iter()).any(|it| it.contains(&word.range.start));
        let mut wanted: Vec<&str> = (words.iter())
            .filter(|word| is_compared(word) && !is_report(word))
            .map(|word| word.folded.as_str())
            .collect();
        let is_whole = wanted.is_empty();
        if is_whole {
            wanted = bare(words).collect();
        }
        let denied = Saying::of(words, self.vocabulary).is_denied;
        let sentences = self.excerpt.passage.sentences();
        let mut places = sentences.iter().chain(&self.parts);
        places.any(|place| {
            let other = self.excerpt.words_in(place);
            let told: Vec<&str> = (other.iter())
                .filter(|word| is_whole || is_compared(word))
                .map(|word| word.folded.as_str())
                .collect();
            have_in_a_row(&told, &wanted) && Saying::of(other, self.vocabulary).is_denied == denied
        })
    }

    /// Whether a part of a sentence says the contrary of those parts of the excerpt that are about the same.
    fn contradicts(&self, sentence: &Range<usize>) -> bool {
        let parts = self.said.parts_of(sentence);
        let is_one = parts.len() == 1;
        parts.iter().any(|part| self.is_contradicted(part, is_one))
    }

    fn is_contradicted(&self, part: &Range<usize>, is_whole_sentence: bool) -> bool {
        let about = self.content(part);
        if about.count() < PART && !is_whole_sentence {
            return false;
        }
        let language = self.vocabulary.language.as_str();
        let shared = |other: &Range<usize>| {
            Said::of(&[self.excerpt.words_in(other)], language).shares(&about, language)
        };
        // A clause for itself: another one of its sentence may be denied.
        let places: Vec<&Range<usize>> =
            (self.parts.iter()).chain(self.tellings.clauses()).collect();
        let shared: Vec<usize> = places.iter().map(|it| shared(it)).collect();
        let most = shared.iter().copied().max().unwrap_or_default();
        let nearest = places.into_iter().zip(shared);
        let mut nearest = nearest.filter(|(_, shared)| *shared == most);
        let says = Saying::of(self.said.words_in(part), self.vocabulary);
        let deeds = Deed::all(&self.said, part, self.vocabulary);
        let ways = Ways::of(&self.said, part, self.vocabulary);
        let agrees = |other: &Range<usize>| {
            let others = Deed::all(self.excerpt, other, self.vocabulary);
            says.agrees_with(&Saying::of(self.excerpt.words_in(other), self.vocabulary))
                && !(deeds.iter()).any(|deed| others.iter().any(|other| deed.is_turned(other)))
                && !ways.are_turned(&Ways::of(self.excerpt, other, self.vocabulary))
        };
        most > 0 && !nearest.any(|(other, _)| agrees(other))
    }
}
