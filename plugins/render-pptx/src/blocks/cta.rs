//! Calls to action: a button that leads somewhere, and the same place as a QR code.

use gtm_document_model::block::Cta;
use gtm_ooxml::theme::Role;
use qrcodegen::{QrCode, QrCodeEcc};

use super::{BoxedPiece, Piece, Place, Style, TextBlock, TextKind, TextPiece};
use crate::context::{Context, Result};
use crate::diagnostics::Code;
use crate::geometry::{Emu, Rect, pt};
use crate::slide::{Alt, Anchor, Shape, Words};
use crate::text::{Align, Paragraph, Span, spans};

pub struct CtaPiece<'d> {
    cta: &'d Cta,
    text: Vec<Span>,
    pointer: String,
}

/// The white edge that readers of QR codes need: four modules.
const QUIET: Emu = 4;
/// Longer addresses make a code too dense for a telephone.
const MOST_IN_QR: usize = 300;

fn code_side(style: Style) -> Emu {
    if style.body >= 1_600 { pt(120) } else { pt(76) }
}

impl<'d> CtaPiece<'d> {
    pub fn new(context: &Context<'_>, cta: &'d Cta, pointer: String) -> Self {
        Self {
            cta,
            text: spans(&cta.text, &context.citations),
            pointer,
        }
    }

    fn has_qr(&self) -> bool {
        self.cta.qr && self.cta.href.len() <= MOST_IN_QR
    }

    fn label(&self, style: Style) -> Paragraph {
        let size = style.body.min(1_800);
        Paragraph::plain(&self.cta.label, size)
            .bold()
            .align(Align::Center)
    }

    fn words(&self, style: Style) -> Option<Paragraph> {
        let text = || Paragraph::new(self.text.clone(), style.body);
        (!self.text.is_empty()).then(text)
    }

    /// Width left of the code.
    fn beside(&self, style: Style, width: Emu) -> Emu {
        if self.has_qr() {
            width - code_side(style) - pt(24)
        } else {
            width
        }
    }

    /// Width and height of the button.
    fn button(&self, context: &Context<'_>, style: Style, width: Emu) -> (Emu, Emu) {
        let label = self.label(style);
        let (line, _) = context.measure.widths(&label);
        let width = (line + pt(64)).clamp(pt(140).min(width), width);
        let height = context.measure.height(&label, width - pt(48));
        (width, height + pt(20))
    }

    fn text_height(&self, context: &Context<'_>, style: Style, width: Emu) -> Emu {
        let words = self.words(style);
        words.map_or(0, |words| context.measure.height(&words, width) + pt(14))
    }
}

impl<'d> Piece<'d> for CtaPiece<'d> {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, _limit: Emu) -> Emu {
        let beside = self.beside(style, width);
        let (_, button) = self.button(context, style, beside);
        let text = self.text_height(context, style, beside) + button;
        if self.has_qr() {
            text.max(code_side(style))
        } else {
            text
        }
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let (context, style, rect) = (place.context, place.style, place.rect);
        let palette = &context.palette;
        let beside = self.beside(style, rect.w);
        let mut y = rect.y;
        let package = &mut place.output.package;
        if let Some(words) = self.words(style) {
            let role = if place.on_primary {
                Role::OnPrimary
            } else {
                Role::Text
            };
            let words = [words.role(role)];
            let height = self.text_height(context, style, beside);
            let text = Rect::new(rect.x, y, beside, height - pt(14));
            let shape = Shape::text("Text", text, Words::new(&words));
            place.canvas.shape(package, &shape);
            y += height;
        }
        let (width, height) = self.button(context, style, beside);
        let (fill, role) = if place.on_primary {
            (Role::Background, Role::Text)
        } else {
            (Role::Accent, Role::OnAccent)
        };
        let label = [self.label(style).role(role)];
        let button = Rect::new(rect.x, y, width, height);
        let mut shape = Shape::new("Button", button)
            .fill(palette.ink(fill))
            .geometry(("roundRect", Some(20_000)));
        let text = Words::new(&label).anchor(Anchor::Middle);
        shape.words = Some(text.insets([pt(20), pt(8), pt(20), pt(8)]));
        shape.href = Some(&self.cta.href);
        shape.alt = Alt::Text(&self.cta.href);
        place.canvas.shape(package, &shape);
        if self.has_qr() {
            let side = code_side(style);
            let code = Rect::new(rect.x + rect.w - side, rect.y, side, side);
            self.draw_code(place, code);
        } else if self.cta.qr {
            let message = "The address is too long for a QR code that can be read.";
            place
                .output
                .diagnostics
                .add(Code::DroppedBlock, &self.pointer, message);
        }
        Ok(())
    }

    fn floats(&self) -> bool {
        true
    }

    fn plainer(&self, _context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        let link = Span {
            text: self.cta.label.clone(),
            bold: true,
            href: Some(self.cta.href.clone()),
            ..Span::default()
        };
        let of = |spans| TextBlock {
            kind: TextKind::Paragraph,
            spans,
        };
        let text = vec![of(self.text.clone()), of(vec![link])];
        Some(vec![Box::new(TextPiece::new(text, self.pointer.clone()))])
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl CtaPiece<'_> {
    /// Dark on light whatever the theme is: many readers know no other codes.
    fn draw_code(&self, place: &mut Place<'_, '_, '_>, rect: Rect) {
        let Ok(code) = QrCode::encode_text(&self.cta.href, QrCodeEcc::Medium) else {
            return;
        };
        let palette = &place.context.palette;
        let luminance = |role| palette.rgb(role).luminance();
        let (light, dark) = if luminance(Role::Background) > luminance(Role::Text) {
            (Role::Background, Role::Text)
        } else {
            (Role::Text, Role::Background)
        };
        let plate = Shape::field("Plate", rect, palette.ink(light));
        place.canvas.shape(&mut place.output.package, &plate);
        let size = code.size();
        let mut rectangles = Vec::new();
        for y in 0..size {
            let mut x = 0;
            while x < size {
                let begin = x;
                while x < size && code.get_module(x, y) {
                    x += 1;
                }
                if x > begin {
                    let at = |module: i32| Emu::from(module) + QUIET;
                    rectangles.push((at(begin), at(y), Emu::from(x - begin)));
                }
                x += 1;
            }
        }
        let alt = format!("QR: {}", self.cta.href);
        let ink = palette.ink(dark);
        let size = Emu::from(size) + 2 * QUIET;
        place.canvas.path(rect, &alt, ink, size, &rectangles);
    }
}
