//! What messages say of themselves: how their reader objects, that their addresses are told in a privacy notice, and that
//! they are only a demonstration (`notices.toml`).
//!
//! A policy's notices have ids that stand for exactly one text each: who changes a text raises its number. Texts are one
//! paragraph, name no product and have no digits, so that the host's checks of numbers and links pass them.

use crate::FixedText;

include!(concat!(env!("OUT_DIR"), "/notices.rs"));

#[cfg(test)]
mod tests {
    use super::*;

    /// What the host's rendering would refuse or change must not stand in a notice: its hash is that of the bytes in the
    /// message.
    #[test]
    fn texts_survive_rendering_and_checks() {
        assert!(ALL.len() > 5);
        for text in ALL {
            for language in text.languages() {
                let text = text.in_language(language);
                assert!(text.chars().count() <= 300, "{text}");
                assert_eq!(text, text.trim());
                let foreign = |c: char| c.is_control() || c.is_ascii_digit() || "{}<>".contains(c);
                assert!(!text.contains(foreign), "{text}");
            }
        }
        for language in PRIVACY.languages() {
            let text = PRIVACY.in_language(language);
            assert!(text.ends_with(':'), "{text}");
        }
        for marker in [&DEMONSTRATION_MARKER, &HOST_DEMONSTRATION_MARKER] {
            for language in marker.languages() {
                let text = marker.in_language(language);
                assert!(text.starts_with('[') && text.ends_with(']'), "{text}");
            }
        }
    }

    #[test]
    fn no_two_languages_have_the_same_text() {
        for text in ALL {
            let said: std::collections::BTreeSet<_> = (text.languages())
                .map(|language| text.in_language(language))
                .collect();
            assert_eq!(said.len(), text.languages().count(), "{text:?}");
        }
    }
}
