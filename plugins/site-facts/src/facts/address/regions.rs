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

#[cfg(test)]
mod tests {
    use super::*;

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
