//! Two groups of buyers that sentences name together: `for homes and businesses`.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::segments::{BEFORE, SIDES};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::words::{self, tokens};

use super::{elements, folded_tokens, is_kind};
use crate::part::Part;
use crate::site::Site;

/// Fewest sentences, and pages, that name two groups together.
const LEAST_TOLD: usize = 3;
const LEAST_PAGES: usize = 2;

/// Two groups that sentences name together again and again, `for homes and businesses`: said once, they may be a way of
/// speaking.
pub fn told_twice(site: &Site, evidence: &Evidence) -> Vec<(String, Claim)> {
    let mut told: BTreeMap<[String; 2], Vec<&Sentence>> = BTreeMap::new();
    let mut pairs: Vec<([String; 2], [&str; 2], &Sentence)> = Vec::new();
    for sentence in &evidence.sentences {
        if !matches!(
            site.part(sentence.page),
            Part::Home
                | Part::About
                | Part::Product
                | Part::Customers
                | Part::Contact
                | Part::Other
        ) {
            continue;
        }
        let Some(pair) = pair_in(&sentence.text) else {
            continue;
        };
        let key = pair.map(words::fold);
        told.entry(key.clone()).or_default().push(sentence);
        pairs.push((key, pair, sentence));
    }
    let again = |key: &[String; 2]| {
        told.get(key).is_some_and(|sentences| {
            let pages: BTreeSet<usize> = sentences.iter().map(|sentence| sentence.page).collect();
            sentences.len() >= LEAST_TOLD && pages.len() >= LEAST_PAGES
        })
    };
    let Some((_, pair, sentence)) = pairs.iter().find(|(key, ..)| again(key)) else {
        return Vec::new();
    };
    let excerpt = Excerpt {
        page: sentence.page,
        text: sentence.text.clone(),
    };
    let claim = |name: &str| (name.to_owned(), Claim::told(name, excerpt.clone()));
    pair.iter().copied().map(claim).collect()
}

/// The two known kinds of buyers that a sentence joins behind words such as `for`, without more of them.
fn pair_in(sentence: &str) -> Option<[&str; 2]> {
    let tokens = tokens(sentence);
    let folded = folded_tokens(&tokens);
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    BEFORE.places(&all).find_map(|(at, phrase)| {
        let (start, ..) = *tokens.get(at + phrase.len())?;
        let (groups, listed) = elements(sentence.get(start..)?, "");
        match groups.as_slice() {
            [one, two] if listed => (is_buyer(one) && is_buyer(two)).then_some([*one, *two]),
            _ => None,
        }
    })
}

/// Whether a text is a known kind of buyers, or what is theirs: `homes`.
fn is_buyer(text: &str) -> bool {
    is_kind(text) || SIDES.are(&words::split(&words::fold(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_groups_may_be_named_together() {
        assert_eq!(
            pair_in("Ropes for homes and businesses, in every length."),
            Some(["homes", "businesses"])
        );
        assert_eq!(pair_in("Ropes for schools, hotels and farms."), None);
        assert_eq!(pair_in("Ropes for strength and businesses."), None);
    }
}
