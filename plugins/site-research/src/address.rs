//! What an address of a page says by itself.

use gtm_lexicon::pages::LANGUAGES;
use gtm_page_text::primary_language;
use url::Url;

/// The address without fragment, for comparing.
pub fn comparable(url: &Url) -> String {
    let mut bare = url.clone();
    bare.set_fragment(None);
    let text = bare.to_string();
    let text = text.strip_suffix("index.html").unwrap_or(&text);
    text.trim_end_matches('/').to_owned()
}

/// Whether the address begins with a language that the home page's address doesn't: `/de/…` beside `/`.
pub fn is_other_language(home: &Url, url: &Url) -> bool {
    let code = |url: &Url| -> Option<String> {
        let first = url.path_segments()?.next()?.to_lowercase();
        let primary = primary_language(&first);
        (first.len() <= 5 && LANGUAGES.contains(primary)).then(|| primary.to_owned())
    };
    match (code(home), code(url)) {
        (home, Some(other)) => home.is_none_or(|home| home != other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn one_page_has_one_address() {
        let url = |text: &str| Url::parse(text).unwrap();
        assert_eq!(
            comparable(&url("https://a.example/x/#top")),
            comparable(&url("https://a.example/x"))
        );
        assert_eq!(
            comparable(&url("https://a.example/index.html")),
            "https://a.example"
        );
    }

    #[test]
    fn pages_in_another_language_are_told_by_their_address() {
        let is_other = |home: &str, path: &str| {
            let home = Url::parse(&format!("https://a.example{home}")).unwrap();
            is_other_language(&home, &home.join(path).unwrap())
        };
        assert!(is_other("/", "/de/produkte"));
        assert!(is_other("/en-us/", "/pt_BR/"));
        assert!(!is_other("/de/", "/de-at/produkte"));
        assert!(!is_other("/", "/design/"));
        assert!(!is_other("/de/", "/products"));
    }
}
