//! The texts of a structure without the characters that no message may have.

use super::{Block, Inline, Structure};
use crate::message::characters::clean;

impl Structure {
    /// The same structure with [cleaned](clean) texts and labels: line breaks and tabs become spaces, control
    /// characters and direction overrides go, the rest is in normal form C. Limits are for what is left.
    #[must_use]
    pub fn cleaned(self) -> Self {
        Self {
            subject: line(self.subject),
            preview_text: line(self.preview_text),
            blocks: self.blocks.into_iter().map(block).collect(),
        }
    }
}

fn block(block: Block) -> Block {
    Block {
        inlines: line(block.inlines),
        fallback: line(block.fallback),
        ..block
    }
}

fn line(inlines: Vec<Inline>) -> Vec<Inline> {
    let cleaned = inlines.into_iter().map(|inline| match inline {
        Inline::Text { v } => Inline::Text { v: clean(&v) },
        Inline::Link { href, label } => Inline::Link {
            href,
            label: clean(&label),
        },
        variable @ Inline::Var { .. } => variable,
    });
    cleaned.collect()
}
