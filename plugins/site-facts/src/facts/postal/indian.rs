//! Indian postal addresses: the code stands behind its town, often in two halves: `Mumbai - 400 063, India`.

use gtm_site_research::words;

use super::super::countries;
use super::Place;

/// Digits of a code, and of each of its halves.
const CODE: usize = 6;
const HALF: usize = 3;
/// Most words of a town's name.
const LONGEST_TOWN: usize = 3;

/// The town before the code, in an address that names its country.
pub fn indian(text: &str) -> Option<Place> {
    let tokens = words::tokens(text);
    (1..tokens.len()).find_map(|at| {
        let begin = code_at(&tokens, at)?;
        let before = text.get(..begin)?;
        let town = before.trim_end_matches([' ', '-', '–', '—', ':', '\u{a0}']);
        let town = town.rsplit([',', ';']).next()?.trim();
        // A line break became a blank: the town follows the number of the street.
        let street = words::tokens(town)
            .into_iter()
            .rfind(|(_, _, word)| word.contains(|c: char| c.is_ascii_digit()));
        let town = town.get(street.map_or(0, |(_, end, _)| end)..)?.trim();
        let fits = (1..=LONGEST_TOWN).contains(&town.split_whitespace().count())
            && town.starts_with(char::is_uppercase)
            && town.chars().count() >= 3
            && !town.contains(['.', '/', '@'])
            && countries::mentioned(text) == Some("IN");
        fits.then(|| Place {
            locality: town.to_owned(),
            region: None,
            code: None,
            country: Some("IN"),
            divided: None,
        })
    })
}

/// Where a code begins whose last digits are this token, with nothing but the end, a mark or a word behind it.
fn code_at(tokens: &[(usize, usize, &str)], at: usize) -> Option<usize> {
    let &(start, _, closed) = tokens.get(at)?;
    let last = closed.trim_end_matches([',', '.', ';', ')']);
    let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = |at: usize| {
        let next = tokens.get(at);
        next.is_some_and(|(_, _, word)| word.starts_with(|c: char| c.is_ascii_digit() || c == '/'))
    };
    // A code ends the address, or a mark does before the country.
    let ends = at + 1 == tokens.len() || closed.len() > last.len();
    if is_number(at + 1) || !ends {
        return None;
    }
    // A mark may stand right before the digits.
    let bare = last.trim_start_matches(['-', '–', ':']);
    if bare.len() == CODE && digits(bare) {
        return Some(start + (last.len() - bare.len()));
    }
    let &(begin, _, first) = tokens.get(at.checked_sub(1)?)?;
    let half = first.trim_start_matches(['-', '–', ':']);
    let halves = last.len() == HALF && digits(last) && half.len() == HALF && digits(half);
    let opens = !half.starts_with('0') && !at.checked_sub(2).is_some_and(is_number);
    (halves && opens).then_some(begin + (first.len() - half.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_town_stands_before_its_code() {
        for (text, town) in [
            (
                "Trust Estate, Off Mill Road, Goregaon (East), Mumbai - 400 063, India.",
                Some("Mumbai"),
            ),
            (
                "Plot No. 3, Mill Nagar, Thane 401 208, India.",
                Some("Thane"),
            ),
            ("12 Mill Road, New Delhi 110034, India", Some("New Delhi")),
            ("12 Mill Road, Pune-411001, Maharashtra, India", None),
            // Without the country, a number may be anything.
            ("Mill Road, Coimbatore : 641 002.", None),
            ("Call us in India: 080 401 208", None),
            ("India counts 641 002 mills", None),
        ] {
            let read = indian(text).map(|place| place.locality);
            assert_eq!(read.as_deref(), town, "{text}");
        }
    }
}
