//! Countries: whether a text mentions one. Codes, telephone prefixes and names come from `gtm-lexicon`, which
//! the backend uses too.

use gtm_lexicon::countries;

use crate::verdict::stands_in;

/// A country of ISO 3166-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country(countries::Country);

impl Country {
    /// The country of an alpha-2 code in upper case.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        countries::Country::of_code(code).map(Self)
    }

    /// Whether a text names the country: by one of its names, or by its code where that cannot be a word
    /// (alone, after a comma, or before a postcode).
    #[must_use]
    pub fn is_named_in(&self, text: &str) -> bool {
        self.0.names().any(|name| {
            // Abbreviations must be in capitals: "us" is a word, "US" may be a country.
            let short = name.chars().filter(|c| c.is_alphabetic()).count() <= 3 && name.is_ascii();
            if short {
                words(text).any(|word| word == name.trim_end_matches('.'))
            } else {
                stands_in(name, text)
            }
        }) || self.code_stands_in(text)
    }

    fn code_stands_in(&self, text: &str) -> bool {
        text.match_indices(self.0.code).any(|(at, code)| {
            let before = text[..at].trim_end();
            let after = &text[at + code.len()..];
            let begins = !text[..at]
                .chars()
                .next_back()
                .is_some_and(char::is_alphanumeric);
            let ends = !after.chars().next().is_some_and(char::is_alphanumeric);
            let alone = before.is_empty() && after.trim().is_empty();
            let after_comma =
                before.ends_with(',') && after.trim_start_matches('.').trim().is_empty();
            let before_postcode = after
                .strip_prefix('-')
                .is_some_and(|rest| rest.chars().take(4).filter(char::is_ascii_digit).count() == 4);
            begins && ends && (alone || after_comma || before_postcode)
        })
    }

    /// Whether a text contains a telephone number or a VAT number of the country.
    #[must_use]
    pub fn is_dialled_in(&self, text: &str) -> bool {
        let by_phone = !self.0.prefix.is_empty()
            && ["+", "00"].iter().any(|mark| {
                let number = format!("{mark}{}", self.0.prefix);
                text.match_indices(&number).any(|(at, found)| {
                    let before = text[..at].chars().next_back();
                    let digits = text[at + found.len()..]
                        .chars()
                        .take(16)
                        .take_while(|c| c.is_ascii_digit() || " ()-/.".contains(*c))
                        .filter(char::is_ascii_digit)
                        .count();
                    !before.is_some_and(|c| c.is_alphanumeric() || c == '+') && digits >= 6
                })
            });
        let by_code = [self.0.code];
        let begins = if self.0.vat.is_empty() {
            &by_code
        } else {
            self.0.vat
        };
        let words: Vec<&str> = words(text).collect();
        let by_vat = words.iter().enumerate().any(|(index, word)| {
            let Some(begun) = begins.iter().find_map(|begin| word.strip_prefix(begin)) else {
                return false;
            };
            // Numbers are also printed in groups: "DE 136 695 976".
            let groups = words[index + 1..].iter().take(4);
            let groups = groups.take_while(|word| word.chars().all(|c| c.is_ascii_digit()));
            let number: String = std::iter::once(begun).chain(groups.copied()).collect();
            let letters = begun.chars().filter(|c| !c.is_ascii_digit()).count();
            // VAT numbers of Austria, Spain, France and the Netherlands contain one or two letters.
            letters <= 2 && begun.len() <= 12 && number.len() - letters >= 7
        });
        by_phone || by_vat
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '.'))
        .map(|word| word.trim_matches('.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn country(code: &str) -> Country {
        Country::of_code(code).unwrap()
    }

    #[test]
    fn only_real_codes() {
        for code in ["XX", "de", "UK", "", "EU", "DEU"] {
            assert_eq!(Country::of_code(code), None, "{code}");
        }
    }

    #[test]
    fn names_in_many_languages() {
        for (code, text) in [
            ("DE", "Kanalstr. 1, 80331 München, Deutschland"),
            ("DE", "D'autres bureaux en Allemagne."),
            ("DE", "DE-80331 München"),
            ("GB", "Registered in England and Wales"),
            ("GB", "London, UK"),
            ("GB", "Leeds, GB"),
            ("US", "Austin, TX, U.S.A."),
            ("JP", "日本の東京"),
            ("SA", "نبيع في الأردن والسعودية والإمارات"),
            ("AE", "نبيع في الأردن والسعودية والإمارات"),
            ("US", "US"),
        ] {
            assert!(country(code).is_named_in(text), "{code}: {text}");
        }
    }

    #[test]
    fn words_that_only_look_like_countries() {
        for (code, text) in [
            ("US", "CONTACT US"),
            ("US", "let us show you"),
            ("IT", "IT services"),
            ("NO", "There is NO catch"),
            ("IN", "IN 2024 we began"),
            ("NE", "Nigeria"),
            ("NL", "The Hollandaise sauce"),
        ] {
            assert!(!country(code).is_named_in(text), "{code}: {text}");
        }
    }

    #[test]
    fn numbers_that_tell_a_country() {
        assert!(country("DE").is_dialled_in("Tel. +49 (0)89 123456"));
        assert!(country("GB").is_dialled_in("0044 113 496 0000"));
        assert!(country("DE").is_dialled_in("USt-IdNr.: DE136695976"));
        assert!(country("DE").is_dialled_in("USt-IdNr. DE 136 695 976"));
        assert!(country("GR").is_dialled_in("EL094259216"));
        assert!(!country("DE").is_dialled_in("+491"));
        assert!(
            !country("CA").is_dialled_in("+1 613 555 0100"),
            "shared with the USA"
        );
        assert!(!country("DE").is_dialled_in("DESIGNER1234567"));
    }
}
