//! Words that have a capital by custom, and so are no names that somebody would have to approve.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::names::{EVERYDAY, PEOPLES, WEEKDAYS};
use crate::{countries, fold, months, split};

/// Months and the words of countries' names, folded.
static NAMED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut named: BTreeSet<String> = months().map(|(name, _)| fold(name)).collect();
    for country in countries::all() {
        for name in country.names() {
            let folded = fold(name);
            named.extend(split(&folded).into_iter().map(str::to_owned));
        }
    }
    named
});

/// Whether a folded word has its capital by custom: a day, a month, a people, a country, or an everyday word.
#[must_use]
pub fn has_capital_by_custom(folded: &str) -> bool {
    let lists = [WEEKDAYS, PEOPLES, EVERYDAY];
    lists.iter().any(|list| list.contains(folded)) || NAMED.contains(folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_months_peoples_and_countries_are_no_names() {
        for word in [
            "monday",
            "marz",
            "british",
            "germany",
            "kingdom",
            "deutschland",
        ] {
            assert!(has_capital_by_custom(word), "{word}");
        }
        for word in ["morrisons", "leeds", ""] {
            assert!(!has_capital_by_custom(word), "{word}");
        }
    }
}
