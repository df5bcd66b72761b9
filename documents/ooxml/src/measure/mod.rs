//! How wide a text is, and where its lines break.
//!
//! Office lays text out with fonts that a component does not have. So widths are those of open fonts, taken
//! once into a table of 8 KB a face: of Inter and Source Serif, which stand for what brands use, and of the
//! metric twins of Arial and Times New Roman, which stand in where the brand's font is missing. The wider one
//! counts for each character. Four whole fonts would be 1.4 MB in each component and no nearer to the truth,
//! because a brand's own font is seldom among them.

mod lines;
mod ranges;
mod widths;

use gtm_document_model::theme::{Font, FontClass};

pub use lines::{Line, lines};

/// A typeface in one weight, as far as its widths are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Face {
    class: FontClass,
    is_bold: bool,
    /// Thousandths by which the family is wider than the table.
    factor: u32,
}

/// Families that are wider than the tables, and by how many thousandths.
const WIDE: [(&str, u32); 12] = [
    ("verdana", 1_150),
    ("dejavu", 1_150),
    ("montserrat", 1_130),
    ("poppins", 1_100),
    ("raleway", 1_060),
    ("nunito sans", 1_030),
    ("work sans", 1_060),
    ("sora", 1_140),
    ("space grotesk", 1_040),
    ("lexend", 1_110),
    ("georgia", 1_060),
    ("merriweather", 1_120),
];
/// Families that the tables were made from, or that are narrower.
const KNOWN: [&str; 14] = [
    "inter",
    "arial",
    "helvetica",
    "liberation",
    "source",
    "times",
    "calibri",
    "carlito",
    "aptos",
    "segoe",
    "lato",
    "open sans",
    "roboto",
    "ibm plex",
];
/// What is added for a family of which nothing is known.
const UNKNOWN: u32 = 1_040;

impl Face {
    /// A font in one weight.
    #[must_use]
    pub fn new(font: &Font, is_bold: bool) -> Self {
        let family = font.family.to_lowercase();
        let wide = WIDE.iter().find(|(name, _)| family.starts_with(name));
        let is_known = KNOWN.iter().any(|name| family.starts_with(name));
        let factor = match wide {
            Some((_, factor)) => *factor,
            None if is_known => 1_000,
            None => UNKNOWN,
        };
        Self {
            class: font.class,
            is_bold,
            factor,
        }
    }

    /// The same family in another weight.
    #[must_use]
    pub const fn with_bold(self, is_bold: bool) -> Self {
        Self { is_bold, ..self }
    }

    /// Width of a character in thousandths of an em.
    #[must_use]
    pub fn advance(self, character: char) -> u32 {
        let table: &[u16] = match (self.class, self.is_bold) {
            (FontClass::Sans, false) => &widths::SANS,
            (FontClass::Sans, true) => &widths::SANS_BOLD,
            (FontClass::Serif, false) => &widths::SERIF,
            (FontClass::Serif, true) => &widths::SERIF_BOLD,
            (FontClass::Mono, _) => return of_script(character).unwrap_or(610),
        };
        let known = of_table(table, character).filter(|width| *width > 0);
        match known {
            Some(width) => width * self.factor / 1_000,
            None => of_script(character).unwrap_or(650),
        }
    }

    /// Width of a text of one line, in EMU, at a size in hundredths of a point.
    #[must_use]
    pub fn width(self, text: &str, size: u32) -> i64 {
        let thousandths: u64 = text.chars().map(|c| u64::from(self.advance(c))).sum();
        to_emu(thousandths, size)
    }
}

/// Thousandths of an em at a size in hundredths of a point; a point has 12,700 EMU.
pub(crate) fn to_emu(thousandths: u64, size: u32) -> i64 {
    let emu = thousandths
        .saturating_mul(u64::from(size))
        .saturating_mul(127)
        / 1_000;
    i64::try_from(emu).unwrap_or(i64::MAX)
}

fn of_table(table: &[u16], character: char) -> Option<u32> {
    let code = u32::from(character);
    if let first @ 0..=0x5e = code.wrapping_sub(0x20) {
        return table
            .get(usize::try_from(first).ok()?)
            .copied()
            .map(u32::from);
    }
    let mut before = 0;
    for (first, last) in ranges::RANGES {
        if (first..=last).contains(&code) {
            let index = usize::try_from(before + code - first).ok()?;
            return table.get(index).copied().map(u32::from);
        }
        before += last - first + 1;
    }
    None
}

/// What characters of other scripts take: full squares in East Asia, nothing for marks that combine.
fn of_script(character: char) -> Option<u32> {
    Some(match u32::from(character) {
        0x300..=0x36f
        | 0x483..=0x489
        | 0x591..=0x5bd
        | 0x5bf..=0x5c7
        | 0x610..=0x61a
        | 0x64b..=0x65f
        | 0x670
        | 0x6d6..=0x6dc
        | 0xe31
        | 0xe34..=0xe3a
        | 0xe47..=0xe4e
        | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff
        | 0x200b..=0x200f
        | 0x202a..=0x202e
        | 0x2060..=0x206f
        | 0x20d0..=0x20ff
        | 0xfe00..=0xfe0f
        | 0xfe20..=0xfe2f
        | 0xad
        | 0xe0100..=0xe01ef => 0,
        0x460..=0x52f => 700,
        0x590..=0x5ff => 620,
        // Letters are joined: narrow ones inside words, wide ones at their ends.
        0x600..=0x7ff | 0x8a0..=0x8ff | 0xfb50..=0xfdff | 0xfe70..=0xfeff => 560,
        0x900..=0xdff => 680,
        0xe00..=0xeff => 620,
        0x1100..=0x11ff | 0x2e80..=0x9fff | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff => {
            1_000
        }
        0xfe30..=0xfe6f | 0xff01..=0xff60 | 0xffe0..=0xffe6 | 0x20000..=0x3ffff => 1_000,
        0xff61..=0xffdc => 520,
        0x2190..=0x23ff => 1_000,
        0x2460..=0x27bf | 0x2900..=0x2bff => 1_050,
        0x1f000..=0x1faff => 1_350,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(family: &str, class: FontClass) -> Face {
        let font = Font {
            family: family.to_owned(),
            fallbacks: Vec::new(),
            class,
        };
        Face::new(&font, false)
    }

    #[test]
    fn widths_are_those_of_the_wider_font() {
        let inter = face("Inter", FontClass::Sans);
        // Arial's `m` has 833 thousandths, Inter's more.
        assert!(
            (834..950).contains(&inter.advance('m')),
            "{}",
            inter.advance('m')
        );
        assert!(inter.with_bold(true).advance('a') > inter.advance('a'));
        assert!(face("Verdana", FontClass::Sans).advance('a') > inter.advance('a'));
        assert_eq!(face("Courier", FontClass::Mono).advance('i'), 610);
    }

    #[test]
    fn every_script_has_a_width() {
        let inter = face("Inter", FontClass::Sans);
        assert_eq!(inter.advance('漢'), 1_000);
        assert_eq!(inter.advance('\u{301}'), 0);
        assert_eq!(inter.advance('\u{200d}'), 0);
        assert!(inter.advance('م') > 300 && inter.advance('😀') > 1_000);
        // 1 pt at 10 pt: one tenth of an em.
        assert_eq!(to_emu(100, 1_000), 12_700);
    }
}
