//! Whose the lines of business under a heading are: `Our six sectors` stands over those of customers as often as over what
//! the company itself does.

use std::collections::BTreeSet;

use gtm_lexicon::segments::{FIELDS, HEADINGS, SIDES};
use gtm_site_research::organization::texts;
use gtm_site_research::words;

use super::super::customers::is_kind;
use super::super::letters;
use super::super::offerings;
use super::super::outline::{Item, Section};
use super::super::sold::SOLD;
use crate::site::Site;

/// Whose something under a heading for lines of business is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// The heading or the names themselves say that they are customers'.
    Customers,
    /// The site sells what is called so.
    Own,
    /// Nothing tells.
    Unclear,
}

/// The names that the site itself shows as those of what it sells, by their letters.
pub struct Sold<'s> {
    site: &'s Site,
    names: BTreeSet<String>,
}

impl<'s> Sold<'s> {
    /// Those of a site.
    pub fn of(site: &'s Site, sections: &[Section<'_>]) -> Self {
        let mut names: BTreeSet<String> = offerings::announced(sections).collect();
        names.extend(offerings::in_menus(site));
        for (.., content) in site.own_pages() {
            let objects = content.json_ld_of(SOLD).into_iter();
            let told = objects.flat_map(|object| texts(object, "name"));
            names.extend(told.map(|name| letters(&name)));
        }
        names.remove("");
        Self { site, names }
    }

    /// Whether a name is one of these.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(&letters(name))
    }

    /// Whose the items of a section are.
    pub(super) fn whose(&self, section: &Section<'_>, items: &[Item<'_>]) -> Whose {
        let most = |fits: &dyn Fn(&str) -> bool| {
            let count = items.iter().filter(|item| fits(item.name)).count();
            count > 0 && count * 2 >= items.len()
        };
        let is_buyer = |name: &str| is_kind(name) || SIDES.are(&words::split(&words::fold(name)));
        if names_customers(section) || most(&is_buyer) {
            return Whose::Customers;
        }
        let page = section.heading.page;
        let titles = section.heading.level == 1 && offerings::is_overview(page, self.site);
        let announces = || section.announced().any(offerings::only_announces);
        match titles || announces() || most(&|name| self.has(name)) {
            true => Whose::Own,
            false => Whose::Unclear,
        }
    }
}

/// Whether a heading, or the label above it, says that what it announces is customers': `Who we serve`, `Markets served`.
fn names_customers(section: &Section<'_>) -> bool {
    section.announced().any(|text| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        HEADINGS
            .places(&words)
            .any(|(_, phrase)| !FIELDS.are(phrase))
    })
}
