//! Addresses that a page names.

use gtm_page_text::{canonical_tag, is_same_host};
use url::Url;

/// Longest address that is reported, in bytes.
const MAX_URL: usize = 2048;

/// An address that may be asked for, without its fragment.
pub(super) fn resolve(base: &Url, address: &str) -> Option<Url> {
    let mut url = base.join(address.trim()).ok()?;
    url.set_fragment(None);
    let fits = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.as_str().len() <= MAX_URL;
    fits.then_some(url)
}

/// Whether an address is the site's first page, in whatever language.
pub(super) fn is_home(url: &Url, page: &Url) -> bool {
    if !is_same_host(url, page) {
        return false;
    }
    let path = url.path().trim_matches('/').to_ascii_lowercase();
    // `de`, or a language with its country: `de-at`.
    let is_language = |path: &str| matches!(path.len(), 2 | 5) && canonical_tag(path).is_some();
    matches!(
        path.as_str(),
        "" | "index.html" | "index.htm" | "index.php" | "home"
    ) || is_language(&path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_first_page_has_an_address_in_each_language() {
        let page = Url::parse("https://www.a.example/about").unwrap();
        for (address, expected) in [
            ("/", true),
            ("https://a.example", true),
            ("/index.html", true),
            ("/de", true),
            ("/EN-gb/", true),
            ("/pt_br", true),
            ("/d1", false),
            ("/ab-12", false),
            ("/about", false),
            ("/de/about", false),
            ("https://b.example/", false),
        ] {
            let url = resolve(&page, address).unwrap();
            assert_eq!(is_home(&url, &page), expected, "{address}");
        }
    }
}
