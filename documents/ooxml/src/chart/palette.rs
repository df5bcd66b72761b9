//! Colours of series: accents of the theme, so that a changed theme changes the chart, and what they look like,
//! so that labels on them can be read.

use gtm_document_model::{Rgb, Theme};

use crate::xml::Xml;

/// How Office varies its accents when there are more series than accents: lightness in per cent, and what is added.
const VARIATIONS: [(u32, u32); 9] = [
    (100, 0),
    (60, 0),
    (80, 20),
    (80, 0),
    (60, 40),
    (50, 0),
    (70, 30),
    (70, 0),
    (50, 50),
];
/// Contrast that graphics need on their background.
const GRAPHICS: f64 = gtm_document_model::theme::GRAPHICS_CONTRAST;

/// One colour of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Color {
    name: Name,
    /// What it looks like with the theme as it is.
    pub(super) rgb: Rgb,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Name {
    Scheme {
        name: &'static str,
        variation: (u32, u32),
    },
    Fixed,
}

const ACCENTS: [&str; 6] = [
    "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
];

/// All colours that series may have, in the order of use. Variations that vanish on the page are left out.
pub(super) fn series(theme: &Theme) -> Vec<Color> {
    let ground = theme.colors.background;
    let mut colors = Vec::new();
    for (round, variation) in VARIATIONS.into_iter().enumerate() {
        for (name, base) in ACCENTS.into_iter().zip(theme.chart) {
            let rgb = varied(base, variation);
            if round == 0 || rgb.contrast(ground) >= GRAPHICS {
                colors.push(Color {
                    name: Name::Scheme { name, variation },
                    rgb,
                });
            }
        }
    }
    colors
}

/// The colour of text.
pub(super) fn text(theme: &Theme) -> Color {
    Color {
        name: Name::Scheme {
            name: "tx1",
            variation: (100, 0),
        },
        rgb: theme.colors.text,
    }
}

/// The colour of the page.
pub(super) fn page(theme: &Theme) -> Color {
    Color {
        name: Name::Scheme {
            name: "bg1",
            variation: (100, 0),
        },
        rgb: theme.colors.background,
    }
}

/// A colour of text that can be read on another colour: one of the theme's own where that serves.
pub(super) fn label_on(ground: Color, theme: &Theme) -> Color {
    let own = [page(theme), text(theme)];
    let best = own.into_iter().max_by(|a, b| {
        a.rgb
            .contrast(ground.rgb)
            .total_cmp(&b.rgb.contrast(ground.rgb))
    });
    match best {
        Some(color)
            if color.rgb.contrast(ground.rgb) >= gtm_document_model::theme::TEXT_CONTRAST =>
        {
            color
        }
        _ => Color {
            name: Name::Fixed,
            rgb: ground.rgb.black_or_white(),
        },
    }
}

impl Color {
    /// A solid fill with this colour; `alpha` in per cent.
    pub(super) fn fill(self, xml: &mut Xml, alpha: u32) {
        xml.open("a:solidFill", &[]);
        match self.name {
            Name::Fixed => {
                xml.open("a:srgbClr", &[("val", &hex(self.rgb))]);
            }
            Name::Scheme {
                name,
                variation: (modulated, offset),
            } => {
                xml.open("a:schemeClr", &[("val", &name)]);
                if modulated != 100 {
                    xml.empty("a:lumMod", &[("val", &(modulated * 1000))]);
                }
                if offset != 0 {
                    xml.empty("a:lumOff", &[("val", &(offset * 1000))]);
                }
            }
        }
        if alpha != 100 {
            xml.empty("a:alpha", &[("val", &(alpha * 1000))]);
        }
        xml.close().close();
    }
}

fn hex(color: Rgb) -> String {
    let [r, g, b] = color.0;
    format!("{r:02X}{g:02X}{b:02X}")
}

/// The colour with another lightness in HSL, as Office computes `lumMod` and `lumOff`.
fn varied(color: Rgb, (modulated, offset): (u32, u32)) -> Rgb {
    if (modulated, offset) == (100, 0) {
        return color;
    }
    let [r, g, b] = color.0.map(|part| f64::from(part) / 255.0);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let (lightness, chroma) = (f64::midpoint(most, least), most - least);
    let saturation = if chroma == 0.0 {
        0.0
    } else {
        chroma / (1.0 - (2.0 * lightness - 1.0).abs())
    };
    let lightness =
        (lightness * f64::from(modulated) / 100.0 + f64::from(offset) / 100.0).clamp(0.0, 1.0);
    // The hue stays, so each part keeps its place between the least and the most.
    let chroma_now = (1.0 - (2.0 * lightness - 1.0).abs()) * saturation;
    let least_now = lightness - chroma_now / 2.0;
    let place = |part: f64| {
        if chroma == 0.0 {
            0.0
        } else {
            (part - least) / chroma
        }
    };
    Rgb([r, g, b].map(|part| {
        // Within 0 to 255 after clamping.
        ((least_now + place(part) * chroma_now) * 255.0)
            .round()
            .clamp(0.0, 255.0) as u8
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lightness_changes_as_in_office() {
        // Accent 1 of Office's own theme, and what its dialogs show for the variations, within a rounding.
        let blue = Rgb([0x44, 0x72, 0xc4]);
        for (variation, expected) in [
            ((75, 0), [0x2f, 0x54, 0x96]),
            ((60, 40), [0x8e, 0xaa, 0xdc]),
        ] {
            let parts = varied(blue, variation).0.into_iter().zip(expected);
            assert!(
                parts
                    .into_iter()
                    .all(|(part, expected)| part.abs_diff(expected) <= 1)
            );
        }
        assert_eq!(varied(Rgb([128; 3]), (50, 0)), Rgb([64; 3]));
    }
}
