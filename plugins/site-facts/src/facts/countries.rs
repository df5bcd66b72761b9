//! Recognizes countries by their names and telephone prefixes. Codes, prefixes and names
//! come from `gtm-lexicon`, which the host uses too.

use std::sync::LazyLock;

use gtm_lexicon::countries::{self, Country};
use gtm_lexicon::places::{
    ALSO_STATES, ARTICLES, EVERYDAY_COUNTRIES, OF_ANOTHER_PLACE, SHORT_COUNTRIES,
};
use gtm_site_research::words;

/// The countries with their folded names.
static NAMED: LazyLock<Vec<(&str, Vec<String>)>> = LazyLock::new(|| {
    let folded = |name| words::split(&words::fold(name)).join(" ");
    countries::all()
        .map(|country| (country.code, country.names().map(folded).collect()))
        .collect()
});

/// The code of the country that a text names: the text is a code in capitals, or a country's name.
pub fn named(text: &str) -> Option<&'static str> {
    let trimmed = text.trim();
    if let Some(country) = Country::of_code(trimmed) {
        return (!countries::subdivisions().contains(trimmed)).then_some(country.code);
    }
    let folded = words::fold(trimmed);
    let split = words::split(&folded);
    let called = |words: &[&str]| {
        let name = words.join(" ");
        let known = || NAMED.iter().find(|(_, names)| names.contains(&name));
        (!ALSO_STATES.contains(&name))
            .then(known)
            .flatten()
            .map(|(code, _)| *code)
    };
    // Some names begin with an article of their own: El Salvador.
    called(&split).or_else(|| match split.as_slice() {
        [article, rest @ ..] if ARTICLES.contains(article) => called(rest),
        _ => None,
    })
}

/// The country that a text names, if it names exactly one.
pub fn mentioned(text: &str) -> Option<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let mut found = NAMED.iter().filter(|(_, names)| {
        tellable(names).any(|name| {
            words::position(&words, name).is_some_and(|at| !is_part_of_another(&words, at))
        })
    });
    let (code, _) = found.next()?;
    found.next().is_none().then_some(*code)
}

/// The countries that a text names, in text order. A name that is also an everyday word counts only beside
/// another country's name.
pub fn all_mentioned(text: &str) -> Vec<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let place = |name: &String| {
        let at = words::position(&words, name).or_else(|| {
            // Arabic writes `and` as a prefix of the next word.
            (!name.is_ascii())
                .then(|| words::position(&words, &format!("و{name}")))
                .flatten()
        });
        at.filter(|at| !is_part_of_another(&words, *at))
    };
    let mut found: Vec<(usize, &'static str, bool)> = NAMED
        .iter()
        .filter_map(|(code, names)| {
            let sure = tellable(names).filter_map(place).min();
            let everyday = names.iter().filter(|name| is_everyday(name));
            let at = sure.or_else(|| everyday.filter_map(place).min())?;
            Some((at, *code, sure.is_some()))
        })
        .collect();
    if !found.iter().any(|(.., sure)| *sure) {
        return Vec::new();
    }
    found.sort_unstable();
    found.into_iter().map(|(_, code, _)| code).collect()
}

fn is_everyday(name: &str) -> bool {
    EVERYDAY_COUNTRIES.contains(name)
}

/// The names that identify a country within running text.
fn tellable(names: &[String]) -> impl Iterator<Item = &String> {
    names
        .iter()
        // Two letters are a common word in many languages.
        .filter(|name| name.chars().count() > 3 || SHORT_COUNTRIES.contains(name))
        .filter(|name| !ALSO_STATES.contains(name) && !is_everyday(name))
}

/// Whether the word before turns the name into another place: "New Mexico", "Northern Ireland".
fn is_part_of_another(words: &[&str], at: usize) -> bool {
    at.checked_sub(1)
        .and_then(|before| words.get(before))
        .is_some_and(|before| OF_ANOTHER_PLACE.contains(before))
}

/// The country of the international telephone numbers in a text (`+49 …`), if all belong to one country.
pub fn of_telephone(text: &str) -> Option<&'static str> {
    let mut found: Option<&'static str> = None;
    for (at, _) in text.match_indices('+') {
        let digits: String = text
            .get(at + 1..)?
            .chars()
            .take(8)
            .filter(char::is_ascii_digit)
            .collect();
        let country = countries::all()
            .filter(|country| {
                let prefix = country.prefix;
                !prefix.is_empty() && digits.starts_with(prefix) && digits.len() > prefix.len()
            })
            .max_by_key(|country| country.prefix.len());
        // The United States and Canada share one prefix.
        let Some(Country { code, prefix, .. }) = country.filter(|country| country.prefix != "1")
        else {
            continue;
        };
        if digits.len() < prefix.len() + 2 || found.is_some_and(|known| known != code) {
            return None;
        }
        found = Some(code);
    }
    found
}

/// The country whose VAT numbers begin like this number.
pub fn of_vat_number(number: &str) -> Option<&'static str> {
    countries::all()
        .find(|country| country.vat.iter().any(|begin| number.starts_with(begin)))
        .map(|country| country.code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_told_from_names_codes_and_telephones() {
        assert_eq!(named("Deutschland"), Some("DE"));
        assert_eq!(named("GB"), Some("GB"));
        assert_eq!(named("The Netherlands"), Some("NL"));
        assert_eq!(named("Österreich "), Some("AT"));
        assert_eq!(named("in"), None);
        assert_eq!(named("die Schweiz"), Some("CH"));
        assert_eq!(named("El Salvador"), Some("SV"));
        assert_eq!(mentioned("89073 Ulm, Germany"), Some("DE"));
        assert_eq!(mentioned("France and Germany"), None);
        assert_eq!(of_telephone("Tel. +49 (0)731 123"), Some("DE"));
        assert_eq!(of_telephone("+1 512 555 0100"), None);
        assert_eq!(of_telephone("+44 113 1, +49 731 2"), None);
        assert_eq!(of_vat_number("EL094259216"), Some("GR"));
        assert_eq!(of_vat_number("CHE-109.322.551"), Some("CH"));
        assert_eq!(of_vat_number("US123456789"), None);
    }

    #[test]
    fn countries_of_the_whole_world_are_known() {
        assert_eq!(named("الأردن"), Some("JO"));
        assert_eq!(named("Brasil"), Some("BR"));
        assert_eq!(named("Česká republika"), Some("CZ"));
        assert_eq!(named("Viet Nam").or(named("Vietnam")), Some("VN"));
        assert_eq!(mentioned("Nairobi, Kenya"), Some("KE"));
        assert_eq!(of_telephone("+962 6 555 0100"), Some("JO"));
        assert_eq!(mentioned("Belfast, Northern Ireland"), Some("GB"));
    }

    #[test]
    fn places_that_only_share_a_name_are_none() {
        for text in ["Georgia", "GA", "TO"] {
            assert_eq!(named(text), None, "{text}");
        }
        for text in [
            "Santa Fe, New Mexico",
            "Newark, New Jersey",
            "Atlanta, Georgia",
            "12 Island Road",
            "Made of suede by Michael Jordan",
            "New England",
        ] {
            assert_eq!(mentioned(text), None, "{text}");
        }
    }
}
