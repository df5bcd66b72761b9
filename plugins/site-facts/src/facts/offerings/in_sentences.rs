//! What a company says in a sentence that it sells, where no page lists it: `We make ropes, nets and sails for ports.`

use gtm_lexicon::messages::FUNCTION_WORDS;
use gtm_lexicon::offer::SUPPLIES;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words::{self, tokens};

use super::naming::is_name;
use crate::facts::customers::{is_kind, listed_in};
use crate::facts::speaker::says_what_it_is;
use crate::part::Part;
use crate::site::Site;

/// Fewest and most names of a list in a sentence.
const NAMES: std::ops::RangeInclusive<usize> = 3..=8;

/// The names that the first sentence of the company with such a list has, and what shows them.
pub(super) fn told(site: &Site, evidence: &Evidence) -> Vec<(String, Excerpt)> {
    let presents = |page: usize| {
        matches!(
            site.part(page),
            Part::Home | Part::About | Part::Product | Part::Other
        )
    };
    let own = evidence.sentences.iter().filter(|sentence| {
        presents(sentence.page)
            && matches!(sentence.kind, BlockKind::Paragraph | BlockKind::Other)
            && says_what_it_is(&sentence.text, site)
    });
    let lists = own.map(|sentence| (sentence, behind_verb(&sentence.text)));
    let mut lists = lists.filter(|(_, names)| !names.is_empty());
    lists.next().map_or_else(Vec::new, |(sentence, names)| {
        let shown = |name: &str| {
            let excerpt = Excerpt {
                page: sentence.page,
                text: sentence.text.clone(),
            };
            (name.to_owned(), excerpt)
        };
        names.into_iter().map(shown).collect()
    })
}

/// The list right behind a verb such as `supplies`. One part that can't be a name, or that names buyers, shows that the
/// sentence lists something else.
fn behind_verb(sentence: &str) -> Vec<&str> {
    let tokens = tokens(sentence);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    for (at, phrase) in SUPPLIES.places(&all) {
        let mut next = at + phrase.len();
        // `Wir bieten Ihnen …`
        next += usize::from(all.get(next).is_some_and(is_grammar));
        let Some(rest) = tokens
            .get(next)
            .and_then(|(start, ..)| sentence.get(*start..))
        else {
            continue;
        };
        let names = listed_in(rest);
        let fits = |name: &&str| {
            is_name(name) && !is_kind(name) && !name.ends_with('-') && name.chars().count() >= 3
        };
        // `a wide range of ropes, nets and sails`: where the first name begins, no form tells.
        let first = names.first().map(|first| words::fold(first));
        let leads = first.is_some_and(|first| words::split(&first).iter().any(is_grammar));
        if NAMES.contains(&names.len()) && names.iter().all(fits) && !leads {
            return names;
        }
    }
    Vec::new()
}

fn is_grammar(word: &&str) -> bool {
    FUNCTION_WORDS.any_has(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_list_what_is_sold() {
        for (sentence, names) in [
            (
                "We supply ropes, steel nets and sails to ports in the north.",
                vec!["ropes", "steel nets", "sails"],
            ),
            (
                "Wir bieten Ihnen Dachdeckung, Fassadenbau und Gerüstbau aus einer Hand.",
                vec!["Dachdeckung", "Fassadenbau", "Gerüstbau"],
            ),
            (
                "Acme fabrique des cordes, des filets et des voiles pour les ports.",
                vec!["cordes", "filets", "voiles"],
            ),
            (
                "We offer quality, honesty and fair prices to everybody.",
                vec![],
            ),
            (
                "We supply schools, hotels and hospitals with bread.",
                vec![],
            ),
            ("We supply ropes and nets to ports.", vec![]),
            ("We offer a wide range of ropes, nets and sails.", vec![]),
            (
                "We offer you a place where everybody is welcome, and we care.",
                vec![],
            ),
            ("Wir bieten Dach-, Fassaden- und Gerüstbau an.", vec![]),
        ] {
            assert_eq!(behind_verb(sentence), names, "{sentence}");
        }
    }
}
