//! How to reach the company: where it sits in its street, its telephone, its mailbox, and when it is open.

use std::collections::BTreeMap;

use gtm_lexicon::places::CONTACT_LABELS;
use gtm_lexicon::seats::{LABELS, NO_TOWNS};
use gtm_page_text::bare_host;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::organization::texts;
use gtm_site_research::page::{BlockKind, Opens};
use gtm_site_research::words;

use super::figures::tells_opening_hours;
use super::{Line, legal_names, letters, placeholders};
use crate::part::Part;
use crate::site::Site;

/// Most characters of a line that is an address, has a telephone number, or tells opening hours.
const LONGEST: usize = 160;
/// Most characters of a line with a street alone.
const LONGEST_STREET: usize = 60;
/// Most digits of the number of a house.
const LONGEST_NUMBER: usize = 4;
/// Digits of a telephone number.
const TELEPHONE: std::ops::RangeInclusive<usize> = 8..=15;
/// Most lines of opening hours, and most characters of all.
const MOST_HOURS: usize = 7;
const LONGEST_HOURS: usize = 300;
/// The mailbox that companies of most countries have for everybody.
const MAILBOX: &str = "info";

/// What a site tells of how to reach the company.
#[derive(Debug, Clone, Default)]
pub struct Contact {
    /// Street, code and town of the head office.
    pub address: Option<Claim>,
    pub telephone: Option<Claim>,
    /// The mailbox for everybody, never a person's.
    pub mailbox: Option<Claim>,
    pub hours: Option<Claim>,
}

/// Reads it from the lines of the site. `seat` is the claim of the head office.
pub fn contact(site: &Site, lines: &[Line<'_>], seat: Option<&Claim>) -> Contact {
    let lines: Vec<Line<'_>> = placeholders::without(lines)
        .into_iter()
        .filter(|line| !line.form && line.text.chars().count() <= LONGEST)
        .collect();
    Contact {
        address: seat
            .and_then(|seat| address(&lines, seat))
            .or_else(|| declared_address(site)),
        telephone: telephone(site, &lines).or_else(|| declared_telephone(site)),
        mailbox: mailbox(site, &lines),
        hours: hours(&lines),
    }
}

/// The address in the line that bears the head office out, with the street from the line above where it stands there.
fn address(lines: &[Line<'_>], seat: &Claim) -> Option<Claim> {
    let town = seat.value["locality"].as_str()?;
    let (at, line) = seat.excerpts.iter().find_map(|excerpt| {
        lines.iter().enumerate().find(|(_, line)| {
            line.page == excerpt.page && line.text == excerpt.text && line.text.contains(town)
        })
    })?;
    let own = part_with(line.text, town)?;
    if has_street(own, town) {
        return Some(Claim::stated(own, vec![line.excerpt()]));
    }
    let above = lines
        .get(at.checked_sub(1)?)
        .filter(|above| above.page == line.page && above.text.chars().count() <= LONGEST_STREET)?;
    let street = above.text.trim().trim_end_matches(',');
    let plain = !street.contains([':', '@', '+', '©', '.']) || street.ends_with("str.");
    let fits = plain
        && legal_names::find(street).is_empty()
        && house_numbers(street).next().is_some()
        && street.contains(char::is_alphabetic);
    fits.then(|| {
        Claim::stated(
            format!("{street}, {own}"),
            vec![above.excerpt(), line.excerpt()],
        )
    })
}

/// The first address with a street in structured data of the company.
fn declared_address(site: &Site) -> Option<Claim> {
    site.organizations.iter().find_map(|organization| {
        let mut addresses = organization.objects("address").into_iter();
        addresses.find_map(|address| {
            let text = |member: &str| texts(address, member).into_iter().next();
            let street = text("streetAddress")?;
            let town = text("addressLocality")?;
            let parts: Vec<String> = [Some(street), text("postalCode"), Some(town)]
                .into_iter()
                .flatten()
                .collect();
            let excerpts = parts.iter().map(|part| Excerpt {
                page: organization.page,
                text: part.clone(),
            });
            let whole = !parts.iter().any(|part| placeholders::is_in(part));
            whole.then(|| Claim::stated(parts.join(", "), excerpts.collect()))
        })
    })
}

/// The telephone number in structured data of the company.
fn declared_telephone(site: &Site) -> Option<Claim> {
    site.organizations.iter().find_map(|organization| {
        let number = organization.text("telephone")?;
        let fits = TELEPHONE.contains(&digits(&number).len()) && !placeholders::is_number(&number);
        fits.then(|| Claim::quoted(&number, organization.page))
    })
}

/// The part of a line that is the address with this town: without a registered name or a label before it, and without what
/// else tells how to reach the company.
fn part_with<'t>(text: &'t str, town: &str) -> Option<&'t str> {
    let named = legal_names::find(text)
        .first()
        .and_then(|name| text.strip_prefix(*name))
        .unwrap_or(text);
    let at = named.rfind(town)?;
    let begin = named.get(..at)?.rfind([':', '：', '|', '•', '·']);
    let begin = begin.map_or(0, |begin| {
        begin + named[begin..].chars().next().map_or(1, char::len_utf8)
    });
    let behind = named.get(at + town.len()..)?;
    let label = words::tokens(behind)
        .into_iter()
        .find_map(|(start, _, word)| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            CONTACT_LABELS.contains(&words::fold(bare)).then_some(start)
        });
    let mark = behind.find(['|', '•', '·', '@', '+', '(', ';', '–']);
    let end = label.into_iter().chain(mark).min().unwrap_or(behind.len());
    let part = without_label(named.get(begin..at + town.len() + end)?);
    let part = part.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '.'));
    let whole = !part.is_empty() && !part.contains('@') && !part.contains(". ");
    whole.then_some(part)
}

/// An address without the label before it that only a blank parts from it: `住所 〒100-0001 …`.
fn without_label(text: &str) -> &str {
    let text = text.trim_start();
    let label = text.split_once(char::is_whitespace);
    let rest = label.filter(|(label, _)| {
        let folded = words::fold(label);
        let label = words::split(&folded);
        NO_TOWNS.are(&label) || LABELS.are(&label)
    });
    rest.map_or(text, |(_, rest)| rest)
}

/// Whether an address has more than a postal code and a town.
fn has_street(address: &str, town: &str) -> bool {
    let rest = address.replacen(town, " ", 1);
    let letters = rest.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 4 && house_numbers(&rest).next().is_some()
}

/// The numbers of a text that may be those of houses.
fn house_numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter(|number| (1..=LONGEST_NUMBER).contains(&number.len()))
}

/// The pages on which a company says how to reach it, the surest first.
fn rank(line: &Line<'_>) -> Option<u8> {
    match line.part {
        Part::Contact => Some(0),
        Part::Legal => Some(1),
        Part::Home => Some(2),
        Part::About => Some(3),
        _ => None,
    }
}

/// The telephone number that most pages show: one that a link dials, or that stands behind its label.
fn telephone(site: &Site, lines: &[Line<'_>]) -> Option<Claim> {
    let dialled: Vec<String> = site
        .own_pages()
        .flat_map(|(_, _, page)| &page.actions)
        .filter(|action| matches!(action.opens, Opens::Telephone))
        .map(|action| digits(&action.text))
        .filter(|number| TELEPHONE.contains(&number.len()))
        .collect();
    let mut found: BTreeMap<String, (usize, u8, usize, &str)> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(rank) = rank(line) else { continue };
        for (label, number) in numbers(line.text) {
            let key = digits(number);
            if !(label || dialled.contains(&key)) || placeholders::is_number(number) {
                continue;
            }
            let entry = found.entry(key).or_insert((0, rank, at, number));
            entry.0 += 1;
            if rank < entry.1 {
                *entry = (entry.0, rank, at, number);
            }
        }
    }
    let best = found
        .into_values()
        .max_by_key(|(count, rank, at, _)| (*count, std::cmp::Reverse((*rank, *at))))?;
    let (_, _, at, number) = best;
    Some(Claim::stated(number, vec![lines.get(at)?.excerpt()]))
}

fn digits(text: &str) -> String {
    words::with_ascii_digits(text)
        .chars()
        .filter(char::is_ascii_digit)
        .collect()
}

/// The telephone numbers of a text, each with whether a label for it stands right before it.
fn numbers(text: &str) -> Vec<(bool, &str)> {
    let is_part = |c: char| c.is_ascii_digit() || " +-–/().\u{a0}".contains(c);
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text
        .get(from..)
        .and_then(|rest| rest.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '(')))
    {
        let begin = from + begin;
        let rest = text.get(begin..).unwrap_or_default();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let run = rest.get(..length).unwrap_or_default();
        from = begin + length.max(1);
        let number = run.trim_end_matches(|c: char| !c.is_ascii_digit());
        let whole = text
            .get(..begin)
            .is_none_or(|before| !before.ends_with(char::is_alphanumeric))
            && !text
                .get(begin + number.len()..)
                .is_some_and(|behind| behind.starts_with(char::is_alphabetic));
        let opens = number.starts_with(['+', '0', '(']);
        if whole && opens && TELEPHONE.contains(&digits(number).len()) {
            let before = text.get(..begin).unwrap_or_default();
            let folded = words::fold(before);
            let label = words::split(&folded).last().copied().unwrap_or_default();
            found.push((is_telephone_label(label), number));
        }
    }
    found
}

/// Whether a folded word is a label of a telephone, and not that of a fax or a tax.
fn is_telephone_label(word: &str) -> bool {
    CONTACT_LABELS.contains(word)
        && (word.starts_with("tel") && !word.ends_with("fax") || word.starts_with('電'))
}

/// The mailbox for everybody at the site's own domain.
fn mailbox(site: &Site, lines: &[Line<'_>]) -> Option<Claim> {
    let domain = bare_host(&site.research.domain).to_lowercase();
    let label = site.label().map(|label| letters(&label));
    let mut ranked: Vec<(u8, Claim)> = Vec::new();
    for line in lines {
        let Some(rank) = rank(line) else { continue };
        let mark = |c: char| c.is_whitespace() || "<>()[],;:|\"".contains(c);
        for word in line.text.split(mark) {
            let Some((local, host)) = word.trim_end_matches('.').split_once('@') else {
                continue;
            };
            let local = local.to_lowercase();
            let of_all = local == MAILBOX || label.as_deref() == Some(letters(&local).as_str());
            if of_all && host.to_lowercase() == domain {
                let text = word.trim_end_matches('.');
                ranked.push((rank, Claim::stated(text, vec![line.excerpt()])));
            }
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().next().map(|(_, claim)| claim)
}

/// The first lines in a row that tell when the company is open.
fn hours(lines: &[Line<'_>]) -> Option<Claim> {
    let tells = |line: &Line<'_>| {
        rank(line).is_some()
            && line.kind != BlockKind::Quote
            && tells_opening_hours(line.text)
            // A date tells of one day only.
            && dates::find(line.text).is_none()
    };
    let mut ranked: Vec<(usize, &Line<'_>)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| tells(line))
        .collect();
    ranked.sort_by_key(|(at, line)| (rank(line), *at));
    let (first, page) = ranked.first().map(|(at, line)| (*at, line.page))?;
    let run: Vec<&Line<'_>> = lines
        .iter()
        .skip(first)
        .take_while(|line| line.page == page && tells(line))
        .take(MOST_HOURS)
        .collect();
    let texts: Vec<&str> = run.iter().map(|line| line.text.trim()).collect();
    let joined = texts.join("; ");
    let excerpts: Vec<Excerpt> = run.iter().map(|line| line.excerpt()).collect();
    (joined.chars().count() <= LONGEST_HOURS).then(|| Claim::stated(joined, excerpts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parts_of_lines() {
        for (text, town, part) in [
            (
                "Acme GmbH, Bahnstraße 4, 89073 Ulm, Tel. +49 731 5550120",
                "Ulm",
                Some("Bahnstraße 4, 89073 Ulm"),
            ),
            (
                "Address: 4 Mill Yard, Ripon, North Yorkshire, HG4 1AB",
                "Ripon",
                Some("4 Mill Yard, Ripon, North Yorkshire, HG4 1AB"),
            ),
            (
                "Sede: Via Roma 4 - 36022 Cassola (VI) | P.IVA 01234567890",
                "Cassola",
                Some("Via Roma 4 - 36022 Cassola"),
            ),
            ("89073 Ulm", "Ulm", Some("89073 Ulm")),
            (
                "住所 〒100-0001 東京都千代田区丸の内1-1-1",
                "千代田区",
                Some("〒100-0001 東京都千代田区丸の内1-1-1"),
            ),
            ("We sit at 4 Mill Yard. Ripon is near.", "Ripon", None),
        ] {
            assert_eq!(part_with(text, town), part, "{text}");
        }
        assert!(has_street("Bahnstraße 4, 89073 Ulm", "Ulm"));
        assert!(!has_street("89073 Ulm", "Ulm"));
    }

    #[test]
    fn telephone_numbers_have_a_label() {
        for (text, found) in [
            ("Tel. +49 731 5550120", vec![(true, "+49 731 5550120")]),
            (
                "Telefono: 0424 555012 Fax 0424 555013",
                vec![(true, "0424 555012"), (false, "0424 555013")],
            ),
            ("電話：03-5550-1234", vec![(true, "03-5550-1234")]),
            ("Telefax 0731 5550121", vec![(false, "0731 5550121")]),
            ("P.IVA 01234567890", vec![(false, "01234567890")]),
            ("DE136695976", vec![]),
            ("89073 Ulm", vec![]),
        ] {
            assert_eq!(numbers(text), found, "{text}");
        }
    }
}
