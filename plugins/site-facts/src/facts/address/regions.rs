//! Regions, which are no towns: a company `based in Kent` does not sit in a town of that name.

use gtm_lexicon::countries::states_of_usa;
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

/// A town without the code that some write in brackets behind it, and the code if it is that of a province: `Cassola (VI)`,
/// `Cassola (95)`.
pub fn with_code(locality: &str) -> Option<(&str, Option<&str>)> {
    let (town, behind) = locality.trim_end().split_once('(')?;
    let code = behind.strip_suffix(')')?.trim();
    let all = |is: fn(&char) -> bool| code.chars().all(|c| is(&c));
    let province = (2..=3).contains(&code.len()) && all(char::is_ascii_uppercase);
    let number = (1..=5).contains(&code.len()) && all(char::is_ascii_digit);
    let town = town.trim_end();
    (!town.is_empty() && (province || number)).then_some((town, province.then_some(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_in_brackets_are_no_part_of_a_town() {
        for (locality, parts) in [
            ("Cassola (VI)", Some(("Cassola", Some("VI")))),
            ("Cassola (95)", Some(("Cassola", None))),
            ("Frankfurt (Oder)", None),
            ("Cassola", None),
            ("(VI)", None),
        ] {
            assert_eq!(with_code(locality), parts, "{locality}");
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
