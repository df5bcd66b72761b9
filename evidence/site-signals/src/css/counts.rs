//! Counts the uses of colours, typefaces and pairs in rules.

mod kind;

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::Words;
use gtm_lexicon::class_names::{BODY_FONTS, CODE, HEADINGS};

pub(super) use self::kind::Kind;
use self::kind::centrality;
use super::color::{self, Paint};
use super::fonts::{self, FontList};
use super::rules::Face;
use super::selector::{Selector, Subject, words};
use super::{
    ColorPair, ColorUse, FontFace, FontRole, FontUse, MOST_SELECTORS, Sheet, keep_selector,
};

const MOST_COLORS: usize = 128;
const MOST_FONTS: usize = 64;
const MOST_FACES: usize = 64;
const MOST_URLS: usize = 8;
const MOST_PAIRS: usize = 200;
const MOST_NAMES: usize = 8;
/// Below this ratio, do not assume that text of a class stands on the page's background: nobody could read it
/// there, so its background is one that the sheet does not show.
const LEAST_RATIO: f64 = 2.6;
/// The same for text that a rule for an element sets.
const LEAST_PLAIN_RATIO: f64 = 1.5;

#[derive(Default)]
struct ColorTally {
    found: ColorUse,
    names: BTreeSet<String>,
    /// Selectors with their centrality.
    selectors: Vec<(u32, String)>,
}

#[derive(Default)]
struct FontTally {
    weights: BTreeSet<u16>,
    fallbacks: Vec<String>,
    count: u32,
    /// Whether a rule for the page itself or for a heading level, not for a class, asks for it.
    central: bool,
    /// Whether a rule for elements, not for a class, asks for it.
    plain: bool,
    selectors: Vec<String>,
}

/// How many rules show something, and the selectors that show it.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) count: u32,
    pub(super) selectors: Vec<String>,
}

impl Shown {
    pub(super) fn add(&mut self, count: u32, selectors: &[String]) {
        self.count = self.count.saturating_add(count);
        for selector in selectors {
            keep_selector(&mut self.selectors, selector);
        }
    }
}

/// The page's own text colour and background.
#[derive(Debug, Clone, Default)]
pub(super) struct Page {
    pub(super) foreground: Option<String>,
    pub(super) background: Option<String>,
}

/// Text on the page's background.
#[derive(Debug)]
pub(super) struct OpenText {
    pub(super) foreground: String,
    /// Whether the selector names elements alone (`p`, `a`), so that the text is directly on the page.
    pub(super) plain: bool,
    /// Number of rules that show it.
    pub(super) count: u32,
    pub(super) selectors: Vec<String>,
}

/// Text and background colours, and the rules that show them.
pub(super) type Pairs = BTreeMap<(String, String), Shown>;

/// Running counts of everything that a sheet reports.
#[derive(Default)]
pub(super) struct Tally {
    colors: BTreeMap<String, ColorTally>,
    fonts: BTreeMap<(String, FontRole), FontTally>,
    /// Weights that rules ask for without naming a family.
    weights: BTreeMap<FontRole, BTreeSet<u16>>,
    faces: BTreeMap<String, FontFace>,
    pairs: Pairs,
    page_ground: Option<(PageStrength, String)>,
    page_ink: Option<(PageStrength, String)>,
}

/// Strength of a rule for the page itself: whether it is unconditional, whether it is for `body`, and its
/// specificity.
type PageStrength = (bool, bool, [u16; 3]);

fn roles(selectors: &[&Selector]) -> BTreeSet<FontRole> {
    let mut roles: BTreeSet<FontRole> = selectors.iter().map(|s| s.font_role()).collect();
    if roles.len() > 1 {
        roles.remove(&FontRole::Other);
    }
    roles
}

impl Tally {
    /// Counts one use of a colour by a rule with these selectors.
    pub(super) fn color(
        &mut self,
        kind: Kind,
        paint: &Paint,
        name: Option<&str>,
        selectors: &[&Selector],
        always: bool,
        surface: bool,
    ) {
        for selector in selectors.iter().filter(|s| paint.opaque && s.is_page()) {
            let slot = match kind {
                Kind::Background => &mut self.page_ground,
                Kind::Text => &mut self.page_ink,
                Kind::Border | Kind::Fill | Kind::Other => continue,
            };
            let strength = (always, selector.is_body(), selector.specificity);
            if slot.as_ref().is_none_or(|(known, _)| strength >= *known) {
                *slot = Some((strength, paint.hex.clone()));
            }
        }
        let tally = self.colors.entry(paint.hex.clone()).or_default();
        let found = &mut tally.found;
        found.count = found.count.saturating_add(1);
        let counter = match kind {
            Kind::Background => Some(&mut found.background),
            Kind::Text => Some(&mut found.text),
            Kind::Border => Some(&mut found.border),
            Kind::Fill => Some(&mut found.fill),
            Kind::Other => None,
        };
        if let Some(counter) = counter {
            *counter = counter.saturating_add(1);
        }
        // A shadow's tint is no colour that a name stands for.
        if let Some(name) = name
            && paint.opaque
            && tally.names.len() < MOST_NAMES
        {
            tally.names.insert(name.to_owned());
        }
        // A style of an element itself has no selector.
        found.lasting |= selectors.is_empty() || selectors.iter().any(|s| !s.is_momentary());
        let mut most = 0;
        for selector in selectors {
            let weight = centrality(kind, selector, surface).saturating_mul(selector.spread());
            found.on_buttons |=
                kind == Kind::Background && !selector.is_state() && selector.is_on_button();
            most = most.max(weight);
            note_selector(&mut tally.selectors, weight, &selector.text);
        }
        // Each heading level is large text of its own, even if one rule lists them all.
        let is_heading = |selector: &&&Selector| selector.subject() == Subject::Heading;
        if kind == Kind::Text && selectors.iter().filter(is_heading).count() > 1 {
            most = most.saturating_mul(2);
        }
        // A translucent colour is a shade of the colour, not the colour itself.
        if paint.opaque {
            tally.found.weight = tally.found.weight.saturating_add(most);
        }
    }

    /// Notes that a custom property holds a colour, used or not.
    pub(super) fn name(&mut self, hex: &str, name: &str) {
        let names = &mut self.colors.entry(hex.to_owned()).or_default().names;
        if names.len() < MOST_NAMES {
            names.insert(name.to_owned());
        }
    }

    /// Counts a rule's typeface, with the weight that it asks for.
    pub(super) fn font(
        &mut self,
        font: &FontList,
        variable: Option<&str>,
        weight: Option<u16>,
        selectors: &[&Selector],
    ) {
        let selectors: Vec<&Selector> = selectors
            .iter()
            .copied()
            .filter(|selector| !selector.is_widget())
            .collect();
        let mut roles = roles(&selectors);
        if roles.remove(&FontRole::Other) {
            roles.insert(role_by_name(font, variable));
        }
        for role in roles {
            let tally = self.fonts.entry((font.family.clone(), role)).or_default();
            tally.count = tally.count.saturating_add(1);
            tally.central |= selectors.iter().any(|selector| match role {
                FontRole::Body => selector.is_root(),
                _ => selector.is_plain(),
            });
            tally.plain |= tally.central || selectors.iter().any(|selector| selector.is_plain());
            tally.weights.extend(weight);
            add_missing(&mut tally.fallbacks, &font.fallbacks, 12);
            for selector in &selectors {
                keep_selector(&mut tally.selectors, &selector.text);
            }
        }
    }

    /// Notes a weight that a rule asks for without naming a typeface.
    pub(super) fn weight(&mut self, weight: u16, selectors: &[&Selector]) {
        for role in roles(selectors) {
            self.weights.entry(role).or_default().insert(weight);
        }
    }

    /// Counts text on a background, shown by rules with these selectors.
    pub(super) fn pair(
        &mut self,
        foreground: &str,
        background: &str,
        count: u32,
        selectors: &[String],
    ) {
        let pair = (foreground.to_owned(), background.to_owned());
        self.pairs.entry(pair).or_default().add(count, selectors);
    }

    pub(super) fn pairs(&mut self, pairs: Pairs) {
        for ((foreground, background), shown) in pairs {
            self.pair(&foreground, &background, shown.count, &shown.selectors);
        }
    }

    pub(super) fn has_pair(&self, foreground: &str, background: &str) -> bool {
        self.pairs
            .contains_key(&(foreground.to_owned(), background.to_owned()))
    }

    /// Counts the page's own text on its own background; different rules may set the two.
    pub(super) fn page_pair(&mut self, page: &Page) {
        if let (Some(foreground), Some(background)) = (&page.foreground, &page.background)
            && !self.has_pair(foreground, background)
        {
            self.pair(foreground, background, 1, &["body".to_owned()]);
        }
    }

    /// Counts text on the page's background, unless it would hardly be readable there.
    pub(super) fn pair_on_page(&mut self, text: &OpenText, background: &str) {
        let least = if text.plain {
            LEAST_PLAIN_RATIO
        } else {
            LEAST_RATIO
        };
        if color::ratio(&text.foreground, background) >= least {
            self.pair(&text.foreground, background, text.count, &text.selectors);
        }
    }

    /// Adds `@font-face` rules.
    pub(super) fn faces(&mut self, faces: &[Face]) {
        for face in faces {
            let value = |wanted: &str| {
                face.declarations
                    .iter()
                    .find(|declared| declared.name == wanted)
                    .map(|declared| declared.value.as_str())
            };
            let Some(family) = value("font-family")
                .map(|family| fonts::family_name(family.trim_matches(['"', '\'', ' '])))
                .filter(|family| fonts::is_name(family))
            else {
                continue;
            };
            if fonts::is_icon_font(&family) {
                continue;
            }
            let mut weights: Vec<u16> = value("font-weight")
                .map(|weight| weight.split_whitespace())
                .into_iter()
                .flatten()
                .filter_map(|weight| fonts::weight(&super::declaration::parts(weight)))
                .collect();
            if value("font-weight").is_none() {
                weights.push(400);
            }
            let urls: Vec<String> = face
                .declarations
                .iter()
                .filter(|declared| declared.name == "src")
                .flat_map(|declared| super::declaration::urls(&declared.value))
                .collect();
            self.face(FontFace {
                family,
                weights,
                urls,
                license: face.license.clone(),
            });
        }
    }

    pub(super) fn face(&mut self, face: FontFace) {
        if self.faces.len() >= MOST_FACES && !self.faces.contains_key(&face.family) {
            return;
        }
        let known = self
            .faces
            .entry(face.family.clone())
            .or_insert_with(|| FontFace {
                family: face.family,
                weights: Vec::new(),
                urls: Vec::new(),
                license: None,
            });
        add_missing(&mut known.weights, &face.weights, 32);
        known.weights.sort_unstable();
        add_missing(&mut known.urls, &face.urls, MOST_URLS);
        known.license = known.license.take().or(face.license);
    }

    /// Assigns weights that rules ask for without a family to the family that sets their text: that of their
    /// role, otherwise the page's. Other text, such as that of buttons or bold words, uses the page's family;
    /// if the weights of its files are known, only those are assigned.
    pub(super) fn spread_weights(&mut self) {
        for (role, weights) in std::mem::take(&mut self.weights) {
            let takers = match role {
                FontRole::Other => [FontRole::Body, FontRole::Other],
                role => [role, FontRole::Body],
            };
            let has = |role: &FontRole| self.fonts.keys().any(|(_, known)| known == role);
            let Some(taker) = takers.into_iter().find(has) else {
                continue;
            };
            for ((family, known), font) in &mut self.fonts {
                // A typeface of single classes does not set the text of other rules.
                if *known != taker || !font.plain {
                    continue;
                }
                let face = self.faces.get(family);
                let has_weight = |weight: &u16| face.is_none_or(|face| face.loads(*weight));
                let loose: Vec<u16> = weights.iter().copied().filter(has_weight).collect();
                // Text for which no rule asks for a weight has the initial weight.
                let is_body = taker == FontRole::Body;
                if is_body && font.weights.is_empty() && !loose.is_empty() && has_weight(&400) {
                    font.weights.insert(400);
                }
                font.weights.extend(loose);
            }
        }
    }

    /// The counts as a sheet, without its rules.
    pub(super) fn into_sheet(self) -> Sheet {
        let mut colors: Vec<ColorUse> = self
            .colors
            .into_iter()
            .map(|(hex, mut tally)| {
                tally
                    .selectors
                    .sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
                let is = |slot: &Option<(PageStrength, String)>| {
                    slot.as_ref().is_some_and(|(_, known)| *known == hex)
                };
                ColorUse {
                    page_background: is(&self.page_ground),
                    page_text: is(&self.page_ink),
                    hex,
                    names: tally.names.into_iter().collect(),
                    selectors: tally.selectors.into_iter().map(|(_, text)| text).collect(),
                    ..tally.found
                }
            })
            .collect();
        // Ties keep the order of their digits, so that the result is deterministic.
        colors.sort_by_key(|color| std::cmp::Reverse((color.weight, color.count)));
        colors.truncate(MOST_COLORS);
        let mut fonts: Vec<(bool, FontUse)> = self
            .fonts
            .into_iter()
            .map(|((family, role), tally)| {
                let font = FontUse {
                    family,
                    role,
                    weights: tally.weights.into_iter().collect(),
                    fallbacks: tally.fallbacks,
                    count: tally.count,
                    selectors: tally.selectors,
                };
                (tally.central, font)
            })
            .collect();
        // What the page itself is set in is its typeface, however many classes have another.
        fonts.sort_by_key(|(central, font)| std::cmp::Reverse((*central, font.count)));
        fonts.truncate(MOST_FONTS);
        let fonts = fonts.into_iter().map(|(_, font)| font).collect();
        let mut pairs: Vec<ColorPair> = self
            .pairs
            .into_iter()
            .map(|((foreground, background), shown)| ColorPair {
                foreground,
                background,
                count: shown.count,
                selectors: shown.selectors,
            })
            .collect();
        pairs.sort_by_key(|pair| std::cmp::Reverse(pair.count));
        pairs.truncate(MOST_PAIRS);
        Sheet {
            colors,
            fonts,
            faces: self.faces.into_values().collect(),
            pairs,
            ..Sheet::default()
        }
    }
}

/// Keeps the most central selectors; among equals, the first.
fn note_selector(known: &mut Vec<(u32, String)>, weight: u32, text: &str) {
    if text.is_empty() {
        return;
    }
    if let Some((known_weight, _)) = known.iter_mut().find(|(_, known)| known == text) {
        *known_weight = (*known_weight).max(weight);
    } else if known.len() < MOST_SELECTORS {
        known.push((weight, text.to_owned()));
    } else if let Some(least) = known.iter_mut().rev().min_by_key(|(weight, _)| *weight)
        && least.0 < weight
    {
        *least = (weight, text.to_owned());
    }
}

fn add_missing<T: Clone + PartialEq>(known: &mut Vec<T>, more: &[T], most: usize) {
    for item in more {
        if known.len() < most && !known.contains(item) {
            known.push(item.clone());
        }
    }
}

/// The role of a typeface whose rule does not tell it: from the custom property that supplied it, or from the
/// typeface's name.
fn role_by_name(font: &FontList, variable: Option<&str>) -> FontRole {
    let variable = variable.unwrap_or_default().to_ascii_lowercase();
    let has = |wanted: Words| words(&variable).any(|word| wanted.contains(word));
    let sets_code = font.fallbacks.iter().any(|name| name == "monospace")
        || font
            .family
            .to_ascii_lowercase()
            .split(' ')
            .any(|word| word == "mono");
    let is_proportional = || {
        let generic = ["sans-serif", "serif"];
        font.fallbacks
            .iter()
            .any(|name| generic.contains(&name.as_str()))
    };
    if sets_code || has(CODE) && !is_proportional() {
        FontRole::Mono
    } else if has(HEADINGS) {
        FontRole::Heading
    } else if has(BODY_FONTS) {
        FontRole::Body
    } else {
        FontRole::Other
    }
}
