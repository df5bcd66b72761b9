//! Sections become slides: which layout, what stands beside what, and what goes on to a further slide.

mod flow;
mod sections;

pub use flow::{heights, stack_height};
pub use sections::plan;

use crate::blocks::{BoxedPiece, Style};
use crate::geometry::Rect;
use crate::layout::{Layout, Slot};
use crate::text::Paragraph;

/// A slide before it is drawn.
pub struct Page<'d> {
    pub layout: Layout,
    pub title: Paragraph,
    /// What stands above the title, such as the section's number.
    pub overline: Option<String>,
    /// Which of how many slides of its section it is, if there are several.
    pub part: Option<(usize, usize)>,
    pub style: Style,
    pub items: Vec<Item<'d>>,
    /// Text of further placeholders.
    pub fills: Vec<Fill>,
    pub notes: Vec<Paragraph>,
    pub on_primary: bool,
    pub has_footer: bool,
}

/// The text of a placeholder.
pub struct Fill {
    pub slot: Slot,
    pub paragraphs: Vec<Paragraph>,
    /// Where it is, if not where the layout has it.
    pub rect: Option<Rect>,
}

impl Fill {
    /// Text where the layout has the placeholder.
    pub const fn new(slot: Slot, paragraphs: Vec<Paragraph>) -> Self {
        Self {
            slot,
            paragraphs,
            rect: None,
        }
    }
}

/// A piece and its place.
pub struct Item<'d> {
    pub piece: BoxedPiece<'d>,
    pub rect: Rect,
    /// Whether it stands in the second placeholder of two columns.
    pub is_beside: bool,
}
