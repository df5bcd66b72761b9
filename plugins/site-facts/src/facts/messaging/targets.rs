//! Where links lead to, as far as their addresses tell: to a place where one acts, or to what there is to read.

use gtm_lexicon::calls::{HOSTS, MESSENGERS};
use gtm_lexicon::pages::CONTACT;
use gtm_site_research::words;
use url::Url;

/// How hosts and parts of addresses of maps are called.
const MAPS: &str = "maps";

/// Whether the name of a part of a page is that of the one for writing to the company or booking.
pub(super) fn acts(part: &str) -> bool {
    let part = words::fold(part).replace(['-', '_'], " ");
    let words = words::split(&part);
    CONTACT.any_in(&words) || HOSTS.any_in(&words)
}

/// Whether a link leads to a file to be read or kept.
pub(super) fn is_download(target: &str) -> bool {
    let target = target.to_lowercase();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    [".pdf", ".zip"].iter().any(|ending| path.ends_with(ending)) || query.contains("download=")
}

/// Whether a link opens a letter or a telephone, or leads to the page for writing to the company.
pub(super) fn leads_to_contact(target: &str) -> bool {
    let path = match Url::parse(target) {
        Ok(url) if url.has_host() => words::fold(&format!(
            "{} {}",
            url.path(),
            url.fragment().unwrap_or_default()
        )),
        Ok(url) => return matches!(url.scheme(), "mailto" | "tel"),
        Err(_) => return false,
    };
    CONTACT.any_in(&words::split(&path))
}

/// Whether a link opens a chat with the company.
pub(super) fn opens_chat(target: &str) -> bool {
    let host = Url::parse(target)
        .ok()
        .and_then(|url| url.host_str().map(words::fold));
    let host = host.unwrap_or_default().replace(['.', '-'], " ");
    MESSENGERS.any_in(&words::split(&host))
}

/// Whether one books, buys or writes at this host, by its name, or is shown the way there.
pub(super) fn is_of_business(url: &Url) -> bool {
    let host = url.host_str().map(words::fold).unwrap_or_default();
    let host = host.replace(['.', '-'], " ");
    let words = words::split(&host);
    let shows_way = || {
        let mut parts = url.path_segments().into_iter().flatten();
        parts.any(|part| part == MAPS) || words.contains(&MAPS)
    };
    HOSTS.any_in(&words) || MESSENGERS.any_in(&words) || shows_way()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_downloaded_is_read_and_what_is_booked_elsewhere_is_not() {
        assert!(is_download("https://acme.example/Data.PDF?x=1"));
        assert!(is_download("https://acme.example/get?download=7"));
        assert!(!is_download("https://acme.example/pdf-editor"));
        let business = |address: &str| Url::parse(address).is_ok_and(|url| is_of_business(&url));
        assert!(
            business("https://acme.bookings.example/") && business("https://shop-acme.example/")
        );
        assert!(!business("https://globex.example/shop"));
        assert!(
            leads_to_contact("mailto:a@acme.example")
                && leads_to_contact("https://acme.example/kontakt")
        );
        assert!(!leads_to_contact("https://acme.example/products"));
    }
}
