//! Which text is shown on which background.
//!
//! A stylesheet alone does not tell which element contains which, so only a rule that sets both is certain.
//! Otherwise, the background of a text is taken from its own other rules, from the block that its class
//! belongs to, or from the elements that its selector names around it; failing that, it is the page's.

use std::collections::{BTreeMap, BTreeSet};

use super::color::{self, Paint};
use super::counts::{OpenText, Page, Pairs, Shown};
use super::selector::Selector;
use super::values::{Back, Evaluated};

/// Lowest contrast accepted between text and a background from another rule: nobody chooses less for text, so there a
/// third background lies between, which the selectors do not reveal.
const LEAST_RATIO: f64 = 2.6;
/// The same for two rules for the same thing.
const LEAST_OWN_RATIO: f64 = 1.5;

#[derive(Debug, Default)]
pub(super) struct Found {
    /// Text and background, and the rules that show them.
    pub(super) pairs: Pairs,
    /// Text on the page's background.
    pub(super) texts: Vec<OpenText>,
}

/// The page's colours under these rules. Rules for `body` win over rules for what contains it, and
/// unconditional rules over conditional ones.
pub(super) fn page(rules: &[Evaluated<'_>]) -> Page {
    let mut page = Page::default();
    let mut strongest = [None, None];
    for rule in rules {
        for (selector, foreground, background) in rule.shown() {
            if !selector.is_page() {
                continue;
            }
            let strength = Some((rule.always, selector.is_body(), selector.specificity));
            let [text, ground] = &mut strongest;
            if let Some(paint) = foreground.filter(|_| strength >= *text) {
                page.foreground = opaque(paint).or(page.foreground);
                *text = strength;
            }
            if strength < *ground {
                continue;
            }
            match background {
                Back::Color(paint) => page.background = opaque(paint).or(page.background),
                Back::Picture => page.background = None,
                Back::Unset | Back::Clear => continue,
            }
            *ground = strength;
        }
    }
    page
}

/// The backgrounds and text colours that rules set, by the key of what they select.
struct Grounds<'a> {
    /// `None` if it is a picture or translucent.
    backgrounds: BTreeMap<String, Option<&'a str>>,
    foregrounds: BTreeMap<String, &'a str>,
    /// Blocks in which some part has a background of its own, so that the block's does not apply to all
    /// parts.
    divided: BTreeSet<String>,
}

impl<'a> Grounds<'a> {
    fn of(rules: &'a [Evaluated<'_>]) -> Self {
        let mut grounds = Self {
            backgrounds: BTreeMap::new(),
            foregrounds: BTreeMap::new(),
            divided: BTreeSet::new(),
        };
        for rule in rules {
            for (selector, foreground, background) in rule.shown() {
                if matches!(background, Back::Color(_) | Back::Picture) {
                    grounds.divided.extend(selector.block_keys());
                }
                for key in selector.own_keys() {
                    grounds.note(key, foreground, background);
                }
            }
        }
        grounds
    }

    fn note(&mut self, key: String, foreground: Option<&'a Paint>, background: &'a Back) {
        match background {
            Back::Color(paint) if paint.opaque => {
                let hex = Some(paint.hex.as_str());
                self.backgrounds.entry(key.clone()).or_insert(hex);
            }
            Back::Color(_) | Back::Picture => {
                self.backgrounds.insert(key.clone(), None);
            }
            Back::Unset | Back::Clear => {}
        }
        if let Some(paint) = foreground.filter(|p| p.opaque) {
            self.foregrounds.entry(key).or_insert(&paint.hex);
        }
    }

    /// The background behind a selector's text: a colour with the lowest contrast to believe there, something unknown
    /// (`Some(None)`), or `None` if the rules do not tell.
    fn behind(&self, selector: &Selector, cleared: bool) -> Option<Option<(&'a str, f64)>> {
        let find = |keys: Vec<String>| keys.iter().find_map(|key| self.backgrounds.get(key));
        if !cleared && let Some(own) = find(selector.subject_keys()) {
            // Inside a context, its background may differ from its own.
            let own = own.filter(|_| !selector.has_context());
            return Some(own.map(|own| (own, LEAST_OWN_RATIO)));
        }
        let blocks = selector.block_keys();
        if blocks.iter().any(|block| self.divided.contains(block)) {
            return Some(None);
        }
        find(blocks)
            .or_else(|| find(selector.context_keys()))
            .map(|back| back.map(|back| (back, LEAST_RATIO)))
    }
}

/// Whether text can be shown on a background that another rule gives it.
fn can_be_seen(text: &str, background: &str, least: f64) -> bool {
    color::ratio(text, background) >= least
}

fn opaque(paint: &Paint) -> Option<String> {
    paint.opaque.then(|| paint.hex.clone())
}

/// The pairs that these rules show.
pub(super) fn of(rules: &[Evaluated<'_>]) -> Found {
    let known = Grounds::of(rules);
    let mut found = Found::default();
    let mut texts: BTreeMap<(String, bool), Shown> = BTreeMap::new();
    for rule in rules {
        // Each pair with the rule's selectors that show it.
        let mut pairs: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
        let mut open: BTreeMap<(&str, bool), Vec<String>> = BTreeMap::new();
        for (selector, foreground, background) in rule.shown() {
            // What shows only under a pointer is not what people read.
            if selector.is_exempt() || selector.is_state() {
                continue;
            }
            let foreground = foreground.filter(|p| p.opaque);
            let mut show = |text, back| {
                let selectors = pairs.entry((text, back)).or_default();
                selectors.push(selector.text.clone());
            };
            match (foreground, background) {
                (Some(text), Back::Color(back))
                    if back.opaque
                    // Text in the colour of its background is meant to be invisible.
                    && text.hex != back.hex =>
                {
                    show(text.hex.as_str(), back.hex.as_str());
                }
                (Some(_), Back::Unset | Back::Clear) if selector.is_combined() => {}
                (Some(text), Back::Unset | Back::Clear) if !selector.is_page() => {
                    match known.behind(selector, *background == Back::Clear) {
                        Some(Some((back, least))) if can_be_seen(&text.hex, back, least) => {
                            show(&text.hex, back);
                        }
                        Some(Some(_)) => {}
                        // On a picture, or on something that other rules change: unknown.
                        Some(None) => {}
                        None => {
                            let selectors = open.entry((&text.hex, selector.is_plain()));
                            selectors.or_default().push(selector.text.clone());
                        }
                    }
                }
                (None, Back::Color(back)) if back.opaque => {
                    let text = selector
                        .base_keys()
                        .into_iter()
                        .find_map(|key| known.foregrounds.get(&key));
                    let seen = |text: &&&str| can_be_seen(text, &back.hex, LEAST_RATIO);
                    if let Some(text) = text.filter(seen) {
                        show(text, &back.hex);
                    }
                }
                _ => {}
            }
        }
        for ((text, back), selectors) in pairs {
            let pair = (text.to_owned(), back.to_owned());
            found.pairs.entry(pair).or_default().add(1, &selectors);
        }
        for ((text, plain), selectors) in open {
            let text = (text.to_owned(), plain);
            texts.entry(text).or_default().add(1, &selectors);
        }
    }
    found.texts = texts
        .into_iter()
        .map(|((foreground, plain), shown)| OpenText {
            foreground,
            plain,
            count: shown.count,
            selectors: shown.selectors,
        })
        .collect();
    found
}
