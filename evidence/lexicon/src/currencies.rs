//! Currencies by their signs, their codes and their names, as prices are written.
//!
//! `currencies.tsv` has the code, the signs, and names that mean nothing else in any language: no pounds, which weigh
//! something, and no crowns. A dollar without a country counts as that of the USA.

use std::sync::LazyLock;

use crate::fold;

struct Currency {
    code: &'static str,
    signs: Vec<&'static str>,
    names: Vec<&'static str>,
}

static CURRENCIES: LazyLock<Vec<Currency>> = LazyLock::new(|| {
    let table = include_str!("../currencies.tsv").lines();
    let read = |line: &'static str| {
        let mut cells = line.split('\t');
        let mut next = || cells.next().unwrap_or_default();
        Currency {
            code: next(),
            signs: next().split_whitespace().collect(),
            names: next().split_whitespace().collect(),
        }
    };
    table.map(read).collect()
});

/// The code of the currency that a sign, a code or a name means. Codes have capitals: others of three letters are names
/// as often (`ISO 9001`), and so are these in small letters.
#[must_use]
pub fn currency_of(written: &str) -> Option<&'static str> {
    let folded = fold(written);
    let mut currencies = CURRENCIES.iter();
    let found = currencies.find(|it| {
        it.code == written || it.signs.contains(&written) || it.names.contains(&folded.as_str())
    });
    found.map(|it| it.code)
}

/// Whether it is the code of a currency.
#[must_use]
pub fn is_currency_code(code: &str) -> bool {
    CURRENCIES.iter().any(|it| it.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_codes_and_names_mean_one_currency() {
        for (written, code) in [
            ("€", Some("EUR")),
            ("EUR", Some("EUR")),
            ("Euros", Some("EUR")),
            ("$", Some("USD")),
            ("US$", Some("USD")),
            ("R$", Some("BRL")),
            ("Z$", None),
            ("dólares", Some("USD")),
            ("£", Some("GBP")),
            ("eur", None),
            ("pounds", None),
            ("ISO", None),
            ("", None),
        ] {
            assert_eq!(currency_of(written), code, "{written}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_folded() {
        assert!(CURRENCIES.is_sorted_by(|one, other| one.code < other.code));
        for it in CURRENCIES.iter() {
            assert!(it.code.len() == 3 && it.names.iter().all(|name| fold(name) == *name));
        }
    }
}
