//! What a stylesheet uses: colours, typefaces and pairs of text and background.
//!
//! Custom properties are resolved by substitution and, as in browsers, what a stronger rule overrides does
//! not count. Since a page's sheets define and override each other's values, each keeps the relevant part of
//! its rules, and [`joined`] reads the rules of all sheets together.

mod cascade;
mod color;
mod counts;
mod custom_properties;
mod declaration;
mod evaluate;
mod fonts;
mod imports;
mod painted;
mod pairs;
mod placed;
mod rules;
mod selector;
mod serialize;
mod values;

use serde::{Deserialize, Serialize};

/// Most selectors kept for anything that is counted.
const MOST_SELECTORS: usize = 12;

/// Keeps a selector, unless it is already kept or there are enough.
fn keep_selector(known: &mut Vec<String>, text: &str) {
    let is_new = !text.is_empty() && !known.iter().any(|known| known == text);
    if is_new && known.len() < MOST_SELECTORS {
        known.push(text.to_owned());
    }
}

pub use color::ratio;
pub(crate) use color::{hex_of, oklab};
pub use evaluate::joined;
pub use imports::imports;
pub(crate) use painted::{Painted, painted, running_text};
pub(crate) use rules::asks_for_dark;
pub(crate) use selector::{Selector, list as selectors, words};

/// What one stylesheet uses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sheet {
    /// Colours, most central first; at most 128.
    pub colors: Vec<ColorUse>,
    /// Typefaces, those of the page itself and of its headings first, then the most frequent; at most 64. Icon fonts are left out.
    pub fonts: Vec<FontUse>,
    /// Families with `@font-face` rules; at most 64.
    pub faces: Vec<FontFace>,
    /// Text on a background, both opaque; at most 200.
    pub pairs: Vec<ColorPair>,
    /// Pairs that only the dark scheme shows; at most 200.
    pub dark_pairs: Vec<ColorPair>,
    /// The rules that affect colours or type, as short CSS, for [`joined`]; at most 256 KiB.
    pub rules: String,
}

/// A colour and where it is used. Only the light scheme counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ColorUse {
    /// The colour as `#rrggbb`, lower case, without its transparency.
    pub hex: String,
    /// Declarations that use it. 0 if custom properties hold it but nothing uses them.
    pub count: u32,
    /// How many of these are backgrounds, gradients included.
    pub background: u32,
    /// How many of these are text.
    pub text: u32,
    /// How many of these are borders and outlines.
    pub border: u32,
    /// How many of these are fills and strokes of drawings.
    pub fill: u32,
    /// Sum of how central its uses are: a button's background weighs more than a table's border.
    pub weight: u32,
    /// Whether buttons have this background, and not only under a pointer.
    #[serde(skip)]
    pub on_buttons: bool,
    /// Whether anything shows it for longer than a pointer or the focus is there.
    #[serde(skip)]
    pub lasting: bool,
    /// Whether it is the page's own background.
    pub page_background: bool,
    /// Whether it is the page's own text colour.
    pub page_text: bool,
    /// Custom properties that hold it, in alphabetical order; at most 8.
    pub names: Vec<String>,
    /// Selectors that use it, most central first; at most 12.
    pub selectors: Vec<String>,
}

/// The text that a typeface is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FontRole {
    Heading,
    /// Running text.
    Body,
    /// Code.
    Mono,
    /// Anything else, such as buttons.
    Other,
}

/// A typeface in one role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FontUse {
    /// Name as written, never a generic one.
    pub family: String,
    pub role: FontRole,
    /// Weights (1 to 1000) that rules ask for, ascending.
    pub weights: Vec<u16>,
    /// Families that follow it in the list, generic ones included.
    pub fallbacks: Vec<String>,
    /// Declarations that use it.
    pub count: u32,
    /// Selectors that use it; at most 12.
    #[serde(default)]
    pub selectors: Vec<String>,
}

/// The `@font-face` rules of one family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FontFace {
    /// Name as written.
    pub family: String,
    /// Weights (1 to 1000), ascending; for a range, both ends.
    pub weights: Vec<u16>,
    /// Addresses of its files as written; at most 8. Embedded data is left out.
    pub urls: Vec<String>,
    /// SPDX identifier, if a comment next to the rule names the font's licence.
    pub license: Option<String>,
}

impl FontFace {
    /// Whether text of a weight is set with a file of the family, not drawn from that of another weight.
    #[must_use]
    pub fn loads(&self, weight: u16) -> bool {
        match self.weights.as_slice() {
            [] => true,
            [from, to] if to.saturating_sub(*from) > LEAST_RANGE => (*from..=*to).contains(&weight),
            loaded => loaded.contains(&weight),
        }
    }
}

/// How far apart two weights are at least that are the ends of a range, not two files.
const LEAST_RANGE: u16 = 200;

/// Text on a background.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ColorPair {
    /// Colour of the text as `#rrggbb`.
    pub foreground: String,
    /// Colour of the background as `#rrggbb`.
    pub background: String,
    /// Number of rules that show it.
    pub count: u32,
    /// Selectors of the text; at most 12.
    #[serde(default)]
    pub selectors: Vec<String>,
}

impl Sheet {
    /// Reads CSS. Like browsers, skips what cannot be parsed; time is linear in the input.
    pub fn read(css: &str) -> Self {
        evaluate::alone(&rules::read(css))
    }
}
