//! What somebody said.

use gtm_document_model::block::Quote;
use gtm_ooxml::theme::Role;

use super::{BoxedPiece, Growth, Kind, Piece, Place, Style, TextBlock, TextKind, TextPiece};
use crate::context::{Context, Result};
use crate::geometry::{Emu, Rect, pt};
use crate::slide::{Anchor, Shape, Words};
use crate::text::{Paragraph, Span, reference, spans};

pub struct QuotePiece {
    spans: Vec<Span>,
    attribution: Vec<Span>,
    pointer: String,
}

/// From the edge to the words: room for the bar.
const INSET: Emu = pt(24);
const BAR: Emu = pt(5);

impl QuotePiece {
    pub fn new(context: &Context<'_>, quote: &Quote, pointer: String) -> Self {
        let cited = reference(&quote.cite, &context.citations);
        let mut said = spans(&quote.runs, &context.citations);
        let mut attribution = Vec::new();
        match &quote.attribution {
            Some(name) => {
                attribution.push(Span {
                    text: name.clone(),
                    ..Span::default()
                });
                attribution.extend(cited);
            }
            None => said.extend(cited),
        }
        Self {
            spans: said,
            attribution,
            pointer,
        }
    }

    fn words(&self, style: Style) -> Vec<Paragraph> {
        let mut said = Paragraph::new(self.spans.clone(), style.body * 6 / 5);
        said.is_heading = true;
        let mut words = vec![said];
        if !self.attribution.is_empty() {
            let name = Paragraph::new(self.attribution.clone(), style.small());
            words.push(name.role(Role::Muted).before(800));
        }
        words
    }
}

impl<'d> Piece<'d> for QuotePiece {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, limit: Emu) -> Emu {
        let words = self.words(style);
        context.measure.total(&words, width - INSET, limit) + pt(8)
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let rect = place.rect;
        let package = &mut place.output.package;
        let bar = Rect::new(rect.x, rect.y, BAR, rect.h);
        let ink = place.context.palette.ink(Role::Accent);
        place.canvas.shape(package, &Shape::field("Bar", bar, ink));
        let words = self.words(place.style);
        let inside = Rect::new(rect.x + INSET, rect.y, rect.w - INSET, rect.h);
        let text = Words::new(&words).anchor(Anchor::Middle);
        place
            .canvas
            .shape(package, &Shape::text("Quote", inside, text));
        Ok(())
    }

    fn kind(&self) -> Kind {
        Kind::Visual
    }

    fn floats(&self) -> bool {
        true
    }

    fn growth(&self) -> Growth {
        Growth::None
    }

    fn plainer(&self, _context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        let text = vec![
            TextBlock {
                kind: TextKind::Paragraph,
                spans: self.spans.clone(),
            },
            TextBlock {
                kind: TextKind::Small,
                spans: self.attribution.clone(),
            },
        ];
        Some(vec![Box::new(TextPiece::new(text, self.pointer.clone()))])
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}
