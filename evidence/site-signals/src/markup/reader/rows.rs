//! Rows of named pictures, such as the logos of customers, with the text above them.

use gtm_page_text::html::{Element, Place, is_heading_element};

use super::super::PictureRow;
use super::attributes::tidy;

/// Fewest names of a row.
const LEAST: usize = 3;
const MAX_ROWS: usize = 20;
const MAX_NAMES: usize = 60;
/// Longest text above a row, in bytes: longer ones are no heading.
const MAX_TEXT: usize = 400;

/// Elements within a line of text.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "br", "em", "font", "i", "img", "mark", "small", "source", "span", "strong",
    "sup", "u",
];

/// Collects rows during a scan of the page. Text between pictures ends a row.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) found: Vec<PictureRow>,
    /// The last heading, and whether it is still open.
    heading: String,
    in_heading: bool,
    /// The last line of text.
    line: String,
    /// Whether the next text begins a new line.
    broken: bool,
    names: Vec<String>,
}

impl Rows {
    pub(super) fn start(&mut self, element: &Element<'_>, place: &Place) {
        if is_heading_element(element.name) && !place.hidden {
            self.end_row();
            self.heading.clear();
            self.in_heading = true;
        }
        self.broken |= !INLINE.contains(&element.name);
        if element.name == "img"
            && !place.concealed
            && !place.in_header
            && let Some(name) = element.attribute("alt").and_then(tidy)
            && self.names.len() < MAX_NAMES
            && !self.names.contains(&name)
        {
            self.names.push(name);
        }
    }

    pub(super) fn end(&mut self, name: &str) {
        self.in_heading &= !is_heading_element(name);
        self.broken |= !INLINE.contains(&name);
    }

    pub(super) fn text(&mut self, text: &str, place: &Place) {
        if place.hidden || text.trim().is_empty() {
            return;
        }
        self.end_row();
        if std::mem::take(&mut self.broken) {
            self.line.clear();
        }
        push(&mut self.line, text);
        if self.in_heading {
            push(&mut self.heading, text);
        }
    }

    pub(super) fn finish(mut self) -> Vec<PictureRow> {
        self.end_row();
        self.found
    }

    fn end_row(&mut self) {
        let names = std::mem::take(&mut self.names);
        if names.len() >= LEAST && self.found.len() < MAX_ROWS {
            self.found.push(PictureRow {
                heading: tidy(&self.heading),
                line: tidy(&self.line),
                names,
            });
        }
    }
}

fn push(text: &mut String, more: &str) {
    if text.len() + more.len() <= MAX_TEXT {
        text.push_str(more);
    }
}
