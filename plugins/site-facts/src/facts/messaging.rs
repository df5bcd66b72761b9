//! Calls to action, and the company's text about itself for the press.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::calls::{GENERIC, VERBS};
use gtm_lexicon::company::SITE_WORDS;
use gtm_lexicon::pages::CONTACT;
use gtm_lexicon::press::{ABOUT, PROFILE_HEADINGS};
use gtm_page_text::is_same_site;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::instructions;
use gtm_site_research::words;
use url::Url;

use super::Line;
use super::legal_names;
use super::outline::sections;
use super::presence::profile_network;
use super::speaker::says_what_it_is;
use crate::draft::{BOILERPLATE, CALLS_TO_ACTION, Draft};
use crate::part::Part;
use crate::site::Site;

/// Most different link texts examined.
const MOST_TEXTS: usize = 100;

/// Collects calls to action and the boilerplate.
pub fn collect(site: &Site, evidence: &Evidence, lines: &[Line<'_>], draft: &mut Draft) {
    calls(site, lines, draft);
    draft.set(BOILERPLATE, about_for_the_press(site, evidence));
}

/// A link's text that asks the reader to act.
struct Call {
    /// Whether it stands in the main part of a page, not in a menu or footer.
    main: bool,
    /// Whether it begins as those that every site has: `See all reviews`.
    generic: bool,
    /// Whether every link with this text is in a menu, header or footer.
    menu: bool,
    /// Where the links lead to, on this site.
    targets: BTreeSet<String>,
    /// Whether one leads to another site.
    leaves: bool,
    /// Whether one leads to what there is to read.
    content: bool,
    count: usize,
    order: usize,
    page: usize,
    text: String,
}

impl Call {
    /// A menu repeats its links on every page, so a count says little against the place.
    fn rank(&self) -> impl Ord + use<> {
        (!self.main, self.generic, Reverse(self.count), self.order)
    }

    /// Whether it leads to what there is to read, only names a page in a menu, is the same on cards of different things,
    /// or leaves the site from one place.
    fn is_plain_link(&self) -> bool {
        let names_contact = CONTACT.any_in(&words::split(&words::fold(&self.text)));
        self.content
            || self.menu && names_contact
            || self.targets.len() > 1
            || self.leaves && self.count < 2
    }
}

/// The address of a page, without what leads to a part of it.
fn bare(address: &str) -> &str {
    let page = address.split(['#', '?']).next().unwrap_or_default();
    page.trim_end_matches('/').trim_end_matches(".html")
}

/// Whether a link leads to what there is to read, such as products or references, or to a network, rather than to
/// where one acts.
fn shows_content(target: &str, text: &str, site: &Site) -> bool {
    let of_site = |part: Part| {
        matches!(
            part,
            Part::Product | Part::About | Part::Customers | Part::Press | Part::Careers
        )
    };
    let folded = words::fold(text);
    let names_site = words::split(&folded)
        .last()
        .is_some_and(|last| SITE_WORDS.contains(last));
    let part = Url::parse(target)
        .ok()
        .and_then(|url| url.fragment().map(words::fold));
    // A part of a page is there to be read, unless it is the one for writing to the company.
    let is_part =
        part.is_some_and(|part| !part.is_empty() && !CONTACT.any_in(&words::split(&part)));
    names_site
        || is_part
        || profile_network(target).is_some()
        || !target.contains('#')
            && site.own_pages().any(|(_, part, page)| {
                of_site(part)
                    && [&page.url, &page.final_url]
                        .iter()
                        .any(|own| bare(own) == bare(target))
            })
}

/// Link texts that ask the reader to act: those of the pages' main parts first, the most frequent of them first.
fn calls(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let mut found: BTreeMap<String, Call> = BTreeMap::new();
    let verbs_last = puts_verbs_last(&site.research.language);
    let home = site
        .own_pages()
        .next()
        .and_then(|(_, _, page)| Url::parse(&page.final_url).ok());
    for (page, part, content) in site.own_pages() {
        if matches!(part, Part::Legal) {
            continue;
        }
        for link in &content.links {
            let text = gtm_page_text::normalize(&link.text);
            // An arrow beside the text is drawn, not said.
            let text =
                text.trim_matches(|c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation());
            if !is_call(text, verbs_last) {
                continue;
            }
            let key = words::fold(text);
            let known = found.contains_key(&key);
            let stands = || {
                lines
                    .iter()
                    // Bars part the links of a footer.
                    .any(|line| {
                        line.page == page && line.text.contains(text) && !line.text.contains(" | ")
                    })
            };
            if !known && (found.len() >= MOST_TEXTS || !stands()) {
                continue;
            }
            let main = !link.navigation
                && lines
                    .iter()
                    .any(|line| line.main && line.page == page && line.text.contains(text));
            let generic = GENERIC.open(&words::split(&key));
            let order = found.len();
            let call = found.entry(key).or_insert_with(|| Call {
                main,
                generic,
                menu: true,
                targets: BTreeSet::new(),
                leaves: false,
                content: false,
                count: 0,
                order,
                page,
                text: text.to_owned(),
            });
            call.count += 1;
            call.main |= main;
            call.menu &= link.navigation;
            call.content |= shows_content(&link.url, text, site);
            match Url::parse(&link.url).ok().filter(Url::has_host) {
                Some(url) if home.as_ref().is_some_and(|home| is_same_site(home, &url)) => {
                    // A part of this page is the same on every page.
                    let target = url.fragment().unwrap_or_else(|| bare(&link.url));
                    call.targets.insert(target.to_owned());
                }
                Some(_) => call.leaves = true,
                // Telephone and mail are ways to act.
                None => {}
            }
        }
    }
    let mut found: Vec<Call> = found
        .into_values()
        .filter(|call| !call.is_plain_link())
        .collect();
    found.sort_by_key(Call::rank);
    let mut told: Vec<BTreeSet<String>> = Vec::new();
    found.retain(|call| {
        let words = words::stems(&call.text);
        let is_double = |known: &BTreeSet<String>| {
            !words.is_empty()
                && !known.is_empty()
                && (known.is_subset(&words) || words.is_subset(known))
        };
        let is_new = !told.iter().any(is_double);
        told.push(words);
        is_new
    });
    for Call { page, text, .. } in found.into_iter().take(6) {
        let excerpt = Excerpt {
            page,
            text: text.clone(),
        };
        draft.push(CALLS_TO_ACTION, Claim::stated(text, vec![excerpt]));
    }
}

/// Whether the verb may end a call in this language: `Termin vereinbaren`. In English, a last word that looks
/// like a verb is a noun: `10-point plan`.
fn puts_verbs_last(language: &str) -> bool {
    language.split('-').next() != Some("en")
}

fn is_call(text: &str, verbs_last: bool) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let asks = boilerplate::is_call_to_act(text)
        || VERBS.open(&words)
        || verbs_last && words.last().is_some_and(|last| VERBS.has_word(last)) && words.len() >= 2;
    // A script without blanks counts as one word what others write in several.
    let signs = text.chars().filter(|c| !c.is_ascii()).count();
    let least = if signs >= 8 && !text.contains(' ') {
        1
    } else {
        2
    };
    (least..=6).contains(&words.len())
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
    fn calls_in_the_main_part_come_before_menus() {
        let call = |main, generic, count, text: &str| Call {
            main,
            generic,
            menu: !main,
            targets: BTreeSet::new(),
            leaves: false,
            content: false,
            count,
            order: 0,
            page: 0,
            text: text.to_owned(),
        };
        let mut calls = [
            call(false, false, 9, "Contact us"),
            call(true, true, 3, "See all reviews"),
            call(true, false, 1, "Request a quote"),
            call(true, false, 2, "Book a visit"),
        ];
        calls.sort_by_key(Call::rank);
        let texts = calls.map(|call| call.text);
        assert_eq!(
            texts,
            [
                "Book a visit",
                "Request a quote",
                "See all reviews",
                "Contact us"
            ]
        );
    }

    #[test]
    fn calls_are_told_from_other_links() {
        let is_call = |text: &str| super::is_call(text, puts_verbs_last("en-GB"));
        assert!(is_call("Book a demo") && is_call("Get a quote") && is_call("Start free trial"));
        assert!(super::is_call("Termin vereinbaren", puts_verbs_last("de")));
        assert!(
            !is_call("Learn more")
                && !is_call("Products")
                && !is_call("Read more")
                && !is_call("10-point plan")
                && !is_call("Why we built our own reader for meters in basements")
        );
    }

    #[test]
    fn turkish_and_polish_calls_are_told_from_other_links() {
        let is_call = |text: &str, language| super::is_call(text, puts_verbs_last(language));
        for call in [
            "Hemen Teklif Alın",
            "TEKLİF ALIN",
            "Bizi Arayın",
            "Randevu oluştur",
        ] {
            assert!(is_call(call, "tr"), "{call}");
        }
        for call in ["Umów spotkanie", "Zamów próbkę", "Bezpłatna wycena"] {
            assert!(is_call(call, "pl"), "{call}");
        }
        for (other, language) in [
            ("Devamını oku", "tr"),
            ("Cam Fenerler", "tr"),
            ("Kalite belgelerimiz", "tr"),
            ("Dowiedz się więcej", "pl"),
            ("Zegary wieżowe", "pl"),
            ("Umowa o pracę", "pl"),
        ] {
            assert!(!is_call(other, language), "{other}");
        }
    }
}
