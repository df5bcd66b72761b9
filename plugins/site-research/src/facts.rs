//! Numbers and addresses in a text, and whether another text contains an address.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::{self, InWords, is_unspaced};
use gtm_page_text::bare_host;

/// Numbers in the text that are written in digits, normalized so that spellings agree: `2,000`, `2.000` and `2 000` are all
/// `2000`.
pub fn numbers(text: &str) -> BTreeSet<String> {
    numbers::read(text, InWords::Ignored)
        .map(|number| number.form().to_owned())
        .filter(|form| form.starts_with(|c: char| c.is_ascii_digit()))
        .collect()
}

/// URLs, host names and e-mail addresses in the text, in lower case, without scheme, `www.` and trailing
/// slash.
pub fn addresses(text: &str) -> BTreeSet<String> {
    text.split(|c: char| {
        // Japanese and Chinese put no space around an address.
        c.is_whitespace()
            || is_unspaced(c)
            || matches!(
                c,
                '、' | '。'
                    | '（'
                    | '）'
                    | '「'
                    | '」'
                    | '<'
                    | '>'
                    | '"'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '|'
            )
    })
    .filter_map(address)
    .collect()
}

fn address(token: &str) -> Option<String> {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let has_scheme = token.contains("://");
    let has_at = token.contains('@');
    let rest = token.split_once("://").map_or(token, |(_, rest)| rest);
    let host = rest.rsplit('@').next().unwrap_or(rest);
    let host = host.split(['/', '?', '#', ':']).next().unwrap_or(host);
    let labels: Vec<&str> = host.split('.').collect();
    let host_like = labels.len() >= 2
        && labels.iter().all(|label| {
            label.chars().count() >= 2 && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        })
        && labels.last().is_some_and(|last| {
            (2..=24).contains(&last.len()) && last.chars().all(|c| c.is_ascii_lowercase())
        });
    let localhost = has_scheme && !host.is_empty();
    if !(host_like || localhost || (has_at && host.contains('.'))) {
        return None;
    }
    let bare = rest.to_lowercase();
    let bare = bare_host(&bare);
    Some(bare.trim_end_matches(['/', '.', ',']).to_owned())
}

/// Whether one of the texts has the address.
pub fn address_stands(claimed: &str, texts: &[&str]) -> bool {
    texts.iter().flat_map(|text| addresses(text)).any(|known| {
        known == claimed
                // An address supports the bare host in it, but not the other way round.
                || (!claimed.contains(['/', '@']) && known.split('/').next() == Some(claimed))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[&str]) -> BTreeSet<String> {
        values.iter().map(|value| (*value).to_owned()).collect()
    }

    #[test]
    fn numbers_have_one_form() {
        assert_eq!(numbers("2,000 or 2.000 or 2 000"), set(&["2000"]));
        assert_eq!(
            numbers("1,234,567 and 12.5% and 3,5"),
            set(&["1234567", "12.5", "3.5"])
        );
        assert_eq!(
            numbers("Since 2014, 40 people. 007"),
            set(&["2014", "40", "7"])
        );
        assert_eq!(numbers("none"), set(&[]));
        assert_eq!(numbers("2024-2025"), set(&["2024", "2025"]));
    }

    #[test]
    fn addresses_are_found_bare() {
        assert_eq!(
            addresses("Mail sales@acme.example, see https://www.acme.example/a/ or acme.example."),
            set(&["sales@acme.example", "acme.example/a", "acme.example"])
        );
        assert_eq!(
            addresses("詳細はacme.exampleで、質問はinfo@acme.exampleへ"),
            set(&["acme.example", "info@acme.example"])
        );
        assert_eq!(addresses("e.g. this, U.S. and Fin.Next"), set(&[]));
        assert_eq!(
            addresses("http://127.0.0.1:8080/x"),
            set(&["127.0.0.1:8080/x"])
        );
    }

    #[test]
    fn addresses_stand_with_their_host() {
        let evidence = ["Write to info@acme.example or see https://acme.example/jobs"];
        assert!(address_stands("acme.example", &evidence));
        assert!(!address_stands("ceo@acme.example", &evidence));
        assert!(!address_stands("acme.example/prices", &evidence));
    }
}
