//! Renders a guideline for people as Markdown; the same document always gives the same text.
//!
//! DANGER: the texts come from pages that strangers wrote. Everything that Markdown or an extension of it
//! could read as markup is escaped, so that a page cannot plant a link, a heading or raw HTML.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::Guideline;
use super::fields::{FIELDS, Field, Form, Section};

/// Renders a guideline as CommonMark with tables and footnotes.
#[must_use]
pub fn markdown(guideline: &Guideline) -> String {
    let document = guideline.document();
    let mut out = String::new();
    head(guideline, &mut out);
    for section in Section::ALL {
        heading(section.key(), &mut out);
        facts(section, &document, &mut out);
        if section == Section::Governance {
            governance(guideline, &mut out);
        }
    }
    applications(guideline, &mut out);
    unknowns(guideline, &mut out);
    conflicts(guideline, &mut out);
    changes(guideline, &mut out);
    sources(guideline, &mut out);
    out
}

fn head(guideline: &Guideline, out: &mut String) {
    let identity = &guideline.identity;
    let name = identity
        .brand_name
        .value
        .as_deref()
        .or(identity.domain.as_deref());
    line(
        out,
        &format!(
            "# {}",
            name.map_or_else(|| "Brand guideline".to_owned(), escape)
        ),
    );
    line(out, "");
    line(
        out,
        &format!(
            "Revision {} of {}, {}. Language: {}. Schema {}. Hash `{}`. Review: {}.",
            guideline.revision,
            guideline.generated_at,
            guideline.brand_profile_id.to_string().replace('_', "\\_"),
            escape(&guideline.language),
            escape(&guideline.schema_version),
            guideline.guideline_hash,
            guideline.governance.review.status.as_str(),
        ),
    );
    line(out, "");
    line(
        out,
        "Confidence says how well the sources carry a value, not whether it is true.",
    );
}

fn heading(key: &str, out: &mut String) {
    let words = key.replace('_', " ");
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    line(out, "");
    line(out, &format!("## {first}{}", letters.as_str()));
    line(out, "");
}

/// The known fields of a section; unknown ones are listed at the end of the document.
fn facts(section: Section, document: &Value, out: &mut String) {
    let mut any = false;
    for field in FIELDS
        .iter()
        .filter(|f| f.section == section && f.is_known(document))
    {
        any = true;
        match field.form {
            Form::Claims if !field.columns.is_empty() => table(field, document, out),
            Form::Claims => {
                line(out, &format!("- {}:", label(field)));
                for (_, claim) in field.claims(document) {
                    line(out, &format!("  - {}", claim_words(claim)));
                }
            }
            Form::Claim => {
                for (_, claim) in field.claims(document) {
                    line(out, &format!("- {}: {}", label(field), claim_words(claim)));
                }
            }
            Form::Plain | Form::Host => {
                let value = document.pointer(field.pointer).unwrap_or(&Value::Null);
                line(out, &format!("- {}: {}", label(field), words(value)));
            }
        }
    }
    if !any {
        line(out, "Nothing known.");
    }
}

fn label(field: &Field) -> String {
    format!("**{}**", field.title())
}

fn claim_words(claim: &Value) -> String {
    let value = claim.get("value").map(words).unwrap_or_default();
    format!("{value} {}", carried(claim))
}

/// Confidence, basis and footnotes of a claim, such as `(high, stated)[^src_01]`.
fn carried(claim: &Value) -> String {
    let text = |key: &str| claim.get(key).and_then(Value::as_str).unwrap_or("unknown");
    let mut said = format!("({}, {})", text("confidence"), text("basis"));
    let ids = claim.get("source_ids").and_then(Value::as_array);
    for id in ids.into_iter().flatten().filter_map(Value::as_str) {
        let _ = write!(said, "[^{}]", footnote(id));
    }
    said
}

/// A value in words: texts escaped, objects as `key: value`.
fn words(value: &Value) -> String {
    match value {
        Value::Null => "unknown".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => escape(text),
        Value::Array(items) => items.iter().map(words).collect::<Vec<_>>().join("; "),
        Value::Object(members) => object(members),
    }
}

fn object(members: &Map<String, Value>) -> String {
    let known = members.iter().filter(|(_, value)| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    });
    let said =
        known.map(|(key, value)| format!("{}: {}", escape(&key.replace('_', " ")), words(value)));
    said.collect::<Vec<_>>().join("; ")
}

fn table(field: &Field, document: &Value, out: &mut String) {
    let columns = field.columns;
    line(out, "");
    line(out, &format!("| {} | evidence |", columns.join(" | ")));
    line(out, &format!("|{}", " --- |".repeat(columns.len() + 1)));
    for (_, claim) in field.claims(document) {
        let value = claim.get("value").unwrap_or(&Value::Null);
        let cells = columns.iter().map(|column| match value.get(*column) {
            None | Some(Value::Null) => String::new(),
            Some(cell) => words(cell),
        });
        let cells: Vec<String> = cells.collect();
        line(
            out,
            &format!("| {} | {} |", cells.join(" | "), carried(claim)),
        );
    }
    line(out, "");
}

fn governance(guideline: &Guideline, out: &mut String) {
    let accessibility = &guideline.governance.accessibility;
    line(out, "");
    line(
        out,
        &format!(
            "Lowest contrast of text: {}:1. Nothing in this guideline allows publishing, outreach or changes to a CRM.",
            accessibility.min_contrast_ratio
        ),
    );
    if !accessibility.failing_pairs.is_empty() {
        line(out, "");
        line(out, "| text | ground | contrast |");
        line(out, "| --- | --- | --- |");
        for pair in &accessibility.failing_pairs {
            let (text, ground) = (escape(&pair.foreground), escape(&pair.background));
            line(out, &format!("| {text} | {ground} | {:.2}:1 |", pair.ratio));
        }
    }
}

fn applications(guideline: &Guideline, out: &mut String) {
    heading("applications", out);
    let applications = &guideline.applications;
    if applications.rules.is_empty() && applications.examples.is_empty() {
        line(out, "No rule follows from what is known.");
    }
    for rule in &applications.rules {
        let from = pointers(&rule.derived_from);
        line(
            out,
            &format!(
                "- {}: {} ({from})",
                rule.surface.as_str(),
                escape(&rule.rule)
            ),
        );
    }
    for example in &applications.examples {
        let from = pointers(&example.derived_from);
        line(
            out,
            &format!(
                "- {}, for example: {} ({from})",
                example.surface.as_str(),
                escape(&example.text)
            ),
        );
    }
}

fn unknowns(guideline: &Guideline, out: &mut String) {
    heading("unknown", out);
    if guideline.research.unknowns.is_empty() {
        line(out, "Nothing.");
    }
    for unknown in &guideline.research.unknowns {
        let reason = serde_json::to_value(unknown.reason).unwrap_or_default();
        let reason = reason.as_str().unwrap_or_default().replace('_', " ");
        line(out, &format!("- {}: {reason}", code(&unknown.pointer)));
    }
}

fn conflicts(guideline: &Guideline, out: &mut String) {
    heading("conflicts", out);
    if guideline.research.conflicts.is_empty() {
        line(out, "None.");
    }
    for conflict in &guideline.research.conflicts {
        line(out, &format!("- {}:", code(&conflict.pointer)));
        for candidate in &conflict.candidates {
            let notes: String = candidate
                .source_ids
                .iter()
                .map(|id| format!("[^{}]", footnote(id)))
                .collect();
            line(out, &format!("  - {} {notes}", words(&candidate.value)));
        }
    }
}

fn changes(guideline: &Guideline, out: &mut String) {
    heading("changes", out);
    for change in guideline.governance.change_log.iter().rev() {
        let what = match change.changed_pointers.len() {
            0 => "nothing changed".to_owned(),
            1 => pointers(&change.changed_pointers),
            count => format!("{count} places: {}", pointers(&change.changed_pointers)),
        };
        line(
            out,
            &format!("- Revision {}, {}: {what}", change.revision, change.at),
        );
    }
}

fn sources(guideline: &Guideline, out: &mut String) {
    heading("sources", out);
    if guideline.research.sources.is_empty() {
        line(out, "None.");
    }
    for source in &guideline.research.sources {
        let title = source
            .title
            .as_deref()
            .map(|title| format!("{}, ", escape(title)));
        let kind = serde_json::to_value(source.kind).unwrap_or_default();
        line(
            out,
            &format!(
                "[^{}]: {}{} ({}), read {}, `{}`.",
                footnote(&source.id),
                title.unwrap_or_default(),
                address(&source.final_url),
                kind.as_str().unwrap_or_default().replace('_', " "),
                source.retrieved_at,
                source.content_digest,
            ),
        );
        line(out, "");
    }
}

fn pointers(pointers: &[String]) -> String {
    pointers
        .iter()
        .map(|p| code(p))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A pointer of the guideline as code; safe, because pointers consist of field names and numbers.
fn code(pointer: &str) -> String {
    let plain: String = pointer
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '_' | '-' | '~'))
        .collect();
    format!("`{plain}`")
}

/// A footnote's name; safe, because ids of sources are `src_` and a number.
fn footnote(id: &str) -> String {
    id.chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect()
}

/// A source's address as a link, if it can stand unchanged between angle brackets.
fn address(url: &str) -> String {
    let web = url.starts_with("https://") || url.starts_with("http://");
    let plain = url
        .chars()
        .all(|c| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '\\' | '`' | '|'));
    if web && plain {
        format!("<{url}>")
    } else {
        escape(url)
    }
}

/// Escapes text so that Markdown shows it unchanged, on one line. ASCII punctuation with a meaning in
/// CommonMark or its common extensions gets a backslash; so do `:` and `@` where a renderer would turn the
/// text around them into a link, and a dot after `www`.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut gap = false;
    for letter in text.chars() {
        if letter.is_whitespace() || letter.is_control() {
            gap = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            out.push(' ');
        }
        let escaped = match letter {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '^'
            | '$' | '&' | '=' | '@' | '!' | ':' => true,
            // These start a list or a rule at the beginning of a line; elsewhere they mean nothing.
            '+' | '-' => out.is_empty(),
            '.' => out.bytes().all(|b| b.is_ascii_digit()) || ends_with_www(&out),
            _ => false,
        };
        if escaped {
            out.push('\\');
        }
        out.push(letter);
    }
    // A numbered list may also use a closing bracket.
    let digits = out.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=9).contains(&digits) && out[digits..].starts_with(')') {
        out.insert(digits, '\\');
    }
    out
}

fn ends_with_www(text: &str) -> bool {
    let tail = text.len().saturating_sub(3);
    text.get(tail..)
        .is_some_and(|t| t.eq_ignore_ascii_case("www"))
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
