//! The mailbox that a company has for everybody, never a person's.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::places::MAILBOXES;
use gtm_page_text::bare_host;
use gtm_site_research::claim::Claim;
use gtm_site_research::words;

use super::{Line, rank};
use crate::facts::{legal_names, letters};
use crate::site::Site;

/// The mailbox that companies of most countries have for everybody.
const USUAL: &str = "info";
/// Fewest letters of a name by which a mailbox is known as the company's.
const LEAST_LETTERS: usize = 4;

/// A mailbox whose name says that it is for everybody: at the site's own domain, or elsewhere if its name or its domain is the
/// company's, or if nearly all pages show it.
pub fn shown(site: &Site, lines: &[Line<'_>]) -> Option<Claim> {
    let domain = bare_host(&site.research.domain).to_lowercase();
    let company = names(site);
    let mut pages: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut told: Vec<(u8, String, Claim)> = Vec::new();
    for line in lines {
        let mark = |c: char| c.is_whitespace() || "<>()[],;:|\"：".contains(c);
        for word in line.text.split(mark) {
            let text = word.trim_end_matches('.');
            if !text.contains('@') {
                continue;
            }
            let key = text.to_lowercase();
            pages.entry(key.clone()).or_default().insert(line.page);
            if let Some(rank) = rank(line) {
                told.push((rank, key, Claim::stated(text, vec![line.excerpt()])));
            }
        }
    }
    let all = site.own_pages().count();
    let everywhere = |key: &str| {
        let shown = pages.get(key).map_or(0, BTreeSet::len);
        shown >= 2 && shown * 3 >= all * 2
    };
    let fits = |key: &str| {
        let (local, host) = key.split_once('@')?;
        let of_company = is_of(&letters(local), &company);
        let is_own = host == domain;
        let for_all = of_company || MAILBOXES.contains(&words::fold(local));
        let of_host = host.split('.').any(|part| is_of(&letters(part), &company));
        let other = || of_company || of_host || everywhere(key);
        (for_all && (is_own || other())).then_some((!is_own, local != USUAL))
    };
    let ranked = told
        .into_iter()
        .filter_map(|(rank, key, claim)| Some(((fits(&key)?, rank), claim)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, claim)| claim)
}

/// The names of the company as letters.
fn names(site: &Site) -> Vec<String> {
    let known = site.research.names.iter();
    known
        .map(|name| letters(legal_names::without_form(name)))
        .chain(site.label().map(|label| letters(&label)))
        .filter(|name| name.chars().count() >= LEAST_LETTERS)
        .collect()
}

/// Whether a word is one of the company's names, or has one in it.
fn is_of(word: &str, company: &[String]) -> bool {
    company.iter().any(|name| word.contains(name.as_str()))
}
