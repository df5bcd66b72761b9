//! The words by which texts are read: those of languages, laws, registers, networks and countries.
//!
//! If each reader kept its own list, a backend would cite words that the host's check does not know, and a
//! site in one language would be read worse than the same site in another. So the lists are kept here, once,
//! as data:
//!
//! - `languages/` has one file per language, with the same sections in each. `sections.toml` states the
//!   purpose of each section; a language that lacks a section says why.
//! - `legal_forms.toml`, `registers.toml`, `networks.toml`, `countries.tsv`, `country_codes.toml`,
//!   `currencies.tsv`, `language_names.tsv` and `states_of_usa.tsv` belong to no language, and `english_spellings.tsv` to two countries that share one.
//!
//! The build turns them into tables: one module per subject, one table per section, with the words of all
//! languages together, since companies write in several. Also lives here: folding, splitting into words,
//! finding phrases among them, and reading numbers and sums, so that a plug-in and the host read the same
//! ones. Does not live here: any judgement.
#![forbid(unsafe_code)]

mod capitals;
pub mod countries;
mod currencies;
mod eras;
mod fold;
pub mod formula;
mod legal_forms;
mod locale_links;
mod networks;
pub mod numbers;
mod phrases;
pub mod postal;
mod public_registers;

use std::collections::BTreeSet;
use std::sync::LazyLock;

pub use capitals::has_capital_by_custom;
pub use currencies::{currency_of, is_currency_code};
pub use eras::year_of_era;
pub use fold::{contracted_negation, fold, split, with_ascii_digits};
pub use legal_forms::{LegalForm, Letters, Meaning, legal_forms};
pub use locale_links::{
    is_language_code, is_language_name, language_named, locale_of_link, may_be_no_language,
};
pub use networks::{Network, networks, no_pages, posts, sharing};
pub use phrases::{ByLanguage, Classes, Phrase, Phrases, PhrasesByLanguage, Values, Words};
pub use public_registers::{
    Numbered, Register, VatLabels, country_of_register, is_registered_in, numbered_registers,
    register_hosts, registers, vat_labels,
};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
include!(concat!(env!("OUT_DIR"), "/sections.rs"));

/// A language in which sites are read.
#[derive(Debug)]
pub struct Language {
    /// Its code, for example `de`.
    pub code: &'static str,
    /// Names of the months, January first, each with its short forms.
    pub months: [&'static [&'static str]; 12],
}

/// All languages that are read in full, ordered by code.
#[must_use]
pub fn languages() -> &'static [Language] {
    LANGUAGES
}

/// Word beginnings that Britain and America spell differently in every meaning, as (British, American).
pub fn english_spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let table = include_str!("../english_spellings.tsv");
    table.lines().filter_map(|line| line.split_once('\t'))
}

/// The printed names of the months in all languages, also in those that are read in part, with their numbers. A
/// name that several languages share is repeated.
pub fn months() -> impl Iterator<Item = (&'static str, u8)> {
    LANGUAGES.iter().chain(READ_IN_PART).flat_map(|language| {
        let numbered = (1..).zip(language.months);
        numbered.flat_map(|(number, names)| names.iter().map(move |name| (*name, number)))
    })
}

/// Whether a folded word is the name of a month in any language.
#[must_use]
pub fn is_month(folded: &str) -> bool {
    static FOLDED: LazyLock<BTreeSet<String>> =
        LazyLock::new(|| months().map(|(name, _)| fold(name)).collect());
    FOLDED.contains(folded)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn languages_whose_sites_are_read_are_complete() {
        let codes: Vec<&str> = languages().iter().map(|language| language.code).collect();
        assert_eq!(codes, ["de", "en", "es", "fr", "it", "nl", "pt"]);
    }

    #[test]
    fn months_are_told_by_their_folded_names() {
        for name in ["marz", "march", "fevrier", "sept"] {
            assert!(is_month(name), "{name}");
        }
        for other in ["März", "market", ""] {
            assert!(!is_month(other), "{other}");
        }
    }

    /// Some readers compare text in lower case and without diacritics, so a folded name must mean only one
    /// month.
    #[test]
    fn a_month_is_one_in_all_languages() {
        let mut known: BTreeMap<String, u8> = BTreeMap::new();
        for (name, number) in months() {
            let first = *known.entry(name.to_lowercase()).or_insert(number);
            assert_eq!(first, number, "{name}");
        }
        let codes: Vec<&str> = READ_IN_PART.iter().map(|language| language.code).collect();
        assert_eq!(codes, ["cs", "da", "pl", "sv", "tr"]);
        for language in languages().iter().chain(READ_IN_PART) {
            let names: Vec<&&str> = language.months.iter().copied().flatten().collect();
            let distinct: BTreeSet<_> = names.iter().collect();
            assert_eq!(
                names.len(),
                distinct.len(),
                "{}: a name twice",
                language.code
            );
        }
    }
}
