//! The text of a DOCX: body, then footnotes and endnotes.
//!
//! Left out is what a reader of the document doesn't see: deleted, struck and hidden text, text in the colour of what it
//! stands on, comments, field codes, and the second form of what is stored in two. Headers and footers, which repeat on each
//! page, are left out too.

use gtm_page_text::BlockKind;

use super::looks::{Ground, Look, WHITE, shading};
use super::markup::{Element, Markup, Piece};
use super::package::Package;
use super::styles::Styles;
use crate::{Collected, Refusal};

/// Elements with nothing of what is seen.
const UNSEEN: &[&str] = &[
    "Fallback",
    "del",
    "moveFrom",
    "rPrChange",
    "pPrChange",
    "tblPrChange",
    "trPrChange",
    "tcPrChange",
    "sectPrChange",
    "rt",
    "instrText",
    "delText",
    "separator",
];

/// A finished paragraph.
struct Line {
    kind: BlockKind,
    level: Option<u8>,
    text: String,
}

#[derive(Default)]
struct Paragraph {
    text: String,
    style: Option<String>,
    outline: Option<u8>,
    numbered: Option<bool>,
    ground: Option<Ground>,
}

#[derive(Default)]
struct Row {
    /// The cells that have text.
    cells: Vec<Vec<Line>>,
    /// Whether the next line begins a cell.
    next_cell: bool,
    /// What the cell that is open is painted on, if it says so.
    ground: Option<Ground>,
}

#[derive(Default)]
struct Run {
    look: Look,
    style: Option<String>,
}

#[derive(Default)]
struct Body {
    /// Paragraphs that are open: one in a text box stands inside another.
    paragraphs: Vec<Paragraph>,
    /// Rows that are open, as cells of lines: one of a nested table stands inside another.
    rows: Vec<Row>,
    /// Runs that are open.
    runs: Vec<Run>,
    /// Tables that are open, and whether each may be painted.
    tables: Vec<bool>,
    in_paragraph_properties: bool,
    in_cell_properties: bool,
    in_text: usize,
    unseen: usize,
    /// Text boxes that are open.
    boxes: usize,
    /// Whether the pages are painted.
    is_painted: bool,
    /// Whether the text before was hidden, and how often text is.
    in_hidden: bool,
    hidden: usize,
}

/// Reads the document into `out`, and gives the language that it declares.
pub(crate) fn read(
    package: &mut Package<'_>,
    main: &str,
    out: &mut Collected,
) -> Result<Option<String>, Refusal> {
    let related = package.relationships(main)?;
    let of_kind = |kind: &str| {
        let found = related.values().find(|related| related.kind == kind);
        found.map(|related| related.part.clone())
    };
    let styles = match of_kind("styles") {
        Some(part) => Styles::read(package, &part)?,
        None => Styles::default(),
    };
    let text = package.part(main)?.ok_or(Refusal::Unreadable)?;
    Body::default().read(package, &text, &styles, out)?;
    if let Some(part) = of_kind("comments") {
        // Nobody needs them to read the text.
        out.hidden += package.count(&part, "comment").unwrap_or_default();
    }
    for kind in ["footnotes", "endnotes"] {
        if let Some(part) = of_kind(kind)
            && let Some(text) = package.part(&part)?
        {
            Body::default().read(package, &text, &styles, out)?;
        }
    }
    Ok(styles.language)
}

impl Body {
    fn read(
        mut self,
        package: &mut Package<'_>,
        text: &str,
        styles: &Styles,
        out: &mut Collected,
    ) -> Result<(), Refusal> {
        let mut pieces = Markup::of(text);
        while let Some(piece) = pieces.next()? {
            package.budget.step(1)?;
            match piece {
                Piece::Open(element) => {
                    if self.unseen > 0 || UNSEEN.contains(&element.name()) {
                        self.unseen += 1;
                        self.hidden += usize::from(element.name() == "delText");
                    } else {
                        self.open(&element, styles);
                    }
                }
                Piece::Close(_) if self.unseen > 0 => self.unseen -= 1,
                Piece::Close(name) => self.close(&name, styles, out),
                Piece::Text(text) => {
                    if self.in_text > 0 && self.unseen == 0 {
                        self.write(&text, styles);
                    }
                }
            }
        }
        out.hidden += self.hidden;
        Ok(())
    }

    fn write(&mut self, text: &str, styles: &Styles) {
        let is_seen = self.look(styles).is_seen(self.ground(styles));
        let says_something = text.contains(char::is_alphanumeric);
        if !is_seen {
            self.hidden += usize::from(says_something && !self.in_hidden);
            self.in_hidden |= says_something;
        } else if let Some(paragraph) = self.paragraphs.last_mut() {
            self.in_hidden &= !says_something;
            paragraph.text.push_str(text);
        }
    }

    /// How the text at hand looks: its run says so, else the styles of the run and of the paragraph.
    fn look(&self, styles: &Styles) -> Look {
        let run = self.runs.last();
        let own = run.map(|run| run.look).unwrap_or_default();
        let style = run.and_then(|run| run.style.as_deref());
        let paragraph = self.paragraphs.last();
        let paragraph = paragraph.and_then(|paragraph| paragraph.style.as_deref());
        let of_styles = [style, paragraph].into_iter().flatten();
        of_styles
            .fold(own, |look, style| look.over(styles.look(style)))
            .over(styles.default_look)
    }

    /// What the paragraph at hand stands on.
    fn ground(&self, styles: &Styles) -> Ground {
        let paragraph = self.paragraphs.last();
        let said = paragraph.and_then(|paragraph| paragraph.ground);
        let style = paragraph.and_then(|paragraph| paragraph.style.as_deref());
        let cell = self.rows.iter().rev().find_map(|row| row.ground);
        let may_be_painted = self.boxes > 0
            || style.is_some_and(|style| styles.paints(style))
            || cell.is_none() && (self.is_painted || self.tables.contains(&true));
        match said {
            Some(ground) => ground,
            None if may_be_painted => Ground::Unknown,
            None => cell.unwrap_or(Ground::Colour(WHITE)),
        }
    }

    fn open(&mut self, element: &Element<'_>, styles: &Styles) {
        let paragraph = self.paragraphs.last_mut();
        match element.name() {
            "p" => {
                self.in_hidden = false;
                self.paragraphs.push(Paragraph::default());
            }
            "background" => self.is_painted = true,
            "txbxContent" => self.boxes += 1,
            "tbl" => self.tables.push(false),
            "tblStyle" => {
                let style = element.attribute("val").unwrap_or_default();
                if let Some(painted) = self.tables.last_mut() {
                    *painted |= styles.paints(&style);
                }
            }
            "tcPr" => self.in_cell_properties = true,
            "shd" if self.in_paragraph_properties => {
                if let Some(paragraph) = paragraph {
                    paragraph.ground = shading(element);
                }
            }
            "shd" if self.in_cell_properties => {
                if let Some(row) = self.rows.last_mut() {
                    row.ground = shading(element);
                }
            }
            "shd" if self.runs.is_empty() => {
                if let Some(painted) = self.tables.last_mut() {
                    *painted = true;
                }
            }
            "pPr" => self.in_paragraph_properties = true,
            "pStyle" => {
                if let Some(paragraph) = paragraph {
                    paragraph.style = element.attribute("val");
                }
            }
            "outlineLvl" => {
                if let Some(paragraph) = paragraph {
                    paragraph.outline = element
                        .attribute("val")
                        .and_then(|value| value.parse().ok());
                }
            }
            "numId" => {
                if let Some(paragraph) = paragraph {
                    paragraph.numbered = Some(element.attribute("val").is_some_and(|id| id != "0"));
                }
            }
            "r" => self.runs.push(Run::default()),
            "rStyle" if !self.in_paragraph_properties => {
                if let Some(run) = self.runs.last_mut() {
                    run.style = element.attribute("val");
                }
            }
            "t" => self.in_text += 1,
            "tab" | "br" | "cr" | "ptab" if !self.in_paragraph_properties => {
                self.write(" ", styles);
            }
            "noBreakHyphen" => self.write("\u{2011}", styles),
            "tr" => self.rows.push(Row::default()),
            "tc" => {
                if let Some(row) = self.rows.last_mut() {
                    row.next_cell = true;
                    row.ground = None;
                }
            }
            _ if !self.in_paragraph_properties => {
                if let Some(run) = self.runs.last_mut() {
                    run.look.note(element);
                }
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str, styles: &Styles, out: &mut Collected) {
        match name {
            "p" => {
                if let Some(paragraph) = self.paragraphs.pop() {
                    self.emit(finish(paragraph, styles), out);
                }
            }
            "pPr" => self.in_paragraph_properties = false,
            "tcPr" => self.in_cell_properties = false,
            "txbxContent" => self.boxes = self.boxes.saturating_sub(1),
            "tbl" => drop(self.tables.pop()),
            "r" => drop(self.runs.pop()),
            "t" => self.in_text = self.in_text.saturating_sub(1),
            "tr" => {
                if let Some(row) = self.rows.pop() {
                    self.close_row(row, out);
                }
            }
            _ => {}
        }
    }

    /// Puts a line where it belongs: into the cell that is open, or out.
    fn emit(&mut self, line: Line, out: &mut Collected) {
        if line.text.trim().is_empty() {
            return;
        }
        match self.rows.last_mut() {
            Some(row) => match row.cells.last_mut() {
                Some(cell) if !row.next_cell => cell.push(line),
                _ => {
                    row.next_cell = false;
                    row.cells.push(vec![line]);
                }
            },
            None => out.push(line.kind, line.level, &line.text, None),
        }
    }

    /// The cells of a row are one block. A row with a single filled cell only places it on the page, so what it
    /// has stays as it is.
    fn close_row(&mut self, row: Row, out: &mut Collected) {
        let mut cells = row.cells;
        if cells.len() == 1 {
            for line in cells.pop().unwrap_or_default() {
                self.emit(line, out);
            }
        } else if !cells.is_empty() {
            let texts: Vec<String> = cells.into_iter().flatten().map(|line| line.text).collect();
            let line = Line {
                kind: BlockKind::TableRow,
                level: None,
                text: texts.join(" "),
            };
            self.emit(line, out);
        }
    }
}

fn finish(paragraph: Paragraph, styles: &Styles) -> Line {
    let style = paragraph.style.as_deref().unwrap_or_default();
    let outlined = paragraph
        .outline
        .map(|level| (level < 9).then_some(level.saturating_add(1)));
    let level = outlined.unwrap_or_else(|| styles.heading(style));
    let is_list = paragraph.numbered.unwrap_or_else(|| styles.is_list(style));
    let kind = match level {
        Some(_) => BlockKind::Heading,
        None if is_list => BlockKind::ListItem,
        None if styles.is_quote(style) => BlockKind::Quote,
        None => BlockKind::Paragraph,
    };
    Line {
        kind,
        level,
        text: paragraph.text,
    }
}
