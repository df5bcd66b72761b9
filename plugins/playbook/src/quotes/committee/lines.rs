//! Lines in which a role stands beside something else: another role, the company, a name of which only its capitals tell.

use gtm_lexicon::names::GIVEN_NAMES;
use gtm_site_research::words;

use super::{LONGEST_ROW, is_exact, is_role};

/// What parts a role from what else stands on a card: another one, the company.
const AFTER_ROLES: [&str; 6] = [" · ", " • ", " | ", " – ", " — ", ", "];

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
