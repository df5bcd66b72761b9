//! Runs of a text: cut to sentences, cut to a length, and without blanks at their ends.

use std::ops::Range;

use gtm_document_model::text::Run;
use gtm_lexicon::figures::MEASURES;
use gtm_lexicon::{fold, is_month};
use gtm_site_research::sentences;

/// Signs of money.
const SIGNS: [char; 4] = ['€', '$', '£', '¥'];
/// Longest name of a unit that is bound to its number, in characters.
const LONGEST_UNIT: usize = 6;

/// The sentences and lines of a text in a language, each with the blanks behind it.
pub fn sentences_of(text: &str, language: &str) -> Vec<Range<usize>> {
    let mut begins: Vec<usize> = Vec::new();
    let mut from = 0;
    for sentence in sentences::split(text, language) {
        // Each is a part of the text, in order.
        let Some(at) = text.get(from..).and_then(|rest| rest.find(sentence)) else {
            continue;
        };
        begins.push(from + at);
        from += at + sentence.len();
    }
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins
        .iter()
        .copied()
        .zip(ends)
        .map(|(begin, end)| begin..end)
        .collect()
}

/// Places of a text in order, those that overlap as one.
#[must_use]
pub fn apart(mut places: Vec<Range<usize>>) -> Vec<Range<usize>> {
    places.sort_by_key(|place| place.start);
    let mut apart: Vec<Range<usize>> = Vec::with_capacity(places.len());
    for place in places {
        match apart.last_mut().filter(|last| place.start < last.end) {
            Some(last) => last.end = last.end.max(place.end),
            None => apart.push(place),
        }
    }
    apart
}

/// The runs within the ranges of their text.
pub fn part_of(runs: &[Run], kept: &[Range<usize>]) -> Vec<Run> {
    let mut found = Vec::new();
    let mut begin = 0;
    for run in runs {
        let end = begin + run.text.len();
        let text: String = kept
            .iter()
            .filter_map(|range| {
                let from = range.start.clamp(begin, end) - begin;
                let to = range.end.clamp(begin, end) - begin;
                run.text.get(from..to)
            })
            .collect();
        if !text.is_empty() {
            found.push(Run {
                text,
                ..run.clone()
            });
        }
        begin = end;
    }
    found
}

/// The runs without blanks at their ends; none if they say nothing.
pub fn trimmed(mut runs: Vec<Run>) -> Vec<Run> {
    runs.retain(|run| !run.text.is_empty());
    while let Some(first) = runs.first_mut() {
        let text = first.text.trim_start();
        if !text.is_empty() {
            first.text = text.to_owned();
            break;
        }
        runs.remove(0);
    }
    while let Some(last) = runs.last_mut() {
        let text = last.text.trim_end();
        if !text.is_empty() {
            last.text = text.to_owned();
            break;
        }
        runs.pop();
    }
    runs
}

/// Leaves one of several blanks in a row, and none before the end of a line. Blanks at the beginning of a line stay: they
/// indent it.
pub fn single_spaced(runs: &mut Vec<Run>) {
    let mut indents = true;
    let mut blank = false;
    for run in runs.iter_mut() {
        if !run.text.contains(' ') {
            if let Some(last) = run.text.chars().last() {
                (indents, blank) = (last == '\n', false);
            }
            continue;
        }
        let mut text = String::with_capacity(run.text.len());
        for c in run.text.chars() {
            if c == ' ' && blank && !indents {
                continue;
            }
            if c == '\n' && blank && !indents && text.ends_with(' ') {
                text.pop();
            }
            blank = c == ' ';
            indents = c == '\n' || (indents && blank);
            text.push(c);
        }
        run.text = text;
    }
    runs.retain(|run| !run.text.is_empty());
}

/// The text in at most so many characters, cut at a blank where there is one.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most.saturating_sub(1)).collect();
    let end = head
        .rfind(char::is_whitespace)
        .filter(|end| *end > head.len() / 2);
    let head = head.get(..end.unwrap_or(head.len())).unwrap_or(&head);
    format!("{}…", head.trim_end())
}

/// The beginning of a text in at most so many characters: its whole sentences where the first one fits, else up to the end of
/// a clause, else of a word. An ellipsis stands for the rest.
#[must_use]
pub fn excerpt(text: &str, most: usize, language: &str) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let fits = |end: &usize| {
        let head = text.get(..*end).unwrap_or_default().trim_end();
        !head.is_empty() && head.chars().count() + 2 <= most
    };
    let ends = sentences_of(text, language)
        .into_iter()
        .map(|place| place.end);
    if let Some(end) = ends.take_while(fits).last() {
        return format!("{} …", text.get(..end).unwrap_or_default().trim_end());
    }
    // A comma between digits ends no clause, so a blank follows the mark.
    let marks = text.match_indices([',', ';', ':', '–', '—']);
    let clauses = marks.filter_map(|(at, mark)| {
        let behind = text.get(at + mark.len()..)?;
        behind.starts_with(char::is_whitespace).then_some(at)
    });
    let long = |end: &usize| {
        text.get(..*end)
            .is_some_and(|head| head.chars().count() * 3 >= most)
    };
    match clauses.take_while(fits).filter(long).last() {
        Some(end) => format!("{} …", text.get(..end).unwrap_or_default().trim_end()),
        None => cut(text, most),
    }
}

/// The text with blanks that break no line between a number and its unit or sign: `24 €`, `-25 °C`, `£ 4`; nor within a number
/// or between a day and its month: `0161 496 00 12`, `18. Dezember`.
#[must_use]
pub fn bound(text: &str) -> String {
    let mut bound = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(' ') {
        let (before, behind) = rest.split_at(at);
        let behind = behind.get(1..).unwrap_or_default();
        let joins = ends_in_digit(before)
            && (begins_with_unit(behind) || begins_with_digits(behind))
            || ends_in_day(before) && begins_with_month(behind)
            || before.ends_with(SIGNS) && behind.starts_with(|c: char| c.is_ascii_digit());
        bound.push_str(before);
        bound.push(if joins { '\u{a0}' } else { ' ' });
        rest = behind;
    }
    bound.push_str(rest);
    bound
}

/// Whether a text ends in a day of a month: `18`, `18.`, `1er`.
fn ends_in_day(text: &str) -> bool {
    let from = text.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let word = text.get(from..).unwrap_or_default();
    let digits = word.trim_end_matches(|c: char| c == '.' || c.is_ascii_lowercase());
    let is_day = digits.parse().is_ok_and(|day: u8| (1..=31).contains(&day));
    is_day && word.len() <= digits.len() + 2
}

fn begins_with_month(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphabetic());
    let word = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    word.len() > 2 && is_month(&fold(word))
}

/// Whether a text begins with a group of two to four digits, as telephone numbers and thousands are written.
fn begins_with_digits(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on = text.get(digits..).and_then(|rest| rest.chars().next());
    (2..=4).contains(&digits) && !goes_on.is_some_and(char::is_alphanumeric)
}

fn ends_in_digit(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}

/// Whether a text begins with a sign or the short name of a unit.
fn begins_with_unit(text: &str) -> bool {
    if text.starts_with(SIGNS) || text.starts_with(['%', '‰', '°']) {
        return true;
    }
    let reach = text.char_indices().nth(LONGEST_UNIT + 1);
    let near = text
        .get(..reach.map_or(text.len(), |(at, _)| at))
        .unwrap_or(text);
    let end = near.find(|c: char| !c.is_alphanumeric());
    let word = near.get(..end.unwrap_or(near.len())).unwrap_or_default();
    !word.is_empty() && MEASURES.contains(fold(word).as_str())
}

/// A text that cites sources.
#[must_use]
pub fn cited(text: &str, cite: &[String]) -> Vec<Run> {
    vec![Run {
        cite: cite.to_vec(),
        ..Run::plain(text)
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_end_where_a_reader_pauses() {
        for (text, most, shown) in [
            (
                "Two stores. A third opens.",
                40,
                "Two stores. A third opens.",
            ),
            ("Two stores. A third opens in May.", 20, "Two stores. …"),
            (
                "The third store, which opens in May, has a gate of its own",
                40,
                "The third store, which opens in May …",
            ),
            (
                "Some 12,000 sensors report every minute",
                24,
                "Some 12,000 sensors…",
            ),
        ] {
            assert_eq!(excerpt(text, most, "en"), shown);
        }
    }

    #[test]
    fn no_line_ends_between_a_number_and_its_unit() {
        for (text, bound_text) in [
            ("24 € je Zähler", "24\u{a0}€ je Zähler"),
            ("bei -25 °C", "bei -25\u{a0}°C"),
            ("38 % less", "38\u{a0}% less"),
            ("£ 4 each", "£\u{a0}4 each"),
            ("40 kg, 4 mm", "40\u{a0}kg, 4\u{a0}mm"),
            (
                "0161 496 00 12 a day",
                "0161\u{a0}496\u{a0}00\u{a0}12 a day",
            ),
            ("bis 18. Dezember 2027", "bis 18.\u{a0}Dezember 2027"),
            ("le 1er mars, 12 May", "le 1er\u{a0}mars, 12\u{a0}May"),
            ("40 May ask, 12 Mai", "40 May ask, 12\u{a0}Mai"),
            ("12 sites", "12 sites"),
            ("a 4 b", "a 4 b"),
        ] {
            assert_eq!(bound(text), bound_text);
        }
    }

    #[test]
    fn one_blank_is_left_of_several_and_indents_stay() {
        let mut runs = vec![
            Run::plain("A  b "),
            Run::plain(" c \n  d"),
            Run::plain("  e"),
        ];
        single_spaced(&mut runs);
        let texts: Vec<&str> = runs.iter().map(|run| run.text.as_str()).collect();
        assert_eq!(texts, ["A b ", "c\n  d", " e"]);
    }
}
