//! What names a brief: its heading of the first level, a line of its beginning, the subject of its mail.

use gtm_document_model::block::{Block, Item, Paragraph};
use gtm_document_model::plain_text;

use super::verdicts::{Place, Verdict};
use super::{
    Brief, Part, count_words, directions, first_lines, line_kinds, lines, mails, one_line,
    opening_orders, own_date, private_notes, signatures, texts_of,
};
use crate::capital::capital;

/// Fewest words of a mail's subject that may title a document.
const FEWEST_SUBJECT_WORDS: usize = 2;
/// Longest line that names the text below it, in words and characters.
const LINE_WORDS: std::ops::RangeInclusive<usize> = 2..=10;
const LINE_CHARS: usize = 90;
/// Longest label of a fact below it, in words.
const LABEL_WORDS: usize = 4;

impl Brief {
    /// Takes off what the first lines say of the title: `Subject: …`, `Case study: How Leeds saves water`.
    pub(super) fn take_first_lines(&mut self, parts: Vec<Part>) -> Vec<Part> {
        if self.title.is_some() {
            return parts;
        }
        let first_lines::Found { parts, title, kind } = first_lines::read(parts);
        self.title = title;
        self.case_study |= kind.as_deref().is_some_and(first_lines::is_case_study);
        self.directions.extend(kind);
        parts
    }

    /// Takes the title off: the one heading of the first level, before any other.
    pub(super) fn take_title(&mut self, mut parts: Vec<Part>, language: &str) -> Vec<Part> {
        let first_level = |part: &&Part| matches!(part, Part::Heading { level: 1, .. });
        let alone = parts.iter().filter(first_level).count() == 1;
        let is_heading = |part: &&Part| matches!(part, Part::Heading { .. });
        let first = parts.iter().position(|part| is_heading(&part));
        // Above others of its level, one names the whole where nothing stands below it.
        let names_all =
            |at: usize| alone || at == 0 && parts.get(1).as_ref().is_some_and(first_level);
        let Some(at) =
            first.filter(|at| names_all(*at) && parts.get(*at).as_ref().is_some_and(first_level))
        else {
            return parts;
        };
        if at > 1 {
            return parts;
        }
        if let Some(Part::Heading { runs, .. }) = parts.get_mut(at)
            && lines::is_too_long_for_a_title(&plain_text(runs))
        {
            let runs = std::mem::take(runs);
            let paragraph = Paragraph::of(runs);
            parts.splice(at..=at, [Part::Block(Block::Paragraph(paragraph))]);
            return parts;
        }
        let Part::Heading { runs, .. } = parts.remove(at) else {
            return parts;
        };
        let (runs, notes) = private_notes::of_title(runs, language);
        self.withheld.extend(notes);
        if runs.is_empty() {
            // The title is private as a whole, and so is what stands directly below it.
            let is_heading = |part: &Part| matches!(part, Part::Heading { .. });
            let below = parts.iter().skip(at).take_while(|part| !is_heading(part));
            let end = at + below.count();
            for part in parts.drain(at..end) {
                if let Part::Block(block) = part {
                    self.withheld.extend(texts_of(&[block]));
                }
            }
            return parts;
        }
        let text = one_line(&plain_text(&runs));
        match directions::of_title(&text, language) {
            directions::Title::Said(title) => {
                self.title = Some(mails::without_reply_marks(&title).to_owned());
            }
            directions::Title::Direction => self.directions.push(text),
            directions::Title::Nothing => {}
        }
        parts
    }

    /// Takes for the title the short line with which a brief without headings begins, if it is no sentence and more stands below.
    pub(super) fn take_first_line(&mut self, language: &str) {
        let more = self.chapters.len() > 1;
        let Some(first) = self.chapters.first_mut() else {
            return;
        };
        // `Quarterly review` above `Meeting: 14 May` and other facts with labels is no item of theirs.
        let (text, in_list) = match first.blocks.first() {
            Some(Block::Paragraph(line)) => (plain_text(&line.runs), false),
            Some(Block::Bullets(list)) if !list.ordered => match list.items.split_first() {
                Some((line, rest)) if !rest.is_empty() && rest.iter().all(is_labeled) => {
                    (plain_text(&line.runs), true)
                }
                _ => return,
            },
            _ => return,
        };
        let names = self.title.is_none()
            && first.heading.is_none()
            && (more || in_list || first.blocks.len() > 1)
            && names_the_text(&text, language);
        if names {
            self.title = Some(capital(text.trim()));
            match first.blocks.first_mut().filter(|_| in_list) {
                Some(Block::Bullets(list)) => {
                    list.items.remove(0);
                }
                _ => {
                    first.blocks.remove(0);
                }
            }
            if first.blocks.is_empty() && first.notes.is_empty() {
                self.chapters.remove(0);
            }
        }
    }
}

/// Whether an item is a fact behind a label: `Meeting: 14 May 2027`.
fn is_labeled(item: &Item) -> bool {
    let text = plain_text(&item.runs);
    let label = text.split_once([':', '：']).map(|(label, _)| label);
    label.is_some_and(|label| (1..=LABEL_WORDS).contains(&label.split_whitespace().count()))
}

/// Whether a line may name the text below it. Names of people and companies and days stand above a text as well.
fn names_the_text(text: &str, language: &str) -> bool {
    let line = text.trim();
    LINE_WORDS.contains(&line.split_whitespace().count())
        && line.chars().count() <= LINE_CHARS
        && line.starts_with(|c: char| c.is_uppercase() || c.is_alphabetic() && !c.is_lowercase())
        && !line_kinds::is_sentence(line)
        && !line.contains(['\n', ':', '：', '@', '|'])
        && !line.ends_with([',', ';', '、', '，'])
        && !private_notes::opens(line)
        && !signatures::is_greeting(line)
        && !signatures::is_persons_name(line)
        && !signatures::is_companys_name(line)
        && own_date::of_line(line, language, own_date::Lines::OfLetters).is_none()
}

/// Whether the subject of a mail may title a document: it names no more than what that is about.
pub fn may_be_one(subject: &str, language: &str) -> bool {
    let is_private = private_notes::opens(subject);
    let is_told = opening_orders::is_due(subject)
        || Verdict::of(subject, language, Place::Beginning) != Verdict::Content
        || signatures::is_greeting(subject);
    count_words(subject) >= FEWEST_SUBJECT_WORDS
        && !is_private
        && !is_told
        && !subject.contains(['?', '!'])
        && matches!(
            directions::of_title(subject, language),
            directions::Title::Said(_)
        )
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn a_short_first_line_names_the_text_below() {
        let title = |brief: &str, language: &str| Brief::read(brief, language).title;
        for (language, brief, expected) in [
            (
                "en",
                "Quiet gates for Halden harbour\n\nTwo of nine gates leak. We mend them by night.",
                Some("Quiet gates for Halden harbour"),
            ),
            (
                "de",
                "Leise Tore für den Hafen\n\nZwei von neun Toren lecken. Wir richten sie nachts.",
                Some("Leise Tore für den Hafen"),
            ),
            (
                "en",
                "Quarterly review with Halden\nMeeting: 14 May 2027\nPlace: Leeds\n\nTwo of nine gates leak.",
                Some("Quarterly review with Halden"),
            ),
            ("en", "Jo Marsh\n\nTwo of nine gates leak.", None),
            ("en", "Halden Gates Ltd\n\nTwo of nine gates leak.", None),
            ("en", "Two of nine gates leak.\n\nWe mend them.", None),
            ("en", "Quiet gates for Halden harbour", None),
        ] {
            assert_eq!(title(brief, language).as_deref(), expected, "{brief}");
        }
    }

    #[test]
    fn the_first_of_several_headings_names_the_whole_where_it_stands_alone() {
        let brief = Brief::read(
            "# Quiet gates\n\n# What leaks\n\nTwo of nine.\n\n# What we do\n\nWe mend them.",
            "en",
        );
        assert_eq!(brief.title.as_deref(), Some("Quiet gates"));
        assert_eq!(brief.chapters.len(), 2);
        let brief = Brief::read(
            "# What leaks\n\nTwo of nine.\n\n# What we do\n\nWe mend them.",
            "en",
        );
        assert_eq!((brief.title, brief.chapters.len()), (None, 2));
    }

    #[test]
    fn the_subject_of_a_mail_may_name_its_document() {
        let subject = |subject: &str| {
            let mail = format!(
                "From: Petra <petra@vela.example>\nTo: Sam\nSubject: {subject}\n\nTwo of nine gates leak.\n\nThey leak by night."
            );
            Brief::read(&mail, "en").subject
        };
        assert_eq!(
            subject("Re: FW: Gates that close").as_deref(),
            Some("Gates that close")
        );
        for other in [
            "Proposal by Friday, 3 pages",
            "internal: gates",
            "gates?",
            "Re: Thanks!",
        ] {
            assert_eq!(subject(other), None, "{other}");
        }
    }
}
