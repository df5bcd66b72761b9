//! Calls to action, and the company's text about itself for the press.

use std::collections::BTreeMap;

use gtm_lexicon::calls::{GENERIC, VERBS};
use gtm_lexicon::press::{ABOUT, PROFILE_HEADINGS};
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::instructions;
use gtm_site_research::words;

use super::Line;
use super::legal_names;
use super::outline::sections;
use super::speaker::says_what_it_is;
use crate::draft::{BOILERPLATE, CALLS_TO_ACTION, Draft};
use crate::plan::Part;
use crate::site::Site;

/// Most different link texts examined.
const MOST_TEXTS: usize = 100;

/// Collects calls to action and the boilerplate.
pub fn collect(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &mut Draft) {
    calls(site, lines, draft);
    draft.set(BOILERPLATE, about_for_the_press(site, evidence));
}

/// Link texts that ask the reader to act, most frequent first.
fn calls(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let mut counts: BTreeMap<String, (usize, usize, usize, String)> = BTreeMap::new();
    let mut order = 0;
    for (page, part, content) in site.own_pages() {
        if matches!(part, Part::Legal) {
            continue;
        }
        for link in &content.links {
            let text = gtm_page_text::normalize(&link.text);
            if !is_call(&text) {
                continue;
            }
            let key = words::fold(&text);
            let known = counts.contains_key(&key);
            let stands = || {
                lines
                    .iter()
                    .any(|line| line.page == page && line.text.contains(&text))
            };
            if !known && (counts.len() >= MOST_TEXTS || !stands()) {
                continue;
            }
            order += 1;
            let entry = counts.entry(key).or_insert((0, order, page, text));
            entry.0 += 1;
        }
    }
    let mut found: Vec<(usize, usize, usize, String)> = counts.into_values().collect();
    found.sort_by_key(|(count, order, _, _)| (std::cmp::Reverse(*count), *order));
    for (_, _, page, text) in found.into_iter().take(6) {
        let excerpt = Excerpt {
            page,
            text: text.clone(),
        };
        draft.push(CALLS_TO_ACTION, Claim::stated(text, vec![excerpt]));
    }
}

fn is_call(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let asks = boilerplate::is_call_to_act(text)
        || VERBS.open(&words)
        // German and some other languages put the verb last: `Termin vereinbaren`.
        || words.last().is_some_and(|last| VERBS.has_word(last)) && words.len() >= 2;
    (2..=6).contains(&words.len())
        && text.chars().count() <= 50
        && asks
        && !GENERIC.are(&words)
        && !instructions::addressed_to_a_model(text)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_from_other_links() {
        assert!(
            is_call("Book a demo")
                && is_call("Termin vereinbaren")
                && is_call("Get a quote")
                && is_call("Start free trial")
        );
        assert!(
            !is_call("Learn more")
                && !is_call("Products")
                && !is_call("Read more")
                && !is_call("Why we built our own reader for meters in basements")
        );
    }
}
