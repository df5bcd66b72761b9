//! Who is legally responsible: the registered name, and the legal lines below all texts.

mod registered;

use std::collections::BTreeMap;

use gtm_lexicon::legal::{CAPITAL, COPYRIGHT, DISCLAIMERS, FUNDED, PUBLIC_FUNDERS, REQUIRED_LINES};
use gtm_lexicon::others::HOSTED;
use gtm_lexicon::pages::{LEGAL, TERMS, USELESS};
use gtm_site_research::claim::Claim;
use gtm_site_research::words;

use super::founding::year;
use super::labels::Labelled;
use super::others::Own;
use super::{Line, legal_names, letters, placeholders, tax_numbers};
use crate::conflicts::settle;
use crate::draft::{Draft, LEGAL_NAME, REQUIRED_LEGAL_LINES};
use crate::part::Part;
use crate::site::Site;

/// Most legal lines kept.
const MOST_LINES: usize = 6;
/// Most lines that are compared with each other.
const MOST_CANDIDATES: usize = 200;

/// Collects the facts of legal pages and footers.
pub fn collect(site: &Site, lines: &[Line<'_>], pairs: &[Labelled<'_>], draft: &mut Draft) {
    let names = registered::statements(site, lines, pairs, draft);
    settle(draft, LEGAL_NAME, names);
    legal_lines(site, lines, draft);
    particulars(site, lines, draft);
}

/// Lines that the law requires below a company's texts: copyright, registration, mandatory notes.
fn legal_lines(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let own = Own::new(site, None);
    let registered = draft
        .one(LEGAL_NAME)
        .and_then(|claim| claim.value.as_str())
        .map(str::to_owned);
    let registered = registered.as_deref();
    let mut found: Vec<(&str, &Line<'_>)> = Vec::new();
    for line in lines {
        let length = line.text.chars().count();
        let folded = words::fold(line.text);
        let marked = line.text.contains('©')
            || COPYRIGHT
                .iter()
                .any(|mark| folded.trim_start().starts_with(mark))
            || folded.contains("(c) 20");
        // A notice that names nobody says nothing, and one that names another is the template's.
        let copyright = marked
            && (own.is_named_in(line.text) || !legal_names::find(line.text).is_empty())
            && !line.text.contains('@');
        // Legal pages consist of legal text; this looks only for the lines that other pages repeat.
        let words = words::split(&folded);
        // In the main part, a line without a number or a name is about what somebody else must say.
        let particular = !line.main
            || line.text.contains(|c: char| c.is_ascii_digit())
            || own.is_named_in(line.text);
        let required =
            line.part != Part::Legal && !marked && particular && REQUIRED_LINES.any_in(&words)
                || FUNDED.any_in(&words) && PUBLIC_FUNDERS.any_in(&words)
                || DISCLAIMERS.any_in(&words) && line.text.ends_with('.');
        // A site also has to say who takes its payments or holds its data.
        let of_another = !marked
            && !own.is_named_in(line.text)
            && legal_names::find(line.text)
                .into_iter()
                .any(|name| registered != Some(name));
        if !(copyright || required && !of_another)
            || !(6..=300).contains(&length)
            || tax_numbers::has_mistaken_number(line.text)
            || placeholders::is_in(line.text)
        {
            continue;
        }
        let text = if copyright {
            without_credit(without_links(line, site, &own), &own)
        } else {
            line.text
        };
        found.push((text, line));
        if found.len() >= MOST_CANDIDATES {
            break;
        }
    }
    // A short form of a line adds nothing to it, nor does one with other marks.
    let mut keys: BTreeMap<String, usize> = BTreeMap::new();
    for (at, (text, _)) in found.iter().enumerate() {
        keys.entry(letters(text)).or_insert(at);
    }
    // Of lines that differ only in the year, the newest holds.
    let newest = |key: &String| {
        let (bare, year) = apart_from_year(key);
        let older = keys.keys().map(|other| apart_from_year(other));
        older
            .filter(|(other, _)| *other == bare)
            .all(|(_, other)| other <= year)
    };
    let told = |key: &String| {
        let mut others = keys.keys();
        !newest(key) || others.any(|other| other.len() > key.len() && other.contains(key.as_str()))
    };
    let mut whole: Vec<usize> = keys
        .iter()
        .filter(|(key, _)| !told(key))
        .map(|(_, at)| *at)
        .collect();
    whole.sort_unstable();
    for (text, line) in whole.into_iter().filter_map(|at| found.get(at)) {
        if draft.many(REQUIRED_LEGAL_LINES).len() < MOST_LINES {
            let claim = Claim::stated(*text, vec![line.excerpt()]);
            draft.push(REQUIRED_LEGAL_LINES, claim);
        }
    }
}

/// A notice that nobody has renewed for this many years says nothing of today.
const STALE: i64 = 3;

/// Leaves out copyright lines whose latest year lies far behind.
pub fn leave_out_stale(draft: &mut Draft, this_year: i64) {
    let is_fresh = |claim: &Claim| {
        let text = claim.value.as_str().unwrap_or_default();
        let (_, latest) = apart_from_year(&letters(text));
        !text.contains('©') || latest.is_none_or(|latest| latest + STALE > this_year)
    };
    let lines = draft.take_many(REQUIRED_LEGAL_LINES);
    draft.extend(REQUIRED_LEGAL_LINES, lines.into_iter().filter(is_fresh));
}

/// A line's letters without its years, and the latest of these.
fn apart_from_year(key: &str) -> (String, Option<i64>) {
    let mut bare = String::new();
    let mut latest = None;
    let is_digit = |c: char| c.is_ascii_digit();
    let mut rest = key;
    while let Some(at) = rest.find(is_digit) {
        let (before, behind) = rest.split_at(at);
        let end = behind.find(|c| !is_digit(c)).unwrap_or(behind.len());
        let (digits, behind) = behind.split_at(end);
        bare.push_str(before);
        // A range of years has its digits side by side: `20102025`.
        let (years, left) = digits.as_bytes().as_chunks::<4>();
        let years: Vec<Option<i64>> = years
            .iter()
            .map(|digits| year(str::from_utf8(digits).ok()?))
            .collect();
        if left.is_empty() && years.iter().all(Option::is_some) {
            latest = latest.max(years.into_iter().flatten().max());
        } else {
            bare.push_str(digits);
        }
        rest = behind;
    }
    bare.push_str(rest);
    (bare, latest)
}

/// A line without its end that says who built the site: `© Acme | Designed by Globex`.
fn without_credit<'a>(line: &'a str, own: &Own) -> &'a str {
    const MARKS: [&str; 6] = [" | ", " · ", " • ", " – ", " - ", ". "];
    let credits = |part: &str| {
        HOSTED.any_in(&words::split(&words::fold(part)))
            && !own.is_named_in(part)
            && !part.contains(['©', '@'])
    };
    let mut ends = MARKS.iter().filter_map(|mark| {
        let (before, part) = line.rsplit_once(mark)?;
        credits(part).then_some(before)
    });
    ends.next()
        .map_or(line, |before| without_credit(before, own))
}

/// A line without the links that a footer puts around it, separated by bars or points: `Privacy | Contact | © Acme`.
fn without_links<'a>(line: &Line<'a>, site: &Site, own: &Own) -> &'a str {
    const PARTS: [char; 9] = [' ', '|', '·', '•', '/', '-', '–', '—', ','];
    // Links that open no page stand there, too.
    let of_page = |page: &'_ gtm_site_research::page::Page| -> Vec<String> {
        let actions = page.actions.iter().map(|action| action.text.clone());
        let links = page.links.iter().map(|link| link.text.clone());
        links.chain(actions).collect()
    };
    let texts: Vec<String> = site
        .own_pages()
        .filter(|(page, ..)| *page == line.page)
        .flat_map(|(_, _, page)| of_page(page))
        .collect();
    let links: Vec<&str> = texts
        .iter()
        .map(|text| text.trim())
        .filter(|text| text.chars().count() >= 2 && !own.is_named_in(text) && !text.contains('©'))
        .collect();
    let is_apart =
        |edge: Option<char>| edge.is_some_and(|edge| PARTS.contains(&edge) || edge == '.');
    // What every footer links to is no part of the line, though only a blank parts it.
    let is_useless = |link: &str| {
        let folded = words::fold(link);
        let words = words::split(&folded);
        [&TERMS, &USELESS, &LEGAL]
            .iter()
            .any(|pages| pages.open(&words))
    };
    let mut text = line.text;
    loop {
        let shorter = links.iter().find_map(|link| {
            let behind = text.strip_suffix(link).map(|rest| rest.trim_end());
            let before = text.strip_prefix(link).map(|rest| rest.trim_start());
            behind
                .filter(|rest| is_apart(rest.chars().next_back()) || is_useless(link))
                .map(|rest| rest.trim_end_matches(PARTS))
                .or_else(|| {
                    before
                        .filter(|rest| is_apart(rest.chars().next()))
                        .map(|rest| rest.trim_start_matches(PARTS))
                })
        });
        match shorter {
            Some(rest) if rest.chars().count() >= 6 => text = rest,
            _ => return text,
        }
    }
}

/// Whether a line states the capital, which the law requires among a company's particulars.
fn tells_capital(line: &Line<'_>) -> bool {
    CAPITAL.any_in(&words::split(&words::fold(line.text)))
}

/// Adds the company's legal particulars if no line below the pages has them: an imprint's line that begins
/// with the registered name, or holds both that name and the capital.
fn particulars(site: &Site, lines: &[Line<'_>], draft: &mut Draft) {
    let Some(name) = draft
        .one(LEGAL_NAME)
        .and_then(|claim| claim.value.as_str())
        .map(str::to_owned)
    else {
        return;
    };
    let known = draft.many(REQUIRED_LEGAL_LINES).iter().any(|claim| {
        claim
            .value
            .as_str()
            .is_some_and(|line| line.contains(&name))
    });
    let line = lines.iter().find(|line| {
        line.part == Part::Legal
            && line.main
            && !site.is_terms(line.page)
            && (line.text.starts_with(&name) || line.text.contains(&name) && tells_capital(line))
            && line.text.len() > name.len() + 8
            && line.text.chars().count() <= 300
            && line.text.chars().any(|c| c.is_ascii_digit())
    });
    if let Some(line) = line.filter(|_| !known) {
        draft.push(
            REQUIRED_LEGAL_LINES,
            Claim::stated(line.text, vec![line.excerpt()]),
        );
    }
}
