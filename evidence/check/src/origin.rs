//! Whose site a source is: decides which sources are first party and which are independent.

use std::collections::BTreeMap;
use std::net::IpAddr;

use gtm_domain::ReceiptId;
use gtm_domain::domain_name::{is_private_suffix, registrable_domain};
use gtm_domain::evidence::SourceKind;
use gtm_domain::receipt::Receipt;
use gtm_domain::start_url::StartUrls;
use gtm_lexicon::register_hosts;
use gtm_page_text::bare_host;
use url::Url;

use super::basis::DraftSource;
use super::library::{Library, Stored};

/// The target's own site.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetSite {
    registrable: Option<String>,
    /// Host and port where, according to the operator, the target's site is served instead.
    stand_in: Option<(String, u16)>,
}

impl TargetSite {
    /// The site of a domain. `start_urls` may name another address for it (a sample site, a staging host).
    #[must_use]
    pub fn of(domain: Option<&str>, start_urls: &StartUrls) -> Self {
        let Some(domain) = domain else {
            return Self::default();
        };
        let domain = domain.to_ascii_lowercase();
        let start_url = start_urls
            .get(&domain)
            .or_else(|| start_urls.get(bare_host(&domain)));
        let stand_in = start_url
            .and_then(|url| Url::parse(url).ok())
            .and_then(|url| {
                Some((
                    url.host_str()?.to_ascii_lowercase(),
                    url.port_or_known_default()?,
                ))
            });
        Self {
            registrable: Some(site_of(&domain).to_owned()),
            stand_in,
        }
    }

    /// Whether the target's own site answered the exchange.
    #[must_use]
    pub fn owns(&self, receipt: &Receipt) -> bool {
        let host = receipt.host.to_ascii_lowercase();
        self.registrable.as_deref() == Some(site_of(&host))
            || self
                .stand_in
                .as_ref()
                .is_some_and(|(name, port)| *name == host && *port == receipt.port)
    }

    /// The confirmed kind of every stored answer.
    #[must_use]
    pub fn kinds(
        &self,
        library: &Library,
        said: &BTreeMap<&str, &DraftSource>,
    ) -> BTreeMap<ReceiptId, SourceKind> {
        let kind = |stored: &Stored| {
            let id = stored.receipt.id;
            let said = said.get(id.to_string().as_str()).map(|s| s.kind);
            (id, self.kind(&stored.receipt, said))
        };
        library.iter().map(kind).collect()
    }

    /// The confirmed kind of source for a receipt, given the backend's word (`None` if it did not list the
    /// source). A kind that cannot be confirmed becomes `other`.
    #[must_use]
    pub fn kind(&self, receipt: &Receipt, said: Option<SourceKind>) -> SourceKind {
        match said {
            None | Some(SourceKind::FirstParty) => {
                if self.owns(receipt) {
                    SourceKind::FirstParty
                } else {
                    SourceKind::Other
                }
            }
            Some(SourceKind::Registry) => {
                let host = receipt.host.to_ascii_lowercase();
                // A backend's word is not enough to make a page an official record.
                let official = register_hosts().iter().any(|name| {
                    host == name
                        || host
                            .strip_suffix(name)
                            .is_some_and(|rest| rest.ends_with('.'))
                });
                if official {
                    SourceKind::Registry
                } else {
                    SourceKind::Other
                }
            }
            // A playbook fetches nothing from a customer's uploads.
            Some(SourceKind::CustomerUpload) => SourceKind::Other,
            Some(kind) => kind,
        }
    }
}

/// What the draft says of each receipt; the first of several entries counts.
#[must_use]
pub fn said_of(sources: &[DraftSource]) -> BTreeMap<&str, &DraftSource> {
    let last_to_first = sources.iter().rev();
    last_to_first.map(|s| (s.receipt_id.as_str(), s)).collect()
}

/// The key by which two hosts are the same site: the registrable domain, or the host itself if it is an IP
/// address or has none. A hosting company's own site is at its suffix and at `www.` below it, a name that no
/// customer gets.
#[must_use]
pub fn site_of(host: &str) -> &str {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    if bare.parse::<IpAddr>().is_ok() {
        return host;
    }
    let bare = bare_host(host);
    if is_private_suffix(bare) {
        return bare;
    }
    registrable_domain(host).unwrap_or(host)
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use gtm_domain::{Digest, ReceiptId, Timestamp};

    /// A receipt of a page at `url` with this body.
    pub(crate) fn receipt(number: u128, url: &str, body: &[u8]) -> Receipt {
        let parsed = Url::parse(url).unwrap();
        Receipt {
            id: ReceiptId::from_uuid(uuid::Uuid::from_u128(number)),
            method: "GET".into(),
            url: url.into(),
            final_url: url.into(),
            host: parsed.host_str().unwrap().into(),
            port: parsed.port_or_known_default().unwrap(),
            status: Some(200),
            content_type: Some("text/html; charset=utf-8".into()),
            request_bytes: 0,
            response_bytes: body.len() as u64,
            response_digest: Some(Digest::of(body)),
            at: Timestamp::from_millis(1_000),
            duration_ms: 3,
            attempts: 1,
            decision: "allowed".into(),
            credentials: vec![],
        }
    }

    #[test]
    fn only_the_targets_own_site_is_first_party() {
        let site = TargetSite::of(Some("www.acme.co.uk"), &StartUrls::default());
        let kind = |url: &str, said| site.kind(&receipt(1, url, b""), said);
        assert_eq!(
            kind("https://blog.acme.co.uk/", Some(SourceKind::FirstParty)),
            SourceKind::FirstParty
        );
        assert_eq!(
            kind("https://other.co.uk/", Some(SourceKind::FirstParty)),
            SourceKind::Other
        );
        assert_eq!(
            kind("https://other.co.uk/", Some(SourceKind::News)),
            SourceKind::News
        );
        assert_eq!(kind("https://acme.co.uk/", None), SourceKind::FirstParty);
        assert_eq!(
            kind("https://blog.example/", Some(SourceKind::Registry)),
            SourceKind::Other
        );
        assert_eq!(
            kind("https://www.sec.gov/x", Some(SourceKind::Registry)),
            SourceKind::Registry
        );
        assert_eq!(
            kind("https://evilsec.gov/x", Some(SourceKind::Registry)),
            SourceKind::Other
        );
        assert_eq!(
            kind("https://a.example/", Some(SourceKind::CustomerUpload)),
            SourceKind::Other
        );
    }

    #[test]
    fn a_stand_in_counts_with_its_port_only() {
        let entry = (
            "sample.example".to_owned(),
            "http://127.0.0.1:8099/".to_owned(),
        );
        let start_urls: StartUrls = [entry].into_iter().collect();
        let site = TargetSite::of(Some("www.sample.example"), &start_urls);
        assert!(site.owns(&receipt(1, "http://127.0.0.1:8099/about", b"")));
        assert!(!site.owns(&receipt(1, "http://127.0.0.1:8100/", b"")));
        let other = TargetSite::of(Some("other.example"), &start_urls);
        assert!(!other.owns(&receipt(1, "http://127.0.0.1:8099/", b"")));
        assert!(!TargetSite::of(None, &start_urls).owns(&receipt(
            1,
            "http://127.0.0.1:8099/",
            b""
        )));
    }

    #[test]
    fn addresses_are_their_own_site() {
        assert_eq!(site_of("127.0.0.1"), "127.0.0.1");
        assert_eq!(site_of("www.shop.co.uk"), "shop.co.uk");
    }

    #[test]
    fn a_hosting_company_and_its_customers_are_different_sites() {
        assert_eq!(site_of("www.carrd.co"), site_of("carrd.co"));
        assert_ne!(site_of("acme.carrd.co"), site_of("carrd.co"));
        assert_eq!(site_of("www.acme.carrd.co"), "acme.carrd.co");
    }
}
