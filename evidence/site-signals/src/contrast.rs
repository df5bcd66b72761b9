//! Contrast of text by WCAG 2.2.

use serde::{Deserialize, Serialize};

use crate::css::{Sheet, channels, joined};
use crate::elements::Elements;

/// Text whose contrast is too low.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailingPair {
    /// `#rrggbb` of the text.
    pub foreground: String,
    /// `#rrggbb` of the background.
    pub background: String,
    /// Contrast ratio, 1 to 21, cut to two decimals.
    pub ratio: f64,
}

/// The contrast ratio (WCAG 2.2, "contrast ratio") of two colours given as `#rrggbb`: 1 to 21.
/// A text that is no such colour contrasts with nothing: 1.
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

/// The pairs of these sheets, read as one page's, whose ratio is below `min` (WCAG AA: 4.5), in
/// the light scheme and in the dark one; worst first. At most 100. Where the elements of pages are
/// given, only what can show on one of them counts,
/// unless they show no colour at all.
pub fn failing(sheets: &[&Sheet], elements: Option<&Elements>, min: f64) -> Vec<FailingPair> {
    let page = joined(sheets, elements);
    let elements = elements.filter(|elements| elements.show_colors(&page));
    let mut failing: Vec<FailingPair> = Vec::new();
    for pair in page.pairs.iter().chain(&page.dark_pairs) {
        let exact = ratio(&pair.foreground, &pair.background);
        let known = |known: &FailingPair| {
            known.foreground == pair.foreground && known.background == pair.background
        };
        let can_show = || elements.is_none_or(|elements| elements.can_match(&pair.selectors));
        if exact < min && !failing.iter().any(known) && can_show() {
            failing.push(FailingPair {
                foreground: pair.foreground.clone(),
                background: pair.background.clone(),
                // Cut, not rounded: 4.499 fails and must not read 4.5.
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
