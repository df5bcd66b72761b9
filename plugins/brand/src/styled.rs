//! The styles and markup of pages, as the connector measured them.

use gtm_site_research::reading::Visited;
use gtm_site_signals::css::Sheet;
use gtm_site_signals::markup::Markup;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

/// Styles and markup of a page.
#[derive(Debug, Clone)]
pub struct Styled {
    /// Index of the page.
    pub page: usize,
    /// Receipt of the page, which covers its own styles and drawings too.
    pub receipt_id: String,
    /// Address of the page.
    pub address: Url,
    /// The page's JSON-LD, lists taken apart.
    pub json_ld: Vec<Value>,
    /// Its markup.
    pub markup: Markup,
    /// Its stylesheets.
    pub sheets: Vec<StyledSheet>,
}

/// What the connector measured of a page.
#[derive(Debug, Deserialize)]
pub struct Signals {
    /// Its markup.
    pub markup: Markup,
    /// Its stylesheets.
    pub sheets: Vec<StyledSheet>,
}

/// A stylesheet of a page.
#[derive(Debug, Clone, Deserialize)]
pub struct StyledSheet {
    /// Its address; nothing for the page's own styles.
    pub url: Option<String>,
    /// Its receipt; nothing for the page's own styles.
    pub receipt_id: Option<String>,
    /// What it says.
    pub sheet: Sheet,
}

impl Styled {
    /// Address, receipt and content of the linked sheets.
    pub fn linked(&self) -> impl Iterator<Item = (&str, &str, &Sheet)> {
        self.sheets.iter().filter_map(|linked| {
            let address = linked.url.as_deref()?;
            Some((address, linked.receipt_id.as_deref()?, &linked.sheet))
        })
    }

    /// The page's microdata in the form of JSON-LD.
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

/// The pages whose styles were asked for and came.
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
            })
        })
        .collect()
}
