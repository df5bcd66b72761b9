//! The closed structure of a message template (annex A4.2), and [the rules](check()) that keep it closed. What
//! its words say is judged elsewhere.

mod check;
mod cleaning;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use check::{BLOCKS, MAX_FAULTS, TEXT_CHARS, check};
pub(super) use check::{SUBJECT_CHARS, marks_of};

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "t", rename_all = "snake_case", deny_unknown_fields)]
pub enum Inline {
    /// Literal text.
    Text {
        /// The text, at most 600 code points.
        v: String,
    },
    /// A placeholder.
    Var {
        /// Such as `company.name`.
        name: String,
    },
    /// A link.
    Link {
        /// Where it leads.
        href: Href,
        /// What is shown.
        label: String,
    },
}

impl Inline {
    /// The words that its author wrote, those of a link's label among them.
    fn own_words(&self) -> Option<&str> {
        match self {
            Self::Text { v: words } | Self::Link { label: words, .. } => Some(words),
            Self::Var { .. } => None,
        }
    }
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Href {
    /// To the value of `offer.url` or `next_step.url`.
    Var(String),
    /// To a fixed https address.
    Https(String),
}

/// What a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    Greeting,
    Opening,
    EvidenceHook,
    Value,
    Proof,
    Cta,
    SignOff,
    Signature,
    PostalIdentity,
    PrivacyNotice,
    OptOut,
}

impl BlockKind {
    /// All kinds, in the order of annex A4.2.
    pub const ALL: [Self; 11] = [
        Self::Greeting,
        Self::Opening,
        Self::EvidenceHook,
        Self::Value,
        Self::Proof,
        Self::Cta,
        Self::SignOff,
        Self::Signature,
        Self::PostalIdentity,
        Self::PrivacyNotice,
        Self::OptOut,
    ];

    /// The value of a block's `kind`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Greeting => "greeting",
            Self::Opening => "opening",
            Self::EvidenceHook => "evidence_hook",
            Self::Value => "value",
            Self::Proof => "proof",
            Self::Cta => "cta",
            Self::SignOff => "sign_off",
            Self::Signature => "signature",
            Self::PostalIdentity => "postal_identity",
            Self::PrivacyNotice => "privacy_notice",
            Self::OptOut => "opt_out",
        }
    }
}

/// A paragraph of the message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Unique in its structure.
    #[schema(max_length = 40)]
    pub id: String,
    /// What it is for.
    #[schema(inline)]
    pub kind: BlockKind,
    /// Its pieces.
    pub inlines: Vec<Inline>,
    /// Whether it is dropped when one of its values is missing and it has no fallback.
    pub optional: bool,
    /// What stands in its place when one of its values is missing; empty for none.
    pub fallback: Vec<Inline>,
}

/// A whole template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Structure {
    /// The subject line, 1 to 6 pieces without a link.
    pub subject: Vec<Inline>,
    /// What a mailbox shows beside the subject; empty for none.
    pub preview_text: Vec<Inline>,
    /// 3 to 14 blocks in order; the last one is the opt-out notice.
    pub blocks: Vec<Block>,
}

impl Structure {
    /// All its pieces, in order.
    fn inlines(&self) -> impl Iterator<Item = &Inline> {
        let of_blocks = self.blocks.iter();
        let of_blocks = of_blocks.flat_map(|block| block.inlines.iter().chain(&block.fallback));
        let of_head = self.subject.iter().chain(&self.preview_text);
        of_head.chain(of_blocks)
    }
}
