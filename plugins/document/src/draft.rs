//! The draft (`wit/results/document-draft.schema.json`): what the host checks, themes and gives to a renderer.

use std::collections::BTreeSet;

use gtm_document_model::Document;
use gtm_document_model::bounds;
use gtm_document_model::document::{Direction, Layout, Section};
use gtm_document_model::fault::Fault;
use serde_json::{Value, json};

use crate::form::frame::Titles;
use crate::kind::{self, Kind};
use crate::language;
use crate::material::Material;
use crate::sender::{BRAND, BRIEF, OFFER};

/// Who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    Model,
    Rules,
}

/// A draft before it is JSON.
#[derive(Debug, Clone)]
pub struct Draft {
    pub kind: Kind,
    pub titles: Titles,
    pub sections: Vec<Section>,
    pub outline: Vec<String>,
    pub writer: Writer,
}

/// Members that are texts for readers.
const TEXTS: [&str; 5] = ["label", "subtitle", "text", "title", "value"];
/// Most parts of the brief that are told as a whole, and longest of them, in characters.
const MOST_NOT_PRINTED: usize = 200;
const NOT_PRINTED_CHARS: usize = 4_000;
/// Most entries of the outline.
const MOST_OUTLINE: usize = 100;

impl Draft {
    /// The draft as JSON. What the reader of `gtm.doc/1` would refuse is left out, so that one fault does not cost the rest.
    #[must_use]
    pub fn to_json(mut self, material: &mut Material<'_>, now_ms: u64) -> Value {
        let surplus = self.sections.len().saturating_sub(bounds::SECTIONS);
        if surplus > 0 {
            // What closes the document stays.
            let last = self.sections.pop();
            self.sections.truncate(bounds::SECTIONS - 1);
            self.sections.extend(last);
            material.lose("/sections", "too_many", surplus);
        }
        for (index, section) in self.sections.iter_mut().enumerate() {
            section.id = match section.layout {
                Some(Layout::Cover) => "cover".to_owned(),
                _ => format!("section-{index}"),
            };
        }
        let meta = self.meta(material);
        let pages = material.pages();
        let mut dropped = Vec::new();
        // Each round drops what is faulty; the second finds what the first one's bound on faults hid.
        for _ in 0..8 {
            let faults = faults(
                &self.sections,
                &meta,
                kind::key(self.kind.document_type),
                &material.sources.to_json(&pages, now_ms, &|_| true),
            );
            if faults.is_empty() {
                break;
            }
            dropped.extend(drop_faulty(&mut self.sections, &faults));
        }
        material.lose_texts("/sections", "malformed", dropped);
        let mut sections = json!(self.sections);
        let mut meta = meta;
        if self.writer == Writer::Rules {
            bind(&mut sections);
            bind(&mut meta);
        }
        let used = cited(&sections);
        let sources = material
            .sources
            .to_json(&pages, now_ms, &|id| used.contains(id));
        let left_out: Vec<Value> = material
            .lost
            .iter()
            .take(200)
            .map(
                |lost| json!({"pointer": lost.pointer, "reason": lost.reason, "count": lost.count}),
            )
            .collect();
        json!({
            "format": self.kind.format.key(),
            "document_type": kind::key(self.kind.document_type),
            "reason": self.kind.reason,
            "outline": self.outline.iter().take(MOST_OUTLINE).collect::<Vec<_>>(),
            "meta": meta,
            "sources": sources,
            "sections": sections,
            "left_out": left_out,
            "not_printed": not_printed(material),
            "written_by": match self.writer { Writer::Model => "model", Writer::Rules => "rules" },
        })
    }

    fn meta(&self, material: &Material<'_>) -> Value {
        let target = material
            .target
            .as_ref()
            .map(|target| target.name().to_owned());
        let mut keywords: Vec<String> = Vec::new();
        for word in [material.sender.offer.clone(), target]
            .into_iter()
            .flatten()
        {
            let word = crate::runs::cut(&word, 100);
            if !keywords.contains(&word) {
                keywords.push(word);
            }
        }
        let organization = material
            .sender
            .name
            .as_deref()
            .map(|name| crate::runs::cut(name, 200));
        json!({
            "title": self.titles.title,
            "subtitle": self.titles.subtitle,
            "language": material.language,
            "direction": match language::direction(&material.language) {
                Direction::Ltr => "ltr",
                Direction::Rtl => "rtl",
            },
            "organization": organization,
            "date": material.brief.date,
            "date_words": material.brief.date_words,
            "keywords": keywords,
            "classification": null,
        })
    }
}

/// The parts of the brief that stand nowhere, each as a whole.
fn not_printed(material: &Material<'_>) -> Vec<Value> {
    let brief = material.brief;
    let withheld = brief.withheld.iter().map(|text| ("confidential", text));
    let told = brief.directions.iter().chain(&brief.mail_frame);
    let told = told.map(|text| ("to_the_writer", text));
    let prose = brief.running_prose.iter();
    let prose = prose.map(|text| ("running_prose", text));
    let parts = withheld
        .chain(prose)
        .chain(told)
        .filter(|(_, text)| !text.trim().is_empty());
    let parts = parts.take(MOST_NOT_PRINTED);
    let cut = |text: &str| crate::runs::cut(text, NOT_PRINTED_CHARS);
    parts
        .map(|(reason, text)| json!({"reason": reason, "text": cut(text)}))
        .collect()
}

/// The draft's document, with a theme and a date that stand for what the host adds.
///
/// # Errors
/// What the reader of `gtm.doc/1` refuses.
pub fn document_of(draft: &Value) -> Result<Document, Vec<Fault>> {
    let sources = draft["sources"].as_array().cloned().unwrap_or_default();
    read(
        &draft["sections"],
        &draft["meta"],
        &draft["document_type"],
        &sources,
    )
}

fn read(
    sections: &Value,
    meta: &Value,
    document_type: &Value,
    sources: &[Value],
) -> Result<Document, Vec<Fault>> {
    let mut meta = meta.clone();
    meta["date"] = json!("2000-01-01");
    meta["document_type"] = document_type.clone();
    let mut listed: Vec<Value> = sources.to_vec();
    for source in &mut listed {
        if let Some(members) = source.as_object_mut() {
            members.remove("excerpts");
        }
    }
    listed.extend([BRIEF, OFFER, BRAND].map(|id| json!({"id": id, "title": id})));
    Document::from_value(json!({
        "schema": "gtm.doc/1",
        "meta": meta,
        "theme": {
            "mode": "light",
            "colors": {
                "background": "#ffffff", "surface": "#f3f5f8", "text": "#10243e", "muted": "#526079", "rule": "#d3d9e2",
                "primary": "#10243e", "on_primary": "#ffffff", "secondary": "#4a6785", "accent": "#c2410c",
                "on_accent": "#ffffff", "accent_text": "#b23a0a"
            },
            "chart": ["#10243e", "#c2410c", "#4a6785", "#0f766e", "#7c3aed", "#a16207"],
            "fonts": {"heading": {"family": "Inter", "class": "sans"}, "body": {"family": "Inter", "class": "sans"}}
        },
        "sources": listed,
        "sections": sections,
    }))
}

fn faults(
    sections: &[Section],
    meta: &Value,
    document_type: &str,
    sources: &[Value],
) -> Vec<Fault> {
    read(&json!(sections), meta, &json!(document_type), sources)
        .err()
        .unwrap_or_default()
}

/// Drops the blocks and sections that faults name, and tells what each of them said first.
fn drop_faulty(sections: &mut Vec<Section>, faults: &[Fault]) -> Vec<String> {
    let mut dropped = Vec::new();
    let mut blocks: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut whole: BTreeSet<usize> = BTreeSet::new();
    for fault in faults {
        let mut parts = fault.pointer.split('/').skip(1);
        let (name, section) = (parts.next(), parts.next().and_then(|at| at.parse().ok()));
        let (Some("sections"), Some(section)) = (name, section) else {
            continue;
        };
        match (parts.next(), parts.next().and_then(|at| at.parse().ok())) {
            (Some("blocks"), Some(block)) => {
                blocks.insert((section, block));
            }
            _ => {
                whole.insert(section);
            }
        }
    }
    for (section, block) in blocks.iter().rev() {
        if let Some(section) = sections.get_mut(*section)
            && *block < section.blocks.len()
        {
            let block = section.blocks.remove(*block);
            let texts = crate::brief::texts_of(&[block]);
            dropped.push(texts.into_iter().next().unwrap_or_default());
        }
    }
    for section in whole.iter().rev() {
        if *section < sections.len() {
            dropped.push(sections.remove(*section).title);
        }
    }
    dropped
}

/// Binds numbers to their units in all texts.
fn bind(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(bind),
        Value::Object(members) => {
            for (name, member) in members {
                match member {
                    Value::String(text) if TEXTS.contains(&name.as_str()) => {
                        *text = crate::runs::bound(text);
                    }
                    other => bind(other),
                }
            }
        }
        _ => {}
    }
}

/// Every id that something cites.
fn cited(value: &Value) -> BTreeSet<String> {
    fn collect(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            Value::Object(members) => {
                for (name, member) in members {
                    match member {
                        Value::Array(ids) if name == "cite" => {
                            found.extend(ids.iter().filter_map(Value::as_str).map(str::to_owned));
                        }
                        other => collect(other, found),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    collect(value, &mut found);
    found
}
