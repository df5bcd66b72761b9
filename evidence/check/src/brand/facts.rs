//! What a stored page declares about itself: its links, its languages, its structured data.

use std::collections::BTreeSet;

use gtm_domain::domain_name::registrable_domain;
use gtm_lexicon::locale_of_link;
use gtm_page_text::html::{Element, PageHead, Place, Visitor, language_of, scan};
use gtm_page_text::{Media, bare_host, canonical_tag, classify, decode};
use serde_json::Value;
use url::Url;

use crate::library::Stored;

/// Most links kept per page.
const MAX_LINKS: usize = 5000;
/// Most bytes of a link's text that are looked at: the name of a language is shorter.
const MAX_TOLD: usize = 100;
/// How deep structured data is searched.
const MAX_DEPTH: usize = 16;
/// Most languages kept per page.
const MAX_LANGUAGES: usize = 1000;
/// Most values of structured data that are kept of all pages of a job. A value takes many times the memory of
/// its text.
pub const MAX_DATA_VALUES: usize = 300_000;
/// Largest data document in which addresses are looked for, in bytes.
const MAX_DOCUMENT_BYTES: usize = 1_000_000;

/// What a page declares. For a JSON document, only its addresses are read; for anything else, nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageFacts {
    /// Targets of its links and of its `sameAs` members, in the form of [`link_form`].
    pub links: BTreeSet<String>,
    /// Languages that it declares for itself or for its other versions, as canonical tags.
    pub languages: BTreeSet<String>,
    /// Its valid blocks of structured data, as far as there was room for them.
    pub json_ld: Vec<Value>,
}

impl PageFacts {
    /// Reads a stored answer. `room` is how many values of structured data may still be kept.
    #[must_use]
    pub fn read(stored: &Stored, room: &mut usize) -> Self {
        let content_type = stored.receipt.content_type.as_deref();
        let Ok(base) = Url::parse(&stored.receipt.final_url) else {
            return Self::default();
        };
        let media = classify(content_type, stored.readable());
        let decoded = decode(content_type, media, stored.readable());
        let mut reader = Reader {
            facts: Self::default(),
            head: PageHead::at(&base),
            open: None,
            host: base.host_str().map(|host| bare_host(host).to_owned()),
            room,
        };
        match media {
            Media::Html => scan(&decoded.text, &mut reader),
            Media::Json if decoded.text.len() <= MAX_DOCUMENT_BYTES => {
                if let Ok(document) = serde_json::from_str(&decoded.text) {
                    reader.addresses(&document, 0);
                }
            }
            Media::Json | Media::Xml | Media::Text | Media::Binary => {}
        }
        reader.facts
    }
}

struct Reader<'r> {
    facts: PageFacts,
    head: PageHead,
    /// Path and text of the link that is open, if it leads to the page's own host.
    open: Option<(String, String)>,
    host: Option<String>,
    room: &'r mut usize,
}

impl Visitor for Reader<'_> {
    fn start(&mut self, element: &Element<'_>, place: &Place) {
        self.head.start(element);
        let is_link = matches!(element.name, "a" | "area");
        if is_link && place.hidden {
            return;
        }
        if self.facts.languages.len() < MAX_LANGUAGES
            && let Some(tag) = language_of(element).and_then(canonical_tag)
        {
            self.facts.languages.insert(tag);
        }
        if is_link {
            let href = element.attribute("href").unwrap_or_default();
            self.link(href);
            let url = self.head.join(href);
            let url = url.filter(|url| url.host_str().map(bare_host) == self.host.as_deref());
            self.open = url.map(|url| (url.path().to_owned(), String::new()));
        }
    }

    fn end(&mut self, name: &str, _place: &Place) {
        if name == "a"
            && let Some((path, text)) = self.open.take()
            && let Some(tag) = locale_of_link(&path, &text)
            && self.facts.languages.len() < MAX_LANGUAGES
        {
            self.facts.languages.insert(tag.to_owned());
        }
        let Some(data) = self.head.end(name) else {
            return;
        };
        let mut found = Vec::new();
        same_as(&data, 0, &mut found);
        found.iter().for_each(|url| self.link(url));
        let Some(room) = self.room.checked_sub(values(&data)) else {
            return;
        };
        *self.room = room;
        match data {
            Value::Array(items) => self.facts.json_ld.extend(items),
            data => self.facts.json_ld.push(data),
        }
    }

    fn text(&mut self, text: &str, _place: &Place) {
        self.head.text(text);
        if let Some((_, told)) = self.open.as_mut().filter(|(_, told)| told.len() < MAX_TOLD) {
            told.push_str(text);
        }
    }
}

impl Reader<'_> {
    /// In a data document, a text that is a web address and nothing else counts as a link.
    fn addresses(&mut self, value: &Value, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match value {
            Value::String(text) => {
                if let Some(url) = address(text.trim()) {
                    self.link(url.as_str());
                }
            }
            Value::Array(items) => items
                .iter()
                .for_each(|item| self.addresses(item, depth + 1)),
            Value::Object(members) => {
                members
                    .values()
                    .for_each(|member| self.addresses(member, depth + 1));
            }
            _ => {}
        }
    }

    fn link(&mut self, href: &str) {
        if self.facts.links.len() < MAX_LINKS
            && let Some(url) = self.head.join(href)
        {
            self.facts.links.insert(link_form(&url));
        }
    }
}

/// Parses a text that is a web address and nothing else. Data providers also omit the scheme
/// (`linkedin.com/company/acme`); without one, a registered domain and a path are required, or every "and/or"
/// would count as an address.
fn address(text: &str) -> Option<Url> {
    if let Ok(url) = Url::parse(text) {
        return Some(url);
    }
    let (host, path) = text.split_once('/')?;
    if path.is_empty() || text.contains(|c: char| c.is_whitespace() || c == '@') {
        return None;
    }
    let url = Url::parse(&format!("https://{text}")).ok()?;
    let is_registered = host.contains('.') && registrable_domain(url.domain()?).is_some();
    is_registered.then_some(url)
}

/// How many values there are, at any depth.
fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    }
}

/// The texts of every `sameAs` member.
fn same_as<'v>(value: &'v Value, depth: usize, found: &mut Vec<&'v str>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| same_as(item, depth + 1, found)),
        Value::Object(members) => {
            for (key, member) in members {
                match member {
                    Value::String(url) if key == "sameAs" => found.push(url),
                    Value::Array(urls) if key == "sameAs" => {
                        found.extend(urls.iter().filter_map(Value::as_str));
                    }
                    member => same_as(member, depth + 1, found),
                }
            }
        }
        _ => {}
    }
}

/// One form for all spellings of a page's address: without scheme, `www.`, fragment and trailing slash.
#[must_use]
pub fn link_form(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    let query = url
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    format!(
        "{}{port}{}{query}",
        bare_host(host),
        url.path().trim_end_matches('/')
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::brand::tests::{page, stored};

    #[test]
    fn links_languages_and_structured_data() {
        let stored = page(
            1,
            "https://acme.example/de/",
            r#"<html lang="de_de"><head><base href="https://www.acme.example/x/"><link rel="alternate" hreflang="en-gb" href="/en">
            <link rel="alternate" hreflang="x-default" href="/"><meta property="og:locale" content="fr_FR">
            <script type="application/ld+json">{"@graph": [{"@type": "Organization", "sameAs": ["https://www.linkedin.com/company/acme/"]}]}</script>
            <script type="application/ld+json">{broken</script><script>var a = "https://evil.example/";</script></head>
            <body><a href="/it/"> Italiano </a><a href="/nl/">About</a><a href="team#x">Team</a><a hidden href="https://hidden.example/">x</a><a href="mailto:a@b.example">m</a></body>"#,
        );
        let facts = PageFacts::read(&stored, &mut { MAX_DATA_VALUES });
        assert_eq!(
            facts.links.iter().map(String::as_str).collect::<Vec<_>>(),
            [
                "acme.example/it",
                "acme.example/nl",
                "acme.example/x/team",
                "linkedin.com/company/acme"
            ]
        );
        assert_eq!(
            facts
                .languages
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>(),
            ["de-DE", "en-GB", "fr-FR", "it"]
        );
        assert_eq!(facts.json_ld.len(), 1);
    }

    #[test]
    fn addresses_of_data_documents() {
        let body = br#"{"profiles": [{"url": "https://x.com/acme"}, "linkedin.com/company/acme", "www.facebook.com/acme/"],
            "name": "see https://evil.example/", "also": ["and/or", "n.a./unknown reasons", "1.5/2", "acme.example", "//evil.example/a",
            "user@evil.example/a", "/evil.example/a", "v1.2/notes", "com/acme", "see evil.example/a"]}"#;
        let stored = stored(1, "https://data.example/acme", "application/json", body);
        let facts = PageFacts::read(&stored, &mut { MAX_DATA_VALUES });
        assert_eq!(
            facts.links.into_iter().collect::<Vec<_>>(),
            [
                "facebook.com/acme",
                "linkedin.com/company/acme",
                "x.com/acme"
            ]
        );
    }

    #[test]
    fn structured_data_is_kept_as_far_as_there_is_room() {
        let data = format!("[{}1]", "1,".repeat(59));
        let script = format!("<script type=application/ld+json>{data}</script>");
        let stored = page(1, "https://acme.example/", &script.repeat(3));
        let mut room = 130;
        let facts = PageFacts::read(&stored, &mut room);
        assert_eq!((facts.json_ld.len(), room), (120, 130 - 2 * 61));
        assert_eq!(
            PageFacts::read(&stored, &mut room).json_ld,
            [] as [Value; 0]
        );
    }
}
