//! Names in bold with which blocks begin, several beside each other: `<div><b>Stairs</b> Of oak and ash.</div>`. Nothing but
//! style parts them from the text about them, so each is made a block of its own.

use super::cards::Spot;
use crate::{Block, BlockKind, Region};

/// Fewest blocks of one form in a row.
const LEAST: usize = 3;
/// Most blocks between two of them: a link, a button.
const BETWEEN: usize = 1;
/// Most words of a name, and fewest of the text behind it.
const LONGEST_NAME: usize = 6;
const SHORTEST_TEXT: usize = 4;
/// From so many digits on, a text is an address or gives a number to call.
const DIGITS: usize = 4;

/// Parts the names from their texts; `heads` has what stands in bold at the beginning of each block.
pub(super) fn part(blocks: Vec<Block>, spots: &[Spot], heads: &[Option<String>]) -> Vec<Block> {
    let ends: Vec<Option<usize>> = blocks
        .iter()
        .zip(heads)
        .map(|(block, head)| end_of_name(block, head.as_deref()?))
        .collect();
    let at: Vec<usize> = (0..blocks.len())
        .filter(|at| ends.get(*at).is_some_and(Option::is_some))
        .collect();
    let alike = |one: &usize, next: &usize| {
        let same = |a: &Spot, b: &Spot| a.is_like(b);
        next - one <= 1 + BETWEEN
            && spots
                .get(*one)
                .zip(spots.get(*next))
                .is_some_and(|(a, b)| same(a, b))
    };
    let mut parted = vec![None; blocks.len()];
    for row in at.chunk_by(alike).filter(|row| row.len() >= LEAST) {
        for place in row {
            if let Some(end) = parted.get_mut(*place) {
                *end = ends.get(*place).copied().flatten();
            }
        }
    }
    let mut found = Vec::with_capacity(blocks.len());
    for (block, end) in blocks.into_iter().zip(parted) {
        let Some((name, text)) = end.and_then(|end| block.text.split_at_checked(end)) else {
            found.push(block);
            continue;
        };
        let (name, text) = (name.trim().to_owned(), text.trim().to_owned());
        found.push(Block {
            kind: BlockKind::Other,
            text: name,
            title: true,
            link_chars: 0,
            ..block
        });
        found.push(Block {
            kind: BlockKind::Paragraph,
            text,
            ..block
        });
    }
    found
}

/// Where the name ends with which a block begins, if the rest is a text about it.
fn end_of_name(block: &Block, head: &str) -> Option<usize> {
    let words = |text: &str| text.split_whitespace().count();
    let rest = block.text.strip_prefix(head)?;
    let digits = block.text.chars().filter(char::is_ascii_digit).count();
    let fits = matches!(block.kind, BlockKind::Other | BlockKind::ListItem)
        && block.region != Region::Boilerplate
        && !block.form
        && !block.title
        && (1..=LONGEST_NAME).contains(&words(head))
        && words(rest) >= SHORTEST_TEXT
        && head.starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
        && !head.ends_with(['.', '!', '?', ':', ',', ';', '-', '–', '：', '。'])
        // A sentence goes on behind its bold words.
        && rest.starts_with(' ')
        && rest.trim_start().starts_with(|c: char| c.is_alphabetic() && !c.is_lowercase())
        && digits < DIGITS
        && !block.text.contains('@');
    fits.then_some(head.len())
}

#[cfg(test)]
mod tests {
    fn texts(html: &str) -> Vec<(String, bool)> {
        let blocks = crate::extract(Some("text/html"), html.as_bytes()).blocks;
        let texts = blocks.into_iter().map(|block| (block.text, block.title));
        texts.collect()
    }

    #[test]
    fn names_in_bold_stand_apart_where_several_begin_blocks() {
        let row = |items: &[(&str, &str)], tag: &str| {
            let items: String = items
                .iter()
                .map(|(name, text)| {
                    format!("<{tag} class=item><strong>{name}</strong> {text}</{tag}>")
                })
                .collect();
            texts(&format!("<div>{items}</div>"))
        };
        let items = [
            ("Stairs", "Of oak and ash, made to last."),
            ("Doors", "Old ones that shut like new again."),
            ("Floors", "Laid in a day without any dust."),
        ];
        for tag in ["div", "li"] {
            let told = row(&items, tag);
            let names: Vec<&str> = told
                .iter()
                .filter(|(_, title)| *title)
                .map(|(text, _)| text.as_str())
                .collect();
            assert_eq!(names, ["Stairs", "Doors", "Floors"], "{tag}");
            assert_eq!(told.len(), 6);
        }
        for items in [
            &items[..2],
            &[
                ("We", "build the stairs of your house."),
                ("We", "mend the doors of your house."),
                ("We", "lay the floors of your house."),
            ][..],
            &[
                ("Phone", "0113 555 0100 on all working days."),
                ("Yard", "4 Mill Lane in Ripon, HG4 1AA."),
                ("Hours", "8 to 17 on all 5 working days 0123."),
            ][..],
        ] {
            assert!(
                row(items, "div").iter().all(|(_, title)| !title),
                "{items:?}"
            );
        }
    }
}
