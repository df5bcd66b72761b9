//! A folder a language: the template with its values, and what is made of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gtm_domain::Digest;
use gtm_domain::message::render::{render, render_demonstration};
use gtm_domain::message::structure::{Structure, check};
use gtm_domain::message::{RenderedMessage, TemplateOptions};
use serde::Deserialize;
use serde_json::json;

/// The languages of the folders.
pub const LANGUAGES: [&str; 3] = ["ar", "de", "en"];

#[derive(Deserialize)]
pub struct Template {
    pub language: String,
    pub structure: Structure,
    pub values: BTreeMap<String, String>,
}

fn folder(language: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
    tests.join(language)
}

pub fn template(language: &str) -> Template {
    let file = fs::read(folder(language).join("template.json")).unwrap();
    serde_json::from_slice(&file).unwrap()
}

pub fn options() -> TemplateOptions {
    TemplateOptions {
        tone: TemplateOptions::DEFAULT_TONE.to_owned(),
        locale: "en".to_owned(),
        max_words: 120,
        max_links: 1,
        forbidden_claims: Vec::new(),
    }
}

pub fn rendered(template: &Template) -> RenderedMessage {
    let Template {
        language,
        structure,
        values,
    } = template;
    render(structure, language, values, Digest::of(b"template")).unwrap()
}

fn unchanged(language: &str, name: &str, made: &str) {
    let path = folder(language).join(name);
    if std::env::var_os("UPDATE_MESSAGES").is_some() {
        fs::write(&path, made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert_eq!(made, kept, "{} has changed", path.display());
}

#[test]
fn messages_do_not_change_by_a_byte() {
    for language in LANGUAGES {
        let template = template(language);
        check(&template.structure, &options()).unwrap();
        let message = rendered(&template);
        unchanged(language, "message.txt", &message.text);
        unchanged(language, "message.html", &message.html);
        let rest = json!({
            "subject": message.subject,
            "preview_text": message.preview_text,
            "dropped_blocks": message.dropped_blocks,
            "used_fallbacks": message.used_fallbacks,
            "counts": message.counts,
            "renderer": message.renderer,
            "values_hash": message.values_hash,
            "render_hash": message.render_hash,
        });
        let rest = serde_json::to_string_pretty(&rest).unwrap();
        unchanged(language, "rest.json", &format!("{rest}\n"));
        assert_eq!(rendered(&template), message);
    }
}

#[test]
fn a_demonstration_says_so_first() {
    let template = template("en");
    let plain = rendered(&template);
    let marked = render_demonstration(
        &template.structure,
        &template.language,
        &template.values,
        Digest::of(b"template"),
        "DEMONSTRATION –\r\nnot to be sent",
    )
    .unwrap();
    let marker = "DEMONSTRATION – not to be sent";
    assert_eq!(marked.subject, format!("{marker} {}", plain.subject));
    assert_eq!(marked.text, format!("{marker}\r\n\r\n{}", plain.text));
    assert_eq!(marked.counts, plain.counts);
    assert_ne!(marked.render_hash, plain.render_hash);
    unchanged("en", "demonstration.html", &marked.html);
    let moved = marker.chars().count() + 4;
    for (marked, plain) in marked.pieces.iter().zip(&plain.pieces) {
        assert_eq!(marked.start, plain.start + moved);
    }
}
