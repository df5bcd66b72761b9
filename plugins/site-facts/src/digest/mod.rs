//! What each page of a site says, in its own words: quotations that the page itself makes prominent.
//!
//! Nothing is classified here. Headings with their first sentence, tiles, lists, rows of tables, figures and dated lines are
//! chosen by their form, in any language (docs/decisions/0131).

mod choice;
mod score;
mod sections;
mod told;
mod units;

#[cfg(test)]
mod tests;

use gtm_page_text::BETWEEN_QUOTATIONS;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::instructions;
use gtm_site_research::page::Page;
use serde_json::json;

use self::units::Unit;
use crate::site::Site;

pub use self::told::Told;

/// Most characters of a page's label (`wit/results/playbook-draft.schema.json`).
const LONGEST_LABEL: usize = 120;
/// Most characters of the text of a link that names a page.
const LONGEST_LINK: usize = 40;

/// The digest as claims `{page, heading, text}` in the order of the site. What `told` has already is left out.
pub fn digest(site: &Site, evidence: &Evidence, told: &Told) -> Vec<Claim> {
    let pages = units::of_site(site, evidence, told);
    let chosen = choice::chosen(pages);
    chosen.iter().map(|unit| claim(unit, site)).collect()
}

fn claim(unit: &Unit, site: &Site) -> Claim {
    let pages = &site.research.pages;
    let label = pages.get(unit.page).and_then(|visited| {
        let home = pages.first().map(|home| &home.page);
        label(&visited.page, home.filter(|_| unit.page > 0))
    });
    let texts: Vec<&str> = unit.parts.iter().map(|part| part.text.as_str()).collect();
    let value = json!({
        "page": label,
        "heading": unit.heading.as_ref().map(|heading| heading.text.as_str()),
        "text": texts.join(BETWEEN_QUOTATIONS),
    });
    Claim::stated(value, excerpts(unit, site))
}

/// The words that carry an entry: what stands in a row on the page is one excerpt.
fn excerpts(unit: &Unit, site: &Site) -> Vec<Excerpt> {
    let mut parts: Vec<&units::Part> = unit.heading.iter().chain(&unit.parts).collect();
    parts.sort_by_key(|part| part.block);
    let blocks = site
        .research
        .pages
        .get(unit.page)
        .map(|visited| visited.page.blocks.as_slice());
    let block = |at: usize| {
        let block = blocks.and_then(|blocks| blocks.get(at));
        block.map_or("", |block| block.text.as_str())
    };
    let mut found: Vec<Excerpt> = Vec::new();
    let mut before: Option<&units::Part> = None;
    for part in parts {
        let goes_on = before.is_some_and(|before| {
            before.block + 1 == part.block
                && block(before.block).ends_with(&before.text)
                && block(part.block).starts_with(&part.text)
        });
        match found.last_mut().filter(|_| goes_on) {
            Some(excerpt) => {
                excerpt.text.push(' ');
                excerpt.text.push_str(&part.text);
            }
            None => found.push(Excerpt {
                page: unit.page,
                text: part.text.clone(),
            }),
        }
        before = Some(part);
    }
    found
}

/// What a page is called: as the navigation calls it, or else as its title does. The label stands on the page itself, because
/// the host looks for it there.
fn label(page: &Page, home: Option<&Page>) -> Option<String> {
    let is_label = |text: &str| {
        let length = text.chars().count();
        (1..=LONGEST_LINK).contains(&length) && page.blocks.iter().any(|b| b.text.contains(text))
    };
    let mut links = home.into_iter().flat_map(|home| &home.links);
    let linked = links.find(|link| {
        link.navigation
            && [&page.url, &page.final_url].contains(&&link.url)
            && is_label(link.text.trim())
    });
    let text = match linked {
        Some(link) => link.text.trim(),
        None => page.title.as_deref()?.trim(),
    };
    let label: String = text.chars().take(LONGEST_LABEL).collect();
    let is_label = !label.is_empty() && !instructions::addressed_to_a_model(&label);
    is_label.then_some(label)
}
