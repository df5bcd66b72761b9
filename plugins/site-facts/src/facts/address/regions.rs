//! Regions, which are no towns: a company `based in Kent` does not sit in a town of that name.

use gtm_lexicon::countries::{Country, states_of_usa};
use gtm_lexicon::places::{ALSO_TOWNS, COUNTIES, REGIONS};
use gtm_site_research::words;

/// Whether a place is a region: a county, a state, a landscape.
pub fn is_region(place: &str) -> bool {
    let folded = words::fold(place);
    let joined = words::split(&folded).join(" ");
    COUNTIES.contains(place)
        || REGIONS.contains(&joined)
        || !ALSO_TOWNS.contains(&joined) && states_of_usa().any(|(_, name)| name == place)
}

/// A town of a country without the code that some write in brackets behind it, and the code if it is one of the country's
/// regions: `Cassola (VI)`, `Cassola (95)`, `Wien (AT)`.
pub fn with_code<'l>(locality: &'l str, country: &str) -> Option<(&'l str, Option<&'l str>)> {
    let (town, behind) = locality.trim_end().split_once('(')?;
    let code = behind.strip_suffix(')')?.trim();
    let all = |is: fn(&char) -> bool| code.chars().all(|c| is(&c));
    let letters = (2..=3).contains(&code.len()) && all(char::is_ascii_uppercase);
    let number = (1..=5).contains(&code.len()) && all(char::is_ascii_digit);
    let town = town.trim_end();
    let is_region = || Country::of_code(country).is_some_and(|country| country.has_region(code));
    (!town.is_empty() && (letters || number))
        .then(|| (town, Some(code).filter(|_| letters && is_region())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_in_brackets_are_no_part_of_a_town() {
        for (locality, country, parts) in [
            ("Cassola (VI)", "IT", Some(("Cassola", Some("VI")))),
            ("Cassola (95)", "FR", Some(("Cassola", None))),
            ("Prato (AT)", "IT", Some(("Prato", Some("AT")))),
            ("Wien (AT)", "AT", Some(("Wien", None))),
            ("Reinach (BL)", "CH", Some(("Reinach", Some("BL")))),
            ("Basel (CH)", "CH", Some(("Basel", None))),
            ("Portland (ME)", "US", Some(("Portland", Some("ME")))),
            ("Halifax (GB)", "GB", Some(("Halifax", None))),
            ("Sydney (NSW)", "AU", Some(("Sydney", Some("NSW")))),
            ("Lisboa (PT)", "PT", Some(("Lisboa", None))),
            ("Frankfurt (Oder)", "DE", None),
            ("Cassola", "IT", None),
            ("(VI)", "IT", None),
        ] {
            assert_eq!(with_code(locality, country), parts, "{locality}");
        }
    }

    #[test]
    fn regions_are_told_from_towns() {
        for place in [
            "Kent",
            "Baden-Württemberg",
            "Texas",
            "Île-de-France",
            "Sachsen",
            "Skåne",
        ] {
            assert!(is_region(place), "{place}");
        }
        for place in ["Leeds", "Ulm", "New York", "Washington", "Bremen", "Lyon"] {
            assert!(!is_region(place), "{place}");
        }
    }
}
