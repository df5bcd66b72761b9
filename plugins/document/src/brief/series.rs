//! A course that a sentence tells in numbers: `January 120, February 140, March 165 pallets`. Only where each number stands
//! beside its own time, one behind another, is it read; all else stays a sentence.

use gtm_document_model::Chart;
use gtm_document_model::table::{ColumnKind, Table, TableColumn};
use gtm_document_model::text::Run;
use gtm_lexicon::documents::PERIODS;
use gtm_lexicon::fold;

use super::charts::{self, Figure, is_period};
use super::one_line;
use super::tables::kind_of;
use crate::capital::capital;
use crate::runs::sentences_of;

/// Fewest and most times of a course.
const LEAST: usize = 3;
const MOST: usize = 14;
/// Longest name of what is counted, in characters.
const LONGEST_NAME: usize = 60;
/// Words before and behind the course that may belong to its first time and its last number.
const NEAR: usize = 3;

/// A time and its number.
type Row = (String, String);

/// The chart of the first sentence that tells a course.
#[must_use]
pub fn chart_of(text: &str, heading: &str, language: &str) -> Option<Chart> {
    let mut places = sentences_of(text, language).into_iter();
    places.find_map(|place| of_sentence(text.get(place)?, heading, language))
}

fn of_sentence(sentence: &str, heading: &str, language: &str) -> Option<Chart> {
    let sentence = sentence.trim().trim_end_matches(['.', '!', '。']);
    if !sentence.contains(char::is_numeric) {
        return None;
    }
    // What is told stands before a colon: `Volumes grew: January 120, …`
    let (before, listed) = match sentence.split_once([':', '：']) {
        // `January: 120, February: 140`
        Some((before, listed)) if !is_period(before.trim()) => (Some(before), listed),
        Some(_) | None => (None, sentence),
    };
    let (unit, rows) = rows_of(&clauses_of(listed))
        .or_else(|| rows_of(&clauses_by_time(listed)).filter(|(_, rows)| rows.len() > LEAST))?;
    let heading = one_line(heading);
    let name = unit
        .or_else(|| before.map(one_line))
        .unwrap_or_else(|| heading.clone());
    let name = Some(capital(&name)).filter(|name| name.chars().count() <= LONGEST_NAME);
    let name = name.or(Some(heading).filter(|name| !name.is_empty()))?;
    let values: Vec<String> = rows.iter().map(|(_, figure)| figure.clone()).collect();
    let column = |label: String, kind: ColumnKind| TableColumn {
        label,
        align: None,
        kind,
    };
    let table = Table {
        columns: vec![
            column(String::new(), ColumnKind::Date),
            column(name, kind_of(&values)),
        ],
        rows: rows
            .into_iter()
            .map(|(time, figure)| vec![vec![Run::plain(time)], vec![Run::plain(figure)]])
            .collect(),
        caption: Vec::new(),
        header_column: true,
    };
    charts::of_table(&table, None, language)
}

/// The times and their numbers, and what all of them count: the last number names it, or each does.
fn rows_of(clauses: &[&str]) -> Option<(Option<String>, Vec<Row>)> {
    if !(LEAST..=MOST).contains(&clauses.len()) {
        return None;
    }
    let mut units = Vec::with_capacity(clauses.len());
    let mut rows: Vec<Row> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let (time, figure, behind) = pair(clause)?;
        units.push(behind);
        rows.push((time, figure));
    }
    let (last, before) = units.split_last()?;
    let alone = before.iter().all(String::is_empty);
    let alike = before.iter().all(|unit| unit == last);
    let unit = Some(last).filter(|last| !last.is_empty()).cloned();
    (alone || alike).then_some((unit, rows))
}

/// The parts of an enumeration without commas, each of which begins with its time: `Jan 14 Feb 11 Mar 9 Apr 6`.
fn clauses_by_time(listed: &str) -> Vec<&str> {
    let mut begins = Vec::new();
    let mut at = 0;
    for word in listed.split_inclusive(char::is_whitespace) {
        if names_a_time(&word.trim().trim_end_matches([':', '：'])) {
            begins.push(at);
        }
        at += word.len();
    }
    // What stands before the first time is no part of it.
    if begins.first() != Some(&0) {
        return Vec::new();
    }
    let ends = begins.iter().skip(1).copied().chain([listed.len()]);
    let parts = begins.iter().zip(ends);
    parts
        .filter_map(|(begin, end)| listed.get(*begin..end))
        .map(str::trim)
        .collect()
}

/// The parts of an enumeration. A comma between digits parts none.
fn clauses_of(listed: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let ends = listed
        .match_indices([',', ';', '、', '，', '،'])
        .filter(|(at, sign)| {
            let behind = listed.get(at + sign.len()..).unwrap_or_default();
            !sign.is_ascii() || behind.starts_with(char::is_whitespace)
        });
    for (at, sign) in ends {
        found.extend(listed.get(from..at));
        from = at + sign.len();
    }
    found.extend(listed.get(from..));
    found.into_iter().map(str::trim).collect()
}

/// A time, its number, and what stands behind that.
fn pair(clause: &str) -> Option<(String, String, String)> {
    // `1月120件` has no blank, and `January: 120` a colon.
    let spaced = clause
        .replace('月', "月 ")
        .replace(": ", " ")
        .replace('：', " ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    // `and March`, `in March`: a word or two may stand before the time.
    let from =
        (0..words.len().min(NEAR)).find(|from| words.get(*from).is_some_and(names_a_time))?;
    let is_small = |word: &&str| word.chars().count() <= 3 && word.chars().all(char::is_lowercase);
    if !words.get(..from)?.iter().all(is_small) {
        return None;
    }
    let is_number =
        |at: usize| (words.get(at)).is_some_and(|word| word.starts_with(|c: char| c.is_numeric()));
    // `March 2026` and `week 3` are times as a whole, and `January 1 200` is not.
    let whole = is_number(from + 1) && is_number(from + 2) && {
        let first = fold(words.get(from)?);
        PERIODS.has_word(&first) || words.get(from + 1).is_some_and(|word| is_year(word))
    };
    let to = from + 1 + usize::from(whole);
    let (time, rest) = (words.get(from..to)?.join(" "), words.get(to..)?);
    // The number may stand in several words: `1 200`, `4.2 m`, `€ 12`.
    let read = (1..=rest.len().min(NEAR)).rev().find_map(|to| {
        let figure = rest.get(..to)?.join(" ");
        let numeric = |c: char| {
            c.is_numeric() || matches!(c, '.' | ',' | ' ' | '%' | '€' | '$' | '£' | '-' | '−')
        };
        let read = Figure::read(&figure).filter(|_| figure.chars().all(numeric));
        read.map(|_| (figure, rest.get(to..).unwrap_or_default()))
    })?;
    let (figure, behind) = read;
    let behind = behind.join(" ");
    (!behind.contains(char::is_numeric)).then_some((time, figure, behind))
}

/// Whether a word with letters names a stretch of time.
fn names_a_time(word: &&str) -> bool {
    word.chars().any(char::is_alphabetic) && is_period(word)
}

fn is_year(word: &str) -> bool {
    let year = word.parse::<u32>();
    word.len() == 4 && year.is_ok_and(|year| (1900..=2100).contains(&year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_in_a_sentence_is_a_chart() {
        for (language, text, name) in [
            (
                "en",
                "Volumes grew: January 120, February 140, March 165 pallets.",
                "Pallets",
            ),
            (
                "de",
                "Mengen: Januar 1.200, Februar 1.400, März 1.650.",
                "Mengen",
            ),
            (
                "fr",
                "Volumes : janvier 120, février 140, mars 165 palettes.",
                "Palettes",
            ),
            ("es", "Volumen: enero 120, febrero 140 y marzo 165.", ""),
            ("en", "Q1 12 %, Q2 14 %, Q3 17 %.", "Share"),
            (
                "en",
                "January 14 hours, February 11 hours, March 9 hours, April 6 hours.",
                "Hours",
            ),
            (
                "de",
                "Januar: 120, Februar: 140, März: 165, April: 170.",
                "Share",
            ),
            ("en", "Jan 14 Feb 11 Mar 9 Apr 6 pallets", "Pallets"),
            ("ja", "1月 120、2月 140、3月 165、4月 170。", "Share"),
        ] {
            let chart = chart_of(text, "Share", language);
            let made = chart.map(|chart| {
                chart
                    .series
                    .iter()
                    .map(|series| series.name.clone())
                    .collect::<String>()
            });
            assert_eq!(made.unwrap_or_default(), name, "{text}");
        }
    }

    #[test]
    fn other_numbers_stay_a_sentence() {
        for text in [
            "We have 120 pallets, 140 crates and 165 boxes.",
            "January 120, February 140.",
            "January 14 hours, February 11 days, March 9 hours, April 6 hours.",
            "Jan 14 Feb 11 Mar 9",
            "In January 120 pallets left, in February a few, in March 165.",
            "Start 4 May, test 6 June, end 8 July.",
        ] {
            assert_eq!(chart_of(text, "Volumes", "en"), None, "{text}");
        }
    }
}
