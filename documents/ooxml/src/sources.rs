//! What each format says of a source: the day on which it was read, and its address for those who read on paper.

use gtm_document_model::Source;

use crate::dates;

/// Longest address that is shown whole, in characters.
const LONGEST: usize = 110;

/// The day on which a source was read, in words of the language.
#[must_use]
pub fn day(source: &Source, language: &str) -> Option<String> {
    let day = source.retrieved_at.as_deref()?.get(..10)?;
    Some(dates::written(day, language))
}

/// An address as it is shown: without its scheme, and not longer than two lines.
#[must_use]
pub fn shown(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.trim_end_matches('/');
    if rest.chars().count() <= LONGEST {
        return rest.to_owned();
    }
    let begin: String = rest.chars().take(LONGEST - 1).collect();
    format!("{begin}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_told_as_its_reader_reads() {
        let source = Source {
            retrieved_at: Some("2026-11-20T09:00:00Z".to_owned()),
            ..Source::default()
        };
        assert_eq!(day(&source, "en-GB").as_deref(), Some("20 November 2026"));
        assert_eq!(day(&source, "ar").as_deref(), Some("20 نوفمبر 2026"));
        assert_eq!(day(&Source::default(), "en"), None);
        assert_eq!(shown("https://a.example/b/"), "a.example/b");
        let long = shown(&format!("https://a.example/{}", "b".repeat(200)));
        assert_eq!((long.chars().count(), long.ends_with('…')), (110, true));
    }
}
