//! The request for a document in its normalized form (specification, Documents).

use gtm_document_model::document::DocumentType;
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use super::format::DocumentFormat;
use crate::domain_name::{self, DomainName, bare_host};
use crate::website::{Website, WebsiteError};

/// Most reference documents (specification, Limits).
pub const MAX_TEMPLATE_URLS: usize = 3;
/// Most characters of an address.
pub const MAX_URL_CHARS: usize = 2_048;

/// The normalized request. Members that the request left out are null or empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentInput {
    /// What the document is about, for whom it is, and what belongs in it.
    pub brief: String,
    /// What the document is for; null if the backend chooses.
    #[schema(inline, required)]
    pub document_type: Option<DocumentType>,
    /// The format of its file; null if the backend chooses.
    #[schema(inline, required)]
    pub format: Option<DocumentFormat>,
    /// Domain of the company that the document is for, in lower-case ASCII.
    #[schema(required)]
    pub target_domain: Option<String>,
    /// Id or key of the brand, as it was given; null for the organization's default brand.
    #[schema(required)]
    pub brand: Option<String>,
    /// Id or key of the offer, as it was given.
    #[schema(required)]
    pub offer: Option<String>,
    /// Reference documents.
    #[schema(max_items = 3)]
    pub template_urls: Vec<String>,
    /// Title of the document.
    #[schema(required)]
    pub title: Option<String>,
    /// The caller's own reference.
    #[schema(required)]
    pub external_ref: Option<String>,
}

/// The bare domain of a target: without scheme, `www.`, path, query and fragment.
///
/// # Errors
/// If the text leads to no public domain.
pub fn target_domain(text: &str) -> Result<DomainName, WebsiteError> {
    let site: Website = text.parse()?;
    let domain = site.domain();
    // `www.com` is a company's own domain, and `com` is none.
    let bare = bare_host(domain.as_str()).parse::<DomainName>();
    Ok(bare.unwrap_or_else(|_| domain.clone()))
}

/// Why a text is not the address of a reference document. DANGER: must hold no part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TemplateUrlError {
    #[error("must be an http or https address")]
    Scheme,
    #[error("must not have user information")]
    UserInformation,
    #[error("must have at most {MAX_URL_CHARS} characters")]
    TooLong,
    #[error("must be a valid web address")]
    Invalid,
}

/// The address of a reference document in normal form, without its fragment. Whether it may be fetched is decided
/// when it is: the gate refuses private addresses.
///
/// # Errors
/// What is wrong with it.
pub fn template_url(text: &str) -> Result<String, TemplateUrlError> {
    use TemplateUrlError as E;
    let text = text.trim();
    if text.chars().nth(MAX_URL_CHARS).is_some() {
        return Err(E::TooLong);
    }
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(E::Invalid);
    }
    let lower = text.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"))
        .ok_or(E::Scheme)?;
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    // IDNA takes time proportional to the square of a label's length.
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if domain_name::is_too_long(name) {
        return Err(E::Invalid);
    }
    let mut url = Url::parse(text).map_err(|_| E::Invalid)?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(E::UserInformation);
    }
    if url.host().is_none() {
        return Err(E::Invalid);
    }
    url.set_fragment(None);
    let normal = String::from(url);
    if normal.len() > MAX_URL_CHARS {
        return Err(E::TooLong);
    }
    Ok(normal)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_target_is_a_bare_domain() {
        for given in [
            "acme.example",
            "https://acme.example",
            "HTTP://www.Acme.example/de/about?x=1#top",
            " www.acme.example. ",
        ] {
            assert_eq!(
                target_domain(given).unwrap().as_str(),
                "acme.example",
                "{given}"
            );
        }
        assert_eq!(
            target_domain("https://www.com/").unwrap().as_str(),
            "www.com"
        );
        let shop = target_domain("https://www.shop.acme.example/x").unwrap();
        assert_eq!(shop.as_str(), "shop.acme.example");
        let umlaut = target_domain("https://www.bücher.example").unwrap();
        assert_eq!(umlaut.as_str(), "xn--bcher-kva.example");
        for wrong in [
            "",
            "localhost",
            "https://10.0.0.1/",
            "ftp://acme.example",
            "a b.example",
        ] {
            assert!(target_domain(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_reference_document_has_a_web_address() {
        assert_eq!(
            template_url(" HTTPS://Acme.example/Plan.PDF?v=2#page=3 ").unwrap(),
            "https://acme.example/Plan.PDF?v=2"
        );
        use TemplateUrlError as E;
        for (wrong, why) in [
            ("ftp://acme.example/x", E::Scheme),
            ("acme.example/x", E::Scheme),
            ("javascript:alert(1)", E::Scheme),
            ("https://me:pw@acme.example/", E::UserInformation),
            ("https://", E::Invalid),
            ("https://acme.example/a b", E::Invalid),
        ] {
            assert_eq!(template_url(wrong), Err(why), "{wrong}");
        }
        let long = format!("https://acme.example/{}", "x".repeat(MAX_URL_CHARS));
        assert_eq!(template_url(&long), Err(E::TooLong));
    }

    proptest! {
        #[test]
        fn no_text_is_too_odd(text in "\\PC{0,60}|https://\\PC{0,60}") {
            if let Ok(domain) = target_domain(&text) {
                prop_assert_eq!(target_domain(domain.as_str()).unwrap(), domain);
            }
            if let Ok(url) = template_url(&text) {
                prop_assert_eq!(template_url(&url), Ok(url));
            }
        }
    }
}
