//! Legal forms of companies. They belong to laws, not to languages.

/// A legal form with which the name of a company ends.
#[derive(Debug)]
pub struct LegalForm {
    /// Its printed spellings.
    pub written: &'static [&'static str],
    /// The letter case in which a spelling without full stops counts.
    pub letters: Letters,
    /// The ownership that follows from it, if its law allows nothing else.
    pub means: Option<Meaning>,
    /// Whether it is also an ordinary word or another abbreviation. If so, it counts after a name, but its
    /// mere occurrence in a text says nothing.
    pub elsewhere: bool,
    /// Whether companies keep it in their domain names.
    pub in_domains: bool,
}

/// The letter case in which a spelling without full stops is a legal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// In any case.
    Any,
    /// In any case with at least one capital.
    Capital,
    /// Only as written: in another case it is an ordinary word.
    Exact,
    /// As written, in a script without capitals.
    Uncased,
    /// As written, in a script without blanks: joined to the name, before or behind it.
    Joined,
}

/// The ownership that follows from a legal form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The company belongs to its members and cannot be listed.
    Private,
    /// The company serves a purpose, not its owners.
    Nonprofit,
}

impl Meaning {
    /// The name that guidelines use for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Nonprofit => "nonprofit",
        }
    }
}

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

    /// A form that is an ordinary word in another case must not match in any case. Either its exact case is
    /// compared, or its mere occurrence says nothing.
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
