//! The language of a page.

use gtm_page_text::{Block, canonical_tag, primary_language};

/// Characters of text below which detection is not asked.
const LEAST_CHARS: usize = 200;
/// Characters of text that detection looks at.
const MOST_CHARS: usize = 6000;

/// A declared language as a BCP 47 tag, or `None` if it is none. Of several that a page declares, the first counts.
pub(crate) fn tag(declared: &str) -> Option<String> {
    let first = declared.split(',').next()?;
    canonical_tag(first).filter(|tag| primary_language(tag) != "und")
}

/// The language that the main text is written in, if that is sure.
pub(crate) fn detect(blocks: &[(Block, bool)]) -> Option<String> {
    let mut sample = String::new();
    for (block, _) in blocks.iter().filter(|(_, main)| *main) {
        sample.push_str(&block.text);
        sample.push('\n');
        if sample.len() >= MOST_CHARS {
            break;
        }
    }
    let sample: String = sample.chars().take(MOST_CHARS).collect();
    if sample.chars().count() < LEAST_CHARS {
        return None;
    }
    let found = whatlang::detect(&sample)?;
    found
        .is_reliable()
        .then(|| two_letters(found.lang().code()).to_owned())
}

/// BCP 47 wants the two-letter code where there is one.
fn two_letters(code: &'static str) -> &'static str {
    const CODES: [(&str, &str); 66] = [
        ("afr", "af"),
        ("aka", "ak"),
        ("amh", "am"),
        ("ara", "ar"),
        ("aze", "az"),
        ("bel", "be"),
        ("ben", "bn"),
        ("bul", "bg"),
        ("cat", "ca"),
        ("ces", "cs"),
        ("cmn", "zh"),
        ("cym", "cy"),
        ("dan", "da"),
        ("deu", "de"),
        ("ell", "el"),
        ("eng", "en"),
        ("epo", "eo"),
        ("est", "et"),
        ("fin", "fi"),
        ("fra", "fr"),
        ("guj", "gu"),
        ("heb", "he"),
        ("hin", "hi"),
        ("hrv", "hr"),
        ("hun", "hu"),
        ("hye", "hy"),
        ("ind", "id"),
        ("ita", "it"),
        ("jav", "jv"),
        ("jpn", "ja"),
        ("kan", "kn"),
        ("kat", "ka"),
        ("khm", "km"),
        ("kor", "ko"),
        ("lat", "la"),
        ("lav", "lv"),
        ("lit", "lt"),
        ("mal", "ml"),
        ("mar", "mr"),
        ("mkd", "mk"),
        ("mya", "my"),
        ("nep", "ne"),
        ("nld", "nl"),
        ("nob", "nb"),
        ("ori", "or"),
        ("pan", "pa"),
        ("pes", "fa"),
        ("pol", "pl"),
        ("por", "pt"),
        ("ron", "ro"),
        ("rus", "ru"),
        ("sin", "si"),
        ("slk", "sk"),
        ("slv", "sl"),
        ("sna", "sn"),
        ("spa", "es"),
        ("srp", "sr"),
        ("swe", "sv"),
        ("tam", "ta"),
        ("tel", "te"),
        ("tgl", "tl"),
        ("tha", "th"),
        ("tuk", "tk"),
        ("tur", "tr"),
        ("ukr", "uk"),
        ("urd", "ur"),
    ];
    CODES
        .iter()
        .find(|(three, _)| *three == code)
        .map_or(code, |(_, two)| two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_tags_are_checked() {
        assert_eq!(tag("de-DE").as_deref(), Some("de-DE"));
        assert_eq!(tag("en_US").as_deref(), Some("en-US"));
        assert_eq!(tag(" fr , en").as_deref(), Some("fr"));
        for wrong in ["", "english language", "{{lang}}", "und", "e"] {
            assert_eq!(tag(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sure_languages_are_detected() {
        let block = |text: &str| {
            gtm_page_text::extract(Some("text/plain"), text.as_bytes())
                .blocks
                .into_iter()
                .map(|block| (block, true))
                .collect::<Vec<_>>()
        };
        let german = "Wir bauen Zähler für Wohnhäuser und rechnen den Verbrauch für Vermieter ab. "
            .repeat(4);
        assert_eq!(detect(&block(&german)).as_deref(), Some("de"));
        assert_eq!(detect(&block("Kurz.")), None);
    }
}
