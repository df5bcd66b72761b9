//! Colours in every notation of CSS.

use cssparser::color::{parse_hash_color, parse_named_color};

/// A visible colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paint {
    /// The colour as `#rrggbb`, lower case.
    pub(super) hex: String,
    /// Whether nothing shows through.
    pub(super) opaque: bool,
}

/// Alpha below which a colour is invisible.
const LEAST_ALPHA: f32 = 1.0 / 255.0;

fn paint(red: u8, green: u8, blue: u8, alpha: f32) -> Option<Paint> {
    (alpha >= LEAST_ALPHA).then(|| Paint {
        hex: format!("#{red:02x}{green:02x}{blue:02x}"),
        opaque: alpha > 0.995,
    })
}

/// The colour of the hexadecimal digits after `#`.
pub(super) fn of_hash(digits: &str) -> Option<Paint> {
    let (red, green, blue, alpha) = parse_hash_color(digits.as_bytes()).ok()?;
    paint(red, green, blue, alpha)
}

/// A named colour.
pub(super) fn of_name(word: &str) -> Option<Paint> {
    let (red, green, blue) = parse_named_color(word).ok()?;
    paint(red, green, blue, 1.0)
}

/// Whether a function makes a colour from numbers.
pub(super) fn is_color_function(name: &str) -> bool {
    matches!(
        name,
        "rgb" | "rgba" | "hsl" | "hsla" | "hwb" | "lab" | "lch" | "oklab" | "oklch" | "color"
    )
}

/// The colour of a function as written, name and parentheses included.
pub(super) fn of_function(text: &str) -> Option<Paint> {
    let color = csscolorparser::parse(text).ok()?;
    let [red, green, blue, _] = color.to_rgba8();
    paint(red, green, blue, color.a)
}

/// A value that is a single colour, as `#rrggbb`; `None` if it is anything else or transparent.
pub(crate) fn hex_of(value: &str) -> Option<String> {
    let value = value.trim();
    let paint = match value.strip_prefix('#') {
        Some(digits) => of_hash(digits),
        None => of_name(value).or_else(|| {
            let name = value.split('(').next().unwrap_or_default();
            is_color_function(&name.to_ascii_lowercase())
                .then(|| of_function(value))
                .flatten()
        }),
    };
    paint.map(|paint| paint.hex)
}

/// Red, green and blue of `#rrggbb`.
fn channels(hex: &str) -> Option<[u8; 3]> {
    let digits = hex.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let (red, green, blue, _) = parse_hash_color(digits.as_bytes()).ok()?;
    Some([red, green, blue])
}

/// Lightness (0 to 1) and the two colour axes of Oklab.
pub(crate) fn oklab(hex: &str) -> Option<[f32; 3]> {
    let [red, green, blue] = channels(hex)?;
    let [lightness, a, b, _] = csscolorparser::Color::from_rgba8(red, green, blue, 255).to_oklaba();
    Some([lightness, a, b])
}

/// The contrast ratio (WCAG 2.2, "contrast ratio") of two colours given as `#rrggbb`: 1 to 21.
/// A text that is not such a colour has the lowest ratio, 1.
pub fn ratio(one: &str, other: &str) -> f64 {
    let (Some(one), Some(other)) = (luminance(one), luminance(other)) else {
        return 1.0;
    };
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Relative luminance, 0 to 1.
fn luminance(hex: &str) -> Option<f64> {
    let [red, green, blue] = channels(hex)?.map(|channel| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.04045 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    });
    Some(0.2126 * red + 0.7152 * green + 0.0722 * blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_is_read() {
        for notation in [
            "#f80",
            "#F80F",
            "#ff8800",
            "#ff8800cc",
            "rgb(255,136,0)",
            "rgb(255 136 0 / 50%)",
            "RGBA(100%, 53.33%, 0%, .5)",
            "hsl(32,100%,50%)",
            "hsl(32deg 100% 50% / .5)",
            "hwb(32 0% 0%)",
        ] {
            assert_eq!(hex_of(notation).as_deref(), Some("#ff8800"), "{notation}");
        }
        assert_eq!(hex_of("rebeccapurple").as_deref(), Some("#663399"));
        // CSS Color 4 gives oklch(0.6279 0.2577 29.23) for red.
        assert_eq!(
            hex_of("oklch(0.62796 0.25768 29.234)").as_deref(),
            Some("#ff0000")
        );
    }

    #[test]
    fn what_is_no_visible_colour_is_none() {
        for text in [
            "transparent",
            "currentColor",
            "#ff880000",
            "rgba(0,0,0,0)",
            "inherit",
            "#12",
            "rgb(1,2)",
            "",
        ] {
            assert_eq!(hex_of(text), None, "{text}");
        }
    }
}
