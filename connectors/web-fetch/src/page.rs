//! The contract's output.

use gtm_file_text::FileText;
use gtm_page_text::{
    Block, Media, PageText, UNDETERMINED, canonical_tag, is_same_host, language_of_texts,
    primary_language,
};
use gtm_sdk::http::Response;
use gtm_sdk::{Value, json::json};
use gtm_site_signals::image::ImageInfo;
use url::Url;

use crate::main_text;
use crate::markup::{Link, Markup};
use crate::signals::Signals;

/// Limit on the text in the output, in bytes; with everything else it keeps the output below the host's 8
/// MiB.
const MAX_TEXT_BYTES: usize = 3_000_000;
/// Limit on blocks, each of which adds some bytes of its own.
const MAX_BLOCKS: usize = 20_000;

/// A fetched page.
pub(crate) struct Fetched {
    /// The requested URL, as it was given.
    pub(crate) asked: String,
    pub(crate) final_url: Url,
    pub(crate) answer: Response,
    pub(crate) text: PageText,
    /// Whether there was a robots.txt.
    pub(crate) robots_read: bool,
}

impl Fetched {
    /// What the page says besides its text.
    pub(crate) fn markup(&self) -> Markup {
        if self.text.media == Media::Html {
            let decoded = gtm_page_text::decode(
                self.answer.header("content-type"),
                Media::Html,
                &self.answer.body,
            );
            Markup::read(&decoded.text, &self.final_url)
        } else {
            Markup::default()
        }
    }
}

/// The media type in a content type.
pub(crate) fn essence(content_type: Option<&str>) -> Option<String> {
    let essence = content_type?.split(';').next()?.trim().to_ascii_lowercase();
    (!essence.is_empty()).then_some(essence)
}

/// What was found besides the page's text, if requested.
#[derive(Default)]
pub(crate) struct Extra {
    pub(crate) signals: Option<Signals>,
    pub(crate) image: Option<ImageInfo>,
    pub(crate) document: Option<Document>,
    /// How many texts nobody sees, of a document.
    pub(crate) hidden_texts: Option<usize>,
}

/// What is known of a document's file besides its text.
pub(crate) struct Document {
    media_type: &'static str,
    pages: Option<u32>,
    title: Option<String>,
    language: Option<String>,
    /// Page or slide of each block.
    page_of_block: Vec<Option<u32>>,
    /// Whether it has more text than was read.
    cut: bool,
}

impl Document {
    pub(crate) fn of(file: &FileText) -> Self {
        Self {
            media_type: file.kind.media_type(),
            pages: file.pages,
            title: file.title.clone(),
            language: file.language.clone(),
            page_of_block: file.passages.iter().map(|passage| passage.page).collect(),
            cut: file.cut,
        }
    }
}

/// Assembles the output.
pub(crate) fn output(page: &Fetched, markup: &Markup, extra: &Extra) -> Value {
    let (kept, cut) = bounded(&page.text.blocks);
    let blocks = main_text::mark(kept);
    let meta = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| markup.metadata.get(*name))
            .cloned()
    };
    let first_heading = || {
        blocks
            .iter()
            .find(|(block, _)| block.level == Some(1))
            .map(|(block, _)| block.text.clone())
    };
    let document = extra.document.as_ref();
    let title = document
        .and_then(|document| document.title.clone())
        .or_else(|| markup.title.clone())
        .or_else(|| meta(&["og:title", "twitter:title"]))
        .or_else(first_heading);
    let mut output = json!({
        "url": page.asked,
        "final_url": page.final_url.as_str(),
        "status": page.answer.status,
        "receipt_id": page.answer.receipt_id,
        "content_type": essence(page.answer.header("content-type")),
        "charset": page.text.charset,
        "bytes": page.answer.body.len(),
        "truncated": page.answer.truncated || cut || document.is_some_and(|document| document.cut),
        "title": title,
        "description": meta(&["description", "og:description", "twitter:description"]),
        "language": language_of(page, markup, document, &blocks),
        "site_name": meta(&["og:site_name", "application-name"])
            .or_else(|| {
                // An organization that gives itself an address elsewhere is not this site.
                let is_here = |object: &Value| {
                    object["url"]
                        .as_str()
                        .and_then(|url| page.final_url.join(url).ok())
                        .is_none_or(|url| is_same_host(&url, &page.final_url))
                };
                let types = ["WebSite", "Organization", "Corporation"];
                linked_data(markup, &types, "name", is_here)
            }),
        "published_at": meta(&["article:published_time", "og:published_time", "datepublished", "date", "dc.date", "dcterms.created"])
            .or_else(|| linked_data(markup, &["Article", "NewsArticle", "BlogPosting", "WebPage"], "datePublished", |_| true)),
        "blocks": blocks.iter().enumerate().map(|(at, (block, main))| {
            let mut object = json!({
                "kind": block.kind.as_str(), "level": block.level, "text": block.text, "main": main,
            });
            if let Some(page) = document.and_then(|document| document.page_of_block.get(at).copied()?) {
                object["page"] = json!(page);
            }
            for (name, _) in [("title", block.title), ("form", block.form)].into_iter().filter(|(_, is)| *is) {
                object[name] = json!(true);
            }
            object
        }).collect::<Vec<_>>(),
        "links": markup.links.iter().map(|link| {
            let mut object = json!({
                "url": link.url.as_str(), "text": link.text, "rel": link.rel,
                "internal": is_internal(link, &page.final_url), "navigation": link.navigation,
            });
            if link.button {
                object["button"] = json!(true);
            }
            if let Some(under) = &link.under {
                object["under"] = json!(under);
            }
            object
        }).collect::<Vec<_>>(),
        "actions": markup.actions,
        "metadata": markup.metadata,
        "json_ld": markup.json_ld,
        "robots": {"checked": page.robots_read, "allowed": true},
        "signals": extra.signals.as_ref().map(Signals::output),
        "image": extra.image,
        "document": document.map(|document| json!({
            "media_type": document.media_type, "pages": document.pages,
        })),
    });
    if let Some(hidden) = extra.hidden_texts {
        output["hidden_texts"] = json!(hidden);
    }
    output
}

/// The first blocks that fit, and whether any did not.
fn bounded(blocks: &[Block]) -> (Vec<Block>, bool) {
    let mut bytes = 0;
    let kept: Vec<Block> = blocks
        .iter()
        .take(MAX_BLOCKS)
        .take_while(|block| {
            bytes += block.text.len();
            bytes <= MAX_TEXT_BYTES
        })
        .cloned()
        .collect();
    let cut = kept.len() < blocks.len();
    (kept, cut)
}

/// The language of the page's text; what the page declares is a tie-break.
fn language_of(
    page: &Fetched,
    markup: &Markup,
    document: Option<&Document>,
    blocks: &[(Block, bool)],
) -> Option<String> {
    let declared = [
        document.and_then(|document| document.language.as_deref()),
        markup.language.as_deref(),
        markup.metadata.get("content-language").map(String::as_str),
        markup.metadata.get("og:locale").map(String::as_str),
        page.answer.header("content-language"),
    ];
    let declared = declared.into_iter().flatten().find_map(declared_tag);
    let main = blocks.iter().filter(|(_, main)| *main);
    language_of_texts(
        declared.as_deref(),
        main.map(|(block, _)| block.text.as_str()),
    )
}

/// A declared language as a BCP 47 tag, or `None` if it is none. Of several that a page declares, the first counts.
fn declared_tag(declared: &str) -> Option<String> {
    let first = declared.split(',').next()?;
    canonical_tag(first).filter(|tag| primary_language(tag) != UNDETERMINED)
}

/// A text member of the first JSON-LD object that has one of these types and counts, including `@graph`.
fn linked_data(
    markup: &Markup,
    types: &[&str],
    member: &str,
    counts: impl Fn(&Value) -> bool,
) -> Option<String> {
    let is_one = |object: &Value| match &object["@type"] {
        Value::String(kind) => types.contains(&kind.as_str()),
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(Value::as_str)
            .any(|kind| types.contains(&kind)),
        _ => false,
    };
    markup
        .json_ld
        .iter()
        .flat_map(|object| {
            let graph = object["@graph"].as_array().into_iter().flatten();
            std::iter::once(object).chain(graph)
        })
        .filter(|object| is_one(object) && counts(object))
        .find_map(|object| object[member].as_str())
        .map(gtm_page_text::normalize)
        .filter(|text| !text.is_empty())
}

fn is_internal(link: &Link, page: &Url) -> bool {
    is_same_host(&link.url, page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_tags_are_checked() {
        assert_eq!(declared_tag("de-DE").as_deref(), Some("de-DE"));
        assert_eq!(declared_tag("en_US").as_deref(), Some("en-US"));
        assert_eq!(declared_tag(" fr , en").as_deref(), Some("fr"));
        for wrong in ["", "english language", "{{lang}}", "und", "e"] {
            assert_eq!(declared_tag(wrong), None, "{wrong}");
        }
    }
}
