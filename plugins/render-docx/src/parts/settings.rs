//! Settings of the document.

use std::collections::BTreeSet;

use gtm_document_model::document::Meta;
use gtm_document_model::theme::{FontClass, Theme};
use gtm_ooxml::Xml;
use gtm_ooxml::theme::{Script, script_of_language};

use super::W;

/// `word/settings.xml`. It asks for no update of fields: everything stands already, and the question would scare
/// people.
#[must_use]
pub fn write(meta: &Meta, shows_background: bool) -> Vec<u8> {
    let mut xml = Xml::document();
    xml.open("w:settings", &[("xmlns:w", &W)]);
    xml.empty("w:zoom", &[("w:percent", &100)]);
    if shows_background {
        xml.empty("w:displayBackgroundShape", &[]);
    }
    xml.empty("w:defaultTabStop", &[("w:val", &720)]);
    xml.empty("w:characterSpacingControl", &[("w:val", &"doNotCompress")]);
    xml.constant(concat!(
        r#"<w:footnotePr><w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>"#,
        "<w:compat>",
        r#"<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="15"/>"#,
        r#"<w:compatSetting w:name="overrideTableStyleFontSizeAndJustification" w:uri="http://schemas.microsoft.com/office/word" w:val="1"/>"#,
        r#"<w:compatSetting w:name="enableOpenTypeFeatures" w:uri="http://schemas.microsoft.com/office/word" w:val="1"/>"#,
        r#"<w:compatSetting w:name="doNotFlipMirrorIndents" w:uri="http://schemas.microsoft.com/office/word" w:val="1"/>"#,
        "</w:compat>",
    ));
    languages(&mut xml, "w:themeFontLang", &meta.language);
    xml.constant(concat!(
        r#"<w:clrSchemeMapping w:bg1="light1" w:t1="dark1" w:bg2="light2" w:t2="dark2" w:accent1="accent1" w:accent2="accent2" "#,
        r#"w:accent3="accent3" w:accent4="accent4" w:accent5="accent5" w:accent6="accent6" w:hyperlink="hyperlink" "#,
        r#"w:followedHyperlink="followedHyperlink"/>"#,
        r#"<w:decimalSymbol w:val="."/><w:listSeparator w:val=","/>"#,
    ));
    xml.finish()
}

/// The language in the slot of its script.
pub fn languages(xml: &mut Xml, element: &'static str, language: &str) {
    let script = script_of_language(language);
    if script.is_east_asian() {
        xml.empty(element, &[("w:val", &"en-US"), ("w:eastAsia", &language)]);
    } else if script.is_complex() {
        xml.empty(element, &[("w:val", &"en-US"), ("w:bidi", &language)]);
    } else {
        debug_assert!(script == Script::Latin);
        xml.empty(element, &[("w:val", &language)]);
    }
}

/// `word/fontTable.xml`: what to take where a typeface of the theme is missing.
#[must_use]
pub fn font_table(theme: &Theme) -> Vec<u8> {
    let mut xml = Xml::document();
    xml.open("w:fonts", &[("xmlns:w", &W)]);
    let mut seen = BTreeSet::new();
    for font in [&theme.fonts.body, &theme.fonts.heading] {
        let name = font.family.trim().trim_start_matches('+');
        if name.is_empty() || !seen.insert(name) {
            continue;
        }
        xml.open("w:font", &[("w:name", &name)]);
        let fallbacks = font
            .fallbacks
            .iter()
            .map(|name| name.trim())
            .filter(|name| !name.contains(','));
        let alternatives = fallbacks.take(5).collect::<Vec<_>>().join(",");
        if !alternatives.is_empty() {
            xml.empty("w:altName", &[("w:val", &alternatives)]);
        }
        let (family, pitch) = match font.class {
            FontClass::Serif => ("roman", "variable"),
            FontClass::Sans => ("swiss", "variable"),
            FontClass::Mono => ("modern", "fixed"),
        };
        xml.empty("w:family", &[("w:val", &family)]);
        xml.empty("w:pitch", &[("w:val", &pitch)]).close();
    }
    xml.finish()
}
