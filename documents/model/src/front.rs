//! What stands before the text of a document on pages. Each renderer asks here, so that a document has the same first
//! page in each format, and so does a backend that is to fill so many pages.
//!
//! A cover and a table of contents tell whoever holds many pages what they are about and where to look. Before a page
//! or two they are in the way: the reader sees all of it anyway.

use crate::document::{Document, DocumentType, Layout, Section};
use crate::extent::{self, PAGE};

/// Pages that a text may fill below its title without a cover.
const SHORT: usize = 2;
/// Pages from which on a reader looks for a place instead of leafing to it.
const LEAFED: usize = 3;
/// Titles that are worth a table.
const HANDFUL: usize = 4;
/// Height of the title and what stands beside it, in points.
const TITLE_BLOCK: usize = 110;

/// What stands before the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Front {
    /// Whether the title has a page of its own; if not, it stands above the text of the first page.
    pub has_cover: bool,
    /// Whether a table of contents comes before the text.
    pub has_contents: bool,
}

impl Front {
    /// What sections need before them, in a document of this type and title.
    #[must_use]
    pub fn of(document_type: DocumentType, title: &str, sections: &[Section]) -> Self {
        // One page is one page, a deck's slides are all of one size, and a letter begins as letters do.
        if matches!(document_type, DocumentType::OnePager | DocumentType::Deck)
            || begins_as_a_letter(sections)
        {
            return Self {
                has_cover: false,
                has_contents: false,
            };
        }
        let titled = || {
            let numbered = sections.iter().enumerate();
            numbered.filter_map(|(index, section)| section.heading(index, title))
        };
        let titles = titled().map(extent::title_height);
        let blocks = sections.iter().map(|section| section.blocks.as_slice());
        let notes = extent::notes_height(blocks.clone());
        let height = (titles.chain(blocks.map(extent::height)))
            .chain([notes])
            .fold(0, usize::saturating_add);
        let has_cover = height.saturating_add(TITLE_BLOCK) > SHORT * PAGE;
        Self {
            has_cover,
            has_contents: has_cover && height > LEAFED * PAGE && titled().count() >= HANDFUL,
        }
    }
}

impl Document {
    /// What stands before the text.
    #[must_use]
    pub fn front(&self) -> Front {
        let kind = match self.meta.has_slides() {
            true => DocumentType::Deck,
            false => self.meta.document_type,
        };
        Front::of(kind, &self.meta.title, &self.sections)
    }

    /// Whether it begins as letters do: with who reads it, the day, and what it is about.
    #[must_use]
    pub fn is_letter(&self) -> bool {
        begins_as_a_letter(&self.sections)
    }
}

fn begins_as_a_letter(sections: &[Section]) -> bool {
    sections
        .first()
        .is_some_and(|first| first.layout == Some(Layout::Letter))
}

impl Section {
    /// The heading above the section at `index`, in a text of this title. None where the first page has these words
    /// already, or where there is nothing below: an agenda is what a table of contents is for.
    #[must_use]
    pub fn heading(&self, index: usize, title: &str) -> Option<&str> {
        let repeats = self.title.trim() == title.trim();
        // Behind a cover or the head of a letter, what goes on below the title needs it no second time.
        let is_cover = self.layout == Some(Layout::Cover) || (index <= 1 && repeats);
        let is_bare = self.blocks.is_empty() && (is_cover || self.layout == Some(Layout::Agenda));
        (!(is_bare || is_cover && repeats)).then_some(self.title.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{Block, Paragraph};
    use crate::text::Run;

    const TITLE: &str = "An offer";
    const TEXTS: [DocumentType; 4] = [
        DocumentType::Proposal,
        DocumentType::Playbook,
        DocumentType::GtmStrategy,
        DocumentType::Report,
    ];

    /// Sections of paragraphs of eight lines, 120 pt each.
    fn sections(count: usize, paragraphs: usize) -> Vec<Section> {
        let paragraph = Block::Paragraph(Paragraph::of(vec![Run::plain(
            "Words, and more. ".repeat(32),
        )]));
        let section = |index| Section {
            id: format!("s{index}"),
            title: format!("Part {index}"),
            blocks: vec![paragraph.clone(); paragraphs],
            ..Section::default()
        };
        (0..count).map(section).collect()
    }

    fn front(sections: &[Section]) -> (bool, bool) {
        let fronts = TEXTS.map(|kind| Front::of(kind, TITLE, sections));
        assert!(fronts.iter().all(|front| *front == fronts[0]));
        (fronts[0].has_cover, fronts[0].has_contents)
    }

    #[test]
    fn a_letter_has_neither_cover_nor_contents() {
        assert_eq!(front(&sections(1, 3)), (false, false));
        // Many short parts are no long text.
        assert_eq!(front(&sections(6, 1)), (false, false));
    }

    #[test]
    fn what_begins_as_a_letter_has_neither_however_long() {
        let mut all = sections(6, 9);
        all[0].layout = Some(Layout::Letter);
        assert_eq!(front(&all), (false, false));
    }

    #[test]
    fn contents_need_pages_and_a_handful_of_titles() {
        assert_eq!(
            front(&sections(6, 2)),
            (true, false),
            "some two and a half pages"
        );
        assert_eq!(front(&sections(3, 8)), (true, false), "three titles");
        assert_eq!(front(&sections(4, 6)), (true, true));
    }

    #[test]
    fn a_page_or_slides_have_none_however_long() {
        for kind in [DocumentType::OnePager, DocumentType::Deck] {
            let front = Front::of(kind, TITLE, &sections(20, 9));
            assert!(!front.has_cover && !front.has_contents);
        }
    }

    #[test]
    fn what_the_first_page_says_is_not_counted_as_a_title() {
        let mut all = sections(4, 6);
        all[0].title = TITLE.to_owned();
        assert_eq!(front(&all), (true, false));
        assert_eq!(all[0].heading(0, TITLE), None);
        // Behind a cover, a section may go on below the same title.
        assert_eq!(all[0].heading(1, TITLE), None);
        assert_eq!(all[0].heading(2, TITLE), Some(TITLE));
        let bare = |layout| Section {
            title: "What comes".to_owned(),
            layout: Some(layout),
            ..Section::default()
        };
        assert_eq!(bare(Layout::Agenda).heading(1, TITLE), None);
        assert_eq!(bare(Layout::Cover).heading(0, TITLE), None);
        assert_eq!(bare(Layout::Divider).heading(1, TITLE), Some("What comes"));
    }
}
