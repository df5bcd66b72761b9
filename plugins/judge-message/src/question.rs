//! What the judge is asked. The manifest's input schema says the same.

use serde::Deserialize;

/// A draft, and what it was written for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub rubric_version: String,
    /// BCP 47 tag of the copy.
    pub language: String,
    /// Whom it is written for. The copy isn't compared with it, since general words such as "operations" stand there, too;
    /// but what an audience is called presses nobody.
    pub audience: String,
    /// What it is meant to achieve.
    pub objective: String,
    /// What the recipient is asked to do.
    pub desired_next_step: String,
    /// What the offer says, text by text, or the summary that stands for it.
    pub offer: Vec<String>,
    /// Those of these texts that say what it is worth to its buyer. A summary has none.
    #[serde(default)]
    pub value_propositions: Vec<String>,
    /// Subject with `{{name}}` placeholders.
    pub subject: String,
    /// The blocks, in order.
    pub blocks: Vec<Block>,
}

/// A block of the draft.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// What it is for.
    pub kind: BlockKind,
    /// Its text with `{{name}}` placeholders and `[label](address)` links.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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
    /// Whether it carries the message: courtesies and what the law asks for don't.
    pub const fn is_copy(self) -> bool {
        matches!(
            self,
            Self::Opening | Self::EvidenceHook | Self::Value | Self::Proof | Self::Cta
        )
    }
}
