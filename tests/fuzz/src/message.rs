//! Drafts and structures of message templates, and their rendering. The input is JSON: `draft` or `structure`, and
//! the `values` that fill it.

use std::collections::BTreeMap;

use gtm_domain::Digest;
use gtm_domain::message::characters::is_refused;
use gtm_domain::message::render::render;
use gtm_domain::message::structure::{Structure, check};
use gtm_domain::message::{MessageFault, Placeholder, RenderedMessage, TemplateOptions, draft};
use html5gum::{Token, Tokenizer};
use serde_json::Value;

pub const TARGET: crate::Target = crate::Target {
    name: "message",
    run,
    dictionary: &[
        b"{{company.name}}",
        b"{{offer.url}}",
        b"{{",
        b"}}",
        b"{",
        b"[a](https://a.example)",
        b"](",
        b"https://",
        b"http://",
        b"javascript:",
        b"@",
        b"<b>",
        b"</td>",
        b"<!--",
        b"&amp;",
        b"'",
        b"\\\"",
        b"\\r\\n",
        b"\\u0000",
        b"\\u202e",
        b"\\u2028",
        "\u{202e}".as_bytes(),
        "\u{2066}".as_bytes(),
        "e\u{301}".as_bytes(),
        b"{\"t\":\"text\",\"v\":\"a\"}",
        b"{\"t\":\"var\",\"name\":\"offer.url\"}",
        b"\"optional\":true",
        b"\"fallback\":[]",
        b"compliance.opt_out",
    ],
};

fn run(input: &[u8]) -> String {
    let Ok(input) = serde_json::from_slice::<Value>(input) else {
        return "not JSON".to_owned();
    };
    let structure = match input.get("draft") {
        Some(draft) => match draft::read(draft) {
            Ok(structure) => {
                assert_eq!(structure.clone().cleaned(), structure, "not clean");
                structure
            }
            Err(faults) => return refused("draft", &faults),
        },
        None => match serde_json::from_value::<Structure>(input["structure"].clone()) {
            Ok(structure) => structure.cleaned(),
            Err(_) => return "no structure".to_owned(),
        },
    };
    let options = TemplateOptions {
        tone: TemplateOptions::DEFAULT_TONE.to_owned(),
        locale: "en".to_owned(),
        max_words: TemplateOptions::DEFAULT_MAX_WORDS,
        max_links: 3,
        forbidden_claims: Vec::new(),
    };
    let variables = match check(&structure, &options) {
        Ok(variables) => variables,
        Err(faults) => return refused("structure", &faults),
    };
    for variable in &variables {
        assert!(Placeholder::from_name(&variable.name).is_some());
    }
    let given = input["values"].as_object().cloned().unwrap_or_default();
    let values = given
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_str()?.to_owned())));
    let values: BTreeMap<String, String> = values.collect();
    match render(&structure, "en", &values, Digest::of(b"")) {
        Ok(message) => {
            is_harmless(&message);
            let again = render(&structure, "en", &values, Digest::of(b""));
            assert_eq!(again.as_ref(), Ok(&message), "not the same twice");
            format!(
                "filled, dropped {}, replaced {}, links {}",
                message.dropped_blocks.len(),
                message.used_fallbacks.len(),
                message.counts.links
            )
        }
        Err(faults) => refused("values", &faults),
    }
}

fn refused(what: &str, faults: &[MessageFault]) -> String {
    let first = faults.first().expect("a refusal has a reason");
    assert!(first.rule != "structure_not_closed", "{first:?}");
    format!("{what}: {}", first.rule)
}

fn is_harmless(message: &RenderedMessage) {
    assert!(!message.subject.contains(is_refused), "subject");
    let mut paragraphs = message.text.split("\r\n\r\n");
    assert!(!paragraphs.any(|it| it.contains(is_refused)), "text");
    assert_eq!(in_plain_text(&message.html), message.text);
}

/// What the HTML says, in the form of the plain text.
fn in_plain_text(html: &str) -> String {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut in_cell = false;
    let mut href = String::new();
    for token in Tokenizer::new(html).map(|token| token.expect("no reading can fail")) {
        match token {
            Token::StartTag(tag) => match tag.name.as_slice() {
                b"td" => {
                    in_cell = true;
                    paragraphs.push(String::new());
                }
                b"a" => {
                    let attributes = tag.attributes.iter();
                    let mut links = attributes.filter(|(key, _)| key.as_slice() == b"href");
                    let (_, value) = links.next().expect("a link leads somewhere");
                    href = String::from_utf8(value.to_vec()).expect("text");
                    assert!(href.starts_with("https://"), "{href}");
                }
                b"html" | b"head" | b"meta" | b"title" | b"body" | b"div" | b"table" | b"tr" => {}
                other => panic!("an element of the input: {other:?}"),
            },
            Token::EndTag(tag) => match tag.name.as_slice() {
                b"td" => in_cell = false,
                b"a" => {
                    let paragraph = paragraphs.last_mut().expect("within a cell");
                    paragraph.push_str(&format!(" ({href})"));
                }
                _ => {}
            },
            Token::String(text) if in_cell => {
                let text = std::str::from_utf8(&text).expect("text");
                paragraphs.last_mut().expect("within a cell").push_str(text);
            }
            Token::Error(fault) => panic!("{fault:?}"),
            Token::Comment(_) => panic!("a comment of the input"),
            _ => {}
        }
    }
    paragraphs.join("\r\n\r\n")
}
