//! Boxes beside the flow of the text.

use gtm_document_model::block::{Callout, Tone};
use gtm_ooxml::theme::Role;

use super::{BoxedPiece, Kind, Piece, Place, Style, TextBlock, TextKind, TextPiece};
use crate::context::{Context, Result};
use crate::geometry::{Emu, Rect, pt};
use crate::slide::{Anchor, Shape, Words};
use crate::text::{Paragraph, Span, spans};

pub struct CalloutPiece {
    tone: Tone,
    title: Option<String>,
    spans: Vec<Span>,
    pointer: String,
}

const EDGE: Emu = pt(6);

/// Inside the box: less where text is small.
fn padding(style: Style) -> Emu {
    if style.body >= 1_600 { pt(16) } else { pt(10) }
}

impl CalloutPiece {
    pub fn new(context: &Context<'_>, callout: &Callout, pointer: String) -> Self {
        Self {
            tone: callout.tone,
            title: callout.title.clone(),
            spans: spans(&callout.runs, &context.citations),
            pointer,
        }
    }

    fn words(&self, style: Style) -> Vec<Paragraph> {
        let mut words = Vec::new();
        if let Some(title) = &self.title {
            words.push(Paragraph::plain(title, style.body).bold());
        }
        words.push(Paragraph::new(self.spans.clone(), style.medium()).before(400));
        words
    }

    /// The colour of its edge.
    const fn role(&self) -> Role {
        match self.tone {
            Tone::Info => Role::Primary,
            Tone::Success => Role::Secondary,
            Tone::Warning => Role::Accent,
            Tone::Note => Role::Muted,
        }
    }
}

impl<'d> Piece<'d> for CalloutPiece {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, limit: Emu) -> Emu {
        let inside = width - 2 * padding(style) - EDGE;
        context.measure.total(&self.words(style), inside, limit) + 2 * padding(style)
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let rect = place.rect;
        let palette = &place.context.palette;
        let package = &mut place.output.package;
        let words = self.words(place.style);
        let padding = padding(place.style);
        let mut shape = Shape::new("Callout", rect).fill(palette.ink(Role::Surface));
        let insets = [padding + EDGE, padding, padding, padding];
        let text = Words::new(&words).anchor(Anchor::Middle);
        shape.words = Some(text.insets(insets));
        place.canvas.shape(package, &shape);
        let edge = Rect::new(rect.x, rect.y, EDGE, rect.h);
        let field = Shape::field("Edge", edge, palette.ink(self.role()));
        place.canvas.shape(package, &field);
        Ok(())
    }

    fn kind(&self) -> Kind {
        Kind::Visual
    }

    fn plainer(&self, _context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        let mut text = Vec::new();
        if let Some(title) = &self.title {
            text.push(TextBlock {
                kind: TextKind::Heading(3),
                spans: vec![Span {
                    text: title.clone(),
                    ..Span::default()
                }],
            });
        }
        text.push(TextBlock {
            kind: TextKind::Paragraph,
            spans: self.spans.clone(),
        });
        Some(vec![Box::new(TextPiece::new(text, self.pointer.clone()))])
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}
