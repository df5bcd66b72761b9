//! How long the values of placeholders are, so that a template can be measured before it is filled. The figures are
//! estimates, one row a placeholder and language: placeholder, language, mean number of words, and the number of code
//! points that 95 of 100 values do not exceed. They are to be replaced by measured ones where there are any.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gtm_domain::message::Placeholder;

use super::vocabulary::language_of;

/// Length of the values of one placeholder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ValueLength {
    /// Words of a usual value. An address is none.
    pub mean_words: f64,
    /// Code points of a long value.
    pub p95_chars: usize,
}

/// Rows by placeholder and language.
static LENGTHS: LazyLock<BTreeMap<(&str, &str), ValueLength>> = LazyLock::new(|| {
    let rows = include_str!("value_lengths.tsv").lines();
    rows.filter_map(|row| {
        let mut cells = row.split('\t');
        let key = (cells.next()?, cells.next()?);
        let length = ValueLength {
            mean_words: cells.next()?.parse().ok()?,
            p95_chars: cells.next()?.parse().ok()?,
        };
        Some((key, length))
    })
    .collect()
});

impl ValueLength {
    /// The length in a language; for one without figures the greatest of the others, so that nothing is taken for
    /// shorter than it may be.
    pub(super) fn of(placeholder: Placeholder, language: &str) -> Self {
        let name = placeholder.name();
        let known = LENGTHS.get(&(name, language)).copied();
        known.unwrap_or_else(|| {
            let rows = LENGTHS.iter().filter(|((of, _), _)| *of == name);
            rows.fold(
                Self {
                    mean_words: 0.0,
                    p95_chars: 0,
                },
                |most, (_, row)| Self {
                    mean_words: most.mean_words.max(row.mean_words),
                    p95_chars: most.p95_chars.max(row.p95_chars),
                },
            )
        })
    }
}

/// How many words a value of a placeholder usually has, and the length in code points that 95 of 100 do not exceed: what a
/// draft is measured by, for whoever writes one.
#[must_use]
pub fn usual_words(placeholder: Placeholder, tag: &str) -> (f64, usize) {
    let length = ValueLength::of(placeholder, &language_of(tag));
    (length.mean_words, length.p95_chars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_placeholder_has_a_row_in_every_language_that_is_read() {
        for placeholder in Placeholder::ALL {
            for language in ["de", "en", "es", "fr"] {
                let row = LENGTHS.get(&(placeholder.name(), language));
                let fits =
                    row.is_some_and(|row| (1..=placeholder.max_chars()).contains(&row.p95_chars));
                assert!(fits, "{placeholder:?} {language}");
            }
        }
        assert_eq!(LENGTHS.len(), Placeholder::ALL.len() * 4);
        let greatest = ValueLength::of(Placeholder::CompanyName, "it");
        assert_eq!((greatest.mean_words, greatest.p95_chars), (3.0, 34));
        assert_eq!(
            usual_words(Placeholder::CompanyName, "de-CH"),
            usual_words(Placeholder::CompanyName, "de")
        );
    }
}
