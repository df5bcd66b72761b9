//! Lists: bullets, numbers and steps, three levels deep.

use gtm_document_model::theme::Theme;
use gtm_ooxml::Xml;
use gtm_ooxml::theme::Role;

use super::W;
use crate::ink::Ink;

/// Numbers of the instances; those of ordered lists follow, one for each list, so that each begins at 1.
pub const BULLETS: u32 = 1;
const FIRST_ORDERED: u32 = 2;
const LEVELS: usize = 9;

/// Which lists the body has made.
#[derive(Debug, Default)]
pub struct Lists {
    /// Of each ordered list, whether it is one of steps.
    ordered: Vec<bool>,
}

impl Lists {
    /// A new list that begins at 1.
    pub fn ordered(&mut self, is_steps: bool) -> u32 {
        self.ordered.push(is_steps);
        // At most as many as the document has blocks.
        FIRST_ORDERED + self.ordered.len() as u32 - 1
    }

    /// `word/numbering.xml`.
    #[must_use]
    pub fn write(&self, theme: &Theme) -> Vec<u8> {
        let mut xml = Xml::document();
        xml.open("w:numbering", &[("xmlns:w", &W)]);
        abstract_list(&mut xml, 0, theme, |level| {
            ("bullet", ["•", "–", "·"][level % 3].to_owned())
        });
        abstract_list(&mut xml, 1, theme, |level| {
            let format = ["decimal", "lowerLetter", "lowerRoman"][level % 3];
            (format, format!("%{}.", level + 1))
        });
        abstract_list(&mut xml, 2, theme, |level| {
            ("decimal", format!("%{}", level + 1))
        });
        instance(&mut xml, BULLETS, 0, false);
        for (index, is_steps) in self.ordered.iter().enumerate() {
            let id = FIRST_ORDERED + index as u32;
            instance(&mut xml, id, if *is_steps { 2 } else { 1 }, true);
        }
        xml.finish()
    }
}

fn abstract_list(
    xml: &mut Xml,
    id: u32,
    theme: &Theme,
    level_of: impl Fn(usize) -> (&'static str, String),
) {
    xml.open("w:abstractNum", &[("w:abstractNumId", &id)]);
    xml.empty("w:multiLevelType", &[("w:val", &"hybridMultilevel")]);
    let is_steps = id == 2;
    for level in 0..LEVELS {
        let (format, text) = level_of(level);
        let hanging: usize = if is_steps { 480 } else { 300 };
        xml.open("w:lvl", &[("w:ilvl", &level)]);
        xml.empty("w:start", &[("w:val", &1)]);
        xml.empty("w:numFmt", &[("w:val", &format)]);
        xml.empty("w:lvlText", &[("w:val", &text)]);
        xml.empty("w:lvlJc", &[("w:val", &"left")]);
        let left = if is_steps {
            hanging
        } else {
            hanging * (level + 1)
        };
        xml.open("w:pPr", &[]);
        xml.empty("w:ind", &[("w:left", &left), ("w:hanging", &hanging)])
            .close();
        xml.open("w:rPr", &[]);
        if is_steps {
            xml.empty("w:b", &[]);
            xml.empty("w:bCs", &[]);
        }
        Ink::of(theme, Role::AccentText).color(xml);
        xml.close().close();
    }
    xml.close();
}

fn instance(xml: &mut Xml, id: u32, of: u32, restarts: bool) {
    xml.open("w:num", &[("w:numId", &id)]);
    xml.empty("w:abstractNumId", &[("w:val", &of)]);
    if restarts {
        xml.open("w:lvlOverride", &[("w:ilvl", &0)]);
        xml.empty("w:startOverride", &[("w:val", &1)]).close();
    }
    xml.close();
}
