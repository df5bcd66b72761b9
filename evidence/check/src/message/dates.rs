//! Which numbers of a text are parts of dates. `numbers` says which others need an approval.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use gtm_lexicon::numbers::Number;
use gtm_lexicon::{fold, languages};

/// Most bytes of the name of a month.
const LONGEST_MONTH: usize = 24;

/// Names of months, folded and without their full stop.
static MONTHS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let names = languages().iter().flat_map(|language| language.months);
    let names = names.flat_map(|names| names.iter());
    names
        .map(|name| fold(name).trim_end_matches('.').to_owned())
        .collect()
});

/// Whether a number is a day beside a month, a year behind one, or a whole date in digits. A year alone may be a claim,
/// such as since when somebody is in business.
pub(super) fn is_part_of_date(text: &str, number: &Number, date_end: Option<usize>) -> bool {
    let place = &number.place;
    let written = text.get(place.clone()).unwrap_or_default();
    if is_numeric_date(token_at(text, place)) {
        return true;
    }
    let digits: String = written.chars().take_while(char::is_ascii_digit).collect();
    let Ok(value) = digits.parse::<u32>() else {
        return false;
    };
    // `23.`, `1st`, `3rd`, `1er`, but not `40%` nor `5.5`.
    let rest = &written[digits.len()..];
    let ordinal = rest.is_empty()
        || rest == "."
        || (rest.len() <= 2 && rest.chars().all(char::is_alphabetic));
    if !ordinal || number.is_percent() {
        return false;
    }
    let (day, year) = ((1..=31).contains(&value), (1900..2100).contains(&value));
    if !day && !year {
        return false;
    }
    let before = text.get(..place.start).unwrap_or_default();
    let behind = text.get(place.end..).unwrap_or_default();
    // `3rd`, `1er`.
    let letters = behind
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(behind.len());
    let behind = match letters <= 2 {
        true => behind.get(letters..).unwrap_or_default(),
        false => behind,
    };
    let month_before = nearest(before.split(is_break).rev());
    if month_before {
        return true;
    }
    if day && nearest(behind.split(is_break)) {
        return true;
    }
    // The year of `November 23, 2026`.
    year && date_end.is_some_and(|end| {
        let between = text.get(end..place.start);
        between
            .is_some_and(|between| matches!(between.trim(), "" | "," | ".") && between.len() <= 3)
    })
}

fn is_break(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Whether the nearest word, or the one behind a short one, is a month.
fn nearest<'t>(pieces: impl Iterator<Item = &'t str>) -> bool {
    // What is parted by more than a blank, a comma or a full stop is no neighbour.
    let mut pieces = pieces
        .take(5)
        .enumerate()
        .filter(|(_, piece)| !piece.is_empty());
    let Some((at, first)) = pieces.next() else {
        return false;
    };
    if at > 2 || first.len() > LONGEST_MONTH {
        return false;
    }
    let folded = fold(first);
    // `23 of November`, `23 de noviembre`.
    let joins = folded.len() <= 3 && folded.chars().all(char::is_alphabetic);
    MONTHS.contains(&folded)
        || (joins
            && pieces
                .next()
                .is_some_and(|(_, piece)| MONTHS.contains(&fold(piece))))
}

/// The digits, dots, slashes and dashes around a number.
fn token_at<'t>(text: &'t str, place: &Range<usize>) -> &'t str {
    const LONGEST: usize = 10;
    let is_of_date = |byte: &&u8| byte.is_ascii_digit() || b"./-".contains(*byte);
    let bytes = text.as_bytes();
    let before = bytes.get(..place.start).unwrap_or_default().iter().rev();
    let start = place.start - before.take(LONGEST).take_while(is_of_date).count();
    let behind = bytes.get(place.start..).unwrap_or_default().iter();
    let end = place.start + behind.take(LONGEST + 2).take_while(is_of_date).count();
    text.get(start..end).unwrap_or_default()
}

/// `23.11.2026`, `23/11/2026`, `2026-11-23`.
fn is_numeric_date(written: &str) -> bool {
    let written = written.trim_end_matches(['.', ',']);
    ['.', '/', '-'].iter().any(|mark| {
        let parts: Vec<&str> = written.split(*mark).collect();
        let numbers: Option<Vec<u32>> = parts.iter().map(|part| part.parse().ok()).collect();
        let is_year = |part: &&str, value: u32| part.len() == 4 && (1900..2100).contains(&value);
        match numbers.as_deref() {
            Some([first, second, third]) => {
                let (day, month) = (1..=31, 1..=12);
                let forward =
                    is_year(&parts[2], *third) && day.contains(first) && day.contains(second);
                let iso =
                    is_year(&parts[0], *first) && month.contains(second) && day.contains(third);
                forward || iso
            }
            _ => false,
        }
    })
}
