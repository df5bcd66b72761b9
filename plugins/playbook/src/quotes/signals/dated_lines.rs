//! Lines that begin or end with their date.

use gtm_site_research::dates::{self, Date};
use gtm_site_research::words;

/// Most words of a date that begins or ends a line.
const LONGEST_DATE: usize = 5;
/// What parts a date from what stands beside it.
const PARTING: [char; 9] = [':', '：', '|', '｜', '–', '—', '-', '・', '·'];

/// The date with which a line begins, and what stands behind it.
pub(super) fn dated(line: &str) -> Option<(Date, &str)> {
    let tokens = words::tokens(line);
    let ends = tokens.iter().take(LONGEST_DATE).map(|(_, end, _)| *end);
    let mut found = end_of_digits(line)
        .into_iter()
        .chain(ends)
        .filter_map(|end| {
            let opening = line.get(..end)?.trim_end_matches(PARTING);
            let date = dates::find(opening).filter(|_| dates::is_only_a_date(opening))?;
            let begins =
                opening.starts_with(|c: char| c.is_alphanumeric() || c == '[' || c == '【');
            begins.then_some((date, end))
        });
    let (date, end) = found.next()?;
    let rest = line.get(end..)?;
    Some((
        date,
        rest.trim_start_matches(|c: char| c.is_whitespace() || PARTING.contains(&c)),
    ))
}

/// Where the date ends with which a line begins, if a script without blanks goes on right behind it: `2026.10.01新工場`.
fn end_of_digits(line: &str) -> Option<usize> {
    let of_date = |c: char| c.is_ascii_digit() || "./-年月日".contains(c);
    let end = line.find(|c: char| !of_date(c))?;
    let glued = line
        .get(end..)?
        .starts_with(|c: char| c > '\u{2e80}' && c.is_alphanumeric());
    (end > 0 && glued).then_some(end)
}

/// The date with which a line ends, and what stands before it: `Second plant opened (12.10.2026)`.
pub(super) fn dated_behind(line: &str) -> Option<(Date, &str)> {
    let tokens = words::tokens(line);
    let (.., last) = tokens.last()?;
    if !last.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let starts = tokens.iter().rev().take(LONGEST_DATE);
    let found: Vec<(Date, usize)> = starts
        .filter_map(|(start, ..)| {
            let ending = line.get(*start..)?;
            Some((dates::find(ending)?, *start))
        })
        .collect();
    // Of `12 March 2026`, the last two words are a date, too.
    let with_day = found.iter().find(|(date, _)| date.day.is_some());
    let (date, start) = with_day.or(found.first())?;
    let before = line.get(..*start)?.trim_end();
    // Without a mark between them, a date ends what is said: `Open until 3 May 2026`.
    let rest = before.trim_end_matches(|c: char| {
        c.is_whitespace() || PARTING.contains(&c) || matches!(c, '(' | '[' | ',')
    });
    let bracketed = line.get(*start..)?.starts_with(['(', '[']);
    let parted = rest.len() < before.len() || bracketed;
    (parted && !rest.is_empty()).then_some((*date, rest))
}

/// A text without the date with which it begins.
pub(super) fn behind_date(text: &str) -> &str {
    let rest = dated(text).map(|(_, rest)| rest);
    rest.filter(|rest| !rest.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_with_their_date() {
        for (line, date, rest) in [
            (
                "12.10.2026 Zweites Werk eröffnet",
                "2026-10-12",
                "Zweites Werk eröffnet",
            ),
            (
                "October 3, 2026 – New plant opened",
                "2026-10-03",
                "New plant opened",
            ),
            (
                "2026年4月8日 販売を始めました",
                "2026-04-08",
                "販売を始めました",
            ),
            (
                "2026.10.01新工場が稼働しました",
                "2026-10-01",
                "新工場が稼働しました",
            ),
            (
                "2026.10 新工場が稼働しました",
                "2026-10",
                "新工場が稼働しました",
            ),
            ("12 March 2026", "2026-03-12", ""),
        ] {
            let found = dated(line).map(|(date, rest)| (date.iso(), rest));
            assert_eq!(found, Some((date.to_owned(), rest)), "{line}");
        }
        assert_eq!(dated("We opened on 12 March 2026"), None);
    }

    #[test]
    fn lines_end_with_their_date() {
        for (line, date, rest) in [
            (
                "Zweites Werk eröffnet (12.10.2026)",
                "2026-10-12",
                "Zweites Werk eröffnet",
            ),
            (
                "New plant opened – 12 March 2026",
                "2026-03-12",
                "New plant opened",
            ),
            (
                "New plant opened, March 2026",
                "2026-03",
                "New plant opened",
            ),
        ] {
            let found = dated_behind(line).map(|(date, rest)| (date.iso(), rest));
            assert_eq!(found, Some((date.to_owned(), rest)), "{line}");
        }
        assert_eq!(dated_behind("12 March 2026"), None);
        assert_eq!(
            dated_behind("The old plant is open until 12 March 2026."),
            None
        );
        assert_eq!(
            dated_behind("Opened on 12 March 2026 in the old hall of the mill"),
            None
        );
    }
}
