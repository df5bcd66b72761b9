//! The elements that pages contain, for telling which rules of a stylesheet can show.
//!
//! A stylesheet offers far more than a site uses: a framework's classes, components of pages that nobody
//! made. A rule that selects no element of the pages we read says nothing about the site.

use std::collections::{BTreeMap, BTreeSet};

use crate::css::{self, Selector, Sheet};
use crate::markup::Markup;

/// Most kinds of elements that are kept.
const MOST_KINDS: usize = 3_000;

/// Most kinds of `div` on a page that counts as built by a script.
const MOST_PLACES: usize = 3;

/// The kinds of elements that pages have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elements {
    /// Name, classes and id of each kind.
    kinds: Vec<BTreeSet<String>>,
    /// The kinds that have a given name, class or id.
    having: BTreeMap<String, Vec<usize>>,
    /// Whether a script builds one of the pages, so that it may contain any element.
    unknown: bool,
    /// Where text stands, with how much of it.
    texts: BTreeMap<String, u32>,
}

impl Elements {
    /// The elements of these pages.
    pub fn of<'m>(pages: impl IntoIterator<Item = &'m Markup>) -> Self {
        let mut elements = Self::default();
        let mut all: BTreeSet<&String> = BTreeSet::new();
        for page in pages {
            elements.unknown |= is_shell(page);
            all.extend(&page.elements);
            for (place, letters) in &page.texts {
                let known = elements.texts.entry(place.clone()).or_default();
                *known = known.saturating_add(*letters);
            }
        }
        for kind in all.into_iter().take(MOST_KINDS) {
            let marks: BTreeSet<String> = kind.split(' ').map(str::to_owned).collect();
            for mark in &marks {
                let kinds = elements.having.entry(mark.clone()).or_default();
                kinds.push(elements.kinds.len());
            }
            elements.kinds.push(marks);
        }
        elements
    }

    /// The places at which text stands, with the number of its letters. None if a script builds one of the pages.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, u32)> {
        let texts = self.texts.iter().filter(|_| !self.unknown);
        texts.map(|(place, letters)| (place.as_str(), *letters))
    }

    /// Whether one of these selectors can select an element. Compares names, classes and ids, including those
    /// of the elements around the subject; ignores how the elements are nested, attributes and functions.
    pub fn can_match(&self, selectors: &[String]) -> bool {
        selectors.iter().any(|text| {
            css::selectors(text)
                .iter()
                .any(|selector| self.can_show(selector))
        })
    }

    /// The kinds of elements that have a mark: the name of each and all its marks. None if a script builds one of the pages.
    pub(crate) fn with(&self, mark: &str) -> impl Iterator<Item = (&str, &BTreeSet<String>)> {
        let having = self.having.get(mark).filter(|_| !self.unknown);
        having
            .into_iter()
            .flatten()
            .filter_map(|kind| self.kinds.get(*kind))
            // Full stop and hash sort before letters, so that the name is the last of the marks.
            .map(|marks| (marks.last().map_or("", String::as_str), marks))
    }

    /// Whether the elements show any of a page's colours apart from the page itself. On a page that a script
    /// builds, they show none, and say nothing about what it will show.
    pub(crate) fn show_colors(&self, page: &Sheet) -> bool {
        page.colors.iter().any(|color| {
            let selectors = color.selectors.iter().flat_map(|text| css::selectors(text));
            color.count > 0
                && selectors
                    .into_iter()
                    .any(|selector| self.can_show_within(&selector))
        })
    }

    /// Whether a selector can select an element.
    pub(crate) fn can_show(&self, selector: &Selector) -> bool {
        self.unknown || selector.needs().all(|needs| self.has(needs))
    }

    /// Whether a selector can select an element other than the page itself.
    pub(crate) fn can_show_within(&self, selector: &Selector) -> bool {
        self.can_show(selector) && selector.needs().any(|needs| !needs.is_empty())
    }

    /// Whether an element has all of these marks.
    fn has(&self, marks: &[String]) -> bool {
        let mut having = Vec::new();
        for mark in marks {
            match self.having.get(mark) {
                Some(kinds) => having.push(kinds),
                None => return false,
            }
        }
        let Some(rarest) = having.iter().min_by_key(|kinds| kinds.len()) else {
            return true;
        };
        rarest.iter().any(|kind| {
            let kind = self.kinds.get(*kind);
            kind.is_some_and(|kind| marks.iter().all(|mark| kind.contains(mark)))
        })
    }
}

/// Whether a page is an empty shell that a script fills.
fn is_shell(page: &Markup) -> bool {
    let names = || {
        page.elements
            .iter()
            .filter_map(|kind| kind.split(' ').next())
    };
    let is_empty = |name| {
        matches!(
            name,
            "html"
                | "head"
                | "body"
                | "base"
                | "link"
                | "meta"
                | "title"
                | "style"
                | "script"
                | "div"
        )
    };
    names().all(is_empty)
        && ["script", "div"]
            .iter()
            .all(|wanted| names().any(|name| name == *wanted))
        && names().filter(|name| *name == "div").count() <= MOST_PLACES
}
