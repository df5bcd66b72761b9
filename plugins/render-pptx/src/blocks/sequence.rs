//! What comes one after another: steps and timelines, side by side where there is room, otherwise as rows.

use gtm_document_model::block::{Steps, Timeline};
use gtm_ooxml::theme::Role;

use super::{BoxedPiece, Growth, Piece, Place, Style, TextBlock, TextKind, TextPiece};
use crate::context::{Context, Result};
use crate::geometry::{Emu, GUTTER, Rect, pt};
use crate::slide::{Anchor, Shape, Words};
use crate::text::{Align, Paragraph, Span, spans};

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// The number of a step, or when an event is.
    mark: String,
    title: String,
    detail: Vec<Span>,
}

#[derive(Debug, Clone)]
pub struct SequencePiece {
    entries: Vec<Entry>,
    is_timeline: bool,
    /// Whether it was split: what is left of rows stays rows, however few they are.
    is_split: bool,
    pointer: String,
}

/// A step's number.
const CIRCLE: Emu = pt(36);
/// An event's point.
const DOT: Emu = pt(14);
/// Narrower ones stand below each other.
const LEAST_WIDTH: Emu = pt(128);
const ROW_GAP: Emu = pt(12);
/// Inside the cards of steps.
const PADDING: Emu = pt(16);

impl SequencePiece {
    pub fn steps(context: &Context<'_>, steps: &Steps, pointer: String) -> Self {
        let entry = |(number, step): (usize, &gtm_document_model::block::Step)| Entry {
            mark: number.to_string(),
            title: step.title.clone(),
            detail: spans(&step.runs, &context.citations),
        };
        Self {
            entries: (1..).zip(&steps.items).map(entry).collect(),
            is_timeline: false,
            is_split: false,
            pointer,
        }
    }

    pub fn timeline(context: &Context<'_>, timeline: &Timeline, pointer: String) -> Self {
        let entry = |event: &gtm_document_model::block::Event| Entry {
            mark: event.when.clone(),
            title: event.title.clone(),
            detail: spans(&event.runs, &context.citations),
        };
        Self {
            entries: timeline.events.iter().map(entry).collect(),
            is_timeline: true,
            is_split: false,
            pointer,
        }
    }

    /// Steps stand on cards, events below their line.
    const fn padding(&self) -> Emu {
        if self.is_timeline { 0 } else { PADDING }
    }

    fn is_in_row(&self, width: Emu) -> bool {
        let count = Emu::try_from(self.entries.len()).unwrap_or(Emu::MAX / pt(1_000));
        !self.is_split
            && count > 1
            && count <= 6
            && count * (LEAST_WIDTH + GUTTER) <= width + GUTTER
    }

    fn words(&self, style: Style, entry: &Entry) -> Vec<Paragraph> {
        let mut words = vec![Paragraph::plain(&entry.title, style.medium()).bold()];
        if !entry.detail.is_empty() {
            words.push(Paragraph::new(entry.detail.clone(), style.small()).before(400));
        }
        words
    }

    fn mark(&self, style: Style, entry: &Entry) -> Paragraph {
        let size = style.medium();
        if self.is_timeline {
            Paragraph::plain(&entry.mark, size)
                .bold()
                .role(Role::AccentText)
        } else {
            Paragraph::plain(&entry.mark, 1_600)
                .bold()
                .role(Role::OnPrimary)
                .align(Align::Center)
        }
    }

    /// Between entries in a row. Nothing but this parts the words of a timeline.
    const fn gutter(&self) -> Emu {
        if self.is_timeline { 2 * GUTTER } else { GUTTER }
    }

    /// Height of what stands above the words in a row.
    fn head(&self, context: &Context<'_>, style: Style, width: Emu) -> Emu {
        if !self.is_timeline {
            return PADDING + CIRCLE + pt(12);
        }
        let marks = self.entries.iter().map(|entry| self.mark(style, entry));
        let highest = marks.map(|mark| context.measure.height(&mark, width)).max();
        highest.unwrap_or(0) + pt(8) + DOT + pt(10)
    }

    /// Width of the marks where entries stand below each other.
    fn margin(&self, context: &Context<'_>, style: Style, width: Emu) -> Emu {
        if !self.is_timeline {
            return CIRCLE + pt(14);
        }
        let marks = self.entries.iter().map(|entry| self.mark(style, entry));
        let widest = marks.map(|mark| context.measure.widths(&mark).0).max();
        (widest.unwrap_or(0) + DOT + pt(28)).min(width / 3)
    }

    fn row_height(&self, context: &Context<'_>, style: Style, width: Emu, entry: &Entry) -> Emu {
        let margin = self.margin(context, style, width);
        let words = self.words(style, entry);
        let words = context.measure.total(&words, width - margin, Emu::MAX);
        let mark = if self.is_timeline {
            let mark = self.mark(style, entry);
            context.measure.height(&mark, margin - DOT - pt(24))
        } else {
            CIRCLE
        };
        words.max(mark)
    }

    fn draw_row(&self, place: &mut Place<'_, '_, '_>) {
        let (context, style, rect) = (place.context, place.style, place.rect);
        let palette = &context.palette;
        let places = rect.side_by_side(self.entries.len(), self.gutter());
        let width = places.first().map_or(rect.w, |first| first.w);
        let head = self.head(context, style, width);
        let package = &mut place.output.package;
        let middle = rect.y + head - pt(10) - DOT / 2;
        if self.is_timeline {
            let line = Rect::new(rect.x, middle - pt(1), rect.w, pt(2));
            let field = Shape::field("Line", line, palette.ink(Role::Rule));
            place.canvas.shape(package, &field);
        }
        let padding = self.padding();
        for (entry, at) in self.entries.iter().zip(places) {
            let mark = [self.mark(style, entry)];
            if self.is_timeline {
                let when = Rect::new(at.x, rect.y, at.w, head - pt(18) - DOT);
                let words = Words::new(&mark).anchor(Anchor::Bottom);
                place
                    .canvas
                    .shape(package, &Shape::text("When", when, words));
                let dot = Rect::new(at.x, middle - DOT / 2, DOT, DOT);
                let dot = Shape::field("Point", dot, palette.ink(Role::Primary));
                place
                    .canvas
                    .shape(package, &dot.geometry(("ellipse", None)));
            } else {
                let card = Shape::field("Card", at, palette.ink(Role::Surface));
                place.canvas.shape(package, &card);
                let circle = Rect::new(at.x + padding, rect.y + padding, CIRCLE, CIRCLE);
                self.draw_circle(place.canvas, package, context, circle, &mark);
            }
            let words = self.words(style, entry);
            let width = at.w - 2 * padding;
            let height = rect.h - head - padding;
            let text = Rect::new(at.x + padding, rect.y + head, width, height);
            let shape = Shape::text("Step", text, Words::new(&words));
            place.canvas.shape(package, &shape);
        }
    }

    fn draw_circle(
        &self,
        canvas: &mut crate::slide::Canvas<'_>,
        package: &mut gtm_ooxml::Package,
        context: &Context<'_>,
        rect: Rect,
        mark: &[Paragraph],
    ) {
        let mut circle = Shape::new("Number", rect)
            .fill(context.palette.ink(Role::Primary))
            .geometry(("ellipse", None));
        circle.words = Some(Words::new(mark).anchor(Anchor::Middle));
        canvas.shape(package, &circle);
    }

    fn draw_rows(&self, place: &mut Place<'_, '_, '_>) {
        let (context, style, rect) = (place.context, place.style, place.rect);
        let palette = &context.palette;
        let margin = self.margin(context, style, rect.w);
        let package = &mut place.output.package;
        let mut y = rect.y;
        for entry in &self.entries {
            let height = self.row_height(context, style, rect.w, entry);
            let mark = [self.mark(style, entry)];
            if self.is_timeline {
                let dot = Rect::new(rect.x, y + pt(4), DOT, DOT);
                let dot = Shape::field("Point", dot, palette.ink(Role::Primary));
                place
                    .canvas
                    .shape(package, &dot.geometry(("ellipse", None)));
                let x = rect.x + DOT + pt(10);
                let when = Rect::new(x, y, margin - DOT - pt(24), height);
                let words = Words::new(&mark);
                place
                    .canvas
                    .shape(package, &Shape::text("When", when, words));
            } else {
                let circle = Rect::new(rect.x, y, CIRCLE, CIRCLE);
                self.draw_circle(place.canvas, package, context, circle, &mark);
            }
            let words = self.words(style, entry);
            let anchor = if height <= CIRCLE && !self.is_timeline {
                Anchor::Middle
            } else {
                Anchor::Top
            };
            let text = Rect::new(rect.x + margin, y, rect.w - margin, height);
            let shape = Shape::text("Step", text, Words::new(&words).anchor(anchor));
            place.canvas.shape(package, &shape);
            y += height + ROW_GAP;
        }
    }
}

impl<'d> Piece<'d> for SequencePiece {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, limit: Emu) -> Emu {
        if self.is_in_row(width) {
            let places = Rect::new(0, 0, width, 0).side_by_side(self.entries.len(), self.gutter());
            let each = places.first().map_or(width, |first| first.w);
            let padding = self.padding();
            let words = self.entries.iter().map(|entry| {
                let words = self.words(style, entry);
                context.measure.total(&words, each - 2 * padding, limit)
            });
            return self.head(context, style, each) + words.max().unwrap_or(0) + padding;
        }
        let mut total = 0;
        for entry in &self.entries {
            total += self.row_height(context, style, width, entry) + ROW_GAP;
            if total > limit.saturating_add(ROW_GAP) {
                break;
            }
        }
        total - ROW_GAP
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        if self.is_in_row(place.rect.w) {
            self.draw_row(place);
        } else {
            self.draw_rows(place);
        }
        Ok(())
    }

    fn is_part(&self) -> bool {
        self.is_split
    }

    fn floats(&self) -> bool {
        true
    }

    fn growth(&self) -> Growth {
        if self.is_timeline {
            Growth::None
        } else {
            Growth::Percent(115)
        }
    }

    fn split(
        &mut self,
        context: &Context<'_>,
        style: Style,
        width: Emu,
        room: Emu,
    ) -> Option<BoxedPiece<'d>> {
        if self.is_in_row(width) {
            return None;
        }
        let (mut used, mut count) = (0, 0);
        for entry in &self.entries {
            let height = self.row_height(context, style, width, entry);
            if used + height > room {
                break;
            }
            used += height + ROW_GAP;
            count += 1;
        }
        if count == 0 || count == self.entries.len() {
            return None;
        }
        self.is_split = true;
        let first = Self {
            entries: self.entries.drain(..count).collect(),
            ..self.clone_head()
        };
        Some(Box::new(first))
    }

    fn plainer(&self, _context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        let mut text = Vec::new();
        for entry in &self.entries {
            let title = format!("{}. {}", entry.mark, entry.title);
            let title = if self.is_timeline {
                format!("{} · {}", entry.mark, entry.title)
            } else {
                title
            };
            let span = Span {
                text: title,
                ..Span::default()
            };
            text.push(TextBlock {
                kind: TextKind::Strong,
                spans: vec![span],
            });
            if !entry.detail.is_empty() {
                text.push(TextBlock {
                    kind: TextKind::Detail,
                    spans: entry.detail.clone(),
                });
            }
        }
        Some(vec![Box::new(TextPiece::new(text, self.pointer.clone()))])
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl SequencePiece {
    /// The same without entries.
    fn clone_head(&self) -> Self {
        Self {
            entries: Vec::new(),
            is_timeline: self.is_timeline,
            is_split: true,
            pointer: self.pointer.clone(),
        }
    }
}
