//! What a page contributes to what is known about the company.

use gtm_lexicon::pages::{CONTACT, LEGAL};
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
