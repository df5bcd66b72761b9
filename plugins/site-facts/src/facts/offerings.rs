//! What the company sells: names of its products and services.

use gtm_lexicon::calls::{GENERIC, VERBS};
use gtm_lexicon::company::WE;
use gtm_lexicon::foundations::VALUE_HEADINGS;
use gtm_lexicon::offer::{
    APART_HEADINGS, BENEFIT_HEADINGS, LABELS, NO_OFFERINGS, OTHER_LIST_HEADINGS, WHY,
};
use gtm_lexicon::pages::PRODUCTS;
use gtm_lexicon::questions::HEADINGS as QUESTION_HEADINGS;
use gtm_lexicon::segments::HEADINGS as SEGMENT_HEADINGS;
use gtm_lexicon::trade::INDUSTRY_LABELS;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::{Block, BlockKind, Link};
use gtm_site_research::roles::{self, Role};
use gtm_site_research::words;
use serde_json::Value;

use super::labels::{Labelled, labelled};
use super::outline::{Item, Section, sections};
use super::speaker::speaks_as_we;
use super::{legal_names, letters, names};
use crate::organization::texts_of;
use crate::part::Part;
use crate::site::Site;

/// Most names kept.
const MOST: usize = 16;
/// Most words of a heading that names a product on a page about products, where nothing else shows it.
const LONGEST_HEADING: usize = 5;
/// Schema.org types of what is sold.
const SOLD: &[&str] = &["Product", "Service", "SoftwareApplication", "Offer"];

/// The names, the surest first: what structured data declares, what a label announces, what stands under a
/// heading for products and services, and the headings of pages about them.
pub fn offerings(site: &Site, evidence: &Evidence, pairs: &[Labelled<'_>]) -> Vec<Claim> {
    let mut found = Found {
        site,
        claims: Vec::new(),
    };
    found.declared(evidence);
    let of_trade = labelled(pairs, &INDUSTRY_LABELS).filter(|pair| listed(pair.value).len() > 1);
    for pair in labelled(pairs, &LABELS)
        .chain(of_trade)
        .filter(|pair| pair.main)
    {
        for name in listed(pair.value) {
            found.add(name, pair.excerpts.clone());
        }
    }
    let sections = sections(site, evidence);
    let stray = |heading: &Passage| {
        under_other_list(heading, &sections, evidence) || is_frame(heading, site)
    };
    for section in sections.iter().filter(|section| announces(section)) {
        let items = section.items();
        if items.len() >= 2 {
            let named = items.iter().filter(|item| {
                item.name_passage.kind != BlockKind::Heading || !stray(item.name_passage)
            });
            named.for_each(|item| found.item(item));
        }
    }
    for section in &sections {
        // Some cards show the price above the name.
        let above = evidence.passages.iter().find(|passage| {
            passage.page == section.heading.page && passage.block + 1 == section.heading.block
        });
        let level = section.heading.level;
        let smaller = |passage: &&&Passage| passage.kind == BlockKind::Heading;
        // A longer heading over several smaller ones announces them.
        let group = section.body.iter().filter(smaller).count() >= 2
            && words::count(&section.heading.text) > 2;
        // Where a page has smaller headings, these name what is sold, and the larger ones are slogans.
        let finest = sections
            .iter()
            .filter(|other| other.heading.page == section.heading.page)
            .filter(|other| other.heading.level <= 4)
            .map(|other| other.heading.level)
            .max();
        let named = finest.is_none_or(|finest| level >= finest.min(3))
            || words::count(&section.heading.text) <= 2;
        let sold = section.part == Part::Product && (2..=4).contains(&level) && !group && named;
        let own = !matches!(
            section.part,
            Part::Legal
                | Part::Contact
                | Part::Careers
                | Part::Press
                | Part::Pricing
                | Part::Questions
        );
        let short = words::count(&section.heading.text) <= LONGEST_HEADING;
        let shown = || {
            has_price(section, above)
                || matches!(section.part, Part::Home | Part::Product | Part::Other)
                    && is_card(section)
                    && recurs(section.heading, site)
                || same_call(section, &sections)
        };
        if (sold && (short || recurs(section.heading, site)) || own && !group && shown())
            && !other_list(&section.heading.text)
            && !stray(section.heading)
        {
            found.passage(section.heading);
        }
    }
    found.claims
}

struct Found<'a> {
    site: &'a Site,
    claims: Vec<Claim>,
}

impl Found<'_> {
    fn add(&mut self, name: &str, excerpts: Vec<Excerpt>) {
        let name = name
            .trim()
            .trim_start_matches(['・', '●', '■', '◆', '•', '-', '–'])
            .trim();
        let key = letters(name);
        let known = |claim: &Claim| claim.value.as_str().map(letters).as_ref() == Some(&key);
        // `Why Acme`, `Acme's services` are headings about the company.
        let of_company = |own: &String| {
            let own = letters(legal_names::without_form(own));
            own.chars().count() >= 3 && key.contains(&own)
        };
        let is_new = !self.claims.iter().any(known);
        let is_other = self.site.research.names.iter().any(of_company);
        // `Ascoltiamo` is a step of the company's work.
        let is_step = words::split(&words::fold(name))
            .first()
            .is_some_and(|first| speaks_as_we(first, self.site));
        if is_name(name) && !is_step && is_new && !is_other && self.claims.len() < MOST {
            self.claims.push(Claim::stated(name, excerpts));
        }
    }

    fn passage(&mut self, passage: &Passage) {
        let excerpt = Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        self.add(&passage.text, vec![excerpt]);
    }

    fn item(&mut self, item: &Item<'_>) {
        self.add(item.name, item.excerpts(false));
    }

    /// Products and services of structured data that a page shows.
    fn declared(&mut self, evidence: &Evidence) {
        let mut named: Vec<String> = Vec::new();
        for (_, _, page) in self.site.own_pages() {
            for object in page.json_ld_of(SOLD) {
                if let Some(name) = object.get("name") {
                    texts_of(name, 0, &mut named);
                }
            }
        }
        for organization in &self.site.organizations {
            for member in ["makesOffer", "hasOfferCatalog", "knowsAbout"] {
                if let Some(value) = organization.members.get(member) {
                    names_in(value, 0, &mut named);
                }
            }
        }
        for name in named.into_iter().take(40) {
            let carrier = evidence
                .passages
                .iter()
                .filter(|passage| passage.text.chars().count() <= 400)
                .filter(|passage| passage.text.contains(&name))
                .min_by_key(|passage| {
                    (
                        self.site.part(passage.page) != Part::Product,
                        passage.kind != BlockKind::Heading,
                    )
                });
            if let Some(passage) = carrier {
                let excerpt = Excerpt {
                    page: passage.page,
                    text: passage.text.clone(),
                };
                self.add(&name, vec![excerpt]);
            }
        }
    }
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
        _ => {}
    }
}

/// Whether a section is a card: a smaller heading with a text under it and no further heading.
fn is_card(section: &Section<'_>) -> bool {
    (2..=4).contains(&section.heading.level)
        && section.lead().is_some()
        && section
            .body
            .iter()
            .all(|passage| passage.kind != BlockKind::Heading)
}

/// Whether a heading's words are a link, or a heading of another page: a thing that has a page or a chapter of its
/// own.
///
/// The same small heading on several pages is a label or a part of the page's frame, and a link to a place of its own
/// page belongs to a table of contents.
fn recurs(heading: &Passage, site: &Site) -> bool {
    let key = letters(&heading.text);
    site.own_pages().any(|(at, part, page)| {
        let other = at != heading.page && !matches!(part, Part::Press | Part::Careers);
        let headed = |block: &Block| {
            block.kind == BlockKind::Heading
                && block.main
                && block.level.is_some_and(|level| level < heading.level)
                && letters(&block.text) == key
        };
        let leads = |link: &Link| {
            let (to, place) = link.url.split_once('#').unwrap_or((&link.url, ""));
            letters(&link.text) == key
                && (place.is_empty() || to != page.url && to != page.final_url)
        };
        other && page.blocks.iter().any(headed) || page.links.iter().any(leads)
    })
}

/// Whether a heading stands on three pages or more, and nothing else shows that it names a thing: `Follow us`.
fn is_frame(heading: &Passage, site: &Site) -> bool {
    let key = letters(&heading.text);
    let pages = site.own_pages().filter(|(_, _, page)| {
        let headed =
            |block: &Block| block.kind == BlockKind::Heading && letters(&block.text) == key;
        page.blocks.iter().any(headed)
    });
    pages.count() >= 3 && !recurs(heading, site)
}

/// Whether a larger heading, or the line above it, says that what stands under it is no list of products: reasons,
/// values, questions, or groups of customers.
fn under_other_list(own: &Passage, sections: &[Section<'_>], evidence: &Evidence) -> bool {
    let over = sections
        .iter()
        .rev()
        .map(|other| other.heading)
        .find(|other| other.page == own.page && other.block < own.block && other.level < own.level);
    let Some(over) = over.filter(|over| over.level > 1) else {
        return false;
    };
    let above = evidence.passages.iter().find(|passage| {
        passage.page == over.page
            && passage.block + 1 == over.block
            && passage.kind != BlockKind::Heading
            && !passage.text.ends_with(['.', '!', '…', '。'])
    });
    [Some(over), above].into_iter().flatten().any(|passage| {
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        words.len() <= 7
            && !PRODUCTS.any_in(&words)
            && (WHY.open(&words)
                || [
                    &APART_HEADINGS,
                    &BENEFIT_HEADINGS,
                    &VALUE_HEADINGS,
                    &QUESTION_HEADINGS,
                    &SEGMENT_HEADINGS,
                ]
                .into_iter()
                .any(|headings| headings.any_in(&words)))
    })
}

/// Whether at least three sections of a page at this level end with the same call to act: what one can book or
/// order.
fn same_call(section: &Section<'_>, sections: &[Section<'_>]) -> bool {
    let call = |section: &Section<'_>| {
        let last = section.body.iter().find(|passage| {
            let folded = words::fold(&passage.text);
            let words = words::split(&folded);
            (2..=5).contains(&words.len())
                && (VERBS.open(&words) || VERBS.any_in(&words))
                && !GENERIC.are(&words)
        })?;
        Some(letters(&last.text))
    };
    let Some(own) = call(section) else {
        return false;
    };
    let alike = sections.iter().filter(|other| {
        other.heading.page == section.heading.page
            && other.heading.level == section.heading.level
            && call(other).as_ref() == Some(&own)
    });
    alike.count() >= 3
}

/// Whether a price stands right under a heading or above it: what costs something is for sale.
fn has_price(section: &Section<'_>, above: Option<&Passage>) -> bool {
    let below = section.body.iter().take(4).copied();
    below.chain(above).any(|passage| {
        passage.kind != BlockKind::Heading
            && passage.text.chars().count() <= 60
            && passage.text.contains(['€', '$', '£', '¥', '円', '₹'])
            && passage.text.chars().any(|c| c.is_ascii_digit())
    })
}

/// The names under headings that announce products and services, as folded letters.
pub fn named_under_headings(site: &Site, sections: &[Section<'_>]) -> Vec<String> {
    let cards = sections.iter().filter(|section| announces(section));
    let items = cards.flat_map(Section::items);
    let own = |section: &&Section<'_>| is_card(section) && recurs(section.heading, site);
    let headings = sections
        .iter()
        .filter(own)
        .map(|section| section.heading.text.as_str());
    items
        .map(|item| letters(item.name))
        .chain(headings.map(letters))
        .collect()
}

/// Whether a section's heading announces products or services: it is a few words, one of them such a word.
fn announces(section: &Section<'_>) -> bool {
    let folded = words::fold(&section.heading.text);
    let words = words::split(&folded);
    let own = matches!(
        section.part,
        Part::Home | Part::Product | Part::About | Part::Other
    );
    own && (1..=4).contains(&words.len())
        && (PRODUCTS.any_in(&words) || LABELS.are(&words))
        && !other_list(&section.heading.text)
}

/// Whether a heading stands over something else than products: benefits, values, questions, people.
fn other_list(heading: &str) -> bool {
    let folded = words::fold(heading);
    let words = words::split(&folded);
    let sold = PRODUCTS.any_in(&words);
    WHY.open(&words)
        || WE.open(&words) && !sold
        || [
            &APART_HEADINGS,
            &BENEFIT_HEADINGS,
            &VALUE_HEADINGS,
            &QUESTION_HEADINGS,
        ]
        .into_iter()
        .any(|headings| headings.any_in(&words))
        || !sold && OTHER_LIST_HEADINGS.any_in(&words)
}

/// The names in the value of a label: its lines, or what its commas separate.
fn listed(value: &str) -> Vec<&str> {
    // Where a text needs no blanks, one is the end of a line.
    let joined = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}');
    if value.contains(joined) && value.contains(char::is_whitespace) {
        return value.split_whitespace().collect();
    }
    let marks: &[char] = if value.contains(['\n', '・', '●', '■', ';']) {
        &['\n', '●', '■', ';']
    } else {
        &[',', '、', '，', '/', '／']
    };
    value
        .split(marks)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect()
}

/// Whether a text may be the name of a product or service.
fn is_name(name: &str) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    (1..=9).contains(&words.len())
        && (2..=80).contains(&name.chars().count())
        && name.chars().any(char::is_alphabetic)
        && !name.ends_with(['?', '!', '.', ':', '…', '。', '？', '！', '：'])
        && !name.contains(['@', '|', ':'])
        && !WE.open(&words)
        // Steps and counters begin with their number.
        && !name.starts_with(|c: char| c.is_numeric())
        && !NO_OFFERINGS.open(&words)
        && !PRODUCTS.are(&words)
        && roles::named_page(&words).is_none_or(|role| role == Role::Products)
        && !names::is_generic(name)
        && !boilerplate::is_call_to_act(name)
}
