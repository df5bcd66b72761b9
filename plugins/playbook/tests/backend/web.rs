//! A small web: each address has HTML or a failure, returned in the form of `web.fetch`.

use std::collections::BTreeMap;
use std::path::Path;

use gtm_sdk::{Failure, Value, json::json};
use scraper::{Html, Selector};
use url::Url;

/// The page reader's own rule for what is main text.
#[path = "../../../../connectors/web-fetch/src/main_text.rs"]
mod main_text;

/// Address of the sample site in these tests.
pub const SAMPLE: &str = "http://127.0.0.1:8000/";

#[derive(Clone, Default)]
pub struct Web {
    pages: BTreeMap<String, Result<String, Failure>>,
}

impl Web {
    pub fn new() -> Self {
        Self::default()
    }

    /// The site of the sample company, which the repository contains.
    pub fn sample() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/company-site");
        let mut web = Self::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if name.ends_with(".html") {
                let html = std::fs::read_to_string(&path).unwrap();
                if name == "index.html" {
                    web = web.page(SAMPLE, &html);
                }
                web = web.page(&format!("{SAMPLE}{name}"), &html);
            }
        }
        web
    }

    pub fn page(mut self, url: &str, html: &str) -> Self {
        self.pages.insert(url.to_owned(), Ok(html.to_owned()));
        self
    }

    /// Adds a page with this text in `main`.
    pub fn text(self, url: &str, body: &str) -> Self {
        self.page(
            url,
            &format!("<html lang=en><body><main>{body}</main></body></html>"),
        )
    }

    pub fn failing(mut self, url: &str, failure: Failure) -> Self {
        self.pages.insert(url.to_owned(), Err(failure));
        self
    }

    /// The answer of `web.fetch` for an address.
    pub fn fetch(&self, input: &Value) -> Result<Value, Failure> {
        let url = input["url"].as_str().unwrap();
        match self.pages.get(url) {
            Some(Ok(html)) => Ok(read(url, html)),
            Some(Err(failure)) => Err(failure.clone()),
            None => Err(Failure::not_found("http_404", "There is no such page.")),
        }
    }

    /// The text of the page behind a receipt, as the host's evidence check sees it.
    pub fn text_of(&self, receipt_id: &str) -> String {
        let (_, html) = self
            .pages
            .iter()
            .find(|(url, _)| receipt(url) == receipt_id)
            .expect(receipt_id);
        gtm_page_text::extract(
            Some("text/html; charset=utf-8"),
            html.as_ref().unwrap().as_bytes(),
        )
        .evidence_text()
    }
}

fn receipt(url: &str) -> String {
    let letters: String = url.chars().filter(char::is_ascii_alphanumeric).collect();
    format!("rcp_{letters}")
}

fn read(url: &str, html: &str) -> Value {
    let text = gtm_page_text::extract(Some("text/html; charset=utf-8"), html.as_bytes());
    let blocks: Vec<Value> = main_text::mark(text.blocks)
        .iter()
        .map(|(block, main)| {
            json!({"kind": block.kind.as_str(), "level": block.level, "text": block.text, "main": main,
                    "title": block.title, "form": block.form})
        })
        .collect();
    let document = Html::parse_document(html);
    let all = |selector: &str| Selector::parse(selector).unwrap();
    let base = Url::parse(url).unwrap();
    let navigation = all("nav a");
    let in_navigation: Vec<_> = document.select(&navigation).map(|link| link.id()).collect();
    let links: Vec<Value> = document
        .select(&all("a[href]"))
        .map(|link| {
            let target = base.join(link.attr("href").unwrap()).unwrap();
            let text: String = link.text().collect();
            json!({"url": target.as_str(), "text": text.trim(), "rel": null, "internal": target.host() == base.host(),
                "navigation": in_navigation.contains(&link.id())})
        })
        .collect();
    let json_ld: Vec<Value> = document
        .select(&all("script[type='application/ld+json']"))
        .filter_map(|script| {
            gtm_sdk::json::read::<String>(Value::from(script.text().collect::<String>())).ok()
        })
        .filter_map(|text| text.parse().ok())
        .collect();
    let first = |selector: &str| document.select(&all(selector)).next();
    json!({
        "url": url, "final_url": url, "status": 200, "receipt_id": receipt(url), "content_type": "text/html", "charset": "UTF-8",
        "bytes": html.len(), "truncated": false,
        "title": first("title").map(|title| title.text().collect::<String>()),
        "description": null,
        "language": first("html").and_then(|html| html.attr("lang").map(str::to_owned)),
        "site_name": first("meta[property='og:site_name']").and_then(|meta| meta.attr("content").map(str::to_owned)),
        "published_at": null, "blocks": blocks, "links": links, "metadata": {}, "json_ld": json_ld,
        "robots": {"checked": true, "allowed": true}, "signals": null, "image": null
    })
}
