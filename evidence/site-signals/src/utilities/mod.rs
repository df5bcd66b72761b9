//! Rules that a script writes: pages with Tailwind's build for browsers have no sheet, only classes that say what they
//! look like (`bg-blue-700`, `font-['Inter']`), and a theme in a script. Written here is the part that colours and sets
//! type, so that such pages are read like any other.

mod classes;
mod literal;
mod theme;

use std::collections::{BTreeMap, BTreeSet};

use cssparser::serialize_identifier;
use gtm_page_text::html::Element;

use self::classes::{Rule, rule};
use self::theme::Theme;
pub(crate) use self::theme::is_default_color;

/// Most different classes of one page that are looked at, and most bytes of one.
const MOST_CLASSES: usize = 3_000;
const LONGEST_CLASS: usize = 120;
/// Most bytes of a page's scripts and of its styles for the builder that are looked at.
const MOST_BYTES: usize = 100_000;
/// After how many bytes no more rules are written for classes, and none for classes that styles apply: a page's own styles
/// that get too long are left out as a whole.
const MOST_WRITTEN: usize = 300_000;
/// How the scripts of the builder are called: hosts and packages, with the version of its theme.
const BUILDERS: [(&str, Version); 2] = [
    ("cdn.tailwindcss.com", Version::Three),
    ("@tailwindcss/browser", Version::Four),
];
/// Media type of styles that the builder reads.
const STYLE_TYPE: &str = "text/tailwindcss";

/// The version of the builder, whose themes differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    Three,
    Four,
}

/// What is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    Script,
    Style,
}

/// What a page gives to the builder.
#[derive(Debug, Default)]
pub(crate) struct Utilities {
    version: Option<Version>,
    classes: BTreeSet<String>,
    scripts: String,
    styles: String,
    open: Option<Open>,
}

impl Utilities {
    pub(crate) fn start(&mut self, element: &Element<'_>) {
        match element.name {
            "script" => {
                let source = element.attribute("src");
                let version = source.and_then(|source| {
                    let mut builders = BUILDERS.into_iter();
                    builders.find(|(name, _)| source.contains(name))
                });
                self.version = self.version.or(version.map(|(_, version)| version));
                self.open = source.is_none().then_some(Open::Script);
            }
            "style" => {
                let own = element
                    .attribute("type")
                    .is_some_and(|kind| kind.trim().eq_ignore_ascii_case(STYLE_TYPE));
                self.open = own.then_some(Open::Style);
            }
            _ => {}
        }
        let classes = element.attribute("class").unwrap_or_default();
        for class in classes.split_ascii_whitespace() {
            let may_count = class.len() <= LONGEST_CLASS && class.contains('-');
            if may_count && self.classes.len() < MOST_CLASSES && !self.classes.contains(class) {
                self.classes.insert(class.to_owned());
            }
        }
    }

    pub(crate) fn end(&mut self, name: &str) {
        if matches!(name, "script" | "style") {
            self.open = None;
        }
    }

    /// Whether the open `style` element is one for the builder, which no browser reads as it is.
    pub(crate) fn reads_style(&self) -> bool {
        self.open == Some(Open::Style)
    }

    /// The text of an element, if it is a script or a style for the builder.
    pub(crate) fn text(&mut self, text: &str) {
        let read = match self.open {
            Some(Open::Script) => &mut self.scripts,
            Some(Open::Style) => &mut self.styles,
            None => return,
        };
        if read.len() + text.len() <= MOST_BYTES {
            read.push_str(text);
        }
    }

    /// The rules that the builder writes, weaker ones first; `None` on a page without it.
    pub(crate) fn css(&self) -> Option<String> {
        let theme = Theme::of(self.version?, &self.scripts, &self.styles);
        let mut css = theme.css();
        css.push_str(&with_rules_applied(&self.styles, &theme));
        // As the builder does: what holds for a moment or on wide screens comes behind what always holds.
        let mut rules: BTreeMap<(u8, Option<u16>, &str), Rule> = BTreeMap::new();
        for class in &self.classes {
            if let Some(rule) = rule(class, &theme) {
                let place = (u8::from(rule.state.is_some()), rule.least_width);
                rules.insert((place.0, place.1, class), rule);
            }
        }
        let most = css.len() + MOST_WRITTEN;
        for ((_, _, class), rule) in &rules {
            if css.len() > most {
                break;
            }
            css.push_str(&written(class, rule));
        }
        Some(css)
    }
}

/// A rule as CSS.
fn written(class: &str, rule: &Rule) -> String {
    let mut selector = String::from(".");
    // Writing to a `String` cannot fail.
    let _ = serialize_identifier(class, &mut selector);
    if let Some(state) = rule.state {
        selector.push(':');
        selector.push_str(state);
    }
    let important = if rule.important { "!important" } else { "" };
    let declared = format!("{selector}{{{}:{}{important}}}", rule.property, rule.value);
    match rule.least_width {
        Some(width) => format!("@media (min-width:{width}px){{{declared}}}\n"),
        None => format!("{declared}\n"),
    }
}

/// Styles in which `@apply` names classes, with what those classes declare instead.
fn with_rules_applied(styles: &str, theme: &Theme) -> String {
    let mut css = String::new();
    let mut rest = styles;
    while let Some((before, applied)) = rest.split_once("@apply ") {
        css.push_str(before);
        let end = applied.find([';', '}']).unwrap_or(applied.len());
        let (classes, after) = applied.split_at_checked(end).unwrap_or((applied, ""));
        for rule in classes
            .split_ascii_whitespace()
            .filter_map(|class| rule(class, theme))
            .filter(|rule| rule.state.is_none() && rule.least_width.is_none())
        {
            if css.len() > MOST_WRITTEN {
                break;
            }
            css.push_str(&format!("{}:{};", rule.property, rule.value));
        }
        rest = after.strip_prefix(';').unwrap_or(after);
    }
    css.push_str(rest);
    css
}

#[cfg(test)]
mod tests;
