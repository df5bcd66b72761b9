//! The outline: one call in which the model settles title and sections before it writes any.

use gtm_document_model::Block;
use gtm_document_model::plain_text;
use gtm_site_research::failure::{self, Failure};
use gtm_site_research::host::{Host, invoke_one};
use gtm_writing::answer;
use gtm_writing::check::{Ground, Verdict};
use gtm_writing::prompt::Beginning;
use gtm_writing::schema::{closed, described};
use gtm_writing::task::ModelUse;
use serde_json::{Value, json};

use super::blocks::{MOST_SECTIONS, TITLE};
use crate::brief::{Brief, one_line};
use crate::chapter::is_forbidden;
use crate::material::Material;
use crate::runs::cut;

/// Longest purpose of a section, in characters.
const LONGEST_PURPOSE: usize = 300;

/// A section that is to be written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Planned {
    pub title: String,
    /// What it is to say.
    pub purpose: String,
    /// Whether it gives advice instead of stating facts.
    pub advises: bool,
    /// Whether it says what to do next.
    pub closes: bool,
    /// Indices of the brief's exhibits that it shows.
    pub exhibits: Vec<usize>,
}

/// What the model settled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    pub title: Option<String>,
    pub subtitle: Option<String>,
    pub sections: Vec<Planned>,
    /// Titles that were left out because something in them stands nowhere.
    pub refused: usize,
}

/// A table, chart or comparison of the brief, with the heading above it: it is shown as it is, and no model copies it.
#[derive(Debug, Clone, PartialEq)]
pub struct Exhibit {
    pub heading: String,
    pub block: Block,
}

/// The exhibits of a brief.
#[must_use]
pub fn exhibits(brief: &Brief) -> Vec<Exhibit> {
    let mut found = Vec::new();
    for chapter in &brief.chapters {
        let mut heading = chapter.heading.clone().unwrap_or_default();
        for block in &chapter.blocks {
            match block {
                Block::Heading(inner) => heading = plain_text(&inner.runs),
                Block::Table(_) | Block::Comparison(_) | Block::Timeline(_) | Block::Quote(_) => {
                    found.push(Exhibit {
                        heading: one_line(&heading),
                        block: block.clone(),
                    })
                }
                _ => {}
            }
        }
    }
    found.truncate(20);
    found
}

/// The lines that tell a model of the exhibits.
#[must_use]
pub fn told(exhibits: &[Exhibit]) -> String {
    let lines = exhibits.iter().enumerate().map(|(index, exhibit)| {
        let texts = crate::brief::texts_of(std::slice::from_ref(&exhibit.block));
        let texts = cut(&one_line(&texts.join("; ")), 160);
        format!("X{}: {} ({texts})", index + 1, exhibit.heading)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Asks for the outline. None where the answer cannot be used: the document can be written to an outline of rules.
///
/// # Errors
/// The failure of a call that every further call would share.
pub fn ask(
    host: &dyn Host,
    beginning: &Beginning,
    model: ModelUse,
    most: usize,
    ground: &Ground<'_>,
    material: &Material<'_>,
    exhibits: usize,
) -> Result<Option<Outline>, Failure> {
    let section = closed([
        ("title", described("states the point, at most 12 words")),
        ("purpose", described("what it is to say, at most 40 words")),
        (
            "kind",
            json!({"type": "string", "enum": ["facts", "advice", "next_steps"]}),
        ),
        (
            "exhibits",
            json!({"type": "array", "items": {"type": "integer"}, "description": "numbers of exhibits that it shows"}),
        ),
    ]);
    let schema = closed([
        (
            "title",
            described("title of the document, at most 12 words"),
        ),
        ("subtitle", described("at most 15 words, or empty")),
        (
            "sections",
            json!({"type": "array", "description": format!("at most {most}"), "items": section}),
        ),
    ]);
    let task = format!(
        "Plan the document: its title and its sections, in the order in which a reader needs them, at most {most}. facts: the \
         section states what excerpts say. advice: it recommends, tied to facts. next_steps: the last one, what to do next. \
         Plan only what the excerpts can carry. Don't plan a cover, an agenda or a list of sources. Show each exhibit once."
    );
    if host.canceled() {
        return Err(failure::canceled());
    }
    let call = model.call(beginning.messages(&task), schema, "document_outline");
    let read = invoke_one(host, call)
        .map_err(failure::of_model_call)
        .and_then(|answer| answer::read(&answer, "document"));
    match read {
        Ok(answer) => Ok(Some(outline(&answer, most, ground, material, exhibits))
            .filter(|outline| outline.sections.len() >= 2)),
        Err(failure) if failure::is_invalid_answer(&failure) => {
            host.note(&format!("no outline of the model: {}", failure.code));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn outline(
    answer: &Value,
    most: usize,
    ground: &Ground<'_>,
    material: &Material<'_>,
    exhibits: usize,
) -> Outline {
    let mut found = Outline {
        title: stands(&answer::text_of(answer, "title"), ground, material),
        subtitle: stands(&answer::text_of(answer, "subtitle"), ground, material),
        ..Outline::default()
    };
    let mut shown: Vec<usize> = Vec::new();
    let sections = answer.get("sections").and_then(Value::as_array);
    for section in sections.into_iter().flatten().take(most.min(MOST_SECTIONS)) {
        let said = answer::text_of(section, "title");
        if said.is_empty() {
            continue;
        }
        let Some(title) = stands(&said, ground, material) else {
            found.refused += 1;
            continue;
        };
        if found.sections.iter().any(|known| known.title == title) {
            continue;
        }
        let kind = answer::text_of(section, "kind").to_lowercase();
        let wanted = section.get("exhibits").and_then(Value::as_array);
        let mut own = Vec::new();
        for number in wanted.into_iter().flatten().filter_map(answer_number) {
            if (1..=exhibits).contains(&number) && !shown.contains(&(number - 1)) {
                shown.push(number - 1);
                own.push(number - 1);
            }
        }
        found.sections.push(Planned {
            title,
            purpose: cut(&answer::text_of(section, "purpose"), LONGEST_PURPOSE),
            advises: kind != "facts",
            closes: kind.starts_with("next"),
            exhibits: own,
        });
    }
    found
}

/// `2`, `"2"`, `"X2"`.
fn answer_number(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => text
            .trim_matches(|c: char| !c.is_ascii_digit())
            .parse()
            .ok(),
        other => usize::try_from(other.as_u64()?).ok(),
    }
}

/// A title, if its numbers, names, addresses and quotations stand somewhere and it claims nothing that must not be claimed.
fn stands(title: &str, ground: &Ground<'_>, material: &Material<'_>) -> Option<String> {
    let title = cut(title.trim().trim_end_matches(['.', '。']), 160);
    if title.is_empty() || is_forbidden(&title, &material.sender.forbidden) {
        return None;
    }
    match ground.check(TITLE, &json!({"text": title, "citations": [0]}), &[]) {
        Verdict::Kept(checked) => checked
            .value
            .as_str()
            .map(str::to_owned)
            .filter(|text| *text == title),
        _ => None,
    }
}
