//! The day that a brief bears: `Date: 12 March 2027`, `Bremen, den 12. März 2027`. It becomes the day of the document, which
//! would otherwise show the day on which it was made, and its reader two.
//!
//! Danger: a day may be what the document is about. So only a line that says nothing else is one, at the beginning, and none
//! beside lines that say where and when something takes place.

use gtm_lexicon::documents::{DATE_LABELS, EVENT_LABELS};
use gtm_lexicon::names::WEEKDAYS;
use gtm_lexicon::{fold, is_month, split};
use gtm_page_text::primary_language;
use gtm_site_research::dates;

use super::{Part, line_kinds, one_line, part_lines};

/// How many parts at the beginning are searched.
const MOST_PARTS: usize = 8;
/// Most words of a place, and of what joins a day's parts.
const PLACE_WORDS: usize = 3;
const JOINTS: usize = 3;
/// Longest word that only joins a day's parts, in letters: `of`, `den`, `le`.
const JOINT_LETTERS: usize = 3;
/// Most words of a line that has a day, and the years that it may be of.
const DATED_WORDS: usize = 5;
const YEARS: std::ops::RangeInclusive<u32> = 1990..=2100;

/// Which lines are the day of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// `12 March 2027`, `Date: …`, `Bremen, den 12. März 2027`.
    OfBriefs,
    /// `Bremen, 12. März 2027` too: elsewhere it may name a fair.
    OfLetters,
}

/// Takes the day off the beginning of a brief, and tells it as `2027-03-12`.
pub fn taken(parts: Vec<Part>, language: &str) -> (Vec<Part>, Option<String>) {
    let head = parts.iter().take(MOST_PARTS).flat_map(part_lines::lines_of);
    if head.into_iter().any(|line| is_of_event(&line)) {
        return (parts, None);
    }
    let mut day = None;
    let mut kept = Vec::with_capacity(parts.len());
    for (at, part) in parts.into_iter().enumerate() {
        match day.is_none() && at < MOST_PARTS {
            true => kept.extend(part_lines::retain(part, |line| {
                let is_day = day.is_none();
                if is_day {
                    day = of_line(line, language, Lines::OfBriefs);
                }
                !is_day || day.is_none()
            })),
            false => kept.push(part),
        }
    }
    (kept, day)
}

/// A line that is a day as it stands, where it says more than the day: `Bremen, den 12. März 2027`.
pub fn words_of(line: &str) -> Option<String> {
    let line = line_kinds::without_emphasis(line.trim());
    let says_more = line.contains([',', '，']) && !line.contains([':', '：']);
    says_more.then(|| one_line(line))
}

/// Whether a line of a letter's head has a day and a year, and a few words beside them in a language whose months are not known
/// here: `دبي، 5 مايو 2031`.
pub fn is_dated_by_form(line: &str) -> bool {
    let line = gtm_lexicon::with_ascii_digits(line);
    let numbers: Vec<u32> = line
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    let is_of_a_day = match numbers.as_slice() {
        [day, year] => (1..=31).contains(day) && YEARS.contains(year),
        _ => false,
    };
    is_of_a_day
        && !line.is_ascii()
        && line.split_whitespace().count() <= DATED_WORDS
        && !line.contains([':', '：', '@', '/', '+'])
}

/// The day that a line is, if it says nothing else.
pub fn of_line(line: &str, language: &str, lines: Lines) -> Option<String> {
    let line = line_kinds::without_emphasis(line.trim());
    let (said, labeled) = match line.split_once([':', '：']) {
        Some((label, said)) => {
            let folded = fold(label);
            (DATE_LABELS.are(&split(&folded)).then_some(said)?, true)
        }
        None => (line, false),
    };
    let said = said.trim().trim_end_matches(['.', '。']);
    let from = said.find(|c: char| c.is_numeric())?;
    let comma = said.get(..from)?.rfind([',', '，']);
    let (before, day) = comma.map_or(("", said), |at| said.split_at(at));
    let day = day.trim_start_matches([',', '，', ' ']);
    let opens = day.starts_with(|c: char| c.is_numeric()) || !is_joint(first_word(day));
    let may_name_place = labeled || lines == Lines::OfLetters || !opens;
    let leads = before
        .split([',', '，'])
        .all(|piece| is_weekday(piece) || may_name_place && is_place(piece));
    (leads && says_only_a_day(day)).then_some(())?;
    let found = dates::find(&without_joints(day, language))?;
    found.day.map(|_| found.iso())
}

/// A day as the reader of dates takes it: `12th of March` without what joins it, `12/03` with dots. Whether `3/5` is a day in
/// March or in May, English leaves open.
fn without_joints(day: &str, language: &str) -> String {
    let folded = fold(day);
    let words = split(&folded);
    if words.iter().any(|word| is_month(word)) {
        let said = words
            .into_iter()
            .filter(|word| word.contains(char::is_numeric) || is_month(word));
        return said.collect::<Vec<_>>().join(" ");
    }
    match primary_language(language) == "en" {
        true => day.to_owned(),
        false => day.replace('/', "."),
    }
}

/// `Venue: hall B`, `Uhrzeit: 10 Uhr`.
fn is_of_event(line: &str) -> bool {
    line.split_once([':', '：']).is_some_and(|(label, _)| {
        let folded = fold(label);
        EVENT_LABELS.are(&split(&folded))
    })
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphabetic());
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

fn is_joint(word: &str) -> bool {
    (1..=JOINT_LETTERS).contains(&word.chars().count())
        && word.chars().all(char::is_lowercase)
        && !is_month(&fold(word))
}

fn is_weekday(piece: &str) -> bool {
    let folded = fold(piece);
    let words = split(&folded);
    words.iter().all(|word| WEEKDAYS.contains(word))
}

/// Whether a piece before a day may be where it was written: a few words, each with a capital.
fn is_place(piece: &str) -> bool {
    let mut words = piece.split_whitespace();
    (1..=PLACE_WORDS).contains(&words.clone().count())
        && words.all(|word| word.starts_with(|c: char| !c.is_lowercase() && c.is_alphabetic()))
}

/// Whether a text has a day's numbers, perhaps a month's name, and else only what joins them.
fn says_only_a_day(text: &str) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    let (numbers, rest): (Vec<&str>, Vec<&str>) = words
        .iter()
        .partition(|word| word.contains(char::is_numeric));
    let (names, joints): (Vec<&str>, Vec<&str>) = rest.iter().partition(|word| is_month(word));
    // `12–14 March 2027` is a span.
    let is_one = numbers.len() + names.len() <= 3 && names.len() <= 1;
    let is_short = |word: &&str| word.chars().count() <= JOINT_LETTERS;
    is_one && joints.len() <= JOINTS && joints.iter().all(is_short)
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    #[test]
    fn a_line_that_is_a_day_is_one_in_many_languages() {
        for (language, line) in [
            ("en", "12 March 2027"),
            ("en", "**Date:** March 12, 2027"),
            ("en", "Friday, 12th of March 2027"),
            ("en", "London, the 12th of March 2027"),
            ("de", "Stand: 12.03.2027"),
            ("de", "Bremen, den 12. März 2027"),
            ("fr", "Date : 12/03/2027"),
            ("fr", "Lyon, le 12 mars 2027"),
            ("es", "Fecha: 12 de marzo de 2027"),
            ("es", "Valencia, a 12 de marzo de 2027"),
            ("it", "Data: 12/03/2027"),
            ("pt", "12 de março de 2027"),
            ("nl", "Datum: 12 maart 2027"),
            ("ja", "2027年3月12日"),
            ("ja", "発行日：2027年3月12日"),
        ] {
            assert_eq!(
                of_line(line, language, Lines::OfBriefs).as_deref(),
                Some("2027-03-12"),
                "{line}"
            );
        }
        for (language, line) in [
            ("de", "Bremen, 12. März 2027"),
            ("it", "Milano, 12 marzo 2027"),
        ] {
            assert_eq!(of_line(line, language, Lines::OfBriefs), None, "{line}");
            assert!(
                of_line(line, language, Lines::OfLetters).is_some(),
                "{line}"
            );
        }
    }

    #[test]
    fn a_line_that_says_more_is_none() {
        for (language, line) in [
            ("en", "12–14 March 2027"),
            ("en", "12 March 2027, 10:00"),
            ("en", "We start on 12 March 2027"),
            ("en", "Start: 12 March 2027"),
            ("en", "March 2027"),
            ("en", "Date: 3/5/2027"),
            ("en", "Fair in Leeds, 12 March 2027"),
            ("de", "Angebot gültig bis 12.03.2027"),
            ("de", "31.02.2027"),
            ("fr", "12 personnes, 2027"),
        ] {
            assert_eq!(of_line(line, language, Lines::OfLetters), None, "{line}");
        }
    }

    #[test]
    fn the_day_is_taken_off_the_beginning_only() {
        let brief = Brief::read(
            "# Cold rooms for Tarn\n\n12 March 2027\n\n## Price\n\nA room is £40.",
            "en",
        );
        assert_eq!(brief.date.as_deref(), Some("2027-03-12"));
        assert!(!brief.text().contains("2027"), "{}", brief.text());
        let brief = Brief::read(
            "Cold rooms for Tarn\nPrepared for: Jo Marsh\nDate: 12 March 2027\n\nA room is £40.",
            "en",
        );
        assert_eq!(brief.date.as_deref(), Some("2027-03-12"));
        assert!(!brief.text().contains("2027"), "{}", brief.text());
        let end = format!("# Rooms\n\n{}\n12 March 2027", "A room.\n\n".repeat(9));
        let brief = Brief::read(&end, "en");
        assert_eq!(brief.date, None);
        assert!(brief.text().contains("12 March 2027"), "{}", brief.text());
    }

    #[test]
    fn the_day_of_an_event_stays() {
        let brief = Brief::read(
            "# Open day at Tarn\n\n- Date: 12 March 2027\n- Venue: hall B\n\nWe show you the cold rooms.",
            "en",
        );
        assert_eq!(brief.date, None);
        assert!(brief.text().contains("12 March 2027"), "{}", brief.text());
    }

    #[test]
    fn a_day_is_told_by_its_form_where_its_month_is_not_known() {
        assert!(is_dated_by_form("دبي، 5 مايو 2031"));
        for line in ["4 Quay Lane, Hull 2031", "شارع 5", "صندوق بريد 2031"] {
            assert!(!is_dated_by_form(line), "{line}");
        }
    }

    #[test]
    fn a_letter_has_the_day_above_its_salutation() {
        let brief = Brief::read(
            "Bremen, 12. März 2027\n\nSehr geehrte Frau Voss,\n\nanbei unser Angebot für die Halle. Sie kostet 400 € im Monat.\n\n\
             Mit freundlichen Grüßen\n\nJana Bolt",
            "de",
        );
        assert!(brief.is_letter);
        assert_eq!(brief.date.as_deref(), Some("2027-03-12"));
        let words = brief.date_words.as_deref();
        assert_eq!(words, Some("Bremen, 12. März 2027"));
        assert!(
            !brief.directions.iter().any(|it| it.contains("2027")),
            "{:?}",
            brief.directions
        );
    }
}
