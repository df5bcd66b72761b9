//! Subject and preview text as a mailbox shows them: in one line.
//!
//! DANGER: what presses or claims may be cut over both, `Last` and `chance`. Only what goes across the border is told here;
//! the rest is found in either by itself.

use std::ops::Range;

use super::facts::ApprovedTexts;
use super::passage::{Passage, Source};
use super::vocabulary::Vocabulary;
use super::wording::urgency;
use crate::forbidden::ForbiddenClaims;

/// Words on either side of the border that make a claim together. Farther ones belong to what their own line says.
const BESIDE: usize = 2;

/// Both lines, of which each says something.
pub(super) struct MailboxLine {
    pub passage: Passage,
    /// Bytes between them.
    border: Range<usize>,
}

impl MailboxLine {
    pub(super) fn of(subject: &Passage, preview: &Passage) -> Option<Self> {
        if subject.text.trim().is_empty() || preview.text.trim().is_empty() {
            return None;
        }
        let mut passage = subject.clone();
        // A literal, so that a phrase may go across it.
        passage.push(" ", Source::Literal);
        let border = subject.text.len()..passage.text.len();
        for part in &preview.parts {
            let text = preview.text.get(part.range.clone()).unwrap_or_default();
            passage.push(text, part.source);
        }
        Some(Self { passage, border })
    }

    /// Where both press together.
    pub(super) fn pressing(
        &self,
        vocabulary: &Vocabulary,
        texts: &ApprovedTexts,
        reads: impl Fn(Source) -> bool,
    ) -> Vec<Range<usize>> {
        let words = self.passage.words(reads);
        let mut found = urgency(&self.passage.text, &words, vocabulary, texts);
        found.retain(|range| range.start < self.border.start && range.end > self.border.end);
        found
    }

    /// The first forbidden claim that both lines make together, and neither by itself: word for word, or by the words beside the
    /// border. A preview text that begins with a capital says something of its own: `… reports savings` | `Guaranteed uptime …`.
    pub(super) fn claim<'c>(&self, forbidden: &'c ForbiddenClaims) -> Option<&'c str> {
        let text = |range: Range<usize>| self.passage.text.get(range).unwrap_or_default();
        let subject = text(0..self.border.start);
        let preview = text(self.border.end..self.passage.text.len());
        let goes_on = !preview.trim_start().starts_with(char::is_uppercase);
        let beside = self.beside().filter(|_| goes_on);
        let beside = beside
            .into_iter()
            .flat_map(|it| forbidden.made_in(text(it)));
        let mut across = forbidden
            .repeated_in(&self.passage.text)
            .chain(beside)
            .peekable();
        across.peek()?;
        let apart = [subject, preview].into_iter();
        let apart: Vec<&str> = apart.flat_map(|it| forbidden.made_in(it)).collect();
        across.find(|claim| !apart.contains(claim))
    }

    /// The words beside the border.
    fn beside(&self) -> Option<Range<usize>> {
        let words = self.passage.words(|_| true);
        let behind = words.partition_point(|word| word.range.end <= self.border.start);
        let first = words.get(behind.saturating_sub(BESIDE))?.range.start;
        let last = words.get(behind..)?.iter().take(BESIDE).next_back()?;
        Some(first..last.range.end)
    }
}
