//! Quotations that are no quotation elements, told by the classes of what is said and of who says so: `review-text` above
//! `name` and `source`. One of the two alone tells nothing.

use super::cards::Spot;
use super::roles::Role;
use crate::{Block, BlockKind, is_joined};

/// Fewest words, or letters in scripts without blanks, of what somebody says.
const LEAST_WORDS: usize = 5;
const LEAST_LETTERS: usize = 15;
/// Most words of a line on who says so, and most such lines.
const LONGEST_CREDIT: usize = 10;
const MOST_CREDITS: usize = 4;

/// Calls quotations what such classes tell, together with the lines on their authors.
pub(super) fn mark(blocks: &mut [Block], spots: &[Spot]) {
    let role = |at: usize| spots.get(at).and_then(Spot::role);
    let mut at = 0;
    while at < blocks.len() {
        let first = at;
        at += 1;
        let says = blocks.get(first).is_some_and(may_be_said)
            && matches!(role(first), Some(Role::Says | Role::Card));
        if !says {
            continue;
        }
        let is_credit = |at: usize| {
            role(at) == Some(Role::Credit)
                && blocks.get(at).is_some_and(|block| {
                    is_plain(block) && block.text.split(' ').count() <= LONGEST_CREDIT
                })
        };
        let end = (at..at + MOST_CREDITS).find(|at| !is_credit(*at));
        let end = end.unwrap_or(at + MOST_CREDITS);
        if end > at {
            let told = blocks.get_mut(first..end).unwrap_or_default();
            told.iter_mut()
                .for_each(|block| block.kind = BlockKind::Quote);
            at = end;
        }
    }
}

fn is_plain(block: &Block) -> bool {
    matches!(
        block.kind,
        BlockKind::Paragraph | BlockKind::Other | BlockKind::ListItem
    ) && !block.form
}

fn may_be_said(block: &Block) -> bool {
    let long = match block.text.contains(is_joined) {
        true => block.text.chars().count() >= LEAST_LETTERS,
        false => block.text.split(' ').count() >= LEAST_WORDS,
    };
    is_plain(block) && long
}

#[cfg(test)]
mod tests {
    use crate::BlockKind;

    fn quotes(html: &str) -> Vec<String> {
        let blocks = crate::extract(Some("text/html"), html.as_bytes()).blocks;
        let quotes = blocks
            .into_iter()
            .filter(|block| block.kind == BlockKind::Quote);
        quotes.map(|block| block.text).collect()
    }

    const SAID: &str = "They came when they said and left the yard clean.";

    #[test]
    fn classes_tell_what_is_said_and_by_whom() {
        for (html, credits) in [
            (
                format!(
                    "<div class=review><p class=review-text>{SAID}</p><div class=name>Oona P.</div><div class=source>Letter</div></div>"
                ),
                vec!["Oona P.", "Letter"],
            ),
            (
                format!(
                    "<div class='card testimonial'><p>{SAID}</p><div><span class=testimonial__author>Oona Park</span></div></div>"
                ),
                vec!["Oona Park"],
            ),
            (
                format!("<div class=zitat-text>{SAID}</div><p class=autor>Oona Park</p>"),
                vec!["Oona Park"],
            ),
        ] {
            let mut expected = vec![SAID];
            expected.extend(credits);
            assert_eq!(quotes(&html), expected, "{html}");
        }
    }

    #[test]
    fn one_class_alone_tells_nothing() {
        for html in [
            format!("<p class=review-text>{SAID}</p><p>Oona Park</p>"),
            format!("<p class=intro>{SAID}</p><div class=name>Oona Park</div>"),
            "<p class=quote>Get a quote</p><div class=name>Oona Park</div>".to_owned(),
            format!(
                "<section class=testimonials><p>{SAID}</p></section><h3 class=name>Oona Park</h3>"
            ),
        ] {
            assert_eq!(quotes(&html), Vec::<String>::new(), "{html}");
        }
    }
}
