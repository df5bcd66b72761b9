//! Numbers of registers and tax offices: whether a number is possible.
//!
//! The rules are those of the `stdnum` crate. The caller decides what follows from a number that is
//! impossible, or whose rule is unknown.

use gtm_lexicon::countries::Country;
use stdnum::util::checksum::{luhn_checksum_validate, mod97_base10_validate};
use stdnum::{Validator, country};

const DIGITS: &str = "0123456789";

/// Whether a European VAT number (country code first, letters and digits only, upper case) has the right form
/// and check digits. `None` if its country's rule is unknown here.
pub fn vat(number: &str) -> Option<bool> {
    let (code, rest) = number.split_at_checked(2)?;
    let rule: &dyn Validator = match code {
        "AT" => &country::at::UID,
        "BE" => &country::be::VAT,
        "BG" => &country::bg::VAT,
        "CH" => return Some(switzerland(number)),
        "CY" => &country::cy::VAT,
        "CZ" => &country::cz::DIC,
        "DE" => &country::de::VAT,
        "DK" => &country::dk::CVR,
        "EE" => &country::ee::KMKR,
        "EL" => &country::gr::VAT,
        "ES" => &country::es::NIF,
        "FI" => &country::fi::ALV,
        "FR" => &country::fr::TVA,
        "GB" | "XI" => &country::gb::VAT,
        "HR" => &country::hr::OIB,
        "HU" => &country::hu::ANUM,
        "IE" => &country::ie::VAT,
        "IT" => &country::it::IVA,
        "LT" => &country::lt::PVM,
        "LU" => &country::lu::TVA,
        "LV" => &country::lv::PVN,
        "MT" => &country::mt::VAT,
        "NL" => &country::nl::BTW,
        "PL" => &country::pl::NIP,
        "PT" => &country::pt::NIF,
        "RO" => &country::ro::CUI,
        "SE" => return Some(sweden(rest)),
        "SI" => &country::si::DDV,
        "SK" => &country::sk::DPH,
        _ => return None,
    };
    Some(passes(rule, rest))
}

/// Whether a number passes a rule exactly as written. The rules also accept near misses and correct them, for
/// example by leading zeros; those were not on the page.
fn passes(rule: &dyn Validator, number: &str) -> bool {
    number.bytes().all(|b| b.is_ascii_alphanumeric())
        && number.bytes().any(|b| matches!(b, b'1'..=b'9'))
        && rule
            .validate(number)
            .is_ok_and(|valid| valid.compact == number)
}

/// A business number, with or without the name of the tax that it is registered for.
fn switzerland(number: &str) -> bool {
    let endings = Country::of_code("CH").map_or(&[][..], |country| country.vat_endings);
    let bare = endings
        .iter()
        .find_map(|tax| number.strip_suffix(tax))
        .unwrap_or(number);
    passes(&country::ch::UID, bare)
}

/// The last two digits count the registrations of one organization.
fn sweden(rest: &str) -> bool {
    rest.len() == 12
        && rest.bytes().all(|b| b.is_ascii_digit())
        && rest.get(..10).is_some_and(|number| luhn(digits(number)))
}

/// Whether a text is a Legal Entity Identifier (ISO 17442, upper case): 18 letters or digits, then two check
/// digits by ISO 7064, MOD 97-10.
pub fn lei(code: &str) -> bool {
    code.len() == 20
        && code
            .bytes()
            .all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
        && code.bytes().skip(18).all(|b| b.is_ascii_digit())
        && mod97_base10_validate(code, 1)
}

/// Whether digits, not all zero, pass the Luhn test, as those of SIREN and SIRET do.
pub fn luhn(digits: impl AsRef<[u32]>) -> bool {
    let digits = digits.as_ref();
    let text: Option<String> = digits
        .iter()
        .map(|digit| char::from_digit(*digit, 10))
        .collect();
    digits.iter().any(|digit| *digit != 0)
        && text.is_some_and(|text| luhn_checksum_validate(&text, DIGITS))
}

/// The digits of a text.
pub fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// A number without white space, dots, hyphens and slashes, in upper case.
pub fn compact(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '.' | '-' | '/'))
        .flat_map(char::to_uppercase)
        .collect()
}
