//! Which pages are read first for what is sold.

use gtm_lexicon::pages::PRODUCTS;
use gtm_site_research::words;
use url::Url;

use super::announcements::only_announces;
use crate::part::Part;
use crate::site::Site;

/// How complete the lists of a page are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A page on all that is sold.
    Overview,
    Home,
    /// A page on something that is sold.
    Product,
    Other,
}

impl Rank {
    pub(super) fn of(page: usize, site: &Site) -> Self {
        match site.part(page) {
            Part::Home => Self::Home,
            Part::Product if announces_all(page, site) => Self::Overview,
            Part::Product => Self::Product,
            _ => Self::Other,
        }
    }
}

/// Whether a page is one on all that is sold.
pub fn is_overview(page: usize, site: &Site) -> bool {
    Rank::of(page, site) == Rank::Overview
}

/// Whether a page on products announces nothing else by its title, or by its address.
fn announces_all(page: usize, site: &Site) -> bool {
    let Some(page) = site.research.pages.get(page).map(|visited| &visited.page) else {
        return false;
    };
    let mut titles = page.blocks.iter().filter(|block| block.level == Some(1));
    let path = Url::parse(&page.final_url).map(|url| words::fold(url.path()));
    let path = path.unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next();
    let last = last.map(|last| last.rsplit_once('.').map_or(last, |(stem, _)| stem));
    titles.any(|title| only_announces(&title.text))
        || last.is_some_and(|last| PRODUCTS.are(&words::split(last)) && !last.contains('-'))
}
