//! Customer groups that a page lists under a heading for them.

mod linked;
mod persons;
mod whose;

use std::collections::BTreeSet;

use gtm_lexicon::proofs::CUSTOMER_HEADINGS;
use gtm_lexicon::segments::{HEADINGS, NO_NAMES, SIDES};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::fixed_texts::FORM_SAYS_SO;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::{Value, json};

pub use self::whose::Sold;

use self::whose::Whose;
use super::labels::{Labelled, listed};
use super::outline::{Item, Section, sections};
use super::sold::SOLD;
use super::{addressed, customers, keys, letters, numbering, topics, unique_slug};
use crate::draft::{Draft, SEGMENTS};
use crate::organization::texts_of;
use crate::part::Part;
use crate::site::Site;

/// Most segments kept.
const MOST: usize = 12;
/// Fewest cards that part an offer.
const LEAST_SIDES: usize = 2;
/// Most words of a kind of buyers among them.
const LONGEST_KIND: usize = 3;
/// Fewest cards on a page about groups of customers, or under a label for them.
const LEAST_CARDS: usize = 3;
/// Fewest tiles of a list without markup.
const LEAST_TILES: usize = 3;

/// Collects the customer groups, and the roles of those that are people with one occupation.
pub fn collect(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
    groups(site, evidence, pairs, draft);
    persons::collect(draft);
}

/// What stands under headings for groups of customers, else what labels and sentences list.
fn groups(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>], draft: &mut Draft) {
    let sections = sections(site, evidence);
    let sold = Sold::of(site, &sections);
    let language = site.research.language.as_str();
    let add_of = |section: &Section<'_>, items: &[Item<'_>], draft: &mut Draft| {
        let whose = sold.whose(section, items);
        for item in items {
            match whose {
                Whose::Customers => add(item, draft),
                Whose::Unclear => doubt(item, language, draft),
                Whose::Own => {}
            }
        }
    };
    for section in &sections {
        let own = matches!(
            section.part,
            Part::Home | Part::Product | Part::About | Part::Customers | Part::Other
        );
        if !own {
            continue;
        }
        let items = if section.is_headed(&HEADINGS) {
            named(section)
        } else if CUSTOMER_HEADINGS.are(&words::split(&words::fold(&section.heading.text))) {
            // Names of customers stand there as often: known kinds of buyers tell groups from them.
            let items = named(section);
            let kinds = items.iter().filter(|item| customers::is_kind(item.name));
            let most = kinds.count() * 2 >= items.len();
            if most { items } else { Vec::new() }
        } else {
            Vec::new()
        };
        let items = if items.len() < 2 {
            tiles(section, evidence, site)
        } else {
            items
        };
        // A single item is not a list of groups.
        if items.len() < 2 {
            continue;
        }
        add_of(section, &items, draft);
    }
    for (page, is_page) in topics::about(site, evidence, &HEADINGS) {
        let told = |claim: &Claim| {
            let mut excerpts = claim.excerpts.iter();
            excerpts.any(|excerpt| excerpt.page == page.heading.page)
        };
        if !is_page || draft.many(SEGMENTS).iter().any(told) {
            continue;
        }
        // Under the cards of the largest headings stands what each group gets.
        let fits = |card: &&Item<'_>| card.text.is_some() && is_name(card.name);
        let rows = topics::rows(&page);
        let row = rows.iter().find(|row| {
            let names = row.iter().filter(fits).count();
            names >= LEAST_CARDS && names * 2 >= row.len()
        });
        let row: Vec<Item<'_>> = row.into_iter().flatten().filter(fits).copied().collect();
        add_of(&page, &row, draft);
    }
    for (first, row) in rows_under_labels(&sections) {
        add_of(first, &row, draft);
    }
    for item in customers::asked(&sections) {
        add(&item, draft);
    }
    for item in addressed::groups(site, evidence) {
        add(&item, draft);
    }
    for item in sections.iter().flat_map(sides) {
        add(&item, draft);
    }
    for told in [
        linked::pages(site),
        customers::labelled_groups(pairs),
        customers::below_announcements(site, evidence),
        customers::suited(site, evidence),
        customers::in_headline(site),
        customers::told_groups(site, evidence),
        declared(site),
        customers::told_twice(site, evidence),
    ] {
        // One list is enough: further ones say the same in other words.
        if !draft.many(SEGMENTS).is_empty() {
            return;
        }
        for (name, claim) in told {
            add_named(&name, None, claim, draft);
        }
    }
}

/// Cards in a row, of which the first has a label that announces groups of customers above it.
fn rows_under_labels<'s, 'a>(sections: &'s [Section<'a>]) -> Vec<(&'s Section<'a>, Vec<Item<'a>>)> {
    let mut found = Vec::new();
    for (at, first) in sections.iter().enumerate() {
        let announced = first.label.is_some_and(|label| {
            let folded = words::fold(&label.text);
            HEADINGS.are(&words::split(&folded))
        });
        let own = matches!(
            first.part,
            Part::Home | Part::Product | Part::About | Part::Customers | Part::Other
        );
        if !announced || !own || !first.is_leaf() {
            continue;
        }
        let rest = sections.get(at + 1..).unwrap_or_default();
        let alike = rest.iter().take_while(|next| {
            let (one, other) = (first.heading, next.heading);
            one.page == other.page
                && one.level == other.level
                && next.is_leaf()
                && next.label.is_none()
        });
        let row: Vec<Item<'a>> = [first]
            .into_iter()
            .chain(alike)
            .filter(|card| is_name(&card.heading.text))
            .filter_map(|card| {
                let text = card.lead()?;
                Some(Item {
                    name_passage: card.heading,
                    name: &card.heading.text,
                    text_passage: Some(text),
                    text: Some(&text.text),
                })
            })
            .collect();
        if row.len() >= LEAST_CARDS {
            found.push((first, row));
        }
    }
    found
}

/// Cards that part an offer by who buys it: `Domestic` beside `Commercial`. A card with another name among them is one more
/// offer.
fn sides<'a>(section: &Section<'a>) -> Vec<Item<'a>> {
    let own = matches!(section.part, Part::Home | Part::Product | Part::About);
    let items = if own { section.items() } else { Vec::new() };
    let is_side = |item: &Item<'_>| SIDES.are(&words::split(&words::fold(item.name)));
    let sides = items.iter().filter(|item| is_side(item)).count();
    if sides < LEAST_SIDES || sides * 2 < items.len() {
        return Vec::new();
    }
    // Beside them, a known kind of buyers is one more.
    let is_kind =
        |item: &Item<'_>| words::count(item.name) <= LONGEST_KIND && customers::is_kind(item.name);
    let buyers = items.into_iter();
    buyers
        .filter(|item| is_side(item) || is_kind(item))
        .collect()
}

/// The audiences that structured data of the company, or of what it sells, declares.
fn declared(site: &Site) -> Vec<(String, Claim)> {
    let own = site
        .organizations
        .iter()
        .map(|organization| (organization.page, &organization.members));
    let sold = site.own_pages().flat_map(|(page, _, content)| {
        let objects = content.json_ld_of(SOLD).into_iter();
        objects.map(move |object| (page, object))
    });
    let mut found = Vec::new();
    for (page, members) in own.chain(sold) {
        let audiences = match members.get("audience") {
            Some(Value::Array(items)) => items.iter().collect(),
            Some(one) => vec![one],
            None => Vec::new(),
        };
        for audience in audiences {
            let named = ["name", "audienceType"]
                .into_iter()
                .find_map(|member| audience.get(member));
            let mut texts = Vec::new();
            texts_of(named.unwrap_or(audience), 0, &mut texts);
            for text in texts {
                let excerpt = Excerpt {
                    page,
                    text: text.clone(),
                };
                let names = listed(&text).into_iter().filter(|name| is_name(name));
                let claim = |name: &str| Claim::stated(name, vec![excerpt.clone()]);
                found.extend(names.map(|name| (name.to_owned(), claim(name))));
            }
        }
    }
    found
}

/// Short lines in a row under a heading about groups of customers: tiles without any markup of a list, which look
/// like navigation.
fn tiles<'a>(section: &Section<'a>, evidence: &'a Evidence, site: &Site) -> Vec<Item<'a>> {
    let heading = section.heading;
    let mut around = evidence
        .passages
        .iter()
        .filter(|passage| passage.page == heading.page)
        .skip_while(|passage| passage.block + 1 < heading.block)
        .peekable();
    let says = |text: &str| {
        let folded = words::fold(text);
        let words = words::split(&folded);
        words.len() <= 16 && HEADINGS.any_in(&words)
    };
    let line = around.next_if(|passage| passage.block < heading.block);
    let line = line.filter(|line| line.kind != BlockKind::Heading);
    let mut headed = says(&heading.text) || line.is_some_and(|line| says(&line.text));
    around.next();
    while let Some(lead) = around.next_if(|passage| passage.kind == BlockKind::Paragraph) {
        headed |= says(&lead.text);
    }
    let mut rows = Vec::new();
    while let Some(row) =
        around.next_if(|passage| passage.kind == BlockKind::Other && is_name(&passage.text))
    {
        rows.push(row);
    }
    // What stands right above the next heading belongs to it.
    if around
        .next()
        .is_some_and(|next| next.kind == BlockKind::Heading)
    {
        rows.pop();
    }
    // Buttons beside each other are one line, too: `Ask for a price Call us`.
    let page = site.research.pages.get(heading.page);
    let links = page.map_or(&[][..], |visited| &visited.page.links);
    let is_button = |row: &&Passage| {
        let mut parts = links.iter().filter(|link| link.text.contains(' '));
        parts.any(|link| row.text != link.text && row.text.contains(&link.text))
    };
    let found: Vec<Item<'a>> = rows
        .into_iter()
        .filter(|row| !is_button(row))
        .map(|passage| Item {
            name_passage: passage,
            name: &passage.text,
            text_passage: None,
            text: None,
        })
        .collect();
    if headed && found.len() >= LEAST_TILES {
        found
    } else {
        Vec::new()
    }
}

/// The groups of customers under headings that announce them, as folded letters.
pub fn named_under_headings(site: &Site, sections: &[Section<'_>]) -> BTreeSet<String> {
    let sold = Sold::of(site, sections);
    let headed = sections
        .iter()
        .filter(|section| section.is_headed(&HEADINGS));
    let lists = headed.map(|section| (section, named(section)));
    let lists = lists
        .filter(|(section, items)| items.len() > 1 && sold.whose(section, items) != Whose::Own);
    let items = lists.flat_map(|(_, items)| items);
    items.map(|item| letters(item.name)).collect()
}

/// The items whose names could name customer groups. A larger heading begins another part of the page.
fn named<'a>(section: &Section<'a>) -> Vec<Item<'a>> {
    let items = section.items();
    let level = items.first().map(|item| item.name_passage.level);
    let row: Vec<Item<'a>> = items
        .into_iter()
        .take_while(|item| Some(item.name_passage.level) == level)
        .collect();
    // Cards may show nothing but a picture and a name.
    let bare = row.len() >= LEAST_CARDS && row.iter().all(|item| item.text.is_none());
    row.into_iter()
        .filter(|item| {
            let is_heading = item.name_passage.kind == BlockKind::Heading;
            let of_cards = bare || !is_heading || item.text.is_some();
            of_cards && is_name(item.name)
        })
        .collect()
}

fn is_name(name: &str) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    (1..=7).contains(&words.len())
        && (3..=80).contains(&name.chars().count())
        && name.chars().any(char::is_alphabetic)
        && !name.ends_with(['.', '!', '?', ':', '…'])
        && !numbering::begins_with_number(name)
        && !NO_NAMES.open(&words)
        && !boilerplate::is_call_to_act(name)
}

fn add(item: &Item<'_>, draft: &mut Draft) {
    let description = description(item);
    let claim = Claim::stated(item.name, item.excerpts(description.is_some()));
    add_named(item.name, description, claim, draft);
}

/// Adds a group of which only its place says that it is one.
fn doubt(item: &Item<'_>, language: &str, draft: &mut Draft) {
    let description = description(item);
    let reasoning = FORM_SAYS_SO.in_language(language);
    let claim = Claim::inferred(item.name, reasoning, item.excerpts(description.is_some()));
    add_named(item.name, description, claim, draft);
}

fn description<'a>(item: &Item<'a>) -> Option<&'a str> {
    item.text
        .filter(|text| (10..=300).contains(&text.chars().count()))
}

/// Adds a group with the evidence of its name.
fn add_named(name: &str, description: Option<&str>, claim: Claim, draft: &mut Draft) {
    let taken = keys(draft, SEGMENTS);
    let key = letters(name);
    let known = draft
        .many(SEGMENTS)
        .iter()
        .any(|claim| claim.value["name"].as_str().map(letters).as_ref() == Some(&key));
    if known || taken.len() >= MOST {
        return;
    }
    let value = json!({
        "key": unique_slug(name, "segment", &taken),
        "name": name,
        "description": description,
        "needs": [],
        "pains": [],
        "triggers": [],
    });
    draft.push(SEGMENTS, Claim { value, ..claim });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_groups_are_told_from_headings() {
        for name in [
            "Mining & Aggregates",
            "Installatiebedrijven tot tien monteurs",
            "Stadtwerke",
            "Cabinets dentaires",
        ] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "From the Floor",
            "Why us",
            "Need it fast?",
            "Unsere Kunden",
            "Un caso concreto",
            "Get a quote",
            "We serve everyone.",
            "12 sectors",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
