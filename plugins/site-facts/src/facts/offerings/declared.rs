//! Products and services that structured data declares.

use gtm_site_research::claim::Excerpt;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::organization::texts;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::{Map, Value};

use super::super::sold::SOLD;
use super::Found;
use crate::organization::texts_of;
use crate::part::Part;

/// Most names looked at.
const MOST: usize = 40;
/// Most characters of a passage that shows a name.
const LONGEST_PASSAGE: usize = 400;

/// A name, the page whose structured data declares it, and whether the company's own node does so.
struct Declared {
    name: String,
    page: usize,
    of_company: bool,
    /// Which of the lists of the structured data names it.
    list: usize,
}

/// Adds the names that structured data declares. What the company's own node lists needs nothing else; a node of a
/// product may stand on any page, so a passage must show its name.
pub fn add_to(found: &mut Found<'_>, evidence: &Evidence) {
    let told = names(found);
    add_declared(found, told, evidence);
}

fn add_declared(found: &mut Found<'_>, names: Vec<Declared>, evidence: &Evidence) {
    let shown: Vec<(&Passage, String)> = evidence
        .passages
        .iter()
        .filter(|passage| passage.text.chars().count() <= LONGEST_PASSAGE)
        .map(|passage| (passage, as_words(&passage.text)))
        .collect();
    let mut list = None;
    for told in names {
        if list.replace(told.list) != Some(told.list) {
            found.lists.begin();
        }
        let key = as_words(&told.name);
        let visible = || shown.iter().filter(|(_, text)| text.contains(&key));
        // A passage is the better evidence if it spells the name alike.
        let carrier = visible()
            .map(|(passage, _)| *passage)
            .filter(|passage| passage.text.contains(&told.name))
            .min_by_key(|passage| {
                (
                    found.site.part(passage.page) != Part::Product,
                    passage.kind != BlockKind::Heading,
                )
            });
        if carrier.is_none() && !told.of_company && visible().next().is_none() {
            continue;
        }
        let excerpt = carrier.map_or_else(
            || Excerpt {
                page: told.page,
                text: told.name.clone(),
            },
            |passage| Excerpt {
                page: passage.page,
                text: passage.text.clone(),
            },
        );
        found.add(&told.name, vec![excerpt]);
    }
}

/// Adds the topics that the company's own node knows about, where nothing else tells what it sells: they name the same in
/// other words.
pub fn add_topics(found: &mut Found<'_>, evidence: &Evidence) {
    if !found.claims.is_empty() {
        return;
    }
    let mut topics = Vec::new();
    for organization in &found.site.organizations {
        let mut named = Vec::new();
        if let Some(value) = organization.members.get("knowsAbout") {
            names_in(value, 0, &mut named);
        }
        topics.extend(named.into_iter().map(|name| Declared {
            name,
            page: organization.page,
            of_company: true,
            list: 0,
        }));
    }
    topics.truncate(MOST);
    add_declared(found, topics, evidence);
}

/// The folded words with a blank around each, so that whole words are found.
fn as_words(text: &str) -> String {
    format!(" {} ", words::split(&words::fold(text)).join(" "))
}

/// Fewest goods with a number or price of their own that are a catalogue.
const CATALOGUE: usize = 8;
/// Members of a node that is one article of a shop.
const OF_ARTICLES: [&str; 6] = ["sku", "mpn", "gtin", "gtin13", "productID", "offers"];

/// Whether a node is an article of a shop.
fn is_article(object: &Map<String, Value>) -> bool {
    let types = texts(object, "@type");
    types.iter().any(|kind| kind == "Product")
        && OF_ARTICLES
            .iter()
            .any(|member| object.contains_key(*member))
}

fn names(found: &Found<'_>) -> Vec<Declared> {
    let articles = found.site.own_pages().map(|(.., content)| {
        let objects = content.json_ld_of(SOLD).into_iter();
        objects.filter(|object| is_article(object)).count()
    });
    let has_catalogue = articles.sum::<usize>() >= CATALOGUE;
    let mut all: Vec<Declared> = Vec::new();
    let mut list = 0;
    let mut take = |names: Vec<String>, page: usize, of_company: bool, list: usize| {
        let told = |name| Declared {
            name,
            page,
            of_company,
            list,
        };
        all.extend(names.into_iter().map(told));
    };
    for (page, _, content) in found.site.own_pages() {
        for object in content.json_ld_of(SOLD) {
            if has_catalogue && is_article(object) {
                continue;
            }
            let mut named = Vec::new();
            // Above a catalogue, the type is only the kind of what the catalogue names.
            let catalogue = object.get("hasOfferCatalog");
            let kind = object.get("serviceType").filter(|_| catalogue.is_none());
            if let Some(name) = object.get("name").or(kind) {
                texts_of(name, 0, &mut named);
            }
            if let Some(catalogue) = catalogue {
                names_in(catalogue, 0, &mut named);
            }
            take(named, page, false, list);
        }
        list += 1;
    }
    for organization in &found.site.organizations {
        for member in ["makesOffer", "hasOfferCatalog", "serviceType"] {
            let mut named = Vec::new();
            if let Some(value) = organization.members.get(member) {
                names_in(value, 0, &mut named);
            }
            take(named, organization.page, true, list);
            list += 1;
        }
    }
    all.truncate(MOST);
    all
}

/// The names of what a catalogue offers.
fn names_in(value: &Value, depth: usize, found: &mut Vec<String>) {
    match value {
        Value::Array(items) if depth < 6 => {
            items
                .iter()
                .for_each(|item| names_in(item, depth + 1, found));
        }
        Value::Object(object) if depth < 6 => {
            let inner = ["itemOffered", "itemListElement", "item"]
                .into_iter()
                .find_map(|member| object.get(member));
            match inner {
                Some(inner) => names_in(inner, depth + 1, found),
                None => texts_of(value, 0, found),
            }
        }
        Value::String(_) => texts_of(value, 0, found),
        _ => {}
    }
}
