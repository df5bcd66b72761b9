//! The design of each document type: page, type scale and what stands on the first page. One grid of twelve
//! columns, one scale (10, 13, 17, 23, 36), lines of at most 75 characters.

use gtm_document_model::Document;
use gtm_document_model::document::DocumentType;
use gtm_ooxml::letters;
use gtm_ooxml::paper::uses_letter;
use gtm_ooxml::theme::{Role, title_role};

/// Sizes of text in half points, as WordprocessingML counts.
pub mod size {
    pub const TITLE: u32 = 72;
    pub const HEADING_1: u32 = 46;
    pub const HEADING_2: u32 = 34;
    pub const HEADING_3: u32 = 26;
    pub const LEAD: u32 = 26;
    pub const BODY: u32 = 20;
    /// Captions, notes and what stands at the edge of the page: a point below the scale's first, because less is hard to
    /// read on paper.
    pub const SMALL: u32 = 18;
}

/// Width of the text: twelve columns of 34 pt. At 10 pt that is 70 to 75 characters.
const TEXT_WIDTH: u32 = 408;
const A4: (u32, u32) = (595, 842);
const LETTER: (u32, u32) = (612, 792);

/// What the first page of a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// A page with a field of the brand's colour.
    Field,
    /// A white page with a rule above the title.
    Rule,
    /// A page with a bar along its side.
    Bar,
    /// No page of its own: a band with the title above the text.
    Band,
    /// No page of its own: the title as a heading.
    Heading,
    /// No page of its own: the title at the head of a text that is short, below the sender's logo or name.
    Block,
    /// The sender's logo or name; the letter has the title as what it is about.
    Letter,
}

/// Pages and their first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Design {
    /// Points.
    pub page: (u32, u32),
    pub width: u32,
    pub top: u32,
    pub bottom: u32,
    pub cover: Cover,
    pub has_contents: bool,
    /// Whether speaker notes are printed.
    pub has_notes: bool,
    /// How close things stand: 100 for the usual distances, less to fit one page.
    pub density: u32,
    /// Whether a letter's sender stands at the head of the page, not of the text.
    pub has_sender_above: bool,
    /// The colour of titles on the page.
    pub title: Role,
}

impl Design {
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let meta = &document.meta;
        let front = document.front();
        let usual = Self {
            page: if uses_letter(&meta.language) {
                LETTER
            } else {
                A4
            },
            width: TEXT_WIDTH,
            top: 92,
            bottom: 85,
            cover: Cover::Rule,
            has_contents: front.has_contents,
            has_notes: false,
            density: 100,
            has_sender_above: letters::sender(document).is_some(),
            title: title_role(&document.theme),
        };
        let full = match meta.document_type {
            DocumentType::Proposal => Self {
                cover: Cover::Field,
                ..usual
            },
            DocumentType::Playbook => Self {
                cover: Cover::Bar,
                ..usual
            },
            DocumentType::GtmStrategy => Self {
                cover: Cover::Field,
                ..usual
            },
            DocumentType::Report => Self {
                cover: Cover::Rule,
                ..usual
            },
            // A handout: what was shown and what was said about it, one after another.
            DocumentType::Deck => Self {
                cover: Cover::Heading,
                has_notes: true,
                ..usual
            },
            DocumentType::OnePager => Self {
                cover: Cover::Band,
                width: 492,
                top: 40,
                bottom: 50,
                ..usual
            },
        };
        if document.is_letter() {
            return Self {
                cover: Cover::Letter,
                ..usual
            };
        }
        let cover = if full.has_cover_page() && !front.has_cover {
            Cover::Block
        } else {
            full.cover
        };
        Self { cover, ..full }
    }

    /// The margin at either side, in points.
    #[must_use]
    pub fn margin(&self) -> u32 {
        (self.page.0 - self.width) / 2
    }

    /// Width of the text on a page that lies, in points: with margins of 60 pt.
    #[must_use]
    pub fn wide(&self) -> u32 {
        self.page.1 - 120
    }

    /// Height of the text on a page, in points.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.page.1 - self.top - self.bottom
    }

    /// 240ths of a line of ordinary text.
    #[must_use]
    pub fn line(&self) -> u32 {
        if self.density < 100 { 254 } else { 276 }
    }

    /// Whether pages repeat the title above the text.
    #[must_use]
    pub fn has_header(&self) -> bool {
        self.cover != Cover::Band
    }

    /// Whether headings are a step smaller, below a title that is no larger than the usual headings.
    #[must_use]
    pub fn has_small_headings(&self) -> bool {
        matches!(self.cover, Cover::Band | Cover::Block | Cover::Letter)
    }

    /// Whether the text begins on a page that holds more than a title: it needs no number, because nobody looks for it.
    #[must_use]
    pub fn begins_on_first_page(&self) -> bool {
        matches!(self.cover, Cover::Band | Cover::Block | Cover::Letter)
    }

    /// Whether the first page has nothing but the title.
    #[must_use]
    pub fn has_cover_page(&self) -> bool {
        matches!(self.cover, Cover::Field | Cover::Rule | Cover::Bar)
    }
}
