//! The rules of the closed structure. Each fault has the pointer of what breaks its rule, within the structure.

mod closing;
mod links;
mod marks;
mod sizes;

use std::collections::BTreeSet;

use unicode_normalization::is_nfc;

use self::links::target;
pub(in crate::message) use self::marks::marks_of;
use super::{Block, BlockKind, Href, Inline, Structure};
use crate::message::characters::{clean, is_overlay, is_refused};
use crate::message::link::label_shows_address;
use crate::message::lookalikes::is_mostly_latin;
use crate::message::placeholder::{Placeholder, ValueKind, ValueSource, not_listed};
use crate::message::rendered::MessageFault;
use crate::message::revision::{TemplateOptions, Variable};

/// Most faults that are told at once.
pub const MAX_FAULTS: usize = 50;

/// Longest subject, before and after it is filled, in code points.
pub(in crate::message) const SUBJECT_CHARS: usize = 150;

/// Fewest and most blocks.
pub const BLOCKS: (usize, usize) = (3, 14);
/// Longest literal text or label, in code points.
pub const TEXT_CHARS: usize = 600;
const ID_CHARS: usize = 40;

/// The kinds of which a structure has exactly one block.
const SINGLE: [BlockKind; 4] = [
    BlockKind::Cta,
    BlockKind::Signature,
    BlockKind::PostalIdentity,
    BlockKind::OptOut,
];

/// Holds a structure to the rules of annex A4.2. Returns the placeholders that it uses, each once, in the order in
/// which they first appear: subject, preview text, then the blocks, each with its fallback.
///
/// # Errors
/// What breaks a rule, at most [`MAX_FAULTS`]. Of a structure that is too large only that is told.
pub fn check(
    structure: &Structure,
    options: &TemplateOptions,
) -> Result<Vec<Variable>, Vec<MessageFault>> {
    let mut oversized = sizes::faults(structure);
    if !oversized.is_empty() {
        oversized.truncate(MAX_FAULTS);
        return Err(oversized);
    }
    let mut checker = Checker::of(structure.inlines());
    checker.subject(&structure.subject);
    checker.line(&structure.preview_text, "/preview_text", Line::Preview);
    checker.order(&structure.blocks);
    for (index, block) in structure.blocks.iter().enumerate() {
        checker.block(block, &format!("/blocks/{index}"));
    }
    checker.links(&structure.blocks, options.max_links);
    checker.faults.truncate(MAX_FAULTS);
    if checker.faults.is_empty() {
        Ok(checker.used.into_iter().map(variable).collect())
    } else {
        Err(checker.faults)
    }
}

fn variable(placeholder: Placeholder) -> Variable {
    Variable {
        name: placeholder.name().to_owned(),
        kind: placeholder.kind(),
        max_length: placeholder.max_chars(),
        required: placeholder.is_required(),
        source: placeholder.source(),
    }
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Subject,
    Preview,
    /// A block's text.
    Block {
        kind: BlockKind,
        /// Whether something happens when one of its values is missing.
        can_miss: bool,
    },
    Fallback(BlockKind),
}

impl Line {
    const fn kind(self) -> Option<BlockKind> {
        match self {
            Self::Subject | Self::Preview => None,
            Self::Block { kind, .. } | Self::Fallback(kind) => Some(kind),
        }
    }
}

#[derive(Default)]
struct Checker {
    faults: Vec<MessageFault>,
    /// Whether the structure is written in Latin letters.
    is_latin: bool,
    used: Vec<Placeholder>,
}

impl Checker {
    /// For a text of these pieces.
    fn of<'i>(inlines: impl Iterator<Item = &'i Inline>) -> Self {
        let words: Vec<&str> = inlines.filter_map(Inline::own_words).collect();
        Self {
            is_latin: is_mostly_latin(&words.join("\n")),
            ..Self::default()
        }
    }

    fn fault(&mut self, pointer: impl Into<String>, rule: &str, message: impl Into<String>) {
        self.faults.push(MessageFault::new(pointer, rule, message));
    }

    fn subject(&mut self, subject: &[Inline]) {
        if subject.is_empty() {
            self.faults.push(sizes::subject_size());
        } else if is_blank(subject) {
            self.fault(
                "/subject",
                "subject_blank",
                "The subject must say something.",
            );
        }
        let literal = subject.iter().filter_map(literal_text);
        if literal.map(|text| text.chars().count()).sum::<usize>() > SUBJECT_CHARS {
            self.fault(
                "/subject",
                "subject_too_long",
                format!("The subject must have at most {SUBJECT_CHARS} characters."),
            );
        }
        self.line(subject, "/subject", Line::Subject);
    }

    /// How many blocks of which kind there are, and in which order.
    fn order(&mut self, blocks: &[Block]) {
        if blocks.len() < BLOCKS.0 {
            self.faults.push(sizes::block_count());
        }
        for kind in SINGLE {
            if !blocks.iter().any(|block| block.kind == kind) {
                let name = kind.as_str();
                self.fault(
                    "/blocks",
                    "block_missing",
                    format!("There must be exactly one block of the kind {name}."),
                );
            }
        }
        let mut kinds = BTreeSet::new();
        let mut ids = BTreeSet::new();
        for (index, block) in blocks.iter().enumerate() {
            let once = SINGLE.contains(&block.kind)
                || matches!(
                    block.kind,
                    BlockKind::EvidenceHook | BlockKind::PrivacyNotice
                );
            if once && !kinds.insert(block.kind.as_str()) {
                self.fault(
                    format!("/blocks/{index}/kind"),
                    "block_repeated",
                    format!(
                        "There may be only one block of the kind {}.",
                        block.kind.as_str()
                    ),
                );
            }
            if block.kind == BlockKind::OptOut && index + 1 < blocks.len() {
                self.fault(
                    format!("/blocks/{index}/kind"),
                    "opt_out_not_last",
                    "The opt-out notice must be the last block.",
                );
            }
            if !is_id(&block.id) {
                self.fault(
                    format!("/blocks/{index}/id"),
                    "block_id_invalid",
                    format!(
                        "An id has 1 to {ID_CHARS} ASCII letters, digits, hyphens, dots and underscores and begins with a letter or digit."
                    ),
                );
            } else if !ids.insert(block.id.as_str()) {
                self.fault(
                    format!("/blocks/{index}/id"),
                    "block_id_repeated",
                    "Another block has the same id.",
                );
            }
        }
    }

    fn block(&mut self, block: &Block, at: &str) {
        let kind = block.kind;
        let can_drop = block.optional && block.fallback.is_empty();
        let can_miss = block.optional || !block.fallback.is_empty();
        self.line(
            &block.inlines,
            &format!("{at}/inlines"),
            Line::Block { kind, can_miss },
        );
        self.line(
            &block.fallback,
            &format!("{at}/fallback"),
            Line::Fallback(kind),
        );
        if kind == BlockKind::OptOut {
            let notice = Placeholder::ComplianceOptOut.name();
            let only = matches!(block.inlines.as_slice(), [Inline::Var { name }] if name == notice);
            if !only || !block.fallback.is_empty() {
                let member = if only { "fallback" } else { "inlines" };
                self.fault(
                    format!("{at}/{member}"),
                    "opt_out_content",
                    format!("The opt-out notice consists of {notice} alone, without a fallback."),
                );
            }
            return;
        }
        self.closing(block, at);
        if is_blank(&block.inlines) {
            self.fault(
                format!("{at}/inlines"),
                "block_blank",
                "A block must say something.",
            );
        }
        if !block.fallback.is_empty() && is_blank(&block.fallback) {
            self.fault(
                format!("{at}/fallback"),
                "block_blank",
                "A fallback must say something, or be empty.",
            );
        }
        if SINGLE.contains(&kind)
            && can_drop
            && placeholders(&block.inlines).any(|it| !it.is_required())
        {
            self.fault(
                format!("{at}/optional"),
                "block_not_optional",
                format!(
                    "The block of the kind {} must not be dropped: give it a fallback.",
                    kind.as_str()
                ),
            );
        }
    }

    fn line(&mut self, inlines: &[Inline], at: &str, line: Line) {
        self.marks(inlines, at, line.kind().is_none());
        self.values_within_words(inlines, at);
        // Whether the literal text before ends with the first half of a token's opening.
        let mut open = false;
        for (index, inline) in inlines.iter().enumerate() {
            let at = format!("{at}/{index}");
            match inline {
                Inline::Text { v } => self.text(v, &format!("{at}/v"), &mut open),
                Inline::Var { name } => {
                    open = false;
                    self.variable(name, &format!("{at}/name"), line);
                }
                Inline::Link { href, label } => {
                    if line.kind().is_none() {
                        self.fault(&at, "link_not_allowed", "No link may stand here.");
                    }
                    self.text(label, &format!("{at}/label"), &mut open);
                    if label.trim().is_empty() {
                        self.fault(
                            format!("{at}/label"),
                            "label_blank",
                            "A link must have a label.",
                        );
                    } else if label_shows_address(label, target(href).as_ref()) {
                        self.fault(
                            format!("{at}/label"),
                            "label_is_address",
                            "A link's label must say in words where it leads, not show an address; the link's own host alone may stand there.",
                        );
                    }
                    self.href(href, &format!("{at}/href"), line);
                }
            }
        }
    }

    fn text(&mut self, text: &str, at: &str, open: &mut bool) {
        if text.chars().nth(TEXT_CHARS).is_some() {
            self.fault(
                at,
                "text_too_long",
                format!("A text must have at most {TEXT_CHARS} characters."),
            );
        }
        if text.contains(is_refused) {
            self.fault(
                at,
                "text_characters",
                "A text must not contain line breaks, control characters or direction overrides.",
            );
        } else if !is_nfc(text) {
            self.fault(
                at,
                "text_not_nfc",
                "A text must be in Unicode's normal form C.",
            );
        } else if text.contains(is_overlay) {
            self.fault(
                at,
                "text_characters",
                "A text must not contain marks that strike its letters through.",
            );
        } else if clean(text) != text {
            self.fault(
                at,
                "text_characters",
                "A text must not contain characters that nobody sees, such as a zero-width space or a letter of a tag.",
            );
        }
        if text.contains("{{") || (*open && text.starts_with('{')) {
            self.fault(
                at,
                "token_in_text",
                "A text must not contain {{; a placeholder is a piece of its own.",
            );
        }
        if !text.is_empty() {
            *open = text.ends_with('{');
        }
    }

    fn variable(&mut self, name: &str, at: &str, line: Line) {
        let Some(placeholder) = self.listed(name, at) else {
            return;
        };
        if placeholder.kind() == ValueKind::HttpsUrl && line.kind().is_none() {
            self.fault(at, "link_not_allowed", "No link may stand here.");
        }
        if placeholder == Placeholder::ComplianceOptOut && line.kind() != Some(BlockKind::OptOut) {
            self.fault(
                at,
                "placeholder_misplaced",
                "The opt-out notice stands in its own block only.",
            );
        }
        if line == Line::Preview && placeholder.source() == ValueSource::Caller {
            self.fault(
                at,
                "placeholder_misplaced",
                "What the caller writes stands in a block only, not in the preview text.",
            );
        }
        self.may_miss(placeholder, at, line);
    }

    /// The placeholder of this name, which is now used.
    fn listed(&mut self, name: &str, at: &str) -> Option<Placeholder> {
        let placeholder = Placeholder::from_name(name);
        match placeholder {
            Some(placeholder) if self.used.contains(&placeholder) => {}
            Some(placeholder) => self.used.push(placeholder),
            None => self.fault(at, "placeholder_not_allowed", not_listed(name)),
        }
        placeholder
    }

    /// A value that may be missing needs something that happens then.
    fn may_miss(&mut self, placeholder: Placeholder, at: &str, line: Line) {
        let settled = matches!(line, Line::Block { can_miss: true, .. });
        if placeholder.is_required() || settled {
            return;
        }
        let name = placeholder.name();
        let message = match line {
            Line::Subject | Line::Preview => {
                format!("The value of {name} may be missing, so it stands in a block only.")
            }
            Line::Block { .. } => format!(
                "The value of {name} may be missing, so its block must be optional or have a fallback."
            ),
            Line::Fallback(_) => {
                format!("The value of {name} may be missing, so no fallback may need it.")
            }
        };
        self.fault(at, "variable_without_fallback", message);
    }
}

fn literal_text(inline: &Inline) -> Option<&str> {
    match inline {
        Inline::Text { v } => Some(v),
        Inline::Var { .. } | Inline::Link { .. } => None,
    }
}

fn is_blank(inlines: &[Inline]) -> bool {
    let says_nothing =
        |inline: &Inline| literal_text(inline).is_some_and(|text| text.trim().is_empty());
    inlines.iter().all(says_nothing)
}

fn placeholders(inlines: &[Inline]) -> impl Iterator<Item = Placeholder> {
    inlines.iter().filter_map(|inline| match inline {
        Inline::Var { name }
        | Inline::Link {
            href: Href::Var(name),
            ..
        } => Placeholder::from_name(name),
        Inline::Text { .. } | Inline::Link { .. } => None,
    })
}

fn is_id(text: &str) -> bool {
    text.len() <= ID_CHARS
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
}

#[cfg(test)]
mod tests;
