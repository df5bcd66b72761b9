//! A single pass over HTML that tells a visitor where on the page each piece is.
//!
//! The tokens are those of the WHATWG standard; nesting is tracked with a bounded stack and the standard's
//! implied end tags. A tree builder also moves misnested formatting and takes stray text out of tables; that
//! changes too little visible text to be worth its cost.

use std::convert::Infallible;

use gtm_lexicon::class_names::{FURNITURE, HEADERS, IMPRINTS};
use html5gum::Span;
use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};

use super::elements::{
    belongs_in_head, heading_level, implied_end, is_block, is_scope_boundary, is_table_part,
    is_unseen, is_void, shows_nothing, style_hides,
};
use super::icons::{draws_text, is_name_of_icon};
use crate::Region;

/// Most open elements that are tracked; deeper ones count as part of the deepest.
const MAX_DEPTH: usize = 256;
/// Most attributes of a tag that are kept.
const MAX_ATTRIBUTES: usize = 64;

/// Most hidden imprints of a page for which it is looked up whether something opens them.
const MAX_IMPRINTS: usize = 3;

/// A start tag.
#[derive(Debug)]
pub struct Element<'a> {
    /// Lower-case name.
    pub name: &'a str,
    /// Whether its end will be reported. It is not for a void element, nor for one too deep to be tracked.
    pub has_end: bool,
    attributes: &'a [(String, String)],
}

impl<'a> Element<'a> {
    /// An attribute's value, by its lower-case name; of duplicates, the first counts.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Where on the page something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Whether it is invisible to a reader.
    pub hidden: bool,
    /// Whether it is inside a link.
    pub in_link: bool,
    /// Whether it is inside `pre`.
    pub preformatted: bool,
    /// The part of the page that contains it.
    pub region: Region,
    /// Whether it is inside the page's header or navigation bar.
    pub in_header: bool,
    /// Whether it is not shown at all, pictures included. Unlike `hidden`, this excludes what is merely not
    /// text of the page: drawings, the head, and what only screen readers skip.
    pub concealed: bool,
    /// Byte offset in the scanned text: of the start of a start tag, of the point after the tag that ends an
    /// element, or of the start of text.
    pub offset: usize,
}

/// Receives what the scanner sees, in document order.
pub trait Visitor {
    /// A start tag; for elements with content, `place` is inside the element.
    fn start(&mut self, element: &Element<'_>, place: &Place);
    /// The end of an element with content, by its own tag or implied by another; `place` is inside the
    /// element.
    fn end(&mut self, name: &str, place: &Place);
    /// Text with its character references resolved. The text of `script`, `style` and `title` is reported
    /// too, as hidden.
    fn text(&mut self, text: &str, place: &Place);
}

/// Scans a document and reports to `visitor`.
pub fn scan(html: &str, visitor: &mut impl Visitor) {
    let scanner = Scanner {
        html,
        imprints: 0,
        headers: 0,
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
    // The callback yields no token and reading from a string cannot fail, so this one call runs the callback
    // over the whole input and returns nothing.
    let nothing = html5gum::Tokenizer::new_with_emitter(html, emitter).next();
    debug_assert!(nothing.is_none());
}

struct Open {
    name: String,
    place: Place,
    foreign: bool,
    /// Whether its text may be the name of an icon that a font draws.
    icon: bool,
}

struct Scanner<'v, V> {
    html: &'v str,
    /// Hidden imprints so far.
    imprints: usize,
    /// Headers so far, of the page and of its sections.
    headers: usize,
    visitor: &'v mut V,
    open: Vec<Open>,
    /// Open start tags that are not tracked because the stack is full.
    too_deep: usize,
    /// The value of `too_deep` when one of those hid its content.
    hidden_from: Option<usize>,
    tag: String,
    attributes: Vec<(String, String)>,
    skip_attribute: bool,
    /// Where the open tag starts.
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
        // `html` and `body` enclose everything, whatever their tags say. A body that stays hidden until a
        // script runs is still what people read.
        let encloses_page = matches!(name.as_str(), "html" | "body");
        // A slash ends only elements in drawings and formulas, and `svg` and `math` themselves.
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
        let icon = draws_text(element.name, element.attribute("class"));
        self.open.push(Open {
            name,
            place: inside,
            foreign,
            icon,
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
                    // The end tag of an inline element that is not formatting has no effect beyond its block.
                    || (is_inline && !is_formatting(name) && is_block(&open.name))
            };
            if stops {
                break;
            }
        }
        // The end tag of any heading level ends the open heading.
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
        place.hidden |= self.open.last().is_some_and(|open| open.icon) && is_name_of_icon(text);
        self.visitor.text(text, &place);
    }

    fn close_head(&mut self, offset: usize) {
        // `head` can only be at the bottom of the stack; above it may be a script or a template.
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
                // A new row ends both the cell and the row before it, so keep searching upwards.
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
        // A heading inside a heading ends the outer one.
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

    /// Whether this is an imprint that stays hidden until something on the page opens it: its id stands elsewhere, too.
    fn opens_on_demand(&mut self, element: &Element<'_>) -> bool {
        let id = element.attribute("id").map(str::trim).unwrap_or_default();
        if self.imprints >= MAX_IMPRINTS || !names_imprint(id) {
            return false;
        }
        self.imprints += 1;
        ["'", "\""].into_iter().any(|mark| {
            let targets = format!("{mark}#{id}{mark}");
            let named = format!("{mark}{id}{mark}");
            self.html.contains(&targets)
                || (self.html.match_indices(&named))
                    .any(|(at, _)| opens_what_follows(self.html, at))
        })
    }

    /// Whether a header is that of a section, with its title, and not the page's own: that comes first.
    fn heads_section(&self) -> bool {
        self.headers > 0 && self.open.iter().any(|open| open.name == "section")
    }

    fn place_inside(&mut self, element: &Element<'_>) -> Place {
        let outer = self.place();
        let name = element.name;
        let encloses_page = matches!(name, "html" | "body");
        let concealed_here = !encloses_page
            && (shows_nothing(name)
                || (element.attribute("hidden").is_some()
                    || (name == "dialog" && element.attribute("open").is_none())
                    || element.attribute("style").is_some_and(style_hides))
                    && (outer.hidden || !self.opens_on_demand(element)));
        let hidden_here = concealed_here
            || (!encloses_page
                && (is_unseen(name)
                    || element
                        .attribute("aria-hidden")
                        .is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))));
        let heads_section = name == "header" && self.heads_section();
        self.headers += usize::from(name == "header");
        Place {
            hidden: outer.hidden || hidden_here,
            concealed: outer.concealed || concealed_here,
            offset: outer.offset,
            in_header: outer.in_header
                || (!encloses_page && !heads_section && is_header(element, outer.region)),
            in_link: outer.in_link || (name == "a" && element.attribute("href").is_some()),
            preformatted: outer.preformatted || name == "pre",
            region: if encloses_page || heads_section {
                outer.region
            } else {
                region_inside(element, outer.region)
            },
        }
    }
}

/// Whether an id that stands quoted at a place is what something opens: what a function is given, or the value of an attribute
/// but those by which the element itself is named.
fn opens_what_follows(html: &str, at: usize) -> bool {
    let before = html.get(..at).unwrap_or_default().trim_end();
    let Some(attribute) = before.strip_suffix('=') else {
        return before.ends_with('(');
    };
    let attribute = attribute.trim_end();
    let name = attribute
        .rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '-')
        .next();
    let is_name = |own: &&str| name.is_some_and(|name| name.eq_ignore_ascii_case(own));
    name.is_some_and(|name| !name.is_empty()) && !["id", "class", "name"].iter().any(is_name)
}

/// Whether an id names an imprint: `impressum`, `modal-imprint`, `mentions-legales`.
fn names_imprint(id: &str) -> bool {
    let folded = id.to_ascii_lowercase();
    let mut words = folded.split(|c: char| !c.is_ascii_alphanumeric());
    let joined: String = folded.chars().filter(char::is_ascii_alphanumeric).collect();
    words.any(|word| IMPRINTS.contains(word)) || IMPRINTS.contains(&joined)
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

/// Whether this is the page's header or navigation bar; the header of an article is neither.
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
                    .any(|word| HEADERS.contains(word))
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
        // The header of an article is part of the article; the page's own header is not content.
        "header" | "footer" if outer == Region::Neutral => Region::Boilerplate,
        _ if names_furniture(element) => Region::Boilerplate,
        _ => outer,
    }
}

/// Consent banners and breadcrumbs have no element of their own, but authors give them similar names.
fn names_furniture(element: &Element<'_>) -> bool {
    ["id", "class"].into_iter().any(|attribute| {
        element.attribute(attribute).is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            value
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| FURNITURE.contains(word))
        })
    })
}
