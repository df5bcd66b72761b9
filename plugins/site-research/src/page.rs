//! A fetched page as the `web.fetch` contract describes it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::failure::{Failure, FailureKind};

/// Blocks of one page that are looked at; what is behind them is hardly about the company.
const MAX_BLOCKS: usize = 3_000;
/// Links of one page that are looked at.
const MAX_LINKS: usize = 1_500;

/// What a block of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are those of the web.fetch contract")]
pub enum BlockKind {
    Heading,
    Paragraph,
    ListItem,
    Quote,
    TableRow,
    Code,
    #[serde(other)]
    Other,
}

/// A block of visible text; the page's text is all blocks joined by line feeds.
#[derive(Debug, Clone, Deserialize)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Level of a heading.
    #[serde(default)]
    pub level: Option<u8>,
    /// The text, verbatim.
    pub text: String,
    /// Whether it belongs to the page's main part.
    #[serde(default)]
    pub main: bool,
}

/// A link on the page.
#[derive(Debug, Clone, Deserialize)]
pub struct Link {
    /// Absolute address.
    pub url: String,
    /// Text of the link.
    #[serde(default)]
    pub text: String,
    /// The link's `rel`, if any.
    #[serde(default)]
    pub rel: Option<String>,
    /// Whether it stands in a navigation.
    #[serde(default)]
    pub navigation: bool,
}

/// A fetched page.
#[derive(Debug, Clone, Deserialize)]
pub struct Page {
    /// The host's receipt of the exchange; what an excerpt is cited by.
    pub receipt_id: String,
    /// Address that was asked for.
    pub url: String,
    /// Address that answered.
    pub final_url: String,
    /// Title, if any.
    #[serde(default)]
    pub title: Option<String>,
    /// Description of the metadata, if any.
    #[serde(default)]
    pub description: Option<String>,
    /// Language that the page declares.
    #[serde(default)]
    pub language: Option<String>,
    /// Name of the site, if declared.
    #[serde(default)]
    pub site_name: Option<String>,
    /// When it was published, if declared.
    #[serde(default)]
    pub published_at: Option<String>,
    /// The visible text.
    #[serde(default)]
    pub blocks: Vec<Block>,
    /// The links.
    #[serde(default)]
    pub links: Vec<Link>,
    /// Metadata by name.
    #[serde(default)]
    pub metadata: BTreeMap<String, Value>,
    /// JSON-LD objects.
    #[serde(default)]
    pub json_ld: Vec<Value>,
    /// What markup and stylesheets show, if it was asked for.
    #[serde(default)]
    pub signals: Option<Value>,
    /// Media type and size of an image, if one was asked for.
    #[serde(default)]
    pub image: Option<Value>,
}

impl Page {
    /// Read an answer of `web.fetch`.
    ///
    /// # Errors
    /// `connector_invalid_response` when it doesn't have the contract's shape.
    pub fn read(answer: Value) -> Result<Self, Failure> {
        let mut page: Self = serde_json::from_value(answer).map_err(|error| {
            Failure::new(
                FailureKind::Upstream,
                "connector_invalid_response",
                format!("The page reader's answer is not as agreed: {error}."),
            )
        })?;
        page.blocks.truncate(MAX_BLOCKS);
        page.links.truncate(MAX_LINKS);
        Ok(page)
    }

    /// The visible text, as excerpts are looked up in it.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .map(|block| block.text.as_str())
            .collect();
        texts.join("\n")
    }

    /// All JSON-LD objects of the page, those in `@graph` and lists included, outermost first.
    pub fn json_ld_objects(&self) -> Vec<&serde_json::Map<String, Value>> {
        let mut found = Vec::new();
        for value in &self.json_ld {
            collect_objects(value, 0, &mut found);
        }
        found
    }

    /// JSON-LD objects of one of the types.
    pub fn json_ld_of(&self, types: &[&str]) -> Vec<&serde_json::Map<String, Value>> {
        self.json_ld_objects()
            .into_iter()
            .filter(|object| match object.get("@type") {
                Some(Value::String(name)) => types.contains(&name.as_str()),
                Some(Value::Array(names)) => names
                    .iter()
                    .filter_map(Value::as_str)
                    .any(|name| types.contains(&name)),
                _ => false,
            })
            .collect()
    }
}

fn collect_objects<'a>(
    value: &'a Value,
    depth: usize,
    found: &mut Vec<&'a serde_json::Map<String, Value>>,
) {
    if depth > 8 || found.len() >= 400 {
        return;
    }
    match value {
        Value::Object(object) => {
            found.push(object);
            for inner in object.values() {
                collect_objects(inner, depth + 1, found);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect_objects(item, depth + 1, found);
            }
        }
        _ => {}
    }
}
