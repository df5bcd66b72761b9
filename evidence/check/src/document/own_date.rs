//! Whether a brief says the day that a draft gives its document.

use gtm_document_model::day;
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::{fold, months, with_ascii_digits};

/// Whether a line of the brief has the year, the month and the day of `2027-03-12`, in digits or with the month's name.
pub(super) fn is_said(brief: &str, date: &str) -> bool {
    day::year_month_day(date).is_some_and(|date| {
        let mut lines = brief.lines();
        lines.any(|line| has(line, date))
    })
}

/// Whether a line of the brief has these words: `November 2026`.
pub(super) fn is_in_these_words(brief: &str, words: &str) -> bool {
    let bare = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = bare(words);
    let mut lines = brief.lines();
    !words.is_empty() && lines.any(|line| bare(line).contains(&words))
}

/// So many numbers and words have a day together: `12 de marzo de 2027`.
const NEAR: usize = 5;
/// A day in digits alone has at least so many.
const PARTS: usize = 3;

fn has(line: &str, date: [i32; 3]) -> bool {
    let tokens = runs(line);
    let wanted = months().filter(|(_, month)| i32::from(*month) == date[1]);
    let names: Vec<String> = wanted.map(|(name, _)| runs(name).concat()).collect();
    (PARTS..=NEAR).any(|size| {
        let mut near = tokens.windows(size);
        near.any(|near| tells(near, date, &names))
    })
}

fn tells(near: &[String], [year, month, day]: [i32; 3], names: &[String]) -> bool {
    let mut numbers: Vec<i32> = near.iter().filter_map(|token| token.parse().ok()).collect();
    let mut has_number = |wanted: i32| {
        let at = numbers.iter().position(|number| *number == wanted);
        at.map(|at| numbers.remove(at)).is_some()
    };
    // Between digits only signs such as those for year and month stand: `12 docks` are no December.
    let is_bare = |token: &String| token.parse::<i32>().is_ok() || token.chars().nth(1).is_none();
    has_number(year)
        && has_number(day)
        && (names_month(near, names) || (has_number(month) && near.iter().all(is_bare)))
}

fn names_month(near: &[String], names: &[String]) -> bool {
    near.iter().any(|token| {
        // A word without blanks around it may have others at its sides.
        names.iter().any(|name| {
            token == name || (name.starts_with(is_unspaced) && token.contains(name.as_str()))
        })
    })
}

/// The runs of digits and those of letters, folded.
fn runs(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut run = None;
    for c in fold(&with_ascii_digits(text)).chars() {
        // Vowels and tones of Indian scripts and of Thai are marks.
        let is_letter =
            c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{fff}');
        let kind = match c {
            '0'..='9' => Some(true),
            _ if is_letter => Some(false),
            _ => None,
        };
        match found.last_mut() {
            Some(last) if kind.is_some() && kind == run => last.push(c),
            _ if kind.is_some() => found.push(c.to_string()),
            _ => {}
        }
        run = kind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_date_stand_in_one_line() {
        let brief = "# Rooms\n\nDate: November\u{a0}2026\nLeeds";
        assert!(is_in_these_words(brief, "November 2026"));
        for words in ["November 2027", "2026 Leeds", ""] {
            assert!(!is_in_these_words(brief, words), "{words}");
        }
    }

    #[test]
    fn a_day_is_said_in_one_line_and_in_any_form() {
        for brief in [
            "# Rooms\n\nLeeds, 12 March 2027\n",
            "Date: 12.03.2027",
            "2027-03-12",
            "発行日：２０２７年３月１２日",
            "Bremen, den 12. März 2027",
            "Sevilla, 12 de marzo de 2027",
        ] {
            assert!(is_said(brief, "2027-03-12"), "{brief}");
        }
        for brief in [
            "12 rooms\nMarch 2027",
            "12 May 2027",
            "12 March 2028",
            "In 2027 we freeze 12 pallets.",
            "12 beds in Marburg from 2027",
            "3 halls, 12 docks, 2027 pallets",
            "",
        ] {
            assert!(!is_said(brief, "2027-03-12"), "{brief}");
        }
        assert!(!is_said("In 2027 a decision on 12 rooms", "2027-12-12"));
        assert!(is_said("3.3.2027", "2027-03-03"));
        assert!(!is_said("3 rooms in 2027", "2027-03-03"));
        assert!(!is_said("soon", "soon"));
    }
}
