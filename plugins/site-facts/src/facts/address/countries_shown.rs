//! The country of an address, by the address itself or by what else its page shows.

use gtm_lexicon::country_of_register;
use gtm_site_research::claim::Excerpt;

use super::super::{Line, countries, tax_numbers};
use crate::part::Part;

/// The country that a line of an address names: alone, after the last comma, or anywhere in a short line.
pub(super) fn country_in_address(text: &str) -> Option<&'static str> {
    if text.chars().count() > 300 {
        return None;
    }
    let last = text.rsplit(',').next().unwrap_or(text);
    countries::named(text)
        .or_else(|| countries::named(last.trim_end_matches('.')))
        .or_else(|| {
            (text.chars().count() <= 120)
                .then(|| countries::mentioned(text))
                .flatten()
        })
}

/// The country that each page reveals by a telephone, tax or register number, with the line that reveals it.
pub(super) struct Shown {
    pages: Vec<(usize, &'static str, Excerpt)>,
}

impl Shown {
    /// Reads legal and contact pages first: the footers of other pages count least.
    pub(super) fn of(lines: &[Line<'_>]) -> Self {
        let mut order: Vec<(u8, usize)> = lines
            .iter()
            .map(|line| {
                let order = match line.part {
                    Part::Legal => 0,
                    Part::Contact => 1,
                    Part::Home => 2,
                    _ => 3,
                };
                (order, line.page)
            })
            .collect();
        order.sort_unstable();
        order.dedup();
        let pages = order
            .into_iter()
            .filter_map(|(_, page)| {
                country_of_page(lines, page).map(|(code, excerpt)| (page, code, excerpt))
            })
            .collect();
        Self { pages }
    }

    pub(super) fn on(&self, page: usize) -> Option<(&'static str, Excerpt)> {
        self.pages
            .iter()
            .find(|(known, ..)| *known == page)
            .map(|(_, code, excerpt)| (*code, excerpt.clone()))
    }

    pub(super) fn anywhere(&self) -> Option<(&'static str, Excerpt)> {
        self.pages
            .first()
            .map(|(_, code, excerpt)| (*code, excerpt.clone()))
    }
}

fn country_of_page(lines: &[Line<'_>], page: usize) -> Option<(&'static str, Excerpt)> {
    let of_page = || {
        lines
            .iter()
            .filter(|line| line.page == page && line.text.chars().count() <= 300)
    };
    of_page()
        .find_map(|line| countries::of_telephone(line.text).map(|code| (code, line.excerpt())))
        .or_else(|| {
            of_page().find_map(|line| {
                let number = tax_numbers::vat_numbers(line.text).into_iter().next()?;
                countries::of_vat_number(number).map(|code| (code, line.excerpt()))
            })
        })
        .or_else(|| {
            of_page()
                .find_map(|line| country_of_register(line.text).map(|code| (code, line.excerpt())))
        })
}
