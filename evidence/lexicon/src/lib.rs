//! Words of languages and laws by which texts are read: names of months, legal forms of companies.
//!
//! If each reader kept a list of its own, a backend would cite what the host's check does not know, and a site in
//! one language would be read worse than the same site in another. So the lists stand here once, as data: a file a
//! language in `languages/`, and `legal_forms.toml`, because a legal form belongs to laws and not to a language.
//! They become tables when this crate is built.
//!
//! Words stand here as they are printed. Does not live here: folding and matching them, which is their readers'
//! affair, and any judgement.
#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The words of one language.
#[derive(Debug)]
pub struct Language {
    /// Its code: `de`.
    pub code: &'static str,
    /// Names of the months from January on, each with its short forms.
    pub months: [&'static [&'static str]; 12],
}

/// A legal form that the name of a company ends with.
#[derive(Debug)]
pub struct LegalForm {
    /// How it is printed.
    pub written: &'static [&'static str],
    /// In which letters a spelling without points counts.
    pub letters: Letters,
    /// The ownership that follows from it, where its law allows nothing else.
    pub means: Option<Meaning>,
    /// Whether it is a word of texts as well, or an abbreviation of something else: then it counts behind a name, but
    /// its mere occurrence in a text says nothing.
    pub elsewhere: bool,
    /// Whether companies keep it in the names of their domains.
    pub in_domains: bool,
}

/// In which letters a spelling without points is a legal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// In all.
    Any,
    /// In all with a capital among them.
    Capital,
    /// As it is written only: in other letters it is a word.
    Exact,
    /// As it is written, in a script without capitals.
    Uncased,
}

/// The ownership that follows from a legal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// It belongs to its members and cannot be listed.
    Private,
    /// It serves a purpose and not its owners.
    Nonprofit,
}

impl Meaning {
    /// As guidelines write it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Nonprofit => "nonprofit",
        }
    }
}

/// All languages, by their codes.
#[must_use]
pub fn languages() -> &'static [Language] {
    LANGUAGES
}

/// The months in all languages, as printed, with their numbers. A name that several languages share comes several times.
pub fn months() -> impl Iterator<Item = (&'static str, u8)> {
    LANGUAGES.iter().flat_map(|language| {
        let numbered = (1..).zip(language.months);
        numbered.flat_map(|(number, names)| names.iter().map(move |name| (*name, number)))
    })
}

/// All legal forms.
#[must_use]
pub fn legal_forms() -> &'static [LegalForm] {
    LEGAL_FORMS
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
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

    #[test]
    fn no_legal_form_stands_twice() {
        let mut known = BTreeSet::new();
        for written in legal_forms().iter().flat_map(|form| form.written) {
            assert!(known.insert(written), "{written}");
            assert_eq!(written.trim(), *written);
        }
    }

    /// What is a word in other letters must not be looked for in any letters, so it says nothing by its mere occurrence
    /// unless its own letters are compared.
    #[test]
    fn forms_that_are_words_say_nothing_by_themselves() {
        for name in ["Limited", "KG", "UG", "SL", "Oy", "ApS", "Stiftung", "eV"] {
            let form = legal_forms()
                .iter()
                .find(|form| form.written.contains(&name));
            assert!(form.unwrap().elsewhere, "{name}");
        }
    }
}
