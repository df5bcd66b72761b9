//! The theme of a document, made from a guideline in this one place.
//!
//! What the guideline says is kept wherever it can be read. What it leaves open follows from what it says: a
//! surface is a shade of the background, a secondary colour a tint of the primary one. No brand colour is made
//! up: without one, the theme is the neutral default and says so. A colour that cannot be read moves in
//! lightness until it reaches WCAG AA, and the theme lists each such repair.

mod chart;
mod contrast;
mod fonts;
mod logo;
#[cfg(test)]
mod tests;

use gtm_document_model::Rgb;
use gtm_document_model::theme::{
    Colors, GRAPHICS_CONTRAST, Mode, Repair, TEXT_CONTRAST, Theme, ThemePart,
};

use crate::guideline::Guideline;
use crate::guideline::claim::Claim;
use crate::guideline::sections::{Swatch, Typeface};
use crate::guideline::words::ColorRole;
use contrast::{Grounds, grounded, readable};

pub use logo::{LOGO_ASSET, chosen_logo, sized_logo};

/// Contrast of running text where the brand's own colour has too little: a reader is to read pages of it.
const RUNNING_TEXT_CONTRAST: f64 = 7.0;
/// Chroma below which a colour is a grey, and its hue means nothing.
const GREY: f32 = 0.03;
/// Chroma above which a page has a tone of its own, such as cream.
const TONE: f32 = 0.004;

/// The theme for a guideline.
#[must_use]
pub fn theme(guideline: &Guideline) -> Theme {
    let visual = &guideline.visual;
    let mut theme = of(Palette::of(&visual.palette), &visual.typography);
    theme.logo = chosen_logo(guideline, theme.mode).and_then(|logo| {
        let size = logo.width.zip(logo.height)?;
        sized_logo(guideline, logo, size)
    });
    theme
}

/// The theme of a document without a brand.
#[must_use]
pub fn neutral() -> Theme {
    of(None, &[])
}

fn of(palette: Option<Palette>, typography: &[Claim<Typeface>]) -> Theme {
    let mut defaults = Vec::new();
    let palette = palette.unwrap_or_else(|| {
        defaults.push(ThemePart::Colors);
        Palette::neutral()
    });
    let (mode, colors, mut repairs) = colors(&palette);
    let grounds = Grounds {
        mode,
        background: colors.background,
        surface: colors.surface,
    };
    Theme {
        mode,
        colors,
        chart: chart::colors(&palette, &colors, grounds, &mut repairs),
        fonts: fonts::fonts(typography, &mut defaults),
        logo: None,
        defaults,
        repairs,
    }
}

/// The brand's colours by role. At least one of them is not the background.
#[derive(Debug, Default)]
struct Palette {
    background: Option<Rgb>,
    text: Option<Rgb>,
    primary: Option<Rgb>,
    secondary: Option<Rgb>,
    accent: Option<Rgb>,
    /// Those without a role of their own, in the guideline's order.
    others: Vec<Rgb>,
}

impl Palette {
    fn of(swatches: &[Claim<Swatch>]) -> Option<Self> {
        let mut palette = Self::default();
        for swatch in swatches.iter().filter_map(|claim| claim.value.as_ref()) {
            let Ok(color) = swatch.hex.parse::<Rgb>() else {
                continue;
            };
            let place = match swatch.role {
                ColorRole::Background => &mut palette.background,
                ColorRole::Text => &mut palette.text,
                ColorRole::Primary => &mut palette.primary,
                ColorRole::Secondary => &mut palette.secondary,
                ColorRole::Accent => &mut palette.accent,
                ColorRole::Other => {
                    palette.others.push(color);
                    continue;
                }
            };
            // The guideline names the more important colour first.
            match place {
                None => *place = Some(color),
                Some(_) if swatch.role != ColorRole::Background => palette.others.push(color),
                Some(_) => {}
            }
        }
        palette.leading().is_some().then_some(palette)
    }

    /// Greys and one quiet blue, which nobody takes for a brand.
    fn neutral() -> Self {
        Self {
            background: Some(Rgb::WHITE),
            text: Some(Rgb([0x1f, 0x29, 0x33])),
            primary: Some(Rgb([0x33, 0x41, 0x55])),
            secondary: Some(Rgb([0x64, 0x74, 0x8b])),
            accent: Some(Rgb([0x2f, 0x6f, 0x9f])),
            others: Vec::new(),
        }
    }

    /// The colour that leads: the primary one, or the next that the brand names.
    fn leading(&self) -> Option<Rgb> {
        let colored = self
            .others
            .iter()
            .copied()
            .find(|color| color.to_oklch()[1] >= GREY);
        self.primary
            .or(self.secondary)
            .or(self.accent)
            .or(colored)
            .or(self.text)
            .or_else(|| self.others.first().copied())
    }
}

/// Colours by role, and what had to be changed.
fn colors(palette: &Palette) -> (Mode, Colors, Vec<Repair>) {
    let mut repairs = Vec::new();
    // The palette has a leading colour by construction; black would only be seen if it had not.
    let leading = palette.leading().unwrap_or(Rgb::BLACK);
    let wanted = palette.background.unwrap_or(Rgb::WHITE);
    let (mode, background) = grounded(wanted);
    let grounds = Grounds {
        mode,
        background,
        surface: surface(background, mode, leading),
    };

    let text = match palette.text {
        Some(text) if grounds.least_contrast(text).1 >= TEXT_CONTRAST => text,
        Some(text) => repaired("text", text, grounds, RUNNING_TEXT_CONTRAST, &mut repairs),
        None => ink(grounds, leading),
    };
    if background != wanted {
        let ratios = (wanted.contrast(text), background.contrast(text));
        let change = ("background", wanted, background);
        repairs.insert(0, contrast::repair(change, "text", ratios));
    }
    let primary = repaired("primary", leading, grounds, GRAPHICS_CONTRAST, &mut repairs);
    let secondary = match palette.secondary {
        Some(color) => repaired("secondary", color, grounds, GRAPHICS_CONTRAST, &mut repairs),
        None => readable(tint(primary, background), grounds, GRAPHICS_CONTRAST),
    };
    let wanted = palette.accent.or(palette.secondary).unwrap_or(leading);
    let accent = repaired("accent", wanted, grounds, GRAPHICS_CONTRAST, &mut repairs);
    let accent_text = repaired("accent_text", accent, grounds, TEXT_CONTRAST, &mut repairs);
    let colors = Colors {
        background,
        surface: grounds.surface,
        text,
        muted: readable(between(text, background, 0.35), grounds, TEXT_CONTRAST),
        rule: between(grounds.surface, text, 0.14),
        primary,
        on_primary: label(primary, background, text),
        secondary,
        accent,
        on_accent: label(accent, background, text),
        accent_text,
    };
    (mode, colors, repairs)
}

/// The colour if it can be read, or else the nearest of its hue that can; the change is noted.
fn repaired(
    role: &str,
    color: Rgb,
    grounds: Grounds,
    least: f64,
    repairs: &mut Vec<Repair>,
) -> Rgb {
    let changed = readable(color, grounds, least);
    if changed != color {
        let (against, before) = grounds.least_contrast(color);
        let after = grounds.contrast_with(against, changed);
        repairs.push(contrast::repair(
            (role, color, changed),
            against,
            (before, after),
        ));
    }
    changed
}

/// Boxes stand off the page a little. On a white, black or grey page they have a hint of the leading colour.
fn surface(background: Rgb, mode: Mode, leading: Rgb) -> Rgb {
    let [lightness, chroma, hue] = background.to_oklch();
    let [_, leading_chroma, leading_hue] = leading.to_oklch();
    let lightness = match mode {
        Mode::Light => lightness - 0.03,
        Mode::Dark => lightness + 0.05,
    };
    if chroma >= TONE || leading_chroma < GREY {
        Rgb::from_oklch([lightness, chroma, hue])
    } else {
        Rgb::from_oklch([lightness, 0.008, leading_hue])
    }
}

/// Running text where the brand names no colour for it: nearly black or white, with a hint of the leading one.
fn ink(grounds: Grounds, leading: Rgb) -> Rgb {
    let [_, chroma, hue] = leading.to_oklch();
    let lightness = match grounds.mode {
        Mode::Light => 0.25,
        Mode::Dark => 0.96,
    };
    let ink = Rgb::from_oklch([lightness, chroma.min(0.02), hue]);
    readable(ink, grounds, RUNNING_TEXT_CONTRAST)
}

/// The same hue, quieter and nearer to the page.
fn tint(color: Rgb, background: Rgb) -> Rgb {
    let [lightness, chroma, hue] = color.to_oklch();
    let toward = background.to_oklch()[0] - lightness;
    Rgb::from_oklch([lightness + toward * 0.3, chroma * 0.7, hue])
}

/// A colour with the hue of the first, this part of the way to the lightness of the second.
fn between(from: Rgb, to: Rgb, part: f32) -> Rgb {
    let [lightness, chroma, hue] = from.to_oklch();
    let toward = to.to_oklch()[0] - lightness;
    Rgb::from_oklch([lightness + toward * part, chroma, hue])
}

/// Text on a filled area: the page's own colour where that can be read, so that it looks cut out.
fn label(fill: Rgb, background: Rgb, text: Rgb) -> Rgb {
    [background, text]
        .into_iter()
        .find(|color| color.contrast(fill) >= TEXT_CONTRAST)
        .unwrap_or_else(|| fill.black_or_white())
}
