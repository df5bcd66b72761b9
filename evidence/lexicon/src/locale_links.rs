//! Links to a site in another language: `EN` or `English` that leads to `/en/`.

use gtm_language_tag::primary_language;

use crate::fold;

/// `language_names.tsv` has one line per language: its code, and the names by which it calls itself.
const NAMES: &str = include_str!("../language_names.tsv");

/// Longest text of such a link, in characters.
const LONGEST: usize = 20;

/// The language that a link's text names, if its path begins with that language's code: `/en/` for `EN`, `/de-at/` for
/// `Deutsch`. Text and path must agree, because `/it/` may be a page about computers and `IT` its name.
#[must_use]
pub fn locale_of_link(path: &str, text: &str) -> Option<&'static str> {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    let first = segments.next()?.to_ascii_lowercase();
    let led_to = primary_language(&first);
    let told = fold(text.trim());
    if told.is_empty() || told.chars().count() > LONGEST {
        return None;
    }
    let (code, mut names) = NAMES.lines().find_map(|line| {
        let mut parts = line.split('\t');
        let code = parts.next().filter(|code| *code == led_to)?;
        Some((code, parts))
    })?;
    // Of a bare code only the front page is a version of the site.
    let mut by_code = || primary_language(&told) == code && segments.next().is_none();
    (names.any(|name| fold(name) == told) || by_code()).then_some(code)
}

/// Whether a text is nothing but what a language calls itself: `Deutsch`.
#[must_use]
pub fn is_language_name(text: &str) -> bool {
    language_named(text).is_some()
}

/// The code of the language of which a text is nothing but the name by which it calls itself.
#[must_use]
pub fn language_named(text: &str) -> Option<&'static str> {
    let told = fold(text.trim());
    if told.is_empty() || told.chars().count() > LONGEST {
        return None;
    }
    NAMES.lines().find_map(|line| {
        let mut parts = line.split('\t');
        let code = parts.next()?;
        parts.any(|name| fold(name) == told).then_some(code)
    })
}

/// Whether a word is the code of a language in which sites are common: `de`.
#[must_use]
pub fn is_language_code(word: &str) -> bool {
    let mut codes = NAMES.lines().filter_map(|line| line.split('\t').next());
    codes.any(|code| code == word)
}

/// Codes of languages that are also a word of many sites' menus.
const ALSO_WORDS: [&str; 1] = ["it"];

/// Whether the text of a link may mean something else than a language: `IT` is also what a department for computers is
/// called, and `/it/` its page. Then only other links of this kind tell that it is one.
#[must_use]
pub fn may_be_no_language(text: &str) -> bool {
    ALSO_WORDS.contains(&fold(text.trim()).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_names_and_codes() {
        assert!(is_language_name(" Deutsch") && is_language_name("日本語"));
        assert!(!is_language_name("") && !is_language_name("Acme") && !is_language_name("de"));
        assert_eq!(language_named("中文"), Some("zh"));
        assert!(is_language_code("de") && !is_language_code("deutsch") && !is_language_code(""));
    }

    #[test]
    fn some_codes_are_words_too() {
        assert!(may_be_no_language(" IT ") && !may_be_no_language("EN"));
        assert!(!may_be_no_language("Italiano"));
    }

    #[test]
    fn text_and_address_of_a_link_name_the_same_language() {
        for (path, text, language) in [
            ("/en/", "EN", Some("en")),
            ("/de-at", "Deutsch", Some("de")),
            ("/fr/contact", "Français", Some("fr")),
            ("/ja/", "日本語", Some("ja")),
            ("/it/", "IT", Some("it")),
            ("/it/", "IT services", None),
            ("/it/support", "IT", None),
            ("/services/", "English", None),
            ("/en/", "About us", None),
            ("/", "English", None),
        ] {
            assert_eq!(locale_of_link(path, text), language, "{path} {text}");
        }
    }
}
