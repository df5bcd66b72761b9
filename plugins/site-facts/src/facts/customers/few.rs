//! One or two groups of buyers for whom a company says that it works: `for hospitals and laboratories`.

use gtm_lexicon::segments::{BEFORE, FOR_WHOM};
use gtm_page_text::primary_language;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::words::tokens;

use super::{LONGEST, elements, folded_tokens, is_kind};
use crate::part::Part;
use crate::site::Site;

/// How many groups a sentence names whose words alone do not say that it lists buyers.
const PAIR: usize = 2;

/// The pair of known kinds of buyers behind a word such as `for` in a sentence of the company. One kind alone is as often
/// what a sentence tells in passing, `for businesses`.
pub(super) fn pair(sentence: &str) -> Vec<&str> {
    let tokens = tokens(sentence);
    let folded = folded_tokens(&tokens);
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    let found = (0..all.len()).find_map(|at| {
        let phrase = BEFORE.at_start(all.get(at..)?).next()?;
        let (start, ..) = tokens.get(at + phrase.len())?;
        let (groups, listed) = elements(sentence.get(*start..)?, "");
        let fits = |group: &&str| is_kind(group) && group.split(' ').count() <= LONGEST;
        let known: Vec<&str> = groups.into_iter().take_while(fits).collect();
        (listed && known.len() == PAIR).then_some(known)
    });
    found.unwrap_or_default()
}

/// The groups for whom the first heading or the title of the home page says that something is: `Ventilation for schools`.
/// They end it, and each is a known kind.
pub(super) fn in_headline(site: &Site) -> Vec<(String, Claim)> {
    let language = primary_language(&site.research.language);
    let Some((page, _, home)) = site.own_pages().find(|(_, part, _)| *part == Part::Home) else {
        return Vec::new();
    };
    let mut blocks = home.blocks.iter();
    let heading = blocks.find(|block| block.level == Some(1));
    let heading = heading.map(|block| block.text.as_str());
    for text in [heading, home.title.as_deref()].into_iter().flatten() {
        let groups = at_end(text, language);
        if !groups.is_empty() {
            let claim = |name: &str| {
                let text = text.to_owned();
                (name.to_owned(), Claim::told(name, Excerpt { page, text }))
            };
            return groups.into_iter().map(claim).collect();
        }
    }
    Vec::new()
}

fn at_end<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let tokens = tokens(text);
    let folded = folded_tokens(&tokens);
    let opens = FOR_WHOM.of(language);
    let found = (1..folded.len()).find_map(|at| {
        folded.get(at).filter(|word| opens.contains(word))?;
        let (start, ..) = tokens.get(at + 1)?;
        let (groups, _) = elements(text.get(*start..)?, "");
        let fits = |group: &&str| is_kind(group) && group.split(' ').count() <= LONGEST;
        let ends = text
            .trim_end_matches(['.', '!', ' '])
            .ends_with(groups.last()?);
        (ends && groups.iter().all(fits)).then_some(groups)
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_buyers_stand_behind_a_preposition() {
        for (sentence, groups) in [
            (
                "We build filters for hospitals and laboratories in the north.",
                vec!["hospitals", "laboratories"],
            ),
            (
                "Wir bauen Küchen für Hotels und Schulen.",
                vec!["Hotels", "Schulen"],
            ),
            ("We build filters for hospitals.", vec![]),
            ("We build filters for air and water.", vec![]),
        ] {
            assert_eq!(pair(sentence), groups, "{sentence}");
        }
    }

    #[test]
    fn headlines_end_with_their_buyers() {
        assert_eq!(at_end("Ventilation for schools", "en"), ["schools"]);
        assert_eq!(
            at_end("Software für Handwerksbetriebe.", "de"),
            ["Handwerksbetriebe"]
        );
        for text in ["Filters for clean air", "For schools", "Stairs for life"] {
            assert!(at_end(text, "en").is_empty(), "{text}");
        }
    }
}
