//! A template as it is measured: its lines and paragraphs, each with where it stands in the structure.

use std::ops::Range;

use gtm_domain::message::{BlockKind, Href, Inline, Placeholder, Structure};

use super::asks::{Ask, asks};
use super::contact_numbers::claims_of_closing;
use super::mailbox_line::MailboxLine;
use super::numbers::Approved;
use super::passage::{Passage, Source, Word};
use super::value_lengths::ValueLength;
use super::vocabulary::Vocabulary;

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Subject,
    Preview,
    Block(BlockKind),
    /// What stands in a block's place when one of its values is missing.
    Fallback(BlockKind),
}

/// A line or paragraph with what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub place: Place,
    /// Pointer to its list of inlines.
    pub pointer: String,
    pub passage: Passage,
    /// Words that the template's author wrote.
    pub words: Vec<Word>,
    pub sentences: Vec<Range<usize>>,
    pub asks: Vec<Ask>,
}

/// The words of the one link to the next step beside the value that asks for it. Such a link asks for the same.
fn link_of_the_ask(inlines: &[Inline], passage: &Passage) -> Option<Range<usize>> {
    let mut asks = passage.values();
    asks.find(|value| *value == Placeholder::NextStepAsk)?;
    // Each inline is one part.
    let mut links = inlines.iter().zip(&passage.parts).filter(|(inline, _)| {
        matches!(inline, Inline::Link { href: Href::Var(name), .. } if name == Placeholder::NextStepUrl.name())
    });
    let (_, label) = links.next()?;
    links.next().is_none().then(|| label.range.clone())
}

/// Whether a sentence is nothing but these words, and asks once.
fn is_only(passage: &Passage, ask: &Ask, words: &Range<usize>) -> bool {
    let sentence = &ask.sentence;
    let before = passage.text.get(sentence.start..words.start);
    let behind = passage.text.get(words.end..sentence.end.max(words.end));
    let is_bare = |text: &str| !text.contains(char::is_alphanumeric);
    ask.times == 1
        && sentence.end > words.start
        && before.is_none_or(is_bare)
        && behind.is_none_or(is_bare)
        && sentence.start < words.end
}

/// Kinds of blocks that are read as the message itself, from greeting to sign-off. The others say who writes and how to
/// object.
pub(super) const fn is_message(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::Greeting
            | BlockKind::Opening
            | BlockKind::EvidenceHook
            | BlockKind::Value
            | BlockKind::Proof
            | BlockKind::Cta
            | BlockKind::SignOff
    )
}

/// Kinds of blocks that say what the offer is worth.
pub(super) const fn is_of_value(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::Value | BlockKind::Proof)
}

/// Kinds of blocks with what the message has to say. Greeting and sign-off would only make its sentences shorter.
pub(super) const fn has_content(kind: BlockKind) -> bool {
    is_message(kind) && !matches!(kind, BlockKind::Greeting | BlockKind::SignOff)
}

/// All lines of a template: subject, preview text, then each block with its fallback.
#[derive(Debug, Clone)]
pub(super) struct Template {
    pub lines: Vec<Line>,
}

impl Template {
    pub(super) fn of(structure: &Structure, vocabulary: &Vocabulary) -> Self {
        let line = |place: Place, pointer: String, inlines: &[Inline]| {
            let passage = Passage::of_inlines(inlines);
            let sentences = passage.sentences();
            let mut asks = asks(&passage, &sentences, vocabulary, Source::is_own);
            if let Some(label) = link_of_the_ask(inlines, &passage) {
                asks.retain(|ask| !is_only(&passage, ask, &label));
            }
            Line {
                place,
                pointer,
                words: passage.words(Source::is_own),
                passage,
                sentences,
                asks,
            }
        };
        let mut lines = vec![
            line(Place::Subject, "/subject".to_owned(), &structure.subject),
            line(
                Place::Preview,
                "/preview_text".to_owned(),
                &structure.preview_text,
            ),
        ];
        for (at, block) in structure.blocks.iter().enumerate() {
            let pointer = format!("/blocks/{at}/inlines");
            lines.push(line(Place::Block(block.kind), pointer, &block.inlines));
            if !block.fallback.is_empty() {
                let pointer = format!("/blocks/{at}/fallback");
                lines.push(line(Place::Fallback(block.kind), pointer, &block.fallback));
            }
        }
        Self { lines }
    }

    /// The blocks from greeting to sign-off.
    pub(super) fn message(&self) -> impl Iterator<Item = (BlockKind, &Line)> {
        self.lines.iter().filter_map(|line| match line.place {
            Place::Block(kind) if is_message(kind) => Some((kind, line)),
            _ => None,
        })
    }

    /// The blocks with what the message has to say.
    pub(super) fn content(&self) -> impl Iterator<Item = (BlockKind, &Line)> {
        self.message().filter(|(kind, _)| has_content(*kind))
    }

    /// Subject, preview and the message, fallbacks included: what its author is answerable for.
    pub(super) fn own(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| match line.place {
            Place::Subject | Place::Preview => true,
            Place::Block(kind) | Place::Fallback(kind) => is_message(kind),
        })
    }

    pub(super) fn subject(&self) -> Option<&Line> {
        self.lines.iter().find(|line| line.place == Place::Subject)
    }

    /// Subject and preview text in one line, if both say something.
    pub(super) fn mailbox_line(&self) -> Option<MailboxLine> {
        let passage = |place: Place| {
            let line = self.lines.iter().find(|line| line.place == place);
            line.map(|line| &line.passage)
        };
        MailboxLine::of(passage(Place::Subject)?, passage(Place::Preview)?)
    }

    /// Whether the value of a placeholder stands in the message.
    pub(super) fn has_value(&self, wanted: Placeholder) -> bool {
        let mut values = self.message().flat_map(|(_, line)| line.passage.values());
        values.any(|value| value == wanted)
    }
}

impl Line {
    /// Where its own words have numbers that nobody approved. In what says who writes, those by which its writer is reached
    /// are left out.
    pub(super) fn unapproved_numbers(
        &self,
        approved: &Approved,
        vocabulary: &Vocabulary,
    ) -> Vec<Range<usize>> {
        let closing = match self.place {
            Place::Block(kind) | Place::Fallback(kind) => {
                claims_of_closing(kind, approved, &self.passage, vocabulary)
            }
            Place::Subject | Place::Preview => None,
        };
        closing.unwrap_or_else(|| approved.missing_in(&self.passage, vocabulary, Source::is_own))
    }

    /// Pointer to the inline that has this byte.
    pub(super) fn pointer_to(&self, byte: usize) -> String {
        format!("{}/{}", self.pointer, self.passage.part_at(byte))
    }

    /// Words when it is filled with values of usual length.
    pub(super) fn mean_words(&self, language: &str) -> f64 {
        words_in(&self.passage, &(0..self.passage.text.len()), language)
    }

    /// Words of its sentences when they are filled with values of usual length.
    pub(super) fn sentence_words(&self, language: &str) -> impl Iterator<Item = f64> {
        let sentences = self.sentences.iter();
        sentences.map(move |sentence| words_in(&self.passage, sentence, language))
    }
}

/// Words of a range, values counted with their mean length.
fn words_in(passage: &Passage, range: &Range<usize>, language: &str) -> f64 {
    let text = passage.text.get(range.clone()).unwrap_or_default();
    #[allow(clippy::cast_precision_loss, reason = "a message has few words")]
    let shown = super::passage::count_words(text) as f64;
    // What stands in for a value is one word.
    let values = passage.values_in(range);
    let more: f64 = values
        .map(|value| ValueLength::of(value, language).mean_words - 1.0)
        .sum();
    (shown + more).max(0.0)
}
