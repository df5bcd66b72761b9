//! Microdata (WHATWG HTML, chapter 5), without `itemref`.

use std::collections::BTreeMap;

use gtm_page_text::html::{Element, resolve};
use gtm_page_text::normalize;
use url::Url;

use super::{Item, PropertyValue};

const MAX_ITEMS: usize = 100;
const MAX_PROPERTIES: usize = 60;
const MAX_VALUES: usize = 20;
const MAX_NAMES: usize = 4;
const MAX_OPEN: usize = 32;
const MAX_CHARS: usize = 1000;
/// Most bytes of text collected for one value.
const MAX_BYTES: usize = 20_000;

/// An open element that is an item, a property or both.
struct Open {
    depth: usize,
    /// Properties of the enclosing item for which it is a value.
    names: Vec<String>,
    /// The item that starts here.
    item: Option<Scope>,
    /// The value, if an attribute gives it; otherwise the text inside counts.
    value: Option<String>,
    text: String,
}

#[derive(Default)]
struct Scope {
    types: Vec<String>,
    properties: BTreeMap<String, Vec<PropertyValue>>,
}

/// Collects a page's items during a scan.
#[derive(Default)]
pub(super) struct Microdata {
    items: Vec<Item>,
    open: Vec<Open>,
}

impl Microdata {
    /// Handles a start tag; `depth` counts the open elements, including this one if it has an end.
    pub(super) fn start(&mut self, element: &Element<'_>, depth: usize, base: &Url) {
        let is_item = element.attribute("itemscope").is_some();
        let names: Vec<String> = element
            .attribute("itemprop")
            .unwrap_or_default()
            .split_ascii_whitespace()
            .take(MAX_NAMES)
            .map(|name| name.chars().take(100).collect())
            .collect();
        let in_item = self.open.iter().any(|open| open.item.is_some());
        if !is_item && (names.is_empty() || !in_item) {
            return;
        }
        if self.open.len() >= MAX_OPEN {
            return;
        }
        let open = Open {
            depth,
            names,
            item: is_item.then(|| Scope {
                types: element
                    .attribute("itemtype")
                    .unwrap_or_default()
                    .split_ascii_whitespace()
                    .take(MAX_NAMES)
                    .map(|kind| kind.chars().take(200).collect())
                    .collect(),
                properties: BTreeMap::new(),
            }),
            value: if is_item { None } else { value(element, base) },
            text: String::new(),
        };
        if element.has_end {
            self.open.push(open);
        } else {
            self.close(open);
        }
    }

    /// Handles text that is shown.
    pub(super) fn text(&mut self, text: &str) {
        for open in &mut self.open {
            if open.value.is_none() && open.text.len() + text.len() <= MAX_BYTES {
                open.text.push_str(text);
            }
        }
    }

    /// Handles the end of the element at `depth`.
    pub(super) fn end(&mut self, depth: usize) {
        // An element separates words even if it contains no text.
        for open in &mut self.open {
            if open.value.is_none() && open.text.len() < MAX_BYTES {
                open.text.push(' ');
            }
        }
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            if let Some(open) = self.open.pop() {
                self.close(open);
            }
        }
    }

    /// Returns the items, closing those that the page left open.
    pub(super) fn finish(mut self) -> Vec<Item> {
        while let Some(open) = self.open.pop() {
            self.close(open);
        }
        self.items
    }

    fn close(&mut self, open: Open) {
        let text = open.value.unwrap_or_else(|| open.text.clone());
        let text: String = normalize(&text).chars().take(MAX_CHARS).collect();
        let mut value = PropertyValue {
            text,
            ..PropertyValue::default()
        };
        let outer = self
            .open
            .iter_mut()
            .rev()
            .find_map(|open| open.item.as_mut());
        let item = match (open.item, outer) {
            (Some(item), Some(outer)) if !open.names.is_empty() => {
                value.types = item.types;
                value.properties = item
                    .properties
                    .into_iter()
                    .map(|(name, values)| {
                        (name, values.into_iter().map(|value| value.text).collect())
                    })
                    .collect();
                add(outer, &open.names, &value);
                return;
            }
            (None, Some(outer)) => {
                if !value.text.is_empty() {
                    add(outer, &open.names, &value);
                }
                return;
            }
            (Some(item), _) => item,
            (None, None) => return,
        };
        if self.items.len() < MAX_ITEMS && !item.properties.is_empty() {
            self.items.push(Item {
                types: item.types,
                properties: item.properties,
            });
        }
    }
}

fn add(item: &mut Scope, names: &[String], value: &PropertyValue) {
    for name in names {
        if item.properties.len() >= MAX_PROPERTIES && !item.properties.contains_key(name) {
            continue;
        }
        let values = item.properties.entry(name.clone()).or_default();
        if values.len() < MAX_VALUES {
            values.push(value.clone());
        }
    }
}

/// The value that an element's attributes give (5.2.4); `None` if its text gives it.
fn value(element: &Element<'_>, base: &Url) -> Option<String> {
    // Authors put `content` on any element, and consumers of schema.org data accept it.
    if let Some(content) = element.attribute("content") {
        return Some(content.to_owned());
    }
    let url = |name: &str| {
        element.attribute(name).map(|address| {
            resolve(base, address).map_or_else(|| address.to_owned(), |url| url.into())
        })
    };
    let text = |name: &str| element.attribute(name).map(str::to_owned);
    match element.name {
        "meta" => Some(String::new()),
        "a" | "area" | "link" => url("href"),
        "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => {
            Some(url("src").unwrap_or_default())
        }
        "object" => url("data"),
        "data" | "meter" => text("value"),
        "time" => text("datetime"),
        _ => None,
    }
}
