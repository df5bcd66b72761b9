//! The values of rules, once custom properties are substituted.

use std::collections::BTreeMap;

use super::cascade::{Cascade, Place};
use super::color::Paint;
use super::counts::Kind;
use super::declaration::Part;
use super::fonts::{self, FontList};
use super::rules::Rule;
use super::selector::Selector;

/// Custom properties and their values.
pub(super) type Variables = BTreeMap<String, String>;

/// One use of a colour.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Use {
    pub(super) kind: Kind,
    pub(super) paint: Paint,
    /// The one custom property that supplied it.
    pub(super) name: Option<String>,
    pub(super) place: Place,
}

/// A rule's values after substitution.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Values {
    pub(super) uses: Vec<Use>,
    /// Text colour, if it is set.
    pub(super) foreground: Option<Paint>,
    pub(super) foreground_place: Option<Place>,
    pub(super) background: Back,
    pub(super) background_place: Option<Place>,
    pub(super) font: Option<FontList>,
    /// The custom property that supplied the font.
    pub(super) font_name: Option<String>,
    pub(super) font_place: Option<Place>,
    pub(super) weight: Option<u16>,
    pub(super) weight_place: Option<Place>,
}

/// What a rule says about its background.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) enum Back {
    /// Nothing, so whatever is behind shows.
    #[default]
    Unset,
    Color(Paint),
    /// That it has none, whatever other rules set.
    Clear,
    /// A picture, a gradient or something unknown.
    Picture,
}

/// A rule with its values.
pub(super) struct Evaluated<'a> {
    pub(super) selectors: &'a [Selector],
    pub(super) values: Values,
    /// Whether the rule applies on every screen.
    pub(super) always: bool,
    /// For each selector: whether another rule overrides the text colour, and the background.
    hidden: Vec<(bool, bool)>,
}

impl<'a> Evaluated<'a> {
    pub(super) fn of(rule: &'a Rule, values: Values, cascade: &Cascade<'_>, dark: bool) -> Self {
        let hides = |selector: &Selector, place: &Option<Place>| {
            let place = place.as_ref();
            place.is_some_and(|place| cascade.hides(selector, place, dark))
        };
        let hidden = rule.selectors.iter().map(|selector| {
            (
                hides(selector, &values.foreground_place),
                hides(selector, &values.background_place),
            )
        });
        Self {
            hidden: hidden.collect(),
            selectors: &rule.selectors,
            always: rule.conditions.is_empty(),
            values,
        }
    }

    /// Each selector with the text colour and the background that it shows.
    pub(super) fn shown(&self) -> impl Iterator<Item = (&'a Selector, Option<&Paint>, &Back)> {
        let selectors = self.selectors.iter().zip(&self.hidden);
        selectors.map(|(selector, (text, ground))| {
            let foreground = self.values.foreground.as_ref().filter(|_| !text);
            let background = if *ground {
                &Back::Unset
            } else {
                &self.values.background
            };
            (selector, foreground, background)
        })
    }
}

impl Values {
    pub(super) fn paint(&mut self, kind: Kind, place: Place, parts: Vec<Part>, names: &[String]) {
        let property = place.property.as_str();
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
            (Kind::Text, [paint]) if property == "color" => {
                self.foreground = Some(paint.clone());
                self.foreground_place = Some(place.clone());
            }
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
        if kind == Kind::Background {
            self.background_place = Some(place.clone());
        }
        let name = match (names, colors.as_slice()) {
            ([name], [_]) => Some(name.clone()),
            _ => None,
        };
        for paint in colors {
            self.uses.push(Use {
                kind,
                paint,
                name: name.clone(),
                place: place.clone(),
            });
        }
    }

    pub(super) fn set_type(&mut self, place: Place, parts: &[Part], names: Vec<String>) {
        let property = place.property.as_str();
        if property == "font-weight" {
            self.weight = fonts::weight(parts);
            self.weight_place = Some(place);
            return;
        }
        if property == "font" {
            let (font, weight) = fonts::of_shorthand(parts);
            self.font = font;
            self.weight = weight;
            self.weight_place = Some(place.clone());
        } else {
            self.font = fonts::of_family(parts);
        }
        self.font_place = Some(place);
        self.font_name = names.into_iter().next();
    }
}

/// Whether a word of a background clears it; positions and sizes do not matter.
fn is_clear(word: &str) -> bool {
    ["transparent", "none", "inherit", "initial", "unset"]
        .iter()
        .any(|clear| word.eq_ignore_ascii_case(clear))
}
