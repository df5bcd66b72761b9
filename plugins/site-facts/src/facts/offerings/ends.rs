//! Names of what is sold that all end alike, as those of links do that also say where: `Roofs Leeds`, `Walls Leeds`.

use std::collections::BTreeSet;

use gtm_site_research::claim::Claim;
use gtm_site_research::words;

use crate::letters::letters;
use crate::site::Site;

/// Fewest names that end alike.
const LEAST: usize = 3;
/// Most words of such an end.
const LONGEST: usize = 3;

/// The claims, each without the end that others have, too, where the site also names it so; each name once.
pub fn without_common_end(claims: Vec<Claim>, site: &Site) -> Vec<Claim> {
    let names = |claims: &[Claim]| -> Vec<String> {
        let texts = claims.iter().filter_map(|claim| claim.value.as_str());
        texts.map(str::to_owned).collect()
    };
    let Some(end) = common_end(&names(&claims)) else {
        return claims;
    };
    let shown = named(site);
    let mut known: BTreeSet<String> = BTreeSet::new();
    let shortened = claims.into_iter().map(|claim| {
        let short = claim
            .value
            .as_str()
            .and_then(|name| name.strip_suffix(end.as_str()))
            .map(str::trim_end)
            .filter(|short| shown.contains(&letters(short)))
            .map(str::to_owned);
        match short {
            Some(short) => Claim {
                value: short.into(),
                ..claim
            },
            None => claim,
        }
    });
    let mut claims: Vec<Claim> = shortened.collect();
    claims.retain(|claim| known.insert(letters(claim.value.as_str().unwrap_or_default())));
    claims
}

/// The longest words with which at least three names end, each behind others, and which begin like a name.
fn common_end(names: &[String]) -> Option<String> {
    (1..=LONGEST).rev().find_map(|length| {
        let end_of = |name: &String| {
            let tokens = words::tokens(name);
            let at = tokens.len().checked_sub(length).filter(|at| *at > 0)?;
            let end = name.get(tokens.get(at)?.0..)?;
            end.starts_with(char::is_uppercase).then(|| end.to_owned())
        };
        let ends: Vec<String> = names.iter().filter_map(end_of).collect();
        let shared = |end: &&String| ends.iter().filter(|other| other == end).count() >= LEAST;
        ends.iter().find(shared).cloned()
    })
}

/// The texts of the site's links and headings, as letters.
fn named(site: &Site) -> BTreeSet<String> {
    let pages = || site.own_pages().map(|(.., page)| page);
    let links = pages().flat_map(|page| page.links.iter().map(|link| letters(&link.text)));
    let blocks = pages().flat_map(|page| page.blocks.iter());
    let headings = blocks.filter(|block| block.level.is_some());
    links
        .chain(headings.map(|block| letters(&block.text)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_that_names_share_is_found() {
        let names = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let end = |all: &[&str]| common_end(&names(all));
        assert_eq!(
            end(&["Roofs Leeds", "Walls Leeds", "Stone walls Leeds", "Gates"]),
            Some("Leeds".to_owned())
        );
        assert_eq!(
            end(&["Murs Val-Clair", "Toits Val-Clair", "Cours Val-Clair"]),
            Some("Val-Clair".to_owned())
        );
        for all in [
            &["Roofs Leeds", "Walls Leeds", "Gates"][..],
            &["Dachbau", "Mauerbau", "Wegebau"],
            &["Murs en pierre", "Cours en pierre", "Toits en pierre"],
            &["Leeds", "Leeds", "Leeds"],
        ] {
            assert_eq!(end(all), None, "{all:?}");
        }
    }
}
