//! Certificates that only their place beside known ones tells, memberships in associations, and licences of authorities.

mod headed;
mod rows;

pub use headed::certificates;
pub use rows::in_rows;

use gtm_lexicon::Phrases;
use gtm_lexicon::proofs::{
    CERTIFICATE_HEADINGS, LICENCE_LABELS, MEMBER_OF, NO_ASSOCIATIONS, PARTNER_HEADINGS,
    PARTNER_STATUSES,
};
use gtm_page_text::is_joined;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::certificates::is_certificate;
use super::clients;
use super::others::Own;
use super::outline::{Section, sections};
use super::speaker::says_what_it_is;
use crate::part::Part;
use crate::site::Site;

/// Most words, and characters, of a line that names an association.
const LONGEST_LINE: usize = 14;
const LINE: std::ops::RangeInclusive<usize> = 8..=140;
/// Most words of a heading over partners, of the name of one, and of the line below it.
const LONGEST_HEADING: usize = 5;
const LONGEST_NAME: usize = 4;
const LONGEST_STATUS: usize = 5;
/// Fewest and most characters of the row of a licence.
const LICENCE: std::ops::RangeInclusive<usize> = 6..=160;
/// Fewest known certificates of a row of logos.
const LEAST_KNOWN: usize = 2;
/// Most words of the label of a licence.
const LONGEST_LABEL: usize = 2;

/// A text that tells of one, with what carries it.
pub struct Told {
    /// The text, verbatim.
    pub text: String,
    /// Index of the page.
    pub page: usize,
    /// The text that has it.
    pub carrier: String,
}

impl Told {
    fn whole(passage: &Passage) -> Self {
        Self {
            text: passage.text.clone(),
            page: passage.page,
            carrier: passage.text.clone(),
        }
    }
}

/// What the site tells of certificates, memberships and licences besides known standards.
pub fn told(site: &Site, evidence: &Evidence) -> Vec<Told> {
    let tells = |page: usize| {
        let part = site.part(page);
        !matches!(part, Part::External | Part::Press)
    };
    let mut found = Vec::new();
    for (at, passage) in evidence.passages.iter().enumerate() {
        if !tells(passage.page) {
            continue;
        }
        let rest = evidence.passages.get(at + 1..).unwrap_or_default();
        if announces(&passage.text) && passage.kind == BlockKind::Heading {
            let row = clients::row(passage, rest);
            let names: Vec<&str> = row.iter().map(|(name, _)| *name).collect();
            if are_certificates(&names, site) {
                found.extend(row.into_iter().map(|(name, carrier)| Told {
                    text: name.to_owned(),
                    page: passage.page,
                    carrier: carrier.to_owned(),
                }));
            }
        }
        if names_association(passage, site) {
            found.push(Told::whole(passage));
        }
        found.extend(licence(passage, rest.first()));
    }
    found.extend(partners(site, evidence).filter(|told| tells(told.page)));
    for styled in site.styled.iter().filter(|styled| tells(styled.page)) {
        for row in &styled.markup.picture_rows {
            let mut above = [&row.heading, &row.line].into_iter().flatten();
            let names = row.names.iter();
            let names: Vec<(&str, &str)> = names
                .filter_map(|alt| Some((clients::of_logo(alt)?, &**alt)))
                .collect();
            let bare: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
            if above.any(|text| announces(text)) && are_certificates(&bare, site)
                || are_known(&bare, site)
            {
                found.extend(names.into_iter().map(|(name, alt)| Told {
                    text: name.to_owned(),
                    page: styled.page,
                    carrier: alt.to_owned(),
                }));
            }
        }
    }
    for organization in &site.organizations {
        let names = organization.texts("memberOf").into_iter();
        let names = names.filter(|name| LINE.contains(&name.chars().count()));
        found.extend(names.filter(|name| !name.contains("://")).map(|name| Told {
            carrier: name.clone(),
            text: name,
            page: organization.page,
        }));
    }
    found
}

/// What the company is to its partners: the lines below their names, under a heading over partners.
fn partners(site: &Site, evidence: &Evidence) -> impl Iterator<Item = Told> {
    let says = |passage: &Passage, phrases: &'static Phrases, most: usize| {
        let folded = words::fold(&passage.text);
        words::count(&passage.text) <= most && phrases.any_in(&words::split(&folded))
    };
    let over = |section: &Section<'_>| {
        let heads = |text: &str| {
            let folded = words::fold(text);
            words::count(text) <= LONGEST_HEADING && PARTNER_HEADINGS.any_in(&words::split(&folded))
        };
        section.announced().any(heads)
    };
    // A line above the title of a page says nothing of its cards.
    let sections = sections(site, evidence).into_iter();
    let sections = sections.filter(|section| section.heading.level > 1 && over(section));
    let mut found = Vec::new();
    for section in sections {
        for pair in section.body.windows(2) {
            let [name, status] = pair else { continue };
            let fits = name.kind == BlockKind::Heading
                && status.kind != BlockKind::Heading
                && name.block + 1 == status.block
                && words::count(&name.text) <= LONGEST_NAME
                && says(status, &PARTNER_STATUSES, LONGEST_STATUS)
                && !status.text.ends_with(['.', '!', '?', ':']);
            if fits {
                let joined = format!("{} {}", name.text, status.text);
                found.push(Told {
                    page: name.page,
                    carrier: joined.clone(),
                    text: joined,
                });
            }
        }
    }
    found.into_iter()
}

fn announces(text: &str) -> bool {
    CERTIFICATE_HEADINGS.are(&words::split(&words::fold(text)))
}

/// Whether the names of a row are those of certificates: several, of which one is known, or most have the form of one.
fn are_certificates(names: &[&str], site: &Site) -> bool {
    let known = || names.iter().any(|name| is_certificate(name, true, site));
    let formed = || names.iter().filter(|name| has_initials(name)).count();
    names.len() >= 2 && (known() || formed() * 2 > names.len())
}

/// Whether most names of a row are those of known certificates: no heading needs to say so.
fn are_known(names: &[&str], site: &Site) -> bool {
    let known = names
        .iter()
        .filter(|name| is_certificate(name, true, site))
        .count();
    known >= LEAST_KNOWN && known * 2 >= names.len()
}

/// Whether a name has a word of initials, as those of most bodies that accredit: `NRTC`.
fn has_initials(name: &str) -> bool {
    let initials = |word: &str| {
        (2..=LONGEST_INITIALS).contains(&word.chars().count())
            && word.chars().all(char::is_uppercase)
    };
    // Where everything is in capitals, they tell nothing.
    let letters = || name.chars().filter(|c| c.is_alphabetic());
    let one = name.split_whitespace().count() == 1;
    (one || !letters().all(char::is_uppercase)) && name.split_whitespace().any(initials)
}

/// Most letters of initials.
const LONGEST_INITIALS: usize = 7;

/// Whether a line says whose member the company is: `Member of the Guild of Roofers`. A person may be one of a board.
fn names_association(passage: &Passage, site: &Site) -> bool {
    let text = passage.text.as_str();
    let folded = words::fold(text);
    let words = words::split(&folded);
    let short = (2..=LONGEST_LINE).contains(&words::count(text))
        && LINE.contains(&text.chars().count())
        && passage.kind != BlockKind::Heading
        && !text.ends_with(['?', ':'])
        && !text.contains('©');
    if !short || NO_ASSOCIATIONS.any_in(&words) {
        return false;
    }
    let behind = |(at, phrase): (usize, gtm_lexicon::Phrase)| at + phrase.len();
    // Behind the words stands a name.
    let named = |from: usize| {
        let tokens = words::tokens(text);
        let mut next = tokens.iter().skip(from).take(2);
        next.any(|(.., word)| word.starts_with(char::is_uppercase))
    };
    let joined = text.contains(is_joined);
    let own = Own::new(site, None);
    MEMBER_OF.places(&words).any(|(at, phrase)| {
        // `Become a member of the Acme club`
        let behind_it = words.get(at + phrase.len()..).unwrap_or_default().concat();
        if own.is_named_in(&behind_it) {
            return false;
        }
        let speaks = at == 0 || says_what_it_is(text, site);
        joined || speaks && named(behind((at, phrase)))
    })
}

/// The licence in the row of a table, or behind its label: the number of the authority shows that it is one.
fn licence(passage: &Passage, next: Option<&Passage>) -> Option<Told> {
    let text = passage.text.as_str();
    let is_label = |label: &str| LICENCE_LABELS.are(&words::split(&words::fold(label)));
    let is_licence = |value: &str| value.contains(char::is_numeric) && value.contains('号');
    let fits = |text: &str| LICENCE.contains(&text.chars().count());
    let in_row = || {
        let ends = words::tokens(text).into_iter().take(LONGEST_LABEL);
        let mut rows = ends.filter_map(|(_, end, _)| Some((text.get(..end)?, text.get(end..)?)));
        rows.any(|(label, value)| is_label(label) && is_licence(value))
    };
    let behind = || {
        text.split_once([':', '：'])
            .filter(|(label, _)| is_label(label))
    };
    if fits(text)
        && (passage.kind == BlockKind::TableRow && in_row()
            || behind().is_some_and(|(_, value)| is_licence(value)))
    {
        return Some(Told::whole(passage));
    }
    let below = next.filter(|next| {
        next.page == passage.page && next.block == passage.block + 1 && is_licence(&next.text)
    })?;
    let joined = format!("{text} {}", below.text);
    (is_label(text) && fits(&joined)).then(|| Told {
        carrier: joined.clone(),
        text: joined,
        page: passage.page,
    })
}
