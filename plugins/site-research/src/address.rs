//! What an address of a page says by itself.

use gtm_lexicon::may_be_no_language;
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

/// Whether the address is of a page in another language than the site's: `/de/…` beside `/`, `/index_en.html`.
pub fn is_other_language(home: &Url, url: &Url, language: &str) -> bool {
    match (code_in(home), code_in(url)) {
        (Some(home), Some(other)) => home != other,
        (None, Some(other)) => !is_of(&other, primary_language(language)),
        _ => false,
    }
}

/// The code of a language, or of a country, in an address: its first folder, or the end of the name of its file.
fn code_in(url: &Url) -> Option<String> {
    let mut segments = url.path_segments()?;
    let first = segments.next()?.to_lowercase();
    let primary = primary_language(&first);
    if first.len() <= 5 && LANGUAGES.contains(primary) {
        return Some(primary.to_owned());
    }
    let last = segments.next_back().unwrap_or(&first).to_lowercase();
    let (stem, _) = last.rsplit_once('.')?;
    let ending = stem.get(stem.rfind(['_', '-'])? + 1..)?;
    let is_code = LANGUAGES.contains(ending) && !may_be_no_language(ending);
    is_code.then(|| ending.to_owned())
}

/// Whether a code is that of a language, or that of the country by which sites call its versions: `jp` for Japanese.
fn is_of(code: &str, language: &str) -> bool {
    let spoken = match code {
        "cn" => "zh",
        "jp" => "ja",
        "kr" => "ko",
        other => other,
    };
    spoken == language
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
            is_other_language(&home, &home.join(path).unwrap(), "en")
        };
        assert!(is_other("/", "/de/produkte"));
        assert!(is_other("/en-us/", "/pt_BR/"));
        assert!(!is_other("/de/", "/de-at/produkte"));
        assert!(!is_other("/", "/design/"));
        assert!(!is_other("/de/", "/products"));
        // The site's own language may have its code, too, and countries may stand for languages.
        assert!(!is_other("/", "/en/products") && is_other("/", "/cn/products"));
        let japanese = |path: &str| {
            let home = Url::parse("https://a.example/").unwrap();
            is_other_language(&home, &home.join(path).unwrap(), "ja")
        };
        assert!(!japanese("/jp/company/") && !japanese("/ja/") && !japanese("/company.html"));
        assert!(japanese("/cn/company/") && japanese("/company_en.html") && japanese("/en/"));
        assert!(!japanese("/make-it.html"));
    }
}
