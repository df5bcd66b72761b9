//! The site that a guideline is about.

use gtm_domain::brand::BrandInput;
use gtm_domain::evidence::SourceKind;
use gtm_domain::start_url::StartUrls;
use gtm_domain::website::Website;
use gtm_page_text::bare_host;
use url::Url;

use super::draft::BrandDraft;
use crate::library::{Library, Stored};
use crate::origin::{TargetSite, site_of};

/// The company's own site.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Site {
    /// Decides which sources are first party.
    pub target: TargetSite,
    /// Its address; `None` if no site is known.
    pub website_url: Option<String>,
    /// Its host without `www.`.
    pub domain: Option<String>,
}

impl Site {
    /// The site that the caller named; otherwise the site that the backend takes for the company's own, if
    /// the site itself confirms it ([`bears`]).
    #[must_use]
    pub fn of(
        input: &BrandInput,
        start_urls: &StartUrls,
        draft: &BrandDraft,
        library: &Library,
    ) -> Self {
        let given = input.website_url.as_deref();
        if let Some(website) = given.and_then(|url| url.parse::<Website>().ok()) {
            return Self::at(website.as_str(), website.domain().as_str(), start_urls);
        }
        let Some(name) = input.company_name.as_deref() else {
            return Self::default();
        };
        let own = draft
            .sources
            .iter()
            .filter(|s| s.kind == SourceKind::FirstParty);
        let found = own
            .filter_map(|source| library.find(&source.receipt_id))
            .find(|stored| bears(stored, name));
        let address = found.and_then(|stored| Url::parse(&stored.receipt.final_url).ok());
        match address
            .as_ref()
            .and_then(Url::host_str)
            .zip(address.as_ref())
        {
            Some((host, url)) => Self::at(&url.origin().ascii_serialization(), host, start_urls),
            None => Self::default(),
        }
    }

    fn at(url: &str, host: &str, start_urls: &StartUrls) -> Self {
        Self {
            target: TargetSite::of(Some(host), start_urls),
            website_url: Some(url.to_owned()),
            domain: Some(bare_host(host).to_owned()),
        }
    }
}

/// Whether a stored page is likely the named company's own: its domain and the name are equal or one starts
/// with the other, or its root page has a line that consists of the name alone (as title, site name or the
/// organization's name in structured data).
fn bears(stored: &Stored, name: &str) -> bool {
    let compact = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let name_letters = compact(name);
    let label = compact(
        site_of(&stored.receipt.host)
            .split('.')
            .next()
            .unwrap_or_default(),
    );
    let by_domain = !label.is_empty()
        && (label == name_letters
            || label.len() >= 4 && name_letters.starts_with(&label)
            || name_letters.chars().count() >= 4 && label.starts_with(&name_letters));
    let root = Url::parse(&stored.receipt.final_url).is_ok_and(|url| url.path() == "/");
    let wanted = gtm_page_text::normalize(name).to_lowercase();
    by_domain
        || root
            && stored
                .text
                .lines()
                .any(|line| line.to_lowercase() == wanted)
}
