//! Lines of business that a sentence lists beside a word for them: `in the sectors food, paper and rail`, `for the food,
//! paper and rail sectors`.

use gtm_lexicon::messages::FUNCTION_WORDS;
use gtm_lexicon::places::ARTICLES;
use gtm_lexicon::prose::SMALL_WORDS;
use gtm_lexicon::segments::{BEFORE, INDUSTRIES_SUCH_AS, JOINTS, NO_NAMES, SECTOR_NOUNS};
use gtm_site_research::words::{self, tokens};

use super::{LEAST, folded_tokens};

/// Most words of a line of business.
const LONGEST: usize = 4;

/// The lines of business of a sentence: several, of which a joint parts the last from the others.
pub(super) fn in_sentence(sentence: &str) -> Vec<&str> {
    let tokens = tokens(sentence);
    let folded = folded_tokens(&tokens);
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let text = |from: usize, to: usize| {
        let begin = tokens.get(from)?.0;
        let end = tokens.get(to.checked_sub(1)?)?.1;
        sentence.get(begin..end)
    };
    for (at, phrase) in INDUSTRIES_SUCH_AS.places(&all) {
        let behind = text(at + phrase.len(), all.len()).unwrap_or_default();
        let found = listed(behind);
        if found.len() >= LEAST {
            return found;
        }
    }
    for (at, _) in SECTOR_NOUNS.places(&all) {
        let before = all.get(..at).unwrap_or_default();
        let opens = |place: &usize| {
            let word = before.get(*place).copied().unwrap_or_default();
            ARTICLES.contains(word) || BEFORE.are(&[word])
        };
        let Some(open) = (0..at).rev().find(opens) else {
            continue;
        };
        let found = listed(text(open + 1, at).unwrap_or_default());
        if found.len() >= LEAST {
            return found;
        }
    }
    Vec::new()
}

/// The items of the list with which a text begins: it ends behind the first joint, at the next small word or mark.
pub fn listed(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut first: Option<usize> = None;
    let mut end = 0;
    let mut joined = false;
    for (start, _, word) in tokens(text) {
        let bare = word.trim_end_matches([',', '.', ';', ':', '!', '?', ')']);
        let folded = words::fold(bare);
        if JOINTS.any_has(&folded) {
            found.extend(first.take().and_then(|from| text.get(from..end)));
            if joined {
                break;
            }
            joined = !found.is_empty();
            continue;
        }
        if first.is_none() && (ARTICLES.contains(&folded) || SMALL_WORDS.any_has(&folded)) {
            continue;
        }
        let ends = SMALL_WORDS.any_has(&folded) || FUNCTION_WORDS.any_has(&folded);
        if first.is_some() && joined && ends {
            break;
        }
        // `l’énergie`
        let elided = word
            .split_once(['\'', '’'])
            .filter(|(article, _)| first.is_none() && article.chars().count() == 1);
        first.get_or_insert(start + elided.map_or(0, |(_, rest)| word.len() - rest.len()));
        end = start + bare.len();
        if bare.len() != word.len() {
            let from = first.take();
            found.extend(from.and_then(|from| text.get(from..end)));
            if joined || !word.ends_with(',') {
                break;
            }
        }
    }
    if let Some(from) = first {
        found.extend(text.get(from..end));
    }
    found.dedup();
    let fits = |name: &&str| {
        let folded = words::fold(name);
        let words = words::split(&folded);
        (1..=LONGEST).contains(&words.len())
            && !NO_NAMES.open(&words)
            && !name.contains(char::is_numeric)
    };
    // One part that is no name shows that the list is of something else.
    if joined && found.iter().all(fits) {
        found
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_list_lines_of_business() {
        for (sentence, sectors) in [
            (
                "We make ropes for the industrial, medical, electronics, and food sectors, and more.",
                vec!["industrial", "medical", "electronics", "food"],
            ),
            (
                "Acme opera nei settori industriale, commerciale e terziario e fornisce corde di qualità.",
                vec!["industriale", "commerciale", "terziario"],
            ),
            (
                "We serve industries including Packaging, Electrical & Electronics, Rail and Shipping.",
                vec!["Packaging", "Electrical & Electronics", "Rail", "Shipping"],
            ),
            (
                "Trabajamos en los sectores naval, agrícola y minero con cuerdas propias.",
                vec!["naval", "agrícola", "minero"],
            ),
            ("Ropes for the sectors of our lives.", vec![]),
            (
                "Nous intervenons dans les secteurs naval, agricole et minier.",
                vec!["naval", "agricole", "minier"],
            ),
            (
                "Nous intervenons dans des secteurs stratégiques, garantissant des cordes fiables et durables.",
                vec![],
            ),
            (
                "We know the ups and downs of the food and paper industries.",
                vec![],
            ),
        ] {
            assert_eq!(in_sentence(sentence), sectors, "{sentence}");
        }
    }
}
