//! What the site asks of its readers, and what it tells the press of itself.

use std::collections::BTreeMap;

use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::evidence::Evidence;
use gtm_site_research::instructions;
use gtm_site_research::words;

use super::Line;
use super::legal_names;
use super::outline::sections;
use crate::draft::{BOILERPLATE, CALLS_TO_ACTION, Draft};
use crate::plan::Part;
use crate::research::Site;

/// Calls that every site has and that say nothing of this one.
const GENERIC: &[&str] = &[
    "learn more",
    "read more",
    "more",
    "find out more",
    "see more",
    "view all",
    "see all",
    "show more",
    "log in",
    "login",
    "sign in",
    "skip to*",
    "mehr erfahren",
    "mehr lesen",
    "mehr",
    "weiterlesen",
    "en savoir plus",
    "lire la suite",
    "saber mas",
    "leer mas",
    "ver mas",
    "read the*",
    "contact",
    "kontakt",
    "join us",
];
/// Verbs that begin a call besides those that mark boilerplate.
const VERBS: &[&str] = &[
    "buy",
    "order",
    "shop",
    "start",
    "try",
    "get",
    "book",
    "request",
    "talk",
    "speak",
    "call",
    "contact us",
    "schedule",
    "reserve",
    "plan",
    "see",
    "compare",
    "calculate",
    "arrange",
    "ask",
    "apply",
    "donate",
    "join",
    "hire",
    "build",
    "create",
    "kaufen",
    "bestellen",
    "jetzt",
    "termin",
    "angebot",
    "beratung",
    "anfragen",
    "vereinbaren",
    "testen",
    "acheter",
    "commander",
    "reserver",
    "demander",
    "essayer",
    "comprar",
    "pedir",
    "solicitar",
    "probar",
    "reservar",
];

/// Different texts of links that are looked at.
const MOST_TEXTS: usize = 100;

/// Collect calls to action and the boilerplate.
pub fn collect(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &mut Draft) {
    calls(site, lines, draft);
    draft.set(BOILERPLATE, about_for_the_press(site, evidence));
}

/// Texts of links that ask the reader to act, the most frequent first.
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
    let generic = GENERIC.iter().any(|phrase| {
        let joined = words.join(" ");
        phrase
            .strip_suffix('*')
            .map_or(joined == *phrase, |begin| joined.starts_with(begin))
    });
    let asks = boilerplate::is_call_to_act(text)
        || words::starts_with_any(&words, VERBS)
        // German and other calls end with their verb: `Termin vereinbaren`.
        || words.last().is_some_and(|last| VERBS.contains(last)) && words.len() >= 2;
    (2..=6).contains(&words.len())
        && text.chars().count() <= 50
        && asks
        && !generic
        && !instructions::addressed_to_a_model(text)
}

/// The paragraph under `About NAME` on a page for the press, or below a piece of news.
fn about_for_the_press(site: &Site, evidence: &Evidence) -> Option<Claim> {
    let names: Vec<String> = site
        .research
        .names
        .iter()
        .map(|name| words::fold(legal_names::without_form(name)))
        .filter(|name| !name.is_empty())
        .collect();
    let found = sections(site, evidence)
        .into_iter()
        .filter(|section| section.part == Part::Press)
        .find_map(|section| {
            let heading = words::fold(&section.heading.text);
            let words = words::split(&heading);
            let about = words::starts_with_any(
                &words,
                &[
                    "about",
                    "uber",
                    "a propos",
                    "sobre",
                    "acerca de",
                    "chi e",
                    "over",
                ],
            ) && names.iter().any(|name| heading.contains(name.as_str()));
            let named = words::has_any(
                &words,
                &[
                    "boilerplate",
                    "company profile",
                    "firmenprofil",
                    "unternehmensprofil",
                    "kurzportrat",
                ],
            );
            let lead = section.lead()?;
            ((about || named) && (60..=1_500).contains(&lead.text.chars().count()))
                .then(|| (lead.page, lead.text.clone()))
        })
        .or_else(|| {
            // Some put the heading into the paragraph: `About Acme: Acme makes …`.
            evidence
                .passages
                .iter()
                .filter(|passage| site.part(passage.page) == Part::Press)
                .find_map(|passage| {
                    let (head, body) = passage.text.split_once(':')?;
                    let heading = words::fold(head);
                    let words = words::split(&heading);
                    let about =
                        words::starts_with_any(&words, &["about", "uber", "a propos", "sobre"])
                            && names.iter().any(|name| heading.contains(name.as_str()));
                    let body = body.trim();
                    (about && (60..=1_500).contains(&body.chars().count()))
                        .then(|| (passage.page, body.to_owned()))
                })
        });
    found.map(|(page, text)| Claim::stated(text.clone(), vec![Excerpt { page, text }]))
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
