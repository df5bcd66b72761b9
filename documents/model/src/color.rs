//! Colours and their contrast.

use std::fmt;
use std::str::FromStr;

use color::{AlphaColor, Oklch, OpaqueColor, Srgb};
use serde::{Deserialize, Serialize};

/// An sRGB colour, `#rrggbb` in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Rgb(pub [u8; 3]);

/// Not a colour of the form `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseRgbError;

impl fmt::Display for ParseRgbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a colour as #rrggbb in lower case")
    }
}
impl std::error::Error for ParseRgbError {}

impl Rgb {
    pub const WHITE: Self = Self([255; 3]);
    pub const BLACK: Self = Self([0; 3]);

    /// Contrast ratio of WCAG 2, from 1 to 21.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Relative luminance of WCAG 2, from 0 to 1.
    #[must_use]
    pub fn luminance(self) -> f64 {
        f64::from(self.opaque().relative_luminance())
    }

    /// Of black and white, the one that is easier to read on this colour. It always has more than 4.5:1.
    #[must_use]
    pub fn black_or_white(self) -> Self {
        if self.contrast(Self::WHITE) >= self.contrast(Self::BLACK) {
            Self::WHITE
        } else {
            Self::BLACK
        }
    }

    /// Lightness (0 to 1), chroma and hue (degrees) in OKLCH.
    #[must_use]
    pub fn to_oklch(self) -> [f32; 3] {
        self.opaque().convert::<Oklch>().components
    }

    /// The colour of this lightness, chroma and hue. Where sRGB has none, chroma gives way; lightness and hue
    /// stay.
    #[must_use]
    pub fn from_oklch([lightness, chroma, hue]: [f32; 3]) -> Self {
        const WITHIN: f32 = 0.000_5;
        let lightness = lightness.clamp(0.0, 1.0);
        let rgb = |chroma: f32| {
            OpaqueColor::<Oklch>::new([lightness, chroma, hue])
                .convert::<Srgb>()
                .components
        };
        let fits = |chroma: f32| {
            rgb(chroma)
                .iter()
                .all(|part| (-WITHIN..=1.0 + WITHIN).contains(part))
        };
        let mut chroma = chroma.max(0.0);
        if !fits(chroma) {
            let (mut inside, mut outside) = (0.0, chroma);
            for _ in 0..16 {
                let middle = f32::midpoint(inside, outside);
                *(if fits(middle) {
                    &mut inside
                } else {
                    &mut outside
                }) = middle;
            }
            chroma = inside;
        }
        let [r, g, b] = rgb(chroma);
        let color = AlphaColor::<Srgb>::new([r, g, b, 1.0]).to_rgba8();
        Self([color.r, color.g, color.b])
    }

    fn opaque(self) -> OpaqueColor<Srgb> {
        let [r, g, b] = self.0;
        OpaqueColor::from_rgb8(r, g, b)
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

impl FromStr for Rgb {
    type Err = ParseRgbError;

    fn from_str(text: &str) -> Result<Self, ParseRgbError> {
        let digits = text.strip_prefix('#').ok_or(ParseRgbError)?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if digits.len() != 6 || !digits.bytes().all(is_digit) {
            return Err(ParseRgbError);
        }
        let number = u32::from_str_radix(digits, 16).map_err(|_| ParseRgbError)?;
        let [_, r, g, b] = number.to_be_bytes();
        Ok(Self([r, g, b]))
    }
}

impl TryFrom<String> for Rgb {
    type Error = ParseRgbError;

    fn try_from(text: String) -> Result<Self, ParseRgbError> {
        text.parse()
    }
}

impl From<Rgb> for String {
    fn from(color: Rgb) -> Self {
        color.to_string()
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Rgb {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^#[0-9a-f]{6}$"))
            .description(Some("An sRGB colour."))
            .into()
    }
}
#[cfg(feature = "schema")]
impl utoipa::ToSchema for Rgb {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rgb(text: &str) -> Rgb {
        text.parse().unwrap()
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        // Figures of the W3C's own examples and of well-known checkers.
        for (a, b, ratio) in [
            ("#000000", "#ffffff", 21.0),
            ("#777777", "#ffffff", 4.48),
            ("#767676", "#ffffff", 4.54),
            ("#ff0000", "#ffffff", 4.0),
            ("#0000ff", "#ffff00", 8.0),
        ] {
            let found = rgb(a).contrast(rgb(b));
            assert!((found - ratio).abs() < 0.006, "{a} on {b}: {found}");
            assert!((found - rgb(b).contrast(rgb(a))).abs() < 1e-9);
        }
    }

    #[test]
    fn only_one_form_of_a_colour_is_read() {
        for text in [
            "", "#fff", "#FFFFFF", "ffffff", "#12345", "#1234567", "#+12345", "#ééé",
        ] {
            assert_eq!(text.parse::<Rgb>(), Err(ParseRgbError), "{text}");
        }
        assert_eq!(rgb("#0a1bff").to_string(), "#0a1bff");
    }

    #[test]
    fn oklch_leads_back_and_keeps_the_hue_outside_of_srgb() {
        for text in [
            "#000000", "#ffffff", "#0a1bff", "#e4572e", "#123456", "#00ff00",
        ] {
            assert_eq!(Rgb::from_oklch(rgb(text).to_oklch()), rgb(text));
        }
        let [lightness, _, hue] = Rgb::from_oklch([0.9, 0.4, 30.0]).to_oklch();
        assert!(
            (lightness - 0.9).abs() < 0.01 && (hue - 30.0).abs() < 4.0,
            "{lightness} {hue}"
        );
    }

    #[test]
    fn black_or_white_reads_on_every_grey() {
        for grey in 0..=255 {
            let ground = Rgb([grey; 3]);
            assert!(ground.contrast(ground.black_or_white()) >= 4.5);
        }
    }
}
