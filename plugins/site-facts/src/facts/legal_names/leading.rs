//! Registered names whose legal form stands before them, as French companies write it: `SAS Dupont Frères`.

use gtm_lexicon::company::{BEFORE_NAMES, SMALL_WORDS_IN_NAMES};
use gtm_lexicon::{LegalForm, legal_forms};
use gtm_site_research::words;

/// The forms that may stand there, as printed.
const FORMS: [&str; 6] = ["EURL", "S.A.R.L.", "S.A.S.", "SARL", "SAS", "SASU"];
/// Registers, taxes and classes that follow in capitals.
const ENDS: [&str; 7] = ["APE", "NAF", "R.C.S.", "RCS", "SIREN", "SIRET", "TVA"];
/// Most words of a name, and fewest letters.
const LONGEST: usize = 5;
const LEAST_LETTERS: usize = 3;
/// Most letters of a small word that may be within a name.
const LONGEST_SMALL: usize = 3;
/// What ends a name that it stands right behind.
const MARKS: [char; 10] = [',', ';', ':', '.', ')', '|', '!', '»', '*', '"'];

/// The names in a text, as byte ranges with their forms. What is not closed by a mark, a small letter or the end may go on
/// with a street, and is left out.
pub fn places(tokens: &[(usize, usize, &str)]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, &(begin, _, word)) in tokens.iter().enumerate() {
        let opens = FORMS.contains(&word) && !at.checked_sub(1).is_some_and(|at| named(tokens, at));
        if opens && let Some(end) = end_of(tokens, at + 1) {
            found.push((begin, end));
        }
    }
    found
}

/// Whether a token may be the last word of a name, which the form behind it then belongs to.
fn named(tokens: &[(usize, usize, &str)], at: usize) -> bool {
    let word = tokens.get(at).map_or("", |(.., word)| *word);
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    bare.starts_with(char::is_uppercase)
        && !word.ends_with([',', ';', ':', '.', '|', '!'])
        && !BEFORE_NAMES.contains(&words::fold(bare))
}

/// Byte offset of the end of the name that begins at a token.
fn end_of(tokens: &[(usize, usize, &str)], first: usize) -> Option<usize> {
    let mut end = None;
    let mut letters = 0;
    let is_name = |word: &str| word.starts_with(char::is_uppercase) && !ENDS.contains(&word);
    for at in first..=first + LONGEST {
        let Some(&(start, _, word)) = tokens.get(at) else {
            break;
        };
        let bare = word.trim_end_matches(MARKS);
        if is_name(bare) {
            if at == first + LONGEST {
                return None;
            }
            end = Some(start + bare.len());
            letters += bare.chars().filter(|c| c.is_alphabetic()).count();
            if bare.len() < word.len() {
                break;
            }
            continue;
        }
        let next = tokens.get(at + 1).map_or("", |(.., next)| *next);
        if end.is_some() && SMALL_WORDS_IN_NAMES.contains(word) && is_name(next) {
            continue;
        }
        // Another small word before a capital may be in the name or behind it.
        let is_small = word.starts_with(char::is_lowercase);
        if is_small && is_name(next) && word.chars().count() <= LONGEST_SMALL {
            return None;
        }
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        break;
    }
    end.filter(|_| letters >= LEAST_LETTERS)
}

/// The form at the beginning of a name, and the name behind it.
pub fn form_of(name: &str) -> Option<(&'static LegalForm, &str)> {
    let (first, rest) = name.split_once(char::is_whitespace)?;
    let known = FORMS.contains(&first);
    let mut forms = legal_forms().iter().filter(|_| known);
    let form = forms.find(|form| form.written.contains(&first))?;
    Some((form, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_may_stand_before_the_name() {
        let names = |text: &'static str| {
            let tokens = words::tokens(text);
            let places = places(&tokens).into_iter();
            places
                .filter_map(|(begin, end)| text.get(begin..end))
                .collect::<Vec<_>>()
        };
        for (text, name) in [
            ("SASU DUPONT FRÈRES", Some("SASU DUPONT FRÈRES")),
            (
                "SAS Dupont Frères est une entreprise de Lyon.",
                Some("SAS Dupont Frères"),
            ),
            (
                "Le site est édité par la SARL Ateliers Dupont, au capital de 8 000 €",
                Some("SARL Ateliers Dupont"),
            ),
            ("SARL DUPONT RCS LYON 404 833 048", Some("SARL DUPONT")),
            ("SARL Dupont Zone Nord 69000 Lyon", None),
            ("SARL Dupont à Lyon", None),
            ("Dupont SAS Lyon", None),
            ("SAS au capital de 1 000 €", None),
            ("EURL 12 rue des Lices", None),
        ] {
            assert_eq!(names(text), name.into_iter().collect::<Vec<_>>(), "{text}");
        }
        assert_eq!(form_of("SARL Dupont").map(|(_, name)| name), Some("Dupont"));
        assert!(form_of("Dupont SARL").is_none());
    }
}
