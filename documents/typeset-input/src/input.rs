//! What the template reads: the document, and all that is easier computed here than in the typesetter's language.
//!
//! The document goes in as JSON data. No text of it is ever part of the template, so nothing in it can be an
//! instruction to the typesetter.

use std::collections::BTreeMap;

use gtm_document_model::Document;
use gtm_document_model::block::Block;
use gtm_language_tag::{primary_language, region_subtag};
use gtm_ooxml::letters::{self, Signature};
use gtm_ooxml::theme::{Role, title_role};
use gtm_ooxml::{added_words, dates, paper, phrases, sources};
use serde_json::{Map, Value, json};

use crate::diagnostics::Diagnostics;
use crate::numbers::Numbers;
use crate::pictures::{self, Assets};
use crate::{breaks, captions, citations, plot, qr};

/// The template's data, and the files that it names.
#[derive(Debug, Clone)]
pub struct Input {
    pub data: Value,
    /// Bytes by path, such as `/pictures/0.png`.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Prepares a document.
pub fn of(document: &Document, assets: &dyn Assets, diagnostics: &mut Diagnostics) -> Input {
    let mut files = BTreeMap::new();
    let pictures = pictures::read(document, assets, &mut files, diagnostics);
    let (signed, signature) = letters::signed(document);
    let document = signed.as_ref();
    let language = &document.meta.language;
    let numbers = Numbers::of(language);
    let mut value = json!(document);
    citations::number(&mut value);
    draw(&mut value, document, numbers, &mut files);
    breaks::soften(&mut value);
    level(&mut value);
    captions::number(&mut value);
    tell(&mut value, document);
    if let Some(signature) = signature {
        mark(&mut value, signature);
    }
    let words = added_words::of(language);
    let front = document.front();
    let phrases = phrases_of(&value, language);
    let (primary, region) = tags(language);
    let title = match title_role(&document.theme) {
        Role::Primary => "primary",
        _ => "text",
    };
    let data = json!({
        "document": value,
        "title": title,
        "language": primary,
        "region": region,
        "front": {"cover": front.has_cover, "contents": front.has_contents},
        "letter": {
            "is": document.is_letter(),
            "centers": paper::centers_subjects(language),
            "sender": letters::sender(document),
        },
        "pictures": pictures,
        "phrases": phrases,
        "words": {
            "contents": words.contents, "sources": words.sources, "page": words.page, "of": words.of,
            "figure": words.figure, "table": words.table,
        },
        "date": dates::of(&document.meta),
        "paper": if paper::uses_letter(language) { "us-letter" } else { "a4" },
    });
    Input { data, files }
}

/// What is said of each source: the day on which it was read, and its address as it is shown.
fn tell(value: &mut Value, document: &Document) {
    let language = &document.meta.language;
    for (index, source) in document.sources.iter().enumerate() {
        let found = value.pointer_mut(&format!("/sources/{index}"));
        if let Some(members) = found.and_then(Value::as_object_mut) {
            members.remove("retrieved_at");
            members
                .extend(sources::day(source, language).map(|day| ("day".to_owned(), json!(day))));
            let address = source.url.as_deref().map(sources::shown);
            members.extend(address.map(|shown| {
                (
                    "address".to_owned(),
                    json!(breaks::softened(&shown).unwrap_or(shown)),
                )
            }));
        }
    }
}

/// Tells the paragraph that signs a letter, and those above it, which go with it.
fn mark(value: &mut Value, place: Signature) {
    let Signature { section, block } = place;
    for at in block.saturating_sub(2)..=block {
        let found = value.pointer_mut(&format!("/sections/{section}/blocks/{at}"));
        if let Some(found) = found.filter(|found| found["type"] == "paragraph") {
            let name = if at == block { "signs" } else { "closes" };
            found[name] = json!(true);
        }
    }
}

/// Language and region, as the typesetter takes them: two or three letters, and two.
fn tags(language: &str) -> (String, Option<String>) {
    let primary = primary_language(language).to_ascii_lowercase();
    let country = region_subtag(language).filter(|region| region.len() == 2);
    (
        if matches!(primary.len(), 2 | 3) {
            primary
        } else {
            "en".to_owned()
        },
        country.map(|country| country.to_ascii_lowercase()),
    )
}

/// The phrases of each title, by its text: where lines may end in a language without blanks.
fn phrases_of(document: &Value, language: &str) -> Map<String, Value> {
    let mut titles: Vec<&str> = Vec::new();
    for member in ["title", "subtitle"] {
        titles.extend(document["meta"][member].as_str());
    }
    for section in document["sections"].as_array().into_iter().flatten() {
        titles.extend(section["title"].as_str());
        collect_headings(&section["blocks"], &mut titles);
    }
    let mut found = Map::new();
    for title in titles.into_iter().filter(|title| !title.contains('\n')) {
        let phrases = phrases::phrases(title, language);
        if phrases.len() > 1 {
            found.insert(title.to_owned(), json!(phrases));
        }
    }
    found
}

fn collect_headings<'v>(blocks: &'v Value, titles: &mut Vec<&'v str>) {
    for block in blocks.as_array().into_iter().flatten() {
        match block["type"].as_str() {
            Some("heading") => {
                let runs = block["runs"].as_array().into_iter().flatten();
                titles.extend(runs.filter_map(|run| run["text"].as_str()));
            }
            Some("columns") => {
                for column in block["columns"].as_array().into_iter().flatten() {
                    collect_headings(&column["blocks"], titles);
                }
            }
            _ => {}
        }
    }
}

/// Puts what is to be drawn into its blocks: geometry into charts, codes into calls to action.
fn draw(
    value: &mut Value,
    document: &Document,
    numbers: Numbers,
    files: &mut BTreeMap<String, Vec<u8>>,
) {
    for (index, section) in document.sections.iter().enumerate() {
        let blocks = value.pointer_mut(&format!("/sections/{index}/blocks"));
        each(blocks, &section.blocks, &mut |members, block| match block {
            Block::Chart(chart) => {
                let plot = plot::of(chart, &document.theme, numbers);
                // The numbers themselves are in the drawing; the typesetter needs none of them.
                members.retain(|name, _| !matches!(name.as_str(), "series" | "categories"));
                members.insert("plot".to_owned(), plot);
            }
            Block::Cta(cta) if cta.qr => {
                let drawn = qr::svg(&cta.href).map(|drawing| {
                    let path = format!("/codes/{}.svg", files.len());
                    files.insert(path.clone(), drawing.into_bytes());
                    path
                });
                members.insert("code".to_owned(), json!(drawn));
            }
            _ => {}
        });
    }
}

/// Visits each block beside its JSON, those in columns too.
fn each(
    value: Option<&mut Value>,
    blocks: &[Block],
    visit: &mut impl FnMut(&mut Map<String, Value>, &Block),
) {
    let values = value.and_then(Value::as_array_mut).into_iter().flatten();
    for (value, block) in values.zip(blocks) {
        if let Block::Columns(columns) = block {
            for (index, column) in columns.columns.iter().enumerate() {
                let inner = value.pointer_mut(&format!("/columns/{index}/blocks"));
                each(inner, &column.blocks, visit);
            }
        }
        if let Some(members) = value.as_object_mut() {
            visit(members, block);
        }
    }
}

/// Lifts headings that skip a level: PDF/UA has none that do.
fn level(value: &mut Value) {
    for section in value["sections"].as_array_mut().into_iter().flatten() {
        let mut above = 1;
        lift(section.get_mut("blocks"), &mut above);
    }
}

fn lift(blocks: Option<&mut Value>, above: &mut u64) {
    for block in blocks.and_then(Value::as_array_mut).into_iter().flatten() {
        match block["type"].as_str() {
            Some("heading") => {
                let level = block["level"].as_u64().unwrap_or(2).clamp(2, *above + 1);
                *above = level;
                block["level"] = json!(level);
            }
            Some("columns") => {
                for column in block["columns"].as_array_mut().into_iter().flatten() {
                    lift(column.get_mut("blocks"), above);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_as_the_typesetter_takes_them() {
        for (language, told) in [
            ("zh-Hant-TW", ("zh", Some("tw"))),
            ("de", ("de", None)),
            ("en-001", ("en", None)),
            ("x-private", ("en", None)),
        ] {
            let (primary, region) = tags(language);
            assert_eq!((primary.as_str(), region.as_deref()), told, "{language}");
        }
    }
}
