//! How sure a fact of the site is: what structured data declares or two places say is stated; what one place says is
//! only told there.

use std::collections::{BTreeMap, BTreeSet};

use gtm_site_research::claim::{Basis, Claim};
use gtm_site_research::organization::texts_of;
use serde_json::Value;

use crate::letters::letters;
use crate::part::Part;
use crate::site::Site;

/// Shortest text, in letters, that may stand within another one: shorter ones do so by chance.
const LEAST_WITHIN: usize = 4;
/// Deepest node of structured data that is read.
const DEEPEST: usize = 8;

/// What makes a fact surer than the one place that tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Borne {
    /// A second place with the same text.
    Again,
    /// A second place where a text, one of several of a list, stands by itself.
    AgainByItself,
    /// Structured data only: the text is a name or statement of which a second place says no more what it is.
    Declared,
    /// Structured data, or other words that say the same: the value is a code, which other texts have by chance.
    InOtherWords,
    /// Nothing: the place alone says what a text is, and that it recurs says nothing of that.
    Nothing,
}

/// The places of a site at which a fact may stand, by their letters.
pub struct Places {
    /// Texts of structured data.
    declared: BTreeSet<String>,
    /// Blocks of pages' text. What stands on several pages stands at one place.
    blocks: BTreeSet<String>,
    /// The pages that have a text as a block of their main part, or as a link.
    own: BTreeMap<String, BTreeSet<usize>>,
    links: BTreeMap<String, BTreeSet<usize>>,
    /// Titles and descriptions.
    heads: BTreeSet<String>,
    external: BTreeSet<usize>,
    /// Number of the site's own pages.
    pages: usize,
}

impl Places {
    /// The places of a site.
    pub fn of(site: &Site) -> Self {
        let mut places = Self {
            declared: BTreeSet::new(),
            blocks: BTreeSet::new(),
            own: BTreeMap::new(),
            links: BTreeMap::new(),
            heads: BTreeSet::new(),
            external: BTreeSet::new(),
            pages: 0,
        };
        for page in 0..site.research.pages.len() {
            if site.part(page) == Part::External {
                places.external.insert(page);
            }
        }
        for organization in &site.organizations {
            for member in organization.members.values() {
                declared(member, 0, &mut places.declared);
            }
        }
        for (at, _, page) in site.own_pages() {
            places.pages += 1;
            for object in &page.json_ld {
                declared(object, 0, &mut places.declared);
            }
            for block in &page.blocks {
                let text = letters(&block.text);
                if block.main {
                    places.own.entry(text.clone()).or_default().insert(at);
                }
                places.blocks.insert(text);
            }
            for link in &page.links {
                let pages = places.links.entry(letters(&link.text)).or_default();
                pages.insert(at);
            }
            let described = page.metadata.values().filter_map(Value::as_str);
            let heads = page.title.as_deref().into_iter().chain(described);
            places.heads.extend(heads.map(letters));
        }
        places
    }

    /// A claim that calls itself stated, as told in one place where it is no more than that.
    pub fn weighed(&self, claim: Claim, borne: Borne) -> Claim {
        if claim.basis != Basis::Stated
            || claim.excerpts.is_empty()
            || (claim.excerpts.iter()).any(|excerpt| self.external.contains(&excerpt.page))
            || self.agree(&claim, borne)
        {
            return claim;
        }
        Claim {
            basis: Basis::Observed,
            ..claim
        }
    }

    fn agree(&self, claim: &Claim, borne: Borne) -> bool {
        let is_declared = |text: &str| self.declared.contains(&letters(text));
        if borne == Borne::Nothing {
            return false;
        }
        if (claim.excerpts.iter()).any(|excerpt| is_declared(&excerpt.text)) {
            return true;
        }
        let words: BTreeSet<String> = (claim.excerpts.iter())
            .map(|excerpt| letters(&excerpt.text))
            .collect();
        match borne {
            Borne::Declared => return false,
            Borne::InOtherWords => return words.len() >= 2,
            _ => {}
        }
        let Some(text) = told(&claim.value) else {
            return false;
        };
        let key = letters(&text);
        let carriers = words.iter().filter(|carrier| carrier.contains(&key));
        if is_declared(&text) || carriers.count() >= 2 {
            return true;
        }
        if borne == Borne::AgainByItself {
            return self.named_on(&key) >= 2;
        }
        if claim.value.is_number() {
            return false;
        }
        let within = |texts: &BTreeSet<String>| {
            let long = key.chars().count() >= LEAST_WITHIN;
            (texts.iter())
                .filter(|text| **text == key || long && text.contains(&key))
                .take(2)
                .count()
        };
        within(&self.blocks) + within(&self.heads).min(1) >= 2
    }

    /// At how many places a text stands by itself: pages whose main part has it, others that link with it, and the frame
    /// of all pages.
    fn named_on(&self, key: &str) -> usize {
        let none = BTreeSet::new();
        let own = self.own.get(key).unwrap_or(&none);
        let linked = self.links.get(key).unwrap_or(&none);
        let places = |pages: usize, all: usize| {
            let is_frame = self.pages >= 3 && all * 3 >= self.pages * 2;
            if is_frame { pages.min(1) } else { pages }
        };
        places(own.len(), own.len()) + places(linked.difference(own).count(), linked.len())
    }
}

/// The texts of structured data, at any depth.
fn declared(value: &Value, depth: usize, found: &mut BTreeSet<String>) {
    let mut texts = Vec::new();
    match value {
        Value::Object(members) if depth < DEEPEST => {
            for member in members.values() {
                declared(member, depth + 1, found);
            }
        }
        Value::Array(items) if depth < DEEPEST => {
            for item in items {
                declared(item, depth + 1, found);
            }
        }
        other => texts_of(other, 0, &mut texts),
    }
    found.extend(texts.iter().map(|text| letters(text)));
}

/// The text of a value by which it is looked for.
fn told(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(members) => [
            "name",
            "text",
            "statement",
            "label",
            "objection",
            "signal",
            "role",
            "value",
            "locality",
        ]
        .into_iter()
        .find_map(|member| members.get(member)?.as_str().map(str::to_owned)),
        _ => None,
    }
}
