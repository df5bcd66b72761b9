//! What it takes to render a message, checks and hashes included, beside a template engine that fills the finished
//! HTML and plain text.
//!
//! `cargo xtask bench messages`. Prints microseconds a message for each language of the golden files, in one run. Without
//! `--bench`, which cargo passes, each case is only tried.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use gtm_domain::Digest;
use gtm_domain::message::render::render;
use gtm_domain::message::structure::Structure;
use minijinja::{AutoEscape, Environment, HtmlEscape};
use serde::Deserialize;

const LANGUAGES: [&str; 3] = ["ar", "de", "en"];
/// Messages of each language that are measured.
const MESSAGES: u32 = 20_000;

#[derive(Deserialize)]
struct Template {
    language: String,
    structure: Structure,
    values: BTreeMap<String, String>,
}

/// Microseconds a message.
fn measured(messages: u32, mut make: impl FnMut() -> usize) -> f64 {
    let started = Instant::now();
    for _ in 0..messages {
        assert!(black_box(make()) > 0);
    }
    started.elapsed().as_secs_f64() * 1e6 / f64::from(messages)
}

/// A finished text with variables where its values stand. The longest goes first: a name may stand in an address.
fn with_variables(
    text: &str,
    values: &[(&String, &String)],
    written: impl Fn(&str) -> String,
) -> String {
    let mut text = text.to_owned();
    for (number, (_, value)) in values.iter().enumerate() {
        text = text.replace(&written(value), &format!("{{{{ v{number} }}}}"));
    }
    text
}

fn main() {
    let messages = match std::env::args().any(|argument| argument == "--bench") {
        true => MESSAGES,
        false => 5,
    };
    println!("microseconds a message, of {messages}");
    println!("language       gtm  minijinja  ratio");
    for language in LANGUAGES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("tests/messages/{language}/template.json"));
        let template: Template = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let Template {
            language,
            structure,
            values,
        } = &template;
        let made = || render(structure, language, values, Digest::of(b"template")).unwrap();
        let ours = measured(messages, || {
            let made = made();
            made.html.len() + made.text.len()
        });

        let mut by_length: Vec<_> = values
            .iter()
            .filter(|(_, value)| !value.trim().is_empty())
            .collect();
        by_length.sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
        let finished = made();
        let html = with_variables(&finished.html, &by_length, |value| {
            HtmlEscape(value).to_string()
        });
        let text = with_variables(&finished.text, &by_length, str::to_owned);
        assert!(
            html.contains("{{ v0 }}") && text.contains("{{ v0 }}"),
            "the values stand in both"
        );
        let mut engine = Environment::new();
        engine.set_auto_escape_callback(|name| match name {
            "html" => AutoEscape::Html,
            _ => AutoEscape::None,
        });
        engine.add_template("html", &html).unwrap();
        engine.add_template("text", &text).unwrap();
        let context: BTreeMap<String, &String> = by_length
            .iter()
            .enumerate()
            .map(|(number, (_, value))| (format!("v{number}"), *value))
            .collect();
        let filled = |name| engine.get_template(name).unwrap().render(&context).unwrap();
        assert_eq!(
            filled("text"),
            finished.text,
            "both make the same plain text"
        );
        let theirs = measured(messages, || filled("html").len() + filled("text").len());
        println!(
            "{language:<8} {ours:>9.1} {theirs:>10.1} {:>6.1}",
            ours / theirs
        );
    }
}
