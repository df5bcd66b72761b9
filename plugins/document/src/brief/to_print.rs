//! Reads a brief of which a document is made without a model.

use std::borrow::Cow;

use super::printed::{LeftOut, Reason, Sorted, sorted};
use super::{
    Beside, Brief, html, html_document, letters, line_kinds, markdown, marked_asides, one_line,
    texts_of,
};

impl Brief {
    /// Reads a brief of which a document is made without a model: only what has the form of content is printed. What the rest
    /// orders still counts.
    #[must_use]
    pub fn read_to_print(text: &str, language: &str, advises: bool) -> Self {
        let whole = Self::read_as(text, language, advises);
        let text = as_markdown(text);
        let (text, _) = marked_asides::parted(&text);
        // Colleagues sign what they write each other, too: with a note in it, a letter that says `Hi Tom` is none.
        let is_familiar = || text.lines().any(letters::is_hello);
        if whole.is_letter && (whole.withheld.is_empty() || !is_familiar()) {
            return whole.with_whole_paragraphs(&text);
        }
        let Sorted {
            parts,
            left_out,
            is_addressed,
            pictures,
            unlinked,
            struck,
        } = sorted(&text, language);
        if !is_addressed && left_out.is_empty() {
            return whole;
        }
        let read = markdown::Read {
            parts,
            pictures,
            unlinked,
            struck,
        };
        let mut brief = Self::of_parts(
            read,
            language,
            advises,
            Beside {
                is_marked: text.lines().any(line_kinds::is_heading),
                ..Beside::default()
            },
        );
        let is_told = |text: &String| {
            left_out
                .iter()
                .any(|left| left.text.contains(&one_line(text)))
        };
        let withheld = whole.withheld.into_iter();
        let withheld: Vec<String> = withheld.filter(|it| !is_told(it)).collect();
        brief.withheld.retain(|text| !withheld.contains(text));
        brief.withheld.extend(withheld);
        brief.left_out = left_out;
        brief.subject = whole.subject;
        brief.directions = whole.directions;
        brief.wishes = whole.wishes;
        brief.addressee = whole.addressee;
        brief.case_study = whole.case_study;
        brief.orders_letter = whole.orders_letter;
        brief.letter_reader = whole.letter_reader;
        brief
    }

    /// Takes out of a letter each paragraph of which something was left out, as a whole.
    fn with_whole_paragraphs(mut self, source: &str) -> Self {
        let flat = |text: &str| -> String {
            let said = text.chars().filter(|c| c.is_alphanumeric());
            said.collect()
        };
        let notes: Vec<String> = self.withheld.iter().map(|note| flat(note)).collect();
        let paragraphs: Vec<String> = source.split("\n\n").map(one_line).collect();
        let private: Vec<(String, &String)> = paragraphs
            .iter()
            .map(|paragraph| (flat(paragraph), paragraph))
            .filter(|(said, _)| {
                notes
                    .iter()
                    .any(|note| !note.is_empty() && said.contains(note.as_str()))
            })
            .collect();
        for chapter in &mut self.chapters {
            chapter.blocks.retain(|block| {
                let said = flat(&texts_of(std::slice::from_ref(block)).join(" "));
                !private
                    .iter()
                    .any(|(paragraph, _)| !said.is_empty() && paragraph.contains(&said))
            });
        }
        self.left_out = private
            .into_iter()
            .map(|(_, text)| LeftOut {
                reason: Reason::Confidential,
                text: text.clone(),
            })
            .collect();
        self
    }
}

/// A brief as Markdown, also where it is an HTML document.
pub fn as_markdown(text: &str) -> Cow<'_, str> {
    match html_document::as_markdown(text) {
        Some(markdown) => Cow::Owned(markdown),
        None => html::without_tags(text),
    }
}
