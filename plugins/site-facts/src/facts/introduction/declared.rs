//! The descriptions that a site declares: in the metadata of its home page, and in structured data.

use gtm_site_research::boilerplate;
use gtm_site_research::instructions;
use gtm_site_research::page::Page;
use gtm_site_research::words;

use super::{LONG, gives_contact};
use crate::facts::letters;
use crate::site::Site;

/// Fewest characters and words of a description.
const LEAST: usize = 15;
const LEAST_WORDS: usize = 4;

/// The descriptions, each with its page: metadata first, where the site must be brief.
pub(super) fn descriptions(site: &Site) -> Vec<(String, usize)> {
    let mut declared: Vec<(String, usize)> = Vec::new();
    let mut add = |text: &str, page: usize| {
        let text = gtm_page_text::normalize(text);
        let fits =
            (LEAST..=LONG).contains(&text.chars().count()) && words::count(&text) >= LEAST_WORDS;
        let says = !instructions::addressed_to_a_model(&text)
            && !boilerplate::is_boilerplate(&text)
            && !gives_contact(&text);
        if fits && says {
            declared.push((text, page));
        }
    };
    if let Some(home) = site.research.pages.first().map(|visited| &visited.page) {
        for text in of_metadata(home) {
            add(&text, 0);
        }
    }
    for organization in &site.organizations {
        let of_page = of_its_page(organization.page, site);
        let is_of_page = |text: &String| of_page.iter().any(|own| letters(own) == letters(text));
        let texts = organization.texts("description").into_iter();
        for text in texts.filter(|text| !is_of_page(text)) {
            add(&text, organization.page);
        }
    }
    declared
}

/// What a page other than the first tells searchers of itself. Some builders describe the company with it on each page:
/// `How to reach Acme and ask for a quote`.
fn of_its_page(page: usize, site: &Site) -> Vec<String> {
    let visited = site.research.pages.get(page).filter(|_| page > 0);
    visited.map_or_else(Vec::new, |visited| of_metadata(&visited.page))
}

fn of_metadata(page: &Page) -> Vec<String> {
    let metadata = |name: &str| {
        page.metadata
            .get(name)
            .and_then(|value| value.as_str())
            .map(str::to_owned)
    };
    [
        metadata("description").or_else(|| page.description.clone()),
        metadata("og:description"),
    ]
    .into_iter()
    .flatten()
    .collect()
}
