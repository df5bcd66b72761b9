//! Which elements pages have, for telling which rules of a stylesheet can show.
//!
//! A stylesheet offers far more than a site uses: a framework's classes, components of pages that
//! nobody made. What no element of the read pages can be selected by says nothing about the site.

use std::collections::{BTreeMap, BTreeSet};

use crate::css;
use crate::markup::Markup;

/// Kinds of elements that are looked at.
const MOST_KINDS: usize = 3_000;

/// The kinds of elements that pages have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Elements {
    /// Name, classes and id of each kind.
    kinds: Vec<BTreeSet<String>>,
    /// The kinds that have a name, class or id.
    having: BTreeMap<String, Vec<usize>>,
}

impl Elements {
    /// The elements of these pages.
    pub fn of<'m>(pages: impl IntoIterator<Item = &'m Markup>) -> Self {
        let all: BTreeSet<&String> = pages.into_iter().flat_map(|page| &page.elements).collect();
        let mut elements = Self::default();
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

    /// Whether one of these selectors can select an element. Names, classes and ids are compared,
    /// and what a selector says its subject stands in must be there too; where it stands, and what
    /// attributes and functions ask for, is not looked at.
    pub fn can_match(&self, selectors: &[String]) -> bool {
        selectors.iter().any(|text| {
            css::selectors(text)
                .iter()
                .any(|selector| selector.needs().all(|needs| self.has(needs)))
        })
    }

    /// Whether one of these selectors can select an element other than the page itself.
    pub(crate) fn can_match_within(&self, selectors: &[String]) -> bool {
        selectors.iter().any(|text| {
            css::selectors(text).iter().any(|selector| {
                selector.needs().all(|needs| self.has(needs))
                    && selector.needs().any(|needs| !needs.is_empty())
            })
        })
    }

    /// Whether a selector can select an element.
    pub(crate) fn can_show(&self, selector: &css::Selector) -> bool {
        selector.needs().all(|needs| self.has(needs))
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
