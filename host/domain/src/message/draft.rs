//! A backend's draft of a template: plain texts with tokens and links, read into the closed structure. DANGER: a
//! model wrote it, so everything that is not literal text, a listed token or an https link is refused. What literal
//! text must not have, such as markup, is told by the rules of a structure.
//!
//! - `{{name}}` is a placeholder of the list, without spaces.
//! - `[label](target)` is a link to an https address, to `{{offer.url}}` or to `{{next_step.url}}`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::characters::clean;
use super::link::HttpsAddress;
use super::placeholder::{Placeholder, ValueKind};
use super::rendered::MessageFault;
use super::structure::{Block, BlockKind, Href, Inline, MAX_FAULTS, Structure, marks_of};

/// Longest target of a link, in code points; what is longer is no link.
const LINK_CHARS: usize = 2100;
/// Longest text that is read, in code points.
const LINE_CHARS: usize = 10_000;
/// Most pieces of a text that are read.
const LINE_INLINES: usize = 100;
/// Most blocks that are read.
const MAX_BLOCKS: usize = 20;

/// Reads `{subject, preview_text, blocks: [{kind, text, optional, fallback}]}`. Its blocks are called b1, b2 and so
/// on. `preview_text`, `fallback` and `optional` may be left out. Whether the result keeps the rules of a structure
/// is said by [`check`](super::structure::check()).
///
/// # Errors
/// What cannot be read, with pointers into the draft, at most [`MAX_FAULTS`].
pub fn read(draft: &Value) -> Result<Structure, Vec<MessageFault>> {
    let mut reader = Reader::default();
    let structure = reader.draft(draft);
    match structure {
        Some(structure) if reader.faults.is_empty() => Ok(structure),
        _ => {
            reader.marks();
            Err(reader.faults)
        }
    }
}

/// Where in the draft stands what a pointer into the structure read from it names.
#[must_use]
pub fn pointer_into_draft(pointer: &str) -> String {
    let mut segments = pointer.split('/').skip(1);
    match (segments.next(), segments.next(), segments.next()) {
        (Some("blocks"), Some(index), Some("inlines")) => format!("/blocks/{index}/text"),
        (Some("blocks"), Some(index), Some("fallback")) => format!("/blocks/{index}/fallback"),
        (Some(line @ ("subject" | "preview_text")), ..) => format!("/{line}"),
        _ => pointer.to_owned(),
    }
}

#[derive(Default)]
struct Reader {
    faults: Vec<MessageFault>,
    /// The texts that were read, and where they stand.
    texts: Vec<(String, Vec<Inline>)>,
}

impl Reader {
    /// DANGER: a draft of nothing but faults must not take memory for each.
    fn fault(&mut self, pointer: &str, rule: &str, message: impl Into<String>) {
        if self.is_full() {
            return;
        }
        self.faults.push(MessageFault::new(pointer, rule, message));
    }

    const fn is_full(&self) -> bool {
        self.faults.len() >= MAX_FAULTS
    }

    fn shape(&mut self, pointer: &str, message: &str) {
        self.fault(pointer, "draft_shape", message);
    }

    /// What is wrong with the texts besides, since no structure is checked.
    fn marks(&mut self) {
        for (at, inlines) in std::mem::take(&mut self.texts) {
            let faults = marks_of(&inlines, &at, !at.starts_with("/blocks"));
            let room = MAX_FAULTS.saturating_sub(self.faults.len());
            self.faults.extend(faults.into_iter().take(room));
        }
    }

    fn draft(&mut self, draft: &Value) -> Option<Structure> {
        let members = self.object(draft, "", &["subject", "preview_text", "blocks"])?;
        let subject = self.line(members.get("subject"), "/subject");
        if subject.is_none() {
            self.shape("/subject", "The subject must be a text that is not blank.");
        }
        let preview_text = self.optional_line(members, "preview_text", "/preview_text");
        let Some(Value::Array(blocks)) = members.get("blocks") else {
            self.shape("/blocks", "The blocks must be a list.");
            return None;
        };
        if blocks.len() > MAX_BLOCKS {
            self.fault(
                "/blocks",
                "block_count",
                format!("A draft must have at most {MAX_BLOCKS} blocks."),
            );
            return None;
        }
        let read = blocks
            .iter()
            .enumerate()
            .map(|(index, block)| self.block(block, index))
            .collect::<Vec<_>>();
        Some(Structure {
            subject: subject?,
            preview_text,
            blocks: read.into_iter().collect::<Option<_>>()?,
        })
    }

    fn object<'v>(
        &mut self,
        value: &'v Value,
        at: &str,
        names: &[&str],
    ) -> Option<&'v Map<String, Value>> {
        let Some(members) = value.as_object() else {
            self.shape(at, "This must be an object.");
            return None;
        };
        // DANGER: a backend chose the name, and the fault is shown (decision 0055), so it points to what has it.
        if members.keys().any(|it| !names.contains(&it.as_str())) {
            let known = names.join(", ");
            self.shape(
                at,
                &format!("This has a member that it must not have; known are {known}."),
            );
        }
        Some(members)
    }

    fn block(&mut self, value: &Value, index: usize) -> Option<Block> {
        let at = format!("/blocks/{index}");
        let members = self.object(value, &at, &["kind", "text", "optional", "fallback"])?;
        let kind = members.get("kind").and_then(Value::as_str);
        let kind = BlockKind::ALL
            .into_iter()
            .find(|it| Some(it.as_str()) == kind);
        if kind.is_none() {
            let known = BlockKind::ALL.map(BlockKind::as_str).join(", ");
            self.fault(
                &format!("{at}/kind"),
                "block_kind_unknown",
                format!("The kind must be one of {known}."),
            );
        }
        let text_at = format!("{at}/text");
        let inlines = self.line(members.get("text"), &text_at);
        if inlines.is_none() {
            self.shape(&text_at, "A block must have a text that is not blank.");
        }
        let optional = match members.get("optional") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(optional)) => *optional,
            Some(_) => {
                self.shape(&format!("{at}/optional"), "This must be true or false.");
                false
            }
        };
        let fallback = self.optional_line(members, "fallback", &format!("{at}/fallback"));
        Some(Block {
            id: format!("b{}", index + 1),
            kind: kind?,
            inlines: inlines?,
            optional,
            fallback,
        })
    }

    /// A line that may be missing, null or blank.
    fn optional_line(&mut self, members: &Map<String, Value>, name: &str, at: &str) -> Vec<Inline> {
        let value = members.get(name);
        if !matches!(value, None | Some(Value::Null | Value::String(_))) {
            self.shape(at, "This must be a text or null.");
        }
        self.line(value, at).unwrap_or_default()
    }

    /// The pieces of a text; nothing if it is blank or no text.
    fn line(&mut self, value: Option<&Value>, at: &str) -> Option<Vec<Inline>> {
        let text = value?.as_str()?;
        if text.chars().nth(LINE_CHARS).is_some() {
            self.fault(
                at,
                "text_too_long",
                format!("A text of a draft must have at most {LINE_CHARS} characters."),
            );
            return Some(Vec::new());
        }
        let text = clean(text);
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let mut line = LineReader {
            at,
            inlines: Vec::new(),
            literal: String::new(),
            tokens: 0,
            links: 0,
        };
        line.read(text, self);
        let inlines = line.inlines;
        self.texts.push((at.to_owned(), inlines.clone()));
        Some(inlines)
    }
}

struct LineReader<'r> {
    at: &'r str,
    inlines: Vec<Inline>,
    literal: String,
    tokens: usize,
    links: usize,
}

impl LineReader<'_> {
    fn read(&mut self, text: &str, reader: &mut Reader) {
        let ends = link_ends(text);
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if reader.is_full() {
                return;
            }
            if self.inlines.len() >= LINE_INLINES {
                reader.fault(
                    self.at,
                    "text_too_long",
                    format!("A text must have at most {LINE_INLINES} placeholders, links and texts between them."),
                );
                return;
            }
            if let Some(behind) = rest.strip_prefix("{{") {
                rest = self.token(behind, reader);
            } else if let Some((label, target, behind)) = link(text, text.len() - rest.len(), &ends)
            {
                self.link(label, target, reader);
                rest = behind;
            } else {
                if rest.starts_with("}}") {
                    reader.fault(
                        self.at,
                        "placeholder_not_allowed",
                        "}} ends a placeholder that has no beginning.",
                    );
                }
                self.literal.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        self.end_literal();
    }

    /// Reads what follows `{{` and returns what follows the token.
    fn token<'t>(&mut self, behind: &'t str, reader: &mut Reader) -> &'t str {
        self.tokens += 1;
        let number = self.tokens;
        let Some((name, behind)) = behind.split_once("}}") else {
            reader.fault(
                self.at,
                "placeholder_not_allowed",
                format!("Placeholder {number} of this text has no end."),
            );
            return "";
        };
        if let Some(placeholder) = Placeholder::from_name(name) {
            self.end_literal();
            let name = placeholder.name().to_owned();
            self.inlines.push(Inline::Var { name });
        } else {
            reader.fault(
                self.at,
                "placeholder_not_allowed",
                format!("Placeholder {number} of this text is not on the list."),
            );
        }
        behind
    }

    fn link(&mut self, label: &str, target: &str, reader: &mut Reader) {
        self.links += 1;
        let number = self.links;
        self.end_literal();
        if label.contains("{{") || label.contains("}}") {
            reader.fault(
                self.at,
                "placeholder_not_allowed",
                format!("The label of link {number} of this text must be literal."),
            );
        }
        let href = if target.contains("{{") {
            let name = target
                .strip_prefix("{{")
                .and_then(|name| name.strip_suffix("}}"));
            let url = name
                .and_then(Placeholder::from_name)
                .filter(|it| it.kind() == ValueKind::HttpsUrl);
            let Some(url) = url else {
                reader.fault(
                    self.at,
                    "placeholder_not_allowed",
                    format!(
                        "Link {number} of this text must lead to an https address, to {{{{offer.url}}}} or to {{{{next_step.url}}}}."
                    ),
                );
                return;
            };
            Href::Var(url.name().to_owned())
        } else {
            match HttpsAddress::read(target) {
                Ok(address) => Href::Https(address.as_str().to_owned()),
                Err(fault) => {
                    reader.fault(
                        self.at,
                        fault.rule(),
                        format!("Link {number} of this text {fault}."),
                    );
                    return;
                }
            }
        };
        let label = label.to_owned();
        self.inlines.push(Inline::Link { href, label });
    }

    fn end_literal(&mut self) {
        if !self.literal.is_empty() {
            let v = std::mem::take(&mut self.literal);
            self.inlines.push(Inline::Text { v });
        }
    }
}

/// For each opening parenthesis that is closed soon enough, where it is: both in bytes. DANGER: a text of nothing but
/// beginnings of links would take a time that grows with its square if each looked for its own end.
fn link_ends(text: &str) -> BTreeMap<usize, usize> {
    let mut open = Vec::new();
    let mut ends = BTreeMap::new();
    for (count, (at, c)) in text.char_indices().enumerate() {
        match c {
            '(' => open.push((count, at)),
            ')' => {
                if let Some((opened, begin)) = open.pop()
                    && count - opened <= LINK_CHARS
                {
                    ends.insert(begin, at);
                }
            }
            _ => {}
        }
    }
    ends
}

/// The label and the target of a link that begins at this byte, and what follows it.
fn link<'t>(
    text: &'t str,
    at: usize,
    ends: &BTreeMap<usize, usize>,
) -> Option<(&'t str, &'t str, &'t str)> {
    let inner = text.get(at..)?.strip_prefix('[')?;
    let (label, behind) = inner.split_at(inner.find(['[', ']'])?);
    let target = behind.strip_prefix("](")?;
    let begin = text.len() - target.len();
    let end = *ends.get(&(begin - 1))?;
    Some((label, text.get(begin..end)?, text.get(end + 1..)?))
}

#[cfg(test)]
mod tests;
