//! A single pass over HTML that tells a visitor where on the page each piece stands.
//!
//! The tokens are those of the WHATWG standard; nesting is followed with a bounded stack and the
//! standard's implied end tags. What a tree builder does beyond that (moving misnested formatting
//! and foster-parenting text out of tables) changes no visible text worth its cost.

use std::convert::Infallible;

use html5gum::Span;
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};

use super::elements::{
    belongs_in_head, heading_level, implied_end, is_block, is_scope_boundary, is_table_part,
    is_unseen, is_void, shows_nothing, style_hides,
};
use crate::Region;

/// Open elements that are followed; deeper ones count as part of the deepest.
const MAX_DEPTH: usize = 256;
/// Attributes of one tag that are kept.
const MAX_ATTRIBUTES: usize = 64;

/// A start tag.
#[derive(Debug)]
pub struct Element<'a> {
    /// Lower-case name.
    pub name: &'a str,
    /// Whether its end will be told: not for an element without content, nor for one that stands
    /// too deep to be followed.
    pub has_end: bool,
    attributes: &'a [(String, String)],
}

impl<'a> Element<'a> {
    /// An attribute's value, by its lower-case name; the first counts if it stands there twice.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Where on the page something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Not visible to a reader.
    pub hidden: bool,
    /// Inside a link.
    pub in_link: bool,
    /// Inside `pre`.
    pub preformatted: bool,
    /// The part of the page.
    pub region: Region,
    /// Inside the page's header or its navigation bar.
    pub in_header: bool,
    /// Not shown at all, pictures included. Other than `hidden` that leaves out what is merely no
    /// text of the page: drawings, the head, and what only screen readers skip.
    pub concealed: bool,
    /// Byte offset in the scanned text: where a start tag begins, behind the tag that ends an
    /// element, where text begins.
    pub offset: usize,
}

/// Is told what the scanner sees, in document order.
pub trait Visitor {
    /// A start tag; for elements with content, `place` is inside of it.
    fn start(&mut self, element: &Element<'_>, place: &Place);
    /// The end of an element with content, whether a tag says it or another tag implies it;
    /// `place` is inside of it.
    fn end(&mut self, name: &str, place: &Place);
    /// Text with its character references resolved. The text of `script`, `style` and `title`
    /// comes here as well and is hidden.
    fn text(&mut self, text: &str, place: &Place);
}

/// Reads a document and tells `visitor`.
pub fn scan(html: &str, visitor: &mut impl Visitor) {
    let scanner = Scanner {
        visitor,
        open: Vec::new(),
        too_deep: 0,
        hidden_from: None,
        tag: String::new(),
        attributes: Vec::new(),
        skip_attribute: false,
        tag_offset: 0,
    };
    let mut emitter = CallbackEmitter::new(scanner);
    emitter.naively_switch_states(true);
    // The callback yields no token and reading from a string can't fail: this drives the callback
    // from the first byte to the last and then finds nothing.
    let nothing = html5gum::Tokenizer::new_with_emitter(html, emitter).next();
    debug_assert!(nothing.is_none());
}

struct Open {
    name: String,
    place: Place,
    foreign: bool,
}

struct Scanner<'v, V> {
    visitor: &'v mut V,
    open: Vec<Open>,
    /// Start tags that were not followed because the stack was full.
    too_deep: usize,
    /// How many of those there were when one of them hid its content.
    hidden_from: Option<usize>,
    tag: String,
    attributes: Vec<(String, String)>,
    skip_attribute: bool,
    /// Where the open tag begins.
    tag_offset: usize,
}

impl<V: Visitor> Callback<Infallible, usize> for Scanner<'_, V> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, span: Span<usize>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag = String::from_utf8_lossy(name).into_owned();
                self.attributes.clear();
                self.tag_offset = span.start;
            }
            CallbackEvent::AttributeName { name } => {
                let name = String::from_utf8_lossy(name);
                self.skip_attribute = self.attributes.len() >= MAX_ATTRIBUTES
                    || self.attributes.iter().any(|(key, _)| *key == name);
                if !self.skip_attribute {
                    self.attributes.push((name.into_owned(), String::new()));
                }
            }
            CallbackEvent::AttributeValue { value } if !self.skip_attribute => {
                if let Some((_, text)) = self.attributes.last_mut() {
                    text.push_str(&String::from_utf8_lossy(value));
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => self.start_tag(self_closing),
            CallbackEvent::EndTag { name } => {
                let name = String::from_utf8_lossy(name).into_owned();
                self.attributes.clear();
                self.end_tag(&name, span.end);
            }
            CallbackEvent::String { value } => {
                self.text(&String::from_utf8_lossy(value), span.start);
            }
            _ => {}
        }
        None
    }
}

impl<V: Visitor> Scanner<'_, V> {
    fn place(&self) -> Place {
        self.open.last().map(|open| open.place).unwrap_or_default()
    }

    fn start_tag(&mut self, self_closing: bool) {
        let name = std::mem::take(&mut self.tag);
        let attributes = std::mem::take(&mut self.attributes);
        let offset = self.tag_offset;
        if !belongs_in_head(&name) {
            self.close_head(offset);
        }
        let foreign = self.open.last().is_some_and(|open| open.foreign);
        if !foreign {
            self.close_implied(&name, offset);
        }
        // `html` and `body` enclose everything whatever their tags say, and a body that is hidden
        // until a script has run is still what people read.
        let encloses_page = matches!(name.as_str(), "html" | "body");
        // Only in drawings and formulas, and where they begin, does a slash end the element.
        let can_close_itself = foreign || matches!(name.as_str(), "svg" | "math");
        let is_empty = (can_close_itself && self_closing) || (!foreign && is_void(&name));
        let element = Element {
            name: &name,
            has_end: !encloses_page && !is_empty && self.open.len() < MAX_DEPTH,
            attributes: &attributes,
        };
        let mut inside = self.place_inside(&element);
        inside.offset = offset;
        self.visitor.start(&element, &inside);
        if encloses_page || is_empty {
            return;
        }
        if !element.has_end {
            self.too_deep += 1;
            if inside.hidden && self.hidden_from.is_none() {
                self.hidden_from = Some(self.too_deep);
            }
            return;
        }
        let foreign = foreign || matches!(name.as_str(), "svg" | "math");
        self.open.push(Open {
            name,
            place: inside,
            foreign,
        });
    }

    fn end_tag(&mut self, name: &str, offset: usize) {
        if matches!(name, "html" | "body") || is_void(name) {
            return;
        }
        if self.too_deep > 0 {
            self.too_deep -= 1;
            if self.hidden_from.is_some_and(|from| self.too_deep < from) {
                self.hidden_from = None;
            }
            return;
        }
        let is_inline = !is_block(name) && !is_table_part(name);
        let mut at = None;
        for (index, open) in self.open.iter().enumerate().rev() {
            if open.name == name {
                at = Some(index);
                break;
            }
            let stops = if is_table_part(name) {
                open.name == "table" || open.name == "template"
            } else {
                is_scope_boundary(&open.name)
                    // An inline element that isn't formatting doesn't end outside its block.
                    || (is_inline && !is_formatting(name) && is_block(&open.name))
            };
            if stops {
                break;
            }
        }
        // Any end tag of a heading ends the heading that is open.
        if at.is_none() && heading_level(name).is_some() {
            at = self
                .open
                .iter()
                .rposition(|open| heading_level(&open.name).is_some());
        }
        if let Some(at) = at {
            self.close_down_to(at, offset);
        }
    }

    fn text(&mut self, text: &str, offset: usize) {
        let in_head = self.open.last().is_some_and(|open| open.name == "head");
        if in_head && text.chars().any(|c| !c.is_whitespace()) {
            self.close_head(offset);
        }
        let mut place = self.place();
        place.offset = offset;
        place.hidden |= self.hidden_from.is_some();
        self.visitor.text(text, &place);
    }

    fn close_head(&mut self, offset: usize) {
        // `head` can only be at the bottom; what stands on it may be a script or a template.
        let head_is_open = self.open.first().is_some_and(|open| open.name == "head");
        if head_is_open && !self.open.iter().any(|open| open.name == "template") {
            self.close_down_to(0, offset);
        }
    }

    fn close_implied(&mut self, name: &str, offset: usize) {
        let Some((closes, until)) = implied_end(name) else {
            return;
        };
        let mut at = None;
        for (index, open) in self.open.iter().enumerate().rev() {
            let open = open.name.as_str();
            if closes.contains(&open) {
                at = Some(index);
                // A new row ends the cell and the row around it: look further up.
                if !is_table_part(open) {
                    break;
                }
                continue;
            }
            if until.contains(&open) || (is_scope_boundary(open) && !closes.contains(&open)) {
                break;
            }
        }
        if let Some(at) = at {
            self.close_down_to(at, offset);
        }
        // A heading in a heading ends the first.
        let heading_on_top = self
            .open
            .last()
            .is_some_and(|open| heading_level(&open.name).is_some());
        if heading_on_top && heading_level(name).is_some() {
            self.close_down_to(self.open.len() - 1, offset);
        }
    }

    fn close_down_to(&mut self, at: usize, offset: usize) {
        while self.open.len() > at {
            if let Some(open) = self.open.pop() {
                let place = Place {
                    offset,
                    ..open.place
                };
                self.visitor.end(&open.name, &place);
            }
        }
    }

    fn place_inside(&self, element: &Element<'_>) -> Place {
        let outer = self.place();
        let name = element.name;
        let encloses_page = matches!(name, "html" | "body");
        let concealed_here = !encloses_page
            && (shows_nothing(name)
                || element.attribute("hidden").is_some()
                || (name == "dialog" && element.attribute("open").is_none())
                || element.attribute("style").is_some_and(style_hides));
        let hidden_here = concealed_here
            || (!encloses_page
                && (is_unseen(name)
                    || element
                        .attribute("aria-hidden")
                        .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))));
        Place {
            hidden: outer.hidden || hidden_here,
            concealed: outer.concealed || concealed_here,
            offset: outer.offset,
            in_header: outer.in_header || (!encloses_page && is_header(element, outer.region)),
            in_link: outer.in_link || (name == "a" && element.attribute("href").is_some()),
            preformatted: outer.preformatted || name == "pre",
            region: if encloses_page {
                outer.region
            } else {
                region_inside(element, outer.region)
            },
        }
    }
}

fn is_formatting(name: &str) -> bool {
    matches!(
        name,
        "a" | "b"
            | "big"
            | "code"
            | "em"
            | "font"
            | "i"
            | "nobr"
            | "s"
            | "small"
            | "strike"
            | "strong"
            | "tt"
            | "u"
    )
}

/// The page's header or navigation bar; the header of an article is another matter.
fn is_header(element: &Element<'_>, outer: Region) -> bool {
    let has_role = |wanted: &str| {
        element
            .attribute("role")
            .is_some_and(|roles| roles.split_ascii_whitespace().next() == Some(wanted))
    };
    if outer == Region::Main {
        return has_role("banner");
    }
    element.name == "header"
        || has_role("banner")
        || ["id", "class"].into_iter().any(|attribute| {
            element.attribute(attribute).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                value
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .any(|word| matches!(word, "header" | "masthead" | "navbar" | "topbar"))
            })
        })
}

fn region_inside(element: &Element<'_>, outer: Region) -> Region {
    if outer == Region::Boilerplate {
        return outer;
    }
    let role = element
        .attribute("role")
        .and_then(|roles| roles.split_ascii_whitespace().next())
        .map(str::to_ascii_lowercase);
    match role.as_deref() {
        Some("main" | "article") => return Region::Main,
        Some(
            "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "menu"
            | "menubar" | "dialog" | "alertdialog",
        ) => return Region::Boilerplate,
        _ => {}
    }
    match element.name {
        "main" | "article" => Region::Main,
        "nav" | "aside" | "dialog" | "search" | "menu" => Region::Boilerplate,
        // The header of an article is part of it; the page's own header is not.
        "header" | "footer" if outer == Region::Neutral => Region::Boilerplate,
        _ if names_furniture(element) => Region::Boilerplate,
        _ => outer,
    }
}

/// Consent banners and breadcrumbs have no element of their own; authors name them alike.
fn names_furniture(element: &Element<'_>) -> bool {
    ["id", "class"].into_iter().any(|attribute| {
        element.attribute(attribute).is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            value
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| {
                    matches!(
                        word,
                        "cookie" | "cookies" | "consent" | "breadcrumb" | "breadcrumbs"
                    )
                })
        })
    })
}
