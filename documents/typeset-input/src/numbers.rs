//! Numbers as a language writes them.

use gtm_language_tag::{primary_language, region_subtag};

/// How a language separates digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    decimal: char,
    group: char,
}

impl Numbers {
    #[must_use]
    pub fn of(language: &str) -> Self {
        let primary = primary_language(language).to_ascii_lowercase();
        let is_swiss =
            || region_subtag(language).is_some_and(|region| region.eq_ignore_ascii_case("CH"));
        let (decimal, group) = match primary.as_str() {
            "de" if is_swiss() => ('.', '\u{2019}'),
            "de" | "es" | "it" | "nl" | "pt" | "da" | "tr" | "el" | "ro" | "id" => (',', '.'),
            "fr" | "sv" | "nb" | "nn" | "no" | "fi" | "pl" | "cs" | "hu" | "ru" | "uk" => {
                (',', '\u{a0}')
            }
            _ => ('.', ','),
        };
        Self { decimal, group }
    }

    /// The number with so many decimals; with an exponent where it would have no end.
    #[must_use]
    pub fn written(self, number: f64, decimals: usize) -> String {
        let size = number.abs();
        if size >= 1e15 || (size > 0.0 && size < 1e-6) {
            return self.localized(&format!("{number:.1e}"), false);
        }
        let plain = format!("{size:.decimals$}");
        let is_zero = plain.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        let sign = if number < 0.0 && !is_zero {
            "\u{2212}"
        } else {
            ""
        };
        format!("{sign}{}", self.localized(&plain, true))
    }

    fn localized(self, plain: &str, groups: bool) -> String {
        let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let mut out = String::new();
        for (index, digit) in whole.chars().enumerate() {
            let left = whole.len() - index;
            if groups && index > 0 && left % 3 == 0 {
                out.push(self.group);
            }
            out.push(if digit == '-' { '\u{2212}' } else { digit });
        }
        if !fraction.is_empty() {
            out.push(self.decimal);
            out.push_str(fraction);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_language_does() {
        for (language, expected) in [
            ("en-GB", "1,234,567.5"),
            ("de", "1.234.567,5"),
            ("de-CH", "1\u{2019}234\u{2019}567.5"),
            ("fr", "1\u{a0}234\u{a0}567,5"),
            ("ja", "1,234,567.5"),
        ] {
            assert_eq!(Numbers::of(language).written(1_234_567.5, 1), expected);
        }
        let english = Numbers::of("en");
        assert_eq!(english.written(-0.04, 1), "0.0");
        assert_eq!(english.written(-4.9, 1), "\u{2212}4.9");
        assert_eq!(english.written(2024.0, 0), "2,024");
        assert_eq!(Numbers::of("it").written(6310.0, 0), "6.310");
        assert_eq!(english.written(f64::MAX, 6), "1.8e308");
        assert_eq!(english.written(5e-324, 6), "4.9e-324");
    }
}
