//! Grades that people give the company, with how many gave them: `4.9/5 from 320 reviews`.

use gtm_lexicon::proofs::{OUT_OF, REVIEWS};
use gtm_site_research::words;

use super::no_counts::{BEST_GRADES, is_at_most};
use super::scripts::plain;

/// Most characters of such a text.
const LONGEST: usize = 100;
/// Fewest people whose grade says something.
const LEAST_REVIEWS: u32 = 3;

/// Whether a short text gives a grade and how many people gave it. A grade without their number proves nothing.
pub fn rates(text: &str) -> bool {
    let text: &str = &plain(text);
    let folded = words::fold(text);
    if text.chars().count() > LONGEST || !REVIEWS.any_in(&words::split(&folded)) {
        return false;
    }
    let numbers = numbers(text);
    (0..numbers.len()).any(|at| {
        let Some(taken) = grade_at(text, &numbers, at) else {
            return false;
        };
        let others = numbers.iter().enumerate();
        others
            .filter(|(other, _)| !(at..at + taken).contains(other))
            .any(|(_, (_, number))| is_count(number))
    })
}

/// The digits of a text with their separators, and where each number begins.
fn numbers(text: &str) -> Vec<(usize, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text
        .get(from..)
        .and_then(|rest| rest.find(|c: char| c.is_ascii_digit()))
    {
        let begin = from + begin;
        let rest = text.get(begin..).unwrap_or_default();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let number = rest.get(..length).unwrap_or_default();
        found.push((begin, number.trim_end_matches(['.', ','])));
        from = begin + length;
    }
    found
}

/// How many numbers from this one on make a grade: one with decimals, or one and the best that there is.
fn grade_at(text: &str, numbers: &[(usize, &str)], at: usize) -> Option<usize> {
    let (begin, given) = *numbers.get(at)?;
    if let Some((next, best)) = numbers.get(at + 1)
        && BEST_GRADES.contains(best)
        && is_at_most(given, best)
    {
        let between = text.get(begin + given.len()..*next)?;
        let folded = words::fold(between);
        if between.trim() == "/" || OUT_OF.are(&words::split(&folded)) {
            return Some(2);
        }
    }
    let (whole, decimals) = given.split_once(['.', ','])?;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = whole.len() == 1 && (1..=2).contains(&decimals.len()) && digits(decimals);
    (fits && is_at_most(given, "5")).then_some(1)
}

fn is_count(number: &str) -> bool {
    let groups: Vec<&str> = number.split(['.', ',']).collect();
    let grouped = groups.iter().skip(1).all(|group| group.len() == 3);
    let count = groups.concat().parse::<u32>();
    grouped && count.is_ok_and(|count| count >= LEAST_REVIEWS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grade_proves_something_with_the_number_of_those_who_gave_it() {
        for text in [
            "4.9/5 from 320 reviews",
            "★ 4,9 · 127 Google-Bewertungen",
            "4,8 von 5 Sternen bei 1.204 Bewertungen",
            "Note de 4,7 sur 5 (89 avis)",
            "4,9 su 5 da 61 recensioni",
            "4,6 de 5 en 45 opiniones",
            "9,2/10 uit 140 beoordelingen",
            "4,9 de 5 em 33 avaliações",
            "口コミ 4.8（152件）",
        ] {
            assert!(rates(text), "{text}");
        }
        for text in [
            "4.9/5",
            "4.9/5 reviews",
            "320 reviews",
            "Open 24/7, 320 reviews",
            "Version 4.9 for 320 machines",
            "6/5 from 320 reviews",
        ] {
            assert!(!rates(text), "{text}");
        }
    }
}
