//! What no message says: forbidden claims, pressure, praise, and a second notice on how to object.

use std::ops::Range;

use gtm_domain::message::compliance::{CheckKey, ContentCheck};
use gtm_domain::message::{BlockKind, Placeholder};
use gtm_page_text::normalize;
use serde_json::json;

use super::super::filled::Paragraph;
use super::super::mailbox_line::MailboxLine;
use super::super::notices::{notices, repeats_notice};
use super::super::passage::{Passage, Source, found};
use super::super::praise::superlatives;
use super::super::said_by::{is_praising, is_worded};
use super::super::template::has_content;
use super::super::text_language::words_differ;
use super::super::wording::{has_false_prefix, opens_urgently, urgency};
use super::{Hit, Reader, own_words, result};

impl Reader<'_> {
    pub(super) fn prohibited_language(&self) -> ContentCheck {
        let mut places = Vec::new();
        for (paragraph, claims) in self.filled.paragraphs.iter().zip(&self.claimed.paragraphs) {
            let mut hits = self.pressing(&paragraph.passage);
            if *claims {
                hits.push(0..paragraph.passage.text.len());
            }
            hits.sort_by_key(|range| range.start);
            places.extend(self.hits(paragraph, &hits));
        }
        let shown_first = self.shown_first().into_iter();
        for ((pointer, line), claims) in shown_first.zip(self.claimed.shown_first) {
            let words = line.words(is_worded);
            let pressing = self.pressing(line).into_iter();
            places.extend(pressing.map(|range| Hit::of_line(pointer, line, &range)));
            let of_the_whole = [
                has_false_prefix(&line.text),
                opens_urgently(&line.text, &words, self.vocabulary),
                claims,
            ];
            let of_the_whole = of_the_whole.into_iter().filter(|found| *found);
            places.extend(of_the_whole.map(|_| Hit::of_whole_line(pointer, line)));
        }
        if let Some(line) = MailboxLine::of(&self.filled.subject, &self.filled.preview) {
            let presses = !line
                .pressing(self.vocabulary, &self.texts, is_worded)
                .is_empty();
            if presses || self.claimed.across {
                places.push(Hit::of_whole_line("/preview_text", &self.filled.preview));
            }
        }
        let count = places.len();
        // DANGER: in a language that is not the tag's no list would find a word, so nobody could tell what it says.
        if count == 0 && words_differ(&own_words(self.filled), self.given.language) {
            let content = self.filled.paragraphs.iter();
            let content = content.filter(|paragraph| has_content(paragraph.kind));
            let whole = |paragraph: &Paragraph| {
                Hit::of(self.filled, paragraph, &(0..paragraph.passage.text.len()))
            };
            return result(
                CheckKey::ProhibitedLanguage,
                false,
                json!("another language"),
                json!(self.given.language),
                content.map(whole).collect(),
            );
        }
        result(
            CheckKey::ProhibitedLanguage,
            count == 0,
            json!(count),
            json!(0),
            places,
        )
    }

    /// Where a passage presses or praises.
    fn pressing(&self, passage: &Passage) -> Vec<Range<usize>> {
        let mut hits = urgency(
            &passage.text,
            &passage.words(is_worded),
            self.vocabulary,
            &self.texts,
        );
        hits.retain(|hit| !self.is_quoted_pressure(passage, hit));
        let words = passage.words(is_praising);
        let mut praise = superlatives(&passage.text, &words, self.vocabulary);
        // `Leading Consultant` is what somebody is.
        let titles = found(&words, self.vocabulary.superlatives_of_roles);
        let role = Source::Value(Placeholder::SenderRole);
        praise.retain(|hit| passage.source_at(hit.start) != Some(role) || !titles.contains(hit));
        praise.retain(|hit| !self.is_quoted_praise(passage, hit));
        hits.extend(praise);
        hits
    }

    pub(super) fn opt_out_final(&self) -> ContentCheck {
        let notice = normalize(self.given.opt_out_notice);
        let last = self.filled.paragraphs.last();
        let is_notice = |paragraph: &&Paragraph| paragraph.kind == BlockKind::OptOut;
        let ends = last.filter(is_notice).is_some_and(|paragraph| {
            let only = paragraph
                .passage
                .parts
                .iter()
                .all(|part| part.source == Source::Value(Placeholder::ComplianceOptOut));
            let text = &paragraph.passage.text;
            only && self.given.message.text.ends_with(text.as_str())
                && !notice.is_empty()
                && normalize(text) == notice
        });
        let notices = self.filled.paragraphs.iter().filter(is_notice).count();
        let mut others = Vec::new();
        for paragraph in &self.filled.paragraphs {
            let marks = self.other_notices(&paragraph.passage);
            others.extend(self.hits(paragraph, &marks));
        }
        for (pointer, line) in self.shown_first() {
            let marks = self.other_notices(line).into_iter();
            others.extend(marks.map(|range| Hit::of_line(pointer, line, &range)));
        }
        let alone = others.is_empty();
        let observed = match (ends, notices, alone) {
            (true, 1, true) => "final",
            (_, 0, _) => "missing",
            (true, _, _) => "another notice",
            (false, _, _) => "not final",
        };
        result(
            CheckKey::OptOutFinal,
            observed == "final",
            json!(observed),
            json!("final"),
            others,
        )
    }

    /// Where a passage says in other words than the policy's how to get no more messages, or that nobody can.
    fn other_notices(&self, passage: &Passage) -> Vec<Range<usize>> {
        let words = passage.words(is_worded);
        let mut found = notices(passage, &words, self.vocabulary);
        let sentences = passage.sentences().into_iter();
        let repeated = sentences.filter(|sentence| {
            !found.iter().any(|it| sentence.contains(&it.start))
                && repeats_notice(&words, sentence, self.given.opt_out_notice)
        });
        let repeated: Vec<Range<usize>> = repeated.collect();
        found.extend(repeated);
        found
    }
}
