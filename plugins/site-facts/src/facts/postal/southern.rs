//! Postal addresses of Argentina and Brazil: the form of their postal codes names the country.

use gtm_lexicon::countries::{Country, form};
use gtm_site_research::{places, words};

use super::super::countries;
use super::{Place, without_country};

/// Most words of a town's name.
const LONGEST_TOWN: usize = 6;

/// The town behind the code, and its province: `B1704ABC Villa Ulma, Buenos Aires`.
pub fn argentine(text: &str) -> Option<Place> {
    let (_, end) = code_in(text, "AR")?;
    let rest = text.get(end..)?.trim_start_matches([',', ' ', ')']);
    let mut parts = places::place_at(rest).split(',').map(str::trim);
    let locality = without_country(parts.next()?);
    let region = parts.next().map(without_country);
    let region = region.filter(|part| !part.is_empty() && countries::named(part).is_none());
    (!locality.is_empty()).then(|| Place {
        locality: locality.to_owned(),
        region: region.map(str::to_owned),
        code: None,
        divided: None,
        country: Some("AR"),
    })
}

/// The town and its state before or behind the code: `Curitiba - PR, 80020-300`, `80020-300 Curitiba/PR`. Where a line break
/// became a blank, what stands before the town is read with it.
pub fn brazilian(text: &str) -> Option<Place> {
    let (start, end) = code_in(text, "BR")?;
    let before = text
        .get(..start)?
        .trim_end_matches([' ', ',', '-', '–', ':']);
    // The code's own label has three capitals, a state two.
    let unlabelled = words::tokens(before)
        .last()
        .filter(|(_, _, word)| form(word.trim_end_matches([':', '.'])) == "AAA")
        .and_then(|(label, ..)| before.get(..*label));
    let before = unlabelled.unwrap_or(before).trim_end_matches(SEPARATORS);
    let behind = text.get(end..)?.trim_start_matches(SEPARATORS);
    let (town, state) = ends_with_state(before).or_else(|| {
        let place = behind.find(['-', '–', '/']).map(|at| at + 4);
        let place = place.and_then(|end| behind.get(..end.min(behind.len())))?;
        ends_with_state(place.trim_end())
    })?;
    let town = town.rsplit([',', '|', ';', '·']).next()?;
    let town = town.rsplit(" - ").next()?.rsplit(" – ").next()?.trim();
    // A number ends the street.
    let street = words::tokens(town)
        .into_iter()
        .rfind(|(_, _, word)| word.contains(|c: char| c.is_ascii_digit()));
    let town = town.get(street.map_or(0, |(_, end, _)| end)..)?.trim();
    let is_name = (1..=LONGEST_TOWN).contains(&town.split_whitespace().count())
        && town.starts_with(char::is_uppercase);
    is_name.then(|| Place {
        locality: town.to_owned(),
        region: Some(state.to_owned()),
        code: None,
        divided: None,
        country: Some("BR"),
    })
}

/// What stands between the parts of such an address.
const SEPARATORS: [char; 7] = [' ', ',', '-', '–', '/', '.', '|'];

/// A text that ends with the two capitals of a state behind a mark, and what is before it.
fn ends_with_state(text: &str) -> Option<(&str, &str)> {
    let at = text.len().checked_sub(2)?;
    let (before, state) = (text.get(..at)?, text.get(at..)?);
    let capitals = state.chars().all(|c| c.is_ascii_uppercase());
    let bare = before.trim_end_matches(SEPARATORS);
    (capitals && bare.len() < before.len() && !bare.is_empty()).then_some((bare, state))
}

/// Byte range of the first postal code of a country.
fn code_in(text: &str, country: &str) -> Option<(usize, usize)> {
    let forms = Country::of_code(country)?.postal;
    words::tokens(text)
        .into_iter()
        .find_map(|(start, _, word)| {
            let bare = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let at = start + word.find(bare)?;
            forms
                .contains(&&*form(bare))
                .then_some((at, at + bare.len()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towns_stand_beside_codes_of_their_own_form() {
        let read = |place: Option<Place>| place.map(|place| (place.locality, place.region));
        let some =
            |town: &str, region: Option<&str>| Some((town.to_owned(), region.map(str::to_owned)));
        for text in [
            "Calle 1180, B1704ABC Villa Ulma, Buenos Aires Argentina",
            "Calle 1180 (B1704ABC) Villa Ulma, Buenos Aires, Argentina",
        ] {
            assert_eq!(
                read(argentine(text)),
                some("Villa Ulma", Some("Buenos Aires")),
                "{text}"
            );
        }
        assert_eq!(
            read(argentine("B1704ABC Villa Ulma")),
            some("Villa Ulma", None)
        );
        for text in [
            "R. do Moinho, 118-E, Ulmópolis - SC, 80020-300",
            "R. do Moinho, 302, Centro - Ulmópolis/SC - CEP: 80020-300",
            "CEP 80020-300 - Ulmópolis/SC",
            "80020-300, Ulmópolis - SC, Brasil",
        ] {
            assert_eq!(
                read(brazilian(text)),
                some("Ulmópolis", Some("SC")),
                "{text}"
            );
        }
        assert_eq!(read(brazilian("Austin, TX 78701-0012")), None);
        assert_eq!(read(brazilian("Tel. 80020-300")), None);
    }
}
