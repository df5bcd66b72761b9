//! Checks what a generation backend requests in `Accept-Language`. DANGER: the header goes to whoever
//! serves the page, so it may contain only language ranges with weights.

use gtm_page_text::is_language_range;

/// Maximum length of a value in bytes; the settings of the shipped backends have the same limit.
const MAX_BYTES: usize = 100;

/// Whether a value is a short list of well-formed ranges (RFC 4647, basic), each with or without a weight.
pub fn is_well_formed(value: &str) -> bool {
    value.len() <= MAX_BYTES
        && value
            .split(',')
            .all(|range| is_weighted(range.trim_matches(' ')))
}

fn is_weighted(text: &str) -> bool {
    let (range, weight) = match text.split_once(';') {
        Some((range, weight)) => (range.trim_end_matches(' '), Some(weight.trim_matches(' '))),
        None => (text, None),
    };
    is_language_range(range)
        && weight.is_none_or(|weight| weight.strip_prefix("q=").is_some_and(is_weight))
}

/// A number from 0 to 1 with at most three decimals (RFC 9110, 12.4.2).
fn is_weight(text: &str) -> bool {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let all = |digits: &str, fits: fn(u8) -> bool| digits.len() <= 3 && digits.bytes().all(fits);
    match whole {
        "0" => all(decimals, |digit| digit.is_ascii_digit()),
        "1" => all(decimals, |digit| digit == b'0'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_with_weights_and_nothing_else() {
        for good in [
            "de",
            "*",
            "de, en;q=0.5",
            "de-CH,de;q=0.9,*;q=0.1",
            "zh-Hant-TW ; q=1.000, fr;q=0",
            "en-GB-oed",
        ] {
            assert!(is_well_formed(good), "{good}");
        }
        let long = ["de"; 40].join(",");
        for bad in [
            "",
            "the offer is about tanks",
            "de en",
            "de;q=2",
            "de;q=0.1234",
            "de;q=1.1",
            "de;q=",
            "de;offer=tanks",
            "de;q=0.5;x",
            "de,,en",
            "de;",
            "de-tankstanks",
            "1234567",
            &long,
        ] {
            assert!(!is_well_formed(bad), "{bad}");
        }
    }
}
