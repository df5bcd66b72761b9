//! The texts of what a brief says, and how many words they have.

use gtm_document_model::block::Block;
use gtm_document_model::text::Run;
use gtm_document_model::{TextRole, Visitor, plain_text};

/// Every text of the blocks, in order.
#[must_use]
pub fn texts_of(blocks: &[Block]) -> Vec<String> {
    struct Texts(Vec<String>);
    impl<'d> Visitor<'d> for Texts {
        fn runs(&mut self, _: &str, _: TextRole, runs: &'d [Run]) {
            self.0.push(plain_text(runs));
        }
        fn line(&mut self, _: &str, role: TextRole, line: &'d str) {
            // An alternative text repeats what its chart says.
            if role != TextRole::Alt {
                self.0.push(line.to_owned());
            }
        }
    }
    let mut texts = Texts(Vec::new());
    gtm_document_model::walk_blocks(blocks, &mut texts);
    texts.0.retain(|text| !text.trim().is_empty());
    texts.0
}

/// The text of a paragraph; no other block has a single one.
#[must_use]
pub fn text_of(block: &Block) -> Option<String> {
    match block {
        Block::Paragraph(paragraph) => Some(plain_text(&paragraph.runs)),
        _ => None,
    }
}

/// About how many words the blocks have; two signs of a script without blanks count as one.
#[must_use]
pub fn words_of(blocks: &[Block]) -> usize {
    texts_of(blocks).iter().map(|text| count_words(text)).sum()
}

/// About how many words a text has.
#[must_use]
pub fn count_words(text: &str) -> usize {
    let unspaced = text
        .chars()
        .filter(|c| gtm_writing::excerpts::is_unspaced(*c))
        .count();
    let spaced = text
        .split_whitespace()
        .filter(|word| {
            word.chars()
                .any(|c| c.is_alphanumeric() && !gtm_writing::excerpts::is_unspaced(c))
        })
        .count();
    spaced + unspaced.div_ceil(2)
}
