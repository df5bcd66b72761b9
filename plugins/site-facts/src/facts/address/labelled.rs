//! Headquarters under or behind a label such as `Head office`.

use gtm_lexicon::seats::LABELS;
use gtm_site_research::words;

use super::countries_shown::{Shown, country_in_address};
use super::{NEAR, place_in, seat};
use crate::conflicts::Statement;
use crate::facts::labels::Labelled;
use crate::facts::postal::place_before_country;
use crate::facts::{Line, countries};
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
                let (locality, region, country) = match place_in(line.text, site) {
                    Some(place) => (place.locality, place.region, place.country),
                    None => {
                        let (town, code) = place_before_country(line.text)?;
                        (town.to_owned(), None, Some(code))
                    }
                };
                let mut excerpts = vec![line.excerpt()];
                let code = match country.or_else(|| country_in_address(line.text)) {
                    Some(code) => code,
                    None => {
                        let (code, carrier) = shown.on(line.page).or_else(|| shown.anywhere())?;
                        excerpts.push(carrier);
                        code
                    }
                };
                Some(seat(Some(locality), region, code, excerpts, 3))
            })
        })
        .collect()
}

/// The headquarters behind a label: an address, or a place with or without its country.
pub(super) fn of_label(pair: &Labelled<'_>, shown: &Shown, site: &Site) -> Option<Statement> {
    let mut excerpts = pair.excerpts.clone();
    let mut country = |known: Option<&'static str>| {
        known.or_else(|| {
            let (code, carrier) = shown.on(pair.page).or_else(|| shown.anywhere())?;
            excerpts.push(carrier);
            Some(code)
        })
    };
    if let Some(place) = place_in(pair.value, site) {
        let code = country(place.country.or_else(|| country_in_address(pair.value)))?;
        let digits = place
            .digits
            .is_none_or(|digits| countries::postal_digits(code) == Some(digits));
        return digits.then(|| seat(Some(place.locality), place.region, code, excerpts, 3));
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
