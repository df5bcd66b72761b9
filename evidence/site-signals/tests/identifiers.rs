//! Numbers of registers and tax offices.
#![allow(clippy::unwrap_used)]

use gtm_site_signals::identifiers::{compact, digits, lei, luhn, vat};
use proptest::prelude::*;

/// Numbers that companies publish, or examples from the authorities, that do not end in letters.
const REAL: [&str; 20] = [
    "DE136695976",
    "ATU13585627",
    "BE0428759497",
    "FR83404833048",
    "FR40303265045",
    "GB980780684",
    "XI980780684",
    "IT00743110157",
    "LU15027442",
    "PL8567346215",
    "DK13585628",
    "FI20774740",
    "PT501964843",
    "EL094259216",
    "CHE109322551",
    "ESA28015865",
    "HU12892312",
    "RO18547290",
    "SI50223054",
    "HR33392005961",
];

/// Countries whose rules are known.
const CODES: [&str; 30] = [
    "AT", "BE", "BG", "CH", "CY", "CZ", "DE", "DK", "EE", "EL", "ES", "FI", "FR", "GB", "HR", "HU",
    "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK", "XI",
];

/// The number with one digit changed.
fn broken(number: &str, at: usize) -> String {
    let other = |c: char| if c == '1' { '2' } else { '1' };
    let chars = number.chars().enumerate();
    chars
        .map(|(i, c)| if i == at { other(c) } else { c })
        .collect()
}

#[test]
fn real_numbers_pass_and_one_wrong_digit_does_not() {
    for number in REAL {
        assert_eq!(vat(number), Some(true), "{number}");
        let broken = broken(number, number.len() - 1);
        assert_eq!(vat(&broken), Some(false), "{broken}");
    }
    // Numbers that end in letters or in a registration number.
    for number in [
        "SE123456789701",
        "NL004495445B01",
        "IE6433435OA",
        "CHE109322551MWST",
    ] {
        assert_eq!(vat(number), Some(true), "{number}");
        let broken = broken(number, 6);
        assert_eq!(vat(&broken), Some(false), "{broken}");
    }
}

#[test]
fn the_stricter_rule_of_a_country_holds() {
    for (number, why) in [
        ("FR41303265045", "the key is wrong"),
        ("FR12123456789", "the SIREN is none"),
        ("FR403032650", "too short"),
        ("NL004495445B0X", "no digits behind the letter"),
        ("NL4495445B01", "zeros are left out"),
        ("LU15027443", "the rest of 89 is wrong"),
        ("DE12345", "too short"),
        ("DE000000000", "nothing but zeros"),
        ("DE13669597\u{0666}", "a digit of another script"),
        ("de136695976", "small letters"),
    ] {
        assert_ne!(vat(number), Some(true), "{number}: {why}");
    }
    assert_eq!(vat("US123"), None);
    assert_eq!(vat("D"), None);
    assert_eq!(vat("ÄÖ123456789"), None);
}

#[test]
fn other_numbers_have_check_digits_too() {
    assert!(lei("529900T8BM49AURSDO55") && lei("5493001KJTIIGC8Y1R12"));
    assert!(!lei("529900T8BM49AURSDO56") && !lei("5493001KJTIIGC8Y1R1") && !lei(""));
    assert!(!lei("529900t8bm49aursdo55"));
    assert!(luhn(digits("404 833 048")) && !luhn(digits("404 833 049")));
    assert!(!luhn([]) && !luhn([0; 9]) && !luhn([1, 2, 30]));
    assert_eq!(compact("de 136.695-976/1"), "DE1366959761");
}

proptest! {
    #[test]
    fn nothing_panics(text in any::<String>(), country in proptest::sample::select(&CODES[..]), rest in "[0-9A-Z+*]{0,16}") {
        let _ = (vat(&text), lei(&text), luhn(digits(&text)));
        let _ = (vat(&format!("{country}{rest}")), vat(&format!("{country}{text}")), lei(&rest));
    }

    #[test]
    fn a_wrong_digit_is_always_found(body in 10_000_000..99_999_999_u32, at in 2..10_usize) {
        // ISO 7064, MOD 11,10: exactly one check digit is right, and no single error escapes.
        let numbers: Vec<String> = (0..10).map(|check| format!("DE{body}{check}")).collect();
        let right: Vec<&String> = numbers.iter().filter(|number| vat(number) == Some(true)).collect();
        prop_assert_eq!(right.len(), 1);
        prop_assert_eq!(vat(&broken(right[0], at)), Some(false));
    }

    #[test]
    fn a_wrong_digit_of_a_luhn_number_is_always_found(body in proptest::collection::vec(0..10_u32, 8), at in 0..9_usize) {
        let mut number = body;
        number.push(0);
        let check = (0..10).find(|check| { number[8] = *check; luhn(&number) });
        prop_assume!(check.is_some());
        number[8] = check.unwrap();
        number[at] = (number[at] + 1) % 10;
        prop_assert!(!luhn(&number));
    }
}
