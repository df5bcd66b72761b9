//! The blocks of visible text of an HTML document.

use super::cards::{Path, Spot, mark_titles};
use super::chips::Chips;
use super::elements::{heading_level, is_block};
use super::gaps::{Edge, Inline};
use super::leads;
use super::lines::{BOLD_END, LINE_BREAK, pieces};
use super::quoted;
use super::scan::{Element, Place, Visitor, scan};
use crate::{Block, BlockKind, Region, is_joined, normalize, primary_language};

pub(crate) fn blocks(html: &str) -> Vec<Block> {
    let mut builder = Builder::default();
    scan(html, &mut builder);
    builder.finish()
}

#[derive(Clone, Copy)]
struct Kind {
    kind: BlockKind,
    level: Option<u8>,
    /// Whether it is a paragraph inside of something else.
    paragraph: bool,
}

/// Builds the blocks during a scan of the page.
#[derive(Default)]
pub(super) struct Builder {
    blocks: Vec<Block>,
    /// Open elements that determine the kind of the text inside them, innermost last.
    kinds: Vec<(String, Kind)>,
    run: String,
    /// Whether anything in the run is visible. Kept, because a page may have a run of megabytes of blanks.
    has_ink: bool,
    link_chars: usize,
    region: Region,
    preformatted: bool,
    /// Inline elements that ended and began since the last text.
    edge: Edge,
    /// Cells so far of the table row at hand.
    cells: usize,
    /// Open elements whose text is an address in disguise, which was decoded instead.
    disguised: usize,
    /// All open elements.
    path: Path,
    /// Where the run began, and the same for each block.
    spot: Spot,
    spots: Vec<Spot>,
    /// Open forms, and whether the run began in one.
    forms: usize,
    in_form: bool,
    /// Whether the next text is that of a button to choose with.
    choice: bool,
    /// Whether the page declares a language that writes every noun with a capital.
    breaks_nouns: bool,
    /// The labels in a row of which the run may consist.
    chips: Chips,
    /// How much of the line at hand is bold.
    bold: Bold,
    /// What stands in bold at the beginning of the run, and the same for each block.
    head: String,
    heads: Vec<Option<String>>,
}

/// How much of a line is set in bold so far.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Bold {
    /// The line is empty.
    #[default]
    Nothing,
    /// A bold element is open that began the line.
    Open,
    /// All of it.
    All,
    /// Not all of it.
    Part,
}

impl Visitor for Builder {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        let name = element.name;
        if element.has_end {
            self.path.start(element);
            self.forms += usize::from(name == "form");
        }
        if name == "html" {
            let language = element.attribute("lang").unwrap_or_default();
            self.breaks_nouns = primary_language(language.trim()).eq_ignore_ascii_case("de");
        }
        if self.disguised > 0 {
            self.disguised += usize::from(element.has_end);
            return;
        }
        let address = element.attribute("data-cfemail").and_then(undisguised);
        if let Some(address) = address.filter(|_| !place.hidden) {
            self.run.push_str(&address);
            self.has_ink = true;
            self.disguised = usize::from(element.has_end);
            return;
        }
        if let Some(inline) = Inline::of(name) {
            self.edge.start = Inline::outer(self.edge.start, inline);
        }
        if matches!(name, "b" | "strong") && matches!(self.bold, Bold::Nothing | Bold::All) {
            self.bold = Bold::Open;
        }
        if name == "br" && !place.hidden {
            if self.bold == Bold::All {
                self.run.push(BOLD_END);
            }
            self.bold = Bold::Nothing;
            self.run.push(LINE_BREAK);
        } else if matches!(name, "td" | "th" | "button" | "option" | "input" | "img") {
            if name == "input" && chooses(element) {
                // What one can choose from stands apart, however the page sets it.
                self.flush();
                self.choice = true;
            }
            self.run.push(' ');
        }
        if is_block(name) {
            self.flush();
        } else if element.has_end {
            self.chips.start(element, self.run.len());
        }
        match name {
            "tr" => self.cells = 0,
            "td" | "th" => self.cells += 1,
            _ => {}
        }
        if let Some(kind) = self.kind_inside(name) {
            self.kinds.push((name.to_owned(), kind));
        }
    }

    fn end(&mut self, name: &str, _place: &Place) {
        self.path.end();
        self.forms -= usize::from(name == "form");
        if self.disguised > 0 {
            self.disguised -= 1;
            return;
        }
        if let Some(inline) = Inline::of(name) {
            self.edge = Edge {
                end: Inline::outer(self.edge.end, inline),
                start: None,
            };
        }
        if matches!(name, "b" | "strong") && self.bold == Bold::Open {
            self.bold = Bold::All;
        }
        if is_block(name) {
            self.flush();
        } else {
            self.chips.end();
            if matches!(name, "td" | "th" | "button") {
                self.run.push(' ');
            }
        }
        if self.kinds.last().is_some_and(|(open, _)| open == name) {
            self.kinds.pop();
        }
    }

    fn text(&mut self, text: &str, place: &Place) {
        if place.hidden || self.disguised > 0 {
            return;
        }
        if std::mem::take(&mut self.edge).is_gap(&self.run, text) {
            self.run.push(' ');
        }
        if !self.has_ink {
            self.spot = self.path.spot();
            self.in_form = self.forms > 0 || self.choice;
            self.region = place.region;
            self.preformatted = place.preformatted;
        }
        if place.in_link {
            self.link_chars += text.chars().filter(|c| !c.is_whitespace()).count();
        }
        self.chips.text(text);
        if self.bold != Bold::Open && !text.trim().is_empty() {
            self.bold = Bold::Part;
        } else if self.bold == Bold::Open && (!self.has_ink || !self.head.is_empty()) {
            self.head.push_str(text);
        }
        self.run.push_str(text);
        self.has_ink |= !text.trim_start().is_empty();
    }
}

impl Builder {
    /// Returns the blocks after the end of the page.
    pub(super) fn finish(mut self) -> Vec<Block> {
        self.flush();
        // Some systems put the whole page into one form.
        let chars = |inside: bool| -> usize {
            let of_kind = self.blocks.iter().filter(|block| block.form == inside);
            of_kind.map(|block| block.text.len()).sum()
        };
        if chars(true) > chars(false) && self.blocks.iter().any(|b| b.form && b.level == Some(1)) {
            self.blocks.iter_mut().for_each(|block| block.form = false);
        }
        mark_titles(&mut self.blocks, &self.spots);
        quoted::mark(&mut self.blocks, &self.spots);
        leads::part(self.blocks, &self.spots, &self.heads)
    }

    fn kind_inside(&self, name: &str) -> Option<Kind> {
        let outer = self.kinds.last().map(|(_, kind)| kind.kind);
        let kind = match name {
            "li" | "dt" | "dd" => BlockKind::ListItem,
            "blockquote" => BlockKind::Quote,
            "tr" => BlockKind::TableRow,
            "pre" => BlockKind::Code,
            // A paragraph inside a list item, quotation or table row takes the kind of that.
            "p" => match outer {
                Some(kind @ (BlockKind::ListItem | BlockKind::Quote | BlockKind::TableRow)) => kind,
                _ => BlockKind::Paragraph,
            },
            _ => heading_level(name).map(|_| BlockKind::Heading)?,
        };
        Some(Kind {
            kind,
            level: heading_level(name),
            paragraph: name == "p",
        })
    }

    fn flush(&mut self) {
        let mut run = std::mem::take(&mut self.run);
        let chips = std::mem::take(&mut self.chips);
        self.choice &= !std::mem::take(&mut self.has_ink);
        let link_chars = std::mem::take(&mut self.link_chars);
        let mut head = Some(normalize(&std::mem::take(&mut self.head)));
        self.bold = Bold::Nothing;
        let Kind {
            kind,
            level,
            paragraph,
        } = self.kinds.last().map_or(
            Kind {
                kind: BlockKind::Other,
                level: None,
                paragraph: false,
            },
            |(_, kind)| *kind,
        );
        if kind == BlockKind::Other && self.region != Region::Boilerplate {
            chips.part(&mut run);
        }
        if !matches!(kind, BlockKind::Other | BlockKind::Paragraph) {
            run = run.replace(BOLD_END, " ");
        }
        let total = run.chars().filter(|c| !c.is_whitespace()).count();
        // Old pages lay out their text with tables.
        let laid_out = kind == BlockKind::TableRow && (paragraph || self.cells == 1);
        for piece in pieces(&run, self.preformatted, self.breaks_nouns) {
            let kind = match kind {
                BlockKind::TableRow if laid_out && is_prose(&piece) => BlockKind::Paragraph,
                kind => kind,
            };
            if let Some(block) = Block::new(kind, &piece) {
                let visible = block.text.chars().filter(|c| *c != ' ').count();
                self.spots.push(self.spot.clone());
                self.heads.push(head.take().filter(|head| !head.is_empty()));
                self.blocks.push(Block {
                    level,
                    form: self.in_form,
                    region: self.region,
                    // Links are counted over the whole run; its pieces share the count in proportion to their
                    // length.
                    link_chars: share(link_chars, visible, total),
                    ..block
                });
            }
        }
    }
}

/// Whether an input is a button of which a reader chooses one.
fn chooses(input: &Element<'_>) -> bool {
    let kind = input.attribute("type").map(str::trim);
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case("radio"))
}

/// The part of a whole's count. In 64 bits: a plug-in's product of two lengths would not fit its 32.
fn share(count: usize, part: usize, whole: usize) -> usize {
    let product = (count as u64).saturating_mul(part as u64);
    let share = product.checked_div(whole as u64).unwrap_or(0);
    usize::try_from(share).unwrap_or(count)
}

/// The e-mail address in Cloudflare's `data-cfemail`: hexadecimal bytes, of which the first masks the others.
fn undisguised(code: &str) -> Option<String> {
    let digits: Vec<u8> = code
        .trim()
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    let mut bytes = digits.chunks_exact(2).map(|pair| match pair {
        [high, low] => high << 4 | low,
        _ => 0,
    });
    let mask = bytes.next()?;
    let address = String::from_utf8(bytes.map(|byte| byte ^ mask).collect()).ok()?;
    address.contains('@').then_some(address)
}

/// Whether a text is a sentence or several, not an entry of a table.
fn is_prose(text: &str) -> bool {
    let text = text.trim();
    let words = text.split_whitespace().count();
    let joined = text.chars().filter(|c| is_joined(*c)).count();
    text.ends_with(['.', '!', '。', '！']) && (words >= 10 || joined >= 25)
}

#[cfg(test)]
mod tests;
