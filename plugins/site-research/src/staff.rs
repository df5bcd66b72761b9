//! How many people work at a company, told from a sentence.

use gtm_lexicon::company::{THE_COMPANY, US, WE, YOU};
use gtm_lexicon::founding::FOUNDED;
use gtm_lexicon::numbers::{self, InWords};
use gtm_lexicon::staff::{EMPLOYS, HAS, NO_STAFF, NOUNS, QUALIFIERS, TEAMS, VISITS};

use crate::evidence::Sentence;
use crate::facts;
use crate::words::{self, tokens};

/// The number of employees that a sentence of the company states, and the words that say so, verbatim: from
/// a qualifier before the number to the noun.
pub fn stated(sentence: &Sentence) -> Option<(String, String)> {
    if NO_STAFF.any_in(&sentence.words()) {
        return None;
    }
    staff_number(&sentence.text)
}

/// The number of people that a short text counts: `94名`, `about 85 employees`.
pub fn counted(text: &str) -> Option<u64> {
    let told = staff_number(text).map(|(number, _)| number);
    // Without blanks, the unit of people follows the digits at once.
    let joined = || {
        let text = words::with_ascii_digits(text);
        let (before, _) = text.split_once(['名', '人', '명'])?;
        let digits: String = before
            .chars()
            .rev()
            .take_while(|c| c.is_ascii_digit() || *c == ',')
            .collect();
        let number: String = digits.chars().rev().filter(char::is_ascii_digit).collect();
        (!number.is_empty()).then_some(number)
    };
    told.or_else(joined)?.parse().ok()
}

/// The number, and the words from its qualifier to the noun, verbatim. One in digits is surer than one in words.
fn staff_number(sentence: &str) -> Option<(String, String)> {
    number_among(sentence, &[]).or_else(|| number_among(sentence, &in_words(sentence)))
}

/// The same, of the numbers in digits and those in words.
fn number_among(sentence: &str, told: &[(usize, String)]) -> Option<(String, String)> {
    let tokens = tokens(sentence);
    for (at, &(start, _, word)) in tokens.iter().enumerate() {
        let word = words::with_ascii_digits(word);
        let in_words = told.iter().find(|(place, _)| *place == start);
        let number = match in_words {
            Some((_, number)) => number.clone(),
            None if word.starts_with(|c: char| c.is_ascii_digit()) => {
                facts::numbers(&word).into_iter().next()?
            }
            None => continue,
        };
        let value: f64 = number.parse().ok()?;
        if !(2.0..5_000_000.0).contains(&value) || value.fract() != 0.0 {
            continue;
        }
        for noun_at in at + 1..=at + 3 {
            let Some(&(_, end, _)) = tokens.get(noun_at) else {
                break;
            };
            // A comma between number and noun separates them.
            if tokens
                .get(noun_at - 1)
                .is_some_and(|(_, _, word)| word.ends_with([',', ';', ':', '.', ')']))
            {
                break;
            }
            let folded = words::fold(sentence.get(start..end)?);
            let words = words::split(&folded);
            let noun = words.last().copied().unwrap_or_default();
            let two = words
                .get(words.len().saturating_sub(2)..)
                .map(|pair| pair.join(" "))
                .unwrap_or_default();
            if !(NOUNS.contains(noun) || NOUNS.contains(&two)) {
                continue;
            }
            // `Form 73 for employees`: the number belongs to the name before it.
            let named = at >= 2
                && noun_at > at + 1
                && tokens.get(at - 1).is_some_and(|(_, _, name)| {
                    name.is_ascii()
                        && name.starts_with(char::is_uppercase)
                        && name.ends_with(char::is_lowercase)
                });
            if named {
                break;
            }
            let mut begin = start;
            for back in [2, 1] {
                let Some(index) = at.checked_sub(back) else {
                    continue;
                };
                let Some(&(before, _, _)) = tokens.get(index) else {
                    continue;
                };
                let qualifier = words::fold(sentence.get(before..start)?.trim());
                if QUALIFIERS.contains(&qualifier) {
                    begin = before;
                    break;
                }
            }
            return Some((
                number,
                sentence
                    .get(begin..end)?
                    .trim_end_matches(['.', ',', ';', ':', '!', ')'])
                    .to_owned(),
            ));
        }
        // `A team of 27 analysts` counts as staff, whatever they do.
        let team = at
            .checked_sub(2)
            .and_then(|before| tokens.get(before))
            .and_then(|&(begin, ..)| Some((begin, sentence.get(begin..start)?)))
            .filter(|(_, words)| TEAMS.contains(&words::fold(words.trim())));
        // The size of a team within limits is not that of the company.
        let in_limits = word.contains(['-', '–', '—', '−']);
        if let Some((begin, _)) = team.filter(|_| !in_limits) {
            let end = tokens
                .get(at + 1)
                .map_or(sentence.len(), |&(_, end, _)| end);
            let said = sentence.get(begin..end)?;
            return Some((
                number,
                said.trim_end_matches(['.', ',', ';', ':', '!', ')'])
                    .to_owned(),
            ));
        }
    }
    None
}

/// Most words between the company's word for itself and its team: `we are a team of`.
const BEFORE_TEAM: usize = 3;
/// Most words of what says that a company has a number of people, and how exact it is: `cuenta con más de`.
const BEFORE_PEOPLE: usize = 4;

/// The numbers that a sentence of the company tells in words of all who work for it, each with the place where it begins:
/// `six joiners work for us`, `our team of six`. A team that comes to the reader is not all of them, and of a sentence that
/// tells of the founding, they are the founders.
fn in_words(sentence: &str) -> Vec<(usize, String)> {
    let folded = words::fold(sentence);
    let words = words::split(&folded);
    if words.iter().any(|word| FOUNDED.contains(word)) {
        return Vec::new();
    }
    let is_company = THE_COMPANY.any_in(&words);
    let of_company = is_company || WE.any_in(&words) || words.iter().any(|word| US.contains(word));
    // `Two of our joiners work for you.`
    let mut employing = EMPLOYS.places(&words);
    let employs = of_company
        && employing
            .any(|(at, phrase)| !YOU.open(words.get(at + phrase.len()..).unwrap_or_default()));
    let comes = YOU.any_in(&words) || VISITS.any_in(&words);
    numbers::read(sentence, InWords::All)
        .filter(|number| number.in_words)
        .filter(|number| {
            let before = sentence.get(..number.place.start).unwrap_or_default();
            employs || is_company && ends_in_having(before) || !comes && ends_in_own_team(before)
        })
        .map(|number| (number.place.start, number.form().to_owned()))
        .collect()
}

/// Whether a text ends as before the number of people that it says somebody has: `has about`.
fn ends_in_having(text: &str) -> bool {
    let last = text.split_whitespace().rev().take(BEFORE_PEOPLE);
    let mut last: Vec<&str> = last.collect();
    last.reverse();
    let folded = words::fold(&last.join(" "));
    let words = words::split(&folded);
    HAS.places(&words).any(|(at, phrase)| {
        let behind = words.get(at + phrase.len()..).unwrap_or_default();
        behind.is_empty() || QUALIFIERS.contains(&behind.join(" "))
    })
}

/// Whether a text ends as before the size of the company's own team: `we are a team of`.
fn ends_in_own_team(text: &str) -> bool {
    let mut last = text.split_whitespace().rev();
    let (Some(of), Some(team)) = (last.next(), last.next()) else {
        return false;
    };
    if !TEAMS.contains(&words::fold(&format!("{team} {of}"))) {
        return false;
    }
    // A comma parts the team from what stands before it.
    let near = last
        .take(BEFORE_TEAM)
        .take_while(|word| !word.ends_with([',', ';', ':', '.']));
    near.map(words::fold)
        .any(|word| WE.any_in(&words::split(&word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_counted_without_blanks() {
        assert_eq!(counted("94名（2024年4月現在）"), Some(94));
        assert_eq!(counted("約1,200人"), Some(1200));
        assert_eq!(counted("85 employees"), Some(85));
        assert_eq!(counted("名古屋市"), None);
    }

    #[test]
    fn staff_numbers_are_cut_out_verbatim() {
        let value = |text| staff_number(text).map(|(_, value)| value);
        assert_eq!(
            value("Today more than 1,200 people work here.").as_deref(),
            Some("more than 1,200 people")
        );
        assert_eq!(
            value("Wir sind rund 85 Mitarbeitende.").as_deref(),
            Some("rund 85 Mitarbeitende")
        );
        assert_eq!(value("Ein Team von 3–8 Schlossern."), None);
        assert_eq!(
            value("A team of 140 employees.").as_deref(),
            Some("140 employees")
        );
        assert_eq!(
            value("Today we are a team of 27 analysts and buyers in Leeds.").as_deref(),
            Some("team of 27 analysts")
        );
        assert_eq!(value("We sold a set of 27 spoons."), None);
        assert_eq!(
            value("Der Betrieb mit 46 Mitarbeitern, davon neun Auszubildende.").as_deref(),
            Some("46 Mitarbeitern")
        );
        assert_eq!(
            value("يعمل معنا ٨٥ موظفاً على مدار السنة.").as_deref(),
            Some("٨٥ موظفاً")
        );
        assert_eq!(value("Founded in 2014, with many people."), None);
        assert_eq!(value("We sold 12 units."), None);
        assert_eq!(
            value("Derzeit sind sechs gelernte Fachkräfte in unserem Unternehmen tätig.")
                .as_deref(),
            Some("sechs gelernte Fachkräfte")
        );
        assert_eq!(
            value("Meet our team of nine joiners.").as_deref(),
            Some("team of nine joiners")
        );
        for text in [
            "Two colleagues founded our company.",
            "A team of two fitters visits your home.",
            "Our team of two fitters comes to your home.",
            "In our yard, a team of two fitters loads the van.",
            "Three people from our company ran the marathon.",
            "Our team of fitters sends two colleagues.",
            "Our team of two fitters visits homes in Leeds.",
            "The company has hired two colleagues.",
            "In our yard, two people work for you.",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        for (text, told) in [
            (
                "Six skilled colleagues work for us.",
                "Six skilled colleagues",
            ),
            ("We are a team of nine joiners.", "team of nine joiners"),
            ("The company has twelve employees.", "twelve employees"),
            ("L’entreprise compte douze salariés.", "douze salariés"),
            ("L’azienda conta dodici dipendenti.", "dodici dipendenti"),
            ("La empresa cuenta con doce empleados.", "doce empleados"),
            (
                "Our company employs six people for your home.",
                "six people",
            ),
            (
                "Two colleagues work for us in Ulm, of 120 employees.",
                "120 employees",
            ),
        ] {
            assert_eq!(value(text).as_deref(), Some(told), "{text}");
        }
        assert_eq!(value("For one of five people, doors are heavy."), None);
        let visits = "Our 40 employees look forward to your visit.";
        assert_eq!(value(visits).as_deref(), Some("40 employees"));
        let folded = words::fold(visits);
        assert!(!NO_STAFF.any_in(&words::split(&folded)));
    }
}
