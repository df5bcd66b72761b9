//! Charts and images with their captions.

use gtm_document_model::block::Image;
use gtm_document_model::{Chart, Run};
use gtm_ooxml::PackageError;
use gtm_ooxml::chart::{self, Look};
use gtm_ooxml::package::relation;

use super::drawings::{fitted, inline};
use super::{Body, Graphic, MOST_CHARTS, Paragraph};
use crate::design::Cover;
use crate::diagnostics::Code;
use crate::parts::styles::id;

/// Text of charts, in points.
const CHART_TEXT: f64 = 9.0;

/// What a figure's or table's caption says.
#[derive(Clone, Copy)]
pub(super) struct Caption<'d> {
    word: &'static str,
    sequence: &'static str,
    number: usize,
    title: Option<&'d str>,
    runs: &'d [Run],
    cites: &'d [String],
    is_above: bool,
}

impl<'d> Caption<'d> {
    const fn figure(word: &'static str, number: usize) -> Self {
        Self {
            word,
            sequence: "Figure",
            number,
            title: None,
            runs: &[],
            cites: &[],
            is_above: false,
        }
    }

    pub(super) const fn table(word: &'static str, number: usize, runs: &'d [Run]) -> Self {
        Self {
            sequence: "Table",
            runs,
            is_above: true,
            ..Self::figure(word, number)
        }
    }
}

impl<'d> Body<'d> {
    pub(super) fn chart(&mut self, chart: &'d Chart) -> Result<(), PackageError> {
        if self.charts >= MOST_CHARTS {
            self.report(
                Code::DroppedBlock,
                "The file has no room for so many charts; its words stand in its place.",
            );
            self.of_text(Paragraph::of(id::CAPTION), &chart.alt);
            return Ok(());
        }
        self.charts += 1;
        // A number with nothing after it says nothing: the title is the caption then.
        let is_bare = chart.caption.is_empty() && !chart.cite.is_empty();
        let title = chart.title.as_deref().filter(|_| is_bare);
        let (width, height) = (f64::from(self.width), self.chart_height(chart));
        let theme = crate::render::chart_theme(self.document);
        let look = Look {
            theme: &theme,
            language: &self.document.meta.language,
            direction: self.document.meta.direction,
            width,
            height,
            font_size: CHART_TEXT,
            with_title: title.is_none(),
        };
        let name = format!("/word/charts/chart{}.xml", self.charts);
        let workbook = format!("/word/embeddings/workbook{}.xlsx", self.charts);
        let part = chart::add(&mut self.package, &name, &workbook, chart, &look)?;
        let relationship = self.package.relate(self.part, relation::CHART, part);
        let id_number = self.next_id();
        self.flow.add_whole(height + 12.0);
        let has_caption = !chart.caption.is_empty() || !chart.cite.is_empty();
        let graphic = Graphic {
            width,
            height,
            alt: Some(&chart.alt),
            title: chart.title.as_deref(),
        };
        let space = (!has_caption).then_some((8, 12));
        let paragraph = Paragraph {
            space,
            keep_next: has_caption,
            ..Paragraph::of(id::FIGURE)
        };
        self.paragraph(paragraph, |body| {
            inline(
                &mut body.xml,
                &graphic,
                id_number,
                chart::NAMESPACE,
                |xml| {
                    xml.empty(
                        "c:chart",
                        &[("xmlns:c", &chart::NAMESPACE), ("r:id", &relationship)],
                    );
                },
            );
        });
        if has_caption {
            self.figures += 1;
            self.caption(&Caption {
                title,
                runs: &chart.caption,
                cites: &chart.cite,
                ..Caption::figure(self.words.figure, self.figures)
            });
        }
        Ok(())
    }

    pub(super) fn chart_height(&self, chart: &Chart) -> f64 {
        let height = chart::height(chart, f64::from(self.width), CHART_TEXT);
        let dense = height * f64::from(self.design.density) / 100.0;
        dense.min(f64::from(self.design.height()) * 0.8)
    }

    pub(super) fn image(&mut self, image: &'d Image) -> Result<(), PackageError> {
        match self.asset(&image.asset)? {
            Ok((part, pixels_wide, pixels_high)) => {
                let most = (
                    f64::from(self.width),
                    f64::from(self.design.height()) * 0.45,
                );
                let (width, height) = fitted(pixels_wide, pixels_high, most);
                self.flow.add_whole(height + 12.0);
                let graphic = Graphic {
                    width,
                    height,
                    alt: image.alt.as_deref(),
                    title: None,
                };
                let has_caption = !image.caption.is_empty();
                let space = (!has_caption).then_some((8, 12));
                let paragraph = Paragraph {
                    space,
                    keep_next: has_caption,
                    ..Paragraph::of(id::FIGURE)
                };
                self.paragraph(paragraph, |body| {
                    body.picture(&graphic, part, (pixels_wide, pixels_high))
                });
            }
            Err(reason) => {
                self.report(
                    Code::ImageUnusable,
                    format!("The picture cannot be shown: {reason}."),
                );
                if let Some(alt) = &image.alt {
                    self.of_text(Paragraph::of(id::CALLOUT), alt);
                }
            }
        }
        if !image.caption.is_empty() {
            self.figures += 1;
            self.caption(&Caption {
                runs: &image.caption,
                ..Caption::figure(self.words.figure, self.figures)
            });
        }
        Ok(())
    }

    /// A caption with its number as a field, so that Word's own list of figures finds it.
    pub(super) fn caption(&mut self, caption: &Caption<'d>) {
        let texts = caption.runs.iter().map(|run| run.text.as_str());
        let height = self.height(id::CAPTION, texts.chain(caption.title), 50.0);
        self.flow.add(height);
        let space = caption.is_above.then_some((10, 4));
        let paragraph = Paragraph {
            keep_next: caption.is_above,
            space,
            ..Paragraph::of(id::CAPTION)
        };
        self.paragraph(paragraph, |body| {
            // Nobody leafs through a letter for its table.
            let is_numbered = body.design.cover != Cover::Letter;
            if is_numbered {
                body.text(&format!("{} ", caption.word));
                body.field(
                    &format!(" SEQ {} \\* ARABIC ", caption.sequence),
                    &caption.number.to_string(),
                    None,
                );
                body.text("  ");
            }
            if let Some(title) = caption.title {
                body.text(title);
            }
            if !caption.runs.is_empty() {
                if caption.title.is_some() {
                    body.text("  ");
                }
                body.runs(caption.runs);
            }
            body.cite(caption.cites);
        });
    }
}
