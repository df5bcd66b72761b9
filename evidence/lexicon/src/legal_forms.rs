//! Legal forms of companies, which belong to laws and not to languages.

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

/// All legal forms.
#[must_use]
pub fn legal_forms() -> &'static [LegalForm] {
    crate::LEGAL_FORMS
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeSet;

    use super::*;

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
