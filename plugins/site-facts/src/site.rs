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
        self.is_terms(page) || self.is_called(page, &POLICIES)
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
