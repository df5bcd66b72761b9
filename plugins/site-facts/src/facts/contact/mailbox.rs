//! The mailbox that a company has for everybody, never a person's.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::others::{HOSTED, LABELS};
use gtm_lexicon::places::MAILBOXES;
use gtm_page_text::bare_host;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::organization::{own_address, site_label};
use gtm_site_research::words;

use super::{Line, rank};
use crate::facts::others::offset_in;
use crate::facts::{legal_names, letters};
use crate::site::Site;

/// The mailbox that companies of most countries have for everybody.
const USUAL: &str = "info";
/// Fewest letters of a name by which a mailbox is known as the company's.
const LEAST_LETTERS: usize = 4;
/// Most words of a label of credits.
const LONGEST_LABEL: usize = 5;
/// Labels of credits that are too short to say so in a sentence.
const SHORT_CREDITS: [&str; 2] = ["web", "制作"];

/// A mailbox whose name says that it is for everybody: at the site's own domain, or elsewhere if its name or its domain is the
/// company's, or if nearly all pages show it. Whoever made the site is shown on all pages, too, and is nobody to write to.
pub fn shown(site: &Site, lines: &[Line<'_>]) -> Option<Claim> {
    let domain = bare_host(&site.research.domain).to_lowercase();
    let company = names(site);
    let mut pages: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let mut credited: BTreeSet<String> = BTreeSet::new();
    let mut told: Vec<(u8, String, Claim)> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mark = |c: char| c.is_whitespace() || "<>()[],;:|\"：".contains(c);
        let above = at
            .checked_sub(1)
            .and_then(|above| lines.get(above))
            .filter(|above| above.page == line.page)
            .map_or("", |above| above.text);
        for word in line.text.split(mark) {
            let text = word.trim_end_matches('.');
            if !text.contains('@') {
                continue;
            }
            let key = text.to_lowercase();
            pages.entry(key.clone()).or_default().insert(line.page);
            let before = line.text.get(..offset_in(line.text, word));
            let over = at.checked_sub(2).and_then(|over| lines.get(over));
            let over = over.filter(|over| over.page == line.page && is_maker(above, &company));
            let over = over.map_or("", |over| over.text);
            let before = before.unwrap_or_default();
            if is_credited(before, above, &company) || is_credited(before, over, &company) {
                credited.insert(key.clone());
            }
            if let Some(rank) = rank(line) {
                told.push((rank, key, Claim::stated(text, vec![line.excerpt()])));
            }
        }
    }
    let all = site.own_pages().count();
    let everywhere = |key: &str| {
        let shown = pages.get(key).map_or(0, BTreeSet::len);
        shown >= 2 && shown * 3 >= all * 2
    };
    let fits = |key: &str| {
        let (local, host) = key.split_once('@')?;
        let of_company = is_of(local, &company);
        let is_own = host == domain;
        let for_all = of_company || MAILBOXES.contains(&words::fold(local));
        let other =
            || is_at(host, &company) || !credited.contains(key) && (of_company || everywhere(key));
        (for_all && (is_own || other())).then_some((!is_own, local != USUAL))
    };
    let ranked = told
        .into_iter()
        .filter_map(|(rank, key, claim)| Some(((fits(&key)?, rank), claim)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, claim)| claim)
}

/// The mailbox in structured data of the company, at the site's own domain or with a name that says that it is for everybody.
pub fn declared(site: &Site) -> Option<Claim> {
    let domain = bare_host(&site.research.domain).to_lowercase();
    let company = names(site);
    site.of_the_whole().find_map(|organization| {
        let text = organization.text("email")?;
        let address = text.strip_prefix("mailto:").unwrap_or(&text).to_lowercase();
        let (local, host) = address.split_once('@')?;
        let for_all = is_of(local, &company) || MAILBOXES.contains(&words::fold(local));
        let own = host == domain || is_at(host, &company) || is_of(local, &company);
        (for_all && own).then(|| {
            let excerpt = Excerpt {
                page: organization.page,
                text: text.clone(),
            };
            Claim::stated(address, vec![excerpt])
        })
    })
}

/// The names of the company as letters.
pub(super) fn names(site: &Site) -> Vec<String> {
    let known = || site.research.names.iter();
    let label = site.label().map(|label| letters(&label));
    // One word may stand for the whole name where the domain begins with it: `acme@acmeseals.example`.
    let first = known().filter_map(|name| {
        let first = letters(name.split_whitespace().next()?);
        label.as_ref()?.starts_with(&first).then_some(first)
    });
    let whole = known().map(|name| letters(legal_names::without_form(name)));
    whole
        .chain(label.clone())
        .chain(first)
        .filter(|name| name.chars().count() >= LEAST_LETTERS)
        .collect()
}

/// Whether a word is one of the company's names, alone or with the name of a mailbox for everybody: `acme.info`. A name within
/// other letters is a person's or a stranger's: `thomas.weber`, `casanova`.
fn is_of(word: &str, company: &[String]) -> bool {
    let word = letters(word);
    company.iter().any(|name| {
        let rest = word
            .strip_prefix(name.as_str())
            .or_else(|| word.strip_suffix(name.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || MAILBOXES.contains(rest))
    })
}

/// Whether a domain is one of the company's names, or begins with one at a hyphen: `acme-signals.example`.
fn is_at(host: &str, company: &[String]) -> bool {
    let Some(label) = own_address(host).as_ref().and_then(site_label) else {
        return false;
    };
    let mut begun = label
        .match_indices('-')
        .filter_map(|(at, _)| label.get(..at));
    is_of(&label, company) || begun.any(|begun| company.contains(&letters(begun)))
}

/// Whether the words before a mailbox, or where none are the line above, say that it is that of whoever made or runs the site.
fn is_credited(before: &str, above: &str, company: &[String]) -> bool {
    // What stands before another mailbox is said of that.
    let own = before.rsplit(['@', '|', '•', '·']).next();
    let own = own.unwrap_or_default().trim();
    let said = if own.is_empty() { above } else { own };
    let label = said.split([':', '：']).next().unwrap_or_default();
    let folded = words::fold(label);
    let parts = words::split(&folded);
    let says_so = LABELS.any_in(&parts) || HOSTED.any_in(&parts);
    let is_short = matches!(parts.as_slice(), [only] if SHORT_CREDITS.contains(only));
    let is_label = is_short || says_so && (1..=LONGEST_LABEL).contains(&parts.len());
    // A company may be called by what it makes: `Acme Design`.
    let is_company = || {
        let label = letters(legal_names::without_form(label));
        company.iter().any(|name| label.starts_with(name.as_str()))
    };
    is_label && !is_company()
}

/// Whether a line may name whoever made the site, between a label of credits and the mailbox: some words without a number, and
/// not the company's name.
fn is_maker(text: &str, company: &[String]) -> bool {
    let own = letters(legal_names::without_form(text));
    (1..=LONGEST_LABEL).contains(&words::count(text))
        && !text.contains(|c: char| c.is_numeric() || matches!(c, '@' | ':' | '：'))
        && !company.iter().any(|name| own.contains(name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| letters(name)).collect()
    }

    #[test]
    fn a_name_within_other_letters_is_not_the_companys() {
        for (local, name, expected) in [
            ("weber", "Weber", true),
            ("info.weber", "Weber", true),
            ("weber-info", "Weber", true),
            ("thomas.weber", "Weber", false),
            ("weber.thomas", "Weber", false),
            ("casanova", "Nova", false),
        ] {
            assert_eq!(is_of(local, &of(&[name])), expected, "{local} of {name}");
        }
        for (host, name, expected) in [
            ("acme.example", "Acme", true),
            ("acme-signals.example", "Acme", true),
            ("acme-signals.co.uk", "Acme Signals", true),
            ("acmeinfo.example", "Acme", true),
            ("casanova.example", "Nova", false),
            ("novation.example", "Nova", false),
            ("post.example", "Acme", false),
        ] {
            assert_eq!(is_at(host, &of(&[name])), expected, "{host} of {name}");
        }
    }

    #[test]
    fn a_line_between_credits_and_mailbox_names_the_maker() {
        let company = of(&["Acme"]);
        assert!(is_maker("Globex Studio", &company) && is_maker("Anna Lindt", &company));
        for text in [
            "",
            "Acme Design",
            "4 Mill Lane",
            "E-Mail:",
            "We answer every letter on the same day",
        ] {
            assert!(!is_maker(text, &company), "{text}");
        }
    }

    #[test]
    fn credits_stand_before_the_mailbox_of_whoever_made_the_site() {
        let company = of(&["Acme"]);
        for (before, above) in [
            ("Design: ", ""),
            ("Web: ", ""),
            ("Webdesign by Globex: ", ""),
            ("Hosting: Globex, ", ""),
            ("info@acme.example | Umsetzung: ", ""),
            ("Réalisation : ", ""),
            ("制作：", ""),
            ("", "Webdesign"),
        ] {
            assert!(is_credited(before, above, &company), "{before}{above}");
        }
        for (before, above) in [
            ("", ""),
            ("E-Mail: ", "Webdesign"),
            ("Write to us: ", ""),
            ("Design: studio@globex.example | Mail: ", ""),
            ("", "Acme Design"),
            ("", "Leeds"),
        ] {
            assert!(!is_credited(before, above, &company), "{before}{above}");
        }
    }
}
