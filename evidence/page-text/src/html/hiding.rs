//! What the styles of an HTML document hide or strike out: those of its own sheets, and its elements' own.
//!
//! Danger: word processors and mail programs mark struck and hidden text by a style alone, often by a class, and it would
//! be printed. So a rule counts for whatever the last part of its selector fits, whatever stands before that part. White text
//! is hidden where nothing around it is painted.
//!
//! This is for documents that people wrote: a site opens much with a script that a sheet hides.

mod css;
mod rules;

use super::scan::{Element, Place, Visitor};
use rules::Rules;

/// The sheets of a document, collected while it is scanned.
#[derive(Debug, Default)]
pub struct Sheets {
    css: String,
    styles: usize,
    runs_scripts: bool,
}

impl Sheets {
    /// Whether the document runs scripts, so that nobody can tell what they open of what is hidden.
    #[must_use]
    pub const fn runs_scripts(&self) -> bool {
        self.runs_scripts
    }
}

impl Visitor for Sheets {
    fn start(&mut self, element: &Element<'_>, _: &Place) {
        let kind = element.attribute("type").unwrap_or_default();
        self.runs_scripts |= element.name == "script"
            && (kind.is_empty() || kind.contains("javascript") || kind == "module");
        self.styles += usize::from(element.name == "style" && element.has_end);
    }

    fn end(&mut self, name: &str, _: &Place) {
        if name == "style" {
            self.styles = self.styles.saturating_sub(1);
        }
    }

    fn text(&mut self, text: &str, _: &Place) {
        if self.styles > 0 {
            self.css.push_str(text);
        }
    }
}

/// An element that is open.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    is_white: bool,
    is_painted: bool,
    is_left_out: bool,
}

/// Most elements that enclose the page: each further one is a mistake.
const MOST_ENCLOSING: usize = 4;

/// Follows a scan, and tells what of it is hidden.
#[derive(Debug, Default)]
pub struct Hiding {
    rules: Rules,
    open: Vec<Open>,
    /// How many of them enclose the page, and have no end.
    enclosing: usize,
    in_hidden: bool,
    hidden: usize,
}

impl Hiding {
    /// By the sheets of a document.
    #[must_use]
    pub fn by(sheets: &Sheets) -> Self {
        let mut hiding = Self::default();
        css::read(&sheets.css, &mut hiding.rules);
        hiding
    }

    /// Notes a start tag, and whether its element is hidden.
    pub fn start(&mut self, element: &Element<'_>) -> bool {
        let outer = self.open.last().copied().unwrap_or_default();
        if outer.is_left_out {
            if element.has_end {
                self.open.push(outer);
            }
            return true;
        }
        let encloses_page = matches!(element.name, "html" | "body");
        let own = element.attribute("style").map(css::own_effects);
        let style = self.rules.style(element, own.unwrap_or_default());
        let inside = Open {
            is_white: style.whitens.unwrap_or(outer.is_white),
            is_painted: outer.is_painted || style.paints,
            is_left_out: !encloses_page
                && (style.leaves_out
                    || element.attribute("hidden").is_some()
                    || element.attribute("popover").is_some()
                    || is_words_comment(element)),
        };
        if encloses_page && self.enclosing >= MOST_ENCLOSING {
            return false;
        }
        if encloses_page {
            // Neither has an end, and what is painted here is below all that follows.
            self.open.insert(self.enclosing, inside);
            self.enclosing += 1;
            return false;
        }
        if element.has_end {
            self.open.push(inside);
        }
        element.has_end && inside.is_left_out
    }

    /// Notes the end of an element.
    pub fn end(&mut self) {
        if self.open.len() > self.enclosing {
            self.open.pop();
        }
    }

    /// Whether text that comes now is hidden.
    pub fn hides(&mut self, text: &str) -> bool {
        let here = self.open.last().copied().unwrap_or_default();
        let is_hidden = here.is_left_out || here.is_white && !here.is_painted;
        if text.contains(char::is_alphanumeric) {
            self.hidden += usize::from(is_hidden && !self.in_hidden);
            self.in_hidden = is_hidden;
        }
        is_hidden
    }

    /// Whether what stands here is left out as a whole.
    #[must_use]
    pub fn is_left_out(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_left_out)
    }

    /// How many texts were hidden.
    #[must_use]
    pub const fn hidden(&self) -> usize {
        self.hidden
    }
}

/// Whether Word marks it as a comment or as deleted.
fn is_words_comment(element: &Element<'_>) -> bool {
    let classes = element.attribute("class").unwrap_or_default();
    let mut classes = classes.split_ascii_whitespace();
    classes.any(|class| class.starts_with("MsoComment") || class == "msoDel")
}

#[cfg(test)]
mod tests;
