//! A small web: each address has bytes or a failure, returned in the form of `web.fetch`.

use std::collections::BTreeMap;

use gtm_sdk::{Failure, Value, json::json};
use gtm_site_signals::css::Sheet;
use gtm_site_signals::markup::Markup;
use scraper::{ElementRef, Html, Selector};
use url::Url;

/// The page reader's own rule for what is main text.
#[path = "../../../../connectors/web-fetch/src/main_text.rs"]
mod main_text;

#[derive(Clone)]
struct Stored {
    content_type: &'static str,
    bytes: Vec<u8>,
    /// The address that a redirect leads to.
    final_url: String,
}

#[derive(Clone, Default)]
pub struct Web {
    answers: BTreeMap<String, Result<Stored, Failure>>,
}

impl Web {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn page(self, url: &str, html: &str) -> Self {
        self.file(url, "text/html; charset=utf-8", html.as_bytes())
    }

    /// Adds a page with this text in `main`.
    pub fn text(self, url: &str, body: &str) -> Self {
        self.page(
            url,
            &format!("<html lang=en><body><main>{body}</main></body></html>"),
        )
    }

    pub fn file(mut self, url: &str, content_type: &'static str, bytes: &[u8]) -> Self {
        let stored = Stored {
            content_type,
            bytes: bytes.to_vec(),
            final_url: url.to_owned(),
        };
        self.answers.insert(url.to_owned(), Ok(stored));
        self
    }

    /// Makes `url` redirect to the page of `target`.
    pub fn redirect(mut self, url: &str, target: &str) -> Self {
        let stored = self.answers.get(target).unwrap().clone();
        self.answers.insert(url.to_owned(), stored);
        self
    }

    pub fn failing(mut self, url: &str, failure: Failure) -> Self {
        self.answers.insert(url.to_owned(), Err(failure));
        self
    }

    /// The answer of `web.fetch` for an address.
    pub fn fetch(&self, input: &Value) -> Result<Value, Failure> {
        let url = input["url"].as_str().unwrap();
        match self.answers.get(url) {
            Some(Ok(stored)) => self.answer(url, stored, input),
            Some(Err(failure)) => Err(failure.clone()),
            None => Err(Failure::not_found("http_404", "There is no such page.")),
        }
    }

    /// The text in which the host searches for the excerpts of a receipt.
    pub fn evidence_of(&self, receipt_id: &str) -> String {
        let stored = self
            .answers
            .iter()
            .filter(|(url, _)| receipt(url) == receipt_id)
            .find_map(|(_, stored)| stored.as_ref().ok())
            .unwrap_or_else(|| panic!("no receipt {receipt_id}"));
        gtm_page_text::extract(Some(stored.content_type), &stored.bytes).evidence_text()
    }

    fn answer(&self, url: &str, stored: &Stored, input: &Value) -> Result<Value, Failure> {
        let wants_image = input["accept"] == "image";
        if wants_image {
            let image = gtm_site_signals::image::read(&stored.bytes);
            let image =
                image.ok_or_else(|| Failure::upstream("unsupported_media", "No picture."))?;
            return Ok(self.shell(url, stored, json!({"image": image})));
        }
        if stored.content_type.starts_with("image/") {
            return Err(Failure::upstream("unsupported_media", "A picture."));
        }
        let text = gtm_page_text::extract(Some(stored.content_type), &stored.bytes);
        let blocks: Vec<Value> = main_text::mark(text.blocks)
            .iter()
            .map(|(block, main)| {
                json!({"kind": block.kind.as_str(), "level": block.level, "text": block.text, "main": main,
                    "title": block.title, "form": block.form})
            })
            .collect();
        let mut answer = self.shell(url, stored, json!({"blocks": blocks}));
        if stored.content_type.starts_with("text/html") {
            add_markup(&mut answer, stored);
        }
        if input["signals"] == true {
            answer["signals"] = self.signals(stored);
        }
        Ok(answer)
    }

    fn shell(&self, url: &str, stored: &Stored, with: Value) -> Value {
        let mut answer = json!({
            "url": url, "final_url": stored.final_url, "status": 200, "receipt_id": receipt(url),
            "content_type": stored.content_type.split(';').next(), "charset": "UTF-8", "bytes": stored.bytes.len(), "truncated": false,
            "title": null, "description": null, "language": null, "site_name": null, "published_at": null, "blocks": [], "links": [],
            "metadata": {}, "json_ld": [], "robots": {"checked": true, "allowed": true}, "signals": null, "image": null,
        });
        for (name, value) in with.as_object().unwrap() {
            answer[name] = value.clone();
        }
        answer
    }

    fn signals(&self, stored: &Stored) -> Value {
        let base = Url::parse(&stored.final_url).unwrap();
        let markup = Markup::read(Some(stored.content_type), &stored.bytes, &base);
        let mut sheets = vec![
            json!({"url": null, "receipt_id": null, "sheet": Sheet::read(&markup.inline_css)}),
        ];
        let mut forbidden = Vec::new();
        for address in &markup.stylesheets {
            if matches!(self.answers.get(address), Some(Err(failure)) if failure.code == "robots_disallowed")
            {
                forbidden.push(address);
            }
            if let Some(Ok(sheet)) = self.answers.get(address) {
                let css = String::from_utf8_lossy(&sheet.bytes);
                sheets.push(json!({"url": address, "receipt_id": receipt(address), "sheet": Sheet::read(&css)}));
            }
        }
        json!({"markup": markup, "sheets": sheets, "forbidden_sheets": forbidden})
    }
}

/// A home page with these links, this main content and footer.
pub fn home(language: &str, links: &[(&str, &str)], main: &str, footer: &str) -> Web {
    let links: String = links
        .iter()
        .map(|(path, text)| format!("<a href={path}>{text}</a>"))
        .collect();
    Web::new().page(
        "https://acme.example/",
        &format!("<html lang={language}><head><title>Acme</title></head><body><nav>{links}</nav><main>{main}</main><footer>{footer}</footer></body></html>"),
    )
}

/// The receipt id of an address.
pub fn receipt(url: &str) -> String {
    let letters: String = url
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    format!("rcp_{letters}")
}

/// The first text of the item of a list in whose inner list a link stands.
fn entry_above(link: ElementRef<'_>) -> Option<String> {
    let outer = link
        .ancestors()
        .filter_map(ElementRef::wrap)
        .filter(|element| element.value().name() == "li")
        .nth(1)?;
    outer
        .text()
        .find(|text| !text.trim().is_empty())
        .map(str::to_owned)
}

fn add_markup(answer: &mut Value, stored: &Stored) {
    let html = String::from_utf8_lossy(&stored.bytes).into_owned();
    let document = Html::parse_document(&html);
    let all = |selector: &str| Selector::parse(selector).unwrap();
    let base = Url::parse(&stored.final_url).unwrap();
    let aside = all("nav a, header a, footer a");
    let in_navigation: Vec<_> = document.select(&aside).map(|link| link.id()).collect();
    let mut links: Vec<Value> = Vec::new();
    let mut actions: Vec<Value> = Vec::new();
    for link in document.select(&all("a[href]")) {
        let Ok(mut target) = base.join(link.attr("href").unwrap()) else {
            continue;
        };
        let text: String = link.text().collect();
        let (text, navigation) = (text.trim(), in_navigation.contains(&link.id()));
        let part = target.fragment().map(str::to_owned);
        target.set_fragment(None);
        let opens = match target.scheme() {
            "mailto" => "letter",
            "tel" => "telephone",
            _ if part.is_some() && target == base => "part",
            _ => {
                links.push(
                    json!({"url": target.as_str(), "text": text, "rel": link.attr("rel"),
                    "internal": target.host() == base.host(), "navigation": navigation,
                    "button": link.attr("class").is_some_and(|class| class.contains("btn")),
                    "under": entry_above(link)}),
                );
                continue;
            }
        };
        actions.push(json!({"opens": opens, "part": part, "text": text, "navigation": navigation}));
    }
    let json_ld: Vec<Value> = document
        .select(&all("script[type='application/ld+json']"))
        .filter_map(|script| script.text().collect::<String>().parse().ok())
        .collect();
    let mut metadata = json!({});
    for meta in document.select(&all("meta[content]")) {
        if let Some(name) = meta.attr("property").or(meta.attr("name")) {
            metadata[name.to_lowercase()] = json!(meta.attr("content"));
        }
    }
    let first = |selector: &str| document.select(&all(selector)).next();
    answer["title"] = json!(first("title").map(|title| title.text().collect::<String>()));
    answer["language"] = json!(first("html").and_then(|html| html.attr("lang")));
    answer["site_name"] = metadata["og:site_name"].clone();
    answer["description"] = metadata["description"].clone();
    answer["links"] = json!(links);
    answer["actions"] = json!(actions);
    answer["json_ld"] = json!(json_ld);
    answer["metadata"] = metadata;
}
