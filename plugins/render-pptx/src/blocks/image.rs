//! Pictures. One that cannot be shown leaves its alternative text in its place.

use gtm_document_model::block::Image;
use gtm_ooxml::theme::Role;

use super::{Growth, Kind, Piece, Place, Style};
use crate::context::{Context, Result};
use crate::diagnostics::Code;
use crate::geometry::{Emu, Rect, pt};
use crate::slide::{Alt, Anchor, Shape, Words};
use crate::text::{Paragraph, Span, spans};

pub struct ImagePiece<'d> {
    image: &'d Image,
    caption: Vec<Span>,
    pointer: String,
}

const LEAST_HEIGHT: Emu = pt(120);

impl<'d> ImagePiece<'d> {
    pub fn new(context: &Context<'_>, image: &'d Image, pointer: String) -> Self {
        Self {
            image,
            caption: spans(&image.caption, &context.citations),
            pointer,
        }
    }

    fn caption(&self, style: Style) -> Option<Paragraph> {
        let is_empty = self.caption.is_empty();
        let caption = || Paragraph::new(self.caption.clone(), style.small()).role(Role::Muted);
        (!is_empty).then(caption)
    }

    fn below(&self, context: &Context<'_>, style: Style, width: Emu) -> Emu {
        let caption = self.caption(style);
        caption.map_or(0, |caption| context.measure.height(&caption, width) + pt(8))
    }
}

impl<'d> Piece<'d> for ImagePiece<'d> {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, _limit: Emu) -> Emu {
        LEAST_HEIGHT + self.below(context, style, width)
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let (context, rect) = (place.context, place.rect);
        let below = self.below(context, place.style, rect.w);
        let room = Rect::new(rect.x, rect.y, rect.w, rect.h - below);
        let output = &mut *place.output;
        let mut shown = room;
        match output.media.get(&mut output.package, &self.image.asset)? {
            Ok(medium) => {
                let (width, height) = (
                    Emu::from(medium.picture.width),
                    Emu::from(medium.picture.height),
                );
                let by_height = room.h.saturating_mul(width) / height;
                shown = if by_height <= room.w {
                    let x = room.x + (room.w - by_height) / 2;
                    Rect::new(x, room.y, by_height, room.h)
                } else {
                    Rect::new(
                        room.x,
                        room.y,
                        room.w,
                        room.w.saturating_mul(height) / width,
                    )
                };
                let alt = match &self.image.alt {
                    Some(alt) => Alt::Text(alt),
                    None => Alt::Decorative,
                };
                place
                    .canvas
                    .picture(&mut output.package, shown, medium, alt);
            }
            Err(reason) => {
                let message = format!("The picture cannot be shown: {reason}.");
                output
                    .diagnostics
                    .add(Code::ImageUnusable, &self.pointer, message);
                if let Some(alt) = &self.image.alt {
                    let size = place.style.small();
                    let words = [Paragraph::plain(alt, size).role(Role::Muted)];
                    let mut shape =
                        Shape::new("Picture", room).fill(context.palette.ink(Role::Surface));
                    let text = Words::new(&words).anchor(Anchor::Middle);
                    shape.words = Some(text.insets([pt(16); 4]));
                    place.canvas.shape(&mut output.package, &shape);
                }
            }
        }
        if let Some(caption) = self.caption(place.style) {
            // Under the picture, from its edge: it may be narrower than its place.
            let (x, width) = (shown.x, rect.x + rect.w - shown.x);
            let is_wide_enough = context.measure.height(&caption, width) <= below - pt(8);
            let (x, width) = if is_wide_enough {
                (x, width)
            } else {
                (rect.x, rect.w)
            };
            let rect = Rect::new(x, shown.bottom() + pt(8), width, below - pt(8));
            let words = [caption];
            let shape = Shape::text("Caption", rect, Words::new(&words));
            place.canvas.shape(&mut output.package, &shape);
        }
        Ok(())
    }

    fn kind(&self) -> Kind {
        Kind::Visual
    }

    fn growth(&self) -> Growth {
        Growth::Any
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}
