//! Tells whether a text is in one language or in another one.

use whatlang::{Detector, Lang, Script};

use super::{FREQUENT, is_alphabet_of_many, is_in_another_language, language_called, shared, tag};

/// The language of a block of text, if that is beyond a doubt another one than `language`.
#[must_use]
pub fn other_language(text: &str, language: &str) -> Option<&'static str> {
    if !is_in_another_language(text, language) {
        return None;
    }
    let script = whatlang::detect_script(text).map(shared)?;
    let detector = if is_alphabet_of_many(script) {
        Detector::with_allowlist(FREQUENT.to_vec())
    } else {
        Detector::new()
    };
    detector.detect(text).map(|found| tag(found.lang()))
}

/// Whether a text is in the first of two languages rather than in the other one, for texts so short that nothing tells their
/// language among all.
#[must_use]
pub fn is_rather_in(text: &str, language: &str, other: &str) -> bool {
    let (Some(language), Some(other)) = (language_called(language), language_called(other)) else {
        return false;
    };
    let Some(script) = whatlang::detect_script(text).map(shared) else {
        return false;
    };
    let is_written_so = |known: Lang| {
        Script::all()
            .iter()
            .any(|own| shared(*own) == script && own.langs().contains(&known))
    };
    match (is_written_so(language), is_written_so(other)) {
        (false, _) => false,
        (true, false) => true,
        (true, true) => Detector::with_allowlist(vec![language, other])
            .detect(text)
            .is_some_and(|found| found.lang() == language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_is_told_from_one_other_language() {
        for (text, language) in [
            ("Proporre una prova su un solo sito, senza impegno", "it"),
            ("Un engin suivi coûte 348 euros par an.", "fr"),
            ("Ein Zähler kostet im Jahr 348 Euro.", "de"),
            ("一棟の費用は年108ユーロです。", "ja"),
        ] {
            assert!(is_rather_in(text, language, "en"), "{text}");
            assert!(!is_rather_in(text, "en", language), "{text}");
        }
        assert!(!is_rather_in(
            "They lied to auditors for years.",
            "fr",
            "en"
        ));
        assert!(!is_rather_in(
            "They lied to auditors for years.",
            "ja",
            "en"
        ));
        assert!(!is_rather_in("12", "fr", "en"));
        let japanese = "当社は一九八五年に設立され、建物の施設管理と清掃を行っています。お客様の信頼にお応えします。";
        let english =
            "We build the tools that keep the cold chain cold for our customers and for you.";
        assert_eq!(other_language(english, "fr"), Some("en"));
        assert_eq!(other_language(english, "en"), None);
        assert_eq!(other_language(japanese, "en"), Some("ja"));
    }
}
