//! Scripts, and the typefaces that Office has for them.

use gtm_document_model::theme::FontClass;
use gtm_language_tag::{is_traditional_chinese, primary_language};

/// A script that the brand's typefaces seldom have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Latin,
    Japanese,
    Korean,
    SimplifiedChinese,
    TraditionalChinese,
    Arabic,
    Hebrew,
    Thai,
    Devanagari,
}

impl Script {
    /// Those that a theme names a typeface for.
    pub(super) const ALL: [Self; 8] = [
        Self::Japanese,
        Self::Korean,
        Self::SimplifiedChinese,
        Self::TraditionalChinese,
        Self::Arabic,
        Self::Hebrew,
        Self::Thai,
        Self::Devanagari,
    ];

    /// The tag of ISO 15924.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::Latin => "Latn",
            Self::Japanese => "Jpan",
            Self::Korean => "Hang",
            Self::SimplifiedChinese => "Hans",
            Self::TraditionalChinese => "Hant",
            Self::Arabic => "Arab",
            Self::Hebrew => "Hebr",
            Self::Thai => "Thai",
            Self::Devanagari => "Deva",
        }
    }

    /// A typeface that Office brings for the script; none for Latin, where the theme's own stands.
    #[must_use]
    pub const fn typeface(self, class: FontClass) -> &'static str {
        let is_serif = matches!(class, FontClass::Serif);
        match self {
            Self::Latin => "",
            Self::Japanese if is_serif => "Yu Mincho",
            Self::Japanese => "Yu Gothic",
            Self::Korean if is_serif => "Batang",
            Self::Korean => "Malgun Gothic",
            Self::SimplifiedChinese if is_serif => "SimSun",
            Self::SimplifiedChinese => "Microsoft YaHei",
            Self::TraditionalChinese if is_serif => "PMingLiU",
            Self::TraditionalChinese => "Microsoft JhengHei",
            Self::Arabic | Self::Hebrew if is_serif => "Times New Roman",
            Self::Arabic | Self::Hebrew => "Arial",
            Self::Thai => "Leelawadee UI",
            Self::Devanagari => "Nirmala UI",
        }
    }

    #[must_use]
    pub const fn is_east_asian(self) -> bool {
        matches!(
            self,
            Self::Japanese | Self::Korean | Self::SimplifiedChinese | Self::TraditionalChinese
        )
    }

    /// Whether Office takes its typeface from the slot of complex scripts.
    #[must_use]
    pub const fn is_complex(self) -> bool {
        matches!(
            self,
            Self::Arabic | Self::Hebrew | Self::Thai | Self::Devanagari
        )
    }
}

/// The script that a language (BCP 47) is written in.
#[must_use]
pub fn script_of_language(language: &str) -> Script {
    match primary_language(language).to_ascii_lowercase().as_str() {
        "ja" => Script::Japanese,
        "ko" => Script::Korean,
        "zh" if is_traditional_chinese(language) => Script::TraditionalChinese,
        "zh" | "cmn" => Script::SimplifiedChinese,
        "yue" => Script::TraditionalChinese,
        "ar" | "fa" | "ur" | "ps" | "ckb" => Script::Arabic,
        "he" | "yi" => Script::Hebrew,
        "th" => Script::Thai,
        "hi" | "mr" | "ne" | "sa" => Script::Devanagari,
        _ => Script::Latin,
    }
}
