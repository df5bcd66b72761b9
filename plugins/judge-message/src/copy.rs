//! The copy as the judge sees it: sentences with what they say, and the subjects they are compared with.

use std::collections::BTreeSet;

use gtm_language_tag::primary_language;
use gtm_lexicon::judging::{AIMS, GAINS, HOLLOW, OUTCOMES, PRESSING, READERS};
use gtm_lexicon::{Phrase, PhrasesByLanguage, fold, split};

use crate::markup::{Piece, pieces};
use crate::question::{BlockKind, Question};
use crate::sentences::{self, Raw};
use crate::stems::{self, stems};

/// The copy of a draft: its blocks but greeting, sign-off, signature and notices.
pub struct Copy {
    /// Primary subtag of its language.
    pub language: String,
    /// What it is compared with.
    pub subjects: Subjects,
    pub subject_line: Sentence,
    /// The blocks, in order.
    pub blocks: Vec<CopyBlock>,
}

/// What the copy is compared with, as stems.
pub struct Subjects {
    /// Of the objective, without the words that any objective has.
    pub goal: BTreeSet<String>,
    /// Those of them that offer or next step have as well: what a writer can speak of without inventing anything.
    pub reachable: BTreeSet<String>,
    pub offer: BTreeSet<String>,
    /// Of the wished next step.
    pub wished: BTreeSet<String>,
    /// Of each sentence that says what the offer is worth, where the question tells them apart.
    pub values: Vec<BTreeSet<String>>,
    /// Whether a text of the offer says what gets better.
    pub offer_has_outcome: bool,
    /// Phrases that would press if the matter itself were not called so: “urgent care”, “final notice”.
    named: BTreeSet<Phrase>,
}

pub struct CopyBlock {
    pub kind: BlockKind,
    pub sentences: Vec<Sentence>,
}

/// A sentence, and what it says.
pub struct Sentence {
    /// As it stands.
    pub text: String,
    /// Its literal words, folded.
    pub words: Vec<String>,
    /// Those of them that carry a subject.
    pub content: Vec<String>,
    /// Names of its placeholders.
    pub placeholders: Vec<String>,
    /// Whether its words would fit any company, or press the reader.
    pub empty_talk: bool,
    /// Whether it says what gets better: in words, or as a share.
    pub outcome: bool,
    /// Whether it says what the reader gets, sees or can do.
    pub gain: bool,
    /// Whether it has something of the offer, the objective, the next step or the evidence to say.
    pub has_subject: bool,
}

impl Sentence {
    fn of(raw: Raw, subjects: &Subjects, language: &str) -> Self {
        let folded = fold(&raw.text);
        let words = split(&folded);
        let hollow = has_any(&HOLLOW, language, &words);
        let empty_talk = hollow || subjects.is_pressed(&words, language);
        let outcome = says_outcome(&raw.text, language, &words);
        let gain = has_any(&GAINS, language, &words);
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let literal = [&subjects.goal, &subjects.offer, &subjects.wished]
            .into_iter()
            .any(|stems| stems::hits(stems, &words) > 0);
        let carried = raw.placeholders.iter().any(|name| carries_subject(name));
        Self {
            content: stems::content(&raw.text),
            words,
            empty_talk,
            outcome,
            gain,
            has_subject: !empty_talk && (literal || carried),
            placeholders: raw.placeholders,
            text: raw.text,
        }
    }

    /// How it is shown to the writer: with its placeholders, and not too long.
    pub fn shown(&self) -> String {
        const MOST: usize = 70;
        let mut names = self.placeholders.iter();
        let mut shown = String::new();
        for c in self.text.trim().chars() {
            match (c, names.as_slice().first()) {
                ('\u{fffc}', Some(name)) => {
                    shown.push_str(&format!("{{{{{name}}}}}"));
                    names.next();
                }
                _ => shown.push(c),
            }
        }
        if shown.chars().count() > MOST {
            shown = shown.chars().take(MOST).collect();
            shown.push('…');
        }
        shown
    }

    /// Whether it asks.
    pub fn is_question(&self) -> bool {
        self.text.trim_end().ends_with('?')
    }

    /// Whether the value of a placeholder of this group stands in it, such as `offer.`.
    pub fn has_placeholder(&self, group: &str) -> bool {
        self.placeholders.iter().any(|name| name.starts_with(group))
    }

    /// Whether it addresses the reader, in words or by name.
    pub fn addresses_reader(&self, language: &str) -> bool {
        let readers = READERS.of(language);
        self.words.iter().any(|word| readers.contains(word))
            || self.has_placeholder("company.")
            || self.has_placeholder("recipient.")
    }
}

/// Whether the value of a placeholder says something about the matter. Names of people and companies don't.
fn carries_subject(placeholder: &str) -> bool {
    matches!(
        placeholder,
        "evidence.hook"
            | "offer.name"
            | "offer.value_proposition"
            | "offer.proof_point"
            | "next_step.ask"
    )
}

/// Whether a text with these words says what gets better: in words, or as a share.
fn says_outcome(text: &str, language: &str, words: &[&str]) -> bool {
    text.contains('%') || has_any(&OUTCOMES, language, words)
}

/// Whether words have a phrase of the list of their language. A language without a list has none.
fn has_any(list: &PhrasesByLanguage, language: &str, words: &[&str]) -> bool {
    list.of(language)
        .is_some_and(|phrases| phrases.any_in(words))
}

impl CopyBlock {
    /// Whether it addresses the reader, in words or by name.
    pub fn addresses_reader(&self, language: &str) -> bool {
        let mut sentences = self.sentences.iter();
        sentences.any(|sentence| sentence.addresses_reader(language))
    }
}

impl Copy {
    /// Reads a draft.
    pub fn of(question: &Question) -> Self {
        let language = primary_language(&question.language).to_lowercase();
        let subjects = Subjects::of(question, &language);
        let read = |text: &str| -> Vec<Sentence> {
            sentences::split(&pieces(text))
                .into_iter()
                .map(|raw| Sentence::of(raw, &subjects, &language))
                .collect()
        };
        let blocks = question
            .blocks
            .iter()
            .filter(|block| block.kind.is_copy())
            .map(|block| CopyBlock {
                kind: block.kind,
                sentences: read(&block.text),
            })
            .filter(|block| !block.sentences.is_empty())
            .collect();
        let subject_line = Sentence::of(whole(&question.subject), &subjects, &language);
        Self {
            language,
            subject_line,
            blocks,
            subjects,
        }
    }

    /// All sentences of the body's copy.
    pub fn sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.blocks.iter().flat_map(|block| &block.sentences)
    }

    /// Points, cut where too few sentences say something: from two of three on all points stay, below that their
    /// share. So one good sentence doesn't carry a page of empty ones.
    pub fn bounded(&self, points: u32) -> u32 {
        let all = self.sentences().count();
        let full = self
            .sentences()
            .filter(|sentence| sentence.has_subject)
            .count();
        let pressed = self.subject_line.empty_talk;
        let (full, all) = (full * 3, (all + usize::from(pressed)) * 2);
        if full >= all && all > 0 {
            return points;
        }
        let full = u32::try_from(full).unwrap_or(u32::MAX);
        let all = u32::try_from(all.max(1)).unwrap_or(u32::MAX);
        points.saturating_mul(full) / all
    }
}

/// A text that isn't split, such as a subject line.
fn whole(text: &str) -> Raw {
    let mut raw = Raw::default();
    for piece in pieces(text) {
        match piece {
            Piece::Words(words) => raw.text.push_str(&words),
            Piece::Placeholder(name) => {
                raw.text.push('\u{fffc}');
                raw.placeholders.push(name);
            }
        }
    }
    raw
}

impl Subjects {
    fn of(question: &Question, language: &str) -> Self {
        let offer: BTreeSet<String> = question.offer.iter().flat_map(|text| stems(text)).collect();
        let wished = without_aims(&question.desired_next_step);
        let mut goal = without_aims(&question.objective);
        if goal.is_empty() {
            // "Book a meeting" names no subject: it is about what is offered.
            goal = offer.union(&wished).cloned().collect();
        }
        let known: Vec<String> = offer.union(&wished).cloned().collect();
        let reachable = goal.iter().filter(|stem| stems::stands_in(stem, &known));
        let values = question.value_propositions.iter().map(|text| stems(text));
        let about = question
            .offer
            .iter()
            .chain([&question.audience, &question.objective]);
        let mut named = BTreeSet::new();
        for text in about {
            let folded = fold(text);
            let words = split(&folded);
            let phrases = PRESSING.of(language).into_iter();
            named.extend(phrases.flat_map(|phrases| phrases.places(&words).map(|(_, it)| it)));
        }
        Self {
            reachable: reachable.cloned().collect(),
            values: values.filter(|stems| !stems.is_empty()).collect(),
            offer_has_outcome: question.offer.iter().any(|text| {
                let folded = fold(text);
                says_outcome(text, language, &split(&folded))
            }),
            goal,
            offer,
            wished,
            named,
        }
    }

    /// Whether words press the reader, and not only because the matter is called so.
    fn is_pressed(&self, words: &[&str], language: &str) -> bool {
        PRESSING.of(language).is_some_and(|phrases| {
            let mut places = phrases.places(words);
            places.any(|(_, phrase)| !self.named.contains(&phrase))
        })
    }
}

/// Stems of a text but for the words that any objective has.
fn without_aims(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    let words = split(&folded);
    let mut aims = BTreeSet::new();
    for (at, phrase) in AIMS.places(&words) {
        aims.extend(at..at + phrase.len());
    }
    let kept: Vec<&str> = words
        .iter()
        .enumerate()
        .filter(|(index, _)| !aims.contains(index))
        .map(|(_, word)| *word)
        .collect();
    let mut found = stems(&kept.join(" "));
    // Folding takes the capitals by which acronyms are known.
    found.extend(
        stems(text)
            .into_iter()
            .filter(|stem| stem.chars().count() < 4),
    );
    found
}
