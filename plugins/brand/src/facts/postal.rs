//! Postal addresses: the place beside a postal code, by the customs of several countries.

use gtm_site_research::places;
use gtm_site_research::words;

use super::countries;

/// The place of a postal address.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// Town.
    pub locality: String,
    /// County or state, if it stands there.
    pub region: Option<String>,
    /// Digits of the postal code that stands before the place.
    pub digits: Option<usize>,
    /// ISO 3166-1 alpha-2 code, if the form alone tells it.
    pub country: Option<&'static str>,
}

/// The place of an address in a line: `89073 Ulm`, `Leeds LS1 4AP`, `Austin, TX 78701`.
pub fn place_in(text: &str) -> Option<Place> {
    british(text)
        .or_else(|| american(text))
        .or_else(|| continental(text))
}

fn continental(text: &str) -> Option<Place> {
    let tokens = words::tokens(text);
    for (at, &(_, end, token)) in tokens.iter().enumerate() {
        let code = token.trim_matches(|c: char| matches!(c, ',' | ';' | '(' | ')'));
        let (prefix, digits) = match code.split_once('-') {
            Some((prefix, digits))
                if (1..=2).contains(&prefix.len())
                    && prefix.chars().all(|c| c.is_ascii_uppercase()) =>
            {
                (Some(prefix), digits)
            }
            _ => (None, code),
        };
        if !matches!(digits.len(), 4 | 5) || !digits.chars().all(|c| c.is_ascii_digit()) {
            continue;
        }
        let before = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .map(|(_, _, word)| words::fold(word));
        let numbered = before.as_deref().is_some_and(|word| {
            matches!(
                word.trim_end_matches([':', '.']),
                "hrb"
                    | "hra"
                    | "nr"
                    | "no"
                    | "tel"
                    | "fax"
                    | "fn"
                    | "gnr"
                    | "vr"
                    | "in"
                    | "since"
                    | "seit"
            )
        });
        if numbered || code.contains('+') {
            continue;
        }
        let mut rest_at = end;
        // Dutch codes have two letters behind the digits.
        let dutch = digits.len() == 4
            && tokens.get(at + 1).is_some_and(|(_, _, word)| {
                word.len() == 2 && word.chars().all(|c| c.is_ascii_uppercase())
            });
        if dutch {
            rest_at = tokens.get(at + 1).map_or(end, |(_, end, _)| *end);
        }
        let rest = text.get(rest_at..)?.trim_start();
        let place = places::place_at(rest);
        let locality = place.split(',').next().unwrap_or_default().trim();
        // `CEDEX` and numbers of districts belong to the post, not to the place.
        let locality = locality
            .split(" Cedex")
            .next()
            .unwrap_or(locality)
            .split(" CEDEX")
            .next()
            .unwrap_or(locality)
            .trim();
        if locality.chars().count() < 2
            || locality.chars().all(char::is_numeric)
            || countries::named(locality).is_some()
        {
            continue;
        }
        let country = match prefix {
            Some("D" | "DE") => Some("DE"),
            Some("A" | "AT") => Some("AT"),
            Some("CH") => Some("CH"),
            Some("F" | "FR") => Some("FR"),
            Some("B" | "BE") => Some("BE"),
            Some("NL") => Some("NL"),
            _ if dutch => Some("NL"),
            _ => None,
        };
        return Some(Place {
            locality: locality.to_owned(),
            region: None,
            digits: Some(digits.len()),
            country,
        });
    }
    None
}

fn british(text: &str) -> Option<Place> {
    let tokens = words::tokens(text);
    for pair in tokens.windows(2) {
        let [(start, _, outward), (_, _, inward)] = pair else {
            continue;
        };
        let inward = inward.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let shape: String = inward
            .chars()
            .map(|c| {
                if c.is_ascii_digit() {
                    '9'
                } else if c.is_ascii_uppercase() {
                    'A'
                } else {
                    '?'
                }
            })
            .collect();
        let outward_fits = (2..=4).contains(&outward.len())
            && outward.starts_with(|c: char| c.is_ascii_uppercase())
            && outward
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            && outward.chars().any(|c| c.is_ascii_digit());
        if shape != "9AA" || !outward_fits {
            continue;
        }
        let before = text.get(..*start)?.trim_end_matches([',', ' ']);
        let parts: Vec<&str> = before
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        // Behind the street, which has a number or is a house, stand the town and perhaps the county.
        let street = parts
            .iter()
            .rposition(|part| part.chars().any(|c| c.is_ascii_digit()));
        let towns: Vec<&str> = parts
            .iter()
            .skip(street.map_or(0, |at| at + 1))
            .copied()
            .collect();
        let (locality, region) = match (towns.as_slice(), street) {
            ([town], _) => (*town, None),
            ([town, county], Some(_)) => (*town, Some(*county)),
            ([.., town], _) => (*town, None),
            ([], _) => return None,
        };
        let fits =
            locality.starts_with(char::is_uppercase) && locality.split_whitespace().count() <= 4;
        return fits.then(|| Place {
            locality: locality.to_owned(),
            region: region.map(str::to_owned),
            digits: None,
            country: Some("GB"),
        });
    }
    None
}

fn american(text: &str) -> Option<Place> {
    const STATES: &str = " AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC ";
    let tokens = words::tokens(text);
    for pair in tokens.windows(2) {
        let [(start, _, state), (_, _, zip)] = pair else {
            continue;
        };
        let zip = zip.trim_end_matches([',', '.', ';']);
        let is_zip = zip.len() >= 5
            && zip.chars().take(5).all(|c| c.is_ascii_digit())
            && (zip.len() == 5 || zip.as_bytes().get(5) == Some(&b'-'));
        if !is_zip || state.len() != 2 || !STATES.contains(&format!(" {state} ")) {
            continue;
        }
        let before = text.get(..*start)?.trim_end_matches([',', ' ']);
        let city = before.rsplit(',').next()?.trim();
        // Without a comma before the city its street stands before it: only what has no number is a city.
        let fits = city.starts_with(char::is_uppercase)
            && !city.chars().any(|c| c.is_ascii_digit())
            && city.split_whitespace().count() <= 4;
        return fits.then(|| Place {
            locality: city.to_owned(),
            region: Some((*state).to_owned()),
            digits: None,
            country: Some("US"),
        });
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn places_are_told_from_addresses() {
        let place =
            |text| place_in(text).map(|place| (place.locality, place.region, place.country));
        let some = |locality: &str, region: Option<&str>, country| {
            Some((locality.to_owned(), region.map(str::to_owned), country))
        };
        assert_eq!(place("Musterstraße 12, 89073 Ulm"), some("Ulm", None, None));
        assert_eq!(
            place("D-60311 Frankfurt am Main"),
            some("Frankfurt am Main", None, Some("DE"))
        );
        assert_eq!(
            place("12 Mill Lane, Leeds LS1 4AP"),
            some("Leeds", None, Some("GB"))
        );
        assert_eq!(
            place("12 Mill Lane, Leeds, LS1 4AP"),
            some("Leeds", None, Some("GB"))
        );
        assert_eq!(
            place("Unit 4, Mill House, 2 Quay Road, Hull, East Yorkshire, HU1 2AB, UK"),
            some("Hull", Some("East Yorkshire"), Some("GB"))
        );
        assert_eq!(
            place("500 Congress Ave, Austin, TX 78701"),
            some("Austin", Some("TX"), Some("US"))
        );
        assert_eq!(
            place("12 rue des Lices, 69002 Lyon Cedex 2"),
            some("Lyon", None, None)
        );
        assert_eq!(
            place("Keizersgracht 1, 1015 CJ Amsterdam"),
            some("Amsterdam", None, Some("NL"))
        );
        assert_eq!(place("HRB 12345 Ulm"), None);
        assert_eq!(place("Since 2014 Leeds has been our home"), None);
        assert_eq!(place("Tel. 0731 12345"), None);
    }
}
