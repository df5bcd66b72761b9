//! Addresses of a company's further units, told by the headings above them: `Acme Seals Ltd - Unit 2` beside
//! `Acme Seals Ltd`, `Plant 2` beside `Plant 1`.

use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use crate::facts::Line;
use crate::facts::letters;

/// Most lines between an address and the heading of its card.
const NEAR: usize = 8;
/// Most words of such a heading.
const LONGEST: usize = 10;
/// Most digits of the number of a unit.
const DIGITS: usize = 2;

/// Whether the card in which a line stands is that of a further unit: its heading ends with a number above one, and
/// another heading of the page is the same without it, or with one.
pub(super) fn is_of_further_unit(lines: &[Line<'_>], at: usize) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let above = lines.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    let heading = above
        .iter()
        .rev()
        .take_while(|other| other.page == line.page)
        .find(|other| other.kind == BlockKind::Heading);
    let Some((stem, number)) = heading.and_then(|heading| numbered(heading.text)) else {
        return false;
    };
    let first = |other: &Line<'_>| {
        let same = numbered(other.text).is_some_and(|(own, number)| number == 1 && own == stem);
        let whole = letters(other.text);
        // `Unit` stands between the name and the number.
        same || whole.chars().count() >= 3 && stem.starts_with(&whole)
    };
    number > 1
        && lines
            .iter()
            .filter(|other| other.page == line.page && other.kind == BlockKind::Heading)
            .any(first)
}

/// A heading that ends with a small number: its letters before that, and the number.
fn numbered(text: &str) -> Option<(String, u32)> {
    let tokens = words::tokens(text);
    let &(start, _, last) = tokens.last()?;
    let digits = last.trim_matches(|c: char| !c.is_alphanumeric());
    let fits = (2..=LONGEST).contains(&tokens.len())
        && (1..=DIGITS).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| fits)?;
    Some((letters(text.get(..start)?), number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Part;

    #[test]
    fn further_units_have_numbers() {
        let page = |headings: [&'static str; 2]| {
            let line = |text: &'static str, kind| Line {
                page: 0,
                part: Part::Contact,
                main: true,
                kind,
                form: false,
                text,
            };
            let [first, second] = headings;
            let lines = [
                line(first, BlockKind::Heading),
                line("1 Mill Road, Leeds LS1 4AP", BlockKind::Paragraph),
                line(second, BlockKind::Heading),
                line("2 Quay Road, Hull HU1 2AB", BlockKind::Paragraph),
            ];
            [1, 3].map(|at| is_of_further_unit(&lines, at))
        };
        assert_eq!(
            page(["Acme Seals Ltd", "Acme Seals Ltd - Unit 2"]),
            [false, true]
        );
        assert_eq!(page(["Plant 1", "Plant 2"]), [false, true]);
        // One address alone may stand under any heading.
        assert_eq!(page(["Opening hours", "Building 7"]), [false, false]);
        assert_eq!(page(["Acme Seals Ltd", "Head office"]), [false, false]);
    }
}
