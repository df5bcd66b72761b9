//! How to reach the company: where it sits in its street, its telephone, its mailbox, and when it is open.

mod further;
mod hours;
mod mailbox;
mod telephone;

pub use further::Further;

use gtm_lexicon::places::CONTACT_LABELS;
use gtm_lexicon::seats::{LABELS, NO_TOWNS};
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::organization::texts;
use gtm_site_research::words;

use super::{Line, countries, legal_names, placeholders};
use crate::part::Part;
use crate::site::Site;

/// Most characters of a line that is an address, has a telephone number, or tells opening hours.
const LONGEST: usize = 160;
/// Most characters of a line with a street alone.
const LONGEST_STREET: usize = 60;
/// Among how many lines above a town its street stands.
const LINES_ABOVE: usize = 3;
/// Most digits of the number of a house.
const LONGEST_NUMBER: usize = 4;

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
            .map(|claim| without_names(claim, site))
            .or_else(|| declared_address(site)),
        telephone: telephone::shown(site, &lines).or_else(|| telephone::declared(site)),
        mailbox: mailbox::shown(site, &lines).or_else(|| mailbox::declared(site)),
        hours: hours::shown(&lines, &site.research.language).or_else(|| hours::declared(site)),
    }
}

/// Where else the company sits, and the mailboxes of its departments, besides what `contact` says.
pub fn further(site: &Site, lines: &[Line<'_>], contact: &Contact) -> Further {
    let lines: Vec<Line<'_>> = placeholders::without(lines)
        .into_iter()
        .filter(|line| !line.form && line.text.chars().count() <= LONGEST)
        .collect();
    let known = [contact.address.as_ref(), contact.mailbox.as_ref()];
    further::further(site, &lines, known)
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
    // Columns may put the numbers of telephone and fax between street and town.
    let above = lines.get(..at)?.iter().rev().take(LINES_ABOVE);
    let mut above = above
        .take_while(|above| above.page == line.page)
        .skip_while(|above| telephone::is_line_of_number(above.text));
    let above = above
        .next()
        .filter(|above| above.text.chars().count() <= LONGEST_STREET)?;
    let street = above.text.trim().trim_end_matches(',');
    let plain = !street.contains([':', '@', '+', '©', '.']) || street.ends_with("str.");
    let fits = plain
        && legal_names::find(street).is_empty()
        && has_house_number(street)
        && street.contains(char::is_alphabetic);
    fits.then(|| {
        Claim::stated(
            format!("{street}, {own}"),
            vec![above.excerpt(), line.excerpt()],
        )
    })
}

/// An address without the company's own name before it, where a line break became a blank.
fn without_names(claim: Claim, site: &Site) -> Claim {
    let text = claim.value.as_str().unwrap_or_default();
    let own = site.research.names.iter();
    let rest = own.filter_map(|name| text.strip_prefix(name.as_str()));
    let rest = rest
        .map(|rest| rest.trim_start_matches([',', ' ', '·', '|']))
        .filter(|rest| rest.starts_with(char::is_alphabetic) && has_house_number(rest))
        .min_by_key(|rest| rest.len());
    match rest.map(str::to_owned) {
        Some(rest) => Claim {
            value: rest.into(),
            ..claim
        },
        None => claim,
    }
}

/// The first address with a street in structured data of the company.
fn declared_address(site: &Site) -> Option<Claim> {
    site.of_the_whole().find_map(|organization| {
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

/// The part of a line that is the address with this town: without a registered name or a label before it, and without what
/// else tells how to reach the company.
fn part_with<'t>(text: &'t str, town: &str) -> Option<&'t str> {
    let named = legal_names::find(text)
        .first()
        .and_then(|name| text.strip_prefix(*name))
        .unwrap_or(text);
    // The same address may stand twice; a street may be called like the town, too.
    let mut places = named.match_indices(town).map(|(at, _)| at);
    let numbered = |at: &usize| named.get(..*at).is_some_and(has_house_number);
    let at = places.find(numbered).or_else(|| named.rfind(town))?;
    let begin = named.get(..at)?.rfind([':', '：', '|', '•', '·']);
    let begin = begin.map_or(0, |begin| {
        begin + named[begin..].chars().next().map_or(1, char::len_utf8)
    });
    // In Japan, an address begins with the mark of its postal code.
    let marked = named
        .get(..at)?
        .rfind('〒')
        .filter(|marked| *marked >= begin);
    let begin = marked.unwrap_or(begin);
    let behind = named.get(at + town.len()..)?;
    let label = contact_label(behind);
    let mark = behind.find(['|', '•', '·', '@', '+', '(', ';', '–', '【']);
    // Behind the country, something else begins.
    let country = words::tokens(behind).into_iter().find(|(.., word)| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        bare.chars().count() > 2 && countries::named(bare).is_some()
    });
    let country = country.map(|(_, end, _)| end);
    let ends = label.into_iter().chain(mark).chain(country);
    let end = ends.min().unwrap_or(behind.len());
    let part = without_label(named.get(begin..at + town.len() + end)?);
    let part = part.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '.'));
    let whole = !part.is_empty() && !part.contains('@') && !ends_a_sentence(part);
    whole.then_some(part)
}

/// Fewest letters of the last word of a sentence: shorter ones are abbreviations of streets and initials.
const LEAST_OF_LAST: usize = 4;

/// Whether a stop within a text ends a sentence: a word stands before it and a capital behind it, as in neither `Ahornstr. 4`
/// nor `Via R. Rossi`.
fn ends_a_sentence(text: &str) -> bool {
    text.match_indices(". ").any(|(at, mark)| {
        let before = text.get(..at).unwrap_or_default();
        let behind = text.get(at + mark.len()..).unwrap_or_default();
        let last = before
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        last.chars().count() >= LEAST_OF_LAST
            && !last.ends_with("str")
            && behind.trim_start().starts_with(char::is_uppercase)
    })
}

/// Where a label of a telephone, a mailbox or something else begins, also one that nothing parts from what stands around it.
fn contact_label(text: &str) -> Option<usize> {
    let by_words = words::tokens(text)
        .into_iter()
        .find_map(|(start, _, word)| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            CONTACT_LABELS.contains(&words::fold(bare)).then_some(start)
        });
    let is_latin = |c: char| c.is_ascii_alphabetic() || ('Ａ'..='ｚ').contains(&c);
    let mut from = 0;
    let mut glued = None;
    while let Some(begin) = text.get(from..).and_then(|rest| rest.find(is_latin)) {
        let begin = from + begin;
        let rest = text.get(begin..).unwrap_or_default();
        let run = rest.get(..rest.find(|c| !is_latin(c)).unwrap_or(rest.len()));
        let run = run.unwrap_or_default();
        from = begin + run.len().max(1);
        // Behind such a label stands a number.
        let number = text.get(from..).unwrap_or_default();
        let numbered = number.chars().find(|c| c.is_alphanumeric());
        if CONTACT_LABELS.contains(&words::fold(run)) && numbered.is_some_and(char::is_numeric) {
            glued = Some(begin);
            break;
        }
    }
    by_words.into_iter().chain(glued).min()
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
    letters >= 4 && has_house_number(&rest)
}

/// Whether a text has a number that may be that of a house, in digits of any width.
fn has_house_number(text: &str) -> bool {
    words::with_ascii_digits(text)
        .split(|c: char| !c.is_ascii_digit())
        .any(|number| (1..=LONGEST_NUMBER).contains(&number.len()))
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
            (
                "川辺清掃協会 〒100-0001 東京都千代田区丸の内1-1-1 TEL：03-5550-0120 FAX：03-5550-0121",
                "千代田区",
                Some("〒100-0001 東京都千代田区丸の内1-1-1"),
            ),
            (
                "4 Mill Yard, Ripon HG4 1AB Tel:01765 555012",
                "Ripon",
                Some("4 Mill Yard, Ripon HG4 1AB"),
            ),
            ("We sit at 4 Mill Yard. Ripon is near.", "Ripon", None),
            (
                "12 Mill St, Delta BC, V4G 1E2, Canada Click here 12 Mill St, Delta BC, V4G 1E2, Canada",
                "Delta",
                Some("12 Mill St, Delta BC, V4G 1E2, Canada"),
            ),
            (
                "Ahornstr. 50, 89073 Ulm",
                "Ulm",
                Some("Ahornstr. 50, 89073 Ulm"),
            ),
            (
                "Via R. Rossi 10 36022 Cassola (VI) 0424 555012",
                "Cassola",
                Some("Via R. Rossi 10 36022 Cassola"),
            ),
        ] {
            assert_eq!(part_with(text, town), part, "{text}");
        }
        assert!(has_street("Bahnstraße 4, 89073 Ulm", "Ulm"));
        assert!(!has_street("89073 Ulm", "Ulm"));
        assert!(has_street(
            "〒３５０-１３３１ 埼玉県狭山市新狭山一丁目１番地１",
            "狭山市"
        ));
    }
}
