//! Tells whether a text is the company speaking about itself.

use gtm_lexicon::Phrases;
use gtm_lexicon::company::{FIRST_PERSONS, NO_FIRST_PERSONS, WE};
use gtm_lexicon::prose::DISTANT;
use gtm_page_text::primary_language;
use gtm_site_research::words;

use super::{legal_names, letters};
use crate::site::Site;

/// The first word of the company's name, folded, if people call the company that: its domain begins with it.
fn short_name(site: &Site) -> Option<String> {
    let label = letters(&site.label()?);
    site.research.names.iter().find_map(|name| {
        let folded = words::fold(legal_names::without_form(name));
        let first = *words::split(&folded).first()?;
        let fits = first.chars().count() >= 4 && label.starts_with(first);
        fits.then(|| first.to_owned())
    })
}

/// Whether the text is about the company: it names the company or says `we`.
pub fn says_what_it_is(text: &str, site: &Site) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    WE.any_in(&words)
        || words.iter().any(|word| speaks_as_we(word, site))
        || site.research.names.iter().any(|name| {
            let name = words::fold(legal_names::without_form(name));
            !name.is_empty() && folded.contains(&name)
        })
        || short_name(site).is_some_and(|name| words.contains(&name.as_str()))
}

/// Whether a sentence of a news item is about the company: news items also report on others.
pub fn speaks_of_itself(text: &str, site: &Site) -> bool {
    let own = super::others::Own::new(site, None);
    // A sentence is usually about the company that it names first.
    let other = legal_names::find(text)
        .into_iter()
        .find(|name| !own.is_named_in(name));
    let before = other.and_then(|name| text.get(..super::others::offset_in(text, name)));
    says_what_it_is(text, site)
        && (other.is_none() || before.is_some_and(|before| own.is_named_in(before)))
}

/// Whether a verb ends in the first person plural, for languages that omit the pronoun.
pub fn speaks_as_we(word: &str, site: &Site) -> bool {
    let endings = FIRST_PERSONS.of(primary_language(&site.research.language));
    word.chars().count() >= 6
        && endings.iter().any(|ending| word.ends_with(ending))
        && !NO_FIRST_PERSONS.contains(word)
}

/// Whether a text has words by which a company speaks with its readers, in a language. Polite address may differ
/// from other words by its capital alone (German `Ihr`, your, and `ihr`, her or their), and the first word of a
/// sentence tells nothing by it.
pub fn addresses(phrases: &'static Phrases, text: &str, language: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let polite = DISTANT.of(primary_language(language));
    let capital = |word: &&str| word.starts_with(char::is_uppercase);
    let is_polite = |word: &str| {
        let mut polite = polite.iter().filter(capital);
        polite.any(|known| words::fold(known) == word)
    };
    let plainly = phrases
        .places(&words)
        .any(|(at, _)| words.get(at).is_some_and(|word| !is_polite(word)));
    let mut printed = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .skip(1)
        .filter(capital);
    plainly || printed.any(|word| polite.contains(word) && phrases.has_word(&words::fold(word)))
}

#[cfg(test)]
mod tests {
    use gtm_lexicon::company::WE_AND_YOU;

    use super::*;

    #[test]
    fn polite_address_has_its_capital() {
        for (language, text) in [
            ("de", "Gern planen wir die Treppe."),
            ("de", "Die Treppe passt in Ihr Haus."),
            ("de", "Am Ende zahlen Sie nur die Stufen."),
            ("en", "You see the stairs before they are built."),
            ("nl", "Wij maken de trap in onze werkplaats."),
        ] {
            assert!(addresses(&WE_AND_YOU, text, language), "{text}");
        }
        for (language, text) in [
            ("de", "Die Holm-Gruppe wird mit ihren Töchtern verkauft."),
            ("de", "Sie wurde im Herbst verkauft."),
            ("en", "The mill was sold with its stairs."),
        ] {
            assert!(!addresses(&WE_AND_YOU, text, language), "{text}");
        }
    }
}
