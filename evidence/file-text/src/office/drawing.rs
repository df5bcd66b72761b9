//! Text in DrawingML: the paragraphs and tables of a slide, and the data of charts and diagrams.

use gtm_page_text::BlockKind;

use super::grounds::Below;
use super::markup::{Element, Markup, Piece};
use super::package::Package;
use super::shapes::{Shapes, Size};
use crate::Refusal;

/// Most values of a chart that are read.
const MAX_VALUES: usize = 2_000;

/// A finished paragraph or row.
pub(crate) struct Line {
    pub(crate) kind: BlockKind,
    pub(crate) level: Option<u8>,
    pub(crate) text: String,
}

/// What kind of placeholder a shape is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    Title,
    /// A placeholder whose paragraphs have bullets unless they say otherwise.
    Body,
    /// Slide number, date and footer, which repeat on each slide.
    Furniture,
    Other,
}

/// Reads the shapes of a slide.
pub(crate) struct Slide {
    lines: Vec<Line>,
    titles: Vec<Line>,
    shape: Shape,
    /// Elements that are open within one that is left out, that one included.
    unseen: usize,
    text: String,
    bullet: Option<bool>,
    in_text: bool,
    in_paragraph: bool,
    /// Cells of the row that is open.
    row: Option<Vec<String>>,
    /// Whether the next paragraph begins a cell.
    next_cell: bool,
    /// Whether the slide is shown.
    pub(crate) shown: bool,
    /// Whether the text before was hidden, and how often text is.
    in_hidden: bool,
    pub(crate) hidden: usize,
}

impl Slide {
    /// Reads what stands on a slide of a size, if that is known, over its ground.
    pub(crate) fn read(
        package: &mut Package<'_>,
        text: &str,
        size: Option<Size>,
        below: Below,
    ) -> Result<Self, Refusal> {
        let mut slide = Self {
            lines: Vec::new(),
            titles: Vec::new(),
            shape: Shape::Other,
            unseen: 0,
            text: String::new(),
            bullet: None,
            in_text: false,
            in_paragraph: false,
            row: None,
            next_cell: false,
            shown: true,
            in_hidden: false,
            hidden: 0,
        };
        let mut pieces = Markup::of(text);
        let mut shapes = Shapes::on(size, below);
        while let Some(piece) = pieces.next()? {
            package.budget.step(1)?;
            match piece {
                Piece::Open(element) => {
                    if slide.unseen > 0 || element.name() == "Fallback" {
                        slide.unseen += 1;
                        continue;
                    }
                    shapes.open(&element);
                    slide.open(&element);
                }
                Piece::Close(_) if slide.unseen > 0 => slide.unseen -= 1,
                Piece::Close(name) => {
                    slide.close(&name);
                    shapes.close();
                }
                Piece::Text(text) => {
                    if slide.in_text && slide.unseen == 0 {
                        slide.say(&text, shapes.shows_text());
                    }
                }
            }
        }
        Ok(slide)
    }

    fn say(&mut self, text: &str, is_seen: bool) {
        let says_something = text.contains(char::is_alphanumeric);
        if is_seen {
            self.in_hidden &= !says_something;
            self.text.push_str(text);
        } else if self.shape != Shape::Furniture {
            self.hidden += usize::from(says_something && !self.in_hidden);
            self.in_hidden |= says_something;
        }
    }

    /// The slide's title first, then what it has, in the order in which it stands there.
    pub(crate) fn into_lines(self) -> impl Iterator<Item = Line> {
        self.titles.into_iter().chain(self.lines)
    }

    fn open(&mut self, element: &Element<'_>) {
        match element.name() {
            "sld" => {
                self.shown = !element
                    .attribute("show")
                    .is_some_and(|show| show == "0" || show == "false")
            }
            "sp" | "graphicFrame" => self.shape = Shape::Other,
            "ph" => {
                self.shape = match element.attribute("type").as_deref() {
                    Some("title" | "ctrTitle") => Shape::Title,
                    Some("dt" | "ftr" | "sldNum" | "hdr") => Shape::Furniture,
                    None | Some("body" | "obj") => Shape::Body,
                    Some(_) => Shape::Other,
                };
            }
            "p" => {
                self.in_hidden = false;
                self.text.clear();
                self.bullet = None;
                self.in_paragraph = true;
            }
            "buNone" => self.bullet = Some(false),
            "buChar" | "buAutoNum" | "buBlip" if self.in_paragraph => self.bullet = Some(true),
            "t" => self.in_text = true,
            "br" => self.text.push(' '),
            "tr" => self.row = Some(Vec::new()),
            "tc" => self.next_cell = true,
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" => {
                self.in_paragraph = false;
                let text = std::mem::take(&mut self.text);
                if !text.trim().is_empty() {
                    self.paragraph(text);
                }
            }
            "tr" => {
                let cells = self.row.take().unwrap_or_default();
                if !cells.is_empty() {
                    self.lines.push(Line {
                        kind: BlockKind::TableRow,
                        level: None,
                        text: cells.join(" "),
                    });
                }
            }
            _ => {}
        }
    }

    fn paragraph(&mut self, text: String) {
        if let Some(row) = &mut self.row {
            match row.last_mut() {
                Some(cell) if !self.next_cell => {
                    cell.push(' ');
                    cell.push_str(&text);
                }
                _ => {
                    self.next_cell = false;
                    row.push(text);
                }
            }
            return;
        }
        let is_item = self.bullet.unwrap_or(self.shape == Shape::Body);
        match self.shape {
            Shape::Furniture => {}
            Shape::Title => self.titles.push(Line {
                kind: BlockKind::Heading,
                level: Some(2),
                text,
            }),
            Shape::Body | Shape::Other => self.lines.push(Line {
                kind: if is_item {
                    BlockKind::ListItem
                } else {
                    BlockKind::Paragraph
                },
                level: None,
                text,
            }),
        }
    }
}

/// The texts of a diagram's data model.
pub(crate) fn diagram(package: &mut Package<'_>, text: &str) -> Result<Vec<Line>, Refusal> {
    let slide = Slide::read(package, text, None, Below::default())?;
    let lines = slide.into_lines().map(|line| Line {
        kind: BlockKind::ListItem,
        ..line
    });
    Ok(lines.collect())
}

/// One series of a chart.
#[derive(Default)]
struct Series {
    name: String,
    categories: Vec<String>,
    values: Vec<String>,
}

/// A chart: its titles, then for each series a row of its name and a row for each category with its value, as the
/// file keeps them for showing the chart.
pub(crate) fn chart(package: &mut Package<'_>, text: &str) -> Result<Vec<Line>, Refusal> {
    let mut pieces = Markup::of(text);
    let mut path: Vec<String> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    let mut all: Vec<Series> = Vec::new();
    let mut count = 0usize;
    while let Some(piece) = pieces.next()? {
        package.budget.step(1)?;
        match piece {
            Piece::Open(element) => {
                match element.name() {
                    "ser" => all.push(Series::default()),
                    "title" => titles.push(String::new()),
                    _ => {}
                }
                path.push(element.name().to_owned());
            }
            Piece::Close(_) => drop(path.pop()),
            Piece::Text(text) => {
                let inside = |name: &str| path.iter().any(|open| open == name);
                let last = path.last().map(String::as_str);
                if last == Some("t") && inside("title") {
                    if let Some(title) = titles.last_mut() {
                        title.push_str(&text);
                    }
                } else if last == Some("v")
                    && count < MAX_VALUES
                    && let Some(series) = all.last_mut()
                {
                    count += 1;
                    if inside("cat") || inside("xVal") {
                        series.categories.push(text.into_owned());
                    } else if inside("val") || inside("yVal") {
                        series.values.push(text.into_owned());
                    } else if inside("tx") {
                        series.name.push_str(&text);
                    }
                }
            }
        }
    }
    let title = titles.into_iter().filter(|title| !title.trim().is_empty());
    let mut lines: Vec<Line> = title
        .map(|text| Line {
            kind: BlockKind::Paragraph,
            level: None,
            text,
        })
        .collect();
    for series in all {
        let mut categories = series.categories.into_iter();
        for value in series.values {
            let category = categories.next().unwrap_or_default();
            lines.push(Line {
                kind: BlockKind::TableRow,
                level: None,
                text: format!("{} {category} {value}", series.name),
            });
        }
    }
    Ok(lines)
}
