//! The rules of a document's own sheets, found by the name, the classes and the id of an element.

use std::collections::HashMap;

use crate::html::Element;

/// What a declaration does to the text of its element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Nothing,
    LeaveOut,
    /// It makes text white.
    Whiten,
    /// It paints what stands behind.
    Paint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) property: Property,
    pub(super) does: Does,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Display,
    Visibility,
    Opacity,
    FontSize,
    Color,
    Ground,
    Decoration,
    /// Word's own for hidden text.
    WordHide,
    Place,
    Transform,
    Height,
}

/// What the declarations of a rule do.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) effects: Vec<Effect>,
}

type Weight = (usize, usize, usize);

/// The last part of a selector, and how much it weighs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Selector {
    pub(super) name: Option<String>,
    pub(super) id: Option<String>,
    pub(super) classes: Vec<String>,
    /// Whether it has a condition that is not read, such as `:hover`.
    pub(super) is_conditional: bool,
}

impl Selector {
    fn weight(&self) -> Weight {
        let names = usize::from(self.name.is_some());
        (usize::from(self.id.is_some()), self.classes.len(), names)
    }

    fn fits(&self, element: &Element<'_>) -> bool {
        let has_class = |class: &String| classes_of(element).any(|own| own == class);
        !self.is_conditional
            && self.name.as_deref().is_none_or(|it| it == element.name)
            && self
                .id
                .as_deref()
                .is_none_or(|id| element.attribute("id") == Some(id))
            && self.classes.iter().all(has_class)
    }

    /// By what it is found: the rarest thing that an element must have to fit.
    fn key(&self) -> Key {
        match (&self.id, self.classes.first(), &self.name) {
            (Some(id), _, _) => Key::Id(id.clone()),
            (_, Some(class), _) => Key::Class(class.clone()),
            (_, _, Some(name)) => Key::Name(name.clone()),
            _ => Key::Any,
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Id(String),
    Class(String),
    Name(String),
    Any,
}

fn classes_of<'e>(element: &'e Element<'_>) -> impl Iterator<Item = &'e str> {
    let classes = element.attribute("class").unwrap_or_default();
    classes.split_ascii_whitespace()
}

/// What all styles together do to the text of an element.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Style {
    pub(super) leaves_out: bool,
    pub(super) whitens: Option<bool>,
    pub(super) paints: bool,
}

/// The rules of a document's own sheets, in order.
#[derive(Debug, Default)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    /// The selectors by their keys, with the place of their rule.
    selectors: HashMap<Key, Vec<(usize, Selector)>>,
}

impl Rules {
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    pub(super) fn push(&mut self, selectors: Vec<Selector>, rule: Rule) {
        let at = self.rules.len();
        self.rules.push(rule);
        for selector in selectors {
            let known = self.selectors.entry(selector.key()).or_default();
            known.push((at, selector));
        }
    }

    /// The rules that fit an element, in order, each with the weight of its heaviest selector.
    fn fitting(&self, element: &Element<'_>) -> Vec<(usize, Weight)> {
        let id = element.attribute("id").map(|id| Key::Id(id.to_owned()));
        let classes = classes_of(element).map(|class| Key::Class(class.to_owned()));
        let name = Key::Name(element.name.to_owned());
        let keys = id.into_iter().chain(classes).chain([name, Key::Any]);
        let selectors = keys.filter_map(|key| self.selectors.get(&key)).flatten();
        let fitting = selectors.filter(|(_, selector)| selector.fits(element));
        let mut found: Vec<(usize, Weight)> = fitting
            .map(|(at, selector)| (*at, selector.weight()))
            .collect();
        found.sort_unstable_by_key(|(at, weight)| (*at, std::cmp::Reverse(*weight)));
        found.dedup_by_key(|(at, _)| *at);
        found
    }

    /// What the styles do to the text of an element, with what its own style does.
    pub(super) fn style(&self, element: &Element<'_>, own: Vec<Effect>) -> Style {
        let mut winners: Vec<(Weight, Effect)> = Vec::new();
        let mut put = |weight: Weight, effect: Effect| {
            let known = winners
                .iter_mut()
                .find(|(_, known)| known.property == effect.property);
            match known {
                Some(known) if known.0 <= weight => *known = (weight, effect),
                Some(_) => {}
                None => winners.push((weight, effect)),
            }
        };
        if !self.rules.is_empty() {
            for (at, weight) in self.fitting(element) {
                let effects = self.rules.get(at).map(|rule| rule.effects.as_slice());
                let effects = effects.unwrap_or_default().iter();
                effects.for_each(|effect| put(weight, *effect));
            }
        }
        own.into_iter()
            .for_each(|effect| put((usize::MAX, 0, 0), effect));
        let does = |what: Does| winners.iter().any(|(_, effect)| effect.does == what);
        let mut colours = winners.iter().map(|(_, effect)| effect);
        let colour = colours.find(|effect| effect.property == Property::Color);
        let attribute = |name: &str| element.attribute(name).map(str::trim);
        let is_white = |said: &str| {
            ["white", "#fff", "#ffffff"]
                .iter()
                .any(|white| said.eq_ignore_ascii_case(white))
        };
        // `<font color=white>`
        let by_attribute = (attribute("color").filter(|_| element.name == "font")).map(is_white);
        Style {
            leaves_out: does(Does::LeaveOut),
            whitens: colour
                .map(|colour| colour.does == Does::Whiten)
                .or(by_attribute),
            paints: does(Does::Paint)
                || attribute("bgcolor").is_some_and(|said| !is_white(said))
                || attribute("background").is_some(),
        }
    }
}
