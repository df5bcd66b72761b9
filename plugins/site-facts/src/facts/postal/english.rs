//! British and American postal addresses: the town comes before its county or state and the postal code.

use gtm_lexicon::countries::{Country, form, states_of_usa};
use gtm_lexicon::places::{COUNTIES, DIRECTIONS, PARTS_OF_HOUSES, SAINTS, STREETS};
use gtm_site_research::words;

use super::Place;

/// The town of a British address: `Leeds LS1 4AP`.
pub fn british(text: &str) -> Option<Place> {
    let tokens = words::tokens(text);
    for pair in tokens.windows(2) {
        let [(start, _, outward), (_, _, inward)] = pair else {
            continue;
        };
        let inward = inward.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        if !has_form("GB", &format!("{outward} {inward}")) {
            continue;
        }
        let before = text.get(..*start)?.trim_end_matches([',', ' ']);
        let (before, county) = without_county(before);
        let parts: Vec<&str> = before
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect();
        // The town and perhaps the county follow the street; a street has a number or follows a named house.
        let street = parts
            .iter()
            .rposition(|part| part.chars().any(|c| c.is_ascii_digit()));
        let towns: Vec<&str> = parts
            .iter()
            .skip(street.map_or(0, |at| at + 1))
            .copied()
            .collect();
        // `Unit 9, Elm Way, Bristol`: the number belongs to the unit, and the street is the next part.
        let towns = match towns.as_slice() {
            [road, rest @ ..] if !rest.is_empty() && ends_street(road) => rest.to_vec(),
            _ => towns,
        };
        let (locality, region) = match (towns.as_slice(), street) {
            ([town], _) => (*town, county),
            ([town, other], Some(_)) if county.is_none() && !ends_street(other) => {
                (*town, Some(*other))
            }
            ([.., town], _) => (*town, county),
            // A line break became a blank, so street and town share one part: the town follows the kind of
            // street.
            ([], Some(at)) => (parts.get(at).copied()?, county),
            ([], None) => return None,
        };
        let locality = behind_street(locality);
        let fits =
            locality.starts_with(char::is_uppercase) && locality.split_whitespace().count() <= 4;
        return fits.then(|| Place {
            locality: locality.to_owned(),
            region: region.map(str::to_owned),
            code: None,
            divided: None,
            country: Some("GB"),
        });
    }
    None
}

/// The town of an American address: `Austin, TX 78701`.
pub fn american(text: &str) -> Option<Place> {
    let tokens = words::tokens(text);
    for (start, _, zip) in &tokens {
        let zip = zip.trim_end_matches([',', '.', ';']);
        let is_zip = has_form("US", zip);
        let before = text.get(..*start)?.trim_end_matches([',', ' ']);
        let Some((state, before)) = is_zip.then(|| behind_state(before)).flatten() else {
            continue;
        };
        let city = before.rsplit(',').next()?.trim();
        // Without a comma before the city, its street precedes it in the same part.
        let city = if city.chars().any(|c| c.is_ascii_digit()) {
            behind_street(city)
        } else {
            city
        };
        let fits = city.starts_with(char::is_uppercase)
            && !city.chars().any(|c| c.is_ascii_digit())
            && city.split_whitespace().count() <= 4;
        return fits.then(|| Place {
            locality: city.to_owned(),
            region: Some(state.to_owned()),
            code: None,
            divided: None,
            country: Some("US"),
        });
    }
    None
}

/// Whether a text has the form of a postal code of a country.
fn has_form(country: &str, text: &str) -> bool {
    Country::of_code(country).is_some_and(|country| country.postal.contains(&&*form(text)))
}

/// The state at the end of a text, as written, and the text before it.
fn behind_state(text: &str) -> Option<(&str, &str)> {
    states_of_usa().find_map(|(code, name)| {
        [code, name].into_iter().find_map(|state| {
            let before = text.strip_suffix(state)?;
            before
                .ends_with([',', ' '])
                .then(|| (state, before.trim_end_matches([',', ' '])))
        })
    })
}

fn ends_street(text: &str) -> bool {
    let folded = words::fold(text);
    words::split(&folded)
        .last()
        .is_some_and(|last| STREETS.contains(last))
}

/// The text after the street in a part of an address: `Bristol` of `Avonmouth Way Bristol`. Without a street,
/// the whole part.
pub(super) fn behind_street(text: &str) -> &str {
    let tokens = words::tokens(text);
    let mut end = None;
    for (at, (_, stop, word)) in tokens.iter().enumerate() {
        let folded = words::fold(word.trim_end_matches(['.', ',']));
        let numbered = word.chars().any(|c| c.is_ascii_digit());
        // The kind of street has its name before it and the town after it.
        let kind = at > 0 && STREETS.contains(&folded) && at + 1 < tokens.len();
        let goes_on = end.is_some_and(|(last, _)| last + 1 == at)
            && (DIRECTIONS.contains(&folded) || PARTS_OF_HOUSES.contains(&folded));
        // In `St. Louis` after a complete street, `St` belongs to the town.
        let saint = SAINTS.contains(&folded) && end.is_some();
        if (kind && !saint) || numbered && at + 1 < tokens.len() || goes_on {
            end = Some((at, *stop));
        }
    }
    end.and_then(|(_, stop)| text.get(stop..))
        .map_or(text, |rest| rest.trim_matches([',', ' ']))
}

/// The text without a county at its end, and that county.
fn without_county(text: &str) -> (&str, Option<&'static str>) {
    COUNTIES
        .iter()
        .find_map(|county| {
            let before = text.strip_suffix(county)?;
            let before = before.ends_with([',', ' ']).then_some(before)?;
            Some((before.trim_end_matches([',', ' ']), Some(county)))
        })
        .unwrap_or((text, None))
}
