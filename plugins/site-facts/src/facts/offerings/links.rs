//! Products and services that only links name: tiles under a heading, the menu below `Services`.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::pages::PRODUCTS;
use gtm_page_text::is_same_site;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::{BlockKind, Link, Page};
use gtm_site_research::roles::{self, Role};
use gtm_site_research::words;
use percent_encoding::percent_decode_str;
use url::Url;

use super::announcements::only_announces;
use super::named::is_page;
use crate::facts::letters;
use crate::site::Site;

/// Fewest links of a list: one alone may be anything.
const LEAST: usize = 2;
/// Fewest words of a description behind a name.
const LEAST_OF_DESCRIPTION: usize = 2;
/// Most words of a link that is a name and no sentence.
const LONGEST: usize = 6;
/// Most entries of a submenu: more are the kinds of a shop's goods.
const LONGEST_MENU: usize = 24;
/// Most paragraphs between a heading and its tiles.
const LEADS: usize = 2;

/// A name and the text that shows it.
pub type Shown = (String, Excerpt);

/// The links in a row under each line of a page that does nothing but announce products or services.
pub fn under_announcements(page: (usize, &Page), evidence: &Evidence) -> Vec<Vec<Shown>> {
    let (index, content) = page;
    let targets: BTreeMap<String, &str> = names(content)
        .map(|link| (letters(&link.text), link.url.as_str()))
        .filter(|(text, _)| !text.is_empty())
        .collect();
    let on_page = |passage: &&Passage| passage.page == index;
    let passages: Vec<&Passage> = evidence.passages.iter().filter(on_page).collect();
    let mut found = Vec::new();
    for (at, heading) in passages.iter().enumerate() {
        // A link between links, or an entry of a list, is one of a menu, which goes on with other things.
        let is_entry =
            heading.kind == BlockKind::ListItem || targets.contains_key(&letters(&heading.text));
        let announces = heading.kind == BlockKind::Heading || !is_entry;
        if !announces || !only_announces(&heading.text) {
            continue;
        }
        let row: Vec<(&str, Shown)> = passages
            .iter()
            .skip(at + 1)
            .enumerate()
            .skip_while(|(place, passage)| {
                *place < LEADS
                    && passage.kind == BlockKind::Paragraph
                    && words::count(&passage.text) > LONGEST
            })
            .map(|(_, passage)| passage)
            .take_while(|passage| passage.kind != BlockKind::Heading)
            .map_while(|passage| {
                let target = targets.get(&letters(&passage.text)).copied()?;
                Some((target, named(bare_name(&passage.text, target), passage)))
            })
            .collect();
        found.push(row);
    }
    found.retain(|row| {
        row.len() >= LEAST && !row.iter().any(|(_, (name, _))| leads_elsewhere(name))
    });
    found.into_iter().map(of_one_folder).collect()
}

/// The links of a row without those outside the folder that most of them share: `/gallery` beside `/work/paving` and
/// `/work/drains`.
fn of_one_folder(row: Vec<(&str, Shown)>) -> Vec<Shown> {
    let folders: Vec<Option<String>> = row.iter().map(|(url, _)| folder(url)).collect();
    let shared = folders.iter().flatten().find(|folder| {
        let alike = folders
            .iter()
            .filter(|other| other.as_ref() == Some(folder));
        let alike = alike.count();
        alike >= LEAST && alike * 2 > row.len()
    });
    row.iter()
        .zip(&folders)
        .filter(|(_, own)| shared.is_none_or(|shared| own.as_ref() == Some(shared)))
        .map(|((_, named), _)| named.clone())
        .collect()
}

/// The folder of an address below the first one, if it has any.
fn folder(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let parts: Vec<&str> = url
        .path_segments()?
        .filter(|part| !part.is_empty())
        .collect();
    let (_, parents) = parts.split_last()?;
    (!parents.is_empty()).then(|| parents.join("/"))
}

/// The name in a link's text that goes on with a description, if the address says where it ends: `Paving For yards and
/// drives` of `/work/paving`.
fn bare_name<'a>(text: &'a str, address: &str) -> &'a str {
    let path = Url::parse(address).map(|url| url.path().to_owned());
    let path = path.unwrap_or_default();
    let path = percent_decode_str(&path).decode_utf8_lossy();
    let last = path.trim_end_matches('/').rsplit('/').next();
    let last = last.unwrap_or_default();
    let last = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let folded = words::fold(&last.replace(['-', '_', '+'], " "));
    let told = words::split(&folded);
    let tokens = words::tokens(text);
    let begins = tokens.len() >= told.len() + LEAST_OF_DESCRIPTION
        && told
            .iter()
            .zip(&tokens)
            .all(|(word, (.., token))| words::fold(token) == *word);
    let end = told.len().checked_sub(1).and_then(|at| tokens.get(at));
    let next = tokens.get(told.len());
    match (end, next) {
        (Some((_, end, _)), Some((_, _, next)))
            if begins && next.starts_with(char::is_uppercase) =>
        {
            text.get(..*end).unwrap_or(text)
        }
        _ => text,
    }
}

/// Whether a link leads to a page that every site has, such as the one about the company: the row is a menu that goes
/// on with other things.
fn leads_elsewhere(name: &str) -> bool {
    let folded = words::fold(name);
    roles::named_page(&words::split(&folded)).is_some_and(|role| role != Role::Products)
}

/// The entries of a page's navigation whose addresses say that they stand below its page of products or services:
/// `/services/paving`. Deeper ones are parts of those.
pub fn below_in_menus(page: (usize, &Page), evidence: &Evidence) -> Vec<Shown> {
    let (index, content) = page;
    let mut found: Vec<(String, Shown)> = Vec::new();
    for link in names(content).filter(|link| link.navigation) {
        let Some(parent) = parent_of_products(&link.url) else {
            continue;
        };
        let text = gtm_page_text::normalize(&link.text);
        let shown = evidence
            .passages
            .iter()
            .find(|passage| passage.page == index && passage.text.contains(&text));
        let Some(shown) = shown.filter(|_| words::count(&text) <= LONGEST) else {
            continue;
        };
        found.push((parent, named(bare_name(&text, &link.url), shown)));
    }
    let alike = |parent: &String| found.iter().filter(|(other, _)| other == parent).count();
    let kept = found.iter().filter(|(parent, _)| alike(parent) >= LEAST);
    kept.map(|(_, named)| named.clone()).collect()
}

/// The addresses of the pages that are each one entry of a submenu that announces services.
pub fn targets_of_submenus(site: &Site) -> BTreeSet<&str> {
    let links = site.own_pages().flat_map(|(.., content)| names(content));
    let below =
        links.filter(|link| link.navigation && link.under.as_deref().is_some_and(only_announces));
    below.map(|link| link.url.as_str()).collect()
}

/// The texts of links to pages that stand below the one of products or services, by their menu or by their address, as folded
/// letters.
pub fn in_menus(site: &Site) -> BTreeSet<String> {
    let links = site.own_pages().flat_map(|(.., content)| names(content));
    let below = links.filter(|link| {
        link.under.as_deref().is_some_and(only_announces) || parent_of_products(&link.url).is_some()
    });
    below
        .map(|link| letters(bare_name(&link.text, &link.url)))
        .collect()
}

/// The entries of each submenu of a page's navigation whose own entry does nothing but announce products or services:
/// what stands below `Services`.
pub fn in_submenus(page: (usize, &Page), evidence: &Evidence) -> Vec<Vec<Shown>> {
    let (index, content) = page;
    let mut menus: BTreeMap<&str, Vec<Shown>> = BTreeMap::new();
    for link in names(content).filter(|link| link.navigation) {
        let Some(menu) = link.under.as_deref().filter(|menu| only_announces(menu)) else {
            continue;
        };
        let text = gtm_page_text::normalize(&link.text);
        let name = bare_name(&text, &link.url);
        let mut shown = evidence.passages.iter();
        let shown = shown.find(|passage| passage.page == index && passage.text.contains(&text));
        let known = menus.entry(menu).or_default();
        let is_new = !known.iter().any(|(known, _)| known == name);
        if let Some(shown) = shown
            && is_new
            && (1..=LONGEST).contains(&words::count(name))
            && !leads_elsewhere(name)
        {
            known.push(named(name, shown));
        }
    }
    let several = |menu: &Vec<Shown>| (LEAST..=LONGEST_MENU).contains(&menu.len());
    menus.into_values().filter(several).collect()
}

/// The links of a page to other pages of its site.
fn names(content: &Page) -> impl Iterator<Item = &Link> {
    let own = Url::parse(&content.final_url).ok();
    content.links.iter().filter(move |link| {
        let Some((own, target)) = own.as_ref().zip(Url::parse(&link.url).ok()) else {
            return false;
        };
        is_same_site(own, &target)
            && target.fragment().is_none()
            && target.path().len() > 1
            && target.path() != own.path()
            && is_page(&link.url)
    })
}

/// The folder of an address, if its last part alone names products: that of `/en/services/paving`.
fn parent_of_products(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let path = percent_decode_str(url.path())
        .decode_utf8_lossy()
        .into_owned();
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let (_, parents) = parts.split_last()?;
    let folded = words::fold(parents.last()?);
    let words = words::split(&folded);
    (words.len() <= 2 && PRODUCTS.any_in(&words)).then(|| parents.join("/"))
}

fn named(text: &str, passage: &Passage) -> Shown {
    let excerpt = Excerpt {
        page: passage.page,
        text: passage.text.clone(),
    };
    (text.to_owned(), excerpt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_behind_a_name_is_no_part_of_it() {
        let bare = |text: &'static str, path: &str| {
            bare_name(text, &format!("https://acme.example{path}"))
        };
        assert_eq!(
            bare("Paving For yards and drives", "/work/paving"),
            "Paving"
        );
        assert_eq!(
            bare("Dry walls Built by hand", "/work/dry-walls.html"),
            "Dry walls"
        );
        for (text, path) in [
            ("Paving and drains", "/work/paving"),
            ("Paving", "/work/paving"),
            ("Paving Ulm", "/work/paving"),
            ("Drains For yards", "/work/paving"),
            ("Drains For all yards", "/"),
        ] {
            assert_eq!(bare(text, path), text);
        }
    }
}
