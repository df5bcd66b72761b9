//! Products and services that only links name: tiles under a heading, the menu below `Services`.

use std::collections::BTreeSet;

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
use super::groups::is_page;
use crate::facts::letters;

/// Fewest links of a list: one alone may be anything.
const LEAST: usize = 2;
/// Most words of a link that is a name and no sentence.
const LONGEST: usize = 6;
/// Most paragraphs between a heading and its tiles.
const LEADS: usize = 2;

/// A name and the text that shows it.
pub type Named = (String, Excerpt);

/// The links in a row under each line of a page that does nothing but announce products or services.
pub fn under_announcements(page: (usize, &Page), evidence: &Evidence) -> Vec<Vec<Named>> {
    let (index, content) = page;
    let targets: BTreeSet<String> = names(content)
        .map(|link| letters(&link.text))
        .filter(|text| !text.is_empty())
        .collect();
    let on_page = |passage: &&Passage| passage.page == index;
    let passages: Vec<&Passage> = evidence.passages.iter().filter(on_page).collect();
    let mut found = Vec::new();
    for (at, heading) in passages.iter().enumerate() {
        // A link between links, or an entry of a list, is one of a menu, which goes on with other things.
        let is_entry =
            heading.kind == BlockKind::ListItem || targets.contains(&letters(&heading.text));
        let announces = heading.kind == BlockKind::Heading || !is_entry;
        if !announces || !only_announces(&heading.text) {
            continue;
        }
        let row: Vec<Named> = passages
            .iter()
            .skip(at + 1)
            .enumerate()
            .skip_while(|(place, passage)| {
                *place < LEADS
                    && passage.kind == BlockKind::Paragraph
                    && words::count(&passage.text) > LONGEST
            })
            .map(|(_, passage)| passage)
            .take_while(|passage| {
                passage.kind != BlockKind::Heading && targets.contains(&letters(&passage.text))
            })
            .map(|passage| named(&passage.text, passage))
            .collect();
        found.push(row);
    }
    found.retain(|row| row.len() >= LEAST && !row.iter().any(|(name, _)| leads_elsewhere(name)));
    found
}

/// Whether a link leads to a page that every site has, such as the one about the company: the row is a menu that goes
/// on with other things.
fn leads_elsewhere(name: &str) -> bool {
    let folded = words::fold(name);
    roles::named_page(&words::split(&folded)).is_some_and(|role| role != Role::Products)
}

/// The entries of a page's navigation whose addresses say that they stand below its page of products or services:
/// `/services/paving`. Deeper ones are parts of those.
pub fn below_in_menus(page: (usize, &Page), evidence: &Evidence) -> Vec<Named> {
    let (index, content) = page;
    let mut found: Vec<(String, Named)> = Vec::new();
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
        found.push((parent, named(&text, shown)));
    }
    let alike = |parent: &String| found.iter().filter(|(other, _)| other == parent).count();
    let kept = found.iter().filter(|(parent, _)| alike(parent) >= LEAST);
    kept.map(|(_, named)| named.clone()).collect()
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

fn named(text: &str, passage: &Passage) -> Named {
    let excerpt = Excerpt {
        page: passage.page,
        text: passage.text.clone(),
    };
    (text.to_owned(), excerpt)
}
