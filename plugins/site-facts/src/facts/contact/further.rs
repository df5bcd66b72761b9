//! Where else a company sits, and the mailboxes of its departments.

use gtm_lexicon::places::DEPARTMENTS;
use gtm_lexicon::seats::BRANCHES;
use gtm_page_text::bare_host;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::{LONGEST_STREET, has_house_number, has_street, mailbox, part_with, telephone};
use crate::facts::postal::place_in;
use crate::facts::{Line, legal_names, letters};
use crate::part::Part;
use crate::site::Site;

/// Most further addresses and mailboxes.
const MOST: usize = 8;
/// Among how many lines above an address its label stands.
const LINES_ABOVE: usize = 4;
/// Most words of a label.
const LONGEST_LABEL: usize = 8;

/// What else tells how to reach a company.
#[derive(Debug, Clone, Default)]
pub struct Further {
    /// Each is the label of another place of the company with its address.
    pub addresses: Vec<Claim>,
    /// Mailboxes of departments, never a person's.
    pub mailboxes: Vec<Claim>,
}

/// Reads it from the lines of the site. `known` are the claims of the main address and mailbox.
pub fn further(site: &Site, lines: &[Line<'_>], known: [Option<&Claim>; 2]) -> Further {
    let [address, main] = known.map(|claim| {
        let text = claim.and_then(|claim| claim.value.as_str());
        text.map(str::to_owned)
    });
    Further {
        addresses: addresses(lines, address.as_deref()),
        mailboxes: mailboxes(site, lines, main.as_deref()),
    }
}

/// Addresses below a label that says what of the company is there. Without one, an address may be anybody's.
fn addresses(lines: &[Line<'_>], main: Option<&str>) -> Vec<Claim> {
    let mut found: Vec<Claim> = Vec::new();
    let mut known: Vec<String> = main.map(letters).into_iter().collect();
    for (at, line) in lines.iter().enumerate() {
        if found.len() >= MOST || !presents(line.part) {
            continue;
        }
        let Some((label, address, excerpts)) = labelled(lines, at) else {
            continue;
        };
        let key = letters(&address);
        // The main address may stand with more around it, or with its street cut short.
        let again = known.iter().any(|one| {
            one.contains(&key) || key.contains(one.as_str()) || numbers(one) == numbers(&key)
        });
        if !again {
            known.push(key);
            found.push(Claim::stated(format!("{label}, {address}"), excerpts));
        }
    }
    found
}

/// The numbers of an address: that of its house and its postal code, in order of size.
fn numbers(address: &str) -> Vec<&str> {
    let mut found: Vec<&str> = address
        .split(|c: char| !c.is_ascii_digit())
        .filter(|number| !number.is_empty())
        .collect();
    found.sort_unstable();
    found
}

/// The pages on which a company says where it is.
fn presents(part: Part) -> bool {
    matches!(
        part,
        Part::Home | Part::About | Part::Contact | Part::Other | Part::Legal
    )
}

/// The label and the address of the line at this place.
fn labelled(lines: &[Line<'_>], at: usize) -> Option<(String, String, Vec<Excerpt>)> {
    let line = lines.get(at)?;
    let town = place_in(line.text)?.locality;
    let own = part_with(line.text, &town)?;
    let above: Vec<&Line<'_>> = lines
        .get(..at)?
        .iter()
        .rev()
        .take(LINES_ABOVE)
        .take_while(|above| above.page == line.page)
        .collect();
    let mut excerpts = vec![line.excerpt()];
    let (address, from) = match has_street(own, &town) {
        true => (own.to_owned(), 0),
        false => {
            let nth = above
                .iter()
                .position(|above| !telephone::is_line_of_number(above.text))?;
            let street = above.get(nth)?;
            let text = street.text.trim().trim_end_matches(',');
            let fits = text.chars().count() <= LONGEST_STREET
                && has_house_number(text)
                && text.contains(char::is_alphabetic)
                && !text.contains([':', '@', '+', '©'])
                && legal_names::find(text).is_empty();
            excerpts.push(street.excerpt());
            fits.then(|| (format!("{text}, {own}"), nth + 1))?
        }
    };
    // What stands before the address in its own line may be its label.
    let before = line.text.split(own).next().unwrap_or_default();
    let before = before
        .trim()
        .trim_end_matches([':', '：', '–', '-', '|', ','])
        .trim();
    if is_label(before) {
        return Some((before.to_owned(), address, excerpts));
    }
    let label = above.get(from..)?.iter().find(|above| {
        let is_address = place_in(above.text).is_some();
        is_label(above.text) || is_address || above.kind == BlockKind::Heading
    })?;
    is_label(label.text).then(|| {
        excerpts.push(label.excerpt());
        let text = label.text.trim().trim_end_matches([':', '：']);
        (text.to_owned(), address, excerpts)
    })
}

/// Whether a text is the label of one of several places of a company: `Werk 2`, `Branch Leeds`.
fn is_label(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    (1..=LONGEST_LABEL).contains(&words.len())
        && text.chars().count() <= LONGEST_STREET
        && !text.ends_with(['.', '!', '?', '。'])
        && BRANCHES.any_in(&words)
}

/// Mailboxes at the site's own domain, or at that of its main mailbox, whose name is that of a department.
fn mailboxes(site: &Site, lines: &[Line<'_>], main: Option<&str>) -> Vec<Claim> {
    let domain = bare_host(&site.research.domain).to_lowercase();
    let main = main.map(str::to_lowercase);
    let host = main.as_deref().and_then(|main| main.split_once('@'));
    let host = host.map(|(_, host)| host);
    let company = mailbox::names(site);
    let mut found: Vec<Claim> = Vec::new();
    let mark = |c: char| c.is_whitespace() || "<>()[],;:|\"：".contains(c);
    for line in lines.iter().filter(|line| line.part != Part::External) {
        for word in line.text.split(mark) {
            let text = word.trim_end_matches('.');
            let key = text.to_lowercase();
            let Some((local, at)) = key.split_once('@') else {
                continue;
            };
            let own = at == domain
                || host == Some(at) && company.iter().any(|name| letters(at).contains(name));
            let parts: Vec<&str> = local.split(['.', '-', '_']).collect();
            let is_department = |part: &&str| {
                let bare = part.trim_end_matches(|c: char| c.is_ascii_digit());
                DEPARTMENTS.contains(&words::fold(bare))
            };
            // A person's name beside a department is that of a person.
            let of_department = || {
                parts.iter().any(is_department)
                    && (parts.iter())
                        .all(|part| is_department(part) || company.contains(&letters(part)))
            };
            let again = || {
                main.as_deref() == Some(&key)
                    || found.iter().any(|claim| claim.value.as_str() == Some(text))
            };
            if own && found.len() < MOST && of_department() && !again() {
                found.push(Claim::stated(text, vec![line.excerpt()]));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line<'_> {
        Line {
            page: 0,
            part: Part::Contact,
            main: true,
            kind: BlockKind::Paragraph,
            form: false,
            text,
        }
    }

    fn told(texts: &[&str], main: &str) -> Vec<String> {
        let lines: Vec<Line<'_>> = texts.iter().map(|text| line(text)).collect();
        let found = addresses(&lines, Some(main)).into_iter();
        found
            .filter_map(|claim| claim.value.as_str().map(str::to_owned))
            .collect()
    }

    #[test]
    fn addresses_below_labels_are_further_places() {
        let main = "Via Roma 3, 36022 Cassola";
        assert_eq!(
            told(
                &[
                    "Sede amministrativa",
                    "Via Roma 3",
                    "36022 Cassola (VI)",
                    "Sede produttiva 2",
                    "Via Verdi 14",
                    "36022 Cassola (VI)",
                    "Magazzino: Via Dante 5, 36061 Bassano",
                ],
                main
            ),
            [
                "Sede produttiva 2, Via Verdi 14, 36022 Cassola",
                "Magazzino, Via Dante 5, 36061 Bassano"
            ]
        );
        assert_eq!(
            told(
                &["Niederlassung Nord", "Hafenweg 7", "20457 Hamburg"],
                "Bahnstraße 4, 89073 Ulm"
            ),
            ["Niederlassung Nord, Hafenweg 7, 20457 Hamburg"]
        );
        // The main address again, its street cut short.
        assert!(
            told(
                &["Werkstatt", "Bahnstr. 4", "89073 Ulm"],
                "Bahnstraße 4, 89073 Ulm"
            )
            .is_empty()
        );
        // Without a label an address may be anybody's.
        assert!(told(&["Insurer", "Hafenweg 7", "20457 Hamburg"], main).is_empty());
    }
}
