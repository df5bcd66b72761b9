//! Numbers that count nothing: codes of places, numbers of houses, grades that people give.

use gtm_lexicon::places::{NUMBERED_STREETS, STREETS};
use gtm_lexicon::proofs::REVIEWS;
use gtm_site_research::words;

/// Most digits of the code of a place.
const LONGEST_CODE: usize = 5;

/// Whether the only numbers of a text are codes in brackets behind names, as those of departments and districts are:
/// `Cergy (95)`, `Cassola (95), Marano (30)`.
pub fn names_coded_place(text: &str) -> bool {
    let mut rest = text;
    let mut coded = false;
    while let Some((name, behind)) = rest.split_once('(') {
        let Some((code, after)) = behind.split_once(')') else {
            return false;
        };
        let last = name.split_whitespace().next_back().unwrap_or_default();
        let named = last.starts_with(char::is_uppercase) && !name.contains(char::is_numeric);
        if !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit()) {
            coded = true;
            if !named || code.len() > LONGEST_CODE {
                return false;
            }
        }
        rest = after;
    }
    coded && !rest.contains(char::is_numeric)
}

/// The best grades that people give: of five, of ten.
pub const BEST_GRADES: [&str; 2] = ["5", "10"];
/// Most characters of a grade: `4.75`.
const LONGEST_GRADE: usize = 4;

/// Whether a figure is a grade, which counts nothing: `4.9/5 on reviews`, `4,8 / 5`. Without decimals it may be a share of
/// something, `9/10 customers`, or a date: then nothing but words of a rating may stand behind it.
pub fn is_grade(text: &str) -> bool {
    text.match_indices('/').any(|(at, _)| {
        let (before, behind) = (text.get(..at), text.get(at + 1..));
        let before = before.unwrap_or_default().trim_end();
        let given: String = before
            .chars()
            .rev()
            .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
            .collect();
        let given: String = given.chars().rev().collect();
        let behind = behind.unwrap_or_default().trim_start();
        let best: String = behind.chars().take_while(char::is_ascii_digit).collect();
        let rest = behind.get(best.len()..).unwrap_or_default();
        BEST_GRADES.contains(&best.as_str())
            && given.len() <= LONGEST_GRADE
            && is_at_most(&given, &best)
            // `24/7` and `1/5/2026` are none.
            && !rest.starts_with(['/', '-'])
            && !before.trim_end_matches(|c: char| c.is_ascii_digit() || ".,".contains(c)).ends_with(['/', '-'])
            && (given.contains(['.', ',']) || tells_rating(rest))
    })
}

/// Whether a number, perhaps with decimals, is no greater than the other.
pub fn is_at_most(given: &str, best: &str) -> bool {
    let number = |text: &str| text.replace(',', ".").parse::<f64>().ok();
    match (number(given), number(best)) {
        (Some(given), Some(best)) => given <= best,
        _ => false,
    }
}

/// Whether nothing stands behind a grade, or first of all a word of a rating.
fn tells_rating(rest: &str) -> bool {
    let folded = words::fold(rest);
    let words = words::split(&folded);
    let near = words.get(..NEAR_RATING).unwrap_or(&words);
    words.is_empty() || REVIEWS.any_in(near)
}

/// How near behind a grade a word of a rating stands.
const NEAR_RATING: usize = 3;

/// Whether a text begins like the line of an address: the number of a house, or of several, and a street. `10-12 Bridge
/// Street`, `14 rue des Filatures`.
pub fn names_street(text: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | '/' | ' ');
    let street = text.trim_start_matches(number);
    let tokens: Vec<&str> = street.split_whitespace().collect();
    let first = tokens.first().map(|first| words::fold(first));
    let numbered = first.is_some_and(|first| NUMBERED_STREETS.contains(&first));
    let [names @ .., last] = tokens.as_slice() else {
        return false;
    };
    let is_name = |word: &&&str| word.starts_with(char::is_uppercase);
    let kind = words::fold(last.trim_end_matches([',', '.']));
    let ended = !names.is_empty()
        && names.iter().chain([last]).all(|word| is_name(&word))
        && STREETS.contains(&kind);
    text.starts_with(|c: char| c.is_ascii_digit()) && (numbered && tokens.len() > 1 || ended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_are_told_from_shares_and_dates() {
        for text in [
            "4.9/5 on reviews",
            "4,8 / 5",
            "5/5",
            "9/10",
            "5/5 stars from all",
            "10/10 Bewertung",
            "4,7/5 avis",
        ] {
            assert!(is_grade(text), "{text}");
        }
        for text in [
            "9/10 customers come back",
            "3/10 of all boilers",
            "12/10 we open",
            "24/7 on call",
            "1/5/2026",
            "40/5 kg",
            "2024/10 new hall",
        ] {
            assert!(!is_grade(text), "{text}");
        }
    }

    #[test]
    fn numbers_of_houses_are_told_from_figures() {
        for text in [
            "10-12 Bridge Street",
            "12 Mill Lane",
            "14 rue des Filatures",
            "7/9 Elm Road",
        ] {
            assert!(names_street(text), "{text}");
        }
        for text in [
            "10-12 weeks",
            "300 roofs",
            "12 New Machines",
            "25 miles of road",
            "Mill Lane",
        ] {
            assert!(!names_street(text), "{text}");
        }
    }
}
