//! What a type of document looks like as slides: its cover, its heads, its sizes of text.

use gtm_document_model::document::DocumentType;
use gtm_ooxml::theme::Role;

/// How the first slide is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// The whole slide in the primary colour.
    Full,
    /// A panel of the primary colour at the end of the line.
    Panel,
    /// A band at the beginning of the line.
    Band,
    /// A field below the title.
    Field,
    /// The page itself, with a hairline.
    Quiet,
}

/// What stands beside the titles of all slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    /// A short bar above the title.
    Bar,
    /// A hairline below the title.
    Rule,
    /// A band along the edge where lines begin.
    Edge,
    /// A band along the upper edge.
    Top,
    /// Nothing.
    Plain,
}

/// The look of a document type. Sizes are in hundredths of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub cover: Cover,
    pub head: Head,
    pub title: u32,
    pub title_role: Role,
    /// Sizes of text, from the one that is wanted to the least that is taken before a slide is split.
    pub body: &'static [u32],
    /// Whether sections are numbered above their titles.
    pub is_numbered: bool,
    /// From how many sections on an agenda is added.
    pub agenda_from: usize,
    /// Columns of the grid that titles have; the others are the logo's.
    pub title_columns: i64,
    /// Whether all sections share a page in columns.
    pub is_one_page: bool,
}

/// The look of a document type.
pub const fn of(document_type: DocumentType) -> Look {
    let deck = Look {
        cover: Cover::Full,
        head: Head::Bar,
        title: 2_800,
        title_role: Role::Text,
        body: &[2_000, 1_800, 1_600, 1_400],
        is_numbered: false,
        agenda_from: usize::MAX,
        title_columns: 11,
        is_one_page: false,
    };
    match document_type {
        DocumentType::Deck => deck,
        DocumentType::Proposal => Look {
            cover: Cover::Panel,
            head: Head::Rule,
            title_role: Role::Primary,
            body: &[1_800, 1_600, 1_400],
            agenda_from: 5,
            ..deck
        },
        DocumentType::Playbook => Look {
            cover: Cover::Band,
            head: Head::Edge,
            body: &[1_600, 1_400],
            is_numbered: true,
            agenda_from: 4,
            ..deck
        },
        DocumentType::GtmStrategy => Look {
            cover: Cover::Field,
            head: Head::Top,
            title_role: Role::Primary,
            body: &[1_800, 1_600, 1_400],
            agenda_from: 5,
            ..deck
        },
        DocumentType::Report => Look {
            cover: Cover::Quiet,
            head: Head::Plain,
            title: 2_400,
            body: &[1_600, 1_400, 1_200],
            agenda_from: 5,
            ..deck
        },
        DocumentType::OnePager => Look {
            cover: Cover::Quiet,
            head: Head::Top,
            title: 2_800,
            title_role: Role::Primary,
            body: &[1_400, 1_300, 1_200, 1_100],
            is_one_page: true,
            ..deck
        },
    }
}

impl Look {
    /// The size that the master states, which text has that says nothing else.
    pub fn body_size(&self) -> u32 {
        self.body.first().copied().unwrap_or(LEAST)
    }
}

/// No text is smaller: 11 points.
pub const LEAST: u32 = 1_100;
