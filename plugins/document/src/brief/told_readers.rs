//! Sentences that say for whom a document is that was ordered: `It goes to Ms Jane Doe, purchasing, at Northwind.`, `Ansprechpartner
//! ist Herr Kern.`
//!
//! Danger: `It goes to 40 sites` and `Das geht an die Substanz` are content. So a name of two words, one with a word of respect or a
//! company's stands behind them.

use gtm_lexicon::documents::{AT_FIRMS, ATTITUDES, GOING_TO};
use gtm_lexicon::roles::ROLE_WORDS;
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{fold, split};
use gtm_page_text::primary_language;

use super::{is_legal_form, may_be_a_persons_name, one_line, signatures};

/// Most words before such a beginning: `Und es geht an …`.
const WORDS_BEFORE: usize = 1;
/// Longest name, and longest role, in words.
const NAME_WORDS: usize = 6;
const ROLE_WORDS_MOST: usize = 6;

/// Who reads a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Their name, with the role that stands behind it.
    pub person: Option<String>,
    pub firm: Option<String>,
}

impl Told {
    /// What a sentence says of it.
    pub fn of(sentence: &str, language: &str) -> Option<Self> {
        let behind = behind_the_beginning(sentence)?;
        let behind = behind.trim_end_matches(['.', '!', ' ']);
        // A second sentence tells something else.
        if behind.contains(['?', '@', '\n', ':']) {
            return None;
        }
        let primary = primary_language(language);
        let mut told = Self::default();
        for segment in behind.split([',', ';', '(', ')', '–']).map(str::trim) {
            let (said, firm) = parted_at_a_firm(segment, primary);
            let said = without_article(said);
            let firm = firm.or_else(|| ends_with_a_form(said).then_some(said));
            let is_firm = firm == Some(said);
            if told.person.is_none() && told.firm.is_none() && !is_firm {
                if !is_named(said) {
                    return None;
                }
                // `la señora Ruiz` keeps its article, and `la Sra. Ruiz` as well.
                let whole = segment
                    .find(said)
                    .and_then(|at| segment.get(..at + said.len()));
                told.person = whole.map(one_line);
            } else if !is_firm
                && is_role(said)
                && let Some(person) = &mut told.person
                && told.firm.is_none()
            {
                person.push_str(", ");
                person.push_str(&one_line(said));
            }
            if told.firm.is_none() {
                told.firm = firm.filter(|it| begins_like_a_name(it)).map(one_line);
            }
        }
        (told.person.is_some() || told.firm.is_some()).then_some(told)
    }
}

/// What stands behind the words with which such a sentence begins.
fn behind_the_beginning(sentence: &str) -> Option<&str> {
    let folded = fold(sentence);
    let words = split(&folded);
    if split(sentence).len() != words.len() {
        return None;
    }
    let (at, phrase) = GOING_TO
        .places(&words)
        .take_while(|(at, _)| *at <= WORDS_BEFORE)
        .max_by_key(|(at, phrase)| at + phrase.len())?;
    let mut rest = sentence;
    for _ in 0..at + phrase.len() {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        let word = split(rest).first().copied()?;
        rest = rest.get(word.len()..)?;
    }
    let said =
        rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '\'' | '’' | ':'));
    (!said.is_empty()).then_some(said)
}

fn without_article(said: &str) -> &str {
    let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
    let is_article = ARTICLES
        .iter()
        .any(|(_, list)| list.contains(fold(first).as_str()));
    match is_article && first.starts_with(char::is_lowercase) && !rest.is_empty() {
        true => rest,
        false => said,
    }
}

/// A segment before the words `at Northwind`, and the firm.
fn parted_at_a_firm<'s>(segment: &'s str, primary: &str) -> (&'s str, Option<&'s str>) {
    let before = AT_FIRMS.of(primary);
    let mut from = 0;
    for word in segment.split_inclusive(' ') {
        let behind = segment.get(from + word.len()..).unwrap_or_default().trim();
        let firm = without_article(behind);
        if before.contains(fold(word.trim()).as_str()) && begins_like_a_name(firm) {
            let said = segment.get(..from).unwrap_or_default().trim();
            return (said, Some(firm));
        }
        from += word.len();
    }
    (segment, None)
}

fn begins_like_a_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_uppercase() || !c.is_ascii() && !c.is_lowercase())
}

fn ends_with_a_form(said: &str) -> bool {
    let last = said.rsplit(' ').next().unwrap_or_default();
    begins_like_a_name(said) && is_legal_form(last) || signatures::is_companys_name(said)
}

/// Whether words are somebody's name, perhaps behind a word of respect in small letters: `mevrouw De Wit`.
fn is_named(said: &str) -> bool {
    let count = said.split_whitespace().count();
    let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
    let respectful = first.starts_with(char::is_lowercase) && begins_like_a_name(rest);
    let folded = fold(said);
    (2..=NAME_WORDS).contains(&count)
        && (may_be_a_persons_name(said) || respectful)
        && !said.contains(char::is_numeric)
        && !ATTITUDES.any_in(&split(&folded))
}

/// What stands behind a name and is no judgement of it.
fn is_role(said: &str) -> bool {
    let folded = fold(said);
    let words = split(&folded);
    (1..=ROLE_WORDS_MOST).contains(&words.len())
        && !said.contains(char::is_numeric)
        && !ATTITUDES.any_in(&words)
        && (ROLE_WORDS.any_in(&words) || words.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::Told;

    #[test]
    fn a_sentence_names_the_reader_and_the_firm() {
        for (language, sentence, person, firm) in [
            (
                "en",
                "It goes to Ms Jane Doe, purchasing, at Northwind Foods.",
                "Ms Jane Doe, purchasing",
                "Northwind Foods",
            ),
            (
                "de",
                "Ansprechpartner ist Herr Ulf Kern, Einkaufsleiter bei der Tannach GmbH.",
                "Herr Ulf Kern, Einkaufsleiter",
                "Tannach GmbH",
            ),
            (
                "fr",
                "C'est pour Mme Claire Besson, directrice qualité, chez Kerhoz.",
                "Mme Claire Besson, directrice qualité",
                "Kerhoz",
            ),
            (
                "es",
                "Va dirigida a la señora Ruiz, directora de compras.",
                "la señora Ruiz, directora de compras",
                "",
            ),
            ("nl", "Het gaat naar mevrouw De Wit.", "mevrouw De Wit", ""),
            ("en", "This one is for Vela Ltd.", "", "Vela Ltd"),
        ] {
            let told = Told::of(sentence, language).unwrap_or_default();
            assert_eq!(
                told.person.as_deref().unwrap_or_default(),
                person,
                "{sentence}"
            );
            assert_eq!(told.firm.as_deref().unwrap_or_default(), firm, "{sentence}");
        }
        for (language, sentence) in [
            ("en", "It goes to 40 sites."),
            ("en", "It is for cold stores."),
            ("de", "Das geht an die Substanz."),
            ("es", "Es para toda la planta."),
            ("fr", "C'est pour Noël."),
            ("it", "È per tutti."),
        ] {
            assert_eq!(Told::of(sentence, language), None, "{sentence}");
        }
    }

    #[test]
    fn whom_a_sentence_beside_the_order_names_is_the_reader() {
        let brief = Brief::read(
            "Write a proposal, two pages. It goes to Ms Jane Doe, purchasing, at Northwind Foods.\n\n## Why\n\nTwo of 9 gates leak.",
            "en",
        );
        assert_eq!(
            brief.addressee.recipient.as_deref(),
            Some("Northwind Foods")
        );
        assert_eq!(
            brief.addressee.person.as_deref(),
            Some("Ms Jane Doe, purchasing")
        );
        assert_eq!(brief.text(), "Why\nTwo of 9 gates leak.\n");
        let brief = Brief::read(
            "It goes to Ms Jane Doe at Northwind Foods.\n\nIt is cold.",
            "en",
        );
        assert!(brief.text().contains("Jane Doe"), "nobody ordered anything");
    }
}
