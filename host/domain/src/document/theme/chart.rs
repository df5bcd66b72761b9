//! Six colours for the series of charts: the brand's own first, then others of their kind, each as different
//! from those before it as can be, also for readers who do not tell red from green.

use gtm_document_model::Rgb;
use gtm_document_model::theme::{Colors, GRAPHICS_CONTRAST, Mode, Repair};

use super::contrast::{Grounds, readable};
use super::{GREY, Palette, repaired};

/// Difference below which two colours of one chart are taken for one.
pub(super) const DISTINCT: f32 = 0.09;
/// Hue of a brand that has none, the neutral theme's.
const QUIET_HUE: f32 = 245.0;
/// Chroma that colours beside the brand's have at least and at most: neither grey nor shrill.
const CHROMA: (f32, f32) = (0.1, 0.16);

/// The colours, and what had to be changed in the brand's.
pub(super) fn colors(
    palette: &Palette,
    colors: &Colors,
    grounds: Grounds,
    repairs: &mut Vec<Repair>,
) -> [Rgb; 6] {
    let brand = [
        Some(colors.primary),
        Some(colors.accent),
        palette.secondary.map(|_| colors.secondary),
    ];
    let brand = brand
        .into_iter()
        .flatten()
        .chain(palette.others.iter().copied());
    let mut chosen: Vec<Rgb> = Vec::with_capacity(6);
    for color in brand {
        let changed = readable(color, grounds, GRAPHICS_CONTRAST);
        let is_distinct = chosen
            .iter()
            .all(|other| difference(changed, *other) >= DISTINCT);
        if chosen.len() < 6 && is_distinct {
            let role = format!("chart_{}", chosen.len() + 1);
            chosen.push(repaired(&role, color, grounds, GRAPHICS_CONTRAST, repairs));
        }
    }
    let candidates = candidates(&chosen, grounds);
    std::array::from_fn(|index| {
        if index >= chosen.len() {
            chosen.push(farthest(&candidates, &chosen));
        }
        chosen[index]
    })
}

/// Colours that go with the brand's: its most colourful hue and those around the circle from it, at three
/// lightnesses that the page leaves room for.
fn candidates(brand: &[Rgb], grounds: Grounds) -> Vec<Rgb> {
    let colorful = brand
        .iter()
        .map(|color| color.to_oklch())
        .max_by(|one, other| one[1].total_cmp(&other[1]))
        .filter(|[_, chroma, _]| *chroma >= GREY);
    let [_, chroma, hue] = colorful.unwrap_or([0.5, CHROMA.0, QUIET_HUE]);
    let chroma = chroma.clamp(CHROMA.0, CHROMA.1);
    // A grey at the edge of what can be seen on the page tells how much room there is.
    let edge = readable(grounds.background, grounds, GRAPHICS_CONTRAST).to_oklch()[0];
    let (first, step) = match grounds.mode {
        Mode::Light => (0.64_f32.min(edge - 0.01), -0.1),
        Mode::Dark => (0.66_f32.max(edge + 0.01), 0.1),
    };
    let lightnesses = [first, first + step, first + 2.0 * step];
    let mut found = Vec::with_capacity(72);
    for turn in 0..24_u8 {
        for lightness in lightnesses {
            let hue = (hue + f32::from(turn) * 15.0) % 360.0;
            let color = Rgb::from_oklch([lightness, chroma, hue]);
            found.push(readable(color, grounds, GRAPHICS_CONTRAST));
        }
    }
    found
}

/// The candidate whose nearest neighbour among the chosen is farthest away; of equals, the first.
fn farthest(candidates: &[Rgb], chosen: &[Rgb]) -> Rgb {
    let nearest = |color: Rgb| {
        chosen
            .iter()
            .map(|other| difference(color, *other))
            .fold(f32::INFINITY, f32::min)
    };
    let mut best = (Rgb::BLACK, f32::NEG_INFINITY);
    for candidate in candidates {
        let distance = nearest(*candidate);
        if distance > best.1 {
            best = (*candidate, distance);
        }
    }
    best.0
}

/// How different two colours look: their distance in OKLAB, a third of which is measured as those see it who do
/// not tell green from red.
pub(super) fn difference(one: Rgb, other: Rgb) -> f32 {
    let [l, a, b] = oklab(one);
    let [m, c, d] = oklab(other);
    let without_red = (l - m).hypot(b - d);
    let whole = without_red.hypot(a - c);
    whole + (without_red - whole) / 3.0
}

fn oklab(color: Rgb) -> [f32; 3] {
    let [lightness, chroma, hue] = color.to_oklch();
    let (sin, cos) = hue.to_radians().sin_cos();
    [lightness, chroma * cos, chroma * sin]
}
