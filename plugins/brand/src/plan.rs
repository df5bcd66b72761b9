//! Selects which pages of a brand's site to read, and in which order.

use std::collections::BTreeSet;

use gtm_lexicon::pages::{CONTACT, FOUNDATIONS, LEGAL, PRESS, QUESTIONS, TERMS, TRUST};
use gtm_site_research::address::comparable;
use gtm_site_research::reading::{Candidate, Reading, Wanted};
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use url::Url;

/// What a page contributes to a guideline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The home page, where research begins.
    Home,
    /// Who the company is, what it is for, and when it began.
    About,
    /// What it sells.
    Product,
    /// What its products cost.
    Pricing,
    /// Whom it serves.
    Customers,
    /// Whom it wants to hire.
    Careers,
    /// What it tells the press.
    Press,
    /// Who is legally responsible for the site.
    Legal,
    /// Where to find and reach the company.
    Contact,
    /// What makes it trustworthy: certificates, security, quality.
    Trust,
    /// Questions that buyers ask.
    Questions,
    /// Any other page of the site.
    Other,
    /// A page of another site, or the answer of a data provider.
    External,
}

impl Part {
    /// The parts to look for, most valuable first.
    pub const WANTED: [Self; 10] = [
        Self::About,
        Self::Legal,
        Self::Product,
        Self::Contact,
        Self::Customers,
        Self::Press,
        Self::Pricing,
        Self::Careers,
        Self::Trust,
        Self::Questions,
    ];

    /// The reading role that corresponds to the part.
    pub fn role(self) -> Role {
        match self {
            Self::Home => Role::Home,
            Self::About => Role::About,
            Self::Product => Role::Products,
            Self::Pricing => Role::Pricing,
            Self::Customers => Role::Customers,
            Self::Careers => Role::Careers,
            Self::Press => Role::News,
            Self::Legal | Self::Contact => Role::Imprint,
            Self::Trust | Self::Questions | Self::Other => Role::Other,
            Self::External => Role::External,
        }
    }

    /// The part of a page with this role, refined by its address and the text of the link to it.
    pub fn of(role: Role, url: &Url, text: &str) -> Self {
        match role {
            Role::Home => Self::Home,
            Role::About => Self::About,
            Role::Products => Self::Product,
            Role::Pricing => Self::Pricing,
            Role::Customers => Self::Customers,
            Role::Careers => Self::Careers,
            Role::News => Self::Press,
            Role::Imprint => {
                let folded = words::fold(&format!("{text} {}", url.path()));
                let words = words::split(&folded);
                let legal = LEGAL.any_in(&words);
                if !legal && CONTACT.any_in(&words) {
                    Self::Contact
                } else {
                    Self::Legal
                }
            }
            Role::Other => Self::Other,
            Role::External => Self::External,
        }
    }
}

/// A candidate page.
#[derive(Debug, Clone)]
pub struct Page {
    /// The page's address.
    pub url: Url,
    /// The part that the page probably is.
    pub part: Part,
    /// Confidence in that part; higher is surer.
    pub score: i32,
}

/// Pages of the site that the page at this index links to.
pub fn linked(reading: &Reading<'_>, index: usize) -> Vec<Page> {
    let mut found: Vec<Page> = reading.links_of(index).into_iter().map(page_of).collect();
    let links = reading.pages.get(index).map(|visited| &visited.page.links);
    for link in links.into_iter().flatten() {
        let folded = words::fold(&link.text);
        let words = words::split(&folded);
        let (part, score) = if words.len() > 4 {
            continue;
        } else if FOUNDATIONS.any_in(&words) {
            (Part::About, 20)
        } else if TERMS.any_in(&words) {
            (Part::Legal, 10)
        } else if TRUST.any_in(&words) {
            (Part::Trust, 10)
        } else if QUESTIONS.any_in(&words) {
            (Part::Questions, 10)
        } else {
            continue;
        };
        let Some(url) = reading.own_address(&link.url) else {
            continue;
        };
        let address = comparable(&url);
        if !found.iter().any(|page| comparable(&page.url) == address) {
            found.push(Page { url, part, score });
        }
    }
    found
}

/// Converts a reading candidate into a page.
pub fn page_of(candidate: Candidate) -> Page {
    let Candidate {
        url,
        text,
        role,
        score,
    } = candidate;
    let part = Part::of(role, &url, &text);
    let folded = words::fold(&format!("{text} {}", url.path()));
    let press = part == Part::Press && PRESS.any_in(&words::split(&folded));
    Page {
        url,
        part,
        score: score + if press { 30 } else { 0 },
    }
}

/// The parts that these pages cover.
pub fn parts(pages: &[Page]) -> BTreeSet<Part> {
    pages.iter().map(|page| page.part).collect()
}

/// The best page of each wanted part missing from `have`, at most `most`, without pages already requested.
pub fn one_each(
    reading: &Reading<'_>,
    pages: &[Page],
    have: &BTreeSet<Part>,
    most: usize,
) -> Vec<Page> {
    let order = best_first(pages);
    let mut picked: Vec<Page> = Vec::new();
    for part in Part::WANTED.into_iter().filter(|part| !have.contains(part)) {
        if picked.len() >= most {
            break;
        }
        let best = order.iter().find(|page| {
            page.part == part && !reading.has_seen(&page.url) && !holds(&picked, &page.url)
        });
        picked.extend(best.map(|page| (*page).clone()));
    }
    picked
}

/// More pages of parts that deserve more than one page, at most `most`.
pub fn further(reading: &Reading<'_>, pages: &[Page], most: usize) -> Vec<Page> {
    const FURTHER: [Part; 4] = [Part::About, Part::Product, Part::Customers, Part::Press];
    let order = best_first(pages);
    let mut picked: Vec<Page> = Vec::new();
    for part in FURTHER.into_iter().chain(FURTHER) {
        if picked.len() >= most {
            break;
        }
        let best = order.iter().find(|page| {
            page.part == part && !reading.has_seen(&page.url) && !holds(&picked, &page.url)
        });
        picked.extend(best.map(|page| (*page).clone()));
    }
    picked
}

/// The page as a request to `Reading`.
pub fn wanted(page: &Page, signals: bool) -> Wanted {
    Wanted {
        url: page.url.clone(),
        role: page.part.role(),
        signals,
    }
}

fn best_first(pages: &[Page]) -> Vec<&Page> {
    let mut order: Vec<&Page> = pages.iter().collect();
    // The sort is stable: among equal scores, the page found first wins.
    order.sort_by_key(|page| -page.score);
    order
}

fn holds(picked: &[Page], url: &Url) -> bool {
    let address = comparable(url);
    picked.iter().any(|page| comparable(&page.url) == address)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn contact_and_imprint_are_told_apart() {
        let part = |path: &str, text: &str| {
            let url = Url::parse(&format!("https://acme.example{path}")).unwrap();
            let (role, score) = gtm_site_research::roles::of_link(&url, text, true).unwrap();
            page_of(Candidate {
                url,
                text: text.to_owned(),
                role,
                score,
            })
            .part
        };
        assert_eq!(part("/kontakt", "Kontakt"), Part::Contact);
        assert_eq!(part("/impressum", "Impressum"), Part::Legal);
        assert_eq!(part("/mentions-legales", "Mentions légales"), Part::Legal);
        assert_eq!(part("/contact/imprint", "Contact"), Part::Legal);
        assert_eq!(part("/press", "Press"), Part::Press);
        assert_eq!(part("/produkte", "Produkte"), Part::Product);
    }
}
