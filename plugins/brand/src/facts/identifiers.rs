//! Register numbers, tax numbers and other identifiers, verbatim.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::words;
use serde_json::json;

use super::labels::{Labelled, labelled};
use super::{Line, check_digits, letters};
use crate::draft::{Draft, IDENTIFIERS};
use crate::plan::Part;
use crate::research::Site;

/// Longest register number with its court, in characters.
const LONGEST_NUMBER: usize = 60;
/// Identifiers that are kept.
const MOST_IDENTIFIERS: usize = 8;

/// Collect the identifiers of legal pages, footers and structured data.
pub fn collect(site: &Site, lines: &[Line<'_>], pairs: &[Labelled<'_>], draft: &mut Draft) {
    draft.extend(IDENTIFIERS, identifiers(site, lines, pairs));
}

fn identifiers(site: &Site, lines: &[Line<'_>], pairs: &[Labelled<'_>]) -> Vec<Claim> {
    let mut found: Vec<(String, Claim)> = Vec::new();
    let mut add = |scheme: &str, value: &str, page: usize, carrier: &str| {
        let key = format!("{scheme} {}", letters(value));
        // `HRB 734512` says nothing beside `Amtsgericht Ulm, HRB 734512`.
        let known = found.iter().any(|(other, _)| {
            other.ends_with(key.trim_start_matches(scheme).trim()) && other.starts_with(scheme)
        });
        if !known && !value.is_empty() && found.len() < MOST_IDENTIFIERS {
            let excerpt = Excerpt {
                page,
                text: carrier.to_owned(),
            };
            found.push((
                key,
                Claim::stated(json!({"scheme": scheme, "value": value}), vec![excerpt]),
            ));
        }
    };
    let legal_first = lines
        .iter()
        .filter(|line| line.part == Part::Legal)
        .chain(lines.iter().filter(|line| line.part != Part::Legal));
    for line in legal_first {
        if line.text.chars().count() > 600 {
            continue;
        }
        for value in vat_numbers(line.text) {
            add("vat", value, line.page, line.text);
        }
        for value in register_numbers(line.text) {
            add("company_register", value, line.page, line.text);
        }
        if let Some(value) = labelled_lei(line.text) {
            add("lei", value, line.page, line.text);
        }
        if let Some(value) = ticker(line.text) {
            add("ticker", value, line.page, line.text);
        }
    }
    // A number under its label is told by both together: `Company number` over `09123456`.
    for pair in labelled(pairs, REGISTER_LABELS) {
        if let [number] = words::tokens(pair.value).as_slice()
            && british_number(pair.value) == Some(number.2)
        {
            add("company_register", number.2, pair.page, pair.value);
        }
    }
    for pair in labelled(pairs, FOREIGN_REGISTERS) {
        let number = pair.value.trim_end_matches('.');
        let digits = check_digits::digits(&words::with_ascii_digits(number)).len();
        let plain = number.chars().all(|c| {
            c.is_numeric() || matches!(c, ' ' | '-' | '.' | '/') || c.is_ascii_uppercase()
        });
        if plain && (5..=14).contains(&digits) && number.chars().count() <= 20 {
            let carrier = pair.excerpts.first().map_or(pair.value, |line| &line.text);
            add("company_register", number, pair.page, carrier);
        }
    }
    for organization in &site.organizations {
        for text in organization.texts("vatID") {
            if vat_is_valid(&compact(&text)) {
                add("vat", &text, organization.page, &text);
            }
        }
        for text in organization.texts("leiCode") {
            if check_digits::lei(&compact(&text)) {
                add("lei", &text, organization.page, &text);
            }
        }
        for text in organization.texts("tickerSymbol") {
            if text.chars().count() <= 20 {
                add("ticker", &text, organization.page, &text);
            }
        }
    }
    if let Some(data) = &site.company_data
        && let Some(symbol) = &data.facts.ticker
    {
        add("ticker", symbol, data.page, symbol);
    }
    found.into_iter().map(|(_, claim)| claim).collect()
}

/// Labels of a British register number, folded.
const REGISTER_LABELS: &[&str] = &[
    "company number",
    "company no",
    "company registration number",
    "company registration no",
    "registered number",
    "registered company number",
    "crn",
];

/// Labels of the register numbers of other countries, folded.
const FOREIGN_REGISTERS: &[&str] = &[
    "commercial register",
    "commercial registration",
    "commercial registration number",
    "cr number",
    "cr no",
    "business registration number",
    "trade register",
    "abn",
    "acn",
    "uen",
    "cin",
    "organisationsnummer",
    "org nr",
    "orgnr",
    "kvk nummer",
    "kvk",
    "cvr",
    "cvr nr",
    "numero de registro",
    "rea",
    "السجل التجاري",
    "رقم السجل التجاري",
    "ח פ",
];

fn compact(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_ascii_alphanumeric())
        .map(|c| c.to_ascii_uppercase())
        .collect()
}

/// Whether the number can be one; where no rule is known, it must at least look like one.
fn vat_is_valid(compact: &str) -> bool {
    check_digits::vat(compact).unwrap_or_else(|| {
        (8..=14).contains(&compact.len())
            && compact.chars().take(2).all(|c| c.is_ascii_uppercase())
            && compact.chars().filter(char::is_ascii_digit).count() >= 7
    })
}

/// Country codes with which VAT numbers begin.
const VAT_COUNTRIES: &[&str] = &[
    "AT", "BE", "BG", "CHE", "CY", "CZ", "DE", "DK", "EE", "EL", "ES", "FI", "FR", "GB", "HR",
    "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK", "XI",
];

/// VAT numbers in a line, verbatim, with valid check digits where they can be checked.
pub fn vat_numbers(text: &str) -> Vec<&str> {
    let folded = words::fold(text);
    let labelled = words::has_any(
        &words::split(&folded),
        &[
            "vat",
            "ust",
            "ustid",
            "umsatzsteuer*",
            "uid",
            "tva",
            "iva",
            "btw",
            "mwst",
            "moms",
            "nif",
            "cif",
            "tax",
            "p iva",
            "partita",
        ],
    );
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        if !c.is_ascii_uppercase() {
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let Some(country) = VAT_COUNTRIES.iter().find(|code| rest.starts_with(*code)) else {
            continue;
        };
        if text
            .get(..at)
            .and_then(|before| before.chars().next_back())
            .is_some_and(char::is_alphanumeric)
        {
            continue;
        }
        // The number ends where a word follows; single blanks, points and dashes group it.
        let mut end = country.len();
        let mut digits = 0;
        for (offset, c) in rest.char_indices().skip(country.chars().count()) {
            match c {
                '0'..='9' => {
                    digits += 1;
                    end = offset + 1;
                }
                'A'..='Z'
                    if *country == "NL"
                        || *country == "AT"
                        || *country == "ES"
                        || *country == "IE"
                        || *country == "FR"
                        || *country == "CY" =>
                {
                    end = offset + 1
                }
                ' ' | '.' | '-' | '\u{a0}' if offset <= end + 1 => {}
                _ => break,
            }
            if offset > country.len() + 20 {
                break;
            }
        }
        let value = rest.get(..end).unwrap_or_default();
        let number = compact(value);
        let shaped = digits >= 7 && number.len() <= 15;
        let valid = vat_is_valid(&number);
        let known_rule = check_digits::vat(&number).is_some();
        if shaped && valid && (labelled || known_rule) {
            found.push(value);
        }
    }
    found
}

/// Register numbers in a line, verbatim.
fn register_numbers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    found.extend(german_register(text));
    let folded = words::fold(text);
    let words = words::split(&folded);
    if found.is_empty() && words::has_any(&words, &["rcs", "r c s"]) {
        found.extend(french_register(text));
    }
    if words::has_any(&words, &["siren", "siret"]) {
        for label in ["SIREN", "SIRET", "Siren", "Siret"] {
            found.extend(
                after_label(text, label, |c| {
                    c.is_ascii_digit() || matches!(c, ' ' | '\u{a0}' | '\u{202f}')
                })
                .filter(|value| {
                    let digits = check_digits::digits(value);
                    matches!(digits.len(), 9 | 14) && check_digits::luhn(&digits)
                }),
            );
        }
    }
    let company_number = [
        "company number",
        "company no",
        "company registration number",
        "registration number",
        "registered number",
        "registered no",
        "registered company number",
        "registered in england",
        "registered in england and wales",
        "registered in scotland",
        "registered in wales",
        "companies house",
    ];
    if found.is_empty() && words::has_any(&words, &company_number) {
        found.extend(british_number(text));
    }
    for (label, least, most) in [
        ("KvK", 8, 8),
        ("KVK", 8, 8),
        ("CVR", 8, 8),
        ("FN", 5, 7),
        ("Firmenbuchnummer", 5, 7),
        ("KRS", 10, 10),
        ("Org.nr", 9, 11),
    ] {
        found.extend(
            after_label(text, label, |c| c.is_ascii_alphanumeric() || c == '-')
                .filter(|value| (least..=most).contains(&check_digits::digits(value).len())),
        );
    }
    found
}

/// `HRB 734512`, with the court before it if it stands right there: `Amtsgericht Ulm, HRB 734512`.
fn german_register(text: &str) -> Option<&str> {
    let marks = ["HRB", "HRA", "GnR", "PR ", "VR "];
    let (at, mark) = marks
        .iter()
        .find_map(|mark| text.find(mark).map(|at| (at, mark)))?;
    let rest = text.get(at + mark.len()..)?;
    let number = rest.trim_start_matches([' ', ':', '\u{a0}']);
    let number = number.strip_prefix("Nr.").unwrap_or(number).trim_start();
    let digits: usize = number
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ' ')
        .map(|c| usize::from(c.is_ascii_digit()))
        .sum();
    if digits == 0 || digits > 7 {
        return None;
    }
    let length: usize = number
        .char_indices()
        .take_while(|(_, c)| c.is_ascii_digit() || *c == ' ')
        .filter(|(_, c)| c.is_ascii_digit())
        .last()
        .map(|(offset, _)| offset + 1)?;
    let number_at = text.len() - number.len();
    let end = number_at + length;
    // A letter behind the number belongs to it: `HRB 12345 B`.
    let end = match text
        .get(end..)
        .map(|rest| rest.chars().take(3).collect::<Vec<char>>())
        .as_deref()
    {
        Some([' ', letter, after, ..])
            if letter.is_ascii_uppercase() && !after.is_alphanumeric() =>
        {
            end + 2
        }
        Some([' ', letter]) if letter.is_ascii_uppercase() => end + 2,
        _ => end,
    };
    let before = text.get(..at)?;
    let court = before
        .rfind("Amtsgericht")
        .or_else(|| before.rfind("AG "))
        .filter(|court| {
            before.get(*court..).is_some_and(|between| {
                between.chars().count() <= 45 && !between.contains([';', '|'])
            })
        });
    court
        .and_then(|begin| text.get(begin..end))
        .filter(|whole| whole.chars().count() <= LONGEST_NUMBER)
        .or_else(|| text.get(at..end))
}

/// `RCS Lyon 404 833 048` (or `R.C.S.`), the SIREN valid.
fn french_register(text: &str) -> Option<&str> {
    let at = ["RCS", "R.C.S."].iter().find_map(|mark| text.find(mark))?;
    let mut end = None;
    let mut digits = Vec::new();
    for (offset, c) in text.get(at..)?.char_indices().take(60) {
        if let Some(digit) = c.to_digit(10) {
            digits.push(digit);
            if digits.len() == 9 {
                end = Some(at + offset + 1);
                break;
            }
        } else if !digits.is_empty() && !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '.') {
            return None;
        }
    }
    end.filter(|_| check_digits::luhn(&digits))
        .and_then(|end| text.get(at..end))
}

/// Eight digits, or two letters and six digits.
fn british_number(text: &str) -> Option<&str> {
    words::tokens(text).into_iter().find_map(|(_, _, token)| {
        let bare = token.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let letters = bare.chars().take_while(char::is_ascii_uppercase).count();
        let digits = bare.chars().filter(char::is_ascii_digit).count();
        let fits = bare.len() == 8
            && ((letters == 0 && digits == 8) || (letters == 2 && digits == 6))
            || (bare.len() == 7 && digits == 7);
        fits.then_some(bare)
    })
}

/// What follows a label, its colon and `Nr.` aside, as long as its characters are accepted.
fn after_label<'a>(text: &'a str, label: &str, accepts: impl Fn(char) -> bool) -> Option<&'a str> {
    let at = text.find(label)?;
    if text
        .get(..at)?
        .chars()
        .next_back()
        .is_some_and(char::is_alphanumeric)
    {
        return None;
    }
    let rest = text.get(at + label.len()..)?;
    let skipped = rest.find(|c: char| c.is_ascii_digit())?;
    if rest.get(..skipped)?.chars().count() > 16 {
        return None;
    }
    let value = rest.get(skipped..)?;
    let end = value.find(|c: char| !accepts(c)).unwrap_or(value.len());
    value
        .get(..end)
        .map(str::trim)
        .filter(|value| !value.is_empty())
}

/// The LEI behind its label.
fn labelled_lei(text: &str) -> Option<&str> {
    let folded = words::fold(text);
    if !words::has_any(&words::split(&folded), &["lei", "legal entity identifier"]) {
        return None;
    }
    words::tokens(text)
        .into_iter()
        .map(|(_, _, token)| token.trim_matches(|c: char| !c.is_ascii_alphanumeric()))
        .find(|token| check_digits::lei(token))
}

/// `NASDAQ: ACME` and the like.
fn ticker(text: &str) -> Option<&str> {
    const EXCHANGES: &[&str] = &[
        "NASDAQ", "NYSE", "LSE", "FWB", "XETRA", "SIX", "Euronext", "AIM", "TSX", "ASX",
    ];
    EXCHANGES.iter().find_map(|exchange| {
        let at = text.find(exchange)?;
        let rest = text.get(at + exchange.len()..)?;
        let symbol = rest.strip_prefix(':')?.trim_start();
        let end = symbol
            .find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '.'))
            .unwrap_or(symbol.len());
        let symbol = symbol.get(..end)?.trim_end_matches('.');
        let stop = text.len() - rest.len() + rest.find(symbol)? + symbol.len();
        (1..=6)
            .contains(&symbol.len())
            .then(|| text.get(at..stop))
            .flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_where_they_stand() {
        assert_eq!(
            german_register("Registergericht: Amtsgericht Ulm, HRB 734512"),
            Some("Amtsgericht Ulm, HRB 734512")
        );
        assert_eq!(
            german_register("Handelsregister: HRB 734512"),
            Some("HRB 734512")
        );
        assert_eq!(german_register("HRB 12345 B, Berlin"), Some("HRB 12345 B"));
        assert_eq!(german_register("Amtsgericht Ulm"), None);
        assert_eq!(
            register_numbers("Registered in England and Wales, company number 09123456."),
            ["09123456"]
        );
        assert_eq!(register_numbers("Company no. SC123456"), ["SC123456"]);
        assert_eq!(
            register_numbers("Call us on 01132 496000"),
            Vec::<&str>::new()
        );
        assert_eq!(
            register_numbers("RCS Lyon 404 833 048"),
            ["RCS Lyon 404 833 048"]
        );
        assert_eq!(register_numbers("SIREN : 404 833 048"), ["404 833 048"]);
        assert_eq!(register_numbers("SIREN : 404 833 049"), Vec::<&str>::new());
        assert_eq!(vat_numbers("USt-IdNr.: DE 136695976"), ["DE 136695976"]);
        assert_eq!(vat_numbers("USt-IdNr.: DE136695977"), Vec::<&str>::new());
        assert_eq!(
            vat_numbers("VAT no. GB 980 7806 84. Registered"),
            ["GB 980 7806 84"]
        );
        assert_eq!(vat_numbers("N° TVA : FR83404833048"), ["FR83404833048"]);
        assert_eq!(vat_numbers("DESIGN 123456789"), Vec::<&str>::new());
        assert_eq!(
            labelled_lei("LEI: 529900T8BM49AURSDO55."),
            Some("529900T8BM49AURSDO55")
        );
        assert_eq!(
            ticker("Acme plc (LSE: ACM) makes signals"),
            Some("LSE: ACM")
        );
    }
}
