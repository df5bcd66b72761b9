//! Check digits of registration and tax numbers, for telling a number from a mistake.

/// Whether a European VAT number (country code first, letters and digits only) can be one.
/// `None` where its country's rule isn't known here.
pub fn vat(number: &str) -> Option<bool> {
    let country = number.get(..2)?;
    let rest = number.get(2..)?;
    let digits: Vec<u32> = rest.chars().filter_map(|c| c.to_digit(10)).collect();
    let all_digits = digits.len() == rest.chars().count();
    Some(match country {
        "DE" => all_digits && digits.len() == 9 && iso_7064_mod_11_10(&digits),
        "AT" => rest.starts_with('U') && digits.len() == 8 && rest.len() == 9 && austria(&digits),
        "BE" => all_digits && digits.len() == 10 && belgium(&digits),
        "FR" => match (digits.len(), rest.len()) {
            (11, 11) => france(&digits),
            // Keys with letters follow another rule.
            (9..=10, 11) => return None,
            _ => false,
        },
        "GB" | "XI" => all_digits && matches!(digits.len(), 9 | 12) && britain(&digits),
        "IT" => all_digits && digits.len() == 11 && luhn(&digits),
        "PL" => {
            all_digits && digits.len() == 10 && weighted(&digits, &[6, 5, 7, 2, 3, 4, 5, 6, 7], 11)
        }
        "DK" => {
            all_digits
                && digits.len() == 8
                && weighted_sum(&digits, &[2, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
        }
        "FI" => {
            all_digits && digits.len() == 8 && {
                let sum = weighted_sum(&digits, &[7, 9, 10, 5, 8, 4, 2]) % 11;
                let check = if sum == 0 { 0 } else { 11 - sum };
                digits.last() == Some(&check)
            }
        }
        "SE" => all_digits && digits.len() == 12 && digits.get(..10).is_some_and(luhn),
        "PT" => {
            all_digits && digits.len() == 9 && {
                let sum = weighted_sum(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
                let check = if sum < 2 { 0 } else { 11 - sum };
                digits.last() == Some(&check)
            }
        }
        "NL" => rest.len() == 12 && netherlands(number, rest),
        _ => return None,
    })
}

/// Whether an LEI (ISO 17442) has valid check digits: mod 97 over its letters as numbers is 1.
pub fn lei(code: &str) -> bool {
    code.len() == 20
        && code
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
        && code.chars().rev().take(2).all(|c| c.is_ascii_digit())
        && mod_97(code) == Some(1)
}

/// Whether the digits pass the Luhn test, as SIREN and SIRET do.
pub fn luhn(digits: impl AsRef<[u32]>) -> bool {
    let digits = digits.as_ref();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| match at % 2 {
            0 => *digit,
            _ if *digit * 2 > 9 => *digit * 2 - 9,
            _ => *digit * 2,
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != 0)
}

/// The digits of a text.
pub fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

fn iso_7064_mod_11_10(digits: &[u32]) -> bool {
    let Some((check, body)) = digits.split_last() else {
        return false;
    };
    let product = body.iter().fold(10, |product, digit| {
        let sum = match (product + digit) % 10 {
            0 => 10,
            sum => sum,
        };
        sum * 2 % 11
    });
    (11 - product) % 10 == *check
}

fn austria(digits: &[u32]) -> bool {
    let Some((check, body)) = digits.split_last() else {
        return false;
    };
    let sum: u32 = body
        .iter()
        .enumerate()
        .map(|(at, digit)| {
            if at % 2 == 1 {
                digit * 2 / 10 + digit * 2 % 10
            } else {
                *digit
            }
        })
        .sum();
    (96 - sum) % 10 == *check
}

fn belgium(digits: &[u32]) -> bool {
    number(digits.get(..8))
        .zip(number(digits.get(8..)))
        .is_some_and(|(body, check)| 97 - body % 97 == check)
}

fn france(digits: &[u32]) -> bool {
    number(digits.get(..2))
        .zip(number(digits.get(2..)))
        .is_some_and(|(key, siren)| (12 + 3 * (siren % 97)) % 97 == key)
}

fn britain(digits: &[u32]) -> bool {
    let sum = weighted_sum(digits, &[8, 7, 6, 5, 4, 3, 2]);
    let Some(check) = number(digits.get(7..9)) else {
        return false;
    };
    let total = u64::from(sum) + check;
    total.is_multiple_of(97) || (total + 55).is_multiple_of(97)
}

fn netherlands(number_with_country: &str, rest: &str) -> bool {
    let digits = digits(rest.get(..9).unwrap_or_default());
    let form = digits.len() == 9
        && rest.chars().nth(9) == Some('B')
        && rest
            .get(10..)
            .is_some_and(|end| end.chars().all(|c| c.is_ascii_digit()));
    let sum = weighted_sum(&digits, &[9, 8, 7, 6, 5, 4, 3, 2]) % 11;
    form && (digits.last() == Some(&sum) || mod_97(number_with_country) == Some(1))
}

fn weighted(digits: &[u32], weights: &[u32], modulus: u32) -> bool {
    digits.last() == Some(&(weighted_sum(digits, weights) % modulus))
}

fn weighted_sum(digits: &[u32], weights: &[u32]) -> u32 {
    digits
        .iter()
        .zip(weights)
        .map(|(digit, weight)| digit * weight)
        .sum()
}

fn number(digits: Option<&[u32]>) -> Option<u64> {
    Some(
        digits?
            .iter()
            .fold(0, |number, digit| number * 10 + u64::from(*digit)),
    )
}

/// The letters and digits as one number (A is 10), modulo 97.
fn mod_97(code: &str) -> Option<u32> {
    code.chars().try_fold(0, |remainder, c| {
        let value = c.to_digit(36)?;
        let shifted = if value > 9 {
            remainder * 100
        } else {
            remainder * 10
        };
        Some((shifted + value) % 97)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_numbers_pass_and_one_wrong_digit_does_not() {
        // Numbers that companies publish, or examples of the authorities.
        for number in [
            "DE136695976",
            "ATU13585627",
            "BE0428759497",
            "FR83404833048",
            "GB980780684",
            "IT00743110157",
            "PL8567346215",
            "DK13585628",
            "FI20774740",
            "SE123456789701",
            "PT501964843",
            "NL004495445B01",
        ] {
            assert_eq!(vat(number), Some(true), "{number}");
            let at = number.len()
                - if number.starts_with("SE") || number.starts_with("NL") {
                    4
                } else {
                    1
                };
            let digit = number.as_bytes().get(at).map(|b| char::from(*b));
            let other = if digit == Some('1') { '2' } else { '1' };
            let broken: String = number
                .chars()
                .enumerate()
                .map(|(i, c)| if i == at { other } else { c })
                .collect();
            assert_eq!(vat(&broken), Some(false), "{broken}");
        }
        assert_eq!(vat("US123"), None);
        assert_eq!(vat("D"), None);
        assert!(lei("529900T8BM49AURSDO55"));
        assert!(!lei("529900T8BM49AURSDO56"));
        assert!(luhn(digits("404 833 048")) && !luhn(digits("404 833 049")) && !luhn([]));
    }
}
