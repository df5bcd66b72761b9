//! Judging blocks.

use gtm_document_model::block::{
    Block, Bullets, Callout, Column, Columns, Comparison, Cta, Heading, Image, Item, Kpis, Lead,
    Paragraph, Quote, Steps, Timeline,
};
use gtm_document_model::chart::ChartKind;
use gtm_document_model::{Chart, Run, Table, plain_text};

use super::sections::{Judge, without_number};
use crate::library::Stored;
use crate::verdict::Dropped;

impl<'a> Judge<'a, '_> {
    /// The blocks of which something is left.
    pub(super) fn blocks(&mut self, pointer: &str, blocks: Vec<Block>) -> Vec<Block> {
        let mut kept = Vec::with_capacity(blocks.len());
        for (index, block) in blocks.into_iter().enumerate() {
            kept.extend(self.block(&format!("{pointer}/{index}"), block));
        }
        kept
    }

    /// What is left of a block: of columns of which only one is left, the blocks in it.
    fn block(&mut self, pointer: &str, block: Block) -> Vec<Block> {
        let text = |judge: &mut Self, runs| judge.runs(&format!("{pointer}/runs"), runs, &[]);
        let made = match block {
            Block::Lead(lead) => some(text(self, lead.runs)).map(|runs| Block::Lead(Lead { runs })),
            Block::Heading(heading) => some(text(self, heading.runs)).map(|runs| {
                Block::Heading(Heading {
                    runs,
                    level: heading.level,
                })
            }),
            Block::Paragraph(paragraph) => some(text(self, paragraph.runs)).map(|runs| {
                Block::Paragraph(Paragraph {
                    runs,
                    align: paragraph.align,
                })
            }),
            Block::Bullets(list) => {
                some(self.items(&format!("{pointer}/items"), list.items)).map(|items| {
                    Block::Bullets(Bullets {
                        items,
                        ordered: list.ordered,
                    })
                })
            }
            Block::Table(table) => self.table(pointer, table).map(Block::Table),
            Block::Chart(chart) => self.chart(pointer, chart).map(Block::Chart),
            Block::Kpis(kpis) => self.kpis(pointer, kpis).map(Block::Kpis),
            Block::Quote(quote) => self.quote(pointer, quote).map(Block::Quote),
            Block::Callout(callout) => {
                let runs = text(self, callout.runs);
                let title =
                    self.optional(&format!("{pointer}/title"), callout.title, &cites(&runs));
                some(runs).map(|runs| {
                    Block::Callout(Callout {
                        title,
                        runs,
                        ..callout
                    })
                })
            }
            Block::Image(image) => self.image(pointer, image).map(Block::Image),
            Block::Steps(steps) => self.steps(pointer, steps).map(Block::Steps),
            Block::Timeline(timeline) => self.timeline(pointer, timeline).map(Block::Timeline),
            Block::Comparison(comparison) => {
                self.comparison(pointer, comparison).map(Block::Comparison)
            }
            Block::Columns(columns) => return self.columns(pointer, columns),
            Block::Cta(cta) => self.cta(pointer, cta).map(Block::Cta),
        };
        made.into_iter().collect()
    }

    fn items(&mut self, pointer: &str, items: Vec<Item>) -> Vec<Item> {
        let mut kept = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            let pointer = format!("{pointer}/{index}");
            let runs = self.runs(&format!("{pointer}/runs"), item.runs, &[]);
            let items = self.items(&format!("{pointer}/items"), item.items);
            match runs.is_empty() {
                // What was listed below it is listed in its place.
                true => kept.extend(items),
                false => kept.push(Item { runs, items }),
            }
        }
        kept
    }

    /// A table without rows that do not stand.
    fn table(&mut self, pointer: &str, table: Table) -> Option<Table> {
        let caption_cites = cites(&table.caption);
        let all: Vec<String> = table
            .rows
            .iter()
            .flatten()
            .flat_map(|cell| cites(cell))
            .collect();
        let around = self.evidence.sources(all.iter().chain(&caption_cites));
        for (index, column) in table.columns.iter().enumerate() {
            let pointer = format!("{pointer}/columns/{index}/label");
            // A heading that is made up is one for all rows.
            if !self.line(&pointer, &column.label, &around) {
                return None;
            }
        }
        let mut rows = Vec::with_capacity(table.rows.len());
        let had_rows = !table.rows.is_empty();
        for (index, row) in table.rows.into_iter().enumerate() {
            let row_cites: Vec<String> = row.iter().flat_map(|cell| cites(cell)).collect();
            let cited = self
                .evidence
                .sources(row_cites.iter().chain(&caption_cites));
            let said = row_text(&row);
            match self.cells(row, &cited) {
                Ok(row) => rows.push(row),
                Err(reason) => self.take(format!("{pointer}/rows/{index}"), reason, &said),
            }
        }
        if had_rows && rows.is_empty() {
            return None;
        }
        let caption = self.runs(&format!("{pointer}/caption"), table.caption, &all);
        Some(Table {
            rows,
            caption,
            ..table
        })
    }

    fn cells(
        &mut self,
        cells: Vec<Vec<Run>>,
        cited: &[&'a Stored],
    ) -> Result<Vec<Vec<Run>>, Dropped> {
        cells
            .into_iter()
            .map(|cell| self.whole(cell, cited))
            .collect()
    }

    /// A chart, if all of it stands.
    fn chart(&mut self, pointer: &str, mut chart: Chart) -> Option<Chart> {
        chart.cite.retain(|id| self.evidence.has(id));
        let captioned = cites(&chart.caption);
        let cited = self.evidence.sources(chart.cite.iter().chain(&captioned));
        let own = [&chart.title, &chart.unit, &chart.x_label, &chart.y_label];
        let names = chart.series.iter().map(|series| &series.name);
        let points = chart.series.iter().flat_map(|series| &series.points);
        let labels = points.clone().filter_map(|point| point.label.as_ref());
        let texts = own
            .into_iter()
            .flatten()
            .chain(&chart.categories)
            .chain(names)
            .chain(labels);
        let fault = texts
            .chain([&chart.alt])
            .find_map(|text| self.fault(text, &cited));
        // The total of a waterfall is the sum of what stands before it; the document's reader has checked that.
        let summed =
            |index: &usize| chart.kind == ChartKind::Waterfall && chart.totals.contains(index);
        let values = chart.series.iter().flat_map(|series| {
            let numbered = series.values.iter().enumerate();
            numbered
                .filter(|(index, _)| !summed(index))
                .filter_map(|(_, value)| *value)
        });
        let mut numbers = values.chain(points.flat_map(|point| [point.x, point.y]));
        let stopped = self.evidence.stop;
        let stands = numbers.all(|value| {
            !stopped.is_raised()
                && self
                    .evidence
                    .has_value(value, chart.unit.as_deref(), &cited)
        });
        drop(numbers);
        if let Some(reason) = fault.or((!stands).then_some(Dropped::Invented)) {
            let said = chart.title.as_deref().unwrap_or(&chart.alt);
            self.take(pointer.to_owned(), reason, said);
            return None;
        }
        let caption = std::mem::take(&mut chart.caption);
        chart.caption = self.runs(&format!("{pointer}/caption"), caption, &chart.cite.clone());
        Some(chart)
    }

    fn kpis(&mut self, pointer: &str, kpis: Kpis) -> Option<Kpis> {
        let mut kept = Vec::with_capacity(kpis.items.len());
        for (index, mut kpi) in kpis.items.into_iter().enumerate() {
            kpi.cite.retain(|id| self.evidence.has(id));
            let cited = self.evidence.sources(&kpi.cite);
            let texts = [Some(&kpi.value), Some(&kpi.label), kpi.detail.as_ref()];
            let said: Vec<&str> = texts.into_iter().flatten().map(String::as_str).collect();
            let said = said.join(" \u{2013} ");
            match self.fault(&said, &cited) {
                None => kept.push(kpi),
                Some(reason) => self.take(format!("{pointer}/items/{index}"), reason, &said),
            }
        }
        some(kept).map(|items| Kpis { items })
    }

    /// A quotation that somebody made, word for word.
    fn quote(&mut self, pointer: &str, mut quote: Quote) -> Option<Quote> {
        quote.cite.retain(|id| self.evidence.has(id));
        let run_cites = cites(&quote.runs);
        let cited = self.evidence.sources(quote.cite.iter().chain(&run_cites));
        let words = plain_text(&quote.runs);
        let words = words.trim_matches(|c: char| c.is_whitespace() || "\"“”„«»".contains(c));
        let runs = match self.whole(quote.runs, &cited) {
            Ok(_) if !self.evidence.says(words, &cited) => Err(Dropped::Misquoted),
            judged => judged,
        };
        let runs = match runs {
            Ok(runs) => runs,
            Err(reason) => {
                self.take(pointer.to_owned(), reason, words);
                return None;
            }
        };
        // Nobody is said to have said it who is not named there.
        let attribution = quote.attribution.filter(|name| {
            let mut parts = name.split([',', '\u{2013}', '\u{2014}']).map(str::trim);
            let named = parts.all(|part| part.is_empty() || self.evidence.says(part, &cited));
            if !named {
                let pointer = format!("{pointer}/attribution");
                self.take(pointer, Dropped::Unsupported, name);
            }
            named
        });
        Some(Quote {
            runs,
            attribution,
            cite: quote.cite,
        })
    }

    /// An image of an asset that is there. No other asset is given to a renderer.
    fn image(&mut self, pointer: &str, image: Image) -> Option<Image> {
        if self.image != Some(image.asset.as_str()) {
            let said = image.alt.as_deref().unwrap_or_default();
            self.take(pointer.to_owned(), Dropped::Malformed, said);
            return None;
        }
        let image_cites = cites(&image.caption);
        let cited = self.evidence.sources(&image_cites);
        if let Some(alt) = &image.alt
            && !self.line(&format!("{pointer}/alt"), alt, &cited)
        {
            return None;
        }
        let caption = self.runs(&format!("{pointer}/caption"), image.caption, &[]);
        Some(Image { caption, ..image })
    }

    fn steps(&mut self, pointer: &str, steps: Steps) -> Option<Steps> {
        let mut kept = Vec::with_capacity(steps.items.len());
        for (index, mut step) in steps.items.into_iter().enumerate() {
            let pointer = format!("{pointer}/items/{index}");
            let step_cites = cites(&step.runs);
            let cited = self.evidence.sources(&step_cites);
            let title = without_number(&step.title, |n| n == index + 1).to_owned();
            if self.line(&format!("{pointer}/title"), &title, &cited) {
                step.runs = self.runs(&format!("{pointer}/runs"), step.runs, &[]);
                kept.push(step);
            }
        }
        some(kept).map(|items| Steps { items })
    }

    fn timeline(&mut self, pointer: &str, timeline: Timeline) -> Option<Timeline> {
        let mut kept = Vec::with_capacity(timeline.events.len());
        for (index, mut event) in timeline.events.into_iter().enumerate() {
            let pointer = format!("{pointer}/events/{index}");
            let event_cites = cites(&event.runs);
            let cited = self.evidence.sources(&event_cites);
            if self.line(&format!("{pointer}/when"), &event.when, &cited)
                && self.line(&format!("{pointer}/title"), &event.title, &cited)
            {
                event.runs = self.runs(&format!("{pointer}/runs"), event.runs, &[]);
                kept.push(event);
            }
        }
        some(kept).map(|events| Timeline { events })
    }

    fn comparison(&mut self, pointer: &str, comparison: Comparison) -> Option<Comparison> {
        let cells = comparison
            .criteria
            .iter()
            .flat_map(|criterion| &criterion.cells);
        let all: Vec<String> = cells.flat_map(|cell| cites(cell)).collect();
        let around = self.evidence.sources(&all);
        for (index, item) in comparison.items.iter().enumerate() {
            if !self.line(&format!("{pointer}/items/{index}"), item, &around) {
                return None;
            }
        }
        let mut kept = Vec::with_capacity(comparison.criteria.len());
        for (index, mut criterion) in comparison.criteria.into_iter().enumerate() {
            let pointer = format!("{pointer}/criteria/{index}");
            let row: Vec<String> = criterion
                .cells
                .iter()
                .flat_map(|cell| cites(cell))
                .collect();
            let cited = self.evidence.sources(&row);
            let said = format!("{} | {}", criterion.label, row_text(&criterion.cells));
            let judged = match self.fault(&criterion.label, &cited) {
                Some(reason) => Err(reason),
                None => self.cells(std::mem::take(&mut criterion.cells), &cited),
            };
            match judged {
                Ok(cells) => {
                    criterion.cells = cells;
                    kept.push(criterion);
                }
                Err(reason) => self.take(pointer, reason, &said),
            }
        }
        some(kept).map(|criteria| Comparison {
            criteria,
            ..comparison
        })
    }

    fn columns(&mut self, pointer: &str, columns: Columns) -> Vec<Block> {
        let mut kept: Vec<Column> = Vec::with_capacity(columns.columns.len());
        for (index, column) in columns.columns.into_iter().enumerate() {
            let blocks = self.blocks(&format!("{pointer}/columns/{index}/blocks"), column.blocks);
            if !blocks.is_empty() {
                kept.push(Column { blocks });
            }
        }
        match kept.len() {
            0 | 1 => kept.into_iter().flat_map(|column| column.blocks).collect(),
            _ => vec![Block::Columns(Columns { columns: kept })],
        }
    }

    fn cta(&mut self, pointer: &str, cta: Cta) -> Option<Cta> {
        let text_cites = cites(&cta.text);
        let cited = self.evidence.sources(&text_cites);
        if !self.evidence.has_link(&cta.href, &cited) {
            let pointer = format!("{pointer}/href");
            self.take(pointer, Dropped::Invented, &cta.href);
            return None;
        }
        if !self.line(&format!("{pointer}/label"), &cta.label, &cited) {
            return None;
        }
        let text = self.runs(&format!("{pointer}/text"), cta.text, &[]);
        Some(Cta { text, ..cta })
    }

    /// Whether a text of one line stands; it is noted if it does not.
    fn line(&mut self, pointer: &str, text: &str, cited: &[&'a Stored]) -> bool {
        match self.fault(text, cited) {
            None => true,
            Some(reason) => {
                self.take(pointer.to_owned(), reason, text);
                false
            }
        }
    }

    fn optional(
        &mut self,
        pointer: &str,
        text: Option<String>,
        cites: &[String],
    ) -> Option<String> {
        let cited = self.evidence.sources(cites);
        text.filter(|text| self.line(pointer, text, &cited))
    }
}

fn some<T>(kept: Vec<T>) -> Option<Vec<T>> {
    (!kept.is_empty()).then_some(kept)
}

/// The cells of a row in one line.
fn row_text(cells: &[Vec<Run>]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| plain_text(cell)).collect();
    cells.join(" | ")
}

/// What runs cite.
fn cites(runs: &[Run]) -> Vec<String> {
    runs.iter()
        .flat_map(|run| run.cite.iter().cloned())
        .collect()
}
