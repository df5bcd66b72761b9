//! Running text: leads, headings, paragraphs and lists, one after another in one box.

use gtm_document_model::Block;
use gtm_document_model::block::{Bullets, Item};
use gtm_ooxml::theme::Role;

use super::{BoxedPiece, Kind, Piece, Place, Style};
use crate::context::{Context, Result};
use crate::geometry::Emu;
use crate::slide::{Anchor, Shape, Words};
use crate::text::{Mark, Paragraph, Span, is_head, spans, split};

/// What a paragraph of running text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    Lead,
    Heading(u8),
    Paragraph,
    /// An item at its depth, with its number in a numbered list.
    Item(u8, Option<u32>),
    /// Words that stand out, such as the title of a step.
    Strong,
    /// What is said below them.
    Detail,
    /// Captions and the like.
    Small,
}

/// A paragraph before its size is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBlock {
    pub kind: TextKind,
    pub spans: Vec<Span>,
}

impl TextBlock {
    /// The paragraph in a style.
    pub fn paragraph(&self, style: Style) -> Paragraph {
        let body = style.body;
        let of = |size: u32| Paragraph::new(self.spans.clone(), size);
        match self.kind {
            TextKind::Lead => {
                let size = body * 11 / 10;
                // The primary colour has the contrast of large text only.
                let role = if size >= 1_800 {
                    Role::Primary
                } else {
                    Role::Text
                };
                of(size).role(role).before(body * 6 / 10)
            }
            TextKind::Heading(level) => {
                let size = if level == 2 { body * 21 / 20 } else { body };
                of(size).bold().before(body * 9 / 10)
            }
            TextKind::Paragraph => of(body).before(body * 6 / 10),
            TextKind::Item(level, number) => {
                let size = match level {
                    0 => body,
                    1 => body * 9 / 10,
                    _ => body * 8 / 10,
                };
                Paragraph {
                    level,
                    mark: number.map_or(Mark::Bullet, Mark::Number),
                    before: body * if level == 0 { 5 } else { 2 } / 10,
                    ..of(size)
                }
            }
            TextKind::Strong => of(body).bold().before(body * 7 / 10),
            TextKind::Detail => of(style.medium()).before(body / 10),
            TextKind::Small => of(style.small()).role(Role::Muted).before(body / 2),
        }
    }
}

/// The paragraphs of a block that is running text; none for any other.
pub fn blocks(context: &Context<'_>, block: &Block) -> Vec<TextBlock> {
    let of = |kind, runs: &[_]| {
        let spans = spans(runs, &context.citations);
        vec![TextBlock { kind, spans }]
    };
    match block {
        Block::Lead(lead) => of(TextKind::Lead, &lead.runs),
        Block::Heading(heading) => of(TextKind::Heading(heading.level), &heading.runs),
        Block::Paragraph(paragraph) => of(TextKind::Paragraph, &paragraph.runs),
        Block::Bullets(bullets) => {
            let mut found = Vec::new();
            list(context, bullets, &mut found);
            found
        }
        _ => Vec::new(),
    }
}

fn list(context: &Context<'_>, bullets: &Bullets, found: &mut Vec<TextBlock>) {
    items(context, &bullets.items, bullets.ordered, 0, found);
}

fn items(
    context: &Context<'_>,
    items_of: &[Item],
    is_ordered: bool,
    level: u8,
    found: &mut Vec<TextBlock>,
) {
    for (number, item) in (1..).zip(items_of) {
        let number = (is_ordered && level == 0).then_some(number);
        found.push(TextBlock {
            kind: TextKind::Item(level, number),
            spans: spans(&item.runs, &context.citations),
        });
        items(
            context,
            &item.items,
            is_ordered,
            level.saturating_add(1).min(8),
            found,
        );
    }
}

/// Running text.
#[derive(Debug, Clone)]
pub struct TextPiece {
    text: Text,
    pointer: String,
}

#[derive(Debug, Clone)]
enum Text {
    /// In whatever size the slide is tried with.
    Blocks(Vec<TextBlock>),
    /// In the size in which it was split.
    Paragraphs(Vec<Paragraph>),
}

impl TextPiece {
    pub fn new(blocks: Vec<TextBlock>, pointer: String) -> Self {
        Self {
            text: Text::Blocks(blocks),
            pointer,
        }
    }

    /// Paragraphs whose look stands.
    pub fn of_paragraphs(paragraphs: Vec<Paragraph>, pointer: String) -> Self {
        Self {
            text: Text::Paragraphs(paragraphs),
            pointer,
        }
    }

    pub fn paragraphs(&self, style: Style) -> Vec<Paragraph> {
        match &self.text {
            Text::Blocks(blocks) => blocks.iter().map(|block| block.paragraph(style)).collect(),
            Text::Paragraphs(paragraphs) => paragraphs.clone(),
        }
    }
}

impl<'d> Piece<'d> for TextPiece {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, limit: Emu) -> Emu {
        match &self.text {
            Text::Paragraphs(paragraphs) => context.measure.total(paragraphs, width, limit),
            Text::Blocks(_) => context.measure.total(&self.paragraphs(style), width, limit),
        }
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let paragraphs = self.paragraphs(place.style);
        let words = Words::new(&paragraphs).anchor(Anchor::Top);
        let shape = Shape::text("Text", place.rect, words);
        place.canvas.shape(&mut place.output.package, &shape);
        Ok(())
    }

    fn kind(&self) -> Kind {
        Kind::Text
    }

    fn is_part(&self) -> bool {
        matches!(self.text, Text::Paragraphs(_))
    }

    fn split(
        &mut self,
        context: &Context<'_>,
        style: Style,
        width: Emu,
        room: Emu,
    ) -> Option<BoxedPiece<'d>> {
        if let Text::Blocks(_) = self.text {
            self.text = Text::Paragraphs(self.paragraphs(style));
        }
        let Text::Paragraphs(paragraphs) = &mut self.text else {
            return None;
        };
        let first = split(&context.measure, paragraphs, width, room)?;
        let pointer = self.pointer.clone();
        Some(Box::new(Self::of_paragraphs(first, pointer)))
    }

    fn take_last_headings(&mut self) -> Option<(BoxedPiece<'d>, bool)> {
        let (last, is_empty) = match &mut self.text {
            Text::Blocks(blocks) => {
                let is_heading = |block: &TextBlock| matches!(block.kind, TextKind::Heading(_));
                let from = blocks.iter().rposition(|block| !is_heading(block));
                let last = blocks.split_off(from.map_or(0, |index| index + 1));
                (Text::Blocks(last), blocks.is_empty())
            }
            Text::Paragraphs(paragraphs) => {
                let from = paragraphs.iter().rposition(|paragraph| !is_head(paragraph));
                let last = paragraphs.split_off(from.map_or(0, |index| index + 1));
                (Text::Paragraphs(last), paragraphs.is_empty())
            }
        };
        let has_some = match &last {
            Text::Blocks(blocks) => !blocks.is_empty(),
            Text::Paragraphs(paragraphs) => !paragraphs.is_empty(),
        };
        let piece = Self {
            text: last,
            pointer: self.pointer.clone(),
        };
        has_some.then(|| (Box::new(piece) as BoxedPiece<'d>, !is_empty))
    }

    fn as_text(&self) -> Option<&TextPiece> {
        Some(self)
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}
