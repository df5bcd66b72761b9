//! Sentences about somebody who leads the company.

use gtm_lexicon::company::WE;
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::roles::{JOBS, SHAPES};
use gtm_lexicon::trade::COPULAS;
use gtm_site_research::words;

/// The end of a possessive, which is a word of its own: `the company's founder`.
const POSSESSIVE: &str = "s";

/// Whether a text names the role of somebody who leads the company: it tells of a person, not of the company. A word for a
/// role alone may be another's, `every home owner`, so it needs a person's name, or a word for whose it is.
pub fn tells_of_an_officer(text: &str) -> bool {
    let folded = words::fold(text);
    let all = words::split(&folded);
    let shown = words::split(text);
    if opens_with_an_officer(text) {
        return true;
    }
    exact_roles().any(|shape| {
        let shape = words::split(shape);
        let length = shape.len().max(1);
        all.windows(length).enumerate().any(|(at, part)| {
            part == shape
                // Scripts without capitals write such words for nothing else.
                && (length > 1
                    || !part.concat().is_ascii()
                    || is_ours(&all, at)
                    || names_person(&all, &shown, at))
        })
    })
}

/// The roles that are whole phrases.
fn exact_roles() -> impl Iterator<Item = &'static str> {
    SHAPES.iter().filter(|shape| !shape.contains('*'))
}

/// How many words a person's name has, and among how many behind it the role stands.
const NAME: std::ops::RangeInclusive<usize> = 2..=4;
const NEAR: usize = 3;

/// Whether a sentence begins with what may be a person's name and goes on with what that person is: `Jane Ann Roe is a
/// director of Acme.`
fn opens_with_an_officer(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_capital = |word: &&&str| word.starts_with(char::is_uppercase);
    let name = words.iter().take_while(is_capital).count();
    let verb = words.get(name).map(|word| words::fold(word));
    let is_verb = verb.is_some_and(|verb| COPULAS.any_has(&verb));
    let behind = words.get(name + 1..).unwrap_or_default().iter().take(NEAR);
    let folded: Vec<String> = behind.map(|word| words::fold(word)).collect();
    let behind = folded.iter().map(|word| word.trim_end_matches(','));
    let behind: Vec<&str> = behind.collect();
    // Of whom somebody is a director stands behind it with a capital; a `developer of signals` is a company.
    let of_somebody = || {
        JOBS.places(&behind).any(|(at, phrase)| {
            let next = words.get(name + 1 + at + phrase.len() + 1);
            next.is_some_and(|next| next.starts_with(char::is_uppercase))
        })
    };
    let has_role =
        || exact_roles().any(|role| words::position(&behind, role).is_some()) || of_somebody();
    NAME.contains(&name) && is_verb && has_role()
}

/// Whether the word before this one says that it is the company's.
fn is_ours(words: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|before| *before == POSSESSIVE || WE.has_word(before))
}

/// Whether a person's name stands in the text, or two words with capitals behind this one: `Owner Jane Roe`.
fn names_person(folded: &[&str], shown: &[&str], at: usize) -> bool {
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    let behind = shown.get(at + 1..at + 3);
    let named = shown
        .windows(2)
        .zip(folded)
        .any(|(pair, first)| GIVEN_NAMES.contains(first) && pair.iter().all(is_capital));
    named || behind.is_some_and(|pair| pair.iter().all(is_capital))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_for_a_role_needs_somebody_who_has_it() {
        for text in [
            "Jane Roe is the owner of Acme, a maker of bells in Leeds.",
            "Ildikó Anna Varga is a director of Acme.",
            "Our founder still checks each bell.",
            "The company's president lives in Leeds.",
            "Inhaber Max Muster leitet den Betrieb.",
            "Unser Inhaber prüft jede Glocke.",
            "The managing director answers all calls.",
        ] {
            assert!(tells_of_an_officer(text), "{text}");
        }
        for text in [
            "We keep boilers running for every home owner in Leeds.",
            "We are an owner-managed joinery.",
            "Wir beraten jeden Inhaber kleiner Betriebe.",
        ] {
            assert!(!tells_of_an_officer(text), "{text}");
        }
    }
}
