//! What the home page says first, calls to action, and the company's text about itself for the press.

mod asking;
mod calls;
mod cut;
mod hero;
mod targets;

use std::collections::BTreeSet;

use gtm_lexicon::press::{ABOUT, PROFILE_HEADINGS};
use gtm_site_research::claim::{Basis, Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::words;

pub(super) use self::asking::asks_at_its_end;
pub(super) use self::hero::{is_motto, says_something};
use super::legal_names;
use super::outline::sections;
use super::speaker::says_what_it_is;
use super::{Line, letters};
use crate::draft::{
    BOILERPLATE, CORE_MESSAGE, DESCRIPTION_LONG, DIFFERENTIATORS, Draft, TAGLINE,
    VALUE_PROPOSITIONS,
};
use crate::part::Part;
use crate::site::Site;

/// Collects the message, calls to action and the boilerplate.
pub fn collect(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &mut Draft) {
    let told = told(draft);
    let is_new = |text: &str| !told.contains(&letters(text));
    let message = hero::core_message(site, evidence);
    let message = message.filter(|claim| claim.value.as_str().is_some_and(is_new));
    draft.set(CORE_MESSAGE, message);
    calls::collect(site, lines, draft);
    draft.set(BOILERPLATE, about_for_the_press(site, evidence));
}

/// What the tagline, the long description and the offer say already, by its letters: a message in the same words adds nothing.
fn told(draft: &Draft) -> BTreeSet<String> {
    // A promise that only its place shows is this message itself.
    let told = draft.many(VALUE_PROPOSITIONS).iter();
    let told = told.filter(|claim| claim.basis != Basis::Inferred);
    let parts = told.flat_map(|claim| {
        let parts = ["statement", "benefit"].into_iter();
        parts.filter_map(move |part| claim.value[part].as_str())
    });
    let ones = [TAGLINE, DESCRIPTION_LONG].into_iter();
    ones.filter_map(|field| draft.one(field))
        .chain(draft.many(DIFFERENTIATORS))
        .filter_map(|claim| claim.value.as_str())
        .chain(parts)
        .map(letters)
        .collect()
}

/// The paragraph under `About NAME` on a press page or below a news item; the newest if there are several.
fn about_for_the_press(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let names: Vec<String> = site
        .research
        .names
        .iter()
        .map(|name| words::fold(legal_names::without_form(name)))
        .filter(|name| !name.is_empty())
        .collect();
    let names_company = |heading: &str| {
        let words = words::split(heading);
        ABOUT.open(&words)
            && (names.iter().any(|name| heading.contains(name.as_str()))
                || says_what_it_is(heading, site))
    };
    let fits = |text: &str| (60..=1_500).contains(&text.chars().count());
    let mut found: Vec<(i64, usize, String)> = Vec::new();
    for section in sections(site, evidence) {
        let heading = words::fold(&section.heading.text);
        let named = PROFILE_HEADINGS.any_in(&words::split(&heading));
        if section.part == Part::Press
            && (named || names_company(&heading))
            && let Some(lead) = section.lead().filter(|lead| fits(&lead.text))
        {
            found.push((told_in(site, lead.page), lead.page, lead.text.clone()));
        }
    }
    for passage in &evidence.passages {
        // Some pages put the heading into the paragraph: `About Acme: Acme makes …`.
        if site.part(passage.page) == Part::Press
            && let Some((head, body)) = passage.text.split_once(':')
            && names_company(&words::fold(head))
            && head.split_whitespace().count() <= 8
            && fits(body.trim())
        {
            let told = told_in(site, passage.page);
            found.push((told, passage.page, body.trim().to_owned()));
        }
    }
    // Among equally new ones, take the first.
    let newest = found.iter().map(|(told, ..)| *told).max()?;
    let (_, page, text) = found.into_iter().find(|(told, ..)| *told == newest)?;
    Some(Claim::stated(text.clone(), vec![Excerpt { page, text }]))
}

/// The month in which a page was written, from its metadata or first lines; without a date it counts as
/// newest.
fn told_in(site: &Site, page: usize) -> i64 {
    let Some(page) = site.research.pages.get(page).map(|visited| &visited.page) else {
        return i64::MIN;
    };
    let declared = page.published_at.as_deref().and_then(dates::find);
    let shown = || {
        page.blocks
            .iter()
            .filter(|block| block.main)
            .take(6)
            .filter(|block| dates::is_only_a_date(&block.text))
            .find_map(|block| dates::find(&block.text))
    };
    declared
        .or_else(shown)
        .map_or(i64::MAX, dates::Date::months)
}
