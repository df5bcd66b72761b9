//! What the template reads: the document, and all that is easier computed here than in the typesetter's language.
//!
//! The document goes in as JSON data. No text of it is ever part of the template, so nothing in it can be an
//! instruction to the typesetter.

use std::collections::BTreeMap;

use gtm_document_model::Document;
use gtm_document_model::block::Block;
use gtm_ooxml::added_headings::contents_and_sources;
use gtm_ooxml::{dates, paper};
use serde_json::{Map, Value, json};

use crate::diagnostics::Diagnostics;
use crate::numbers::Numbers;
use crate::pictures::{self, Assets};
use crate::{breaks, citations, plot, qr};

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
    let language = &document.meta.language;
    let numbers = Numbers::of(language);
    let mut value = json!(document);
    citations::number(&mut value);
    draw(&mut value, document, numbers, &mut files);
    breaks::soften(&mut value);
    level(&mut value);
    let (contents, sources) = contents_and_sources(language);
    let front = document.front();
    let data = json!({
        "document": value,
        "front": {"cover": front.has_cover, "contents": front.has_contents},
        "pictures": pictures,
        "words": {"contents": contents, "sources": sources},
        "date": dates::written(&document.meta.date, language),
        "paper": if paper::uses_letter(language) { "us-letter" } else { "a4" },
    });
    Input { data, files }
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
