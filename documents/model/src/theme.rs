//! How a document looks. The host makes it from a guideline; nothing else does.

use serde::{Deserialize, Serialize};

use crate::color::Rgb;

/// Colours by role, typefaces and the logo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Theme {
    pub mode: Mode,
    pub colors: Colors,
    /// Colours of a chart's series, easily told apart, in the order of use.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<Rgb>, min_items = 6, max_items = 6))]
    pub chart: [Rgb; 6],
    pub fonts: Fonts,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logo: Option<Logo>,
    /// What the guideline does not say, so that a neutral default stands in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 3))]
    pub defaults: Vec<ThemePart>,
    /// Colours of the guideline that were changed because they could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 100))]
    pub repairs: Vec<Repair>,
}

/// Whether the background is light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    Light,
    Dark,
}

/// A part of a theme that a guideline may leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ThemePart {
    Colors,
    HeadingFont,
    BodyFont,
}

/// Colours by role. What contrast they have: [`Theme::requirements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Colors {
    /// The page.
    pub background: Rgb,
    /// Boxes on the page, and every second row of a table.
    pub surface: Rgb,
    pub text: Rgb,
    /// Text that matters less: captions, footers.
    pub muted: Rgb,
    /// Hairlines, which nobody has to see in order to understand the page.
    pub rule: Rgb,
    /// The brand's first colour: large titles, bands, heads of tables.
    pub primary: Rgb,
    /// Text on it.
    pub on_primary: Rgb,
    pub secondary: Rgb,
    /// The one colour that draws the eye.
    pub accent: Rgb,
    /// Text on it.
    pub on_accent: Rgb,
    /// The accent where it is text, such as a link or a figure.
    pub accent_text: Rgb,
}

/// The two typefaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Fonts {
    pub heading: Font,
    pub body: Font,
}

/// A typeface, and what to take where it is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Font {
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub family: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schema(max_items = 20))]
    pub fallbacks: Vec<String>,
    pub class: FontClass,
}

/// The kind of a typeface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FontClass {
    Serif,
    Sans,
    Mono,
}

/// The logo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Logo {
    /// Name of the asset.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub asset: String,
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 2000))]
    pub alt: String,
    /// Pixels; only the ratio to the height matters.
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub width: u32,
    #[cfg_attr(feature = "schema", schema(minimum = 1))]
    pub height: u32,
    /// The background that it is made for, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#for: Option<Mode>,
}

/// A colour that was changed so that it can be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Repair {
    /// The role, such as `accent_text`, or `chart_2` for the second colour of the charts.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub role: String,
    pub from: Rgb,
    pub to: Rgb,
    /// The role of the colour that it stands on.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 300))]
    pub against: String,
    pub ratio_before: f64,
    pub ratio_after: f64,
}

/// Contrast that WCAG 2 AA asks of text.
pub const TEXT_CONTRAST: f64 = 4.5;
/// Contrast that WCAG 2 AA asks of large text and of graphics.
pub const GRAPHICS_CONTRAST: f64 = 3.0;

/// A pair of colours that stand on each other, and the contrast that they need.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    pub role: String,
    pub color: Rgb,
    pub against: &'static str,
    pub on: Rgb,
    pub least: f64,
}

impl Requirement {
    /// Whether the pair can be read.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.color.contrast(self.on) >= self.least
    }
}

impl Theme {
    /// All pairs of colours that renderers put on each other.
    #[must_use]
    pub fn requirements(&self) -> Vec<Requirement> {
        let c = &self.colors;
        let background = ("background", c.background);
        let surface = ("surface", c.surface);
        let mut pairs = Vec::new();
        let mut add = |role: &str, color, (against, on), least| {
            let role = role.to_owned();
            pairs.push(Requirement {
                role,
                color,
                against,
                on,
                least,
            });
        };
        for ground in [background, surface] {
            add("text", c.text, ground, TEXT_CONTRAST);
            add("muted", c.muted, ground, TEXT_CONTRAST);
            add("accent_text", c.accent_text, ground, TEXT_CONTRAST);
            add("primary", c.primary, ground, GRAPHICS_CONTRAST);
            add("secondary", c.secondary, ground, GRAPHICS_CONTRAST);
            add("accent", c.accent, ground, GRAPHICS_CONTRAST);
            for (index, color) in self.chart.iter().enumerate() {
                let role = format!("chart_{}", index + 1);
                add(&role, *color, ground, GRAPHICS_CONTRAST);
            }
        }
        add(
            "on_primary",
            c.on_primary,
            ("primary", c.primary),
            TEXT_CONTRAST,
        );
        add(
            "on_accent",
            c.on_accent,
            ("accent", c.accent),
            TEXT_CONTRAST,
        );
        pairs
    }
}
