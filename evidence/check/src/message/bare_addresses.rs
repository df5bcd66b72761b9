//! Addresses of pages in a text that are no links. Mail programs make links of them, which nobody counted or allowed.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use gtm_domain::message::characters::is_default_ignorable;

use super::passage::{Passage, Source, is_host};

/// Where words look like addresses of pages, among the parts that are read.
pub(super) fn bare_addresses(
    passage: &Passage,
    is_left_out: impl Fn(usize, Source) -> bool,
) -> Vec<Range<usize>> {
    let mut shown = String::with_capacity(passage.text.len());
    for (at, part) in passage.parts.iter().enumerate() {
        let text = passage.text.get(part.range.clone()).unwrap_or_default();
        match is_left_out(at, part.source) {
            true => shown.extend(std::iter::repeat_n(' ', text.len())),
            false => shown.push_str(text),
        }
    }
    let mut found = Vec::new();
    let mut at = 0;
    for word in shown.split_inclusive(char::is_whitespace) {
        if is_like_address(word) {
            found.push(at..at + word.trim_end().len());
        }
        at += word.len();
    }
    found
}

/// Whether a word has a scheme or `www.`, or is a host with a path. A host alone may be a name: `Booking.com`.
fn is_like_address(word: &str) -> bool {
    let visible = word.chars().filter(|c| !is_default_ignorable(*c));
    let word: String = visible.nfkc().flat_map(char::to_lowercase).collect();
    let begin = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let path = begin.split_once('/').map(|(host, _)| host);
    word.contains("://")
        || ["http:", "https:"]
            .iter()
            .any(|scheme| begin.starts_with(scheme))
        || word.contains("www.")
        || path.is_some_and(is_host)
}

/// Whether this part is the address that the renderer writes behind the label of a link: `label (https://…)`.
pub(super) fn is_of_link(passage: &Passage, at: usize) -> bool {
    let part = |at: Option<usize>| {
        let part = passage.parts.get(at?)?;
        let text = passage.text.get(part.range.clone())?;
        (part.source == Source::Literal).then_some(text)
    };
    let address = part(Some(at)).unwrap_or_default();
    address.starts_with("https://")
        && !address.contains(char::is_whitespace)
        && part(at.checked_sub(1)) == Some(" (")
        && part(at.checked_add(1)) == Some(")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_names() {
        for text in [
            "https://a.example",
            "(HTTP://a.example)",
            "WWW.a.example",
            "w\u{200b}ww.a.example",
            "ｗｗｗ．a.example",
            "a.example/x",
            "https:a.example",
        ] {
            assert!(is_like_address(text), "{text}");
        }
        for text in [
            "Booking.com",
            "and/or",
            "z.B.",
            "24/7",
            "1.5/2",
            "a@b.example",
            "Done.Next",
            "",
        ] {
            assert!(!is_like_address(text), "{text}");
        }
    }
}
