//! The lines of a part of the brief, and the part without some of them: a paragraph has several, a list one for each item.

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::plain_text;

use super::Part;
use super::soft_breaks::SOFT_BREAK_CHAR;
use crate::runs::{part_of, trimmed};

/// The lines of a heading, a paragraph or a list, as they stand.
pub fn lines_of(part: &Part) -> Vec<String> {
    let lines = |text: String| -> Vec<String> {
        let lines = text.split(['\n', SOFT_BREAK_CHAR]);
        lines.map(str::to_owned).collect()
    };
    match part {
        Part::Heading { runs, .. } => lines(plain_text(runs)),
        Part::Block(Block::Paragraph(paragraph)) => lines(plain_text(&paragraph.runs)),
        Part::Block(Block::Bullets(list)) => {
            let items = list.items.iter();
            items
                .flat_map(|item| lines(plain_text(&item.runs)))
                .collect()
        }
        Part::Block(_) => Vec::new(),
    }
}

/// The part without the lines that are not kept; none where nothing is left. Items with a list of their own stay.
pub fn retain(part: Part, mut keeps: impl FnMut(&str) -> bool) -> Option<Part> {
    match part {
        Part::Heading { level, runs } => {
            keeps(&plain_text(&runs)).then_some(Part::Heading { level, runs })
        }
        Part::Block(Block::Paragraph(paragraph)) => {
            let text = plain_text(&paragraph.runs);
            let mut kept = Vec::new();
            let mut begin = 0;
            let mut is_whole = true;
            for line in text.split_inclusive(['\n', SOFT_BREAK_CHAR]) {
                let end = begin + line.len();
                match keeps(line.trim_end_matches(['\n', SOFT_BREAK_CHAR])) {
                    true => kept.push(begin..end),
                    false => is_whole = false,
                }
                begin = end;
            }
            if is_whole {
                return Some(Part::Block(Block::Paragraph(paragraph)));
            }
            let runs = trimmed(part_of(&paragraph.runs, &kept));
            (!runs.is_empty()).then_some(Part::Block(Block::Paragraph(Paragraph::of(runs))))
        }
        Part::Block(Block::Bullets(mut list)) => {
            list.items
                .retain(|item| !item.items.is_empty() || keeps(&plain_text(&item.runs)));
            (!list.items.is_empty()).then_some(Part::Block(Block::Bullets(list)))
        }
        part => Some(part),
    }
}

#[cfg(test)]
mod tests {
    use gtm_document_model::block::{Bullets, Item};
    use gtm_document_model::text::Run;

    use super::*;

    fn paragraph(text: &str) -> Part {
        let runs = vec![Run::plain(text)];
        Part::Block(Block::Paragraph(Paragraph::of(runs)))
    }

    #[test]
    fn lines_go_and_the_others_stay_as_they_are() {
        let keeps = |line: &str| !line.starts_with("Ref");
        assert_eq!(
            retain(paragraph("Vela\nRef: 4\nLeeds"), keeps),
            Some(paragraph("Vela\nLeeds"))
        );
        assert_eq!(retain(paragraph("Ref: 4"), keeps), None);
        assert_eq!(retain(paragraph("Vela "), keeps), Some(paragraph("Vela ")));
        let item = |text: &str, items: Vec<Item>| Item {
            runs: vec![Run::plain(text)],
            items,
        };
        let list = |items: Vec<Item>| {
            Part::Block(Block::Bullets(Bullets {
                ordered: false,
                items,
            }))
        };
        let inner = item("Ref: 5", vec![item("Leeds", Vec::new())]);
        assert_eq!(
            retain(list(vec![item("Ref: 4", Vec::new()), inner.clone()]), keeps),
            Some(list(vec![inner]))
        );
        assert_eq!(retain(list(vec![item("Ref: 4", Vec::new())]), keeps), None);
        assert_eq!(lines_of(&paragraph("Vela\nLeeds")), ["Vela", "Leeds"]);
    }
}
