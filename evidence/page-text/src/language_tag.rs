//! Tags of languages, BCP 47.

use oxilangtag::LanguageTag;

use crate::normalize;

/// Longest tag that is read, in bytes.
const LONGEST: usize = 35;

/// A tag in canonical case; `en_GB` is read as `en-GB`, and `x-default` is none.
#[must_use]
pub fn canonical_tag(text: &str) -> Option<String> {
    let text = normalize(text).replace('_', "-");
    let tag = LanguageTag::parse_and_normalize(&text).ok()?;
    let primary = tag.primary_language();
    ((2..=3).contains(&primary.len()) && tag.as_str().len() <= LONGEST).then(|| tag.into_inner())
}

/// The language of a tag without region or script.
#[must_use]
pub fn primary_language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_one_form() {
        for (text, tag) in [
            ("en_gb", Some("en-GB")),
            (" DE ", Some("de")),
            ("zh-hans-cn", Some("zh-Hans-CN")),
            ("x-default", None),
            ("not a tag", None),
            ("english", None),
            ("{{lang}}", None),
            ("", None),
        ] {
            assert_eq!(canonical_tag(text).as_deref(), tag, "{text}");
        }
        assert_eq!(primary_language("de-AT"), "de");
        assert_eq!(primary_language("pt_BR"), "pt");
        assert_eq!(primary_language("nl"), "nl");
    }
}
