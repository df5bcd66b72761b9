//! Lines in which a role stands beside something else: another role, the company, a name of which only its capitals tell.

use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::roles::{REPORTS_TO, SMALL_WORDS};
use gtm_site_research::words;

use super::{LONGEST_ROW, is_exact, is_role};

/// What parts a role from what else stands on a card: another one, the company.
const AFTER_ROLES: [&str; 7] = [" · ", " • ", " | ", " – ", " — ", " / ", ", "];

/// The role with which the line of a card begins, and which a mark ends: `Founder · Engineer`.
pub(super) fn first_role(text: &str) -> Option<&str> {
    parted(text).map(|(role, _)| role)
}

/// What stands behind that role and its mark.
pub(super) fn behind_role(text: &str) -> Option<&str> {
    parted(text).map(|(_, rest)| rest)
}

fn parted(text: &str) -> Option<(&str, &str)> {
    let places = AFTER_ROLES.iter();
    let (end, mark) = places
        .filter_map(|mark| Some((text.find(mark)?, mark)))
        .min()?;
    let role = text.get(..end)?;
    let rest = text.get(end + mark.len()..)?;
    (text.chars().count() <= LONGEST_ROW && is_role(role)).then_some((role, rest))
}

/// Whether a text has a frequent given name.
pub(super) fn has_given_name(text: &str) -> bool {
    let folded = words::fold(text);
    let mut words = words::split(&folded).into_iter();
    words.any(|word| GIVEN_NAMES.contains(word))
}

/// The role after "reports to the", up to the first word that is not part of its name.
pub(super) fn reported_to(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let start = REPORTS_TO
        .iter()
        .filter_map(|phrase| lower.find(phrase).map(|at| at + phrase.len()))
        .min()?;
    let rest = text.get(start..)?;
    let stop = rest
        .find(['.', ',', ';', '(', ')', ':', '–', '—'])
        .unwrap_or(rest.len());
    // The name continues while its words are capitalized, with only small words between them.
    let mut end = 0usize;
    for (at, word) in rest
        .get(..stop)?
        .match_indices(|c: char| !c.is_whitespace())
        .filter(|(at, _)| {
            rest.get(..*at)
                .is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
        })
    {
        let word_end = rest
            .get(at..stop)?
            .find(char::is_whitespace)
            .map_or(stop, |length| at + length);
        let whole = rest.get(at..word_end)?;
        if word.chars().all(char::is_uppercase) {
            end = word_end;
        } else if !SMALL_WORDS.contains(whole) {
            break;
        }
    }
    rest.get(..end).filter(|candidate| is_role(candidate))
}

/// Most words of a role in a sentence.
const LONGEST_ROLE: usize = 4;

/// The role right before a person's name in a sentence: `Our managing director Jane Roe opened the hall.` It must be a whole
/// phrase, and the name a known one.
pub(super) fn before_name(text: &str) -> Option<&str> {
    let tokens = words::tokens(text);
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_name = |at: usize| {
        let name: Vec<&str> = tokens
            .iter()
            .skip(at)
            .take(2)
            .map(|(.., word)| *word)
            .collect();
        matches!(name.as_slice(), [first, last] if capital(first) && capital(last)
            && first.chars().all(char::is_alphabetic)
            && GIVEN_NAMES.contains(&words::fold(first)))
    };
    (0..tokens.len()).find_map(|start| {
        (1..=LONGEST_ROLE).rev().find_map(|length| {
            let (begin, ..) = tokens.get(start)?;
            let (_, end, _) = tokens.get(start + length - 1)?;
            let role = text.get(*begin..*end)?.trim_end_matches(':');
            (is_name(start + length) && is_exact(role)).then_some(role)
        })
    })
}

/// Most words of a name before a role.
const WORDS_OF_NAME: std::ops::RangeInclusive<usize> = 2..=4;

/// The role in a heading that begins with a name, of which nothing but capitals is known: `1. A.B. ROE - MANAGING DIRECTOR`.
/// The role must be a whole phrase.
pub(super) fn behind_name(text: &str) -> Option<&str> {
    let marks = [" - ", " – ", " — "];
    let (name, role) = marks.iter().find_map(|mark| text.split_once(mark))?;
    let bare = name.trim_start_matches(|c: char| c.is_ascii_digit() || ". )".contains(c));
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_name = WORDS_OF_NAME.contains(&bare.split_whitespace().count())
        && bare.split_whitespace().all(capital)
        && !bare.contains(char::is_numeric);
    let role = role.trim();
    (is_name && is_exact(role) && !is_role(bare)).then_some(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_stand_before_names_in_sentences() {
        for (text, role) in [
            (
                "Der Inhaber Dieter Lindt hat das Handwerk gelernt.",
                Some("Inhaber"),
            ),
            (
                "Our managing director Jane Roe opened the hall.",
                Some("managing director"),
            ),
            (
                "Il titolare Marco Rossi segue ogni lavoro.",
                Some("titolare"),
            ),
            ("Der Inhaber ist zugleich Meister.", None),
            ("The owner Acme Holding sold it.", None),
        ] {
            assert_eq!(before_name(text), role, "{text}");
        }
    }

    #[test]
    fn roles_stand_behind_names_and_before_companies() {
        assert_eq!(
            behind_name("1. A.B. ROE - MANAGING DIRECTOR"),
            Some("MANAGING DIRECTOR")
        );
        assert_eq!(behind_name("Ulm - Geschäftsführer"), None);
        assert_eq!(behind_name("Head of Sales - Managing Director"), None);
        assert_eq!(first_role("Founder · Engineer"), Some("Founder"));
        assert_eq!(
            first_role("Geschäftsführer — Acme"),
            Some("Geschäftsführer")
        );
        for text in [
            "Founder",
            "Jane Roe · Founder",
            "Our founder, Jane, likes it.",
        ] {
            assert_eq!(first_role(text), None, "{text}");
        }
    }
}
