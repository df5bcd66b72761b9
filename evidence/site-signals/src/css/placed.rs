//! Rules for classes that only say what they look like, such as `bg-blue-700`, told apart by the elements that have them:
//! the same class paints a button here and the page there, and the sheet says nothing of either.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::rules::Style;
use super::selector::Selector;
use crate::elements::Elements;

/// How classes begin that say what they look like, in every framework that has such.
const LOOKS: [&str; 10] = [
    "bg", "border", "fill", "font", "from", "outline", "stroke", "text", "to", "via",
];
/// How classes begin that give an element room around its text, as buttons have: `px-4`, `py-2`.
const ROOM: [&str; 3] = ["px-", "py-", "p-"];
/// Most elements for which a class is told apart.
const MOST: usize = 12;
/// Most selectors that a sheet gets in this way: each is a copy.
const MOST_PLACED: usize = 50_000;

/// The elements that have a class: name, whether it is a button, how many kinds.
type Places<'a> = Vec<(&'a str, bool, u16)>;

/// Puts the elements that have such a class into the selectors of its rules.
pub(super) fn place(style: &mut Style, elements: &Elements) {
    // A sheet may have any number of rules for one class.
    let mut known: BTreeMap<String, Places<'_>> = BTreeMap::new();
    let mut left = MOST_PLACED;
    for rule in &mut style.rules {
        if !rule.selectors.iter().any(says_looks) {
            continue;
        }
        let before = std::mem::take(&mut rule.selectors);
        for selector in before {
            let class = selector.only_class().filter(|_| says_looks(&selector));
            let places: &[_] = match class {
                Some(class) if left > 0 => known
                    .entry(class.to_owned())
                    .or_insert_with(|| places_of(class, elements))
                    .as_slice(),
                _ => &[],
            };
            let placed = places
                .iter()
                .map(|(name, is_button, count)| selector.at(name, *is_button, *count));
            rule.selectors.extend(placed);
            left = left.saturating_sub(places.len());
            if places.is_empty() {
                rule.selectors.push(selector);
            }
        }
    }
}

fn says_looks(selector: &Selector) -> bool {
    selector
        .only_class()
        .and_then(|class| class.rsplit(':').next()?.split('-').next())
        .is_some_and(|first| LOOKS.contains(&first))
}

/// The elements that have a class, by name; of many, those that have it in most ways.
fn places_of<'a>(class: &str, elements: &'a Elements) -> Places<'a> {
    let mut counts: BTreeMap<(&str, bool), u16> = BTreeMap::new();
    for (name, marks) in elements.with(&format!(".{class}")) {
        let has_room = || {
            let mut classes = marks.iter().filter_map(|mark| mark.strip_prefix('.'));
            classes.any(|class| ROOM.iter().any(|room| class.starts_with(room)))
        };
        let is_button = name == "button" || name == "a" && has_room();
        let count = counts.entry((name, is_button)).or_default();
        *count = count.saturating_add(1);
    }
    let mut places: Places<'a> = counts
        .into_iter()
        .map(|((name, is_button), count)| (name, is_button, count))
        .collect();
    places.sort_by_key(|(.., count)| Reverse(*count));
    places.truncate(MOST);
    places.sort_unstable();
    places
}

#[cfg(test)]
mod tests {
    use gtm_test_support::growth::is_linear;

    use super::*;
    use crate::css::rules;
    use crate::markup::Markup;

    fn elements(kinds: impl IntoIterator<Item = String>) -> Elements {
        let page = Markup {
            elements: kinds.into_iter().collect(),
            ..Markup::default()
        };
        Elements::of([&page])
    }

    #[test]
    fn many_rules_of_a_class_that_many_elements_have_take_linear_work() {
        is_linear(
            "rules of one class",
            |n| ".bg-a{color:red}".repeat(200 * n),
            |css| {
                let mut style = rules::read(css);
                let kinds = (0..style.rules.len()).map(|kind| format!("i .bg-a .k{kind}"));
                place(&mut style, &elements(kinds));
            },
        );
    }

    #[test]
    fn of_many_elements_those_count_that_have_a_class_most_often() {
        let rare = ('a'..='z').map(|letter| format!("x-{letter} .bg-a"));
        let often = ["button .bg-a", "section .bg-a .one", "section .bg-a .two"].map(String::from);
        let elements = elements(rare.chain(often));
        let places = places_of("bg-a", &elements);
        assert_eq!(places.len(), MOST);
        assert!(places.contains(&("section", false, 2)), "{places:?}");
        assert!(places.is_sorted());
    }

    #[test]
    fn a_sheet_gets_only_so_many_selectors() {
        let names = ('a'..='l').map(|letter| format!("x-{letter} .bg-a"));
        let mut style = rules::read(&".bg-a{color:red}".repeat(10_000));
        place(&mut style, &elements(names));
        let selectors: usize = style.rules.iter().map(|rule| rule.selectors.len()).sum();
        assert!(
            (MOST_PLACED..MOST_PLACED + 10_000).contains(&selectors),
            "{selectors}"
        );
        assert!(style.rules.iter().all(|rule| !rule.selectors.is_empty()));
    }
}
