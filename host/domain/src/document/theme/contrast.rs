//! Moving a colour in lightness until it can be read.

use gtm_document_model::Rgb;
use gtm_document_model::theme::{Mode, Repair};

/// Contrast that a page leaves to black or white at least. With less, there is no room for text, boxes and six
/// colours of a chart, all of them readable and different.
const PAGE_CONTRAST: f64 = 12.0;
/// Steps of lightness: fine enough that nobody sees one.
const STEP: f32 = 0.004;

/// What colours stand on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grounds {
    pub(super) mode: Mode,
    pub(super) background: Rgb,
    pub(super) surface: Rgb,
}

impl Grounds {
    /// The ground on which the colour is hardest to read, and its contrast there.
    pub(super) fn least_contrast(self, color: Rgb) -> (&'static str, f64) {
        let on_page = color.contrast(self.background);
        let on_box = color.contrast(self.surface);
        if on_box < on_page {
            ("surface", on_box)
        } else {
            ("background", on_page)
        }
    }

    pub(super) fn contrast_with(self, ground: &str, color: Rgb) -> f64 {
        let ground = if ground == "surface" {
            self.surface
        } else {
            self.background
        };
        color.contrast(ground)
    }
}

/// Whether a page of this colour is a light or a dark one, and the colour, moved in lightness if it lies
/// between the two.
pub(super) fn grounded(background: Rgb) -> (Mode, Rgb) {
    let ink = background.black_or_white();
    let mode = if ink == Rgb::BLACK {
        Mode::Light
    } else {
        Mode::Dark
    };
    let away = moves(background, mode == Mode::Light);
    let page = away
        .into_iter()
        .find(|color| color.contrast(ink) >= PAGE_CONTRAST);
    let end = if mode == Mode::Light {
        Rgb::WHITE
    } else {
        Rgb::BLACK
    };
    (mode, page.unwrap_or(end))
}

/// The colour, or the nearest of its hue that has this contrast with both grounds: darker on a light page,
/// lighter on a dark one.
pub(super) fn readable(color: Rgb, grounds: Grounds, least: f64) -> Rgb {
    let is_read = |color: &Rgb| grounds.least_contrast(*color).1 >= least;
    let end = grounds.background.black_or_white();
    moves(color, grounds.mode == Mode::Dark)
        .into_iter()
        .find(is_read)
        .unwrap_or(end)
}

/// The colour itself, then lighter or darker ones of its hue.
fn moves(color: Rgb, lighter: bool) -> impl IntoIterator<Item = Rgb> {
    let [lightness, chroma, hue] = color.to_oklch();
    let step = if lighter { STEP } else { -STEP };
    let lightnesses = std::iter::successors(Some(lightness + step), move |last| Some(last + step));
    let others = lightnesses
        .take_while(|lightness| (0.0..=1.0).contains(lightness))
        .map(move |lightness| Rgb::from_oklch([lightness, chroma, hue]));
    std::iter::once(color).chain(others)
}

/// The report of a change. Ratios are cut to two digits: 4.499 must not read as 4.5.
pub(super) fn repair(
    (role, from, to): (&str, Rgb, Rgb),
    against: &str,
    (before, after): (f64, f64),
) -> Repair {
    let cut = |ratio: f64| (ratio * 100.0).floor() / 100.0;
    Repair {
        role: role.to_owned(),
        from,
        to,
        against: against.to_owned(),
        ratio_before: cut(before),
        ratio_after: cut(after),
    }
}
