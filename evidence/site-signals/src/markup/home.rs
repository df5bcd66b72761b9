//! Recognizes addresses of a site's home page.

use gtm_page_text::{canonical_tag, is_same_host};
use url::Url;

/// Whether an address is the site's home page, in any language.
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
            let url = page.join(address).unwrap();
            assert_eq!(is_home(&url, &page), expected, "{address}");
        }
    }
}
