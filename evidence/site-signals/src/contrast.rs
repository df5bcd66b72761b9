//! Contrast of text, as defined by WCAG 2.2.

use serde::{Deserialize, Serialize};

pub use crate::css::ratio;
use crate::css::{Painted, Sheet, joined, painted};
use crate::elements::Elements;

/// Text whose contrast is too low.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailingPair {
    /// Colour of the text as `#rrggbb`.
    pub foreground: String,
    /// Colour of the background as `#rrggbb`.
    pub background: String,
    /// Contrast ratio, 1 to 21, truncated to two decimals.
    pub ratio: f64,
}

/// The pairs of these sheets whose ratio is below `min` (WCAG AA: 4.5), in the light scheme and in the dark
/// one; worst first, at most 100. The sheets are read as those of one page. If the elements of pages are
/// given, only pairs that can show on one of them count, unless the elements show no colour at all.
pub fn failing(sheets: &[&Sheet], elements: Option<&Elements>, min: f64) -> Vec<FailingPair> {
    let page = joined(sheets, elements);
    let elements = elements.filter(|elements| elements.show_colors(&page));
    let mut failing: Vec<FailingPair> = Vec::new();
    // Where it is known in which elements text stands, a pair counts if some text is painted so: others may paint over it.
    let texts = elements.map(|elements| painted(sheets, elements));
    let texts = texts.filter(|texts| !texts.is_empty());
    let is_painted = |foreground: &str, background: &str| {
        let is_pair = |text: &Painted| {
            text.foreground == foreground && text.background.as_deref() == Some(background)
        };
        texts.as_ref().is_none_or(|texts| texts.iter().any(is_pair))
    };
    let lit = page
        .pairs
        .iter()
        .filter(|pair| is_painted(&pair.foreground, &pair.background));
    for pair in lit.chain(&page.dark_pairs) {
        let exact = ratio(&pair.foreground, &pair.background);
        let known = |known: &FailingPair| {
            known.foreground == pair.foreground && known.background == pair.background
        };
        let can_show = || elements.is_none_or(|elements| elements.can_match(&pair.selectors));
        if exact < min && !failing.iter().any(known) && can_show() {
            failing.push(FailingPair {
                foreground: pair.foreground.clone(),
                background: pair.background.clone(),
                // Truncate, do not round: 4.499 fails and must not read 4.5.
                ratio: (exact * 100.0).floor() / 100.0,
            });
        }
    }
    failing.sort_by(|one, other| {
        one.ratio
            .total_cmp(&other.ratio)
            .then_with(|| one.foreground.cmp(&other.foreground))
            .then_with(|| one.background.cmp(&other.background))
    });
    failing.truncate(100);
    failing
}
