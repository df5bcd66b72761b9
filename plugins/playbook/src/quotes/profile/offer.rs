//! What the company offers, and to whom.

use serde_json::Value;

use super::part;
use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::reading::Research;
use gtm_site_research::roles::Role;
use gtm_site_research::words;

/// Headings on product pages that name no product.
const GENERIC: &[&str] = &[
    "product*",
    "our product*",
    "solution*",
    "our solution*",
    "service*",
    "our service*",
    "feature*",
    "how it works",
    "why",
    "faq*",
    "questions",
    "contact",
    "overview",
    "benefits",
    "pricing",
    "get started",
    "what you get",
    "what we do",
    "what we make",
    "who",
    "what",
    "how",
    "ready",
    "need",
    "talk",
    "resources",
    "produkte",
    "losungen",
    "leistungen",
    "ubersicht",
    "vorteile",
    "warum",
    "haufige fragen",
    "nos produits",
    "nos solutions",
    "pourquoi",
    "productos",
    "soluciones",
    "por que",
    "ventajas",
    "technical data",
    "specifications",
    "common questions",
    "everything",
    "designed",
    "built",
    "works with",
];

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
            && !words::starts_with_any(&words, GENERIC);
        if names_one {
            add(&passage.text, passage);
        }
    }
    found
}

const MARKET_HEADINGS: &[&str] = &[
    "industries",
    "industries we serve",
    "markets",
    "markets we serve",
    "our markets",
    "who we serve",
    "whom we serve",
    "who we work with",
    "sectors",
    "where we work",
    "countries",
    "branchen",
    "markte",
    "unsere markte",
    "zielgruppen",
    "secteurs",
    "marches",
    "nos marches",
    "sectores",
    "mercados",
];

/// Whom or where the company serves.
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
            let name = words::split(&folded).join(" ");
            if MARKET_HEADINGS.contains(&name.as_str()) {
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
