//! Acquaintances that a template pretends: `as discussed`, `our call last week`. Its writer cannot know whether anybody who
//! will read it has ever talked to the sender.

use std::ops::Range;

use gtm_domain::message::characters::is_question_mark;
use gtm_lexicon::Phrases;
use gtm_lexicon::messages::{APPOINTMENTS, AS_SAID, PAST_TIMES, TALKED};
use gtm_lexicon::prose::WE;

use super::asks::Ask;
use super::passage::{Passage, Word, places};
use super::stems::carries_subject;

/// Most words between `as` or `we` and what two are said to have done: `wie gestern telefonisch besprochen`.
const NEAR: usize = 3;
/// Marks that part a sentence into clauses.
const MARKS: [char; 7] = [',', ';', ':', '–', '—', '(', ')'];

/// Where a passage speaks of a talk that was: of one who have talked, as they agreed or at a time that is over, or of
/// their call at such a time. A sentence that asks may pretend it as well: `As we agreed, shall I send the contract?`
pub(super) fn pretences(
    passage: &Passage,
    (sentences, asks): (&[Range<usize>], &[Ask]),
    words: &[Word],
    approves: &dyn Fn(&[&str]) -> bool,
    language: &str,
) -> Vec<Range<usize>> {
    let read = Talks {
        text: &passage.text,
        words,
        we: (words.iter())
            .filter(|word| WE.of(language).contains(&word.folded))
            .map(|word| word.range.clone())
            .collect(),
        as_said: all(words, AS_SAID.of(language)),
        past: all(words, PAST_TIMES.of(language)),
        approves,
    };
    let talked = all(words, TALKED.of(language));
    let appointments = all(words, APPOINTMENTS.of(language));
    let mut found = Vec::new();
    for sentence in sentences {
        let is_within = |place: &&Range<usize>| sentence.contains(&place.start);
        let asks = (asks.iter()).any(|ask| ask.sentence.start == sentence.start);
        let said = talked.iter().filter(is_within);
        found.extend(said.filter(|place| read.is_said_or_past(place, sentence)));
        let met = appointments.iter().filter(is_within);
        found.extend(met.filter(|place| read.is_ours(place, sentence, asks)));
    }
    let mut found: Vec<Range<usize>> = found.into_iter().cloned().collect();
    found.sort_by_key(|place| place.start);
    found
}

fn all(words: &[Word], phrases: Option<&'static Phrases>) -> Vec<Range<usize>> {
    phrases
        .map(|phrases| places(words, phrases))
        .unwrap_or_default()
}

/// What stands around the talks of a passage.
struct Talks<'t> {
    text: &'t str,
    words: &'t [Word],
    we: Vec<Range<usize>>,
    as_said: Vec<Range<usize>>,
    past: Vec<Range<usize>>,
    /// Whether somebody approved these folded words.
    approves: &'t dyn Fn(&[&str]) -> bool,
}

impl Talks<'_> {
    /// Whether two are said to have done it, as agreed or at a time that is over.
    fn is_said_or_past(&self, place: &Range<usize>, sentence: &Range<usize>) -> bool {
        let said = self.before(&self.as_said, place, sentence, NEAR);
        let is_said = said.into_iter().any(|mark| {
            !self.asks_how(mark, place, sentence) && !self.is_approved(mark, place, sentence)
        });
        is_said || (self.has_past(sentence) && self.is_told_of_us(place, sentence, NEAR))
    }

    /// Whether an appointment is one that two have had.
    fn is_ours(&self, place: &Range<usize>, sentence: &Range<usize>, asks: bool) -> bool {
        // `Give us a call about last month's notice` asks for one that will be.
        let most = if asks { 1 } else { NEAR };
        if !self.is_told_of_us(place, sentence, most) {
            return false;
        }
        let said = self.before(&self.as_said, place, sentence, NEAR);
        let mut said = said.into_iter();
        self.has_past(sentence) || said.any(|mark| !asks || self.opens(mark, sentence))
    }

    /// Whether nothing stands in a range before a mark.
    fn opens(&self, mark: &Range<usize>, range: &Range<usize>) -> bool {
        let before = self.text.get(range.start..mark.start);
        before.is_some_and(|before| !before.contains(char::is_alphanumeric))
    }

    /// Whether a word such as `wie` or `cómo` asks how something was said: it opens the clause that asks.
    fn asks_how(&self, mark: &Range<usize>, place: &Range<usize>, sentence: &Range<usize>) -> bool {
        let clause = self.clause(place, sentence);
        let before = self.text.get(clause.start..mark.start).unwrap_or_default();
        let text = self.text.get(clause.clone()).unwrap_or_default();
        text.contains(is_question_mark)
            && self.opens(mark, &clause)
            && (before.contains(is_question_mark) || self.gap(mark, place) > 0)
    }

    /// Whether `we` or `our` stands before it, in a clause that does not ask whether it was so.
    fn is_told_of_us(&self, place: &Range<usize>, sentence: &Range<usize>, most: usize) -> bool {
        let clause = self.clause(place, sentence);
        let text = self.text.get(clause).unwrap_or_default();
        !text.contains(is_question_mark) && !self.before(&self.we, place, sentence, most).is_empty()
    }

    fn has_past(&self, sentence: &Range<usize>) -> bool {
        self.past.iter().any(|time| sentence.contains(&time.start))
    }

    /// The marks of a sentence with fewer than so many words between them and a place.
    fn before<'m>(
        &self,
        marks: &'m [Range<usize>],
        place: &Range<usize>,
        sentence: &Range<usize>,
        most: usize,
    ) -> Vec<&'m Range<usize>> {
        let is_near = |mark: &&Range<usize>| {
            sentence.contains(&mark.start)
                && mark.end <= place.start
                && self.gap(mark, place) < most
        };
        marks.iter().filter(is_near).collect()
    }

    /// How many words stand between a mark and a place behind it.
    fn gap(&self, mark: &Range<usize>, place: &Range<usize>) -> usize {
        let index = |at: usize| self.words.partition_point(|word| word.range.start < at);
        index(place.start).saturating_sub(index(mark.end))
    }

    /// The clause of a sentence in which a place stands.
    fn clause(&self, place: &Range<usize>, sentence: &Range<usize>) -> Range<usize> {
        let text = |range: Range<usize>| self.text.get(range).unwrap_or_default();
        let before = text(sentence.start..place.start).rfind(MARKS);
        let behind = text(place.end..sentence.end).find(MARKS);
        before.map_or(sentence.start, |at| sentence.start + at)
            ..behind.map_or(sentence.end, |at| place.end + at)
    }

    /// Whether somebody approved what was agreed: `as agreed in your contract`, where a text has all of it. When two have
    /// talked is known of no reader.
    fn is_approved(
        &self,
        mark: &Range<usize>,
        place: &Range<usize>,
        sentence: &Range<usize>,
    ) -> bool {
        let end = self.clause(place, sentence).end;
        let phrase = (self.words.iter())
            .filter(|word| (mark.start..end).contains(&word.range.start))
            .map(|word| word.folded.as_str());
        let phrase: Vec<&str> = phrase.collect();
        let told = mark.start..end;
        let is_dated = self.past.iter().any(|time| told.contains(&time.start));
        let says_more = self.words.iter().any(|word| {
            (place.end..end).contains(&word.range.start) && carries_subject(&word.folded)
        });
        says_more && !is_dated && (self.approves)(&phrase)
    }
}
