//! Numbers and addresses in a text, and whether another text contains them.

use std::collections::BTreeSet;

use gtm_page_text::bare_host;

/// Numbers in the text, normalized so that spellings agree: `2,000`, `2.000` and `2 000` are all `2000`.
pub fn numbers(text: &str) -> BTreeSet<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut found = BTreeSet::new();
    let mut i = 0usize;
    while i < chars.len() {
        if !chars.get(i).is_some_and(char::is_ascii_digit) {
            i += 1;
            continue;
        }
        let mut number = String::new();
        // Digits since the last separator: a group of thousands follows one to three digits.
        let mut run = 0usize;
        while let Some(&c) = chars.get(i) {
            if c.is_ascii_digit() {
                number.push(c);
                run += 1;
                i += 1;
                continue;
            }
            let digits_after = chars
                .iter()
                .skip(i + 1)
                .take_while(|next| next.is_ascii_digit())
                .count();
            let whole = !number.contains('.');
            if whole && is_group_mark(c) && digits_after == 3 && run <= 3 {
                run = 0;
            } else if whole && matches!(c, ',' | '.') && digits_after > 0 {
                number.push('.');
            } else {
                break;
            }
            i += 1;
        }
        let trimmed = number.trim_start_matches('0');
        let kept = if trimmed.is_empty() || trimmed.starts_with('.') {
            format!("0{trimmed}")
        } else {
            trimmed.to_owned()
        };
        found.insert(kept);
    }
    found
}

fn is_group_mark(c: char) -> bool {
    matches!(
        c,
        ',' | '.' | '\'' | '\u{2019}' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}'
    )
}

/// URLs, host names and e-mail addresses in the text, in lower case, without scheme, `www.` and trailing
/// slash.
pub fn addresses(text: &str) -> BTreeSet<String> {
    text.split(|c: char| {
        c.is_whitespace() || matches!(c, '<' | '>' | '"' | '(' | ')' | '[' | ']' | '{' | '}' | '|')
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

/// Whether every number and address of the claim is found in one of the texts.
pub fn borne_out(claim: &str, texts: &[&str]) -> bool {
    let claimed_numbers = numbers(claim);
    let claimed_addresses = addresses(claim);
    if claimed_numbers.is_empty() && claimed_addresses.is_empty() {
        return true;
    }
    let known_numbers: BTreeSet<String> = texts.iter().flat_map(|text| numbers(text)).collect();
    if !claimed_numbers.is_subset(&known_numbers) {
        return false;
    }
    let known_addresses: BTreeSet<String> = texts.iter().flat_map(|text| addresses(text)).collect();
    claimed_addresses.iter().all(|claimed| {
        known_addresses.iter().any(|known| {
            known == claimed
                // An address supports the bare host in it, but not the other way round.
                || (!claimed.contains(['/', '@']) && known.split('/').next() == Some(claimed))
        })
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
        assert_eq!(addresses("e.g. this, U.S. and Fin.Next"), set(&[]));
        assert_eq!(
            addresses("http://127.0.0.1:8080/x"),
            set(&["127.0.0.1:8080/x"])
        );
    }

    #[test]
    fn claims_need_their_numbers_and_addresses() {
        let evidence =
            ["Acme has 1,200 staff. Write to info@acme.example or see https://acme.example/jobs"];
        assert!(borne_out("About 1200 staff", &evidence));
        assert!(!borne_out("About 1300 staff", &evidence));
        assert!(borne_out("See acme.example", &evidence));
        assert!(!borne_out("Mail ceo@acme.example", &evidence));
        assert!(!borne_out("See acme.example/prices", &evidence));
        assert!(borne_out("No figures here.", &[]));
    }
}
