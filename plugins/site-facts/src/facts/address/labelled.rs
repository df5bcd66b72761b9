//! Headquarters under or behind a label such as `Head office`.

use gtm_lexicon::seats::{LABELS, NO_TOWNS};
use gtm_site_research::words;

use super::countries_shown::{Shown, country_in_address};
use super::{NEAR, country_of_site, is_coded_in, place_in, seat};
use crate::conflicts::Statement;
use crate::facts::labels::Labelled;
use crate::facts::postal::place_before_country;
use crate::facts::{Line, countries, placeholders};
use crate::site::Site;

/// Addresses of several lines under a label such as `Head office`.
pub(super) fn under_label(lines: &[Line<'_>], shown: &Shown, site: &Site) -> Vec<Statement> {
    let is_label = |line: &Line<'_>| {
        let folded = words::fold(line.text);
        line.main && LABELS.are(&words::split(&folded))
    };
    let labels = lines.iter().enumerate().filter(|(_, line)| is_label(line));
    labels
        .filter_map(|(at, label)| {
            let below = lines.iter().skip(at + 1).take(NEAR);
            let mut below = below.filter(|line| line.page == label.page);
            below.find_map(|line| {
                let mut excerpts = vec![line.excerpt()];
                let Some(place) = place_in(line.text, site) else {
                    let (town, code) = place_before_country(line.text)?;
                    return Some(seat(Some(town.to_owned()), None, code, excerpts, 3));
                };
                let code = match place.country.or_else(|| country_in_address(line.text)) {
                    Some(code) => code,
                    None => match shown.on(line.page).or_else(|| shown.anywhere()) {
                        Some((code, carrier)) => {
                            excerpts.push(carrier);
                            code
                        }
                        None => country_of_site(site, &place)?,
                    },
                };
                let place = place.within(code);
                Some(seat(Some(place.locality), place.region, code, excerpts, 3))
            })
        })
        .collect()
}

/// The headquarters behind a label: an address, or a place with or without its country.
pub(super) fn of_label(pair: &Labelled<'_>, shown: &Shown, site: &Site) -> Option<Statement> {
    if placeholders::is_in(pair.value) {
        return None;
    }
    let mut excerpts = pair.excerpts.clone();
    let mut country = |known: Option<&'static str>| {
        known.or_else(|| {
            let (code, carrier) = shown.on(pair.page).or_else(|| shown.anywhere())?;
            excerpts.push(carrier);
            Some(code)
        })
    };
    if let Some(place) = place_in(pair.value, site) {
        let told = place.country.or_else(|| country_in_address(pair.value));
        let code = country(told).or_else(|| country_of_site(site, &place))?;
        let place = is_coded_in(&place, code).then(|| place.within(code))?;
        return Some(seat(Some(place.locality), place.region, code, excerpts, 3));
    }
    if let Some((town, code)) = place_before_country(pair.value) {
        return Some(seat(Some(town.to_owned()), None, code, excerpts, 3));
    }
    let parts: Vec<&str> = pair
        .value
        .split([',', '،'])
        .map(|part| part.trim().trim_end_matches('.'))
        .collect();
    let is_name = |text: &str| {
        (1..=4).contains(&text.split_whitespace().count())
            && !text.chars().any(char::is_numeric)
            && !text.starts_with(char::is_lowercase)
            && countries::named(text).is_none()
            // `Address` below `Head office` is the next label.
            && !NO_TOWNS.are(&words::split(&words::fold(text)))
            && !LABELS.are(&words::split(&words::fold(text)))
    };
    let (town, region, named) = match parts.as_slice() {
        [town] => (*town, None, None),
        [town, last] => match countries::named(last) {
            Some(code) => (*town, None, Some(code)),
            None => (*town, Some(*last), None),
        },
        [town, region, last] => (*town, Some(*region), Some(countries::named(last)?)),
        _ => return None,
    };
    let fits = is_name(town) && region.is_none_or(is_name);
    let code = fits.then(|| country(named)).flatten()?;
    Some(seat(
        Some(town.to_owned()),
        region.map(str::to_owned),
        code,
        excerpts,
        3,
    ))
}
