//! Charts, drawn by Office from the numbers in their workbook.

use gtm_document_model::Chart;
use gtm_ooxml::chart::{self, Look};
use gtm_ooxml::theme::Role;

use super::{BoxedPiece, Growth, Kind, Piece, Place, Style, TextBlock, TextKind, TextPiece};
use crate::context::{Context, Result};
use crate::geometry::{Emu, Rect, pt};
use crate::slide::{Shape, Words};
use crate::text::{Paragraph, Span, reference, spans};

pub struct ChartPiece<'d> {
    chart: &'d Chart,
    pointer: String,
}

impl<'d> ChartPiece<'d> {
    pub fn new(chart: &'d Chart, pointer: String) -> Self {
        Self { chart, pointer }
    }

    /// The title, with the sources of a chart that has no caption: a number alone would stand below it.
    fn title(&self, context: &Context<'_>, style: Style) -> Option<Paragraph> {
        let title = self.chart.title.as_ref()?;
        let mut paragraph = Paragraph::plain(title, style.medium()).bold();
        if self.chart.caption.is_empty() {
            let reference = reference(&self.chart.cite, &context.citations);
            paragraph.spans.extend(reference);
        }
        Some(paragraph)
    }

    /// Caption and sources.
    fn caption(&self, context: &Context<'_>, style: Style) -> Option<Paragraph> {
        let mut all: Vec<Span> = spans(&self.chart.caption, &context.citations);
        if self.chart.title.is_none() || !all.is_empty() {
            all.extend(reference(&self.chart.cite, &context.citations));
        }
        if all.is_empty() {
            return None;
        }
        Some(Paragraph::new(all, style.small()).role(Role::Muted))
    }

    /// Heights of title and caption.
    fn around(&self, context: &Context<'_>, style: Style, width: Emu) -> (Emu, Emu) {
        let height = |paragraph: Option<Paragraph>| {
            paragraph.map_or(0, |paragraph| {
                context.measure.height(&paragraph, width) + pt(6)
            })
        };
        (
            height(self.title(context, style)),
            height(self.caption(context, style)),
        )
    }
}

/// No chart is lower. Where text is small, so are charts.
fn least_height(style: Style) -> Emu {
    if style.body >= 1_400 {
        pt(170)
    } else {
        pt(100)
    }
}

impl<'d> Piece<'d> for ChartPiece<'d> {
    fn height(&self, context: &Context<'_>, style: Style, width: Emu, _limit: Emu) -> Emu {
        let (title, caption) = self.around(context, style, width);
        title + least_height(style) + caption
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let (context, rect) = (place.context, place.rect);
        let (above, below) = self.around(context, place.style, rect.w);
        let package = &mut place.output.package;
        if let Some(title) = self.title(context, place.style) {
            let title_rect = Rect::new(rect.x, rect.y, rect.w, above);
            let title = [title];
            let shape = Shape::text("Chart title", title_rect, Words::new(&title));
            place.canvas.shape(package, &shape);
        }
        let frame = Rect::new(rect.x, rect.y + above, rect.w, rect.h - above - below);
        place.output.charts += 1;
        let number = place.output.charts;
        let points = |length: Emu| {
            // Lengths of a slide are far below what a double counts exactly.
            length as f64 / pt(1) as f64
        };
        let look = Look {
            theme: &context.document.theme,
            language: &context.document.meta.language,
            direction: context.document.meta.direction,
            width: points(frame.w),
            height: points(frame.h),
            font_size: f64::from(place.style.small()) / 100.0,
            with_title: false,
        };
        let part = chart::add(
            package,
            &format!("/ppt/charts/chart{number}.xml"),
            &format!("/ppt/embeddings/Microsoft_Excel_Sheet{number}.xlsx"),
            self.chart,
            &look,
        )?;
        let placeholder = place.placeholder;
        place
            .canvas
            .chart(package, frame, part, &self.chart.alt, placeholder);
        if let Some(caption) = self.caption(context, place.style) {
            let caption_rect = Rect::new(rect.x, frame.bottom() + pt(6), rect.w, below - pt(6));
            let caption = [caption];
            let shape = Shape::text("Caption", caption_rect, Words::new(&caption));
            place.canvas.shape(package, &shape);
        }
        Ok(())
    }

    fn kind(&self) -> Kind {
        Kind::Visual
    }

    fn growth(&self) -> Growth {
        Growth::Any
    }

    fn plainer(&self, context: &Context<'_>) -> Option<Vec<BoxedPiece<'d>>> {
        // Only a caption of many lines makes a chart too high for a slide: it goes on as text.
        let caption = spans(&self.chart.caption, &context.citations);
        if caption.is_empty() {
            return None;
        }
        let text = vec![TextBlock {
            kind: TextKind::Paragraph,
            spans: caption,
        }];
        let bare = BareChart(Self::new(self.chart, self.pointer.clone()));
        Some(vec![
            Box::new(bare),
            Box::new(TextPiece::new(text, format!("{}/caption", self.pointer))),
        ])
    }

    fn pointer(&self) -> &str {
        &self.pointer
    }
}

/// A chart whose caption is elsewhere.
struct BareChart<'d>(ChartPiece<'d>);

impl<'d> Piece<'d> for BareChart<'d> {
    fn is_part(&self) -> bool {
        true
    }

    fn height(&self, _context: &Context<'_>, style: Style, _width: Emu, _limit: Emu) -> Emu {
        least_height(style)
    }

    fn draw(&self, place: &mut Place<'_, '_, '_>) -> Result<()> {
        let chart = Chart {
            caption: Vec::new(),
            title: None,
            ..self.0.chart.clone()
        };
        ChartPiece::new(&chart, self.0.pointer.clone()).draw(place)
    }

    fn growth(&self) -> Growth {
        Growth::Any
    }

    fn pointer(&self) -> &str {
        &self.0.pointer
    }
}
