//! Decides which declarations take effect: a declaration is hidden if a stronger one sets the same for its
//! selector.
//!
//! As in browsers, strength is decided by `!important`, then by the layer (later ones are stronger, no layer
//! is strongest), then by specificity, then by order. A conditional rule, such as one for narrow screens,
//! overrides only rules under the same condition.

use std::collections::HashMap;

use super::counts::Kind;
use super::rules::{Rule, Style};
use super::selector::Selector;

/// How strong a declaration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    important: bool,
    /// Later layers are stronger; for important declarations, earlier ones are.
    layer: i64,
    specificity: [u16; 3],
    /// Position of the rule.
    order: usize,
}

/// A declaration, reduced to what decides whether others override it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Index of the rule in its style.
    pub(super) rule: usize,
    pub(super) property: String,
    pub(super) important: bool,
    /// Whether the value is a single colour, so that setting the colour alone replaces all of it.
    pub(super) only_color: bool,
    /// The specificity of the rule through which it takes effect, if that is another rule.
    pub(super) through: Option<[u16; 3]>,
}

/// Selector, whether only the dark scheme is meant, conditions and property.
type Key<'a> = (&'a str, bool, &'a [String], &'a str);

/// The strongest declarations of a style.
pub(super) struct Cascade<'a> {
    rules: &'a [Rule],
    strongest: HashMap<Key<'a>, Rank>,
}

impl<'a> Cascade<'a> {
    pub(super) fn of(style: &'a Style) -> Self {
        let mut strongest: HashMap<Key<'a>, Rank> = HashMap::new();
        for (order, rule) in style.rules.iter().enumerate() {
            for declared in &rule.declarations {
                if !is_looked_at(&declared.name) {
                    continue;
                }
                for selector in &rule.selectors {
                    let key = (
                        selector.key.as_str(),
                        rule.dark,
                        rule.conditions.as_slice(),
                        declared.name.as_str(),
                    );
                    let rank = rank(rule, order, selector.specificity, declared.important);
                    let known = strongest.entry(key).or_insert(rank);
                    *known = rank.max(*known);
                }
            }
        }
        Self {
            rules: &style.rules,
            strongest,
        }
    }

    /// Whether another declaration overrides this one for the elements of this selector. In the dark scheme,
    /// the rules of both schemes apply.
    pub(super) fn hides(&self, selector: &Selector, place: &Place, dark: bool) -> bool {
        let Some(rule) = self.rules.get(place.rule) else {
            return false;
        };
        let specificity = place.through.unwrap_or(selector.specificity);
        let own = rank(rule, place.rule, specificity, place.important);
        let always: &[String] = &[];
        let own_conditions = (!rule.conditions.is_empty()).then_some(rule.conditions.as_slice());
        let schemes: &[bool] = if dark { &[false, true] } else { &[false] };
        covering(&place.property, place.only_color)
            .into_iter()
            .flatten()
            .any(|property| {
                schemes.iter().any(|scheme| {
                    [Some(always), own_conditions]
                        .into_iter()
                        .flatten()
                        .any(|conditions| {
                            let key = (selector.key.as_str(), *scheme, conditions, property);
                            self.strongest.get(&key).is_some_and(|rank| *rank > own)
                        })
                })
            })
    }
}

pub(super) fn rank(rule: &Rule, order: usize, specificity: [u16; 3], important: bool) -> Rank {
    let layer = rule
        .layer
        .map_or(i64::MAX, |layer| i64::try_from(layer).unwrap_or(i64::MAX));
    Rank {
        important,
        layer: if important { -layer } else { layer },
        specificity,
        order,
    }
}

/// Whether a property affects colours or type.
pub(super) fn is_looked_at(property: &str) -> bool {
    property.starts_with("--")
        || matches!(property, "font" | "font-family" | "font-weight")
        || Kind::of(property).is_some()
}

/// The properties that also set what this one sets.
fn covering(property: &str, only_color: bool) -> [Option<&str>; 4] {
    let shorthand = match property {
        "background-color" | "background-image" => Some("background"),
        "font-family" | "font-weight" => Some("font"),
        _ if property.starts_with("border-") => Some("border"),
        _ if property.starts_with("outline-") => Some("outline"),
        _ => None,
    };
    let color = match property {
        "background" if only_color => Some("background-color"),
        "outline" => Some("outline-color"),
        _ if property.starts_with("border") => Some("border-color"),
        _ => None,
    };
    let side = ["border-top", "border-right", "border-bottom", "border-left"]
        .into_iter()
        .find(|side| property.strip_prefix(side) == Some("-color"));
    [Some(property), shorthand, color, side]
}
