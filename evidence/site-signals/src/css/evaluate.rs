//! Evaluates rules: which colours, typefaces and pairs they use once custom properties are resolved.

use std::collections::BTreeMap;

use super::cascade::{Cascade, Place};
use super::counts::{Kind, Tally};
use super::custom_properties;
use super::declaration::{Part, parts, resolve};
use super::pairs;
use super::placed;
use super::rules::{self, Declaration, Rule, Style};
use super::selector::Selector;
use super::values::{Back, Evaluated, Values, Variables};
use super::{FontFace, Sheet, serialize};
use crate::elements::Elements;

/// Most substitutions of custom properties within one sheet.
pub(super) const BUDGET: u32 = 100_000;
/// Longest value of a custom property that is kept, in characters.
const MOST_VALUE: usize = 400;
/// Most custom properties of one sheet.
const MOST_VARIABLES: usize = 4_000;

/// Evaluates rules; `faces` are known in addition to theirs. If elements are given, weights count only where
/// something on their pages can show them.
pub(super) fn sheet(style: &Style, faces: &[FontFace], elements: Option<&Elements>) -> Sheet {
    let light = variables(style, false);
    let cascade = Cascade::of(style);
    let elements = elements.filter(|elements| {
        let mut paints = style.rules.iter().filter(|rule| {
            let mut declared = rule.declarations.iter();
            !rule.dark && declared.any(|declared| Kind::of(&declared.name).is_some())
        });
        paints.any(|rule| rule.selectors.iter().any(|s| elements.can_show_within(s)))
    });
    let mut budget = BUDGET;
    let mut tally = Tally::default();
    let mut rules = Vec::new();
    for (at, rule) in style
        .rules
        .iter()
        .enumerate()
        .filter(|(_, rule)| !rule.dark)
    {
        let values = evaluate(at, &rule.declarations, &light, None, &mut budget);
        count(rule, &values, &cascade, elements, &mut tally);
        rules.push(Evaluated::of(rule, values, &cascade, false));
    }
    let lent: Vec<Evaluated<'_>> = custom_properties::values(style, &light, &cascade, &mut budget)
        .into_iter()
        .map(|(rule, values)| {
            count(rule, &values, &cascade, elements, &mut tally);
            Evaluated::of(rule, values, &cascade, false)
        })
        .collect();
    name_colors(&light, &mut budget, &mut tally);
    let page = pairs::page(&rules);
    let found = pairs::of(&rules);
    tally.pairs(pairs::of(&lent).pairs);
    let dark_pairs = dark_pairs(style, &light, &rules, &cascade, &mut budget);
    if let Some(background) = &page.background {
        for text in &found.texts {
            tally.pair_on_page(text, background);
        }
    }
    tally.pairs(found.pairs);
    tally.page_pair(&page);
    tally.faces(&style.faces);
    for face in faces {
        tally.face(face.clone());
    }
    tally.spread_weights();
    Sheet {
        dark_pairs: dark_pairs
            .into_iter()
            .filter(|pair| !tally.has_pair(&pair.foreground, &pair.background))
            .collect(),
        ..tally.into_sheet()
    }
}

/// Reads a page's sheets together, in their order: what one of them defines, the others use, and what a later
/// one overrides does not count. If the elements of pages are given, font weights count only if one of them
/// can show them.
pub fn joined(sheets: &[&Sheet], elements: Option<&Elements>) -> Sheet {
    let rules: String = sheets.iter().map(|sheet| sheet.rules.as_str()).collect();
    let faces: Vec<FontFace> = sheets.iter().flat_map(|s| s.faces.clone()).collect();
    let mut style = rules::read(&rules);
    if let Some(elements) = elements {
        placed::place(&mut style, elements);
    }
    sheet(&style, &faces, elements)
}

/// Evaluates one sheet by itself, and keeps its rules for [`joined`].
pub(super) fn alone(style: &Style) -> Sheet {
    Sheet {
        rules: serialize::of(style),
        ..sheet(style, &[], None)
    }
}

/// The custom properties that apply in a scheme. Definitions for the whole page win over all others. Among
/// those for the whole page the last one wins, among the others the first.
pub(super) fn variables(style: &Style, dark: bool) -> Variables {
    let mut everywhere = Variables::new();
    let mut somewhere = Variables::new();
    for rule in style.rules.iter().filter(|rule| rule.dark == dark) {
        let root = rule.selectors.iter().any(Selector::is_root)
            // `[data-theme=dark]` and `.dark` define the page's dark colours.
            || (dark && rule.selectors.iter().any(|s| s.is_dark() || s.is_root()));
        let custom = rule
            .declarations
            .iter()
            .filter(|declared| is_custom(declared))
            .map(|declared| (&declared.name, &declared.value));
        for (name, value) in custom {
            if everywhere.len() + somewhere.len() >= MOST_VARIABLES {
                break;
            }
            if root {
                everywhere.insert(name.clone(), value.clone());
            } else {
                somewhere
                    .entry(name.clone())
                    .or_insert_with(|| value.clone());
            }
        }
    }
    for (name, value) in somewhere {
        everywhere.entry(name).or_insert(value);
    }
    everywhere
}

fn is_custom(declared: &Declaration) -> bool {
    declared.name.starts_with("--") && declared.value.len() <= MOST_VALUE
}

/// The values of the rule at an index. The rule's own custom properties win over those of `over`, which win
/// over `variables`.
pub(super) fn evaluate(
    at: usize,
    declarations: &[Declaration],
    variables: &Variables,
    over: Option<&Variables>,
    budget: &mut u32,
) -> Values {
    let own: BTreeMap<&str, &str> = declarations
        .iter()
        .filter(|declared| is_custom(declared))
        .map(|declared| (declared.name.as_str(), declared.value.as_str()))
        .collect();
    let defined = |name: &str| {
        own.get(name).copied().or_else(|| {
            over.and_then(|over| over.get(name))
                .or_else(|| variables.get(name))
                .map(String::as_str)
        })
    };
    let mut values = Values::default();
    for declared in declarations {
        let property = &declared.name;
        let kind = Kind::of(property);
        let is_font = matches!(property.as_str(), "font" | "font-family" | "font-weight");
        if kind.is_none() && !is_font {
            continue;
        }
        let resolved = resolve(&declared.value, &defined, budget);
        let parts = parts(&resolved.text);
        let place = Place {
            rule: at,
            property: property.clone(),
            important: declared.important,
            only_color: matches!(parts.as_slice(), [Part::Color(_)])
                && !resolved.text.contains("gradient("),
            through: None,
        };
        if !resolved.complete {
            match kind {
                Some(Kind::Text) => values.foreground = None,
                Some(Kind::Background) => {
                    values.background = Back::Picture;
                    values.background_place = Some(place);
                }
                _ => {}
            }
            continue;
        }
        match kind {
            Some(kind) => values.paint(kind, place, parts, &resolved.names),
            None => values.set_type(place, &parts, resolved.names),
        }
    }
    values
}

/// Counts what a rule shows, for those of its selectors for which nothing overrides it.
fn count(
    rule: &Rule,
    values: &Values,
    cascade: &Cascade<'_>,
    elements: Option<&Elements>,
    tally: &mut Tally,
) {
    let seen_by = |place: &Place| -> Vec<&Selector> {
        let all = rule.selectors.iter();
        all.filter(|selector| !cascade.hides(selector, place, false))
            .collect()
    };
    let always = rule.conditions.is_empty();
    for used in &values.uses {
        let selectors = seen_by(&used.place);
        if !selectors.is_empty() {
            tally.color(
                used.kind,
                &used.paint,
                used.name.as_deref(),
                &selectors,
                always,
                values.foreground.is_some(),
            );
        }
    }
    let weight = values.weight.zip(values.weight_place.as_ref());
    let weight = weight.and_then(|(weight, place)| {
        let selectors = seen_by(place);
        let shown = selectors
            .iter()
            .any(|selector| elements.is_none_or(|elements| elements.can_show(selector)));
        (shown && !selectors.is_empty()).then_some((weight, selectors))
    });
    let font = values.font.as_ref().zip(values.font_place.as_ref());
    if let Some((font, place)) = font {
        let selectors = seen_by(place);
        if !selectors.is_empty() {
            let own = weight.map(|(weight, _)| weight);
            tally.font(font, values.font_name.as_deref(), own, &selectors);
        }
    } else if let Some((weight, selectors)) = weight {
        tally.weight(weight, &selectors);
    }
}

/// Notes which custom properties hold a colour: an opaque one and nothing else, as a shadow is no colour to use.
fn name_colors(variables: &Variables, budget: &mut u32, tally: &mut Tally) {
    let defined = |name: &str| variables.get(name).map(String::as_str);
    for (name, value) in variables {
        let resolved = resolve(value, &defined, budget);
        if let [Part::Color(paint)] = parts(&resolved.text).as_slice()
            && resolved.complete
            && paint.opaque
        {
            tally.name(&paint.hex, name);
        }
    }
}

/// The pairs of the dark scheme: from rules for that scheme alone, and from rules whose values change with
/// its custom properties.
fn dark_pairs(
    style: &Style,
    light: &Variables,
    light_rules: &[Evaluated<'_>],
    cascade: &Cascade<'_>,
    budget: &mut u32,
) -> Vec<super::ColorPair> {
    if !style.rules.iter().any(|rule| rule.dark) {
        return Vec::new();
    }
    let dark = variables(style, true);
    let changed = |rule: &Rule, at: &mut usize, values: &Values| {
        if rule.dark {
            return true;
        }
        let before = light_rules.get(*at);
        *at += 1;
        before.is_some_and(|before| before.values != *values)
    };
    let mut at = 0;
    let mut rules = Vec::new();
    for (index, rule) in style.rules.iter().enumerate() {
        let values = evaluate(index, &rule.declarations, light, Some(&dark), budget);
        if changed(rule, &mut at, &values) {
            rules.push(Evaluated::of(rule, values, cascade, true));
        }
    }
    let page = pairs::page(&rules);
    let found = pairs::of(&rules);
    let mut tally = Tally::default();
    tally.pairs(found.pairs);
    tally.page_pair(&page);
    if let Some(background) = &page.background {
        for text in &found.texts {
            tally.pair_on_page(text, background);
        }
    }
    tally.into_sheet().pairs
}
