//! The company profile: facts of the site, in the form of annex A3.

use gtm_lexicon::countries::{self, Country};
use gtm_lexicon::markets::WHOM_HEADINGS;
use gtm_lexicon::places::ALSO_STATES;
use gtm_lexicon::segments::SECTORS;
use gtm_site_facts::draft::{
    CATEGORY, Draft as Facts, EMPLOYEE_RANGE, HEADQUARTERS, INDUSTRIES, MARKETS, SEGMENTS,
};
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::fixed_texts::DIFFERENT_HEADCOUNTS;
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use serde_json::Value;

use super::business_model::business_model;
use crate::draft::{Profile, Risk, RiskKind};

/// Most markets kept.
const MOST_MARKETS: usize = 24;

/// The profile. Contradictions between pages are added to `risks`, in the result's language.
pub fn profile(
    facts: &Facts,
    (offerings, areas): (Vec<Claim>, Vec<Claim>),
    (site, evidence): (&Site, &Evidence),
    language: &str,
    risks: &mut Vec<Risk>,
) -> Profile {
    let told: Vec<String> = facts
        .contradiction(EMPLOYEE_RANGE)
        .map(|value| in_words(value, language))
        .collect();
    if told.len() > 1 {
        risks.push(Risk {
            text: DIFFERENT_HEADCOUNTS.filled(language, &[("values", &told.join(", "))]),
            kind: RiskKind::Conflict,
        });
    }
    let said = |claim: &Claim| {
        let mut value = claim.value.clone();
        let code = value["country"].as_str().unwrap_or_default();
        if let Some(name) = Country::of_code(code).and_then(|known| shown(known, claim, language)) {
            value["country"] = name.into();
        }
        Claim {
            value: in_words(&value, language).into(),
            ..claim.clone()
        }
    };
    let industry = facts
        .many(INDUSTRIES)
        .first()
        .or_else(|| facts.one(CATEGORY));
    Profile {
        industry: industry.map(said).filter(|claim| names_trade(claim, site)),
        employee_range: facts.one(EMPLOYEE_RANGE).cloned(),
        headquarters: facts.one(HEADQUARTERS).map(said),
        business_model: business_model(site, evidence),
        markets: markets(facts, (areas, &offerings), evidence, language),
        offerings,
        particulars: Vec::new(),
    }
}

/// Most words of the name of a trade.
const LONGEST_TRADE: usize = 9;

/// Whether an industry is the name of a trade, and not a sentence about the company, nor a heading over its customers.
fn names_trade(claim: &Claim, site: &Site) -> bool {
    let text = claim.value.as_str().unwrap_or_default();
    let folded = words::fold(text);
    words::count(text) <= LONGEST_TRADE
        && !SECTORS.any_in(&words::split(&folded))
        && !site.research.names.iter().any(|name| {
            let rest = folded.strip_prefix(&words::fold(name));
            rest.is_some_and(|rest| rest.starts_with(' '))
        })
}

/// A fact's value as one text: the label of an industry, a place with its country.
fn in_words(value: &Value, language: &str) -> String {
    let text = |member: &str| value[member].as_str().map(str::to_owned);
    if let Some(text) = value.as_str() {
        return text.to_owned();
    }
    if let Some(label) = text("label").or_else(|| text("name")) {
        return label;
    }
    let country = text("country").map(|code| country_name(&code, language).unwrap_or(code));
    let parts = [text("locality"), text("region"), country];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The name of a country in a language.
fn country_name(code: &str, language: &str) -> Option<String> {
    let name = Country::of_code(code)?.name_in(language)?;
    Some(name.to_owned())
}

/// The name by which an excerpt calls a country, in the playbook's language where it is known in several: `Deutschland` gives
/// way to `Germany` in English, while `England` is no name of the whole country in any language and stays.
fn shown(country: Country, claim: &Claim, language: &str) -> Option<&'static str> {
    let stands = |name: &&str| {
        let mut excerpts = claim.excerpts.iter();
        excerpts.any(|excerpt| excerpt.text.contains(*name))
    };
    let own = country.name_in(language);
    if let Some(own) = own.filter(|own| stands(own)) {
        return Some(own);
    }
    let found = country.names().find(stands)?;
    let own = own.filter(|_| is_of_a_language(country, found));
    Some(own.unwrap_or(found))
}

/// Whether a name is the plain one of the whole country in some language.
fn is_of_a_language(country: Country, name: &str) -> bool {
    country.names_in_results().any(|known| known == name)
}

/// What a market is called in the playbook's language, if it is a country, and not perhaps a state of the same name.
fn in_language(name: &str, language: &str) -> Option<&'static str> {
    if ALSO_STATES.contains(&words::fold(name)) {
        return None;
    }
    let country = countries::all().find(|country| country.names().any(|known| known == name))?;
    let own = country.name_in(language)?;
    is_of_a_language(country, name).then_some(own)
}

/// The page and level of the heading that is read under, and the form of its entries.
type Under = (usize, u8, Option<(BlockKind, u8)>);

/// Whom, or which regions, the company serves: what stands under a heading for it, groups of customers, countries. Under
/// `Sectors` may stand what it sells, too: that is no market.
fn markets(
    facts: &Facts,
    (areas, offerings): (Vec<Claim>, &[Claim]),
    evidence: &Evidence,
    language: &str,
) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    for claim in &areas {
        if let Some(name) = claim.value.as_str() {
            add(
                &mut found,
                in_language(name, language).unwrap_or(name),
                claim,
            );
        }
    }
    // The page and, from the first entry on, the form of the entries: only the first run of equals is the list.
    let mut under: Option<Under> = None;
    for passage in evidence
        .passages
        .iter()
        .filter(|passage| passage.main && passage.role != Role::External)
    {
        let form = (passage.kind, passage.level);
        let is_entry = |(page, level, first): Under| {
            page == passage.page
                && match first {
                    Some(first) => first == form,
                    None => passage.kind == BlockKind::ListItem || passage.level > level,
                }
        };
        let is_form = matches!(passage.kind, BlockKind::ListItem | BlockKind::Heading);
        if passage.kind == BlockKind::Heading
            && WHOM_HEADINGS.are(&words::split(&words::fold(&passage.text)))
        {
            under = Some((passage.page, passage.level, None));
        } else if let Some((page, level, _)) = under.filter(|under| is_form && is_entry(*under)) {
            // A claim is no market, and begins another part of the page.
            if passage.kind == BlockKind::Heading && passage.text.ends_with(['.', '!', '?', '。'])
            {
                under = None;
            } else {
                add_market(&mut found, passage, language);
                under = Some((page, level, Some(form)));
            }
        } else if passage.kind == BlockKind::Heading {
            // Below an entry, smaller headings and lists tell more of it.
            let inside = under
                .and_then(|(.., first)| first)
                .is_some_and(|(kind, level)| kind == BlockKind::Heading && passage.level > level);
            if !inside {
                under = None;
            }
        }
    }
    for claim in facts.many(MARKETS) {
        let country = claim.value.as_str().and_then(Country::of_code);
        if let Some(name) = country.and_then(|known| shown(known, claim, language)) {
            add(&mut found, name, claim);
        }
    }
    for claim in facts.many(SEGMENTS) {
        add(&mut found, &in_words(&claim.value, language), claim);
    }
    let name = |claim: &Claim| claim.value.as_str().map(words::letters);
    let sold: Vec<Option<String>> = offerings.iter().map(name).collect();
    found.retain(|claim| !sold.contains(&name(claim)));
    found
}

fn add(found: &mut Vec<Claim>, name: &str, claim: &Claim) {
    let known = found.iter().any(|known| known.value.as_str() == Some(name));
    if !known && found.len() < MOST_MARKETS {
        found.push(Claim {
            value: name.into(),
            ..claim.clone()
        });
    }
}

fn add_market(found: &mut Vec<Claim>, passage: &Passage, language: &str) {
    // "Vaccines: pharmacies and wholesalers" names the market before the colon.
    let name = passage
        .text
        .split([':', '–', '—', '：'])
        .next()
        .unwrap_or_default()
        .trim();
    if (3..=60).contains(&name.chars().count()) && passage.text.chars().count() <= 400 {
        let excerpt = Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        let shown = in_language(name, language).unwrap_or(name);
        add(found, shown, &Claim::stated(shown, vec![excerpt]));
    }
}
