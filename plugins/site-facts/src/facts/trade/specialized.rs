//! What a company says that it is specialized in.

use gtm_lexicon::places::ARTICLES as PLACE_ARTICLES;
use gtm_lexicon::trade::{
    ARTICLES, BEYOND, ENDS, SPECIALIZED, SPECIALIZED_ENDS, SPECIALIZED_OPENINGS,
};
use gtm_page_text::primary_language;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::words;

use super::titles::{LONGEST_BUSINESS, joins_at_end};
use super::{is_plain, without_open_bracket};
use crate::facts::speaker::says_what_it_is;
use crate::part::Part;
use crate::site::Site;

/// The first specialty that a sentence of the company tells: `Acme is specialized in the repair of pumps.`
pub(super) fn specialty(site: &Site, evidence: &Evidence) -> Option<(String, Excerpt)> {
    let language = primary_language(&site.research.language);
    let own = |page: usize| matches!(site.part(page), Part::Home | Part::About | Part::Product);
    let sentences = evidence
        .sentences
        .iter()
        .filter(|sentence| own(sentence.page) && says_what_it_is(&sentence.text, site));
    sentences.into_iter().find_map(|sentence| {
        let text = sentence.text.as_str();
        let label = named(text, language).or_else(|| before_verb(text, language))?;
        let label = label.to_owned();
        let excerpt = Excerpt {
            page: sentence.page,
            text: sentence.text.clone(),
        };
        Some((label, excerpt))
    })
}

/// What stands behind words such as `specialized in`, up to the end of the clause. What goes on for long is none: where to
/// cut it, nothing tells.
fn named<'t>(sentence: &'t str, language: &str) -> Option<&'t str> {
    let tokens = words::tokens(sentence);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let word = |at: usize| all.get(at).copied().unwrap_or_default();
    let (at, phrase) = SPECIALIZED.places(&all).next()?;
    let mut first = at + phrase.len();
    first += usize::from(ARTICLES.of(language).contains(word(first)));
    let begin = tokens.get(first)?.0;
    let beyond = BEYOND.of(language);
    for (count, (start, _, token)) in tokens.iter().skip(first).enumerate() {
        let before = || Some(tokens.get(first + count - 1)?.1);
        let bare = token.trim_end_matches([',', '.', ';', ':', '!', ')']);
        let cut = matches!(*token, "–" | "—" | "-") || ends_clause(word(first + count), &beyond);
        let end = if count > 0 && cut {
            before()?
        } else if bare.len() != token.len() {
            start + bare.len()
        } else if count + 1 >= LONGEST_BUSINESS {
            return None;
        } else {
            continue;
        };
        // A list goes on behind its comma, and one item of it says too little.
        let listed = token.ends_with(',') && !cut;
        let label = without_open_bracket(sentence.get(begin..end)?.trim());
        let fits = label.chars().count() >= 4 && !is_plain(label) && !joins_at_end(label);
        return (fits && !listed).then_some(label);
    }
    None
}

/// Whether words such as `specialized in` begin before a token and go on behind it.
pub(super) fn leads_on(tokens: &[(usize, usize, &str)], end: usize) -> bool {
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    SPECIALIZED
        .places(&all)
        .any(|(at, phrase)| at < end && end < at + phrase.len())
}

/// What stands before the German participle: `Wir haben uns auf den Bau von Treppen spezialisiert.`
fn before_verb<'t>(sentence: &'t str, language: &str) -> Option<&'t str> {
    if language != "de" {
        return None;
    }
    let tokens = words::tokens(sentence);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let word = |at: usize| folded.get(at).map(String::as_str).unwrap_or_default();
    let verb = (0..folded.len()).find(|at| SPECIALIZED_ENDS.contains(word(*at)))?;
    let from = verb.saturating_sub(LONGEST_BUSINESS + 2);
    let opening = (from..verb).rfind(|at| SPECIALIZED_OPENINGS.contains(word(*at)))?;
    let first = opening + 1 + usize::from(PLACE_ARTICLES.contains(word(opening + 1)));
    let (begin, end) = (tokens.get(first)?.0, tokens.get(verb.checked_sub(1)?)?.1);
    let label = sentence.get(begin..end)?;
    let fits = first < verb
        && label.chars().count() >= 4
        && !label.contains([',', ':', ';', '–'])
        && !is_plain(label)
        && label.contains(char::is_uppercase);
    fits.then_some(label)
}

/// Whether a word begins what is said of where, for whom or since when. `In` also stands inside of a specialty.
fn ends_clause(word: &str, beyond: &gtm_lexicon::Words) -> bool {
    beyond.contains(word) || ENDS.contains(word) && word.chars().count() > 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specialty_ends_with_its_clause() {
        for (language, sentence, label) in [
            (
                "en",
                "Acme is specialised in the repair of pumps.",
                Some("repair of pumps"),
            ),
            (
                "en",
                "We specialise in slate roofs for churches and schools.",
                Some("slate roofs"),
            ),
            (
                "en",
                "We specialise in wall insulation (EWI) that lowers your bills.",
                Some("wall insulation"),
            ),
            (
                "de",
                "Acme ist spezialisiert auf Metallbau und Treppen.",
                Some("Metallbau und Treppen"),
            ),
            (
                "it",
                "Acme è specializzata nella posa di pavimenti.",
                Some("posa di pavimenti"),
            ),
            (
                "fr",
                "Acme, spécialisée dans la taille de pierre depuis 1951, est à Lyon.",
                Some("taille de pierre"),
            ),
            (
                "en",
                "We specialise in roofs, gutters, walls and more.",
                None,
            ),
            (
                "en",
                "We specialise in what others would not even dream of doing.",
                None,
            ),
            ("en", "We love special roofs.", None),
        ] {
            assert_eq!(named(sentence, language), label, "{sentence}");
        }
    }

    #[test]
    fn a_specialty_may_stand_before_its_verb() {
        for (sentence, label) in [
            (
                "Wir haben uns auf den Bau von Treppen spezialisiert.",
                Some("Bau von Treppen"),
            ),
            (
                "Acme ist auf Schieferdächer spezialisiert.",
                Some("Schieferdächer"),
            ),
            ("Wir sind auf dies, das und jenes spezialisiert.", None),
            ("Wir sind spezialisiert und geprüft.", None),
        ] {
            assert_eq!(before_verb(sentence, "de"), label, "{sentence}");
        }
    }
}
