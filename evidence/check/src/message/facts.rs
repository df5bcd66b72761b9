//! Sentences that state a fact, and what they rest on. Which sentences these are is a list of forms, written down in
//! `docs/message-rubric.md`; others are not told from opinions.

use std::collections::BTreeSet;
use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_lexicon::documents::LIKENESSES;
use gtm_lexicon::messages::{
    COMPARATIVES, NO_TERMS, PREPOSITIONS, RESULTS_FASTER, RESULTS_LESS, RESULTS_MORE, TERMS,
    WITH_SELLER,
};
use gtm_lexicon::places::BEFORE;
use gtm_lexicon::segments;

use super::asks::Ask;
use super::numbers;
use super::passage::{Passage, Source, Word, found, places};
use super::pretences::pretences;
use super::results::results;
use super::stems::{Stems, acronym, carries_subject};
use super::strangers::strangers;
use super::vocabulary::Vocabulary;
use crate::forbidden::Promise;
use crate::small_words::is_small;

/// The share of a sentence's words that one approved text must have for it to rest on that text, in percent.
pub(super) const COVERED: usize = 60;

/// By what a sentence is known to state a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It says something of the reader.
    Observation,
    /// It pretends that writer and reader have talked. Nothing that is known bears it out.
    Acquaintance,
    /// It has a number.
    Number,
    /// It says what something achieves, or who says so.
    Result,
    /// The seller says what he is, has or does, or who works with him.
    SellerClaim,
    /// It names somebody or something that no approved text names.
    Name,
    /// It promises a price or a condition without a figure.
    Term,
}

impl Form {
    /// Whether it claims to know something of the reader, which no offer says.
    pub(super) const fn is_of_reader(self) -> bool {
        matches!(self, Self::Observation | Self::Acquaintance)
    }
}

/// What a stated fact rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RestsOn {
    /// A value in the same sentence.
    Value,
    /// An approved text that says it.
    ApprovedText,
}

/// A sentence that states a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    /// Bytes of the passage.
    pub sentence: Range<usize>,
    pub form: Form,
    /// None if it rests on nothing.
    pub rests_on: Option<RestsOn>,
}

/// Texts that somebody approved.
#[derive(Debug, Clone, Default)]
pub(super) struct ApprovedTexts {
    stems: Vec<Stems>,
    /// Their folded words, in order.
    words: Vec<Vec<String>>,
    /// Folded words that may be named besides, such as the sender's name.
    named: BTreeSet<String>,
    /// The folded words of each text that evidence quotes. They bear out no claim of the offer.
    quoted: Vec<Vec<String>>,
}

impl ApprovedTexts {
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut found = Self::default();
        for text in texts {
            let folded = gtm_lexicon::fold(text);
            let words = gtm_lexicon::split(&folded).into_iter();
            found.words.push(words.map(str::to_owned).collect());
            let stems = Stems::of_text(text);
            if !stems.is_empty() {
                found.stems.push(stems);
            }
        }
        found
    }

    /// The texts, and what may be named besides.
    pub(super) fn naming<'t>(mut self, besides: impl IntoIterator<Item = &'t str>) -> Self {
        for text in besides {
            let folded = gtm_lexicon::fold(text);
            let words = gtm_lexicon::split(&folded).into_iter();
            self.named.extend(words.map(str::to_owned));
        }
        self
    }

    /// The texts, and what evidence quotes.
    pub(super) fn quoting<'t>(mut self, excerpts: impl IntoIterator<Item = &'t str>) -> Self {
        for excerpt in excerpts {
            let folded = gtm_lexicon::fold(excerpt);
            let words = gtm_lexicon::split(&folded).into_iter();
            self.quoted.push(words.map(str::to_owned).collect());
        }
        self
    }

    /// Whether this folded word may be named, in the singular, the plural or a genitive.
    pub(super) fn name(&self, word: &str) -> bool {
        let is_it = |own: &String| {
            own == word
                || own.strip_suffix('s') == Some(word)
                || word.strip_suffix('s') == Some(own.as_str())
        };
        self.words.iter().flatten().chain(&self.named).any(is_it)
    }

    /// Whether one of the texts has a form of each of these folded words.
    pub(super) fn has_forms(&self, words: &[&str]) -> bool {
        let has = |word: &&str| {
            let is_it = |own: &String| own == word;
            self.stems.iter().any(|text| text.has(word)) || self.words.iter().flatten().any(is_it)
        };
        words.iter().all(has)
    }

    /// Whether one of the texts has these folded words in a row.
    pub(super) fn have(&self, phrase: &[&str]) -> bool {
        !phrase.is_empty()
            && self
                .words
                .iter()
                .any(|text| text.windows(phrase.len()).any(|words| words == phrase))
    }

    /// Whether one of the texts, or of those that evidence quotes, has these folded words in a row, but for small ones:
    /// what is `our contract` there may be `your contract` here.
    pub(super) fn have_but_for_small(&self, phrase: &[&str]) -> bool {
        let phrase = without_small(phrase.iter().copied());
        let mut texts = self.words.iter().chain(&self.quoted);
        !phrase.is_empty()
            && texts.any(|text| {
                let text = without_small(text.iter().map(String::as_str));
                (text.windows(phrase.len())).any(|words| words == phrase.as_slice())
            })
    }

    /// Whether the texts say these words of a passage: one of them has most of the words that carry a subject, or each clause has such
    /// a text of its own.
    pub(super) fn say(&self, passage: &Passage, words: &[Word], language: &str) -> bool {
        let clauses = clauses(passage, words, language);
        let says = |words: &[&str]| {
            self.stems.iter().any(|text| {
                let (all, covered) = text.covered(words.iter().copied());
                all > 0 && covered * 100 >= all * COVERED
            })
        };
        let all: Vec<&str> = clauses.iter().flatten().map(String::as_str).collect();
        let mut clauses = clauses.iter().filter(|clause| !clause.is_empty());
        says(&all)
            || (clauses.clone().count() > 1
                && clauses.all(|clause| {
                    let words: Vec<&str> = clause.iter().map(String::as_str).collect();
                    says(&words)
                }))
    }
}

fn without_small<'w>(words: impl Iterator<Item = &'w str>) -> Vec<&'w str> {
    words.filter(|word| !is_small(word)).collect()
}

/// Fewest words with a subject that make a clause of their own: one alone says too little to be found in any text.
const CLAUSE: usize = 2;

/// The words of a sentence that carry its subject, by clauses: a mark or a joint such as `and` begins one.
fn clauses(passage: &Passage, words: &[Word], language: &str) -> Vec<Vec<String>> {
    let joints = segments::JOINTS.of(language);
    let mut found: Vec<Vec<String>> = vec![Vec::new()];
    let mut end = None;
    for word in words {
        let between = end.and_then(|end| passage.text.get(end..word.range.start));
        let marked =
            between.is_some_and(|between| between.contains([',', ';', ':', '–', '—', '(']));
        end = Some(word.range.end);
        let joins = joints.contains(&word.folded);
        if marked || joins {
            found.push(Vec::new());
        }
        let printed = passage.text.get(word.range.clone()).unwrap_or_default();
        let compared = acronym(printed).unwrap_or_else(|| word.folded.clone());
        if !joins
            && carries_subject(&compared)
            && let Some(last) = found.last_mut()
        {
            last.push(compared);
        }
    }
    let mut joined: Vec<Vec<String>> = Vec::new();
    for clause in found {
        match joined.last_mut() {
            Some(last) if clause.len() < CLAUSE || last.len() < CLAUSE => last.extend(clause),
            _ => joined.push(clause),
        }
    }
    joined
}

/// The sentences of a passage that state a fact in the template's own words. A sentence that asks states none, but it may
/// pretend an acquaintance. `of_value`: whether it stands in a block that says what the offer is worth.
pub(super) fn facts(
    passage: &Passage,
    (sentences, asks): (&[Range<usize>], &[Ask]),
    approved: &ApprovedTexts,
    vocabulary: &Vocabulary,
    of_value: bool,
) -> Vec<Fact> {
    let words = passage.words(Source::is_own);
    let marks = |phrases: Option<&'static gtm_lexicon::Phrases>| {
        phrases
            .map(|phrases| places(&words, phrases))
            .unwrap_or_default()
    };
    let terms = promised(passage, sentences, terms(&words, vocabulary));
    let mut results = results(passage, &words, vocabulary);
    if of_value {
        results.extend(changes(&words, vocabulary));
        results.sort_by_key(|mark: &Range<usize>| mark.start);
    }
    let forms = [
        (
            Form::Acquaintance,
            pretences(
                passage,
                (sentences, asks),
                &words,
                &|phrase: &[&str]| approved.have_but_for_small(phrase),
                &vocabulary.language,
            ),
        ),
        (Form::Observation, marks(vocabulary.observations)),
        (Form::Number, numbers::places_of(passage, vocabulary)),
        (Form::Result, promised(passage, sentences, results)),
        (Form::SellerClaim, marks(vocabulary.seller_claims)),
        (
            Form::SellerClaim,
            customers(passage, sentences, &words, vocabulary),
        ),
        (Form::Term, terms.clone()),
    ];
    let is_known = |word: &str| approved.name(word);
    let strangers = strangers(passage, sentences, &words, is_known, vocabulary);
    let mut found = Vec::new();
    for sentence in sentences {
        let ask = asks.binary_search_by_key(&sentence.start, |ask| ask.sentence.start);
        let form = forms.iter().find(|(form, marks)| {
            let first = marks.partition_point(|mark| mark.start < sentence.start);
            (ask.is_err() || *form == Form::Acquaintance)
                && marks
                    .get(first)
                    .is_some_and(|mark| mark.start < sentence.end)
        });
        let form = form.map(|(form, _)| *form);
        if ask.is_ok() && form.is_none() {
            continue;
        }
        let next = strangers.partition_point(|name| name.start < sentence.start);
        let next = strangers.get(next);
        // What is said of the reader needs evidence, whomever it names.
        if !form.is_some_and(Form::is_of_reader)
            && next.is_some_and(|name| name.start < sentence.end)
        {
            found.push(Fact {
                sentence: sentence.clone(),
                form: Form::Name,
                rests_on: None,
            });
            continue;
        }
        let first = words.partition_point(|word| word.range.end <= sentence.start);
        let end = words.partition_point(|word| word.range.start < sentence.end);
        let own = words.get(first..end).unwrap_or_default();
        let Some(form) = form else {
            continue;
        };
        let has_value = passage.values_in(sentence).any(|value| bears(value, form));
        // DANGER: `free` is one word among many that an approved text may have.
        let has_terms = || {
            let of_sentence = own
                .iter()
                .filter(|word| terms.iter().any(|term| term.contains(&word.range.start)));
            let of_sentence: Vec<&str> = of_sentence.map(|word| word.folded.as_str()).collect();
            approved.has_forms(&of_sentence)
        };
        let of_text = || {
            !form.is_of_reader() && approved.say(passage, own, &vocabulary.language) && has_terms()
        };
        let rests_on = match has_value {
            true => Some(RestsOn::Value),
            false => of_text().then_some(RestsOn::ApprovedText),
        };
        found.push(Fact {
            sentence: sentence.clone(),
            form,
            rests_on,
        });
    }
    found
}

/// Where words promise a price or a condition.
pub(super) fn terms(words: &[Word], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let language = vocabulary.language.as_str();
    let no_terms = found(words, NO_TERMS.of(language));
    let mut terms = found(words, TERMS.of(language));
    terms.retain(|term| {
        let mut others = no_terms.iter();
        !others.any(|other| other.start < term.end && term.start < other.end)
    });
    terms
}

/// Where somebody else is said to work with the seller: `Hollis checks with us`. Not the reader, nor who is asked to.
fn customers(
    passage: &Passage,
    sentences: &[Range<usize>],
    words: &[Word],
    vocabulary: &Vocabulary,
) -> Vec<Range<usize>> {
    let mut marks = found(words, WITH_SELLER.of(&vocabulary.language));
    marks.retain(|mark| {
        let at = sentences.partition_point(|sentence| sentence.end <= mark.start);
        let sentence = sentences.get(at).cloned().unwrap_or_default();
        let first = words.partition_point(|word| word.range.start < sentence.start);
        let end = words.partition_point(|word| word.range.start < sentence.end);
        let own = words.get(first..end).unwrap_or_default();
        let of_reader = has_acting_reader(passage, own, mark.start, vocabulary)
            || passage.values_in(&sentence).any(is_of_recipient);
        let before = own.iter().filter(|word| word.range.end <= mark.start);
        // Before `with us` a verb stands, before `trusts us` whoever does: nobody is asked to.
        let first = own.iter().find(|word| word.range.start == mark.start);
        let is_tied = first.is_some_and(|first| {
            let mut classes = PREPOSITIONS.of(&vocabulary.language);
            classes.any(|(_, phrases)| phrases.has_word(&first.folded))
        });
        !of_reader && before.count() > usize::from(is_tied)
    });
    marks
}

/// Whether the reader acts before a place in a sentence: `you plan`, and neither `near you` nor `like you`.
fn has_acting_reader(
    passage: &Passage,
    sentence: &[Word],
    place: usize,
    vocabulary: &Vocabulary,
) -> bool {
    let language = vocabulary.language.as_str();
    let is_tie = |word: &Word| {
        let mut classes = PREPOSITIONS.of(language);
        classes.any(|(_, phrases)| phrases.has_word(&word.folded))
            || BEFORE.contains(&word.folded)
            || LIKENESSES
                .of(language)
                .is_some_and(|like| like.has_word(&word.folded))
    };
    let mut before: Option<&Word> = None;
    for word in sentence.iter().filter(|word| word.range.end <= place) {
        let printed = passage.text.get(word.range.clone());
        let you = vocabulary.you_and_we(printed.into_iter());
        if you.is_some_and(|(you, _)| you > 0) && !before.is_some_and(is_tie) {
            return true;
        }
        before = Some(word);
    }
    false
}

/// Whether a value names the reader or the reader's company.
const fn is_of_recipient(value: Placeholder) -> bool {
    matches!(
        value,
        Placeholder::RecipientFirstName | Placeholder::RecipientFullName | Placeholder::CompanyName
    )
}

/// Where words say that something changes for the better, as numbers of results do: `Queues shrink.` DANGER: `less` and
/// `higher` compare what nobody claims, so only words that tell a change without another one count.
fn changes(words: &[Word], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let language = vocabulary.language.as_str();
    let small = COMPARATIVES.of(language);
    let lists = [
        RESULTS_LESS.of(language),
        RESULTS_MORE.of(language),
        RESULTS_FASTER.of(language),
    ];
    let all = lists.into_iter().flat_map(|list| found(words, list));
    let is_change = |place: &Range<usize>| {
        let mut words = words
            .iter()
            .filter(|word| place.contains(&word.range.start));
        !words.any(|word| small.contains(&word.folded))
    };
    all.filter(is_change).collect()
}

/// The results without those of which their sentence denies that they are promised.
fn promised(
    passage: &Passage,
    sentences: &[Range<usize>],
    mut results: Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let mut last: Option<(usize, Promise)> = None;
    results.retain(|result| {
        let at = sentences.partition_point(|sentence| sentence.end <= result.start);
        let Some(sentence) = sentences.get(at).filter(|it| it.start <= result.start) else {
            return true;
        };
        let text = passage.text.get(sentence.clone()).unwrap_or_default();
        let (_, promise) = match last.take().filter(|(of, _)| *of == at) {
            Some(read) => last.insert(read),
            None => last.insert((at, Promise::of(text))),
        };
        let before = text.get(..result.start - sentence.start);
        !promise.is_denied_behind(before.unwrap_or_default())
    });
    results
}

/// Whether a sentence with this value rests on it. What is said of the reader rests on evidence alone: his name beside it
/// proves nothing.
const fn bears(value: Placeholder, form: Form) -> bool {
    match value {
        Placeholder::EvidenceHook => !matches!(form, Form::Acquaintance),
        Placeholder::OfferValueProposition | Placeholder::OfferProofPoint => !form.is_of_reader(),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
