//! Detects the language of texts: by their script first, then by their words.

mod between_two;

use whatlang::{Detector, Lang, Script};

use crate::{canonical_tag, primary_language};

pub use between_two::{is_rather_in, other_language};

/// Fewest characters from which a language can be told by its words.
const MIN_CHARS: usize = 200;
/// Fewest characters where the script tells it.
const MIN_CHARS_OF_SCRIPT: usize = 40;
/// Fewest characters from which one of a few languages can be told.
const MIN_CHARS_AMONG_FEW: usize = 40;
/// How sure the detector must be of one language among a few.
const SURE_AMONG_FEW: f64 = 0.5;
/// Most characters that are read.
const MAX_CHARS: usize = 6000;
/// Fewest characters of a single block that can be in another language than the rest: of another script, and
/// of the same one.
const BLOCK_OF_OTHER_SCRIPT: usize = 8;
const LATIN_BLOCK_OF_OTHER_SCRIPT: usize = 30;
const BLOCK_OF_SAME_SCRIPT: usize = 60;

/// The BCP 47 tag of the language in which the texts, taken together, are written. `None` if they are short
/// or the language is in doubt. Where they are in several scripts, the one that says most counts.
#[must_use]
pub fn detect_language<'t>(texts: impl IntoIterator<Item = &'t str>) -> Option<&'static str> {
    let mut samples: Vec<(Script, usize, String)> = Vec::new();
    let mut read = 0;
    for text in texts {
        let text: String = text.chars().take(MAX_CHARS.saturating_sub(read)).collect();
        read += text.chars().count() + 1;
        if let Some(script) = whatlang::detect_script(&text) {
            let script = shared(script);
            let weight = text.chars().count() * weight(script);
            match samples.iter_mut().find(|(known, ..)| *known == script) {
                Some((_, known, sample)) => {
                    *known += weight;
                    sample.push_str(&text);
                    sample.push('\n');
                }
                None => samples.push((script, weight, format!("{text}\n"))),
            }
        }
        if read >= MAX_CHARS {
            break;
        }
    }
    let (script, _, sample) = samples
        .into_iter()
        .rev()
        .max_by_key(|(_, weight, _)| *weight)?;
    let least = if is_alphabet_of_many(script) {
        MIN_CHARS
    } else {
        MIN_CHARS_OF_SCRIPT
    };
    if sample.chars().count() < least {
        return None;
    }
    let found = whatlang::detect(&sample)?;
    // Chinese has no kana, so a text with some of them is Japanese, however many other signs it has.
    let sure = found.is_reliable() || found.lang() == Lang::Jpn;
    sure.then(|| tag(found.lang()))
}

/// The language of texts that may declare one. Words and script decide; the declared tag stands where they
/// leave a doubt, and where it says more exactly the same (`de-AT`).
#[must_use]
pub fn language_of_texts<'t>(
    declared: Option<&str>,
    texts: impl IntoIterator<Item = &'t str>,
) -> Option<String> {
    // Tags that say that there is no language, or that nobody knows it.
    let says_none = |tag: &String| matches!(primary_language(tag), "und" | "zxx");
    let declared = declared
        .and_then(canonical_tag)
        .filter(|tag| !says_none(tag));
    match (declared, detect_language(texts)) {
        (Some(declared), Some(detected)) if !contradicts(&declared, detected) => Some(declared),
        (declared, detected) => detected.map(str::to_owned).or(declared),
    }
}

/// Whether a block of text is in another language than `language`, beyond a doubt: a slogan of three English
/// words on a German page is not, a paragraph is.
#[must_use]
pub fn is_in_another_language(text: &str, language: &str) -> bool {
    let Some(main) = language_called(language) else {
        return false;
    };
    let Some(script) = whatlang::detect_script(text).map(shared) else {
        return false;
    };
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let own = Script::all()
        .iter()
        .any(|own| shared(*own) == script && own.langs().contains(&main));
    if !own {
        let least = if script == Script::Latin {
            LATIN_BLOCK_OF_OTHER_SCRIPT
        } else {
            BLOCK_OF_OTHER_SCRIPT
        };
        return letters >= least;
    }
    if letters < BLOCK_OF_SAME_SCRIPT || !is_alphabet_of_many(script) {
        return false;
    }
    let mut languages = FREQUENT.to_vec();
    languages.push(main);
    Detector::with_allowlist(languages)
        .detect(text)
        .is_some_and(|found| found.is_reliable() && contradicts(language, tag(found.lang())))
}

/// The one of a few languages in which a text is most likely written, for texts that are too short for [`detect_language`].
/// `None` below some 40 characters, and where the languages are too close: names and numbers are of no language.
#[must_use]
pub fn language_among<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'static str> {
    let sample: String = text.chars().take(MAX_CHARS).collect();
    let script = whatlang::detect_script(&sample)?;
    if sample.trim().chars().count() < MIN_CHARS_AMONG_FEW && is_alphabet_of_many(shared(script)) {
        return None;
    }
    let languages: Vec<Lang> = candidates.into_iter().filter_map(language_called).collect();
    let found = Detector::with_allowlist(languages).detect(&sample)?;
    (found.is_reliable() || found.confidence() >= SURE_AMONG_FEW).then(|| tag(found.lang()))
}

/// Languages that blocks of companies' sites are in. Among all that exist, one sentence resembles too many.
const FREQUENT: [Lang; 24] = [
    Lang::Ara,
    Lang::Ces,
    Lang::Dan,
    Lang::Deu,
    Lang::Eng,
    Lang::Fin,
    Lang::Fra,
    Lang::Heb,
    Lang::Hun,
    Lang::Ind,
    Lang::Ita,
    Lang::Nld,
    Lang::Nob,
    Lang::Pes,
    Lang::Pol,
    Lang::Por,
    Lang::Ron,
    Lang::Rus,
    Lang::Slk,
    Lang::Spa,
    Lang::Swe,
    Lang::Tur,
    Lang::Ukr,
    Lang::Vie,
];

/// Languages so alike that words tell them apart badly: what a page declares is surer.
const RELATIVES: [&[Lang]; 4] = [
    &[Lang::Dan, Lang::Nob],
    &[Lang::Hrv, Lang::Slv, Lang::Srp],
    &[Lang::Ces, Lang::Slk],
    &[Lang::Ind, Lang::Jav],
];

/// Whether a tag can't be right for a text in the detected language. A language that detection does not know
/// may look like a known one (Galician like Spanish).
fn contradicts(declared: &str, detected: &str) -> bool {
    if primary_language(declared) == detected {
        return false;
    }
    let Some(found) = language_called(detected) else {
        return false;
    };
    match language_called(declared) {
        Some(known) => !RELATIVES
            .iter()
            .any(|group| group.contains(&known) && group.contains(&found)),
        // No other language is written in the script.
        None => !Script::all()
            .iter()
            .any(|script| is_alphabet_of_many(*script) && script.langs().contains(&found)),
    }
}

fn language_called(name: &str) -> Option<Lang> {
    let primary = primary_language(name);
    let mut all = Lang::all().iter().copied();
    all.find(|known| tag(*known) == primary)
}

/// Japanese is written in three scripts at once; one of them it shares with Chinese.
fn shared(script: Script) -> Script {
    match script {
        Script::Hiragana | Script::Katakana => Script::Mandarin,
        other => other,
    }
}

/// Whether so many languages use the script that it says little.
fn is_alphabet_of_many(script: Script) -> bool {
    script.langs().len() > 1 && shared(script) != Script::Mandarin
}

/// How many letters of an alphabet one character of the script stands for.
fn weight(script: Script) -> usize {
    match script {
        Script::Mandarin | Script::Hangul => 3,
        _ => 1,
    }
}

/// BCP 47 requires the two-letter code if there is one.
fn tag(language: Lang) -> &'static str {
    match language {
        Lang::Afr => "af",
        Lang::Aka => "ak",
        Lang::Amh => "am",
        Lang::Ara => "ar",
        Lang::Aze => "az",
        Lang::Bel => "be",
        Lang::Ben => "bn",
        Lang::Bul => "bg",
        Lang::Cat => "ca",
        Lang::Ces => "cs",
        Lang::Cmn => "zh",
        Lang::Cym => "cy",
        Lang::Dan => "da",
        Lang::Deu => "de",
        Lang::Ell => "el",
        Lang::Eng => "en",
        Lang::Epo => "eo",
        Lang::Est => "et",
        Lang::Fin => "fi",
        Lang::Fra => "fr",
        Lang::Guj => "gu",
        Lang::Heb => "he",
        Lang::Hin => "hi",
        Lang::Hrv => "hr",
        Lang::Hun => "hu",
        Lang::Hye => "hy",
        Lang::Ind => "id",
        Lang::Ita => "it",
        Lang::Jav => "jv",
        Lang::Jpn => "ja",
        Lang::Kan => "kn",
        Lang::Kat => "ka",
        Lang::Khm => "km",
        Lang::Kor => "ko",
        Lang::Lat => "la",
        Lang::Lav => "lv",
        Lang::Lit => "lt",
        Lang::Mal => "ml",
        Lang::Mar => "mr",
        Lang::Mkd => "mk",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Nld => "nl",
        Lang::Nob => "nb",
        Lang::Ori => "or",
        Lang::Pan => "pa",
        Lang::Pes => "fa",
        Lang::Pol => "pl",
        Lang::Por => "pt",
        Lang::Ron => "ro",
        Lang::Rus => "ru",
        Lang::Sin => "si",
        Lang::Slk => "sk",
        Lang::Slv => "sl",
        Lang::Sna => "sn",
        Lang::Spa => "es",
        Lang::Srp => "sr",
        Lang::Swe => "sv",
        Lang::Tam => "ta",
        Lang::Tel => "te",
        Lang::Tgl => "tl",
        Lang::Tha => "th",
        Lang::Tuk => "tk",
        Lang::Tur => "tr",
        Lang::Ukr => "uk",
        Lang::Urd => "ur",
        Lang::Uzb => "uz",
        Lang::Vie => "vi",
        Lang::Yid => "yi",
        Lang::Zul => "zu",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const GERMAN: &str =
        "Wir bauen Zähler für Wohnhäuser und rechnen den Verbrauch für Vermieter ab.";

    #[test]
    fn sure_languages_are_detected() {
        for (text, expected) in [
            (GERMAN, "de"),
            (
                "We build the tools that keep the cold chain cold for our customers and for you.",
                "en",
            ),
            (
                "Nous fabriquons des compteurs pour les immeubles et nous calculons la consommation.",
                "fr",
            ),
            (
                "当社は住宅用のメーターを製造し、家主のために消費量を計算しています。",
                "ja",
            ),
        ] {
            assert_eq!(detect_language([text; 8]), Some(expected), "{text}");
        }
    }

    const JAPANESE: &str = "当社は一九八五年に設立され、建物の施設管理と清掃を行っています。お客様の信頼にお応えします。";

    #[test]
    fn the_text_beats_what_a_page_declares() {
        let of = |declared, text: &str| language_of_texts(Some(declared), [text]);
        let german = GERMAN.repeat(4);
        assert_eq!(of("en", JAPANESE).as_deref(), Some("ja"));
        assert_eq!(of("en-US", &german).as_deref(), Some("de"));
        // The declared tag may say more, or be the only one that says anything.
        assert_eq!(of("de_at", &german).as_deref(), Some("de-AT"));
        assert_eq!(of("en-GB", "We build meters.").as_deref(), Some("en-GB"));
        assert_eq!(language_of_texts(None, [JAPANESE]).as_deref(), Some("ja"));
        assert_eq!(language_of_texts(None, ["Short."]), None);
        assert_eq!(of("zxx", &german).as_deref(), Some("de"));
        assert_eq!(of("zxx", "Short."), None);
        // Luxembourgish is not known to detection, and looks like German.
        assert_eq!(of("lb", &german).as_deref(), Some("lb"));
        assert_eq!(of("lb", JAPANESE).as_deref(), Some("ja"));
        // Labels in Latin letters don't outweigh Japanese text.
        let mixed = [
            "Home",
            "Company",
            "Business",
            "News",
            "Recruit",
            "Contact us",
            JAPANESE,
        ];
        assert_eq!(language_of_texts(Some("en"), mixed).as_deref(), Some("ja"));
    }

    #[test]
    fn blocks_in_other_languages_are_told_apart() {
        let english =
            "We build the tools that keep the cold chain cold for our customers and for you.";
        for (text, language, other) in [
            (english, "de", true),
            (english, "ja", true),
            (english, "en-GB", false),
            (GERMAN, "en", true),
            (GERMAN, "de", false),
            (JAPANESE, "de", true),
            (JAPANESE, "ja", false),
            // A slogan or a name is part of any language.
            ("Make it cold", "de", false),
            ("Acme Ltd.", "ja", false),
            (
                "Wir liefern Software as a Service für Facility Management und Real Estate.",
                "de",
                false,
            ),
            (GERMAN, "und", false),
        ] {
            assert_eq!(
                is_in_another_language(text, language),
                other,
                "{language} {text}"
            );
        }
    }

    #[test]
    fn short_texts_count_together() {
        assert_eq!(detect_language([GERMAN]), None);
        assert_eq!(detect_language([GERMAN; 3]), Some("de"));
        assert_eq!(detect_language(["Kühlkette"]), None);
        assert_eq!(detect_language([]), None);
    }

    #[test]
    fn one_of_a_few_languages_is_told_from_forty_characters() {
        let among = |text: &str| {
            language_among(text, ["en", "de", "fr", "es", "it", "nl", "pt", "ja", "ar"])
        };
        for (text, expected) in [
            ("Angebot für die Stadtwerke Ulm, 40 Zähler", Some("de")),
            ("Offre pour la direction technique de Lidl", Some("fr")),
            ("Meters that read themselves, no appointments", Some("en")),
            (
                "Need a one pager for Lidl by Friday, please keep it friendly",
                Some("en"),
            ),
            ("御社向けの提案書を作成してください。", Some("ja")),
            // Names and numbers are of no language, and a few words of any.
            ("Kühlhaus-Monitoring Bridge Sensor Gateway Pro", None),
            ("14 depots, 3 countries, budget 50k, Sensortec", None),
            ("Mehr Ruhe, weniger Rundgänge", None),
            ("490 € je Standort", None),
            ("", None),
        ] {
            assert_eq!(among(text), expected, "{text}");
        }
        assert_eq!(language_among(GERMAN, []), None);
    }

    #[test]
    fn what_comes_late_is_not_looked_at() {
        let german = GERMAN.repeat(100);
        let english = "We keep the cold chain cold for our customers. ".repeat(1000);
        assert_eq!(
            detect_language([german.as_str(), english.as_str()]),
            Some("de")
        );
        assert_eq!(
            detect_language([format!("{german}{english}").as_str()]),
            Some("de")
        );
    }

    #[test]
    fn every_language_has_a_two_letter_tag_of_its_own() {
        let tags: BTreeSet<&str> = Lang::all().iter().map(|known| tag(*known)).collect();
        assert_eq!(tags.len(), Lang::all().len());
        for tag in tags {
            assert_eq!(tag.len(), 2, "{tag}");
            assert_eq!(crate::canonical_tag(tag).as_deref(), Some(tag));
        }
    }
}
