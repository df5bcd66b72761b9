//! The lines of a message with their values in place: what plain text and HTML are both made of.

use unicode_segmentation::UnicodeSegmentation as _;

use super::values::{FilledValue, Values};
use crate::message::characters::clean;
use crate::message::directions::mark_behind;
use crate::message::link::HttpsAddress;
use crate::message::placeholder::Placeholder;
use crate::message::rendered::{MessageFault, PieceSource};
use crate::message::structure::{Block, BlockKind, Href, Inline, Structure};

/// A piece of a line as it is shown.
pub(super) struct Part {
    /// The text; of a link, its label.
    pub text: String,
    pub source: PieceSource,
    pub link: Option<LinkPart>,
}

/// Where a link leads.
pub(super) struct LinkPart {
    pub address: HttpsAddress,
    pub source: PieceSource,
}

/// A line without spaces at its ends.
pub(super) struct Line(pub Vec<Part>);

/// A block that stands in the message.
pub(super) struct Paragraph {
    pub line: Line,
    pub kind: BlockKind,
    /// Index of its block in the structure.
    pub index: usize,
}

pub(super) struct Body {
    pub subject: Line,
    pub preview: Line,
    pub paragraphs: Vec<Paragraph>,
    /// Ids of optional blocks that were dropped.
    pub dropped: Vec<String>,
    /// Ids of blocks whose fallback stands in their place.
    pub fallbacks: Vec<String>,
}

/// Why a line cannot be filled.
enum Unfilled {
    Missing(Placeholder),
    /// The structure breaks a rule: its address, or the name of a placeholder.
    Broken,
}

impl Body {
    /// `from_right` says that the template's language is written from the right.
    pub fn filled(
        structure: &Structure,
        values: &Values,
        from_right: bool,
    ) -> Result<Self, Vec<MessageFault>> {
        let whole = |inlines: &[Inline], at: &str| {
            whole(inlines, at, values).map(|line| line.in_order(from_right))
        };
        let mut body = Self {
            subject: whole(&structure.subject, "/subject")?,
            preview: whole(&structure.preview_text, "/preview_text")?,
            paragraphs: Vec::new(),
            dropped: Vec::new(),
            fallbacks: Vec::new(),
        };
        for (index, block) in structure.blocks.iter().enumerate() {
            if let Some(line) = body.block(block, index, values)? {
                body.paragraphs.push(Paragraph {
                    line: line.in_order(from_right),
                    kind: block.kind,
                    index,
                });
            }
        }
        Ok(body)
    }

    fn block(
        &mut self,
        block: &Block,
        index: usize,
        values: &Values,
    ) -> Result<Option<Line>, Vec<MessageFault>> {
        match Line::filled(&block.inlines, values) {
            Ok(line) if block.kind == BlockKind::Signature => Ok(Some(line.named_once())),
            Ok(line) => Ok(Some(line)),
            Err(Unfilled::Missing(_)) if !block.fallback.is_empty() => {
                self.fallbacks.push(block.id.clone());
                let at = format!("/structure/blocks/{index}/fallback");
                whole(&block.fallback, &at, values).map(Some)
            }
            Err(Unfilled::Missing(_)) if block.optional => {
                self.dropped.push(block.id.clone());
                Ok(None)
            }
            Err(unfilled) => Err(vec![unfilled.fault(&format!("/structure/blocks/{index}"))]),
        }
    }

    /// Words from greeting to sign-off, as Unicode separates them (UAX #29); addresses of links are none.
    pub fn words(&self) -> usize {
        let read = self.paragraphs.iter().filter(|it| is_counted(it.kind));
        read.map(|it| it.line.text().unicode_words().count()).sum()
    }

    pub fn links(&self) -> usize {
        let lines = self.paragraphs.iter().flat_map(|it| &it.line.0);
        lines.filter(|part| part.link.is_some()).count()
    }
}

/// Whether a block's words count: those of the signature and the notices do not.
const fn is_counted(kind: BlockKind) -> bool {
    !matches!(
        kind,
        BlockKind::Signature
            | BlockKind::PostalIdentity
            | BlockKind::PrivacyNotice
            | BlockKind::OptOut
    )
}

/// A line that nothing can stand in for.
fn whole(inlines: &[Inline], at: &str, values: &Values) -> Result<Line, Vec<MessageFault>> {
    Line::filled(inlines, values).map_err(|unfilled| vec![unfilled.fault(at)])
}

impl Unfilled {
    fn fault(self, at: &str) -> MessageFault {
        match self {
            Self::Missing(placeholder) => {
                let name = placeholder.name();
                MessageFault::new(
                    format!("/values/{name}"),
                    "required_value_missing",
                    format!("The template cannot be filled without {name}."),
                )
            }
            Self::Broken => MessageFault::new(
                at,
                "structure_not_closed",
                "The structure breaks a rule and cannot be filled.",
            ),
        }
    }
}

/// Brackets in which a name may stand.
const BRACKETS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('（', '）')];

impl Line {
    fn filled(inlines: &[Inline], values: &Values) -> Result<Self, Unfilled> {
        let parts = inlines.iter().map(|inline| part(inline, values));
        let mut parts: Vec<Part> = parts.collect::<Result<_, _>>()?;
        without_second_stops(&mut parts);
        Ok(Self(trimmed(parts)))
    }

    /// Without the organization, if a name or role before it ends with it: `Ana Reyes, Meters Ltd, Meters Ltd`.
    fn named_once(mut self) -> Self {
        let is = |part: &Part, name| part.source == PieceSource::Value(name) && part.link.is_none();
        let organization = |part: &Part| is(part, Placeholder::SenderOrganization);
        let Some(at) = self.0.iter().position(organization) else {
            return self;
        };
        let name = self.0[at].text.to_lowercase();
        let says = |part: &Part| {
            let told = part.text.to_lowercase();
            let before = told.trim_end().strip_suffix(name.as_str());
            (is(part, Placeholder::SenderFullName) || is(part, Placeholder::SenderRole))
                && before.is_some_and(|it| !it.ends_with(char::is_alphanumeric))
        };
        let is_joint = |part: &Part| {
            part.source == PieceSource::Literal
                && part.link.is_none()
                && !part.text.contains(char::is_alphanumeric)
        };
        if self.0[..at].iter().any(says) {
            let joined = at
                .checked_sub(1)
                .filter(|before| is_joint(&self.0[*before]));
            // The bracket around the name goes with it.
            let opened = joined.and_then(|at| self.0[at].text.trim_end().chars().next_back());
            let closing = BRACKETS
                .iter()
                .find_map(|(open, close)| (opened == Some(*open)).then_some(*close));
            if let Some((closing, next)) = closing.zip(self.0.get_mut(at + 1))
                && next.source == PieceSource::Literal
                && next.link.is_none()
                && let Some(rest) = next.text.trim_start().strip_prefix(closing)
            {
                next.text = rest.to_owned();
            }
            self.0.drain(joined.unwrap_or(at)..=at);
        }
        Self(trimmed(self.0))
    }

    /// The same, so that what stands behind a value in the other direction stays there.
    fn in_order(self, from_right: bool) -> Self {
        let mut parts: Vec<Part> = Vec::with_capacity(self.0.len());
        let mut mark = None;
        for mut part in self.0 {
            if let Some(mark) = mark.take() {
                match part.source == PieceSource::Literal && part.link.is_none() {
                    true => part.text.insert(0, mark),
                    false => parts.push(Part {
                        text: String::from(mark),
                        source: PieceSource::Literal,
                        link: None,
                    }),
                }
            }
            if matches!(part.source, PieceSource::Value(_)) && part.link.is_none() {
                mark = mark_behind(&part.text, from_right);
            }
            parts.push(part);
        }
        Self(parts)
    }

    /// What is shown, without the addresses of links.
    pub fn text(&self) -> String {
        self.0.iter().map(|part| part.text.as_str()).collect()
    }
}

/// A value may be a sentence of its own, with the stop at its end; the stop that the template has behind it is not printed
/// then.
fn without_second_stops(parts: &mut [Part]) {
    let mut is_ended = false;
    for part in parts {
        let is_value = matches!(part.source, PieceSource::Value(_)) && part.link.is_none();
        if is_ended
            && part.source == PieceSource::Literal
            && part.link.is_none()
            && let Some(rest) = part.text.strip_prefix(['.', '。'])
            && !rest.starts_with('.')
        {
            part.text = rest.to_owned();
        }
        is_ended = is_value
            && part
                .text
                .trim_end()
                .ends_with(['.', '!', '?', '…', '。', '！', '？']);
    }
}

fn part(inline: &Inline, values: &Values) -> Result<Part, Unfilled> {
    match inline {
        Inline::Text { v } => Ok(Part {
            text: clean(v),
            source: PieceSource::Literal,
            link: None,
        }),
        Inline::Var { name } => {
            let (placeholder, value) = value(name, values)?;
            let source = PieceSource::Value(placeholder);
            Ok(match value {
                FilledValue::Text(text) => Part {
                    text: text.clone(),
                    source,
                    link: None,
                },
                FilledValue::Link(address) => Part {
                    text: address.host().to_owned(),
                    source,
                    link: Some(LinkPart {
                        address: address.clone(),
                        source,
                    }),
                },
            })
        }
        Inline::Link { href, label } => Ok(Part {
            text: clean(label).trim().to_owned(),
            source: PieceSource::Literal,
            link: Some(link(href, values)?),
        }),
    }
}

fn link(href: &Href, values: &Values) -> Result<LinkPart, Unfilled> {
    match href {
        Href::Https(text) => {
            let address = HttpsAddress::read(text).map_err(|_| Unfilled::Broken)?;
            let source = PieceSource::Literal;
            Ok(LinkPart { address, source })
        }
        Href::Var(name) => match value(name, values)? {
            (placeholder, FilledValue::Link(address)) => Ok(LinkPart {
                address: address.clone(),
                source: PieceSource::Value(placeholder),
            }),
            (_, FilledValue::Text(_)) => Err(Unfilled::Broken),
        },
    }
}

fn value<'v>(name: &str, values: &'v Values) -> Result<(Placeholder, &'v FilledValue), Unfilled> {
    let placeholder = Placeholder::from_name(name).ok_or(Unfilled::Broken)?;
    let value = values.get(&placeholder);
    Ok((placeholder, value.ok_or(Unfilled::Missing(placeholder))?))
}

/// Without spaces at the ends, and without what is then empty.
fn trimmed(mut parts: Vec<Part>) -> Vec<Part> {
    for part in &mut parts {
        part.text = part.text.trim_start().to_owned();
        if !part.text.is_empty() {
            break;
        }
    }
    for part in parts.iter_mut().rev() {
        part.text.truncate(part.text.trim_end().len());
        if !part.text.is_empty() {
            break;
        }
    }
    parts.retain(|part| !part.text.is_empty() || part.link.is_some());
    parts
}
