//! Short forms of the company's names.

use gtm_lexicon::company::SMALL_WORDS_IN_NAMES;

use super::spoken_names;
use crate::site::Site;

/// Fewest letters of one word that stands for a whole name.
const LEAST_OF_DOMAIN: usize = 4;

/// The folded beginnings of names by which sentences call the company: `Acme CNC` of `Acme CNC Machining`, and the one word
/// with which its domain begins, too. They count only where a sentence begins with them.
pub fn short_names(site: &Site) -> Vec<String> {
    let label = site.label().unwrap_or_default();
    let mut found = Vec::new();
    for name in spoken_names(site) {
        let words: Vec<&str> = name.split(' ').collect();
        let Some((_, begin)) = words.split_last() else {
            continue;
        };
        let of_domain = |word: &str| word.len() >= LEAST_OF_DOMAIN && label.starts_with(word);
        match begin {
            [] => {}
            [first] if !of_domain(first) => {}
            [.., last] if SMALL_WORDS_IN_NAMES.contains(last) => {}
            _ => found.push(begin.join(" ")),
        }
    }
    found
}
