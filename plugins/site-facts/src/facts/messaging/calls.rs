//! Calls to action: the texts of links that ask the reader to act.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::calls::{BOOKING_HOSTS, GENERIC, TELEPHONE};
use gtm_lexicon::company::SITE_WORDS;
use gtm_lexicon::pages::CONTACT;
use gtm_lexicon::questions::HEADINGS as QUESTIONS;
use gtm_page_text::is_same_site;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::page::{BlockKind, Link, Opens, Page};
use gtm_site_research::roles::{self, Role};
use gtm_site_research::words;
use url::Url;

use super::asking::{is_call, is_generic};
use super::cut::is_cut;
use super::targets::{acts, is_download, is_of_business, leads_to_contact, opens_chat};
use crate::draft::{CALLS_TO_ACTION, Draft};
use crate::facts::Line;
use crate::facts::page_address::bare;
use crate::facts::presence::profile_network;
use crate::part::Part;
use crate::site::Site;

/// Most different link texts examined.
const MOST_TEXTS: usize = 100;
/// Links below the home page's first heading that stand for its buttons.
const HERO_LINKS: usize = 2;
/// Most links beside each other below a text that belong to it.
const LINKS_IN_A_ROW: usize = 2;
const SENTENCE_ENDS: [char; 6] = ['.', '!', '?', '。', '！', '？'];

/// A link's text that asks the reader to act.
struct Call {
    /// Whether it stands in the main part of a page, not in a menu or footer.
    main: bool,
    /// Whether it begins as those that every site has: `See all reviews`.
    generic: bool,
    /// Whether every link with this text is in a menu, header or footer.
    menu: bool,
    /// Where the links lead to.
    targets: BTreeSet<String>,
    /// Whether one leads to another site where one does not act for this company.
    leaves: bool,
    /// Whether one leads to what there is to read.
    content: bool,
    /// Whether it is one of the first links below the home page's first heading.
    hero: bool,
    count: usize,
    order: usize,
    page: usize,
    text: String,
}

impl Call {
    /// A text of which nothing is known yet but where it was seen first: it counts as a menu's until it stands elsewhere.
    fn new(text: &str, page: usize, order: usize) -> Self {
        Self {
            main: false,
            generic: false,
            menu: true,
            targets: BTreeSet::new(),
            leaves: false,
            content: false,
            hero: false,
            count: 0,
            order,
            page,
            text: text.to_owned(),
        }
    }

    /// A menu repeats its links on every page, so a count says little against the place.
    fn rank(&self) -> impl Ord + use<> {
        (!self.main, self.generic, Reverse(self.count), self.order)
    }

    /// Whether it leads to what there is to read, is only an entry of a menu, is the same on cards of different things,
    /// or leaves the site. Home pages put what matters most to them right below their first heading.
    fn is_plain_link(&self) -> bool {
        !self.hero && (self.content || self.targets.len() > 1) || self.menu || self.leaves
    }
}

/// Whether a link leads to what there is to read, such as products or references, or to a network, rather than to
/// where one acts.
fn shows_content(target: &str, text: &str, site: &Site) -> bool {
    let of_site = |part: Part| {
        matches!(
            part,
            Part::Product
                | Part::About
                | Part::Customers
                | Part::Press
                | Part::Careers
                | Part::Questions
        )
    };
    let folded = words::fold(text);
    let names_site = words::split(&folded)
        .last()
        .is_some_and(|last| SITE_WORDS.contains(last));
    let part = Url::parse(target)
        .ok()
        .and_then(|url| url.fragment().map(words::fold));
    // A part of a page is there to be read, unless it is the one for writing to the company or booking.
    let is_part = part.is_some_and(|part| !part.is_empty() && !acts(&part));
    names_site
        || is_part
        || is_download(target)
        || profile_network(target).is_some() && !opens_chat(target)
        || !target.contains('#')
            && site.own_pages().any(|(_, part, page)| {
                of_site(part)
                    && [&page.url, &page.final_url]
                        .iter()
                        .any(|own| bare(own) == bare(target))
            })
}

/// Whether a text is a word that every site has on its links and what such a page is called: `Discover our team`.
fn leads_to_a_page(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    let elsewhere = |role| !matches!(role, Role::Imprint | Role::Products);
    GENERIC.are(&[*first]) && roles::named_page(rest).is_some_and(elsewhere)
}

/// Most words of a button.
const LONGEST_BUTTON: usize = 4;

/// Whether a text is one of a button: some words, no sentence and no address.
fn is_short(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    (1..=LONGEST_BUTTON).contains(&words.len())
        && text.contains(char::is_alphabetic)
        && !text.contains(['.', '@', '/', '?', '？', '。'])
        && !is_generic(&words)
        && !CONTACT.are(&words)
}

/// Whether a link leads to another host whose name says that one books there: `booking.acme.example`.
fn books_elsewhere(link: &Link, content: &Page, site: &Site) -> bool {
    let (Ok(target), Ok(own)) = (Url::parse(&link.url), Url::parse(&content.final_url)) else {
        return false;
    };
    let host = target.host_str().map(words::fold).unwrap_or_default();
    // The company's own name may have such a word, too.
    let label = site.label().map(|label| words::fold(&label));
    let host = host.replace(label.as_deref().unwrap_or("."), ".");
    target.host_str() != own.host_str()
        && BOOKING_HOSTS.any_in(&words::split(&host.replace(['.', '-'], " ")))
}

/// The links of a page that may be calls, those that open no other page among them. An address of a letter or telephone
/// is only known by its kind.
fn linked(content: &Page) -> Vec<Link> {
    let opening: BTreeSet<&str> = content
        .actions
        .iter()
        .map(|action| action.text.as_str())
        .collect();
    let own = |link: &Link| bare(&link.url) == bare(&content.final_url);
    // A link to a part of the page is told as one to the page, too.
    let links = content
        .links
        .iter()
        .filter(|link| !(own(link) && opening.contains(link.text.as_str())))
        .cloned();
    let actions = content.actions.iter().filter_map(|action| {
        let url = match (action.opens, &action.part) {
            // What a menu opens on its own page is to be read, unless one writes to the company there.
            (Opens::Part, part) if action.navigation && !part.as_deref().is_some_and(acts) => {
                return None;
            }
            (Opens::Part, Some(part)) => format!("{}#{part}", bare(&content.final_url)),
            (Opens::Letter, _) => "mailto:".to_owned(),
            (Opens::Telephone, _) => "tel:".to_owned(),
            _ => return None,
        };
        Some(Link {
            url,
            text: action.text.clone(),
            rel: None,
            navigation: action.navigation,
            button: false,
            under: None,
        })
    });
    // Where a page says the same of both, the link to another page comes first.
    links.chain(actions).collect()
}

/// The texts of the first links below the home page's first heading.
fn hero(site: &Site, lines: &[Line<'_>]) -> BTreeSet<String> {
    let Some((page, _, content)) = site.own_pages().find(|(_, part, _)| *part == Part::Home) else {
        return BTreeSet::new();
    };
    let is_first = |block: &&gtm_site_research::page::Block| block.level == Some(1);
    let Some(title) = content.blocks.iter().find(is_first) else {
        return BTreeSet::new();
    };
    let mut below = lines
        .iter()
        .enumerate()
        .filter(|(at, line)| line.page == page && is_near_main(*at, lines))
        .map(|(_, line)| line)
        .skip_while(|line| line.text != title.text)
        .skip(1)
        .take_while(|line| {
            !content
                .blocks
                .iter()
                .any(|block| block.level.is_some() && block.text == line.text)
        });
    let text: Vec<&str> = below.by_ref().map(|line| line.text).collect();
    let stands = |link: &&Link| {
        let label = link.text.trim();
        !link.navigation && !label.is_empty() && text.iter().any(|line| line.contains(label))
    };
    let links = linked(content);
    let links = links.iter().filter(stands).take(HERO_LINKS);
    links
        .map(|link| words::fold(&gtm_page_text::normalize(&link.text)))
        .collect()
}

/// Whether a line is of the main part, or stands among the first behind a text of it: what is nothing but a link is no main
/// text for the page reader, wherever it stands.
fn is_near_main(at: usize, lines: &[Line<'_>]) -> bool {
    let before = lines.get(at.saturating_sub(LINKS_IN_A_ROW)..at);
    lines.get(at).is_some_and(|line| {
        let is_text = |other: &Line<'_>| {
            other.page == line.page && other.main && other.kind != BlockKind::Heading
        };
        line.main || before.unwrap_or_default().iter().any(is_text)
    })
}

/// Whether a link outside the main part is no entry of a menu: it is a line of its own under a heading or a sentence,
/// and no other link follows it.
fn stands_alone(text: &str, page: usize, links: &BTreeSet<&str>, lines: &[Line<'_>]) -> bool {
    let is_link = |line: &Line<'_>| links.contains(line.text);
    let mut own = lines.iter().filter(|line| line.page == page).peekable();
    let mut before: Option<&Line<'_>> = None;
    while let Some(line) = own.next() {
        let said = before.is_some_and(|before| {
            !is_link(before)
                && (before.kind == BlockKind::Heading || before.text.ends_with(SENTENCE_ENDS))
        });
        let whole = line.text == text && line.kind != BlockKind::ListItem;
        if whole && said && !own.peek().is_some_and(|next| is_link(next)) {
            return true;
        }
        before = Some(line);
    }
    false
}

/// Adds lines of their own that ask for a telephone call without being links.
fn by_telephone(site: &Site, lines: &[Line<'_>], found: &mut BTreeMap<String, Call>) {
    for line in lines {
        let content = site.research.pages.get(line.page);
        let language = content.and_then(|visited| visited.page.language.as_deref());
        let language = language.unwrap_or(&site.research.language);
        let key = words::fold(line.text);
        let words = words::split(&key);
        // Links in a line are read by themselves: two beside each other are no call together.
        let holds_link = || {
            content.is_some_and(|visited| {
                let actions = visited.page.actions.iter().map(|action| &action.text);
                let mut texts = visited
                    .page
                    .links
                    .iter()
                    .map(|link| &link.text)
                    .chain(actions);
                texts.any(|text| {
                    !text.is_empty() && text != line.text && line.text.contains(text.as_str())
                })
            })
        };
        let asks = TELEPHONE.any_in(&words)
            && !line.text.contains(|c: char| c.is_ascii_digit())
            && !line.text.ends_with(['.', '。', '?', '？', ':', '：'])
            && is_call(line.text, language, false)
            && !holds_link();
        if !asks || line.kind == BlockKind::Heading || line.form || line.part == Part::Legal {
            continue;
        }
        let order = found.len();
        let call = found.entry(key).or_insert_with(|| Call {
            menu: false,
            ..Call::new(line.text, line.page, order)
        });
        call.count += 1;
        call.main |= line.main;
    }
}

/// Link texts that ask the reader to act: those of the pages' main parts first, the most frequent of them first.
pub fn collect(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let mut found: BTreeMap<String, Call> = BTreeMap::new();
    let hero = hero(site, lines);
    let home = site
        .own_pages()
        .next()
        .and_then(|(_, _, page)| Url::parse(&page.final_url).ok());
    for (page, part, content) in site.own_pages() {
        if matches!(part, Part::Legal) {
            continue;
        }
        let language = content
            .language
            .as_deref()
            .unwrap_or(&site.research.language);
        let links = linked(content);
        let texts: BTreeSet<&str> = links.iter().map(|link| link.text.as_str()).collect();
        for link in &links {
            let text = gtm_page_text::normalize(&link.text);
            // An arrow beside the text is drawn, not said.
            let text =
                text.trim_matches(|c: char| !c.is_alphanumeric() && !c.is_ascii_punctuation());
            let key = words::fold(text);
            let is_hero = hero.contains(&key);
            // One word is no menu's entry where it stands like a button.
            let stands_out = !link.navigation || link.button;
            let alone = stands_out && (is_hero || link.button || leads_to_contact(&link.url));
            let books =
                || !link.navigation && is_short(text) && books_elsewhere(link, content, site);
            let asked = QUESTIONS.any_in(&words::split(&key));
            if asked || leads_to_a_page(text) || !is_call(text, language, alone) && !books() {
                continue;
            }
            let known = found.contains_key(&key);
            let stands = || {
                lines
                    .iter()
                    // Bars part the links of a footer.
                    .any(|line| {
                        line.page == page
                            && line.text.contains(text)
                            && !line.text.contains(" | ")
                            && !is_cut(text, line.text, &texts)
                    })
            };
            if !known && (found.len() >= MOST_TEXTS || !stands()) {
                continue;
            }
            // A button in a header is no entry of its menu.
            let menu = !stands_out && !stands_alone(text, page, &texts, lines);
            let main = !link.navigation
                && lines.iter().enumerate().any(|(at, line)| {
                    line.page == page && line.text.contains(text) && is_near_main(at, lines)
                });
            let generic = is_generic(&words::split(&key));
            let order = found.len();
            let call = found.entry(key).or_insert_with(|| Call {
                generic,
                ..Call::new(text, page, order)
            });
            call.count += 1;
            call.main |= main;
            call.menu &= menu;
            call.hero |= is_hero;
            call.content |= shows_content(&link.url, text, site);
            match Url::parse(&link.url).ok().filter(Url::has_host) {
                Some(url) if home.as_ref().is_some_and(|home| is_same_site(home, &url)) => {
                    // A part of this page is the same on every page.
                    let target = url.fragment().unwrap_or_else(|| bare(&link.url));
                    call.targets.insert(target.to_owned());
                }
                Some(url) => {
                    call.targets.insert(bare(&link.url).to_owned());
                    call.leaves |= !is_of_business(&url);
                }
                // Telephone and mail are ways to act.
                None => {}
            }
        }
    }
    by_telephone(site, lines, &mut found);
    let mut found: Vec<Call> = found
        .into_values()
        .filter(|call| !call.is_plain_link())
        .collect();
    // What every site has asks for nothing, unless it is what a home page asks for first.
    let own = found.iter().any(|call| !call.generic);
    found.retain(|call| !call.generic || call.hero && !own);
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
            hero: false,
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
}
