//! Converts a query to the form that SearXNG accepts.

use gtm_page_text::{canonical_tag, primary_language, region_subtag};

/// Marks with which SearXNG's own commands begin: an engine or a redirect (`!`), a language (`:`), a
/// timeout (`<`). A company may be called so; it is searched for and commands nothing.
const COMMANDS: [char; 3] = ['!', ':', '<'];

/// The query without commands, with one space between words.
pub(crate) fn plain(query: &str) -> String {
    query
        .split_whitespace()
        .map(|word| word.trim_start_matches(COMMANDS))
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The language tag as SearXNG reads it, `de` or `de-AT`; it refuses a search with any other form. A
/// requested country replaces the tag's own; without a language it cannot be expressed.
pub(crate) fn language(tag: &str, country: Option<&str>) -> Option<String> {
    let tag = canonical_tag(tag)?;
    let own = || region_subtag(&tag).filter(|region| region.len() == 2);
    let language = primary_language(&tag);
    Some(match country.map(str::to_ascii_uppercase).or_else(own) {
        Some(region) => format!("{language}-{region}"),
        None => language.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        for (query, want) in [
            (
                "Fernhollow official  website",
                "Fernhollow official website",
            ),
            ("!!g Yahoo! shop", "g Yahoo! shop"),
            (":fr <3 C++ a:b 1<2", "fr 3 C++ a:b 1<2"),
            ("!! : <", ""),
        ] {
            assert_eq!(plain(query), want);
        }
    }

    #[test]
    fn languages_have_one_form() {
        for (tag, country, want) in [
            ("de", None, Some("de")),
            ("EN_gb", None, Some("en-GB")),
            ("de", Some("AT"), Some("de-AT")),
            ("en-US", Some("GB"), Some("en-GB")),
            ("zh-Hant-TW", None, Some("zh-TW")),
            ("es-419", None, Some("es")),
            ("x-private", None, None),
            ("d", None, None),
        ] {
            assert_eq!(language(tag, country).as_deref(), want, "{tag}");
        }
    }
}
