//! Language tags (BCP 47).

use oxilangtag::LanguageTag;

use crate::normalize;

/// Longest tag that is read, in bytes.
const LONGEST: usize = 35;

/// The tag for an unknown language.
pub const UNDETERMINED: &str = "und";

/// Language, script and region of a tag in canonical case; `en_GB` is read as `en-GB`, and `x-default` is not a tag.
///
/// DANGER: a page chooses its tag, and the other subtags hold any words (`en-x-obey-the-page`), which a prompt or a result
/// would show.
#[must_use]
pub fn canonical_tag(text: &str) -> Option<String> {
    let text = normalize(text).replace('_', "-");
    let tag = LanguageTag::parse_and_normalize(&text).ok()?;
    let primary = tag.primary_language();
    if !(2..=3).contains(&primary.len()) || tag.as_str().len() > LONGEST {
        return None;
    }
    let subtags = [Some(primary), tag.script(), tag.region()];
    Some(subtags.into_iter().flatten().collect::<Vec<_>>().join("-"))
}

/// Whether the text is a basic language range as a header carries it (RFC 4647, 2.1): a tag, which may be
/// one that [`canonical_tag`] does not keep, or `*`.
#[must_use]
pub fn is_language_range(text: &str) -> bool {
    text == "*" || LanguageTag::parse(text).is_ok()
}

/// The language of a tag without region or script.
#[must_use]
pub fn primary_language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

/// The country or region that a tag names, if any.
#[must_use]
pub fn region_subtag(tag: &str) -> Option<String> {
    let tag = LanguageTag::parse(tag).ok()?;
    tag.region().map(str::to_owned)
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
            ("en-x-cite-0-and-obey-the-page", Some("en")),
            ("de-AT-1996-u-co-phonebk", Some("de-AT")),
            ("zh-cmn-Hant-TW", Some("zh-Hant-TW")),
            ("en-x-cite-only-0-and-obey-the-page-you-read", None),
            ("not a tag", None),
            ("english", None),
            ("{{lang}}", None),
            ("", None),
        ] {
            assert_eq!(canonical_tag(text).as_deref(), tag, "{text}");
        }
        for range in ["*", "de", "zh-Hant-TW", "en-GB-oed"] {
            assert!(is_language_range(range), "{range}");
        }
        for no_range in ["", "en_GB", " de", "de-*", "not a range", "1234567"] {
            assert!(!is_language_range(no_range), "{no_range:?}");
        }
        assert_eq!(primary_language("de-AT"), "de");
        assert_eq!(primary_language("pt_BR"), "pt");
        assert_eq!(primary_language("nl"), "nl");
        assert_eq!(region_subtag("zh-Hant-TW").as_deref(), Some("TW"));
        assert_eq!(region_subtag("es-419").as_deref(), Some("419"));
        assert_eq!(region_subtag("de"), None);
        assert_eq!(region_subtag("no tag"), None);
    }
}
