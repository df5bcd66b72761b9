//! Everything that research found about a company's site.

use std::collections::BTreeSet;

use gtm_lexicon::Phrases;
use gtm_lexicon::offer::OTHER_LIST_HEADINGS;
use gtm_lexicon::pages::{POLICIES, TERMS};
use gtm_site_research::organization::{own_address, site_label};
use gtm_site_research::page::Page;
use gtm_site_research::reading::Research;
use gtm_site_research::words;
use gtm_site_signals::image::ImageInfo;
use gtm_site_signals::logos::LogoCandidate;
use serde_json::{Value, json};
use url::Url;

use crate::company_data::CompanyData;
use crate::letters::letters;
use crate::organization::Organization;
use crate::part::Part;
use crate::styled::Styled;

/// Fewest letters of a name that is compared with parts of others.
const LEAST_LETTERS: usize = 3;
/// Most words by which a navigation calls a trade.
const LONGEST_TRADE: usize = 4;

/// The results of research.
#[derive(Debug, Clone)]
pub struct Site {
    /// The pages, home page first; a provider's answer comes last, as a page without text.
    pub research: Research,
    /// The part of each page.
    pub parts: Vec<Part>,
    /// What structured data says about the company, in the order of the pages.
    pub organizations: Vec<Organization>,
    /// Styles and markup of the pages that were measured.
    pub styled: Vec<Styled>,
    /// Logos whose bytes were read, best first.
    pub logos: Vec<Logo>,
    /// The answer of a company data provider.
    pub company_data: Option<CompanyData>,
    /// Parts whose pages we are not allowed to read.
    pub blocked: BTreeSet<Part>,
    /// Parts whose pages were left out because the page budget was used up.
    pub unread: BTreeSet<Part>,
    /// Stylesheets and images that claims may cite.
    pub assets: Vec<Asset>,
}

impl Site {
    /// The part of a page.
    pub fn part(&self, page: usize) -> Part {
        self.parts.get(page).copied().unwrap_or(Part::Other)
    }

    /// The name in the site's domain: `acme` for `www.acme.example`.
    pub fn label(&self) -> Option<String> {
        own_address(&self.research.domain)
            .as_ref()
            .and_then(site_label)
    }

    /// What structured data says about the company as a whole: at the address of its home page, at none, or with a name
    /// that the domain or the title of the home page bears out. Directories declare others at addresses of their pages.
    pub fn of_the_whole(&self) -> impl Iterator<Item = &Organization> {
        let page = self.research.pages.first().map(|visited| &visited.page);
        let home = page.and_then(|page| Url::parse(&page.final_url).ok());
        let title = page.and_then(|page| page.title.as_deref()).map(letters);
        let label = self.label().map(|label| letters(&label));
        let (title, label) = (title.unwrap_or_default(), label.unwrap_or_default());
        self.organizations.iter().filter(move |organization| {
            let mut texts = organization.texts("url");
            if texts.is_empty() {
                texts = organization.texts("@id");
            }
            let is_home = |text: &String| {
                let address = home.as_ref().and_then(|home| home.join(text).ok());
                address.is_some_and(|address| {
                    let path = address.path();
                    path == "/" || home.as_ref().is_some_and(|home| home.path() == path)
                })
            };
            let is_name = |name: &String| {
                let name = letters(name);
                let of_label = label.len() >= LEAST_LETTERS
                    && (name.contains(&label) || label.contains(&name));
                name.len() >= LEAST_LETTERS && (of_label || title.contains(&name))
            };
            texts.is_empty()
                || texts.iter().any(is_home)
                || organization.texts("name").iter().any(is_name)
        })
    }

    /// Pages of the site itself, each with its index and part.
    pub fn own_pages(&self) -> impl Iterator<Item = (usize, Part, &Page)> {
        self.research
            .pages
            .iter()
            .enumerate()
            .filter(|(_, visited)| visited.first_party())
            .map(|(index, visited)| (index, self.part(index), &visited.page))
    }

    /// Other pages that the navigation calls what their titles call them, as it does with trades: `Roofing`. Lists of
    /// people, news or questions are none.
    pub fn trades(&self) -> BTreeSet<usize> {
        let Some(home) = self.research.pages.first().map(|visited| &visited.page) else {
            return BTreeSet::new();
        };
        let named = |page: &Page, title: &str| {
            let title = letters(title);
            home.links.iter().any(|link| {
                let label = words::fold(&link.text);
                let words = words::split(&label);
                link.navigation
                    && [&page.url, &page.final_url].contains(&&link.url)
                    && (1..=LONGEST_TRADE).contains(&words.len())
                    && !OTHER_LIST_HEADINGS.any_in(&words)
                    && title.contains(&letters(&link.text))
            })
        };
        let pages = self.own_pages().filter(|(_, part, page)| {
            let mut titles = page.blocks.iter().filter(|block| block.level == Some(1));
            *part == Part::Other && titles.any(|title| named(page, &title.text))
        });
        pages.map(|(index, ..)| index).collect()
    }

    /// The part of a page, where those of trades tell of something that is sold.
    pub fn part_among(&self, trades: &BTreeSet<usize>, page: usize) -> Part {
        match self.part(page) {
            Part::Other if trades.contains(&page) => Part::Product,
            part => part,
        }
    }

    /// Whether a page holds terms of trade rather than an imprint.
    pub fn is_terms(&self, page: usize) -> bool {
        self.is_called(page, &TERMS)
    }

    /// Whether a page sets rules for orders or data: terms of trade, a policy on refunds.
    pub fn is_policy(&self, page: usize) -> bool {
        self.is_terms(page) || self.is_called(page, &POLICIES) || self.is_linked_as(page, &POLICIES)
    }

    /// Whether links of the site to a page say nothing but one of the phrases, with at most a word around it.
    fn is_linked_as(&self, page: usize, names: &'static Phrases) -> bool {
        let Some(page) = self.research.pages.get(page).map(|visited| &visited.page) else {
            return false;
        };
        let of_page = |url: &str| url == page.url || url == page.final_url;
        let mut links = self.own_pages().flat_map(|(.., other)| &other.links);
        links.any(|link| {
            // Few links lead to the page: to fold the texts of all of them takes long.
            if !of_page(&link.url) {
                return false;
            }
            let folded = words::fold(&link.text);
            let words = words::split(&folded);
            names
                .places(&words)
                .any(|(_, phrase)| words.len() <= phrase.len() + 1)
        })
    }

    /// Whether a page's title or address has one of the phrases.
    fn is_called(&self, page: usize, names: &'static Phrases) -> bool {
        let Some(page) = self.research.pages.get(page).map(|visited| &visited.page) else {
            return false;
        };
        let path = Url::parse(&page.final_url).map(|url| url.path().to_owned());
        let title = page.title.as_deref().unwrap_or_default();
        let folded = words::fold(&format!("{title} {}", path.unwrap_or_default()));
        names.any_in(&words::split(&folded))
    }
}

/// A logo whose bytes were read.
#[derive(Debug, Clone)]
pub struct Logo {
    /// Where the logo was found, and its kind.
    pub candidate: LogoCandidate,
    /// Receipt of the logo's bytes; for an inline drawing, the page's receipt.
    pub receipt_id: String,
    /// Receipt of the page that shows the logo.
    pub page_receipt_id: String,
    /// Media type and size, if the logo is a file.
    pub image: Option<ImageInfo>,
}

/// A stylesheet or image that claims may cite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The host's receipt for its bytes.
    pub receipt_id: String,
    /// Whether it came from the brand's own site.
    pub first_party: bool,
}

impl Asset {
    /// The asset as an entry in the draft's sources.
    pub fn source(&self) -> Value {
        json!({
            "receipt_id": self.receipt_id,
            "kind": if self.first_party { "first_party" } else { "other" },
            "publisher": null,
            "title": null,
            "language": null,
            "published_at": null,
        })
    }
}
