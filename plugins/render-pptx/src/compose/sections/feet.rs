//! Few sources stand at the foot of the slides that cite them, as in a copy in PDF: a slide of their own would be almost empty.

use std::collections::BTreeSet;

use gtm_document_model::document::Layout as Hint;
use gtm_document_model::walk::{Visitor, walk_blocks};
use gtm_document_model::{Section, Source};

use super::super::Item;
use super::special::in_brief;
use crate::blocks::TextPiece;
use crate::context::Context;
use crate::geometry::{BODY_END, Emu, Rect, pt};
use crate::text::Paragraph;

/// More sources than these fill a slide.
const MOST: usize = 4;

/// What a section cites, at the foot of its slides.
pub struct Foot {
    paragraphs: Vec<Paragraph>,
    rect: Rect,
}

impl Foot {
    /// Where what stands above it ends.
    pub const fn top(&self) -> Emu {
        self.rect.y - pt(8)
    }

    pub fn item<'d>(&self) -> Item<'d> {
        let piece = TextPiece::of_paragraphs(self.paragraphs.clone(), "/sources".to_owned());
        Item {
            piece: Box::new(piece),
            rect: self.rect,
            is_beside: false,
        }
    }
}

/// Whether all sources stand at the feet of slides. Slides of colour have none.
pub fn suffice(context: &Context<'_>) -> bool {
    let count = context.citations.sources.len();
    let mut told = BTreeSet::new();
    let fits = |section: &Section| {
        let found = cited(context, section);
        let is_bare = matches!(
            section.layout,
            Some(Hint::Cover | Hint::Agenda | Hint::Divider | Hint::Statement | Hint::Closing)
        );
        told.extend(found.iter().map(|(number, _)| *number));
        found.is_empty() || !is_bare && foot(context, found).is_some()
    };
    // What is cited in notes alone is told nowhere else.
    count <= MOST && context.document.sections.iter().all(fits) && told.len() == count
}

/// The foot of a section's slides, if it has one.
pub fn of(context: &Context<'_>, section: &Section) -> Option<Foot> {
    let found = cited(context, section);
    if found.is_empty() || context.look.is_one_page || !suffice(context) {
        return None;
    }
    foot(context, found)
}

fn foot(context: &Context<'_>, found: Vec<(u32, &Source)>) -> Option<Foot> {
    let paragraphs: Vec<Paragraph> = (found.into_iter())
        .map(|(number, source)| in_brief(context, number, source))
        .collect();
    let width = Rect::on_grid(0, 12, 0, 0).w;
    let height = context.measure.total(&paragraphs, width, BODY_END);
    let rect = Rect::on_grid(0, 12, context.body_end - height, context.body_end);
    (height <= BODY_END / 6).then_some(Foot { paragraphs, rect })
}

/// The sources that a section cites, with their numbers.
fn cited<'d>(context: &Context<'d>, section: &Section) -> Vec<(u32, &'d Source)> {
    struct Cited<'s>(Vec<&'s String>);
    impl<'s> Visitor<'s> for Cited<'s> {
        fn cites(&mut self, _: &str, ids: &'s [String]) {
            self.0.extend(ids);
        }
    }
    let mut cited = Cited(Vec::new());
    walk_blocks(&section.blocks, &mut cited);
    let sources = (1..).zip(context.citations.sources.iter().copied());
    sources
        .filter(|(_, source)| cited.0.contains(&&source.id))
        .collect()
}
