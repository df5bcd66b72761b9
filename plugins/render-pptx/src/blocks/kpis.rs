//! Rows of figures.

use gtm_document_model::block::{Kpi, Kpis};
use gtm_ooxml::theme::Role;

use super::{BoxedPiece, Growth, Piece, Place, Style, TextBlock, TextKind, TextPiece};
use crate::context::{Context, Result};
use crate::geometry::{Emu, GUTTER, Rect, pt};
use crate::slide::{Anchor, Shape, Words};
use crate::text::{Paragraph, Span, reference};

pub struct KpisPiece<'d> {
    items: &'d [Kpi],
    pointer: String,
}

/// Figures in one row.
const MOST_IN_ROW: usize = 4;

/// The bar along the side of a card.
const EDGE: Emu = pt(4);

/// Inside a card: less where text is small.
fn padding(style: Style) -> Emu {
    if style.body >= 1_600 { pt(16) } else { pt(10) }
}

impl<'d> KpisPiece<'d> {
    pub fn new(kpis: &'d Kpis, pointer: String) -> Self {
        Self {
            items: &kpis.items,
            pointer,
        }
    }

    /// Rows as even as they can be: six figures are two rows of three. A narrow place has fewer in a row.
    fn rows(&self, width: Emu) -> impl Iterator<Item = &'d [Kpi]> + use<'d> {
        let room = usize::try_from(width / pt(150)).unwrap_or(1);
        let most = MOST_IN_ROW.min(room.max(1));
        let rows = self.items.len().div_ceil(most).max(1);
        self.items.chunks(self.items.len().div_ceil(rows).max(1))
    }

    fn card_width(&self, width: Emu) -> Emu {
        let most = self.rows(width).map(<[Kpi]>::len).max().unwrap_or(1);
        let row = Rect::new(0, 0, width, 0).side_by_side(most, GUTTER);
        row.first().map_or(width, |card| card.w)
    }

    /// The largest size in which every value stands on one line of its card.
    fn value_size(&self, context: &Context<'_>, style: Style, inside: Emu) -> u32 {
        let wanted = match style.body {
            1_600.. => 4_400,
            1_400.. => 2_800,
            _ => 2_000,
        };
        let mut sizes = [4_400, 3_600, 3_200, 2_800, 2_400, 2_000, 1_800]
            .into_iter()
            .filter(|size| *size <= wanted);
        let fits = |size: u32| {
            self.items.iter().all(|kpi| {
                let value = Paragraph::title(&kpi.value, size);
                context.measure.lines(&value, inside).len() == 1
            })
        };
        sizes.find(|size| fits(*size)).unwrap_or(1_600)
    }

    fn card(
        &self,
        context: &Context<'_>,
        style: Style,
        kpi: &Kpi,
        value_size: u32,
    ) -> Vec<Paragraph> {
        let value = Paragraph::title(&kpi.value, value_size).role(Role::AccentText);
        let mut label = vec![Span {
            text: kpi.label.clone(),
            ..Span::default()
        }];
        label.extend(reference(&kpi.cite, &context.citations));
        let mut card = vec![value, Paragraph::new(label, style.medium()).before(400)];
        if let Some(detail) = &kpi.detail {
            let detail = Paragraph::plain(detail, style.small());
            card.push(detail.role(Role::Muted).before(300));
        }
        card
    }

    fn card_height(&self, context: &Context<'_>, style: Style, width: Emu) -> Emu {
        let inside = self.card_width(width) - 2 * padding(style) - EDGE;
        let size = self.value_size(context, style, inside);
        let heights = self.items.iter().map(|kpi| {
            let card = self.card(context, style, kpi, size);
            context.measure.total(&card, inside, Emu::MAX)
        });
        heights.max().unwrap_or(0) + 2 * padding(style)
    }
}

impl<'d> Piece<'d> for KpisPiece<'d> {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, _limit: Emu) -> Emu {
        let rows = Emu::try_from(self.rows(width).count()).unwrap_or(1);
        rows * self.card_height(context, style, width) + (rows - 1) * GUTTER
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let (context, style, rect) = (place.context, place.style, place.rect);
        let rows: Vec<_> = self.rows(rect.w).collect();
        let most = rows.iter().map(|row| row.len()).max().unwrap_or(1);
        let inside = self.card_width(rect.w) - 2 * padding(style) - EDGE;
        let size = self.value_size(context, style, inside);
        let count = Emu::try_from(rows.len()).unwrap_or(1).max(1);
        let height = (rect.h - (count - 1) * GUTTER) / count;
        let mut y = rect.y;
        for row in rows {
            let places = Rect::new(rect.x, y, rect.w, height).side_by_side(most, GUTTER);
            for (kpi, card) in row.iter().zip(places) {
                let package = &mut place.output.package;
                let words = self.card(context, style, kpi, size);
                let mut shape = Shape::new("Figure", card).fill(context.palette.ink(Role::Surface));
                let text = Words::new(&words).anchor(Anchor::Top);
                let around = padding(style);
                shape.words = Some(text.insets([around + EDGE, around, around, around]));
                place.canvas.shape(package, &shape);
                let edge = Rect::new(card.x, card.y, EDGE, card.h);
                let ink = context.palette.ink(Role::Primary);
                place
                    .canvas
                    .shape(package, &Shape::field("Edge", edge, ink));
            }
            y += height + GUTTER;
        }
        Ok(())
    }

    fn floats(&self) -> bool {
        true
    }

    fn growth(&self) -> Growth {
        Growth::Percent(120)
    }

    fn plainer(&self, context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        let mut text = Vec::new();
        for kpi in self.items {
            for block in self.card(context, Style { body: 1_400 }, kpi, 1_400) {
                let is_value = block.is_heading;
                text.push(TextBlock {
                    kind: if is_value {
                        TextKind::Strong
                    } else {
                        TextKind::Detail
                    },
                    spans: block.spans,
                });
            }
        }
        Some(vec![Box::new(TextPiece::new(text, self.pointer.clone()))])
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}
