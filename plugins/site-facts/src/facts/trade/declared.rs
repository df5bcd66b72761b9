//! What a company is by a classification: the schema.org type of its structured data, or the class of a register.

use gtm_site_research::claim::Excerpt;
use gtm_site_research::words;

use crate::facts::labels::Labelled;
use crate::site::Site;

/// Schema.org types of companies that say nothing of their business.
const PLAIN_TYPES: &[&str] = &[
    "Organization",
    "Corporation",
    "LocalBusiness",
    "OnlineBusiness",
    "ProfessionalService",
    "Brand",
    "Store",
    "NGO",
    "Consortium",
    "Place",
    "Service",
    "WebSite",
];

/// Names of classifications of industries, as they stand in labels.
const CLASSIFICATIONS: &[&str] = &[
    "APE", "ATECO", "CAE", "CNAE", "NACE", "NAF", "PKD", "SBI", "SNI", "WZ",
];
/// Fewest and most digits of a class.
const DIGITS: std::ops::RangeInclusive<usize> = 3..=6;
/// Most characters of what a class is called.
const LONGEST_CLASS: usize = 100;

/// The schema.org type of the company in words: `TravelAgency` is `Travel agency`.
pub fn declared_type(site: &Site) -> Option<(String, Excerpt)> {
    site.organizations.iter().find_map(|organization| {
        let types = organization.texts("@type").into_iter();
        let bare = |name: String| name.rsplit(['/', '#', ':']).next().map(str::to_owned);
        let name = types
            .filter_map(bare)
            .find(|name| !PLAIN_TYPES.contains(&name.as_str()))?;
        let excerpt = Excerpt {
            page: organization.page,
            text: name.clone(),
        };
        Some((in_words(&name)?, excerpt))
    })
}

/// The words of a type's name, if it is one: capitals begin its words.
fn in_words(name: &str) -> Option<String> {
    if !name.starts_with(|c: char| c.is_ascii_uppercase())
        || !name.chars().all(|c| c.is_ascii_alphabetic())
    {
        return None;
    }
    let mut label = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !label.is_empty() {
            label.push(' ');
            label.extend(c.to_lowercase());
        } else {
            label.push(c);
        }
    }
    Some(label)
}

/// What a classification calls the company's class, behind its code: `43.12A – Travaux de terrassement` under the label
/// `Code APE`.
pub fn classified<'p, 'a>(pairs: &'p [Labelled<'a>]) -> Option<(&'a str, &'p Labelled<'a>)> {
    let is_label = |pair: &&Labelled<'a>| {
        pair.label.split(' ').any(|word| {
            let word = word.to_ascii_uppercase();
            CLASSIFICATIONS.contains(&word.as_str())
        })
    };
    let mut labelled = pairs.iter().filter(is_label);
    labelled.find_map(|pair| Some((behind_code(pair.value)?, pair)))
}

/// The name behind the code of a class.
fn behind_code(value: &str) -> Option<&str> {
    let (code, rest) = value.trim().split_once(char::is_whitespace)?;
    let bare = code.trim_end_matches([':', '-', '–', '—', ',']);
    let digits = bare.chars().filter(char::is_ascii_digit).count();
    let is_code = bare.starts_with(|c: char| c.is_ascii_digit())
        && bare
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.' || c.is_ascii_uppercase())
        && bare.chars().filter(char::is_ascii_uppercase).count() <= 1;
    let name = rest.trim_start_matches([' ', '\u{a0}', '-', '–', '—', ':', '(']);
    let name = name.trim_end_matches([')', '.', ' ']);
    let fits = is_code
        && DIGITS.contains(&digits)
        && name.starts_with(char::is_alphabetic)
        && words::count(name) >= 2
        && name.chars().count() <= LONGEST_CLASS;
    fits.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_named_behind_its_code() {
        for (value, name) in [
            (
                "43.12A — Travaux de terrassement courants",
                Some("Travaux de terrassement courants"),
            ),
            ("4329A Travaux d'isolation", Some("Travaux d'isolation")),
            (
                "49.41.00 (Trasporto di merci su strada)",
                Some("Trasporto di merci su strada"),
            ),
            ("43.12A", None),
            ("2026 — Travaux", None),
            ("12 rue des Lices", None),
            ("31 Rabbits of the moor", None),
        ] {
            assert_eq!(behind_code(value), name, "{value}");
        }
    }

    #[test]
    fn types_are_words() {
        assert_eq!(
            in_words("RoofingContractor").as_deref(),
            Some("Roofing contractor")
        );
        assert_eq!(in_words("AutoRepair").as_deref(), Some("Auto repair"));
        assert_eq!(in_words("http"), None);
        assert_eq!(in_words("Roofing-Contractor"), None);
    }
}
