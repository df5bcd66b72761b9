//! Groups of customers that have a page each, below a folder for them: links to `/industries/rail`, `/branchen-bahn`.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::offer::NO_OFFERINGS;
use gtm_lexicon::segments::HEADINGS;
use gtm_page_text::is_same_host;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::words;
use url::Url;

use super::super::letters;
use super::is_name;
use crate::part::Part;
use crate::site::Site;

/// Fewest such pages.
const LEAST: usize = 3;
/// Most words of a link.
const LONGEST: usize = 6;

/// The texts of links from one page to pages below one folder for groups of customers.
pub(super) fn pages(site: &Site) -> Vec<(String, Claim)> {
    for (index, part, content) in site.own_pages() {
        if !matches!(part, Part::Home | Part::Customers | Part::Other) {
            continue;
        }
        let Ok(own) = Url::parse(&content.final_url) else {
            continue;
        };
        let links = content
            .links
            .iter()
            .map(|link| (link.url.as_str(), link.text.as_str()));
        let longest = of_folders(&own, links).into_values().max_by_key(Vec::len);
        if let Some(names) = longest.filter(|names| names.len() >= LEAST) {
            let claim = |name: &str| {
                let excerpt = Excerpt {
                    page: index,
                    text: name.to_owned(),
                };
                (name.to_owned(), Claim::stated(name, vec![excerpt]))
            };
            return names.into_iter().map(claim).collect();
        }
    }
    Vec::new()
}

/// The texts of links to own pages below each folder.
fn of_folders<'a>(
    own: &Url,
    links: impl Iterator<Item = (&'a str, &'a str)>,
) -> BTreeMap<String, Vec<&'a str>> {
    let mut folders: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut pages: BTreeSet<String> = BTreeSet::new();
    for (address, text) in links {
        let Some(url) = Url::parse(address)
            .ok()
            .filter(|url| is_same_host(own, url))
        else {
            continue;
        };
        let fits = words::count(text) <= LONGEST && is_name(text) && !is_of_all(text);
        let Some(folder) = folder_of(&url).filter(|_| fits) else {
            continue;
        };
        // What else leads there says less: `Learn more`.
        if !pages.insert(url.path().trim_end_matches('/').to_owned()) {
            continue;
        }
        let known = folders.entry(folder).or_default();
        if !known.iter().any(|known| letters(known) == letters(text)) {
            known.push(text);
        }
    }
    folders
}

/// Whether a link leads to all groups, not to one: `All industries`, `Overview`.
fn is_of_all(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    HEADINGS.any_in(&words) || NO_OFFERINGS.are(&words)
}

/// The folder of an address, if its name is a heading for groups of customers: a part of the path, or the beginning of
/// the last part.
fn folder_of(url: &Url) -> Option<String> {
    let parts: Vec<&str> = url
        .path_segments()?
        .filter(|part| !part.is_empty())
        .collect();
    let are =
        |text: &str| HEADINGS.are(&words::split(&words::fold(&text.replace(['-', '_'], " "))));
    let (last, above) = parts.split_last()?;
    if let Some(folder) = above.last().filter(|folder| are(folder)) {
        return Some((*folder).to_owned());
    }
    let (begin, rest) = last.split_once(['-', '_'])?;
    (are(begin) && !rest.is_empty()).then(|| begin.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn folders_have_pages_of_groups() {
        for (address, folder) in [
            ("https://acme.example/industries/rail", Some("industries")),
            (
                "https://acme.example/de/branchen/bahn.html",
                Some("branchen"),
            ),
            ("https://acme.example/branchen-bahn.html", Some("branchen")),
            ("https://acme.example/branchen.html", None),
            ("https://acme.example/products/rail", None),
        ] {
            let url = Url::parse(address).unwrap();
            assert_eq!(folder_of(&url).as_deref(), folder, "{address}");
        }
    }

    #[test]
    fn each_own_page_below_a_folder_is_one_group() {
        let own = Url::parse("https://acme.example/").unwrap();
        let links = [
            ("https://acme.example/industries/overview", "Overview"),
            ("https://acme.example/industries/all", "All industries"),
            ("https://acme.example/industries/rail", "Rail"),
            ("https://acme.example/industries/rail/", "Ropes for trains"),
            ("https://www.acme.example/industries/ports", "Ports"),
            ("https://globex.example/industries/stage", "Stage"),
        ];
        let folders = of_folders(&own, links.into_iter());
        let names: Vec<&str> = folders.into_values().flatten().collect();
        assert_eq!(names, ["Rail", "Ports"]);
    }
}
