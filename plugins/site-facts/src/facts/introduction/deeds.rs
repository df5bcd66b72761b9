//! Whether a sentence says what the company does, told by its form: a finite verb right behind the company's name
//! or behind `we`. No list of verbs holds what all companies do.

use gtm_lexicon::company::{FEELS, THIRD_PERSONS, WE_ENDINGS, YOU};
use gtm_lexicon::founding::{FOUNDED, STARTED};
use gtm_lexicon::segments::JOINTS;
use gtm_lexicon::signals::MOVES;
use gtm_lexicon::trade::{ARTICLES, COPULAS, WE};
use gtm_lexicon::words::STOPWORDS;
use gtm_page_text::primary_language;
use gtm_site_research::words;

use crate::facts::founding::year;
use crate::facts::legal_names;
use crate::site::Site;

/// Fewest letters of a verb: shorter words are mostly particles and auxiliary verbs.
const SHORTEST_VERB: usize = 4;
/// Fewest words behind the verb.
const LEAST_BEHIND: usize = 3;
/// Most words of a legal form behind the name.
const LONGEST_FORM: usize = 3;

/// Whether a sentence begins with the company and goes on with what it does.
pub fn tells_a_deed(sentence: &str, site: &Site) -> bool {
    let language = primary_language(&site.research.language);
    let tokens: Vec<&str> = words::tokens(sentence)
        .into_iter()
        .map(|(.., token)| token)
        .collect();
    let names = site.research.names.iter();
    let names = names.map(|name| words::fold(legal_names::without_form(name)));
    is_deed(&tokens, &names.collect::<Vec<_>>(), language)
}

fn is_deed(tokens: &[&str], names: &[String], language: &str) -> bool {
    let folded: Vec<String> = tokens
        .iter()
        .map(|token| words::split(&words::fold(token)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    // A year dates one event; what a company does, it does all the time.
    if all.iter().any(|word| year(word).is_some()) {
        return false;
    }
    let by_us = all.first().is_some_and(|first| WE.contains(first));
    // `We look after your engine so that you can sleep` is a promise.
    if by_us && YOU.any_in(&all) {
        return false;
    }
    let (at, endings) = if by_us {
        (1, WE_ENDINGS.of(language))
    } else {
        let Some(behind) = behind_name(tokens, &all, names, language) else {
            return false;
        };
        (behind, THIRD_PERSONS.of(language))
    };
    let (Some(token), Some(verb)) = (tokens.get(at), all.get(at)) else {
        return false;
    };
    token.starts_with(char::is_lowercase)
        && token.ends_with(char::is_alphabetic)
        && verb.chars().count() >= SHORTEST_VERB
        && endings.iter().any(|ending| verb.ends_with(ending))
        && !STOPWORDS.contains(verb)
        && !JOINTS.any_has(verb)
        && !COPULAS.any_has(verb)
        && !FOUNDED.contains(verb)
        && ![&FEELS, &MOVES, &STARTED]
            .iter()
            .any(|phrases| phrases.has_word(verb))
        && tokens.len() > at + LEAST_BEHIND
}

/// The place behind the company's name, and behind its legal form, at the beginning of a sentence.
fn behind_name(tokens: &[&str], all: &[&str], names: &[String], language: &str) -> Option<usize> {
    let article = all
        .first()
        .is_some_and(|first| ARTICLES.of(language).contains(first));
    let begin = usize::from(article);
    let rest = all.get(begin..)?;
    let named = names
        .iter()
        .map(|name| words::split(name))
        .filter(|name| !name.is_empty() && rest.starts_with(name))
        .map(|name| begin + name.len())
        .max()?;
    let is_form = |token: &&&str| token.starts_with(|c: char| c.is_uppercase() || c == '&');
    let form = tokens.get(named..)?.iter().take(LONGEST_FORM);
    Some(named + form.take_while(is_form).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_behind_the_company_tells_what_it_does() {
        let names = ["nordtau".to_owned()];
        for (language, sentence, told) in [
            (
                "de",
                "Nordtau AG verbindet Seilereien und Werften an der Küste.",
                true,
            ),
            ("de", "Wir spinnen Garne und Taue für jedes Schiff.", true),
            (
                "fr",
                "Nordtau assure la conception et la pose de gréements.",
                true,
            ),
            (
                "fr",
                "Nous tressons des cordes pour tous les navires.",
                true,
            ),
            ("en", "Nordtau splices ropes for ships of every size.", true),
            (
                "it",
                "Nordtau intreccia cordami per navi di ogni misura.",
                true,
            ),
            (
                "nl",
                "Nordtau vlecht touwen voor schepen van elke maat.",
                true,
            ),
            ("de", "Nordtau ist seit jeher für Sie da.", false),
            ("de", "Nordtau wurde von zwei Brüdern gegründet.", false),
            ("de", "Wir schonen Wasser und Boden an jedem Ort.", false),
            ("de", "Wir freuen uns auf Ihren Besuch im Hafen.", false),
            (
                "fr",
                "Nous souhaitons préserver la mer et ses rives.",
                false,
            ),
            ("fr", "Nordtau et ses filiales sont à votre service.", false),
            ("en", "Nordtau believes in ropes that last for ever.", false),
            ("en", "Nordtau opens a new hall in the old harbour.", false),
            ("en", "Nordtau, the rope, holds whatever you tie.", false),
            (
                "en",
                "Nordtau splices ropes in Kiel since 1951 for ships.",
                false,
            ),
        ] {
            let tokens: Vec<&str> = sentence.split(' ').collect();
            assert_eq!(is_deed(&tokens, &names, language), told, "{sentence}");
        }
    }
}
