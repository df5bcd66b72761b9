//! What the company offers, and to whom.

use gtm_lexicon::markets::WHOM_HEADINGS;
use gtm_lexicon::offer::NO_OFFERINGS;
use serde_json::Value;

use super::part;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;
use gtm_site_research::words;

/// Names of products and services.
pub fn offerings(research: &Research, evidence: &Evidence) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut add = |name: &str, passage: &Passage| {
        let known = found.iter().any(|claim| {
            claim
                .value
                .as_str()
                .is_some_and(|value| value.eq_ignore_ascii_case(name))
        });
        if !known && found.len() < 8 {
            found.push(part(name, &passage.text, passage.page));
        }
    };
    let declared = research
        .pages
        .iter()
        .filter(|visited| visited.first_party())
        .flat_map(|visited| {
            visited
                .page
                .json_ld_of(&["Product", "Service", "SoftwareApplication"])
        })
        .filter_map(|product| product.get("name").and_then(Value::as_str));
    for name in declared
        .filter(|name| (2..=60).contains(&name.chars().count()))
        .take(20)
    {
        let carrier = evidence
            .passages
            .iter()
            .filter(|passage| {
                passage.main && passage.text.chars().count() <= 400 && passage.text.contains(name)
            })
            .min_by_key(|passage| {
                (
                    passage.role != Role::Products,
                    passage.kind != BlockKind::Heading,
                )
            });
        if let Some(passage) = carrier {
            add(name, passage);
        }
    }
    for passage in evidence
        .passages
        .iter()
        .filter(|passage| passage.role == Role::Products && passage.main)
    {
        let folded = words::fold(&passage.text);
        let words = words::split(&folded);
        let names_one = passage.kind == BlockKind::Heading
            && (2..=3).contains(&passage.level)
            && (1..=6).contains(&words.len())
            && passage.text.chars().count() <= 80
            && !passage.text.ends_with(['?', '!', '.', ':'])
            && !NO_OFFERINGS.open(&words);
        if names_one {
            add(&passage.text, passage);
        }
    }
    found
}

/// Whom, or which regions, the company serves.
pub fn markets(evidence: &Evidence) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut under: Option<(usize, u8)> = None;
    for passage in evidence
        .passages
        .iter()
        .filter(|passage| passage.main && passage.role != Role::External)
    {
        if passage.kind == BlockKind::Heading {
            let folded = words::fold(&passage.text);
            if WHOM_HEADINGS.are(&words::split(&folded)) {
                under = Some((passage.page, passage.level));
                continue;
            }
            if under.is_some_and(|(page, level)| page == passage.page && passage.level > level) {
                add_market(&mut found, passage);
                continue;
            }
            under = None;
        } else if passage.kind == BlockKind::ListItem
            && under.is_some_and(|(page, _)| page == passage.page)
        {
            add_market(&mut found, passage);
        }
    }
    found
}

fn add_market(found: &mut Vec<Claim>, passage: &Passage) {
    // "Vaccines: pharmacies and wholesalers" names the market before the colon.
    let name = passage
        .text
        .split([':', '–', '—'])
        .next()
        .unwrap_or_default()
        .trim();
    let known = found.iter().any(|claim| claim.value.as_str() == Some(name));
    if !known
        && found.len() < 8
        && (3..=60).contains(&name.chars().count())
        && passage.text.chars().count() <= 400
    {
        found.push(part(name, &passage.text, passage.page));
    }
}
