//! Signs within a text that no brief has, and that are gone before anybody reads it.

use gtm_document_model::block::{Block, Item};
use gtm_document_model::text::Run;

use super::Part;

/// The end of a line that is no end of a text. Whoever reads on turns it into a blank.
pub const SOFT_BREAK: &str = "\u{b}";
pub const SOFT_BREAK_CHAR: char = '\u{b}';
/// Stands before a sentence that an order asked for word for word: it is content wherever it stands.
pub const ASKED_FOR: &str = "\u{1}";
/// All of these signs.
pub const SIGNS: [char; 2] = [SOFT_BREAK_CHAR, '\u{1}'];

/// The part with blanks where its lines end, and with one where a sentence was taken out between two.
pub fn settled(part: Part) -> Part {
    fn runs(of: &mut Vec<Run>) {
        for run in of.iter_mut().filter(|run| run.text.contains(SIGNS)) {
            run.text = run.text.replace(SOFT_BREAK, " ");
            run.text = run.text.replace(ASKED_FOR, "");
        }
        crate::runs::single_spaced(of);
    }
    fn items(of: &mut [Item]) {
        for item in of {
            runs(&mut item.runs);
            items(&mut item.items);
        }
    }
    match part {
        Part::Heading {
            level,
            runs: mut of,
        } => {
            runs(&mut of);
            Part::Heading { level, runs: of }
        }
        Part::Block(mut block) => {
            match &mut block {
                Block::Paragraph(of) => runs(&mut of.runs),
                Block::Quote(of) => runs(&mut of.runs),
                Block::Callout(of) => runs(&mut of.runs),
                Block::Bullets(of) => items(&mut of.items),
                _ => {}
            }
            Part::Block(block)
        }
    }
}
