//! Identifiers of companies: their check digits, where they can be computed.

/// Whether a Legal Entity Identifier is well formed: 18 letters or digits and two check digits after
/// ISO 7064, MOD 97-10 (ISO 17442).
#[must_use]
pub fn is_lei(text: &str) -> bool {
    text.len() == 20
        && text
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && text.bytes().skip(18).all(|b| b.is_ascii_digit())
        && mod_97(text) == 1
}

fn mod_97(text: &str) -> u64 {
    text.chars()
        .filter_map(|c| c.to_digit(36))
        .fold(0, |rest, digit| {
            let digit = u64::from(digit);
            (rest * if digit < 10 { 10 } else { 100 } + digit) % 97
        })
}

/// Whether a VAT number is possible: two letters of its country and, for countries whose rule is
/// implemented, right check digits. White space, dots and hyphens are no part of it.
#[must_use]
pub fn is_vat(text: &str) -> bool {
    let number = bare(text);
    let Some((country, rest)) = number.split_at_checked(2) else {
        return false;
    };
    if !country.bytes().all(|b| b.is_ascii_uppercase()) || !(2..=12).contains(&rest.len()) {
        return false;
    }
    let digits: Vec<u32> = rest.chars().filter_map(|c| c.to_digit(10)).collect();
    let numeric = digits.len() == rest.len();
    match country {
        "DE" => numeric && digits.len() == 9 && germany(&digits),
        "AT" => {
            rest.strip_prefix('U').is_some_and(|n| n.len() == 8)
                && digits.len() == 8
                && austria(&digits)
        }
        "BE" => numeric && digits.len() == 10 && belgium(&digits),
        "NL" => {
            rest.len() == 12
                && rest.as_bytes().get(9) == Some(&b'B')
                && netherlands(&number, &digits)
        }
        "FR" => rest.len() == 11 && france(rest),
        "GB" | "XI" => numeric && matches!(digits.len(), 9 | 12) && united_kingdom(&digits),
        "IT" => numeric && digits.len() == 11 && luhn(&digits),
        "LU" => numeric && digits.len() == 8 && luxembourg(&digits),
        "DK" => {
            numeric
                && digits.len() == 8
                && weighted(&digits, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
        }
        "FI" => numeric && digits.len() == 8 && finland(&digits),
        "SE" => numeric && digits.len() == 12 && luhn(&digits[..10]),
        "PL" => numeric && digits.len() == 10 && poland(&digits),
        "PT" => numeric && digits.len() == 9 && portugal(&digits),
        _ => digits.len() >= 5 || country == "CH" && digits.len() == 9,
    }
}

/// The identifier without white space, dots, hyphens and slashes, in upper case.
#[must_use]
pub fn bare(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-' | '/'))
        .flat_map(char::to_uppercase)
        .collect()
}

fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(d, w)| d * w).sum()
}

fn value(digits: &[u32]) -> u64 {
    digits
        .iter()
        .fold(0, |value, digit| value * 10 + u64::from(*digit))
}

/// ISO 7064, MOD 11,10.
fn germany(digits: &[u32]) -> bool {
    let product = digits[..8].iter().fold(10, |product, digit| {
        let sum = match (digit + product) % 10 {
            0 => 10,
            sum => sum,
        };
        2 * sum % 11
    });
    (11 - product) % 10 == digits[8]
}

fn austria(digits: &[u32]) -> bool {
    let odd: u32 = digits[..7].iter().step_by(2).sum();
    let even: u32 = digits[1..7]
        .iter()
        .step_by(2)
        .map(|d| d / 5 + d * 2 % 10)
        .sum();
    (10 - (odd + even + 4) % 10) % 10 == digits[7]
}

fn belgium(digits: &[u32]) -> bool {
    97 - value(&digits[..8]) % 97 == value(&digits[8..])
}

/// Nine digits after the rule of eleven, or the whole after MOD 97-10.
fn netherlands(number: &str, digits: &[u32]) -> bool {
    let eleven =
        digits.len() >= 9 && weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) % 11 == digits[8];
    eleven || mod_97(number) == 1
}

/// Two characters, then the nine digits of the SIREN; two digits are a checksum of it.
fn france(rest: &str) -> bool {
    let (key, siren) = rest.split_at(2);
    let digits: Vec<u32> = siren.chars().filter_map(|c| c.to_digit(10)).collect();
    if digits.len() != 9 || !luhn(&digits) {
        return false;
    }
    match key.parse::<u64>() {
        Ok(key) => (12 + 3 * (value(&digits) % 97)) % 97 == key,
        Err(_) => key.bytes().all(|b| b.is_ascii_alphanumeric()),
    }
}

fn united_kingdom(digits: &[u32]) -> bool {
    let sum = weighted(&digits[..7], &[8, 7, 6, 5, 4, 3, 2]);
    let check = u32::try_from(value(&digits[7..9])).unwrap_or(u32::MAX);
    (sum + check).is_multiple_of(97) || (sum + check + 55).is_multiple_of(97)
}

fn luxembourg(digits: &[u32]) -> bool {
    value(&digits[..6]) % 89 == value(&digits[6..])
}

fn finland(digits: &[u32]) -> bool {
    match weighted(&digits[..7], &[7, 9, 10, 5, 8, 4, 2]) % 11 {
        0 => digits[7] == 0,
        1 => false,
        rest => 11 - rest == digits[7],
    }
}

fn poland(digits: &[u32]) -> bool {
    weighted(&digits[..9], &[6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 == digits[9]
}

fn portugal(digits: &[u32]) -> bool {
    let check = 11 - weighted(&digits[..8], &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    (if check >= 10 { 0 } else { check }) == digits[8]
}

/// The Luhn checksum, whose last digit is the check digit.
fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(index, digit)| match index % 2 {
            0 => *digit,
            _ if *digit > 4 => digit * 2 - 9,
            _ => digit * 2,
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits() {
        // Made from each rule by hand, or published by the authority as its example.
        for good in [
            "DE136695976",
            "DE 136 695 976",
            "ATU13585627",
            "BE0428759497",
            "NL004495445B01",
            "FR40303265045",
            "GB980780684",
            "IT00743110157",
            "LU15027442",
            "DK13585628",
            "FI20774740",
            "SE123456789701",
            "PL8567346215",
            "PT501964843",
            "EL094259216",
        ] {
            assert!(is_vat(good), "{good}");
        }
        for bad in [
            "DE136695977",
            "DE12345",
            "ATU13585626",
            "BE0428759498",
            "FR41303265045",
            "GB980780685",
            "IT00743110158",
            "LU15027443",
            "DK13585629",
            "PL8567346216",
            "PT501964844",
            "136695976",
            "",
            "D",
            "ÄÖ123456789",
        ] {
            assert!(!is_vat(bad), "{bad}");
        }
        assert!(is_lei("5493001KJTIIGC8Y1R12"));
        assert!(!is_lei("5493001KJTIIGC8Y1R13"));
        assert!(!is_lei("5493001KJTIIGC8Y1R1"));
    }
}
