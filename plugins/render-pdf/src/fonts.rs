//! Typefaces: those that the component brings along, and those that the operator gives.
//!
//! A font for Chinese, Japanese and Korean is several times as large as the rest of the component and can't be cut
//! beforehand to the characters that a document will have, so it comes from the operator.

use gtm_document_model::theme::{Font as ThemeFont, FontClass};
use gtm_language_tag::{is_traditional_chinese, primary_language, region_subtag};
use gtm_typeset_input::{Code, Diagnostics};
use typst::foundations::Bytes;
use typst::text::Font;

macro_rules! embedded {
    ($($path:literal),* $(,)?) => {
        &[$(include_bytes!(concat!("../fonts/", $path)).as_slice()),*]
    };
}

const EMBEDDED: &[&[u8]] = embedded![
    "inter/Inter_400Regular.ttf",
    "inter/Inter_400Regular_Italic.ttf",
    "inter/Inter_600SemiBold.ttf",
    "inter/Inter_600SemiBold_Italic.ttf",
    "source-serif-4/SourceSerif4_400Regular.ttf",
    "source-serif-4/SourceSerif4_400Regular_Italic.ttf",
    "source-serif-4/SourceSerif4_600SemiBold.ttf",
    "source-serif-4/SourceSerif4_600SemiBold_Italic.ttf",
    "jetbrains-mono/JetBrainsMono_400Regular.ttf",
    "jetbrains-mono/JetBrainsMono_600SemiBold.ttf",
    "noto-sans-arabic/NotoSansArabic_400Regular.ttf",
    "noto-sans-arabic/NotoSansArabic_600SemiBold.ttf",
    "noto-naskh-arabic/NotoNaskhArabic_400Regular.ttf",
    "noto-naskh-arabic/NotoNaskhArabic_600SemiBold.ttf",
    "noto-sans-hebrew/NotoSansHebrew_400Regular.ttf",
    "noto-sans-hebrew/NotoSansHebrew_600SemiBold.ttf",
];

/// Where assets that are fonts have their names.
pub const PREFIX: &str = "fonts/";

/// The typefaces of a call.
#[derive(Debug, Clone)]
pub struct Fonts {
    pub all: Vec<Font>,
    /// How many of them are the component's own; the operator's follow.
    own: usize,
}

impl Fonts {
    /// The component's own fonts and these, by the names of their assets.
    pub fn with(given: Vec<(String, Vec<u8>)>, diagnostics: &mut Diagnostics) -> Self {
        let mut all: Vec<Font> = (EMBEDDED.iter())
            .filter_map(|bytes| Font::new(Bytes::new(*bytes), 0))
            .collect();
        let own = all.len();
        for (name, bytes) in given {
            let before = all.len();
            all.extend(Font::iter(Bytes::new(bytes)).filter(may_be_embedded));
            if all.len() == before {
                let message = format!("{name} is no font, or one that may not be embedded.");
                diagnostics.add(Code::FontUnusable, &format!("/{name}"), message);
            }
        }
        Self { all, own }
    }

    /// Whether a font has the character.
    pub fn covers(&self, character: char) -> bool {
        let code = u32::from(character);
        self.all
            .iter()
            .any(|font| font.info().coverage.contains(code))
    }

    /// Families to set this in, the first that has a character first: the theme's, the component's own of the same
    /// kind, those for other scripts, the operator's, for Chinese, Japanese and Korean those of the language first.
    pub fn stack(&self, wanted: &ThemeFont, language: &str) -> Vec<String> {
        let mut stack: Vec<String> = Vec::new();
        let mut add = |family: &str| {
            if let Some(found) = self.find(family)
                && !stack.contains(&found)
            {
                stack.push(found);
            }
        };
        add(&wanted.family);
        for family in &wanted.fallbacks {
            add(family);
        }
        let (own, arabic) = match wanted.class {
            FontClass::Sans => ("Inter", "Noto Sans Arabic"),
            FontClass::Serif => ("Source Serif 4", "Noto Naskh Arabic"),
            FontClass::Mono => ("JetBrains Mono", "Noto Sans Arabic"),
        };
        for family in [own, arabic, "Noto Sans Hebrew"] {
            add(family);
        }
        let mut given: Vec<&str> = (self.all[self.own..].iter())
            .map(|font| font.info().family.as_str())
            .collect();
        given.sort_by_key(|family| (!is_of(family, language), *family));
        for family in given {
            add(family);
        }
        // Signs that the others lack, and what stands for characters that no font has.
        add("Inter");
        stack
    }

    /// Says that the theme's own typeface is not there.
    pub fn report(&self, wanted: &ThemeFont, place: &str, diagnostics: &mut Diagnostics) {
        if self.find(&wanted.family).is_none() {
            let stands_in = self
                .stack(wanted, "")
                .into_iter()
                .next()
                .unwrap_or_default();
            let message = format!("{} is not there; {stands_in} stands in.", wanted.family);
            diagnostics.add(
                Code::FontSubstituted,
                &format!("/theme/fonts/{place}"),
                message,
            );
        }
    }

    fn find(&self, family: &str) -> Option<String> {
        let family = family.trim();
        let mut families = self.all.iter().map(|font| font.info().family.as_str());
        families
            .find(|known| known.eq_ignore_ascii_case(family))
            .map(str::to_owned)
    }
}

/// Whether a family for Chinese, Japanese and Korean draws their characters as this language does.
fn is_of(family: &str, language: &str) -> bool {
    let is_of_hong_kong = || {
        let region = region_subtag(language);
        region.is_some_and(|region| region.eq_ignore_ascii_case("HK"))
    };
    let endings: &[&str] = match primary_language(language).to_ascii_lowercase().as_str() {
        "ja" => &[" JP"],
        "ko" => &[" KR"],
        "zh" if !is_traditional_chinese(language) => &[" SC"],
        "zh" if is_of_hong_kong() => &[" HK", " TC"],
        "zh" => &[" TC"],
        _ => &[],
    };
    endings.iter().any(|ending| family.ends_with(ending))
}

/// Whether the font's licence bits let a document carry it.
fn may_be_embedded(font: &Font) -> bool {
    let face = ttf_parser::Face::parse(font.data().as_slice(), font.index());
    face.is_ok_and(|face| face.permissions() != Some(ttf_parser::Permissions::Restricted))
}
