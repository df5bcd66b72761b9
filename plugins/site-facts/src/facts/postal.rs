//! Postal addresses: finds the place beside a postal code, in the formats of several countries.

mod english;
mod indian;
mod japanese;
mod provincial;
mod southern;

use gtm_lexicon::countries::Country;
use gtm_lexicon::legal::COPYRIGHT;
use gtm_lexicon::places::{CONTACT_LABELS, NO_POSTAL_CODES, ROUTING};
use gtm_lexicon::postal::{bare, country_of_code, is_code, korean};
use gtm_site_research::places;
use gtm_site_research::words;

use self::english::{american, british};
use self::indian::indian;
use self::japanese::japanese;
use self::provincial::provincial;
use self::southern::{argentine, brazilian};
use super::countries;

/// Digits of a postal code that is no year.
const LONG_CODE: usize = 5;

/// The place in a postal address.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// The town.
    pub locality: String,
    /// County or state, if given.
    pub region: Option<String>,
    /// The postal code as printed, if it precedes the place.
    pub code: Option<String>,
    /// ISO 3166-1 alpha-2 code, if the address format alone identifies the country.
    pub country: Option<&'static str>,
    /// Town and province, if a stroke parts the place into two; in some countries it does that.
    pub divided: Option<(String, String)>,
}

impl Place {
    /// The place in a country whose addresses part towns from provinces by a stroke, or in another.
    pub fn within(self, country: &str) -> Self {
        let divides = Country::of_code(country).is_some_and(|country| country.divided);
        match self.divided.clone().filter(|_| divides) {
            Some((town, province)) => Self {
                locality: town,
                region: Some(province),
                ..self
            },
            None => self,
        }
    }
}

/// The place of the address in a line: `89073 Ulm`, `Leeds LS1 4AP`, `Austin, TX 78701`.
pub fn place_in(text: &str) -> Option<Place> {
    japanese(text)
        .or_else(|| of_korea(text))
        .or_else(|| british(text))
        .or_else(|| american(text))
        .or_else(|| provincial(text))
        .or_else(|| indian(text))
        .or_else(|| argentine(text))
        .or_else(|| brazilian(text))
        .or_else(|| continental(text))
}

fn of_korea(text: &str) -> Option<Place> {
    let (region, town) = korean(text)?;
    Some(Place {
        locality: town.to_owned(),
        region: region.map(str::to_owned),
        code: None,
        country: Some("KR"),
        divided: None,
    })
}

/// The postal code that begins at a token, and the offset behind it; it may have a blank inside: `1011 AB`, `114 55`.
fn code_at(tokens: &[(usize, usize, &str)], at: usize) -> Option<(String, usize)> {
    let &(_, end, token) = tokens.get(at)?;
    let two = tokens.get(at + 1).and_then(|&(_, end, next)| {
        let printed = format!("{} {}", bare(token), bare(next));
        is_code(&printed).then_some((printed, end))
    });
    let one = || is_code(bare(token)).then(|| (bare(token).to_owned(), end));
    two.or_else(one)
}

/// Whether the digits of a code are the end of a telephone number: another group stands before them, and no house has
/// such a number.
fn ends_telephone(tokens: &[(usize, usize, &str)], at: usize, code: &str) -> bool {
    if code.chars().all(|c| c.is_ascii_digit()) {
        return false;
    }
    let before = |back: usize| {
        let (.., word) = at.checked_sub(back).and_then(|at| tokens.get(at))?;
        Some(*word)
    };
    let is_group = |word: &str| {
        word.chars().any(|c| c.is_ascii_digit())
            && word
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '+' | '(' | ')' | '-' | '/' | '.'))
    };
    let Some(last) = before(1) else { return false };
    let opens = last.starts_with(['0', '+', '(', '/', '-']);
    let mark = last.chars().all(|c| !c.is_alphanumeric()) && before(2).is_some_and(is_group);
    is_group(last) && (opens || before(2).is_some_and(is_group)) || mark
}

fn continental(text: &str) -> Option<Place> {
    let tokens = words::tokens(text);
    let folded = words::fold(text);
    let is_notice = text.contains('©')
        || words::split(&folded)
            .iter()
            .any(|word| COPYRIGHT.contains(word));
    for at in 0..tokens.len() {
        let Some((code, end)) = code_at(&tokens, at) else {
            continue;
        };
        let before = at
            .checked_sub(1)
            .and_then(|before| tokens.get(before))
            .map(|(_, _, word)| words::fold(word));
        let numbered = before
            .as_deref()
            .is_some_and(|word| NO_POSTAL_CODES.contains(word.trim_end_matches([':', '.'])));
        // `© 2026 Acme B.V.` is a copyright notice, not an address.
        let year_of_notice =
            is_notice && code.len() == 4 && (code.starts_with("19") || code.starts_with("20"));
        if numbered || year_of_notice || ends_telephone(&tokens, at, &code) {
            continue;
        }
        let rest = text.get(end..)?.trim_start();
        // A dash may part the longer codes from their towns; behind four digits it begins an entry of a history.
        let dash = ["- ", "– ", "— "];
        let parted = dash.iter().find_map(|dash| rest.strip_prefix(dash));
        let rest = parted
            .filter(|_| code.len() == LONG_CODE)
            .map_or(rest, str::trim_start);
        let place = places::place_at(before_labels(rest));
        let locality = place.split(',').next().unwrap_or_default().trim();
        let locality = without_routing(locality);
        let locality = without_country(locality);
        if locality.chars().count() < 2
            || locality.chars().all(char::is_numeric)
            || countries::named(locality).is_some()
        {
            continue;
        }
        return Some(Place {
            region: province_behind(rest, locality),
            divided: divided(rest, locality),
            locality: locality.to_owned(),
            country: country_of_code(&code).map(|country| country.code),
            code: Some(code),
        });
    }
    None
}

/// A place without postal routing: `CEDEX`, the letter of a district (`Aarhus C`).
fn without_routing(place: &str) -> &str {
    let routing = ROUTING
        .iter()
        .filter_map(|word| place.find(&format!(" {word}")))
        .min();
    let place = routing
        .and_then(|routing| place.get(..routing))
        .unwrap_or(place)
        .trim();
    match place.rsplit_once(' ') {
        Some((town, letter)) if letter.chars().count() == 1 => town.trim_end(),
        _ => place,
    }
}

/// Town and province on the two sides of a stroke: `Nilüfer/Bursa`, `Nilüfer / BURSA`.
fn divided(text: &str, place: &str) -> Option<(String, String)> {
    let behind = text.strip_prefix(place)?.trim_start();
    let (town, province) = match place.split_once('/') {
        Some((town, province)) => (town, province),
        None => (
            place,
            places::place_at(behind.strip_prefix('/')?.trim_start()),
        ),
    };
    let (town, province) = (town.trim(), province.trim());
    let province = province.split(',').next().unwrap_or_default();
    let is_name = |text: &str| text.starts_with(char::is_uppercase) && text.chars().count() >= 3;
    (is_name(town) && is_name(province)).then(|| (town.to_owned(), province.to_owned()))
}

/// The letters of a province in brackets behind a town: `MO` of `Modena (MO)`.
fn province_behind(text: &str, town: &str) -> Option<String> {
    let behind = text.strip_prefix(town)?.trim_start().strip_prefix('(')?;
    let (letters, _) = behind.split_once(')')?;
    let is_code = letters.len() == 2 && letters.chars().all(|c| c.is_ascii_uppercase());
    is_code.then(|| letters.to_owned())
}

/// The text before the next label of a contact block: `Ulm ` of `Ulm Telefon: 0731 …`.
fn before_labels(text: &str) -> &str {
    let end = words::tokens(text)
        .into_iter()
        .find_map(|(start, _, word)| {
            let folded = words::fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
            CONTACT_LABELS.contains(&folded).then_some(start)
        });
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// A place without the country after it: `Ulm` of `Ulm Deutschland`.
fn without_country(place: &str) -> &str {
    let tokens = words::tokens(place);
    tokens
        .iter()
        .skip(1)
        .find(|(start, ..)| {
            place
                .get(*start..)
                .is_some_and(|rest| countries::named(rest).is_some())
        })
        .and_then(|(start, ..)| place.get(..*start))
        .map_or(place, str::trim_end)
}

/// The town of an address that ends with a country's name and has no postal code: the text between the last
/// two commas, after a street or a company.
pub fn place_before_country(text: &str) -> Option<(&str, &'static str)> {
    let whole = text.trim_end_matches('.');
    // Some countries write the postal code last: `Pune, Maharashtra, India – 411001`.
    let bare = whole.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let coded = whole.len() >= bare.len() + 4 && bare.ends_with(['-', '–', '—']);
    let text = if coded {
        bare.trim_end_matches(['-', '–', '—', ' '])
    } else {
        whole
    };
    let parts: Vec<&str> = text.split([',', '،']).map(str::trim).collect();
    let [.., street, town, country] = parts.as_slice() else {
        return None;
    };
    let code = countries::named(country)?;
    // Before a code that stands last is the region, and the town before it.
    let (street, town) = if coded {
        (town, street)
    } else {
        (street, town)
    };
    let is_name = |text: &str| {
        (1..=4).contains(&text.split_whitespace().count())
            && !text.chars().any(char::is_numeric)
            && !text.starts_with(char::is_lowercase)
            && countries::named(text).is_none()
    };
    (is_name(town) && !street.is_empty() && countries::named(street).is_none())
        .then_some((*town, code))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_year_of_a_notice_is_no_postal_code() {
        assert!(place_in("© 2026 Acme B.V.").is_none());
        assert!(place_in("Copyright 2019 – 2026 Acme ApS").is_none());
        assert!(place_in("Acme BV, 2000 Antwerpen").is_some());
    }

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
        // A line break of the page becomes a blank.
        assert_eq!(
            place("Unit 9, Hazel Way Bristol BS11 8DB United Kingdom"),
            some("Bristol", None, Some("GB"))
        );
        assert_eq!(
            place("Unit 9, Hazel Way, Bristol BS11 8DB, with depots in Gdynia"),
            some("Bristol", None, Some("GB"))
        );
        assert_eq!(
            place("14 Tanner's Yard Hebden Bridge West Yorkshire HX7 8AD"),
            some("Hebden Bridge", Some("West Yorkshire"), Some("GB"))
        );
        assert_eq!(
            place("2218 SE Elm Street Portland, OR 97202"),
            some("Portland", Some("OR"), Some("US"))
        );
        assert_eq!(
            place("80 Main St. Suite 4 St. Louis, Missouri 63101"),
            some("St. Louis", Some("Missouri"), Some("US"))
        );
        assert_eq!(
            place("Hauptstr. 8 83547 Babensham Deutschland"),
            some("Babensham", None, None)
        );
        assert_eq!(
            place("Ring 3, 1010 Wien Telefon: +43 1 234"),
            some("Wien", None, None)
        );
        assert_eq!(
            place("Via Roma 10, 40010 Ulmeto (BO)"),
            some("Ulmeto", Some("BO"), None)
        );
        for (text, town, country) in [
            ("ul. Polna 12 00-950 Ulmowo", "Ulmowo", Some("PL")),
            ("PL-00-950 Ulmowo", "Ulmowo", Some("PL")),
            ("Storgatan 2 223 50 Lund", "Lund", None),
            ("Storgatan 2, SE-223 50 Lund, Sverige", "Lund", Some("SE")),
            ("Dlouhá 4, 602 00 Brno", "Brno", None),
            ("Vestergade 2, 8000 Aarhus C", "Aarhus", None),
            ("DK-2100 København Ø", "København", Some("DK")),
            ("Storgata 4, 0150 Oslo", "Oslo", None),
            (
                "Mannerheimintie 4, FI-00100 Helsinki",
                "Helsinki",
                Some("FI"),
            ),
            ("Rua do Moinho 4, 4150-180 Ulmeira", "Ulmeira", Some("PT")),
            (
                "(06236) 서울특별시 강남구 가람로 12",
                "서울특별시",
                Some("KR"),
            ),
        ] {
            assert_eq!(place(text), some(town, None, country), "{text}");
        }
        for text in [
            "Tel. 0731 / 55-120 Ulm",
            "Tel. 0731 223 50 Lund",
            "Fax (0731) 55-120 Ulm",
            "E-5000 Motor",
            "Modell 55-120 aus Stahl",
        ] {
            assert_eq!(place(text), None, "{text}");
        }
        let turkish = place_in("Sanayi Cad. No: 4 16059 Nilüfer/Bursa").unwrap();
        assert_eq!(turkish.locality, "Nilüfer/Bursa");
        let turkish = turkish.within("TR");
        assert_eq!(
            (turkish.locality.as_str(), turkish.region.as_deref()),
            ("Nilüfer", Some("Bursa"))
        );
        let parted = place_in("16059 Nilüfer / Bursa").unwrap().within("TR");
        assert_eq!(parted.region.as_deref(), Some("Bursa"));
        let german = place_in("38707 Uhlen/Hang").unwrap().within("DE");
        assert_eq!(german.locality, "Uhlen/Hang");
        assert_eq!(place("HRB 12345 Ulm"), None);
        assert_eq!(place("Since 2014 Leeds has been our home"), None);
        assert_eq!(place("Tel. 0731 12345"), None);
    }

    #[test]
    fn addresses_without_a_postal_code_end_with_their_country() {
        assert_eq!(
            place_before_country("Acme LLC, Canal Road, Irbid, Jordan."),
            Some(("Irbid", "JO"))
        );
        assert_eq!(
            place_before_country("طريق الكرامة، إربد، الأردن"),
            Some(("إربد", "JO"))
        );
        assert_eq!(
            place_before_country("We sell in France, Spain, Italy"),
            None
        );
        assert_eq!(
            place_before_country("Pune, Maharashtra, India – 411001"),
            Some(("Pune", "IN"))
        );
        assert_eq!(place_before_country("Irbid, Jordan"), None);
    }
}
