//! The company's colours with their roles.
//!
//! What a site uses a colour for says more than how often the colour occurs: the paint of buttons, links and
//! the header, and whatever the site itself calls "brand". Greys are text and background, and the colours of
//! messages (success, danger) are not the brand's.

mod names;

use gtm_lexicon::class_names::{BUTTONS, HEADERS, HEADINGS, TONES};
use serde::{Deserialize, Serialize};

use self::names::{
    calls_all_its_brand, claimed_role, is_framework_name, is_status, names_text, site_name,
};
use crate::css::{ColorUse, Sheet, joined, oklab, ratio, running_text, words};
use crate::elements::Elements;

/// Least contrast at which a page's own text colour is believed (WCAG AA for large text).
const LEAST_CONTRAST: f64 = 3.0;
/// Least contrast of any text that is to be read (WCAG AA).
const READABLE: f64 = 4.5;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColorRole {
    /// The brand's main colour.
    Primary,
    /// Its second colour.
    Secondary,
    /// The colour that calls for attention.
    Accent,
    /// The background of pages.
    Background,
    /// The colour of text.
    Text,
    /// Used, but none of these.
    Other,
}

/// A colour of the palette.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swatch {
    /// The site's name for it: a custom property that holds it, without leading hyphens.
    pub name: Option<String>,
    /// The colour as `#rrggbb`, lower case.
    pub hex: String,
    pub role: ColorRole,
}

/// Most swatches in a palette.
const MOST: usize = 12;
/// Below this chroma (Oklch) a colour counts as grey.
const LEAST_CHROMA: f32 = 0.045;
/// A dark colour has a hue from this chroma on: navy, not charcoal.
const LEAST_CHROMA_OF_DARK: f32 = 0.012;
/// Below this lightness (Oklab) a colour is dark.
const DARK: f32 = 0.42;
/// Colours closer to each other than this (Oklab) are shades of one colour.
const SHADE: f32 = 0.055;
/// Hues closer to each other than this, in degrees, are the same. Of two colours of the same hue, one that
/// weighs half as much as the other is its shade.
const SAME_HUE: f32 = 14.0;
/// What only lines are drawn in is no colour of the brand, unless the site gives it a name.
fn is_line(color: &ColorUse) -> bool {
    color.border > 0 && color.background + color.text + color.fill == 0 && color.names.is_empty()
}

/// Weight that a name or a theme colour adds to the weight of a colour's uses.
const NAMED: u32 = 20;
const THEME: u32 = 6;
/// What is painted weighs at least the weight of links divided by this, to be the main colour in their place.
const PAINTED: u32 = 3;
/// The second and third colour weigh at least the main colour's weight divided by this.
const SECOND: u32 = 6;

/// The palette of a page's sheets, read together. `theme_colors` are those that the page and its manifest
/// declare, as `#rrggbb`. At most 12 swatches: primary, secondary, accent, then others by weight, then
/// background and text. Empty if the sheets use no colour.
///
/// If the elements of pages are given, a colour counts only if one of them can show it or if it is declared
/// as a theme colour. If they show no colours at all, as on a page that a script builds, all colours count.
pub fn palette(
    sheets: &[&Sheet],
    theme_colors: &[String],
    elements: Option<&Elements>,
) -> Vec<Swatch> {
    let page = joined(sheets, elements);
    let used = || page.colors.iter().filter(|color| color.count > 0);
    let elements = elements.filter(|elements| elements.show_colors(&page));
    let can_show =
        |color: &ColorUse| elements.is_none_or(|elements| elements.can_match(&color.selectors));
    let all_of_brand = calls_all_its_brand(page.colors.iter());
    let (mut brand, elsewhere): (Vec<_>, Vec<_>) = used()
        .filter(|color| !is_status(color))
        .filter_map(|color| Candidate::of(color, theme_colors, all_of_brand))
        .partition(|candidate| {
            can_show(candidate.color) || theme_colors.contains(&candidate.color.hex)
        });
    // What shows only under a pointer is a shade of something else, unless the site gives it a role.
    brand.retain(|known| {
        known.color.lasting || known.claims.is_some() || theme_colors.contains(&known.color.hex)
    });
    // A site that names its main colour names the others too, and may show them on other pages.
    let has = |brand: &[Candidate<'_>], role| brand.iter().any(|known| known.claims == Some(role));
    for role in [ColorRole::Secondary, ColorRole::Accent] {
        if has(&brand, ColorRole::Primary) && !has(&brand, role) {
            let named = elsewhere.iter().filter(|other| other.claims == Some(role));
            brand.extend(named.max_by_key(|other| other.score).cloned());
        }
    }
    // Beside a clear colour, a dark one may be a ground like any other.
    let clear = brand.iter().filter(|known| known.is_clear());
    if let Some(best) = clear.map(|known| known.score).max() {
        for dark in brand.iter_mut().filter(|known| !known.is_clear()) {
            dark.score = dark.score.min(best.saturating_sub(1));
        }
    }
    if brand.iter().any(|candidate| !is_line(candidate.color)) {
        brand.retain(|candidate| !is_line(candidate.color));
    }
    // What the page's text is written in, and nothing is painted in, is the text's colour if there is another.
    let own = page.colors.iter().find(|color| color.page_text);
    let own = own.map(|color| color.hex.as_str());
    let running = elements.and_then(|elements| running_text(sheets, elements, own));
    let seen = running.and_then(|hex| page.colors.iter().find(|color| color.hex == hex));
    let on = |text: &ColorUse, ground: &ColorUse| ratio(&text.hex, &ground.hex) >= LEAST_CONTRAST;
    let seen = seen.filter(|text| ground(&page.colors).is_none_or(|ground| on(text, ground)));
    let text = seen.or_else(|| ink(&page.colors, ground(&page.colors)));
    let is_text = |candidate: &Candidate<'_>| {
        let color = candidate.color;
        let painted = color.background + color.fill + color.border;
        let is_ink = text.is_some_and(|text| text.hex == color.hex);
        candidate.claims.is_none() && painted == 0 && (is_ink || names_text(color))
    };
    if brand.iter().any(|candidate| !is_text(candidate)) {
        brand.retain(|candidate| !is_text(candidate));
    }
    brand.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    let mut swatches = brand_swatches(&brand);
    // A black-and-white brand has a colour if the site names it or uses it for buttons.
    if swatches.is_empty() {
        swatches.extend(grey_brand(used().filter(|color| can_show(color))));
    }
    for (role, color) in [
        (ColorRole::Background, ground(&page.colors)),
        (ColorRole::Text, text),
    ] {
        if let Some(color) = color
            && !swatches.iter().any(|swatch| swatch.hex == color.hex)
        {
            swatches.push(Swatch {
                name: site_name(color),
                hex: color.hex.clone(),
                role,
            });
        }
    }
    swatches
}

#[derive(Clone)]
struct Candidate<'a> {
    color: &'a ColorUse,
    lab: [f32; 3],
    /// The role that its names claim.
    claims: Option<ColorRole>,
    score: u32,
}

impl<'a> Candidate<'a> {
    fn of(color: &'a ColorUse, theme_colors: &[String], all_of_brand: bool) -> Option<Self> {
        let lab = oklab(&color.hex)?;
        let is_brand = || {
            chroma(lab) >= LEAST_CHROMA_OF_DARK && is_dark_paint(color, lab) && !names_text(color)
        };
        if chroma(lab) < LEAST_CHROMA && !is_brand() {
            return None;
        }
        let claims = claimed_role(color, all_of_brand);
        // What the site calls text is its ink, wherever else it paints with it.
        if claims.is_none() && names_text(color) && !paints_buttons(color) {
            return None;
        }
        let mut score = color.weight;
        if claims.is_some() {
            score += NAMED;
        }
        if theme_colors.contains(&color.hex) {
            score += THEME;
        }
        // A colour shown only in shades or by unused preset classes is not in the palette.
        (score > 0).then_some(Self {
            color,
            lab,
            claims,
            score,
        })
    }
}

impl Candidate<'_> {
    /// Whether nobody takes it for a grey.
    fn is_clear(&self) -> bool {
        chroma(self.lab) >= LEAST_CHROMA
    }
}

/// Whether header, footer or buttons are painted in a dark colour that is not the ground of the whole page.
fn is_dark_paint(color: &ColorUse, lab: [f32; 3]) -> bool {
    let of_frame = |selector: &String| {
        words(&selector.to_lowercase()).any(|word| HEADERS.contains(word) || word == "footer")
    };
    lab[0] < DARK
        && color.background > 0
        && !color.page_background
        && (paints_buttons(color) || color.selectors.iter().any(of_frame))
}

fn brand_swatches(candidates: &[Candidate<'_>]) -> Vec<Swatch> {
    let mut kept: Vec<&Candidate<'_>> = Vec::new();
    let top = candidates.first().map_or(0, |best| best.score);
    for candidate in candidates {
        let is_shade_of = |known: &&Candidate<'_>| {
            distance(known.lab, candidate.lab) < SHADE
                || (hue_between(known.lab, candidate.lab) < SAME_HUE
                    && candidate.score * 2 <= known.score)
        };
        let is_base = |known: &&Candidate<'_>| is_tone_of(known.color, candidate.color);
        let is_shade =
            candidate.claims.is_none() && kept.iter().any(is_shade_of) && !kept.iter().any(is_base);
        if !is_shade && candidate.score * 12 >= top {
            kept.push(candidate);
        }
    }
    let claimed = |role: ColorRole| {
        let claims = |known: &&Candidate<'_>| known.claims == Some(role);
        let itself = kept
            .iter()
            .position(|known| claims(known) && !is_tone(known.color));
        itself.or_else(|| kept.iter().position(claims))
    };
    let mut roles = vec![ColorRole::Other; kept.len()];
    let mut give = |role: ColorRole, at: Option<usize>| {
        if let Some(slot) = at.and_then(|at| roles.get_mut(at))
            && *slot == ColorRole::Other
        {
            *slot = role;
        }
    };
    // A name is an intention; what buttons are painted with is what people see.
    let of_buttons = || {
        kept.iter()
            .position(|known| paints_buttons(known.color) && known.score * 5 >= top * 3)
    };
    let is_free = |known: &&Candidate<'_>| {
        !matches!(known.claims, Some(ColorRole::Secondary | ColorRole::Accent))
    };
    // Links and labels may have any colour; what is painted, or what headings are set in, is the brand's.
    let unclaimed = || {
        let is_shown = |known: &&Candidate<'_>| {
            is_free(known) && !is_of_links(known.color) && known.score * PAINTED >= top
        };
        let shown = kept.iter().position(is_shown);
        shown.or_else(|| kept.iter().position(is_free))
    };
    let primary = claimed(ColorRole::Primary)
        .or_else(of_buttons)
        .or_else(unclaimed)
        .or((!kept.is_empty()).then_some(0));
    // `--green-dark` is a tone of `--green`, however much is painted in it.
    let primary = primary.map(|at| {
        let chosen = kept.get(at).filter(|known| known.claims.is_none());
        let base = chosen.and_then(|chosen| {
            kept.iter()
                .position(|known| is_tone_of(chosen.color, known.color))
        });
        base.unwrap_or(at)
    });
    give(ColorRole::Primary, primary);
    give(ColorRole::Secondary, claimed(ColorRole::Secondary));
    give(ColorRole::Accent, claimed(ColorRole::Accent));
    // If no name claims a role, take the next colour of enough weight. A name that claims a role already
    // taken (`--brand-amber` after `--brand-ink`) says only that the colour is the brand's.
    for role in [ColorRole::Secondary, ColorRole::Accent] {
        if !roles.contains(&role) {
            let next = kept.iter().enumerate().position(|(at, known)| {
                roles.get(at) == Some(&ColorRole::Other)
                    && known.claims.is_none_or(|claim| roles.contains(&claim))
                    && !is_tone(known.color)
                    && known.score * SECOND >= top
            });
            if let Some(slot) = next.and_then(|at| roles.get_mut(at)) {
                *slot = role;
            }
        }
    }
    let mut swatches: Vec<(usize, Swatch)> = kept
        .iter()
        .zip(&roles)
        .map(|(known, role)| {
            let swatch = Swatch {
                name: site_name(known.color),
                hex: known.color.hex.clone(),
                role: *role,
            };
            (order(*role), swatch)
        })
        .collect();
    swatches.sort_by_key(|(order, _)| *order);
    // Reserve two places for background and text.
    swatches
        .into_iter()
        .map(|(_, swatch)| swatch)
        .take(MOST - 2)
        .collect()
}

/// Whether buttons have this background, not only under a pointer.
fn paints_buttons(color: &ColorUse) -> bool {
    let is_button = |selector: &&String| {
        !selector.contains(':')
            && words(&selector.to_lowercase()).any(|word| BUTTONS.contains(word))
    };
    color.on_buttons
        || color.background > 0 && color.selectors.iter().any(|selector| is_button(&selector))
}

/// Whether nothing is painted in a colour and no heading set in it: it is that of links, labels and single words.
fn is_of_links(color: &ColorUse) -> bool {
    let is_heading = |selector: &String| {
        words(&selector.to_lowercase()).any(|word| {
            HEADINGS.contains(word)
                || matches!(
                    word,
                    "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "logo" | "brand"
                )
        })
    };
    color.background + color.fill == 0 && !color.selectors.iter().any(is_heading)
}

/// Whether the site's own names call it a lighter or darker tone of another colour: `--accent-light`.
fn is_tone(color: &ColorUse) -> bool {
    let names = || color.names.iter().filter(|name| !is_framework_name(name));
    let is = |name: &String| words(&name.to_lowercase()).any(|word| TONES.contains(word));
    names().next().is_some() && names().all(is)
}

/// Whether a colour is a tone of another one by the site's own names: `--green-dark` of `--green`.
fn is_tone_of(tone: &ColorUse, other: &ColorUse) -> bool {
    if !is_tone(tone) {
        return false;
    }
    let own = |name: &&String| !is_framework_name(name);
    let all = |name: &String| -> Vec<String> {
        let name = name.to_lowercase();
        words(&name).map(str::to_owned).collect()
    };
    let bare = |name: &String| {
        let mut words = all(name);
        words.retain(|word| !TONES.contains(word));
        words
    };
    let bases: Vec<Vec<String>> = tone.names.iter().filter(own).map(bare).collect();
    let mut names = other.names.iter().filter(own).map(all);
    names.any(|name| !name.is_empty() && bases.contains(&name))
}

fn order(role: ColorRole) -> usize {
    match role {
        ColorRole::Primary => 0,
        ColorRole::Secondary => 1,
        ColorRole::Accent => 2,
        ColorRole::Other => 3,
        ColorRole::Background => 4,
        ColorRole::Text => 5,
    }
}

fn grey_brand<'a>(colors: impl Iterator<Item = &'a ColorUse> + Clone) -> Option<Swatch> {
    let mut all = colors.clone();
    let named = all.find(|color| claimed_role(color, false) == Some(ColorRole::Primary));
    let pressed = || {
        colors.clone().find(|color| {
            let dark = oklab(&color.hex).is_some_and(|[lightness, ..]| lightness < 0.6);
            dark && !color.page_background && paints_buttons(color)
        })
    };
    let framed = || {
        let mut all = colors.clone();
        all.find(|color| oklab(&color.hex).is_some_and(|lab| is_dark_paint(color, lab)))
    };
    let found = named.or_else(pressed).or_else(framed);
    found.map(|color| Swatch {
        name: site_name(color),
        hex: color.hex.clone(),
        role: ColorRole::Primary,
    })
}

/// The background of pages.
fn ground(colors: &[ColorUse]) -> Option<&ColorUse> {
    let page = colors.iter().find(|color| color.page_background);
    page.or_else(|| {
        colors
            .iter()
            .filter(|color| {
                color.background > 0
                    && oklab(&color.hex)
                        .is_some_and(|lab| lab[0] > 0.93 && chroma(lab) < LEAST_CHROMA)
            })
            .max_by(|one, other| {
                let lightness = |color: &ColorUse| oklab(&color.hex).map_or(0.0, |lab| lab[0]);
                one.background
                    .cmp(&other.background)
                    .then(lightness(one).total_cmp(&lightness(other)))
            })
    })
}

/// The colour of text. What cannot be read on the page's background is painted over everywhere: then it is the
/// colour of most text that can.
fn ink<'a>(colors: &'a [ColorUse], ground: Option<&ColorUse>) -> Option<&'a ColorUse> {
    let on_ground = |color: &ColorUse, least: f64| {
        ground.is_none_or(|ground| ratio(&color.hex, &ground.hex) >= least)
    };
    let page = colors.iter().find(|color| color.page_text);
    if page.is_some_and(|page| !on_ground(page, LEAST_CONTRAST)) {
        return colors
            .iter()
            .filter(|color| color.text > 0 && color.lasting && on_ground(color, READABLE))
            .max_by(|one, other| {
                let contrast =
                    |color: &ColorUse| ground.map_or(1.0, |ground| ratio(&color.hex, &ground.hex));
                one.text
                    .cmp(&other.text)
                    .then(contrast(one).total_cmp(&contrast(other)))
            });
    }
    page.or_else(|| {
        colors
            .iter()
            .filter(|color| {
                color.text > 0
                    && color.lasting
                    && oklab(&color.hex)
                        .is_some_and(|lab| lab[0] < 0.5 && chroma(lab) < LEAST_CHROMA)
            })
            .max_by_key(|color| color.text)
    })
}

fn chroma([_, a, b]: [f32; 3]) -> f32 {
    a.hypot(b)
}

/// The angle between two hues, 0 to 180 degrees.
fn hue_between([_, a, b]: [f32; 3], [_, c, d]: [f32; 3]) -> f32 {
    let turn = (b.atan2(a) - d.atan2(c)).to_degrees().abs() % 360.0;
    turn.min(360.0 - turn)
}

fn distance(one: [f32; 3], other: [f32; 3]) -> f32 {
    one.iter()
        .zip(other)
        .map(|(one, other)| (one - other).powi(2))
        .sum::<f32>()
        .sqrt()
}
