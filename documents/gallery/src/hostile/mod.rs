//! Documents that nobody would send and a renderer must bear: each renders, or is refused with a clear code.
//!
//! They are made by code, because most are large. Each is the same on every run.

mod amounts;
mod pictures;
mod texts;

use serde_json::{Value, json};

use crate::{Asset, THEMES};

/// A document that tries a renderer.
#[derive(Debug, Clone)]
pub struct Hostile {
    pub name: &'static str,
    pub expected: Expected,
    pub document: Value,
    pub assets: Vec<Asset>,
}

/// What a renderer does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A file, with diagnostics where something had to give way.
    File,
    /// A refusal with this code.
    Refusal(&'static str),
    /// A refusal with this code as one format, and a file as the others.
    RefusalAs {
        format: &'static str,
        code: &'static str,
    },
}

impl Expected {
    /// The code of the refusal as this format, if there is one.
    #[must_use]
    pub fn refusal(self, as_format: &str) -> Option<&'static str> {
        match self {
            Self::File => None,
            Self::Refusal(code) => Some(code),
            Self::RefusalAs { format, code } => (format == as_format).then_some(code),
        }
    }
}

/// All hostile documents.
#[must_use]
pub fn documents() -> Vec<Hostile> {
    let mut all = texts::documents();
    all.extend(amounts::documents());
    all.extend(pictures::documents());
    all
}

/// A document with these blocks in one section.
fn with_blocks(name: &'static str, blocks: Vec<Value>) -> Hostile {
    with_sections(
        name,
        vec![json!({"id": "one", "title": "What is tried here", "blocks": blocks})],
    )
}

fn with_sections(name: &'static str, sections: Vec<Value>) -> Hostile {
    let theme = THEMES.first().map_or(Value::Null, |theme| {
        let mut theme = theme.value();
        // No logo: what is tried should be the only thing that can go wrong.
        if let Some(members) = theme.as_object_mut() {
            members.remove("logo");
        }
        theme
    });
    Hostile {
        name,
        expected: Expected::File,
        document: json!({
            "schema": "gtm.doc/1",
            "meta": {
                "title": "Hostile content", "language": "en", "direction": "ltr",
                "date": "2026-11-23", "document_type": "report",
            },
            "theme": theme,
            "sources": [{"id": "s1", "title": "A source", "url": "https://source.example/a"}],
            "sections": sections,
        }),
        assets: Vec::new(),
    }
}

fn paragraph(text: impl Into<String>) -> Value {
    json!({"type": "paragraph", "runs": [{"text": text.into()}]})
}
