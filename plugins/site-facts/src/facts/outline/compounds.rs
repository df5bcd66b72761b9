//! Words with hyphens, whose parts say less than they would by themselves: `Special-purpose machines` announces no purpose.

use gtm_site_research::words;

/// For each of a text's words whether it is only a part of one with a hyphen that describes something else: what follows it, or
/// nothing that has a name of its own.
pub(super) fn parts(text: &str) -> Vec<bool> {
    let mut tokens = text.split_whitespace().peekable();
    let mut found = Vec::new();
    while let Some(token) = tokens.next() {
        let count = words::split(&words::fold(token)).len();
        let last = token.rsplit('-').next().unwrap_or_default();
        let describes = tokens.peek().is_some() || last.starts_with(char::is_lowercase);
        let is_part = count > 1 && token.contains('-') && describes;
        found.extend(std::iter::repeat_n(is_part, count));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_word_are_told_from_words() {
        for (text, expected) in [
            ("Special-purpose machines", vec![true, true, false]),
            ("Special-purpose", vec![true, true]),
            ("Our purpose - and yours", vec![false; 4]),
            ("Kunden-Stimmen", vec![false, false]),
            ("Purpose", vec![false]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
