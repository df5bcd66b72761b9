//! The facts that a company's pages state, word for word.

mod address;
mod addressed;
mod awards;
mod catalogue;
mod certificates;
mod check_digits;
mod clients;
mod company_table;
mod contact;
mod counters;
mod countries;
mod counts;
mod customers;
mod doubles;
mod figures;
mod foundations;
mod founding;
mod headcount;
mod history;
mod identifiers;
mod introduction;
mod labels;
mod legal;
mod legal_names;
mod markets;
mod memberships;
mod messaging;
mod names;
mod no_counts;
mod numbering;
mod offer;
mod offerings;
mod opening_hours;
mod others;
mod outline;
mod ownership;
mod page_address;
mod people;
mod placeholders;
mod postal;
mod presence;
mod price_level;
mod proofs;
mod questions;
mod ratings;
mod registers;
mod scripts;
mod segments;
mod sold;
mod speaker;
mod steps;
mod tax_numbers;
mod testimonials;
mod tickers;
mod topics;
mod trade;
mod trademarks;

use std::collections::BTreeSet;

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::instructions;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

pub use address::town;
pub use contact::{Contact, Further};
pub use counters::is_share;
pub use figures::{is_price, names_a_sum};
pub use introduction::tells_of_an_officer;
pub use legal::leave_out_stale;
pub use names::{name, registered as registered_names};
pub use speaker::{addresses, says_what_it_is, speaks_of_itself};
pub use trade::says_category;

use crate::certainty::{Borne, Places};
use crate::draft::{Draft, Many};
use crate::letters::letters;
use crate::part::Part;
use crate::site::Site;

use self::catalogue::Catalogue;

/// Names of the company's products and services. Where nothing lists them, a sentence tells what it sells.
pub fn offerings(site: &Site, evidence: &Evidence) -> Vec<Claim> {
    offered(site, evidence, true)
}

/// Names that the company gives its products and services. What a sentence tells of them are no names.
pub fn names_of_offerings(site: &Site, evidence: &Evidence) -> Vec<Claim> {
    offered(site, evidence, false)
}

fn offered(site: &Site, evidence: &Evidence, in_sentences: bool) -> Vec<Claim> {
    let catalogue = Catalogue::of(site);
    let mut others = others::blocks(site);
    others.extend(&catalogue.blocks);
    let lines = lines(site, &others);
    let evidence = &others::without(evidence, &others);
    let pairs = labels::pairs(&lines);
    let told = (pairs.as_slice(), &catalogue.names);
    let mut found = offerings::offerings(site, evidence, told, in_sentences);
    // Pages may list where the company works like what it sells.
    let areas: Vec<String> = markets::areas(site, evidence, &pairs)
        .iter()
        .filter_map(|claim| claim.value.as_str().map(letters))
        .collect();
    found.retain(|claim| {
        let name = claim.value.as_str().map(letters).unwrap_or_default();
        !areas
            .iter()
            .any(|area| !name.is_empty() && area.starts_with(&name))
    });
    weighed(site, found)
}

/// Names of the regions that the company serves.
pub fn areas(site: &Site, evidence: &Evidence) -> Vec<Claim> {
    let others = others::blocks(site);
    let lines = lines(site, &others);
    let evidence = &others::without(evidence, &others);
    weighed(site, markets::areas(site, evidence, &labels::pairs(&lines)))
}

/// How to reach the company. `seat` is the claim of its head office.
pub fn contact(site: &Site, seat: Option<&Claim>) -> Contact {
    let others = others::blocks(site);
    contact::contact(site, &lines(site, &others), seat)
}

/// Where else the company sits, and the mailboxes of its departments, besides what `contact` says.
pub fn further(site: &Site, contact: &Contact) -> Further {
    let others = others::blocks(site);
    contact::further(site, &lines(site, &others), contact)
}

fn weighed(site: &Site, found: Vec<Claim>) -> Vec<Claim> {
    let places = Places::of(site);
    let weighed = |claim| places.weighed(claim, Borne::AgainByItself);
    found.into_iter().map(weighed).collect()
}

/// The evidence without the articles of catalogues, and without what customers say and the lines that say who they are:
/// others say `we`, and have names, roles and staff, too.
pub fn without_customers(site: &Site, evidence: &Evidence) -> Evidence {
    let mut left_out = testimonials::of_customers(site, evidence);
    left_out.extend(Catalogue::of(site).blocks);
    others::without(evidence, &left_out)
}

/// Collects the facts into the draft.
pub fn collect(given: Option<&str>, site: &Site, evidence: &Evidence, draft: &mut Draft) {
    let mut others = others::blocks(site);
    // What is said of goods is not said of the company.
    others.extend(Catalogue::of(site).blocks);
    let with_customers = &others::without(evidence, &others);
    others.extend(testimonials::of_customers(site, evidence));
    let lines = lines(site, &others);
    let evidence = &others::without(evidence, &others);
    let pairs = labels::pairs(&lines);
    introduction::collect(given, site, evidence, draft);
    legal::collect(site, &lines, &pairs, draft);
    trademarks::collect(site, &lines, draft);
    identifiers::collect(site, &lines, &pairs, draft);
    address::collect(site, evidence, &lines, &pairs, draft);
    markets::collect(site, evidence, draft);
    markets::of_areas(site, evidence, &pairs, draft);
    history::collect(site, evidence, &pairs, draft);
    headcount::collect(site, evidence, &pairs, draft);
    trade::collect(site, evidence, &pairs, draft);
    ownership::collect(site, evidence, &lines, draft);
    presence::collect(site, draft);
    price_level::collect(site, draft);
    foundations::collect(site, evidence, draft);
    offer::collect(site, evidence, draft);
    segments::collect(site, evidence, &pairs, draft);
    proofs::collect(site, with_customers, draft);
    messaging::collect(site, evidence, &lines, draft);
    questions::collect(site, evidence, draft);
    draft.weigh(&Places::of(site));
}

/// A block of a page of the site, including footers and notices: legal lines often appear there.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Index of the page.
    pub page: usize,
    /// The part that its page plays.
    pub part: Part,
    /// Whether the line is in the page's main content, not in header or footer.
    pub main: bool,
    /// The kind of block.
    pub kind: BlockKind,
    /// Whether it is inside a form.
    pub form: bool,
    /// The text, verbatim.
    pub text: &'a str,
}

impl Line<'_> {
    /// The whole line as an excerpt.
    pub fn excerpt(&self) -> Excerpt {
        Excerpt {
            page: self.page,
            text: self.text.to_owned(),
        }
    }
}

/// Most characters of a block that is examined as a line.
const LONGEST_LINE: usize = 1_000;

fn lines<'a>(site: &'a Site, others: &BTreeSet<(usize, usize)>) -> Vec<Line<'a>> {
    let mut found = Vec::new();
    for (page, part, content) in site.own_pages() {
        for (at, block) in content.blocks.iter().enumerate() {
            let is_line = block.kind != BlockKind::Code
                && block.text.chars().count() <= LONGEST_LINE
                && !others.contains(&(page, at))
                && !instructions::addressed_to_a_model(&block.text);
            if is_line {
                found.push(Line {
                    page,
                    part,
                    main: block.main,
                    kind: block.kind,
                    form: block.form,
                    text: &block.text,
                });
            }
        }
    }
    found
}

/// The key of a list element, made of its first words: `fast-delivery`.
pub fn slug(text: &str) -> String {
    let folded = words::fold(text);
    let mut key = String::new();
    for word in words::split(&folded).into_iter().take(6) {
        let word: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        if word.is_empty() || key.len() + word.len() > 48 {
            continue;
        }
        if !key.is_empty() {
            key.push('-');
        }
        key.push_str(&word);
    }
    key
}

/// Keys of the elements of a list.
fn keys(draft: &Draft, field: Many) -> Vec<String> {
    draft
        .many(field)
        .iter()
        .filter_map(|claim| {
            claim
                .value
                .get("key")
                .and_then(|key| key.as_str())
                .map(str::to_owned)
        })
        .collect()
}

/// The slug, or the fallback with a number if the text has no Latin letters; never a key already taken.
pub fn unique_slug(text: &str, fallback: &str, taken: &[String]) -> String {
    let base = match slug(text) {
        empty if empty.is_empty() => format!("{fallback}-{}", taken.len() + 1),
        slug => slug,
    };
    let mut key = base.clone();
    let mut number = 2;
    while taken.contains(&key) {
        key = format!("{base}-{number}");
        number += 1;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_short_and_unique() {
        assert_eq!(
            slug("Größere Reichweite, weniger Strom!"),
            "grossere-reichweite-weniger-strom"
        );
        assert_eq!(unique_slug("低成本", "value", &[]), "value-1");
        assert_eq!(unique_slug("Fast", "value", &["fast".to_owned()]), "fast-2");
    }
}
