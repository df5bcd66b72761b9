//! Names: of persons, who have no place among roles, and of others that nobody mentioned.

use std::collections::BTreeSet;

use gtm_lexicon::names::{GIVEN_NAMES, HONORIFICS, PARTICLES, SURNAMES};
use gtm_lexicon::roles::{ENDINGS, GENERIC_ALTERNATIVES, JOBS, ROLE_WORDS, SMALL_WORDS};
use gtm_lexicon::{has_capital_by_custom, legal_forms};
use gtm_site_research::words;

use crate::excerpts::is_unspaced;
use crate::known::Shown;

/// Most words of a person's name.
const LONGEST_NAME: usize = 4;
/// Longest name of a person in Han, in characters.
const LONGEST_HAN_NAME: usize = 6;
/// Longest word in capitals that abbreviates something: `USA`, `SOC`, `GDPR`.
const LONGEST_ABBREVIATION: usize = 5;
/// Fewest letters of a name that is looked for.
const SHORTEST_NAME: usize = 3;

/// Whether a role names a person, alone or beside the role: `Jane Miller`, `Head of Sales (Jane Miller)`, `CEO Jane Miller`.
///
/// There is no list of all roles, and none of all names. But the words of a role stand without a capital somewhere, or in a
/// vocabulary, and those of a name hardly ever do; frequent given names tell the rest. `small` are the folded words that
/// stand somewhere [without a capital](crate::known::small_words).
#[must_use]
pub fn has_a_person(role: &str, small: &BTreeSet<String>) -> bool {
    role.split([
        ',', ';', ':', '(', ')', '/', '|', '–', '—', '、', '（', '）',
    ])
    .flat_map(|segment| segment.split(" - "))
    .any(|segment| is_a_person(segment, small) || is_a_person_in_han(segment.trim()))
}

fn is_a_person(segment: &str, small: &BTreeSet<String>) -> bool {
    let tokens: Vec<&str> = segment.split_whitespace().collect();
    let shouted = tokens.len() > 1 && !segment.chars().any(char::is_lowercase);
    let tokens: Vec<Token<'_>> = tokens
        .into_iter()
        .map(|text| Token { text, shouted })
        .collect();
    let named = (0..tokens.len()).any(|at| {
        let rest = tokens.get(at..).unwrap_or_default();
        begins_with_a_person(rest)
    });
    named || is_nothing_but_a_name(&tokens, small)
}

#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    /// Whether it stands among words in capitals.
    shouted: bool,
}

impl Token<'_> {
    fn folded(self) -> String {
        words::fold(self.text.trim_matches(|c: char| !c.is_alphanumeric()))
    }

    /// Whether it is written like a part of a name: one capital, then small letters; or an initial.
    fn is_like_a_name(self) -> bool {
        let token = self.text.trim_matches('.');
        let mut parts = token.split(['-', '\'', '’']);
        let shouted = self.shouted;
        !token.is_empty()
            && parts.all(|part| {
                let mut letters = part.chars();
                letters.next().is_some_and(char::is_uppercase)
                    && letters.all(|c| c.is_lowercase() || shouted && c.is_uppercase())
            })
    }

    fn is_given_name(self) -> bool {
        let folded = self.folded();
        let mut parts = folded.split('-');
        self.is_like_a_name() && parts.all(|part| GIVEN_NAMES.contains(part))
    }

    /// Whether it is a word of a role or a function.
    fn is_of_a_role(self) -> bool {
        let folded = self.folded();
        let parts = words::split(&folded);
        ROLE_WORDS.any_in(&parts)
            || JOBS.any_in(&parts)
            || ENDINGS
                .iter()
                .any(|ending| folded.len() > ending.len() + 2 && folded.ends_with(ending))
    }

    fn is_particle(self) -> bool {
        PARTICLES.contains(&self.text.to_lowercase())
    }
}

/// Whether the first words are a person: a given name or a title, then a name.
fn begins_with_a_person(tokens: &[Token<'_>]) -> bool {
    let Some((first, rest)) = tokens.split_first() else {
        return false;
    };
    let behind = rest
        .iter()
        .skip_while(|token| token.is_particle() || is_initial(token.text))
        .find(|token| !HONORIFICS.contains(&token.folded()));
    let surname = behind.is_some_and(|token| token.is_like_a_name() && !token.is_of_a_role());
    let titled = HONORIFICS.contains(&first.folded()) && first.text.starts_with(char::is_uppercase);
    surname && (first.is_given_name() || titled)
}

fn is_initial(text: &str) -> bool {
    text.trim_end_matches('.').chars().count() == 1 && text.starts_with(char::is_uppercase)
}

fn is_nothing_but_a_name(tokens: &[Token<'_>], small: &BTreeSet<String>) -> bool {
    (2..=LONGEST_NAME).contains(&tokens.len())
        && tokens.iter().all(|token| {
            let folded = token.folded();
            token.is_like_a_name()
                && !token.is_of_a_role()
                && !SMALL_WORDS.contains(&folded)
                && !small.contains(&folded)
        })
}

/// Whether a text in Han is a person's name: a frequent surname and what is left of it, or a title behind it.
fn is_a_person_in_han(segment: &str) -> bool {
    if !segment.starts_with(is_unspaced) {
        return false;
    }
    let bare: String = segment.chars().filter(|c| !c.is_whitespace()).collect();
    let titled = HONORIFICS
        .iter()
        .find_map(|title| bare.strip_suffix(title))
        .filter(|name| !name.is_empty());
    let name = titled.unwrap_or(&bare);
    let length = name.chars().count();
    let given = SURNAMES
        .iter()
        .filter_map(|surname| name.strip_prefix(surname))
        .any(|given| (1..=3).contains(&given.chars().count()) && !given.ends_with(is_role_sign));
    length <= LONGEST_HAN_NAME
        && (given || titled.is_some() && SURNAMES.contains(name))
        && !name.ends_with(is_role_sign)
}

/// Signs with which roles and places of work end in Japanese and Chinese.
fn is_role_sign(c: char) -> bool {
    "長者員役師士官係担主任部課社工職家業室店当理".contains(c)
}

/// Names of a text that are written like names and stand nowhere else. A language that gives a capital to all nouns tells
/// them by less: only persons, companies with their legal form, and words with capitals inside.
#[must_use]
pub fn candidates(text: &str, language: &str, shown: &Shown) -> BTreeSet<String> {
    let german = language == "de";
    let mut found = BTreeSet::new();
    let tokens: Vec<&str> = text.split_whitespace().collect();
    if is_a_title(&tokens) {
        return found;
    }
    let mut starts = true;
    for (at, token) in tokens.iter().enumerate() {
        for latin in latin_runs(token) {
            let latin = singular(latin);
            let inner = latin.chars().skip(1).any(char::is_uppercase)
                && latin.chars().any(char::is_lowercase);
            let behind = tokens.get(at + 1).copied().unwrap_or_default();
            let before = at.checked_sub(1).and_then(|at| tokens.get(at)).copied();
            let telling = inner
                || is_legal_form(behind)
                || before.is_some_and(|before| precedes_a_surname(before, latin));
            let unspaced = token.chars().any(is_unspaced);
            if (telling || (!german && (!starts || unspaced)))
                && let Some(name) = unknown(latin, shown)
            {
                found.insert(name);
            }
        }
        starts = token.ends_with(['.', '!', '?', ':', '–', '—'])
            || (token.len() <= 3 && !token.chars().any(char::is_alphanumeric));
    }
    found
}

/// An abbreviation without the ending of its plural: `ERP` of `ERPs`.
fn singular(latin: &str) -> &str {
    match latin.strip_suffix('s') {
        Some(one) if one.chars().count() > 1 && one.chars().all(char::is_uppercase) => one,
        _ => latin,
    }
}

/// The words of a token in letters with capitals, without what is elided before them: `Acme` of `l'Acme`.
fn latin_runs(token: &str) -> impl Iterator<Item = &str> {
    token
        .split(|c: char| !c.is_alphanumeric() || is_unspaced(c))
        .filter(|part| part.starts_with(char::is_uppercase))
        .filter(|part| part.chars().count() >= SHORTEST_NAME)
}

/// A heading or an offering with a capital for each word tells no names.
fn is_a_title(tokens: &[&str]) -> bool {
    let long: Vec<&&str> = tokens
        .iter()
        .filter(|token| token.chars().filter(|c| c.is_alphabetic()).count() > 3)
        .collect();
    let capital = long
        .iter()
        .filter(|token| {
            let mut letters = token.chars().filter(|c| c.is_alphabetic());
            letters.next().is_some_and(char::is_uppercase)
        })
        .count();
    long.len() > 1 && capital == long.len()
}

fn is_legal_form(token: &str) -> bool {
    let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
    bare.len() >= 2
        && legal_forms()
            .iter()
            .any(|form| form.written.contains(&bare))
}

fn precedes_a_surname(before: &str, name: &str) -> bool {
    let tokens = [before, name].map(|text| Token {
        text,
        shouted: false,
    });
    begins_with_a_person(&tokens)
}

/// The folded name, if it stands nowhere and is no word that needs no evidence.
fn unknown(name: &str, shown: &Shown) -> Option<String> {
    let name = singular(name);
    let letters = name.chars().count();
    let shouted = !name.chars().any(char::is_lowercase);
    let folded = words::fold(name);
    let known = is_legal_form(name)
        || (shouted && letters <= LONGEST_ABBREVIATION)
        || has_capital_by_custom(&folded)
        || ROLE_WORDS.has_word(&folded)
        || JOBS.has_word(&folded)
        || shown.mentions(&folded);
    (!known).then_some(folded)
}

/// Whether all words of a name stand somewhere, or need no evidence.
#[must_use]
pub fn is_known(name: &str, shown: &Shown) -> bool {
    name.split_whitespace()
        .flat_map(latin_runs)
        .all(|part| unknown(part, shown).is_none())
}

/// Whether an alternative to buying is one that no page needs to name: a spreadsheet, work by hand.
#[must_use]
pub fn is_generic(alternative: &str) -> bool {
    let folded = words::fold(alternative);
    GENERIC_ALTERNATIVES.any_in(&words::split(&folded))
}

/// Fewest letters of a German noun that is made of several; names of products are shorter.
const SHORTEST_COMPOUND: usize = 12;

/// Whether a text is one long word of a language that gives all nouns a capital, which then tells no name: `Branchensoftware`.
#[must_use]
pub fn is_a_compound(text: &str, language: &str) -> bool {
    let mut letters = text.trim().chars();
    matches!(language, "de" | "lb")
        && letters.next().is_some_and(char::is_uppercase)
        && text.trim().chars().count() >= SHORTEST_COMPOUND
        && letters.all(|c| c.is_lowercase() || c == '-')
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

    fn shown(text: &str) -> Shown {
        Shown::of([text].into_iter(), "", "Tarnbeck")
    }

    #[test]
    fn persons_are_no_roles() {
        let shown = shown("Our warehouse clerk checks the plant and will tell the young.");
        for person in [
            "Jane Miller",
            "J. Miller",
            "Anna-Lena Groß",
            "Head of Sales (Jane Miller)",
            "Jane Miller, CEO",
            "CEO Jane Miller",
            "Will Young",
            "JANE MILLER",
            "Dr. Anna Weber",
            "Frau Weber",
            "Mme Lefèvre",
            "山田太郎",
            "佐藤 花子",
            "田中さん",
            "Bram de Wit",
        ] {
            assert!(has_a_person(person, &shown.small), "{person}");
        }
        for role in [
            "Head of Engineering",
            "Head of Quality",
            "HEAD OF SALES",
            "Pilote de projet",
            "Ingénieur·e Qualité",
            "Obermonteur",
            "Büroleitung",
            "Leitung Instandhaltung",
            "Responsabile Manutenzione",
            "Jefe de Operaciones",
            "施設管理の責任者",
            "情報システム部長",
            "森林管理担当",
            "Warehouse Clerk",
            "Owner of a dairy",
            "Senior Welder Fabricator",
            "Trainee Painter",
            "Parents of small children",
            "CEO",
            "IT Manager",
        ] {
            assert!(!has_a_person(role, &shown.small), "{role}");
        }
    }

    #[test]
    fn names_that_stand_nowhere_are_found() {
        let shown = shown("Tarnbeck stores food near the harbour of Whitby for Nestor Holdings.");
        let found = |text: &str, language: &str| -> Vec<String> {
            candidates(text, language, &shown).into_iter().collect()
        };
        for (language, text, wanted) in [
            ("en", "They replaced Zenoti last year", "zenoti"),
            (
                "en",
                "It serves Nestor Holdings and Brackwater",
                "brackwater",
            ),
            (
                "de",
                "Heute nutzt das Lager SalesForce und Papier",
                "salesforce",
            ),
            ("de", "Ein Angebot der Kolbrink GmbH liegt vor", "kolbrink"),
            ("de", "Dort entscheidet Anna Kolbrink allein", "kolbrink"),
            ("fr", "Le dépôt travaille avec l'éditeur Zenoti", "zenoti"),
            ("es", "Hoy usan el programa Zenoti", "zenoti"),
            ("it", "Oggi il magazzino usa l'app Zenoti", "zenoti"),
            ("ja", "現在はZenotiを使っています", "zenoti"),
        ] {
            assert_eq!(found(text, language), [wanted], "{text}");
        }
        for (language, text) in [
            (
                "en",
                "The audit of September 2026 covers the USA, a French site and AI",
            ),
            ("en", "Call them on Tuesday, before Christmas"),
            ("en", "Cold Storage And Blast Freezing"),
            ("en", "A look at Excel and Whitby's harbours"),
            ("de", "Die Kühlhäuser am Hafen sparen Strom und Wege"),
            ("fr", "L'audit de lundi, à Whitby, en Suisse"),
            ("es", "El Almacén Frigorífico"),
            ("it", "Da lunedì in Italia"),
            ("ja", "IT部門がExcelで管理"),
        ] {
            assert_eq!(found(text, language), [""; 0], "{text}");
        }
    }
}
