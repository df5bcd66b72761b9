//! What tells a country: its name or code, telephone prefixes and marks of national registers.

use gtm_site_research::words;

use super::country_names::COUNTRIES;

/// Marks that only one country's companies put on their pages, as folded words.
const MARKS: &[(&str, &[&str])] = &[
    (
        "DE",
        &["amtsgericht", "hrb", "hra", "ust idnr", "ust id nr"],
    ),
    ("AT", &["firmenbuch", "firmenbuchnummer", "uid nr atu"]),
    (
        "GB",
        &[
            "registered in england",
            "registered in scotland",
            "registered in wales",
            "companies house",
        ],
    ),
    ("FR", &["rcs", "siret", "siren"]),
    ("NL", &["kvk", "kamer van koophandel"]),
    ("IT", &["partita iva", "p iva"]),
    ("CH", &["handelsregister des kantons"]),
];

/// The code that a text names: itself as a code in capitals, or a name that is the whole text.
pub fn named(text: &str) -> Option<&'static str> {
    let trimmed = text.trim();
    if let Some((code, ..)) = COUNTRIES.iter().find(|(code, ..)| *code == trimmed) {
        return Some(code);
    }
    let folded = words::fold(trimmed);
    let joined = words::split(&folded).join(" ");
    COUNTRIES
        .iter()
        .find(|(_, _, names)| names.contains(&joined.as_str()))
        .map(|(code, ..)| *code)
}

/// The country whose name the text holds, if it holds that of one only.
pub fn mentioned(text: &str) -> Option<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let mut found = COUNTRIES.iter().filter(|(_, _, names)| {
        names
            .iter()
            // Two letters are a word of many languages.
            .filter(|name| name.len() > 3 || **name == "usa" || **name == "uae")
            .any(|name| words::has(&words, name))
    });
    let (code, ..) = found.next()?;
    found.next().is_none().then_some(*code)
}

/// The countries whose names a text holds, in the order of the text; two letters are a word of many languages.
pub fn all_mentioned(text: &str) -> Vec<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let mut found: Vec<(usize, &'static str)> = Vec::new();
    for (code, _, names) in COUNTRIES {
        let at = names
            .iter()
            .filter(|name| name.chars().count() > 3 || matches!(**name, "usa" | "uae"))
            // Arabic writes `and` in one word with what follows.
            .filter_map(|name| {
                words::position(&words, name).or_else(|| {
                    (!name.is_ascii())
                        .then(|| words::position(&words, &format!("و{name}")))
                        .flatten()
                })
            })
            .min();
        found.extend(at.map(|at| (at, *code)));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, code)| code).collect()
}

/// The country of an international telephone number in the text (`+49 …`), if there is only one country.
pub fn of_telephone(text: &str) -> Option<&'static str> {
    let mut found: Option<&'static str> = None;
    for (at, _) in text.match_indices('+') {
        let digits: String = text
            .get(at + 1..)?
            .chars()
            .take(8)
            .filter(char::is_ascii_digit)
            .collect();
        let country = COUNTRIES
            .iter()
            .filter(|(_, prefix, _)| digits.starts_with(prefix) && digits.len() > prefix.len())
            .max_by_key(|(_, prefix, _)| prefix.len());
        // One prefix is shared by the United States and Canada.
        let Some((code, prefix, _)) = country.filter(|(_, prefix, _)| *prefix != "1") else {
            continue;
        };
        if digits.len() < prefix.len() + 2 || found.is_some_and(|known| known != *code) {
            return None;
        }
        found = Some(code);
    }
    found
}

/// The country whose registers the text names.
pub fn of_register(text: &str) -> Option<&'static str> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    MARKS
        .iter()
        .find(|(_, marks)| words::has_any(&words, marks))
        .map(|(code, _)| *code)
}

/// Whether postal codes of the country have so many digits and stand before the place.
pub fn postal_digits(code: &str) -> Option<usize> {
    match code {
        "DE" | "FR" | "IT" | "ES" | "FI" | "TR" | "HR" => Some(5),
        "AT" | "CH" | "BE" | "DK" | "NO" | "NL" | "LU" | "HU" | "SI" | "LI" => Some(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn countries_are_told_from_names_codes_and_telephones() {
        assert_eq!(named("Deutschland"), Some("DE"));
        assert_eq!(named("GB"), Some("GB"));
        assert_eq!(named("The Netherlands"), Some("NL"));
        assert_eq!(named("Österreich "), Some("AT"));
        assert_eq!(named("in"), None);
        assert_eq!(mentioned("89073 Ulm, Germany"), Some("DE"));
        assert_eq!(mentioned("France and Germany"), None);
        assert_eq!(
            all_mentioned("We ship to Jordan, Saudi Arabia and the United Arab Emirates."),
            ["JO", "SA", "AE"]
        );
        assert_eq!(
            all_mentioned("في الأردن والسعودية والإمارات"),
            ["JO", "SA", "AE"]
        );
        assert_eq!(all_mentioned("We ship to nobody."), [""; 0]);
        assert_eq!(of_telephone("Tel. +49 (0)731 123"), Some("DE"));
        assert_eq!(of_telephone("+1 512 555 0100"), None);
        assert_eq!(of_telephone("+44 113 1, +49 731 2"), None);
        assert_eq!(of_register("Amtsgericht Ulm, HRB 1"), Some("DE"));
    }

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(COUNTRIES.is_sorted_by(|one, other| one.0 < other.0));
    }
}
