//! The body: what the document says, block by block.
//!
//! [`Body`] carries what grows while it is written: numbers of figures, ids, notes, and the estimate of where
//! pages end.

mod boxes;
mod columns;
mod cover;
mod drawings;
mod figures;
mod flow;
mod lists;
mod paragraphs;
mod runs;
mod sections;
mod sequences;
mod table_plan;
mod tables;
mod text_direction;

use std::collections::BTreeMap;

use gtm_document_model::document::Direction;
use gtm_document_model::table::Align;
use gtm_document_model::{Block, Document};
use gtm_ooxml::added_words::{self, AddedWords};
use gtm_ooxml::{Package, PackageError, PartId, Xml};

use crate::design::Design;
use crate::diagnostics::{Code, Diagnostics};
use crate::parts::furniture::Furniture;
use crate::parts::notes::Notes;
use crate::parts::numbering::Lists;
use crate::parts::styles::{self, Measure};
use flow::Flow;

pub use drawings::{Assets, Graphic, fitted, picture};
pub use paragraphs::Paragraph;
pub use runs::field;

/// Charts and codes that a document has at most; each is a part of its own.
const MOST_CHARTS: usize = 300;
/// Cells that the tables of a document have at most.
const MOST_CELLS: usize = 100_000;

/// Points above a signature, where somebody signs, and below it.
const TO_SIGN: (u32, u32) = (36, 8);

/// A heading, for the table of contents.
#[derive(Debug, Clone)]
pub struct Entry {
    pub level: usize,
    pub text: String,
    pub bookmark: String,
    pub page: usize,
}

/// The body that is being written.
pub struct Body<'d> {
    pub document: &'d Document,
    pub design: &'d Design,
    pub package: Package,
    pub part: PartId,
    pub diagnostics: Diagnostics,
    pub words: AddedWords,
    pub lists: Lists,
    pub notes: Notes<'d>,
    pub entries: Vec<Entry>,
    assets: &'d dyn Assets,
    measures: BTreeMap<&'static str, Measure>,
    flow: Flow,
    xml: Xml,
    pointer: String,
    /// Width that a block has here, in points.
    width: u32,
    /// Whether blocks stand in a cell, where neither pages turn nor sections end.
    is_inside: bool,
    ids: u32,
    figures: usize,
    tables: usize,
    charts: usize,
    cells: usize,
    media: usize,
    rows: Vec<f64>,
    /// Twips by which the first page's lines are indented.
    cover_indent: u32,
    pictures: BTreeMap<String, Result<(PartId, u32, u32), &'static str>>,
    /// Headers and footers of the sections.
    pub furniture: Furniture,
    /// Whether pages lie here.
    is_wide: bool,
    /// Whether the next heading of a section begins a page.
    pub breaks_page: bool,
    /// The paragraph that signs a letter.
    pub signature: Option<&'d Block>,
}

impl<'d> Body<'d> {
    #[must_use]
    pub fn new(
        document: &'d Document,
        design: &'d Design,
        package: Package,
        part: PartId,
        assets: &'d dyn Assets,
    ) -> Self {
        Self {
            document,
            design,
            package,
            part,
            diagnostics: Diagnostics::default(),
            words: added_words::of(&document.meta.language),
            lists: Lists::default(),
            notes: Notes::new(document),
            entries: Vec::new(),
            assets,
            measures: styles::measures(design),
            flow: Flow::new(f64::from(design.height())),
            xml: Xml::fragment(),
            pointer: String::new(),
            width: design.width,
            is_inside: false,
            ids: 0,
            figures: 0,
            tables: 0,
            charts: 0,
            cells: 0,
            media: 0,
            rows: Vec::new(),
            cover_indent: 0,
            pictures: BTreeMap::new(),
            furniture: Furniture::default(),
            is_wide: false,
            breaks_page: false,
            signature: None,
        }
    }

    /// What was written since, to be put in its place by the caller.
    pub fn take(&mut self) -> Xml {
        std::mem::take(&mut self.xml)
    }

    /// How much of the page that is being filled is.
    #[must_use]
    pub fn filled(&self) -> f64 {
        self.flow.filled()
    }

    /// The page that is being filled, from 1.
    #[must_use]
    pub fn page(&self) -> usize {
        self.flow.page()
    }

    fn is_rtl(&self) -> bool {
        self.document.meta.direction == Direction::Rtl
    }

    /// The names of the borders at the start and the end of a line.
    fn sides(&self) -> (&'static str, &'static str) {
        if self.is_rtl() {
            ("w:right", "w:left")
        } else {
            ("w:left", "w:right")
        }
    }

    fn next_id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    fn report(&mut self, code: Code, message: impl Into<String>) {
        self.diagnostics.add(code, &self.pointer, message);
    }

    /// Does something with the pointer one step deeper.
    fn within<R>(&mut self, step: &str, inside: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(step);
        let result = inside(self);
        self.pointer.truncate(length);
        result
    }

    /// Blocks of a section or a column.
    fn blocks(&mut self, blocks: &'d [Block]) -> Result<(), PackageError> {
        for (index, block) in blocks.iter().enumerate() {
            if matches!(block, Block::Heading(_)) && self.begins_with_wide_table(&blocks[index..]) {
                self.begin_wide();
            }
            let step = format!("blocks/{index}");
            // What leads to a list or table is held to it. Charts are too high for that: pages would stay half empty.
            let introduces = matches!(
                blocks.get(index + 1),
                Some(
                    Block::Bullets(_)
                        | Block::Table(_)
                        | Block::Kpis(_)
                        | Block::Steps(_)
                        | Block::Cta(_)
                )
            ) || announces_chart(&blocks[index..]);
            // A signature goes with the words above it, and these with the end of the text.
            let introduces = introduces || (1..=2).any(|more| self.signs(blocks.get(index + more)));
            let acts = matches!(blocks.get(index + 1), Some(Block::Cta(_)));
            self.within(&step, |body| match block {
                Block::Quote(quote) => {
                    body.quote(quote, acts);
                    Ok(())
                }
                Block::Bullets(bullets) => {
                    body.bullets(bullets, acts);
                    Ok(())
                }
                _ => body.block(block, introduces),
            })?;
        }
        Ok(())
    }

    /// Whether this is the paragraph that signs a letter.
    fn signs(&self, block: Option<&Block>) -> bool {
        let pair = self.signature.zip(block);
        pair.is_some_and(|(signature, block)| std::ptr::eq(signature, block))
    }

    fn block(&mut self, block: &'d Block, introduces: bool) -> Result<(), PackageError> {
        match block {
            Block::Lead(lead) => self.plain(styles::id::LEAD, &lead.runs, true),
            Block::Heading(heading) => self.heading(heading.level, &heading.runs),
            Block::Paragraph(paragraph) => {
                let is_short = paragraph
                    .runs
                    .iter()
                    .map(|run| run.text.len())
                    .sum::<usize>()
                    < 400;
                let signs = self.signs(Some(block));
                if signs {
                    self.flow.add(f64::from(TO_SIGN.0));
                }
                let look = Paragraph {
                    keep_next: introduces && is_short,
                    space: signs.then_some(TO_SIGN),
                    align: paragraph.align.map(|align| match align {
                        Align::Start => "left",
                        Align::Center => "center",
                        Align::End => "right",
                    }),
                    ..Paragraph::of(styles::id::BODY)
                };
                self.of_runs(look, &paragraph.runs);
            }
            Block::Bullets(bullets) => self.bullets(bullets, false),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart)?,
            Block::Kpis(kpis) => self.kpis(kpis),
            Block::Quote(quote) => self.quote(quote, false),
            Block::Callout(callout) => self.callout(callout),
            Block::Image(image) => self.image(image)?,
            Block::Steps(steps) => self.steps(steps),
            Block::Timeline(timeline) => self.timeline(timeline),
            Block::Comparison(comparison) => self.comparison(comparison),
            Block::Columns(columns) => self.columns(columns)?,
            Block::Cta(cta) => self.call_to_action(cta)?,
        }
        Ok(())
    }
}

/// Whether a paragraph ends with a colon and a chart follows it: parted from it, it would announce nothing.
fn announces_chart(blocks: &[Block]) -> bool {
    let [Block::Paragraph(paragraph), Block::Chart(_), ..] = blocks else {
        return false;
    };
    let last = paragraph.runs.last();
    last.is_some_and(|run| run.text.trim_end().ends_with([':', '：']))
}
