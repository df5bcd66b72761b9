//! What the head of a page declares for machines: the base address of its links, its language, its structured
//! data.
//!
//! Every scanner of a page passes what it sees to a [`PageHead`], so that all readers resolve links alike and
//! accept the same blocks as structured data.

use serde_json::Value;
use url::Url;

use super::references::resolve_in;
use super::scan::Element;

/// Longest block of structured data that is read, in bytes.
const MAX_JSON_LD_BYTES: usize = 200_000;

/// Longest address that is accepted, in bytes.
const MAX_URL_BYTES: usize = 2048;

/// The declarations found so far. A visitor passes on its start tags, ends and texts.
#[derive(Debug)]
pub struct PageHead {
    base: Url,
    base_is_set: bool,
    language: Option<String>,
    /// The text of an open block of structured data.
    json_ld: Option<String>,
}

impl PageHead {
    /// The head of the page at this address.
    #[must_use]
    pub fn at(url: &Url) -> Self {
        Self {
            base: url.clone(),
            base_is_set: false,
            language: None,
            json_ld: None,
        }
    }

    /// Handles a start tag.
    pub fn start(&mut self, element: &Element<'_>) {
        match element.name {
            "html" if self.language.is_none() => {
                self.language = language_of(element).map(str::to_owned);
            }
            "base" if !self.base_is_set => {
                if let Some(base) = element.attribute("href").and_then(|href| self.join(href)) {
                    self.base = base;
                    self.base_is_set = true;
                }
            }
            "script" => self.json_ld = is_json_ld(element).then(String::new),
            _ => {}
        }
    }

    /// Handles text; returns whether it belongs to structured data.
    pub fn text(&mut self, text: &str) -> bool {
        let Some(script) = &mut self.json_ld else {
            return false;
        };
        // Stop only once the limit is exceeded, so that the end can tell that there was too much.
        if script.len() <= MAX_JSON_LD_BYTES {
            script.push_str(text);
        }
        true
    }

    /// Handles the end of an element. Returns the block of structured data that ends there, if it is valid.
    pub fn end(&mut self, name: &str) -> Option<Value> {
        let text = (name == "script").then(|| self.json_ld.take()).flatten()?;
        let fits = text.len() <= MAX_JSON_LD_BYTES;
        let mut data: Value = fits
            .then(|| serde_json::from_str(text.trim()).ok())
            .flatten()?;
        resolve_in(&mut data);
        Some(data)
    }

    /// Resolves an address as this page means it, if it is on the web.
    #[must_use]
    pub fn join(&self, href: &str) -> Option<Url> {
        let url = self.base.join(href.trim()).ok()?;
        matches!(url.scheme(), "http" | "https").then_some(url)
    }

    /// The base of relative addresses.
    #[must_use]
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// The language that the root element declares, as written.
    #[must_use]
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

/// Resolves an address that can be requested: on the web, short, without user information. Drops the
/// fragment, which is never sent.
#[must_use]
pub fn resolve(base: &Url, href: &str) -> Option<Url> {
    let mut url = base.join(href.trim()).ok()?;
    url.set_fragment(None);
    let fits = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.as_str().len() <= MAX_URL_BYTES;
    fits.then_some(url)
}

/// The language that an element declares for the page or for its link target, as written.
#[must_use]
pub fn language_of<'a>(element: &Element<'a>) -> Option<&'a str> {
    match element.name {
        "html" => element
            .attribute("lang")
            .or_else(|| element.attribute("xml:lang")),
        "link" | "a" | "area" => element.attribute("hreflang"),
        "meta" => {
            let name = ["property", "name", "http-equiv"]
                .into_iter()
                .find_map(|attribute| element.attribute(attribute))?;
            let names_one = matches!(
                name.trim().to_ascii_lowercase().as_str(),
                "og:locale" | "og:locale:alternate" | "content-language"
            );
            names_one.then(|| element.attribute("content")).flatten()
        }
        _ => None,
    }
}

/// Whether an element holds structured data.
pub(super) fn is_json_ld(element: &Element<'_>) -> bool {
    let kind = element.attribute("type").unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default();
    element.name == "script" && essence.trim().eq_ignore_ascii_case("application/ld+json")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Place, Visitor, scan};
    use super::*;

    struct Reader {
        head: PageHead,
        languages: Vec<String>,
        data: Vec<Value>,
        links: Vec<String>,
    }

    impl Visitor for Reader {
        fn start(&mut self, element: &Element<'_>, _place: &Place) {
            self.head.start(element);
            self.languages
                .extend(language_of(element).map(str::to_owned));
            if element.name == "a" {
                let href = element
                    .attribute("href")
                    .and_then(|href| self.head.join(href));
                self.links.extend(href.map(String::from));
            }
        }

        fn end(&mut self, name: &str, _place: &Place) {
            self.data.extend(self.head.end(name));
        }

        fn text(&mut self, text: &str, _place: &Place) {
            self.head.text(text);
        }
    }

    fn read(html: &str) -> Reader {
        let mut reader = Reader {
            head: PageHead::at(&Url::parse("https://x.example/a/b").unwrap()),
            languages: Vec::new(),
            data: Vec::new(),
            links: Vec::new(),
        };
        scan(html, &mut reader);
        reader
    }

    #[test]
    fn the_first_base_that_is_an_address_of_the_web_counts() {
        let page = read(
            "<base href='mailto:a@b.example'><base href=' /c/ '><base href=/d/>\
             <a href='e'><a href='javascript:f()'>",
        );
        assert_eq!(page.links, ["https://x.example/c/e"]);
        assert_eq!(page.head.base().path(), "/c/");
    }

    #[test]
    fn addresses_that_can_be_asked_for_are_resolved() {
        let base = Url::parse("https://x.example/a/b").unwrap();
        let resolved = |href: &str| resolve(&base, href).map(String::from);
        assert_eq!(resolved(" c#d ").as_deref(), Some("https://x.example/a/c"));
        let long = "c".repeat(MAX_URL_BYTES);
        for href in [
            "mailto:a@b.example",
            "//me@x.example/",
            "http://:p@x.example/",
            &long,
        ] {
            assert_eq!(resolved(href), None, "{href}");
        }
    }

    #[test]
    fn languages_are_told_as_they_stand_there() {
        let page = read(
            "<html xml:lang=de-AT><link rel=alternate hreflang=en_GB><meta property=og:locale content=fr_FR>\
             <meta http-equiv=Content-Language content=it><meta name=other content=no>",
        );
        assert_eq!(page.head.language(), Some("de-AT"));
        assert_eq!(page.languages, ["de-AT", "en_GB", "fr_FR", "it"]);
    }

    #[test]
    fn valid_blocks_of_structured_data_are_read() {
        let long = format!("\"{}\"", "x".repeat(MAX_JSON_LD_BYTES));
        let page = read(&format!(
            "<script type='Application/LD+JSON; charset=utf-8'> [1, \"B &#8211; C\"] </script><script>2</script>\
             <script type='application/ld+json'>{{broken</script>\
             <script type='application/ld+json'>{long}</script>"
        ));
        assert_eq!(page.data, [serde_json::json!([1, "B – C"])]);
    }
}
