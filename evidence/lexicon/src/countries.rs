//! Countries: their codes, telephone prefixes and names, and the forms of their numbers.
//!
//! `countries.tsv` has one line per country: its ISO 3166-1 alpha-2 code, its telephone prefix if it is the
//! main country of that prefix, and its names in English, German, French, Spanish, Italian, Dutch, Portuguese
//! and its own languages. Names come from the Unicode CLDR and common use, prefixes from the ITU's list.
//! `country_codes.toml` has what companies of some countries print: postal codes and VAT numbers.
//!
//! The caller decides what counts as a mention of a country.

use gtm_language_tag::primary_language;

use crate::Words;

/// `states_of_usa.tsv` has one line per state: its code and its name.
const STATES: &str = include_str!("../states_of_usa.tsv");

/// `country_names.tsv` has one line per country: its code and its name in each language that results are written in.
const NAMES: &str = include_str!("../country_names.tsv");

/// A country of ISO 3166-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    /// Alpha-2 code, upper case.
    pub code: &'static str,
    /// Telephone prefix without a plus sign; empty if another country is the main one of that prefix.
    pub prefix: &'static str,
    pub(crate) names: &'static [&'static str],
    /// Forms of its postal codes, as [`form`] tells them; empty if none is known here.
    pub postal: &'static [&'static str],
    /// Whether the postal code stands before the town.
    pub code_first: bool,
    /// Letters that mail from abroad has before the postal code, with a dash.
    pub mail: &'static [&'static str],
    /// Primary languages of the addresses in it; empty if its addresses are not read.
    pub languages: &'static [&'static str],
    /// Ending of its sites' domains, if that is not its code; else empty.
    pub domain: &'static str,
    /// Whether a stroke parts a town from its province: `Nilüfer/Bursa`.
    pub divided: bool,
    /// Codes of its provinces, states or cantons, where places are written with them; empty if none is known here.
    pub(crate) regions: &'static [&'static str],
    /// Letters with which its VAT numbers begin; empty if none is known here.
    pub vat: &'static [&'static str],
    /// Letters behind a VAT number that name the tax.
    pub vat_endings: &'static [&'static str],
}

impl Country {
    /// Its names as printed, the English one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied()
    }

    /// Its name in the language of a BCP 47 tag; in English if that language has no names here.
    #[must_use]
    pub fn name_in(&self, language: &str) -> Option<&'static str> {
        let language = primary_language(language);
        let mut lines = NAMES.lines().map(|line| line.split('\t'));
        let mut languages = lines.next()?;
        let mut own = lines.find_map(|mut line| (line.next()? == self.code).then_some(line))?;
        let at = languages
            .by_ref()
            .skip(1)
            .position(|known| known == language);
        own.nth(at.unwrap_or(1))
    }

    /// What it is called in each of the languages in which results are written.
    pub fn names_in_results(&self) -> impl Iterator<Item = &'static str> {
        let mut lines = NAMES.lines().map(|line| line.split('\t'));
        let own = lines.find_map(|mut line| (line.next()? == self.code).then_some(line));
        own.into_iter().flatten()
    }

    /// Whether a code is that of one of its provinces, states or cantons. Where those have no codes here, any code will do
    /// that is no country's.
    #[must_use]
    pub fn has_region(&self, code: &str) -> bool {
        match (self.code, self.regions) {
            ("US", _) => states_of_usa().any(|(known, _)| known == code),
            (_, []) => Self::of_code(code).is_none(),
            (_, regions) => regions.contains(&code),
        }
    }

    /// The country with an alpha-2 code, in upper case.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        let at = crate::COUNTRIES.binary_search_by_key(&code, |country| country.code);
        at.ok().and_then(|at| crate::COUNTRIES.get(at)).copied()
    }

    /// The country whose sites have domains with this one's ending.
    #[must_use]
    pub fn of_domain(domain: &str) -> Option<Self> {
        let (_, ending) = domain.trim_end_matches('.').rsplit_once('.')?;
        let ending = ending.to_ascii_lowercase();
        let named = crate::COUNTRIES
            .iter()
            .find(|country| country.domain == ending);
        let named = named.copied().filter(|country| !country.domain.is_empty());
        named.or_else(|| Self::of_code(&ending.to_ascii_uppercase()))
    }
}

/// Codes of countries that usually mean a state, a province or a canton instead: "Atlanta, GA".
#[must_use]
pub fn subdivisions() -> Words {
    crate::SUBDIVISIONS
}

/// The form of a printed code: digits become `9`, capitals `A`.
#[must_use]
pub fn form(code: &str) -> String {
    code.chars()
        .map(|c| match c {
            '0'..='9' => '9',
            'A'..='Z' => 'A',
            other => other,
        })
        .collect()
}

/// Codes and names of the states of the USA, including the District of Columbia.
pub fn states_of_usa() -> impl Iterator<Item = (&'static str, &'static str)> {
    STATES.lines().filter_map(|line| line.split_once('\t'))
}

/// All countries, ordered by code.
pub fn all() -> impl Iterator<Item = Country> {
    crate::COUNTRIES.iter().copied()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn codes_of_regions_are_told_from_those_of_countries() {
        let has = |country: &str, code: &str| Country::of_code(country).unwrap().has_region(code);
        assert!(has("IT", "AT") && has("CH", "SG") && has("US", "GA") && has("AU", "NSW"));
        assert!(!has("IT", "IT") && !has("CH", "CH") && !has("US", "US") && !has("AT", "AT"));
        assert!(has("BR", "SP") && !has("DE", "FR"));
        for country in all() {
            assert!(country.regions.is_sorted(), "{}", country.code);
        }
    }

    #[test]
    fn the_table_is_whole_and_in_order() {
        let countries: Vec<Country> = all().collect();
        assert_eq!(countries.len(), 249);
        assert!(countries.is_sorted_by(|one, other| one.code < other.code));
        for country in countries {
            let code = country.code;
            assert!(code.len() == 2 && code.bytes().all(|b| b.is_ascii_uppercase()));
            assert!(country.prefix.bytes().all(|b| b.is_ascii_digit()), "{code}");
            let names: Vec<&str> = country.names().collect();
            assert!(!names.is_empty(), "{code}");
            assert!(
                names
                    .iter()
                    .all(|name| name.trim() == *name && !name.is_empty())
            );
            let mut distinct = names.clone();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(distinct.len(), names.len(), "{code}: a name twice");
        }
    }

    #[test]
    fn every_country_has_a_name_in_the_languages_of_results() {
        for country in all() {
            for language in ["de", "en", "es", "fr", "it", "ja", "nl", "pt"] {
                let name = country.name_in(language);
                assert!(
                    name.is_some_and(|name| !name.is_empty()),
                    "{}",
                    country.code
                );
            }
        }
        let brazil = Country::of_code("BR").unwrap();
        assert_eq!(brazil.name_in("de-AT"), Some("Brasilien"));
        assert_eq!(brazil.name_in("ja"), Some("ブラジル"));
        assert_eq!(brazil.name_in("fi"), Some("Brazil"));
    }

    #[test]
    fn codes_and_names_belong_together() {
        let has = |code: &str, name: &str| {
            Country::of_code(code)
                .unwrap()
                .names()
                .any(|known| known == name)
        };
        assert!(has("DE", "Deutschland") && has("JO", "الأردن") && has("GB", "England"));
        assert_eq!(Country::of_code("DE").unwrap().prefix, "49");
        for code in ["XX", "de", "UK", "", "EU", "DEU"] {
            assert_eq!(Country::of_code(code), None, "{code}");
        }
    }

    #[test]
    fn states_have_codes_and_names_of_their_own() {
        let (mut codes, mut names): (Vec<&str>, Vec<&str>) = states_of_usa().unzip();
        assert_eq!(codes.len(), 51);
        assert!(codes.iter().all(|code| code.len() == 2));
        for list in [&mut codes, &mut names] {
            list.sort_unstable();
            list.dedup();
            assert_eq!(list.len(), 51);
        }
    }

    /// Whoever reads a code must learn of one country, so no two may print the same.
    #[test]
    fn printed_codes_are_those_of_one_country() {
        assert!(subdivisions().iter().is_sorted_by(|one, other| one < other));
        assert!(
            subdivisions()
                .iter()
                .all(|code| Country::of_code(code).is_some())
        );
        let mut known = std::collections::BTreeSet::new();
        for country in all() {
            let code = country.code;
            for list in [
                country.postal,
                country.languages,
                country.mail,
                country.vat,
                country.vat_endings,
            ] {
                assert!(list.is_sorted_by(|one, other| one < other), "{code}");
            }
            assert!(
                country.postal.iter().all(|told| form(told) == *told),
                "{code}"
            );
            assert!(!country.code_first || !country.postal.is_empty(), "{code}");
            assert_eq!(country.code_first, !country.languages.is_empty(), "{code}");
            for letters in country.mail {
                assert!(known.insert(("mail", *letters)), "{letters}");
            }
            for letters in country.vat {
                assert!(known.insert(("vat", *letters)), "{letters}");
            }
        }
        assert_eq!(form("LS1 4AP"), "AA9 9AA");
        assert_eq!(form("ulm-89073"), "ulm-99999");
    }

    #[test]
    fn domains_end_with_their_country() {
        for (domain, code) in [
            ("tarnbeck.co.uk", Some("GB")),
            ("tarnbeck.DE", Some("DE")),
            ("tarnbeck.se.", Some("SE")),
            ("tarnbeck.com", None),
            ("tarnbeck.gb", Some("GB")),
            ("de", None),
        ] {
            let country = Country::of_domain(domain);
            assert_eq!(country.map(|country| country.code), code, "{domain}");
        }
    }

    #[test]
    fn a_prefix_has_one_main_country() {
        let mut prefixes: Vec<&str> = all()
            .map(|country| country.prefix)
            .filter(|prefix| !prefix.is_empty())
            .collect();
        let before = prefixes.len();
        prefixes.sort_unstable();
        prefixes.dedup();
        assert_eq!(prefixes.len(), before);
    }
}
