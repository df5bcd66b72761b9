//! Colours that a rule gives to other rules.

use std::collections::{BTreeMap, BTreeSet};

use super::color::Paint;
use super::declaration::{Part, parts, resolve};
use super::evaluate::{Back, Evaluated, Values, Variables};
use super::rules::{Rule, Style};
use super::tally::Kind;

/// Rules that use one custom property, as far as they are told apart.
const MOST_USES: usize = 8;
/// Custom properties that a rule lends to others.
const MOST_LENT: usize = 40;

/// What rules give to others through custom properties: `.btn` is painted in `var(--bg)`, and
/// `.btn-primary` says what that is, so that its button is painted so.
pub(super) fn values<'s>(
    style: &'s Style,
    light: &Variables,
    budget: &mut u32,
) -> Vec<Evaluated<'s>> {
    let shown =
        |rule: &&Rule| !rule.dark && !rule.selectors.iter().all(|s| s.is_state() || s.is_exempt());
    // Which rules use a custom property, and for what.
    let mut uses: BTreeMap<String, BTreeSet<(usize, Kind)>> = BTreeMap::new();
    for (at, rule) in style.rules.iter().filter(shown).enumerate() {
        for (property, value) in &rule.declarations {
            if let Some(kind) = Kind::of(property).filter(|_| value.contains("var(")) {
                for name in resolve(value, &|_| None, &mut 0).names {
                    let known = uses.entry(name).or_default();
                    if known.len() < MOST_USES {
                        known.insert((at, kind));
                    }
                }
            }
        }
    }
    let lends = |rule: &&Rule| {
        let custom = rule
            .declarations
            .iter()
            .filter(|(name, _)| name.starts_with("--"));
        !rule.dark
            && !rule.selectors.iter().any(|s| s.is_root() || s.is_theme())
            // What defines so many is a theme that may be chosen, not a variant of one part.
            && custom.take(MOST_LENT + 1).count() <= MOST_LENT
            && rule.declarations.iter().any(|(name, _)| uses.contains_key(name))
    };
    let mut lent = Vec::new();
    for rule in style.rules.iter().filter(lends) {
        let values = lent_by(rule, &uses, light, budget);
        if !values.uses.is_empty() {
            lent.push(Evaluated {
                selectors: &rule.selectors,
                values,
            });
        }
    }
    lent
}

/// The colours that one rule gives to those that use its custom properties.
fn lent_by(
    rule: &Rule,
    uses: &BTreeMap<String, BTreeSet<(usize, Kind)>>,
    light: &Variables,
    budget: &mut u32,
) -> Values {
    // What a rule uses itself is counted already.
    let own: String = rule
        .declarations
        .iter()
        .filter(|(name, _)| !name.starts_with("--"))
        .map(|(_, value)| value.as_str())
        .collect();
    let defined = |name: &str| light.get(name).map(String::as_str);
    let mut values = Values::default();
    let mut texts: Vec<(usize, Paint)> = Vec::new();
    let mut grounds: Vec<(usize, Paint)> = Vec::new();
    for (name, value) in &rule.declarations {
        let Some(uses) = uses.get(name).filter(|_| !own.contains(name.as_str())) else {
            continue;
        };
        let resolved = resolve(value, &defined, budget);
        let parts = parts(&resolved.text);
        let [Part::Color(paint)] = parts.as_slice() else {
            continue;
        };
        let kinds: BTreeSet<Kind> = uses.iter().map(|(_, kind)| *kind).collect();
        for kind in kinds {
            values.uses.push((kind, paint.clone(), Some(name.clone())));
        }
        for (at, kind) in uses {
            match kind {
                Kind::Text => texts.push((*at, paint.clone())),
                Kind::Background => grounds.push((*at, paint.clone())),
                Kind::Border | Kind::Fill | Kind::Other => {}
            }
        }
    }
    // Text stands on the ground that the same rule uses.
    let pair = texts.iter().find_map(|(at, text)| {
        let (_, ground) = grounds.iter().find(|(ground_at, _)| ground_at == at)?;
        Some((text.clone(), ground.clone()))
    });
    if let Some((text, ground)) = pair {
        values.foreground = Some(text);
        values.background = Back::Color(ground);
    }
    values
}
