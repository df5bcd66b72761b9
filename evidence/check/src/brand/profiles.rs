//! Profiles on networks: whether an address is a profile, and on which network.

use gtm_lexicon::{Network, networks, sharing};
use url::Url;

/// Whether the address is a profile page on the network of that name.
#[must_use]
pub fn is_profile(network: &str, url: &Url) -> bool {
    let name = network.to_lowercase();
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    let Some(domain) = gtm_domain::domain_name::registrable_domain(&host) else {
        return false;
    };
    let parts: Vec<String> = url
        .path_segments()
        .into_iter()
        .flatten()
        .filter(|part| !part.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    if parts.is_empty() || parts.iter().any(|part| sharing().contains(part)) {
        return false;
    }
    let at = |network: &&Network| {
        let mut hosts = network.hosts.iter().chain(network.short_hosts);
        hosts.any(|host| *host == domain)
    };
    match networks().iter().find(at) {
        Some(network) => network.is_called(&name),
        None => {
            let label = domain.split('.').next().unwrap_or_default();
            name == label || name == "mastodon" && parts[0].starts_with('@')
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_fit_addresses() {
        for (network, url, fits) in [
            ("linkedin", "https://de.linkedin.com/company/acme", true),
            ("LinkedIn", "https://www.linkedin.com/company/acme", true),
            ("x", "https://twitter.com/acme", true),
            ("xing", "https://www.xing.com/pages/acme", true),
            ("mastodon", "https://social.example/@acme", true),
            (
                "linkedin",
                "https://evil.example/linkedin.com/company/acme",
                false,
            ),
            ("linkedin", "https://www.linkedin.com/", false),
            (
                "facebook",
                "https://www.facebook.com/sharer/sharer.php?u=x",
                false,
            ),
            ("x", "https://x.com/intent/tweet?text=a", false),
            ("github", "https://gitlab.com/acme", false),
            ("linkedin", "https://10.0.0.1/acme", false),
        ] {
            assert_eq!(
                is_profile(network, &Url::parse(url).unwrap()),
                fits,
                "{network} {url}"
            );
        }
    }
}
