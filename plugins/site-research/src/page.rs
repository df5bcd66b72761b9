//! A fetched page as the `web.fetch` contract describes it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::failure::{Failure, FailureKind};

/// Maximum number of blocks of one page that are read; later ones are hardly about the company.
const MAX_BLOCKS: usize = 3_000;
/// Maximum number of links of one page that are read.
const MAX_LINKS: usize = 1_500;
/// Maximum number of links of one page that open no other page.
const MAX_ACTIONS: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    pub kind: BlockKind,
    /// Level of a heading.
    #[serde(default)]
    pub level: Option<u8>,
    /// Verbatim.
    pub text: String,
    /// Whether it belongs to the page's main part.
    #[serde(default)]
    pub main: bool,
    /// Whether it is the title of a card by its form.
    #[serde(default)]
    pub title: bool,
    /// Whether it is inside a form.
    #[serde(default)]
    pub form: bool,
}

/// A link on the page.
#[derive(Debug, Clone, Deserialize)]
pub struct Link {
    /// Absolute address.
    pub url: String,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub rel: Option<String>,
    /// Whether it is in a navigation.
    #[serde(default)]
    pub navigation: bool,
    /// Whether the page shows it as a button.
    #[serde(default)]
    pub button: bool,
    /// The text of the menu's entry below which it stands.
    #[serde(default)]
    pub under: Option<String>,
}

/// What a link opens that leads to no other page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opens {
    Part,
    Letter,
    Telephone,
    #[serde(other)]
    Other,
}

/// A link that opens a part of the page, a letter or a telephone.
#[derive(Debug, Clone, Deserialize)]
pub struct Action {
    pub opens: Opens,
    /// The fragment of a part's address.
    #[serde(default)]
    pub part: Option<String>,
    pub text: String,
    /// Whether it is in a navigation.
    #[serde(default)]
    pub navigation: bool,
}

/// A fetched page.
#[derive(Debug, Clone, Deserialize)]
pub struct Page {
    /// The host's receipt of the exchange, by which excerpts are cited.
    pub receipt_id: String,
    /// The requested address.
    pub url: String,
    /// The address that answered, after redirects.
    pub final_url: String,
    #[serde(default)]
    pub title: Option<String>,
    /// Description from the metadata.
    #[serde(default)]
    pub description: Option<String>,
    /// Language that the page declares.
    #[serde(default)]
    pub language: Option<String>,
    /// Name of the site, if declared.
    #[serde(default)]
    pub site_name: Option<String>,
    #[serde(default)]
    pub published_at: Option<String>,
    /// The visible text.
    #[serde(default)]
    pub blocks: Vec<Block>,
    #[serde(default)]
    pub links: Vec<Link>,
    #[serde(default)]
    pub actions: Vec<Action>,
    /// Metadata by name.
    #[serde(default)]
    pub metadata: BTreeMap<String, Value>,
    /// JSON-LD objects.
    #[serde(default)]
    pub json_ld: Vec<Value>,
    /// What markup and stylesheets show, if requested.
    #[serde(default)]
    pub signals: Option<Value>,
    /// Media type and size of an image, if one was requested.
    #[serde(default)]
    pub image: Option<Value>,
    /// How many texts of a document were left out because nobody sees them.
    #[serde(default)]
    pub hidden_texts: usize,
}

impl Page {
    /// Reads an answer of `web.fetch`.
    ///
    /// # Errors
    /// `connector_invalid_response` when it does not match the contract.
    pub fn read(answer: Value) -> Result<Self, Failure> {
        let mut page: Self = serde_json::from_value(answer).map_err(|error| {
            Failure::new(
                FailureKind::Upstream,
                "connector_invalid_response",
                format!("The page reader's answer violates its contract: {error}."),
            )
        })?;
        page.blocks.truncate(MAX_BLOCKS);
        page.links.truncate(MAX_LINKS);
        page.actions.truncate(MAX_ACTIONS);
        head_cards(&mut page.blocks);
        lower_subtitles(&mut page.blocks);
        Ok(page)
    }

    /// The visible text in which excerpts are looked up.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .blocks
            .iter()
            .map(|block| block.text.as_str())
            .collect();
        texts.join("\n")
    }

    /// All JSON-LD objects of the page, including those in `@graph` and lists, outermost first.
    pub fn json_ld_objects(&self) -> Vec<&serde_json::Map<String, Value>> {
        let mut found = Vec::new();
        for value in &self.json_ld {
            collect_objects(value, 0, &mut found);
        }
        found
    }

    /// The JSON-LD objects of these types.
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

/// Makes the titles of cards headings, one level below the heading above.
fn head_cards(blocks: &mut [Block]) {
    let mut level = 1;
    for block in blocks {
        if block.kind == BlockKind::Heading {
            level = block.level.unwrap_or(level);
        } else if block.title {
            block.kind = BlockKind::Heading;
            block.level = Some((level + 1).min(6));
        }
    }
}

/// Fewest words of a sentence that is set like a heading.
const LEAST_OF_SUBTITLE: usize = 6;

/// Makes sentences paragraphs that are set like headings right below a larger one: they head nothing.
fn lower_subtitles(blocks: &mut [Block]) {
    let mut above: Option<u8> = None;
    for block in blocks {
        let level = block.level.filter(|_| block.kind == BlockKind::Heading);
        let is_sentence = block.text.ends_with(['.', '。'])
            && block.text.split_whitespace().count() >= LEAST_OF_SUBTITLE;
        let below = |above: u8| (2..level.unwrap_or(0)).contains(&above);
        if is_sentence && above.is_some_and(below) {
            block.kind = BlockKind::Paragraph;
            block.level = None;
        }
        above = level;
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
