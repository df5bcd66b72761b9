//! Blocks of plain text: paragraphs separated by blank lines.

use crate::{Block, BlockKind};

/// One block per paragraph.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut paragraph = String::new();
    // `lines` splits at LF and CRLF; a lone CR is white space inside a line and collapses.
    for line in text.lines() {
        if line.trim().is_empty() {
            blocks.extend(Block::new(BlockKind::Paragraph, &paragraph));
            paragraph.clear();
        } else {
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    blocks.extend(Block::new(BlockKind::Paragraph, &paragraph));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_divide_paragraphs() {
        let texts: Vec<_> = blocks("one\r\ntwo\r\n \r\nthree\n\n\n\nfour")
            .into_iter()
            .map(|block| block.text)
            .collect();
        assert_eq!(texts, ["one two", "three", "four"]);
    }
}
