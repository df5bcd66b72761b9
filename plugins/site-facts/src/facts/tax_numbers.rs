//! VAT numbers of companies, verbatim.

use gtm_lexicon::registers::VAT_LABELS;
use gtm_lexicon::{VatLabels, countries, vat_labels};
use gtm_site_research::words;

use super::check_digits;

/// Only the letters and digits of a number, in capitals.
pub fn compact(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .map(|c| c.to_ascii_uppercase())
        .collect()
}

/// Whether the number may be valid; for countries without a known rule, whether it looks like a VAT number.
pub fn vat_is_valid(compact: &str) -> bool {
    check_digits::vat(compact).unwrap_or_else(|| {
        (8..=14).contains(&compact.len())
            && compact.chars().take(2).all(|c| c.is_ascii_uppercase())
            && compact.chars().filter(char::is_ascii_digit).count() >= 7
    })
}

/// The VAT numbers in a line, verbatim, with valid check digits where a rule is known.
pub fn vat_numbers(text: &str) -> Vec<&str> {
    let folded = words::fold(text);
    let labelled = VAT_LABELS.any_in(&words::split(&folded));
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        let inside = text
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(char::is_alphanumeric);
        if !c.is_ascii_uppercase() || inside {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let mut begins = countries::all().flat_map(|country| country.vat);
        if let Some(begin) = begins.find(|begin| rest.starts_with(**begin)) {
            found.extend(with_country(rest, begin, labelled));
        }
    }
    found
}

/// The number at the start of a text: the longest that its country's rule allows.
fn with_country<'a>(text: &'a str, country: &str, labelled: bool) -> Option<&'a str> {
    let mut end = country.len();
    let mut digits = 0;
    let mut longest = None;
    for (offset, c) in text.char_indices().skip(country.chars().count()) {
        match c {
            // Single blanks, points and dashes separate groups of digits.
            ' ' | '.' | '-' | '\u{a0}' if offset <= end + 1 => continue,
            '0'..='9' => digits += 1,
            'A'..='Z' => {}
            _ => break,
        }
        end = offset + 1;
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        let value = text.get(..end)?;
        let number = compact(value);
        if offset > country.len() + 20 || number.len() > 15 {
            break;
        }
        let has_letters = number
            .get(country.len()..)
            .is_some_and(|rest| rest.contains(|c: char| c.is_ascii_uppercase()));
        let known_rule = check_digits::vat(&number).is_some();
        let fits = digits >= 7
            && !next.is_some_and(char::is_alphanumeric)
            && vat_is_valid(&number)
            && (labelled || known_rule)
            // Without a known rule, letters after the digits belong to the next word.
            && (known_rule || !has_letters);
        if fits {
            longest = Some(value);
        }
    }
    longest
}

/// A company's number directly after its label, without a country code (`CIF: B50917467`), and its country.
pub fn bare_vat_number(text: &str) -> Option<(&'static str, &str)> {
    after_labels(text).find_map(|(vat, rest)| Some((vat.country, bare_number(rest, vat)?)))
}

/// Whether a number with the form of a company's stands directly after its label, but has wrong check digits, as
/// placeholders have.
pub fn has_mistaken_number(text: &str) -> bool {
    after_labels(text)
        .any(|(vat, rest)| number_at_start(rest, vat).is_some() && bare_number(rest, vat).is_none())
}

/// What follows each label of a country's numbers, with its country.
fn after_labels(text: &str) -> impl Iterator<Item = (&'static VatLabels, &str)> {
    vat_labels().iter().flat_map(move |vat| {
        let places = vat.labels.iter().flat_map(move |label| {
            text.match_indices(label)
                .map(move |(at, _)| (at, at + label.len()))
        });
        places.filter_map(move |(at, end)| {
            let before = text.get(..at)?.chars().next_back();
            let rest = text.get(end..)?;
            (!before.is_some_and(char::is_alphanumeric)).then_some((vat, rest))
        })
    })
}

/// A number of the labels' country at the start of a text, after a colon or a word such as `n.º`.
pub fn bare_number<'a>(text: &'a str, of: &VatLabels) -> Option<&'a str> {
    let value = number_at_start(text, of)?;
    let number = format!("{}{}", of.country, compact(value));
    (check_digits::vat(&number) == Some(true)).then_some(value)
}

/// The same, whatever its check digits.
fn number_at_start<'a>(text: &'a str, of: &VatLabels) -> Option<&'a str> {
    let begin = text.find(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit())?;
    if text.get(..begin)?.chars().count() > 6 {
        return None;
    }
    let rest = text.get(begin..)?;
    let end = rest
        .char_indices()
        .find(|(at, c)| {
            let grouped = matches!(c, '-' | '.' | ' ')
                && rest
                    .get(at + 1..)
                    .is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()));
            !(c.is_ascii_uppercase() || c.is_ascii_digit() || grouped)
        })
        .map_or(rest.len(), |(at, _)| at);
    let value = rest.get(..end)?;
    of.is_company_number(&compact(value)).then_some(value)
}

/// Folded labels that fill a cell or term of their own.
pub fn bare_labels() -> impl Iterator<Item = (&'static VatLabels, Vec<String>)> {
    vat_labels().iter().map(|vat| {
        let all = vat.labels.iter().chain(vat.cells);
        let folded = all.map(|label| words::split(&words::fold(label)).join(" "));
        (vat, folded.collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_their_rule_says() {
        for (text, expected) in [
            ("USt-IdNr.: DE 136695976", vec!["DE 136695976"]),
            ("USt-IdNr.: DE136695977", vec![]),
            ("VAT no. GB 980 7806 84. Registered", vec!["GB 980 7806 84"]),
            ("N° TVA : FR83404833048", vec!["FR83404833048"]),
            ("DESIGN 123456789", vec![]),
            // A capitalized word and another number may follow.
            (
                "Btw-nummer NL004495445B01 IBAN NL60 XBNK 0417 1643 00",
                vec!["NL004495445B01"],
            ),
            (
                "BTW NL 0044.95.445.B01 KVK 12345678",
                vec!["NL 0044.95.445.B01"],
            ),
            ("UID: ATU13585627 FN 123456a", vec!["ATU13585627"]),
            ("TVA : FR83404833048 RCS LYON", vec!["FR83404833048"]),
        ] {
            assert_eq!(vat_numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_without_their_country_need_their_label() {
        for (text, expected) in [
            ("CIF: B50917467", Some("B50917467")),
            ("con C.I.F. B-50917467 y domicilio", Some("B-50917467")),
            ("NIF nº B50917467", Some("B50917467")),
            ("P. IVA 00743110157", Some("00743110157")),
            ("NIPC: 501 964 843", Some("501 964 843")),
            // Invalid check digits, a personal number, a different word, no label.
            ("CIF: B50917468", None),
            ("NIF: 12345678Z", None),
            ("SPECIFIC B50917467", None),
            ("Referencia B50917467", None),
            ("P. IVA 00743110158", None),
        ] {
            let found = bare_vat_number(text).map(|(_, number)| number);
            assert_eq!(found, expected, "{text}");
        }
        assert!(has_mistaken_number(
            "© 2026 Acme S.r.l. - P.IVA 01234567890."
        ));
        assert!(
            !has_mistaken_number("P. IVA 00743110157")
                && !has_mistaken_number("P. IVA su richiesta")
        );
    }
}
