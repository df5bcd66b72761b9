//! The styles and markup of pages, as the connector measured them.

use gtm_site_research::reading::Visited;
use gtm_site_signals::css::Sheet;
use gtm_site_signals::markup::Markup;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

/// The styles and markup of one page.
#[derive(Debug, Clone)]
pub struct Styled {
    /// Index of the page.
    pub page: usize,
    /// Receipt of the page; it also covers the page's inline styles and drawings.
    pub receipt_id: String,
    /// Address of the page.
    pub address: Url,
    /// The page's JSON-LD, with lists flattened.
    pub json_ld: Vec<Value>,
    /// The page's markup.
    pub markup: Markup,
    /// The page's stylesheets.
    pub sheets: Vec<StyledSheet>,
    /// Whether the site's robots.txt forbids to read a stylesheet of the page.
    pub forbidden: bool,
}

/// The connector's measurements of a page.
#[derive(Debug, Deserialize)]
pub struct Signals {
    /// Measured markup.
    pub markup: Markup,
    /// Measured stylesheets.
    pub sheets: Vec<StyledSheet>,
    /// Addresses of linked stylesheets that robots.txt forbids to read.
    #[serde(default)]
    pub forbidden_sheets: Vec<String>,
}

/// A stylesheet of a page.
#[derive(Debug, Clone, Deserialize)]
pub struct StyledSheet {
    /// Its address; `None` for inline styles.
    pub url: Option<String>,
    /// Its receipt; `None` for inline styles.
    pub receipt_id: Option<String>,
    /// Its measured content.
    pub sheet: Sheet,
}

impl Styled {
    /// Address, receipt and content of each linked stylesheet.
    pub fn linked(&self) -> impl Iterator<Item = (&str, &str, &Sheet)> {
        self.sheets.iter().filter_map(|linked| {
            let address = linked.url.as_deref()?;
            Some((address, linked.receipt_id.as_deref()?, &linked.sheet))
        })
    }

    /// The page's microdata, converted to JSON-LD form.
    pub fn microdata(&self) -> Vec<Value> {
        self.markup
            .microdata
            .iter()
            .map(|item| {
                let mut object = Map::new();
                object.insert("@type".to_owned(), json!(item.types));
                for (name, values) in &item.properties {
                    let values: Vec<Value> = values
                        .iter()
                        .map(|value| {
                            if value.types.is_empty() && value.properties.is_empty() {
                                return json!(value.text);
                            }
                            let mut inner = Map::new();
                            inner.insert("@type".to_owned(), json!(value.types));
                            for (name, texts) in &value.properties {
                                inner.insert(name.clone(), json!(texts));
                            }
                            Value::Object(inner)
                        })
                        .collect();
                    object.insert(name.clone(), Value::Array(values));
                }
                Value::Object(object)
            })
            .collect()
    }
}

/// The styles of the pages for which the connector delivered them.
pub fn read(pages: &[Visited]) -> Vec<Styled> {
    pages
        .iter()
        .enumerate()
        .filter(|(_, visited)| visited.first_party())
        .filter_map(|(page, visited)| {
            let content = &visited.page;
            let signals: Signals = serde_json::from_value(content.signals.clone()?).ok()?;
            let json_ld = content
                .json_ld
                .iter()
                .flat_map(|value| match value {
                    Value::Array(items) => items.clone(),
                    other => vec![other.clone()],
                })
                .collect();
            Some(Styled {
                page,
                receipt_id: content.receipt_id.clone(),
                address: Url::parse(&content.final_url).ok()?,
                json_ld,
                markup: signals.markup,
                sheets: signals.sheets,
                forbidden: !signals.forbidden_sheets.is_empty(),
            })
        })
        .collect()
}
