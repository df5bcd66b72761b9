//! Grades that people give the company, with how many gave them: `4.9/5 from 320 reviews`.

use gtm_lexicon::proofs::{OUT_OF, REVIEWS};
use gtm_site_research::claim::Excerpt;
use gtm_site_research::fixed_texts::RATING_IS;
use gtm_site_research::organization::texts;
use gtm_site_research::words;

use super::no_counts::{BEST_GRADES, is_at_most};
use super::scripts::plain;
use crate::site::Site;

/// Most characters of such a text.
const LONGEST: usize = 100;
/// Fewest people whose grade says something.
const LEAST_REVIEWS: u32 = 3;

/// The best grade where structured data name no other, and which needs no mention.
const USUAL_BEST: f64 = 5.0;
/// The least part of the best grade that proves something.
const LEAST_PART: f64 = 0.8;

/// The grade of the company that its structured data declare, in words, with the members that tell it.
pub fn declared(site: &Site) -> Option<(String, Vec<Excerpt>)> {
    site.of_the_whole().find_map(|organization| {
        let ratings = organization.objects("aggregateRating").into_iter();
        ratings.into_iter().find_map(|rating| {
            let member = |name: &str| texts(rating, name).into_iter().next();
            let grade = member("ratingValue")?;
            let count = member("reviewCount").or_else(|| member("ratingCount"))?;
            let best = member("bestRating");
            let rated = graded(&grade, best.as_deref())?;
            if !is_count(&count) {
                return None;
            }
            let places = [("grade", rated.as_str()), ("count", count.as_str())];
            let text = RATING_IS.filled(&site.research.language, &places);
            let page = organization.page;
            let named = best.filter(|_| rated != grade);
            let cited = [grade, count].into_iter().chain(named);
            let excerpts = cited.map(|text| Excerpt { page, text });
            Some((text, excerpts.collect()))
        })
    })
}

/// A declared grade as it is told, with the best that there is unless that is the usual one. A bad grade proves nothing.
fn graded(grade: &str, best: Option<&str>) -> Option<String> {
    let number = |text: &str| text.trim().replace(',', ".").parse::<f64>().ok();
    let given = number(grade)?;
    let most = best.map_or(Some(USUAL_BEST), number)?;
    let fits = most.is_finite() && most > 0.0 && given <= most && given >= most * LEAST_PART;
    let is_usual = (most - USUAL_BEST).abs() < f64::EPSILON;
    match best {
        _ if !fits => None,
        Some(best) if !is_usual => Some(format!("{grade}/{}", best.trim())),
        _ => Some(grade.to_owned()),
    }
}

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
    fn a_declared_grade_is_told_with_another_best() {
        for (grade, best, told) in [
            ("4.9", None, Some("4.9")),
            ("4,9", Some("5.0"), Some("4,9")),
            ("9.2", Some("10"), Some("9.2/10")),
            ("4.5", Some("10"), None),
            ("1.8", None, None),
            ("6", None, None),
            ("4.9", Some("five"), None),
        ] {
            assert_eq!(graded(grade, best).as_deref(), told, "{grade} of {best:?}");
        }
    }

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
