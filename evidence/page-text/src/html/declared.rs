//! What a page declares about itself besides its visible text.

use serde::de::IgnoredAny;

use super::head::is_json_ld;
use super::references::resolved;
use super::scan::{Element, Place, Visitor};
use crate::{json, normalize};

/// The meaning of the text inside the open element.
#[derive(Default, PartialEq)]
enum Capture {
    #[default]
    Nothing,
    Title,
    JsonLd,
}

/// Collects titles, descriptions, values of structured data and names of pictures during a scan of the page:
/// in document order and normal form, without empty ones.
#[derive(Default)]
pub(super) struct Declared {
    pub(super) found: Vec<String>,
    capture: Capture,
    captured: String,
}

impl Visitor for Declared {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        match element.name {
            // Structured data and `meta` are never shown, so they count wherever they occur.
            _ if is_json_ld(element) => self.capture = Capture::JsonLd,
            "meta" if is_declaration(element) => self.add(element.attribute("content")),
            _ if place.concealed => {}
            // The title of the page or of a drawing.
            "title" => self.capture = Capture::Title,
            "img" | "svg" | "image" => self.names(element),
            "input"
                if element
                    .attribute("type")
                    .is_some_and(|t| t.trim().eq_ignore_ascii_case("image")) =>
            {
                self.names(element);
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str, _place: &Place) {
        if !matches!(name, "title" | "script") {
            return;
        }
        let text = std::mem::take(&mut self.captured);
        match std::mem::take(&mut self.capture) {
            Capture::Nothing => {}
            Capture::Title => self.add(Some(&text)),
            Capture::JsonLd => {
                // Broken data cannot be trusted.
                if serde_json::from_str::<IgnoredAny>(text.trim()).is_ok() {
                    let values = json::blocks(&text)
                        .into_iter()
                        .map(|block| normalize(&resolved(&block.text)));
                    self.found.extend(values);
                }
            }
        }
    }

    fn text(&mut self, text: &str, _place: &Place) {
        if self.capture != Capture::Nothing {
            self.captured.push_str(text);
        }
    }
}

impl Declared {
    fn names(&mut self, element: &Element<'_>) {
        for attribute in ["alt", "title", "aria-label"] {
            self.add(element.attribute(attribute));
        }
    }

    fn add(&mut self, text: Option<&str>) {
        let text = text.map(normalize).unwrap_or_default();
        if !text.is_empty() {
            self.found.push(text);
        }
    }
}

/// Whether a `meta` element describes the page or, as microdata, an item.
fn is_declaration(element: &Element<'_>) -> bool {
    if element.attribute("itemprop").is_some() {
        return true;
    }
    ["property", "name"].into_iter().any(|attribute| {
        let name = element.attribute(attribute).unwrap_or_default();
        let name = name.trim().to_ascii_lowercase();
        matches!(
            name.as_str(),
            "description" | "application-name" | "author" | "theme-color"
        ) || name.starts_with("og:")
            || name.starts_with("twitter:")
    })
}

#[cfg(test)]
mod tests {
    use super::super::read;

    fn declared(html: &str) -> Vec<String> {
        read(html).1
    }

    #[test]
    fn declarations_come_in_document_order() {
        let html = "<html><head><title> A &amp;  B </title><meta name=Description content=' Says  it '>\
            <meta name=viewport content=no><meta property='og:site_name' content=X><meta name=theme-color content='#0A5C36'>\
            <script type='application/ld+json'>{\"name\": \"N\\u00fcrn\", \"n\": [18000, true], \"a\": \"B &amp; C\"}</script>\
            <script type='application/ld+json'>{broken \"no\"</script><script>\"no\"</script></head>\
            <body><img alt='Logo of B' title=T><svg aria-label=Mark><title>Drawn</title><text>no</text></svg>\
            <div itemscope><meta itemprop=vatID content='DE1'></div><p>visible";
        assert_eq!(
            declared(html),
            [
                "A & B",
                "Says it",
                "X",
                "#0A5C36",
                "Nürn",
                "18000",
                "B & C",
                "Logo of B",
                "T",
                "Mark",
                "Drawn",
                "DE1"
            ]
        );
    }

    #[test]
    fn what_is_not_shown_declares_nothing() {
        let html = "<div hidden><img alt=no><svg><title>no</title></svg></div><template><img alt=no></template>\
            <noscript><img alt=no></noscript><div style='display:none'><script type='application/ld+json'>[1]</script></div>\
            <img alt=yes aria-hidden=true>";
        assert_eq!(declared(html), ["1", "yes"]);
    }
}
