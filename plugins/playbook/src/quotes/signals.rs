//! Buying signals: what the site says has changed or is about to, with the date it gives.

mod certificates;
mod dated_lines;
mod items;
mod notices;
mod openings;
mod told;
mod years;

use std::collections::BTreeMap;

use gtm_lexicon::Phrases;
use gtm_lexicon::denials::OF_VERBS;
use gtm_lexicon::signals::{
    EXPANSION, FAIRS, FUNDING, HIRING, LEADERSHIP, OCCASIONS, PRODUCT, REGULATORY, TECHNOLOGY,
};
use serde_json::json;

use crate::draft::{Risk, RiskKind};
use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates::{self, Date};
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::fixed_texts::OLD_NEWS;
use gtm_site_research::roles::Role;
use gtm_site_research::words;

/// The kind of what no word tells the kind of.
const OTHER: &str = "other";

/// The kind of what rules and certificates demand.
pub const REGULATED: &str = "regulatory";

/// Kinds of signals with their cues; the first kind with a matching cue counts.
const KINDS: [(&str, &Phrases); 7] = [
    ("funding", &FUNDING),
    ("leadership", &LEADERSHIP),
    ("hiring", &HIRING),
    ("expansion", &EXPANSION),
    ("product", &PRODUCT),
    (REGULATED, &REGULATORY),
    ("technology", &TECHNOLOGY),
];

/// Age in months at which news is no longer a signal.
const STALE_AFTER_MONTHS: i64 = 18;
/// Maximum number of signals in a playbook.
const MOST: usize = 8;

struct Signal {
    text: String,
    kind: &'static str,
    date: Option<Date>,
    excerpts: Vec<Excerpt>,
    order: usize,
}

/// The signals, the newest first. If all news is old, a risk says so in the result's language.
pub fn signals(
    evidence: &Evidence,
    site: &Site,
    now_ms: u64,
    language: &str,
    risks: &mut Vec<Risk>,
) -> Vec<Claim> {
    let research = &site.research;
    let now = dates::of_millis(now_ms);
    let declared = openings::declared(site);
    let mut found: Vec<Signal> = Vec::new();
    for page in 0..research.pages.len() {
        let passages: Vec<&Passage> = evidence
            .passages
            .iter()
            .filter(|passage| passage.page == page && passage.main)
            .collect();
        let role = passages.first().map(|passage| passage.role);
        match role {
            Some(Role::News) => {
                let published = site.research.pages.get(page);
                let published = published
                    .and_then(|visited| visited.page.published_at.as_deref())
                    .and_then(dates::find);
                let rest = notices::of_page(&passages, site, &mut found);
                items::items(&rest, site, items::Dated::Perhaps(published), &mut found);
            }
            Some(Role::Careers) => {
                // A list of vacancies often stands outside of what a page marks as its main part.
                let all: Vec<&Passage> = evidence
                    .passages
                    .iter()
                    .filter(|passage| passage.page == page)
                    .collect();
                found.extend(openings::openings(&all, &declared));
            }
            Some(Role::External) => external(evidence, site, page, &mut found),
            Some(Role::Home | Role::About | Role::Products | Role::Customers | Role::Other) => {
                found.extend(openings::under_headings(&passages));
                told::dated(evidence, site, page, now, &mut found);
                notices::notices(&passages, site, &mut found);
                // Elsewhere years date works for customers, too.
                if role == Some(Role::About) {
                    years::years(&passages, now, &mut found);
                }
                certificates::certificates(&passages, site, now, &mut found);
            }
            _ => {}
        }
    }
    found.extend(declared.iter().filter_map(|posting| posting.signal(now)));
    if !found
        .iter()
        .any(|signal| signal.kind == openings::HIRING_KIND)
    {
        told::hiring(evidence, site, &mut found);
    }
    told::training(evidence, site, &mut found);
    let newest = newest_of(evidence, &found);
    let age = |date: Date| now.months() - date.months();
    if let Some(newest) = newest.filter(|&date| age(date) > STALE_AFTER_MONTHS) {
        risks.push(Risk {
            text: OLD_NEWS.filled(language, &[("date", &newest.iso())]),
            kind: RiskKind::Stale,
        });
    }
    found.retain(|signal| {
        signal
            .date
            .is_none_or(|date| age(date) <= STALE_AFTER_MONTHS)
    });
    // Dated ones first, of them events before vacancies, the newest before older ones; the rest in reading order.
    found.sort_by_key(|signal| {
        (
            signal.date.is_none(),
            signal.kind == openings::HIRING_KIND,
            std::cmp::Reverse(signal.date),
            signal.order,
        )
    });
    let mut known: Vec<String> = Vec::new();
    let mut a_kind: BTreeMap<&str, usize> = BTreeMap::new();
    let mut claims = Vec::new();
    for signal in found {
        let folded = words::fold(&signal.text);
        let count = a_kind.entry(signal.kind).or_insert(0);
        let most = if signal.kind == openings::HIRING_KIND {
            MOST
        } else {
            3
        };
        if known.contains(&folded) || *count >= most || claims.len() >= MOST {
            continue;
        }
        *count += 1;
        known.push(folded);
        let value = json!({"signal": signal.text, "kind": signal.kind, "observed_at": signal.date.map(Date::iso)});
        claims.push(Claim::stated(value, signal.excerpts));
    }
    claims
}

/// The newest date of the site's news, unless they name a later year in a way that tells no date.
fn newest_of(evidence: &Evidence, found: &[Signal]) -> Option<Date> {
    let news = || {
        evidence
            .passages
            .iter()
            .filter(|passage| passage.role == Role::News && passage.main)
    };
    let dates = news().filter_map(|passage| dates::find(&passage.text));
    let newest = dates
        .chain(found.iter().filter_map(|signal| signal.date))
        .max()?;
    let later = |word: &&str| {
        word.len() == 4
            && word
                .parse()
                .is_ok_and(|year: u16| (newest.year + 1..=2099).contains(&year))
    };
    let untold = news().any(|passage| {
        let folded = words::fold(&passage.text);
        words::split(&folded).iter().any(later)
    });
    (!untold).then_some(newest)
}

/// The first kind of which the text has a cue.
pub fn kind_of(text: &str) -> Option<&'static str> {
    kind_by(text, 1)
}

/// Whether the words say of something that it does not happen: `We will not open an office in Leeds`.
fn denies(words: &[&str]) -> bool {
    OF_VERBS.any_in(words)
}

/// The first kind of which the text has so many different cues.
fn kind_by(text: &str, least: usize) -> Option<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    if denies(&words) {
        return None;
    }
    let of_kind = KINDS
        .iter()
        .find(|(_, cues)| cues.count_in(&words) >= least)
        .map(|(kind, _)| *kind);
    // Where to meet the company soon, and what it celebrates.
    let is_other = || FAIRS.any_in(&words) || OCCASIONS.any_in(&words);
    of_kind.or_else(|| (least == 1 && is_other()).then_some(OTHER))
}

/// Sentences of other sites that name the company; they take the publication date.
fn external(evidence: &Evidence, site: &Site, page: usize, found: &mut Vec<Signal>) {
    let published = site
        .research
        .pages
        .get(page)
        .and_then(|visited| visited.page.published_at.as_deref())
        .and_then(dates::find);
    let chosen = evidence
        .sentences
        .iter()
        .filter(|sentence| sentence.page == page && sentence.is_quotable())
        .find_map(|sentence| kind_of(&sentence.text).map(|kind| (sentence, kind)));
    if let Some((sentence, kind)) = chosen {
        found.push(Signal {
            text: sentence.text.clone(),
            kind,
            date: dates::find(&sentence.text).or(published),
            excerpts: vec![super::excerpt(sentence)],
            order: found.len(),
        });
    }
}
