//! From rules to what they use, with custom properties resolved.

use std::collections::BTreeMap;

use super::color::Paint;
use super::declaration::{Part, parts, resolve};
use super::fonts::{self, FontList};
use super::lent;
use super::pairs::{self, Page};
use super::rules::{Rule, Style};
use super::selector::{self, Selector};
use super::tally::{Kind, Tally};
use super::{MOST_SELECTORS, Open, OpenRule, Sheet};

/// Substitutions of custom properties within one sheet.
const BUDGET: u32 = 100_000;
/// Characters of a custom property's value that is kept.
const MOST_VALUE: usize = 400;
/// Custom properties of one sheet.
const MOST_VARIABLES: usize = 4_000;
/// What a sheet leaves open, in entries.
const MOST_OPEN: usize = 400;
const MOST_OPEN_TEXTS: usize = 100;

/// Custom properties and their values.
pub(super) type Variables = BTreeMap<String, String>;

/// A rule's values after substitution.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Values {
    /// Each use of a colour, with the one custom property that it came through.
    pub(super) uses: Vec<(Kind, Paint, Option<String>)>,
    /// Text colour, if it is set.
    pub(super) foreground: Option<Paint>,
    pub(super) background: Back,
    font: Option<FontList>,
    /// Custom property that the font came through.
    font_name: Option<String>,
    weight: Option<u16>,
    /// Declarations whose custom properties are not defined.
    open: Vec<(String, String)>,
}

/// What a rule says about its background.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) enum Back {
    /// Nothing, so that what is behind shows.
    #[default]
    Unset,
    Color(Paint),
    /// That it has none, whatever other rules say.
    Clear,
    /// A picture, a gradient or something unknown.
    Picture,
}

/// A rule with its values.
pub(super) struct Evaluated<'a> {
    pub(super) selectors: &'a [Selector],
    pub(super) values: Values,
}

/// Evaluates one sheet by itself.
pub(super) fn sheet(style: &Style) -> Sheet {
    let light = variables(style, false);
    let mut budget = BUDGET;
    let mut tally = Tally::default();
    let mut rules = Vec::new();
    for rule in style.rules.iter().filter(|rule| !rule.dark) {
        let values = evaluate(&rule.declarations, &light, None, &mut budget);
        count(&rule.selectors, &values, &mut tally);
        rules.push(Evaluated {
            selectors: &rule.selectors,
            values,
        });
    }
    let lent = lent::values(style, &light, &mut budget);
    for rule in &lent {
        count(rule.selectors, &rule.values, &mut tally);
    }
    name_colors(&light, &mut budget, &mut tally);
    let page = pairs::page(&rules, Page::default());
    let found = pairs::of(&rules);
    tally.pairs(pairs::of(&lent).pairs);
    let dark_pairs = dark_pairs(style, &light, &rules, &mut budget);
    let mut open = Open {
        variables: exported(light),
        rules: rules.iter().filter_map(open_rule).take(MOST_OPEN).collect(),
        texts: Vec::new(),
        weights: Vec::new(),
    };
    for text in found.texts {
        match &page.background {
            Some(background) => tally.pair_on_page(&text, background),
            None if open.texts.len() < MOST_OPEN_TEXTS => open.texts.push(text),
            None => {}
        }
    }
    tally.pairs(found.pairs);
    tally.page_pair(&page);
    tally.faces(&style.faces);
    open.weights = tally.spread_weights();
    Sheet {
        dark_pairs: dark_pairs
            .into_iter()
            .filter(|pair| !tally.has_pair(&pair.foreground, &pair.background))
            .collect(),
        open,
        ..tally.into_sheet()
    }
}

/// Reads a page's sheets as one: what one of them defines, the others use.
pub fn joined(sheets: &[&Sheet]) -> Sheet {
    let mut variables = Variables::new();
    let mut tally = Tally::default();
    let mut page = Page::default();
    for sheet in sheets {
        for (name, value) in sheet.open.variables.iter().take(MOST_OPEN) {
            variables.insert(name.clone(), value.clone());
        }
        tally.sheet(sheet);
        for color in &sheet.colors {
            if color.page_background {
                page.background = Some(color.hex.clone());
            }
            if color.page_text {
                page.foreground = Some(color.hex.clone());
            }
        }
    }
    let mut budget = BUDGET;
    let open: Vec<(Vec<Selector>, &OpenRule)> = sheets
        .iter()
        .flat_map(|sheet| sheet.open.rules.iter().take(MOST_OPEN))
        .map(|rule| (selector::list(&rule.selectors.join(",")), rule))
        .collect();
    let mut rules = Vec::new();
    for (selectors, rule) in &open {
        let mut values = evaluate(&rule.declarations, &variables, None, &mut budget);
        count(selectors, &values, &mut tally);
        let known = |hex: &String| Paint {
            hex: hex.clone(),
            opaque: true,
        };
        if values.foreground.is_none() {
            values.foreground = rule.foreground.as_ref().map(known);
        }
        if let (Back::Unset, Some(hex)) = (&values.background, &rule.background) {
            values.background = Back::Color(known(hex));
        }
        rules.push(Evaluated { selectors, values });
    }
    name_colors(&variables, &mut budget, &mut tally);
    let page = pairs::page(&rules, page);
    let found = pairs::of(&rules);
    tally.pairs(found.pairs);
    tally.page_pair(&page);
    if let Some(background) = &page.background {
        let texts = sheets.iter().flat_map(|sheet| &sheet.open.texts);
        for text in texts.chain(&found.texts) {
            tally.pair_on_page(text, background);
        }
    }
    tally.spread_weights();
    tally.into_sheet()
}

/// The custom properties that hold in a scheme: definitions for the whole page before any other,
/// later ones before earlier ones.
fn variables(style: &Style, dark: bool) -> Variables {
    let mut everywhere = Variables::new();
    let mut somewhere = Variables::new();
    for rule in style.rules.iter().filter(|rule| rule.dark == dark) {
        let root = rule.selectors.iter().any(Selector::is_root)
            // `[data-theme=dark]` and `.dark` are where the page's dark colours are defined.
            || (dark && rule.selectors.iter().any(|s| s.is_dark() || s.is_root()));
        let custom = rule
            .declarations
            .iter()
            .filter(|(name, value)| name.starts_with("--") && value.len() <= MOST_VALUE);
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

/// The values of a rule. Its own custom properties come before `variables`, and `over` before
/// those.
fn evaluate(
    declarations: &[(String, String)],
    variables: &Variables,
    over: Option<&Variables>,
    budget: &mut u32,
) -> Values {
    let own: BTreeMap<&str, &str> = declarations
        .iter()
        .filter(|(name, value)| name.starts_with("--") && value.len() <= MOST_VALUE)
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let defined = |name: &str| {
        own.get(name).copied().or_else(|| {
            over.and_then(|over| over.get(name))
                .or_else(|| variables.get(name))
                .map(String::as_str)
        })
    };
    let mut values = Values::default();
    for (property, value) in declarations {
        let kind = Kind::of(property);
        let is_font = matches!(property.as_str(), "font" | "font-family" | "font-weight");
        if kind.is_none() && !is_font {
            continue;
        }
        let resolved = resolve(value, &defined, budget);
        if !resolved.complete {
            values.open.push((property.clone(), value.clone()));
            match kind {
                Some(Kind::Text) => values.foreground = None,
                Some(Kind::Background) => values.background = Back::Picture,
                _ => {}
            }
            continue;
        }
        let parts = parts(&resolved.text);
        match kind {
            Some(kind) => values.paint(kind, property, parts, &resolved.names),
            None => values.set_type(property, &parts, resolved.names),
        }
    }
    values
}

impl Values {
    fn paint(&mut self, kind: Kind, property: &str, parts: Vec<Part>, names: &[String]) {
        let only_colors = parts
            .iter()
            .all(|part| matches!(part, Part::Color(_) | Part::Word(_)));
        let has_picture = parts.contains(&Part::Unknown);
        let clears = parts.iter().any(|part| {
            matches!(part, Part::Word(word) if is_clear(word)) && property != "background-image"
        });
        let colors: Vec<Paint> = parts
            .into_iter()
            .filter_map(|part| match part {
                Part::Color(paint) => Some(paint),
                _ => None,
            })
            .collect();
        match (kind, colors.as_slice()) {
            (Kind::Text, [paint]) if property == "color" => self.foreground = Some(paint.clone()),
            (Kind::Background, _) if has_picture => self.background = Back::Picture,
            (Kind::Background, [paint]) if only_colors && property != "background-image" => {
                self.background = Back::Color(paint.clone());
            }
            (Kind::Background, []) if clears => {
                self.background = Back::Clear;
            }
            (Kind::Background, _) => self.background = Back::Picture,
            _ => {}
        }
        let name = match (names, colors.as_slice()) {
            ([name], [_]) => Some(name.clone()),
            _ => None,
        };
        for paint in colors {
            self.uses.push((kind, paint, name.clone()));
        }
    }

    fn set_type(&mut self, property: &str, parts: &[Part], names: Vec<String>) {
        if property == "font-weight" {
            self.weight = fonts::weight(parts);
            return;
        }
        if property == "font" {
            let (font, weight) = fonts::of_shorthand(parts);
            self.font = font;
            self.weight = weight;
        } else {
            self.font = fonts::of_family(parts);
        }
        self.font_name = names.into_iter().next();
    }
}

/// Words of a background that leave none; positions and sizes say nothing.
fn is_clear(word: &str) -> bool {
    ["transparent", "none", "inherit", "initial", "unset"]
        .iter()
        .any(|clear| word.eq_ignore_ascii_case(clear))
}

fn count(selectors: &[Selector], values: &Values, tally: &mut Tally) {
    for (kind, paint, name) in &values.uses {
        tally.color(*kind, paint, name.as_deref(), selectors);
    }
    tally.font(
        values.font.as_ref(),
        values.font_name.as_deref(),
        values.weight,
        selectors,
    );
}

/// Notes which custom properties hold a colour.
fn name_colors(variables: &Variables, budget: &mut u32, tally: &mut Tally) {
    let defined = |name: &str| variables.get(name).map(String::as_str);
    for (name, value) in variables {
        let resolved = resolve(value, &defined, budget);
        if let [Part::Color(paint)] = parts(&resolved.text).as_slice()
            && resolved.complete
        {
            tally.name(&paint.hex, name);
        }
    }
}

/// The custom properties that other sheets may use for colours and fonts.
fn exported(variables: Variables) -> Variables {
    variables
        .into_iter()
        .filter(|(name, value)| {
            let parts = parts(value);
            let is_color = parts.iter().any(|part| matches!(part, Part::Color(_)));
            // `13, 110, 253` and `222 47% 11%` are colours without their function.
            let is_numbers = parts.len() >= 3
                && parts
                    .iter()
                    .all(|part| matches!(part, Part::Number(_) | Part::Size | Part::Comma));
            is_color
                || is_numbers
                || value.contains("var(")
                || name.contains("font")
                || name.contains("family")
                || name.contains("color")
        })
        .take(MOST_OPEN)
        .collect()
}

fn open_rule(rule: &Evaluated<'_>) -> Option<OpenRule> {
    if rule.values.open.is_empty() {
        return None;
    }
    let opaque = |paint: &Paint| paint.opaque.then(|| paint.hex.clone());
    Some(OpenRule {
        selectors: rule
            .selectors
            .iter()
            .take(MOST_SELECTORS)
            .map(|selector| selector.text.clone())
            .collect(),
        declarations: rule.values.open.clone(),
        foreground: rule.values.foreground.as_ref().and_then(opaque),
        background: match &rule.values.background {
            Back::Color(paint) => opaque(paint),
            Back::Unset | Back::Clear | Back::Picture => None,
        },
    })
}

/// The pairs of the dark scheme: rules that hold in it alone, and those whose values its custom
/// properties change.
fn dark_pairs(
    style: &Style,
    light: &Variables,
    light_rules: &[Evaluated<'_>],
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
    for rule in &style.rules {
        let values = evaluate(&rule.declarations, light, Some(&dark), budget);
        if changed(rule, &mut at, &values) {
            rules.push(Evaluated {
                selectors: &rule.selectors,
                values,
            });
        }
    }
    let page = pairs::page(&rules, Page::default());
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
