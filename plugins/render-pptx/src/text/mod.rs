//! Text on slides: paragraphs of spans, how high they are in a given width, where they can be split, and how
//! DrawingML says them.

mod fit;
mod write;

use gtm_document_model::Run;
use gtm_ooxml::theme::Role;

use crate::citations::Citations;
use crate::look::LEAST;

pub use fit::{Measure, balanced, is_head, split};
pub use write::{Inherited, Writer};

/// Characters with one look and one link.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    pub bold: bool,
    pub italic: bool,
    pub href: Option<String>,
    /// A reference to sources, which is small and muted.
    pub is_reference: bool,
}

/// What stands before a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    None,
    Bullet,
    Number(u32),
}

/// Where the lines of a paragraph stand; start and end follow the direction of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    Start,
    Center,
    End,
}

/// A paragraph with everything about its look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    pub spans: Vec<Span>,
    /// Hundredths of a point.
    pub size: u32,
    pub bold: bool,
    /// Whether it is set in the typeface of headings.
    pub is_heading: bool,
    pub role: Role,
    pub align: Align,
    /// Depth in a list, from 0.
    pub level: u8,
    pub mark: Mark,
    /// Space before it, in hundredths of a point; none at the top of a box.
    pub before: u32,
    /// Height of a line in thousandths of the size.
    pub line: u32,
}

/// Height of a line of text, and of large titles.
pub const LINE: u32 = 1_300;
pub const TITLE_LINE: u32 = 1_150;

impl Paragraph {
    pub fn new(spans: Vec<Span>, size: u32) -> Self {
        Self {
            spans,
            size: size.max(LEAST),
            bold: false,
            is_heading: false,
            role: Role::Text,
            align: Align::Start,
            level: 0,
            mark: Mark::None,
            before: 0,
            line: LINE,
        }
    }

    /// A paragraph of plain characters.
    pub fn plain(text: impl Into<String>, size: u32) -> Self {
        let span = Span {
            text: text.into(),
            ..Span::default()
        };
        Self::new(vec![span], size)
    }

    /// A title in the typeface of headings.
    pub fn title(text: impl Into<String>, size: u32) -> Self {
        Self {
            bold: true,
            is_heading: true,
            line: if size >= 2_000 { TITLE_LINE } else { 1_200 },
            ..Self::plain(text, size)
        }
    }

    pub fn role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    pub fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub fn align(self, align: Align) -> Self {
        Self { align, ..self }
    }

    pub fn before(self, before: u32) -> Self {
        Self { before, ..self }
    }

    /// How far its lines are from the edge, in hundredths of a point: room for bullet or number at each level.
    pub fn indent(&self) -> u32 {
        let step = self.size * 5 / 4;
        match self.mark {
            Mark::None => u32::from(self.level) * step,
            Mark::Bullet => (u32::from(self.level) + 1) * step,
            Mark::Number(number) => {
                let wide = if number > 99 { step / 2 } else { 0 };
                (u32::from(self.level) + 1) * step + step / 4 + wide
            }
        }
    }

    /// How far its first line hangs out of that.
    pub fn hanging(&self) -> u32 {
        match self.mark {
            Mark::None => 0,
            Mark::Bullet | Mark::Number(_) => {
                self.indent() - u32::from(self.level) * (self.size * 5 / 4)
            }
        }
    }
}

/// Spans of a document's runs, the references to sources after what they bear out.
pub fn spans(runs: &[Run], citations: &Citations<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        spans.push(Span {
            text: run.text.clone(),
            bold: run.bold,
            italic: run.italic,
            href: run.href.clone(),
            is_reference: false,
        });
        // Runs in a row that cite the same are one statement.
        let next = runs.get(index + 1).map(|next| &next.cite);
        if next != Some(&run.cite) {
            spans.extend(reference(&run.cite, citations));
        }
    }
    spans.retain(|span| !span.text.is_empty());
    spans
}

/// The reference to these sources, if there are any.
pub fn reference(ids: &[String], citations: &Citations<'_>) -> Option<Span> {
    let text = citations.reference(ids);
    (!text.is_empty()).then(|| Span {
        // The blank is narrow and does not break: a reference never begins a line.
        text: format!("\u{a0}{text}"),
        is_reference: true,
        ..Span::default()
    })
}
