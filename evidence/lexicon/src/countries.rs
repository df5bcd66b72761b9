//! Countries: their codes, telephone prefixes and names.
//!
//! `countries.tsv` has one line per country: its ISO 3166-1 alpha-2 code, its telephone prefix if it is the
//! main country of that prefix, and its names in English, German, French, Spanish, Italian, Dutch, Portuguese
//! and its own languages. Names come from the Unicode CLDR and common use, prefixes from the ITU's list.
//!
//! The caller decides what counts as a mention of a country.

const TABLE: &str = include_str!("../countries.tsv");

/// `states_of_usa.tsv` has one line per state: its code and its name.
const STATES: &str = include_str!("../states_of_usa.tsv");

/// A country of ISO 3166-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    /// Alpha-2 code, upper case.
    pub code: &'static str,
    /// Telephone prefix without a plus sign; empty if another country is the main one of that prefix.
    pub prefix: &'static str,
    names: &'static str,
}

impl Country {
    /// Its names as printed, the English one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.names.split('|')
    }

    /// The country with an alpha-2 code, in upper case.
    pub fn of_code(code: &str) -> Option<Self> {
        all().find(|country| country.code == code)
    }
}

/// Codes and names of the states of the USA, including the District of Columbia.
pub fn states_of_usa() -> impl Iterator<Item = (&'static str, &'static str)> {
    STATES.lines().filter_map(|line| line.split_once('\t'))
}

/// All countries, ordered by code.
pub fn all() -> impl Iterator<Item = Country> {
    TABLE.lines().filter_map(|line| {
        let mut columns = line.split('\t');
        Some(Country {
            code: columns.next()?,
            prefix: columns.next()?,
            names: columns.next()?,
        })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

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
