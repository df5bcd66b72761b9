//! What the target's own site says of it: who it is, its numbers, where it is and what it wants, each with its source.

use gtm_document_model::block::{Block, Kpi, Kpis, Quote};
use gtm_document_model::table::{ColumnKind, Table, TableColumn};
use gtm_document_model::text::Run;
use gtm_lexicon::company::WE;
use gtm_lexicon::countries::Country;
use gtm_lexicon::{fold, split};
use gtm_page_text::{is_in_another_language, primary_language};
use gtm_site_facts::draft::{
    COMMITMENTS, DESCRIPTION_SHORT, Draft, FOUNDED_YEAR, HEADQUARTERS, PROOF_POINTS,
};
use gtm_site_facts::facts;
use gtm_site_facts::part::Part;
use gtm_site_research::claim::Claim;
use serde_json::Value;

use crate::chapter::{Chapter, Role, lead};
use crate::labels;
use crate::material::{Material, Target};
use crate::runs::cited;
use crate::sources::Sources;

/// Most figures of a row.
const MOST_FIGURES: usize = 4;
/// Fewest counters that make a row.
const LEAST_COUNTERS: usize = 3;
/// Longest figure and longest label of one, in characters.
const LONGEST_FIGURE: usize = 20;
const LONGEST_LABEL: usize = 60;
/// Most offerings that are named.
const MOST_OFFERINGS: usize = 6;
/// Longest sentence that leads, in characters.
const LONGEST_LEAD: usize = 320;

/// The chapter on the target; none without one, or where its site says nothing in the document's language.
pub fn chapter(material: &mut Material<'_>) -> Option<Chapter> {
    let target = material.target.clone()?;
    let language = material.language.clone();
    let mut draft = Draft::default();
    facts::collect(None, &target.site, &target.evidence, &mut draft);
    let same = primary_language(&target.site.research.language) == primary_language(&language);
    let sources = &mut material.sources;
    let mut blocks = Vec::new();
    if same {
        blocks.extend(introduction(&draft, &target, &language, sources));
        blocks.extend(figures(&draft, &target, sources));
    }
    blocks.extend(table(&draft, &target, &language, same, sources));
    if same {
        blocks.extend(goal(&draft, &target, &language, sources));
    }
    let heading = labels::TARGET.filled(&language, &[("company", target.name())]);
    Chapter::of(heading, Role::Target, blocks)
}

fn text(claim: &Claim) -> Option<&str> {
    claim.value.as_str().filter(|text| !text.trim().is_empty())
}

/// The sentence with which the site says what the company is. What it says of itself as `we` is quoted, because in this
/// document `we` is somebody else.
fn introduction(
    draft: &Draft,
    target: &Target,
    language: &str,
    sources: &mut Sources,
) -> Option<Block> {
    let claim = draft.one(DESCRIPTION_SHORT)?;
    let said = text(claim)?;
    if said.chars().count() > LONGEST_LEAD || is_in_another_language(said, language) {
        return None;
    }
    let cite = sources.cite_all(&claim.excerpts);
    Some(match speaks_of_itself(said) {
        true => quote(said, target, cite),
        false => lead(cited(said, &cite)),
    })
}

fn speaks_of_itself(said: &str) -> bool {
    let folded = fold(said);
    WE.any_in(&split(&folded))
}

fn quote(said: &str, target: &Target, cite: Vec<String>) -> Block {
    Block::Quote(Quote {
        runs: vec![Run::plain(said)],
        attribution: Some(target.name().to_owned()),
        cite,
    })
}

/// The row of figures that the site shows: a number with what it counts.
fn figures(draft: &Draft, target: &Target, sources: &mut Sources) -> Option<Block> {
    let mut items: Vec<Kpi> = Vec::new();
    let mut add = |value: String, label: String, cite: Vec<String>| {
        if items.len() < MOST_FIGURES && items.iter().all(|known| known.label != label) {
            items.push(Kpi {
                value,
                label,
                detail: None,
                cite,
            });
        }
    };
    for (page, value, label) in counters(target) {
        let cite = vec![sources.cite(page, &value), sources.cite(page, &label)];
        add(value, label, cite.into_iter().take(1).collect());
    }
    for claim in draft.many(PROOF_POINTS) {
        let is_metric = claim.value.get("kind").and_then(Value::as_str) == Some("metric");
        let said = claim.value.get("text").and_then(Value::as_str);
        if let Some((value, label)) = said.filter(|_| is_metric).and_then(figure) {
            add(value, label, sources.cite_all(&claim.excerpts));
        }
    }
    (items.len() >= 2).then_some(Block::Kpis(Kpis { items }))
}

/// Counters: at least three numbers in a row on a page, each with what it counts in the block behind it.
fn counters(target: &Target) -> Vec<(usize, String, String)> {
    for (index, part, page) in target.site.own_pages() {
        if !matches!(part, Part::Home | Part::About | Part::Customers) {
            continue;
        }
        let mut found: Vec<(usize, String, String)> = Vec::new();
        let mut at = 0;
        while at < page.blocks.len() {
            let pair = page.blocks.get(at..at + 2);
            let told = pair.and_then(|pair| {
                let [value, label] = pair else { return None };
                figure(&format!("{} {}", value.text.trim(), label.text.trim())).filter(
                    |(number, words)| number == value.text.trim() && words == label.text.trim(),
                )
            });
            match told {
                Some((value, label)) => {
                    found.push((index, value, label));
                    at += 2;
                }
                None if found.len() >= LEAST_COUNTERS => break,
                None => {
                    found.clear();
                    at += 1;
                }
            }
        }
        if found.len() >= LEAST_COUNTERS {
            return found;
        }
    }
    Vec::new()
}

/// `96,000 pallet positions` as a figure and its label.
fn figure(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let end = text
        .find(|c: char| c.is_alphabetic() || (c.is_whitespace() && !c.is_ascii()))
        .or_else(|| text.find(char::is_alphabetic))?;
    let (value, label) = text.split_at(end);
    let value = value
        .trim_end_matches([':', '–', '-', ' ', '\u{a0}'])
        .trim();
    let label = label.trim().trim_end_matches('.');
    let fits = value.starts_with(|c: char| {
        c.is_numeric() || matches!(c, '+' | '>' | '<' | '~' | '€' | '$' | '£')
    }) && value.chars().any(char::is_numeric)
        && (1..=LONGEST_FIGURE).contains(&value.chars().count())
        && label.chars().count() <= LONGEST_LABEL
        && label.split_whitespace().count() <= 7
        && label.chars().count() >= 3;
    fits.then(|| (value.to_owned(), label.to_owned()))
}

/// Seat, founding and offerings, in a small table.
fn table(
    draft: &Draft,
    target: &Target,
    language: &str,
    same: bool,
    sources: &mut Sources,
) -> Option<Block> {
    let mut rows: Vec<Vec<Vec<Run>>> = Vec::new();
    let mut row = |label: &gtm_site_research::fixed_texts::FixedText, said: Vec<Run>| {
        rows.push(vec![vec![Run::plain(label.in_language(language))], said]);
    };
    if let Some(claim) = draft.one(HEADQUARTERS)
        && let Some(place) = place(&claim.value, language)
    {
        let cite = first(sources, claim);
        row(&labels::HEADQUARTERS, cited(&place, &cite));
    }
    if let Some(claim) = draft.one(FOUNDED_YEAR)
        && let Some(year) = claim.value.as_i64()
    {
        let cite = first(sources, claim);
        row(&labels::FOUNDED, cited(&year.to_string(), &cite));
    }
    let offerings: Vec<Claim> = facts::offerings(&target.site, &target.evidence);
    let mut runs: Vec<Run> = Vec::new();
    for claim in offerings.iter().filter(|_| same).take(MOST_OFFERINGS) {
        let Some(name) = text(claim) else { continue };
        let cite = first(sources, claim);
        let comma = if primary_language(language) == "ja" {
            "、"
        } else {
            ", "
        };
        match runs.last_mut() {
            // One mark for what one page says.
            Some(last) if last.cite == cite => last.text.push_str(&format!("{comma}{name}")),
            Some(last) => {
                last.text.push_str(comma);
                runs.extend(cited(name, &cite));
            }
            None => runs.extend(cited(name, &cite)),
        }
    }
    if !runs.is_empty() {
        row(&labels::OFFERINGS, runs);
    }
    let columns = ["", target.name()].map(|label| TableColumn {
        label: label.chars().take(200).collect(),
        align: None,
        kind: ColumnKind::Text,
    });
    (rows.len() >= 2).then(|| {
        Block::Table(Table {
            columns: columns.to_vec(),
            rows,
            caption: Vec::new(),
            header_column: true,
        })
    })
}

/// One place that says it is enough for a reader.
fn first(sources: &mut Sources, claim: &Claim) -> Vec<String> {
    let longest = claim
        .excerpts
        .iter()
        .max_by_key(|excerpt| excerpt.text.len());
    longest
        .map(|excerpt| sources.cite(excerpt.page, &excerpt.text))
        .into_iter()
        .collect()
}

fn place(value: &Value, language: &str) -> Option<String> {
    let part = |name: &str| value.get(name).and_then(Value::as_str);
    let locality = part("locality")?;
    let country = part("country").and_then(Country::of_code);
    let country = country.and_then(|country| country.name_in(primary_language(language)));
    Some(match country {
        Some(country) => format!("{locality}, {country}"),
        None => locality.to_owned(),
    })
}

/// What the company has set itself to do, in its own words.
fn goal(draft: &Draft, target: &Target, language: &str, sources: &mut Sources) -> Option<Block> {
    let claim = draft.many(COMMITMENTS).iter().find(|claim| {
        text(claim).is_some_and(|said| {
            said.chars().count() <= LONGEST_LEAD && !is_in_another_language(said, language)
        })
    })?;
    let cite = sources.cite_all(&claim.excerpts);
    Some(quote(text(claim)?, target, cite))
}
