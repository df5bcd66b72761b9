//! Colours that a rule gives to other rules through custom properties.

use std::collections::{BTreeMap, BTreeSet};

use super::cascade::{Cascade, Place};
use super::color::Paint;
use super::counts::Kind;
use super::declaration::{Part, parts, resolve};
use super::rules::{Rule, Style};
use super::values::{Back, Use, Values, Variables};

/// Most rules that are told apart among the users of one custom property.
const MOST_USES: usize = 8;
/// Most custom properties that one rule may lend to others.
const MOST_LENT: usize = 40;

/// The rules that use a custom property: their indices, and for what.
type Uses = BTreeMap<String, BTreeSet<(usize, Kind, String)>>;

/// The values that rules give to others through custom properties. For example, `.btn` is painted in
/// `var(--bg)` and `.btn-primary` sets `--bg`, which colours its button.
pub(super) fn values<'s>(
    style: &'s Style,
    light: &Variables,
    cascade: &Cascade<'_>,
    budget: &mut u32,
) -> Vec<(&'s Rule, Values)> {
    let shown =
        |rule: &&Rule| !rule.dark && !rule.selectors.iter().all(|s| s.is_state() || s.is_exempt());
    // Collect which rules use a custom property, and for what.
    let mut uses = Uses::new();
    let all = || style.rules.iter().enumerate();
    for (at, rule) in all().filter(|(_, rule)| shown(rule)) {
        for declared in &rule.declarations {
            let (property, value) = (&declared.name, &declared.value);
            if let Some(kind) = Kind::of(property).filter(|_| value.contains("var(")) {
                for name in resolve(value, &|_| None, &mut 0).names {
                    let known = uses.entry(name).or_default();
                    if known.len() < MOST_USES {
                        known.insert((at, kind, property.clone()));
                    }
                }
            }
        }
    }
    let lends = |rule: &&Rule| {
        let custom = rule
            .declarations
            .iter()
            .filter(|declared| declared.name.starts_with("--"));
        !rule.dark
            && !rule.selectors.iter().any(|s| s.is_root() || s.is_theme())
            // A rule that defines this many is a theme to choose, not a variant of one part.
            && custom.take(MOST_LENT + 1).count() <= MOST_LENT
            && rule.declarations.iter().any(|declared| uses.contains_key(&declared.name))
    };
    let mut lent = Vec::new();
    for (at, rule) in all().filter(|(_, rule)| lends(rule)) {
        let values = lent_by((at, rule), &style.rules, &uses, light, cascade, budget);
        if !values.uses.is_empty() {
            lent.push((rule, values));
        }
    }
    lent
}

/// The colours that one rule gives to the rules that use its custom properties.
fn lent_by(
    (index, rule): (usize, &Rule),
    rules: &[Rule],
    uses: &Uses,
    light: &Variables,
    cascade: &Cascade<'_>,
    budget: &mut u32,
) -> Values {
    // What a rule uses itself is already counted.
    let own: String = rule
        .declarations
        .iter()
        .filter(|declared| !declared.name.starts_with("--"))
        .map(|declared| declared.value.as_str())
        .collect();
    let defined = |name: &str| light.get(name).map(String::as_str);
    let mut values = Values::default();
    let mut texts: Vec<(Paint, Place)> = Vec::new();
    let mut grounds: Vec<(Paint, Place)> = Vec::new();
    for declared in &rule.declarations {
        let name = &declared.name;
        let Some(uses) = uses.get(name).filter(|_| !own.contains(name.as_str())) else {
            continue;
        };
        let given = Place {
            rule: index,
            property: name.clone(),
            important: declared.important,
            only_color: true,
            through: None,
        };
        let mut selectors = rule.selectors.iter();
        if selectors.all(|selector| cascade.hides(selector, &given, false)) {
            continue;
        }
        let resolved = resolve(&declared.value, &defined, budget);
        let parts = parts(&resolved.text);
        let [Part::Color(paint)] = parts.as_slice() else {
            continue;
        };
        let mut counted: BTreeSet<Kind> = BTreeSet::new();
        for (at, kind, property) in uses {
            let through = rules.get(*at).map(|user| &user.selectors);
            let place = Place {
                rule: *at,
                property: property.clone(),
                important: false,
                only_color: true,
                through: through.and_then(|all| all.iter().map(|s| s.specificity).max()),
            };
            if counted.insert(*kind) {
                values.uses.push(Use {
                    kind: *kind,
                    paint: paint.clone(),
                    name: Some(name.clone()),
                    place: place.clone(),
                });
            }
            match kind {
                Kind::Text => texts.push((paint.clone(), place)),
                Kind::Background => grounds.push((paint.clone(), place)),
                Kind::Border | Kind::Fill | Kind::Other => {}
            }
        }
    }
    // Pair the text with the background that the same rule uses.
    let pair = texts.into_iter().find_map(|text| {
        let ground = grounds
            .iter()
            .find(|(_, place)| place.rule == text.1.rule)?;
        Some((text, ground.clone()))
    });
    if let Some(((text, text_place), (ground, ground_place))) = pair {
        values.foreground = Some(text);
        values.foreground_place = Some(text_place);
        values.background = Back::Color(ground);
        values.background_place = Some(ground_place);
    }
    values
}
