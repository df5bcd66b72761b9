//! Names: of persons, who have no place among roles, and of others that nobody mentioned.

use std::collections::BTreeSet;

use gtm_lexicon::roles::{GENERIC_ALTERNATIVES, JOBS, ROLE_WORDS, SMALL_WORDS};
use gtm_site_research::words;

/// Most words of a person's name.
const LONGEST_NAME: usize = 4;

/// Whether a role names a person, alone or beside the role: `Jane Miller`, `Head of Sales (Jane Miller)`.
///
/// There is no list of all roles, and none of all names. But the words of a role stand in lower case somewhere, in the texts
/// or in a vocabulary, and those of a name never do.
#[must_use]
pub fn has_a_person(role: &str, texts: &[&str]) -> bool {
    role.split([',', ';', ':', '(', ')', '/', '|', '–', '—'])
        .flat_map(|segment| segment.split(" - "))
        .any(|segment| is_a_person(segment, texts))
}

fn is_a_person(segment: &str, texts: &[&str]) -> bool {
    let tokens: Vec<&str> = segment.split_whitespace().collect();
    if !(2..=LONGEST_NAME).contains(&tokens.len()) || !tokens.iter().all(|token| is_a_name(token)) {
        return false;
    }
    let folded = words::fold(segment);
    let parts = words::split(&folded);
    if ROLE_WORDS.any_in(&parts) || JOBS.any_in(&parts) {
        return false;
    }
    tokens.iter().all(|token| {
        let lower = token.to_lowercase();
        !SMALL_WORDS.contains(&lower)
            && !texts.iter().any(|text| {
                text.split(|c: char| !c.is_alphanumeric())
                    .any(|word| word == lower)
            })
    })
}

/// Whether a word is written like a part of a name: one capital, then small letters; or an initial.
fn is_a_name(token: &str) -> bool {
    let token = token.trim_matches('.');
    let mut parts = token.split(['-', '\'', '’']);
    !token.is_empty()
        && parts.all(|part| {
            let mut letters = part.chars();
            letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase)
        })
}

/// Capitalized words inside of the sentences of a text, lower-case and folded. Nouns of languages that capitalize all of
/// them are no names, so ask only for others.
#[must_use]
pub fn capitalized(text: &str) -> BTreeSet<String> {
    let mut starts = true;
    let mut found = BTreeSet::new();
    for token in text.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let is_name = !starts && word.chars().count() >= 3 && word.starts_with(char::is_uppercase);
        starts = token.ends_with(['.', '!', '?', ':']);
        if is_name {
            let folded = words::fold(word);
            found.extend(
                words::split(&folded)
                    .into_iter()
                    .filter(|part| part.chars().count() >= 3)
                    .map(str::to_owned),
            );
        }
    }
    found
}

/// Whether an alternative to buying is one that no page needs to name: a spreadsheet, work by hand.
#[must_use]
pub fn is_generic(alternative: &str) -> bool {
    let folded = words::fold(alternative);
    GENERIC_ALTERNATIVES.any_in(&words::split(&folded))
}

/// Whether a text is nothing but a name: one or two words, each with a capital.
#[must_use]
pub fn is_only_a_name(text: &str) -> bool {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    (1..=2).contains(&tokens.len())
        && tokens
            .iter()
            .all(|token| token.starts_with(char::is_uppercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons_are_no_roles() {
        let texts = ["Our warehouse clerk checks the plant."];
        for person in [
            "Jane Miller",
            "J. Miller",
            "Anna-Lena Groß",
            "Head of Sales (Jane Miller)",
            "Jane Miller, CEO",
        ] {
            assert!(has_a_person(person, &texts), "{person}");
        }
        for role in [
            "Head of Engineering",
            "Pilote de projet",
            "Ingénieur·e Qualité",
            "Obermonteur",
            "Büroleitung",
            "施設管理の責任者",
            "Warehouse Clerk",
            "Owner of a dairy",
            "Parents of small children",
            "CEO",
        ] {
            assert!(!has_a_person(role, &texts), "{role}");
        }
    }

    #[test]
    fn names_inside_of_sentences_are_found() {
        let found = capitalized("Tarnbeck stores food for Nestor Holdings. It grows.");
        assert_eq!(found, ["holdings", "nestor"].map(str::to_owned).into());
    }
}
