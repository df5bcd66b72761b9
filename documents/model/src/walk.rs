//! A walk over all texts and citations of a document, in reading order, each with its pointer.

use crate::block::{Block, Item};
use crate::chart::Chart;
use crate::document::{Document, Meta, Section, Source};
use crate::pointer::Pointer;
use crate::table::Table;
use crate::text::Run;

/// What a text is in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextRole {
    /// Title of the document, of a section, a chart, a callout, a step or an event.
    Title,
    Subtitle,
    /// Author, organization, written date, keywords, classification.
    Metadata,
    /// Title or publisher of a source.
    SourceName,
    /// Speaker notes.
    Notes,
    Lead,
    Heading,
    Paragraph,
    Item,
    /// Heading of a table's column, which may be empty.
    ColumnLabel,
    Cell,
    Caption,
    /// Names of categories, series, points and axes, and the unit.
    ChartLabel,
    /// Alternative text.
    Alt,
    /// A figure as it is to be read.
    Figure,
    /// What a figure counts, or which change it saw.
    FigureLabel,
    Quote,
    Attribution,
    Callout,
    /// What a step or an event is about.
    Detail,
    /// When an event is.
    Time,
    /// What is compared, and by which criterion.
    ComparisonLabel,
    /// The words of a call to action.
    ActionLabel,
    /// What stands beside a call to action.
    ActionText,
}

/// What [`Document::walk`] calls. The pointer names the list of runs, the text, or the list of citations.
pub trait Visitor<'d> {
    /// A text of runs.
    fn runs(&mut self, pointer: &str, role: TextRole, runs: &'d [Run]) {
        let _ = (pointer, role, runs);
    }
    /// A text of one line, or an alternative text.
    fn line(&mut self, pointer: &str, role: TextRole, line: &'d str) {
        let _ = (pointer, role, line);
    }
    /// What a run, a chart, a quote or a figure cites; empty lists are passed over.
    fn cites(&mut self, pointer: &str, ids: &'d [String]) {
        let _ = (pointer, ids);
    }
}

impl Document {
    /// Visits every text and every citation.
    pub fn walk<'d>(&'d self, visitor: &mut impl Visitor<'d>) {
        let mut walk = Walk {
            visitor,
            at: Pointer::default(),
        };
        walk.member("meta", |walk| walk.meta(&self.meta));
        walk.each("sources", &self.sources, Walk::source);
        walk.each("sections", &self.sections, Walk::section);
    }

    /// Every run with its pointer.
    #[must_use]
    pub fn runs(&self) -> Vec<(String, &Run)> {
        struct Runs<'d>(Vec<(String, &'d Run)>);
        impl<'d> Visitor<'d> for Runs<'d> {
            fn runs(&mut self, pointer: &str, _: TextRole, runs: &'d [Run]) {
                let numbered = runs.iter().enumerate();
                self.0
                    .extend(numbered.map(|(index, run)| (format!("{pointer}/{index}"), run)));
            }
        }
        let mut found = Runs(Vec::new());
        self.walk(&mut found);
        found.0
    }

    /// Every citation with its pointer.
    #[must_use]
    pub fn cites(&self) -> Vec<(String, &str)> {
        struct Cites<'d>(Vec<(String, &'d str)>);
        impl<'d> Visitor<'d> for Cites<'d> {
            fn cites(&mut self, pointer: &str, ids: &'d [String]) {
                let numbered = ids.iter().enumerate();
                self.0.extend(
                    numbered.map(|(index, id)| (format!("{pointer}/{index}"), id.as_str())),
                );
            }
        }
        let mut found = Cites(Vec::new());
        self.walk(&mut found);
        found.0
    }
}

/// Visits every text and every citation of blocks that are not in a document yet. Pointers begin at `/blocks`.
pub fn walk_blocks<'d>(blocks: &'d [Block], visitor: &mut impl Visitor<'d>) {
    let mut walk = Walk {
        visitor,
        at: Pointer::default(),
    };
    walk.each("blocks", blocks, Walk::block);
}

struct Walk<'v, V> {
    visitor: &'v mut V,
    at: Pointer,
}

impl<'d, V: Visitor<'d>> Walk<'_, V> {
    fn member(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        // The pointer is lent out, so that the rest of the walk can be used inside.
        let mut at = std::mem::take(&mut self.at);
        at.member(name, |deeper| {
            std::mem::swap(deeper, &mut self.at);
            inside(self);
            std::mem::swap(deeper, &mut self.at);
        });
        self.at = at;
    }

    fn index(&mut self, index: usize, inside: impl FnOnce(&mut Self)) {
        let mut at = std::mem::take(&mut self.at);
        at.index(index, |deeper| {
            std::mem::swap(deeper, &mut self.at);
            inside(self);
            std::mem::swap(deeper, &mut self.at);
        });
        self.at = at;
    }

    fn each<T>(&mut self, name: &str, elements: &'d [T], mut inside: impl FnMut(&mut Self, &'d T)) {
        self.member(name, |walk| {
            for (index, element) in elements.iter().enumerate() {
                walk.index(index, |walk| inside(walk, element));
            }
        });
    }

    fn line(&mut self, name: &str, role: TextRole, line: &'d str) {
        self.member(name, |walk| walk.visitor.line(walk.at.as_str(), role, line));
    }

    fn optional(&mut self, name: &str, role: TextRole, line: Option<&'d String>) {
        if let Some(line) = line {
            self.line(name, role, line);
        }
    }

    fn lines(&mut self, name: &str, role: TextRole, lines: &'d [String]) {
        self.each(name, lines, |walk, line| {
            walk.visitor.line(walk.at.as_str(), role, line)
        });
    }

    fn runs(&mut self, name: &str, role: TextRole, runs: &'d [Run]) {
        self.member(name, |walk| walk.runs_here(role, runs));
    }

    fn runs_here(&mut self, role: TextRole, runs: &'d [Run]) {
        self.visitor.runs(self.at.as_str(), role, runs);
        for (index, run) in runs
            .iter()
            .enumerate()
            .filter(|(_, run)| !run.cite.is_empty())
        {
            self.index(index, |walk| walk.cites(&run.cite));
        }
    }

    fn cites(&mut self, ids: &'d [String]) {
        if !ids.is_empty() {
            self.member("cite", |walk| walk.visitor.cites(walk.at.as_str(), ids));
        }
    }

    fn meta(&mut self, meta: &'d Meta) {
        self.line("title", TextRole::Title, &meta.title);
        self.optional("subtitle", TextRole::Subtitle, meta.subtitle.as_ref());
        self.optional("author", TextRole::Metadata, meta.author.as_ref());
        self.optional(
            "organization",
            TextRole::Metadata,
            meta.organization.as_ref(),
        );
        self.optional("date_words", TextRole::Metadata, meta.date_words.as_ref());
        self.lines("keywords", TextRole::Metadata, &meta.keywords);
        self.optional(
            "classification",
            TextRole::Metadata,
            meta.classification.as_ref(),
        );
    }

    fn source(&mut self, source: &'d Source) {
        self.line("title", TextRole::SourceName, &source.title);
        self.optional("publisher", TextRole::SourceName, source.publisher.as_ref());
    }

    fn section(&mut self, section: &'d Section) {
        self.line("title", TextRole::Title, &section.title);
        self.each("blocks", &section.blocks, Walk::block);
        self.runs("notes", TextRole::Notes, &section.notes);
    }

    fn block(&mut self, block: &'d Block) {
        match block {
            Block::Lead(lead) => self.runs("runs", TextRole::Lead, &lead.runs),
            Block::Heading(heading) => self.runs("runs", TextRole::Heading, &heading.runs),
            Block::Paragraph(paragraph) => self.runs("runs", TextRole::Paragraph, &paragraph.runs),
            Block::Bullets(bullets) => self.each("items", &bullets.items, Walk::item),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart),
            Block::Kpis(kpis) => self.each("items", &kpis.items, |walk, kpi| {
                walk.line("value", TextRole::Figure, &kpi.value);
                walk.line("label", TextRole::FigureLabel, &kpi.label);
                walk.optional("detail", TextRole::FigureLabel, kpi.detail.as_ref());
                walk.cites(&kpi.cite);
            }),
            Block::Quote(quote) => {
                self.runs("runs", TextRole::Quote, &quote.runs);
                self.optional(
                    "attribution",
                    TextRole::Attribution,
                    quote.attribution.as_ref(),
                );
                self.cites(&quote.cite);
            }
            Block::Callout(callout) => {
                self.optional("title", TextRole::Title, callout.title.as_ref());
                self.runs("runs", TextRole::Callout, &callout.runs);
            }
            Block::Image(image) => {
                self.optional("alt", TextRole::Alt, image.alt.as_ref());
                self.runs("caption", TextRole::Caption, &image.caption);
            }
            Block::Steps(steps) => self.each("items", &steps.items, |walk, step| {
                walk.line("title", TextRole::Title, &step.title);
                walk.runs("runs", TextRole::Detail, &step.runs);
            }),
            Block::Timeline(timeline) => self.each("events", &timeline.events, |walk, event| {
                walk.line("when", TextRole::Time, &event.when);
                walk.line("title", TextRole::Title, &event.title);
                walk.runs("runs", TextRole::Detail, &event.runs);
            }),
            Block::Comparison(comparison) => {
                self.lines("items", TextRole::ComparisonLabel, &comparison.items);
                self.each("criteria", &comparison.criteria, |walk, criterion| {
                    walk.line("label", TextRole::ComparisonLabel, &criterion.label);
                    walk.each("cells", &criterion.cells, |walk, cell| {
                        walk.runs_here(TextRole::Cell, cell);
                    });
                });
            }
            Block::Columns(columns) => self.each("columns", &columns.columns, |walk, column| {
                walk.each("blocks", &column.blocks, Walk::block);
            }),
            Block::Cta(cta) => {
                self.line("label", TextRole::ActionLabel, &cta.label);
                self.runs("text", TextRole::ActionText, &cta.text);
            }
        }
    }

    fn item(&mut self, item: &'d Item) {
        self.runs("runs", TextRole::Item, &item.runs);
        self.each("items", &item.items, Walk::item);
    }

    fn table(&mut self, table: &'d Table) {
        self.each("columns", &table.columns, |walk, column| {
            walk.line("label", TextRole::ColumnLabel, &column.label);
        });
        self.each("rows", &table.rows, |walk, row| {
            for (index, cell) in row.iter().enumerate() {
                walk.index(index, |walk| walk.runs_here(TextRole::Cell, cell));
            }
        });
        self.runs("caption", TextRole::Caption, &table.caption);
    }

    fn chart(&mut self, chart: &'d Chart) {
        self.optional("title", TextRole::Title, chart.title.as_ref());
        self.lines("categories", TextRole::ChartLabel, &chart.categories);
        self.each("series", &chart.series, |walk, series| {
            walk.line("name", TextRole::ChartLabel, &series.name);
            walk.each("points", &series.points, |walk, point| {
                walk.optional("label", TextRole::ChartLabel, point.label.as_ref());
            });
        });
        self.optional("unit", TextRole::ChartLabel, chart.unit.as_ref());
        self.optional("x_label", TextRole::ChartLabel, chart.x_label.as_ref());
        self.optional("y_label", TextRole::ChartLabel, chart.y_label.as_ref());
        self.line("alt", TextRole::Alt, &chart.alt);
        self.runs("caption", TextRole::Caption, &chart.caption);
        self.cites(&chart.cite);
    }
}
