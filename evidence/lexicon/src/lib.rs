//! The words by which texts are read: those of languages, and those of laws, registers, networks and countries.
//!
//! If each reader kept a list of its own, a backend would cite what the host's check does not know, and a site in
//! one language would be read worse than the same site in another. So the lists stand here once, as data:
//!
//! - `languages/` has a file a language, with the same sections in each. `sections.toml` says what each section is
//!   for; a language that lacks one says why.
//! - `legal_forms.toml`, `registers.toml`, `networks.toml`, `countries.tsv` and `states_of_usa.tsv` belong to no
//!   language, and `english_spellings.tsv` to two countries with one.
//!
//! They become tables when this crate is built: a module a subject, a table a section, with the words of all languages
//! together, since companies write in several. Lives here, too: folding, cutting into words, and finding phrases among
//! them. Does not live here: any judgement.
#![forbid(unsafe_code)]

pub mod countries;
mod fold;
mod legal_forms;
mod networks;
mod phrases;
mod public_registers;

pub use fold::{fold, split, with_ascii_digits};
pub use legal_forms::{LegalForm, Letters, Meaning, legal_forms};
pub use networks::{Network, networks, no_pages, sharing};
pub use phrases::{ByLanguage, Phrase, Phrases, Words};
pub use public_registers::{Register, VatLabels, register_hosts, registers, vat_labels};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
include!(concat!(env!("OUT_DIR"), "/sections.rs"));

/// A language whose sites are read.
#[derive(Debug)]
pub struct Language {
    /// Its code: `de`.
    pub code: &'static str,
    /// Names of the months from January on, each with its short forms.
    pub months: [&'static [&'static str]; 12],
}

/// All languages, by their codes.
#[must_use]
pub fn languages() -> &'static [Language] {
    LANGUAGES
}

/// Beginnings of words that Britain and America spell in two ways, whatever they mean.
pub fn english_spellings() -> impl Iterator<Item = (&'static str, &'static str)> {
    let table = include_str!("../english_spellings.tsv");
    table.lines().filter_map(|line| line.split_once('\t'))
}

/// The months in all languages, as printed, with their numbers. A name that several languages share comes several times.
pub fn months() -> impl Iterator<Item = (&'static str, u8)> {
    LANGUAGES.iter().flat_map(|language| {
        let numbered = (1..).zip(language.months);
        numbered.flat_map(|(number, names)| names.iter().map(move |name| (*name, number)))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn languages_whose_sites_are_read_are_complete() {
        let codes: Vec<&str> = languages().iter().map(|language| language.code).collect();
        assert_eq!(codes, ["de", "en", "es", "fr", "it", "nl", "pt"]);
    }

    /// Text is compared in small letters and without diacritics by some readers, so a name may mean one month only.
    #[test]
    fn a_month_is_one_in_all_languages() {
        let mut known: BTreeMap<String, u8> = BTreeMap::new();
        for (name, number) in months() {
            let first = *known.entry(name.to_lowercase()).or_insert(number);
            assert_eq!(first, number, "{name}");
        }
        for language in languages() {
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
