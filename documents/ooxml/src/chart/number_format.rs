//! How numbers are shown: as a format code for Office, and as text where a label is a text.

use gtm_document_model::Chart;
use gtm_document_model::chart::ChartKind;
use gtm_language_tag::primary_language;

/// Units that are longer stand at the axis, not at each number.
const SHORT_UNIT: usize = 3;
const LONGEST_UNIT: usize = 6;
const NO_BREAK_SPACE: char = '\u{a0}';

/// The format of a chart's numbers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NumberFormat {
    decimals: usize,
    prefix: String,
    suffix: String,
    separators: (&'static str, char),
    /// The language of the separators, as Office numbers languages.
    locale: Option<&'static str>,
}

impl NumberFormat {
    pub(super) fn new(chart: &Chart, language: &str) -> Self {
        let unit = unit_at_numbers(chart).unwrap_or_default();
        let language = primary_language(language).to_ascii_lowercase();
        let (prefix, suffix) = match place(unit, &language) {
            _ if unit.is_empty() => (String::new(), String::new()),
            Place::Before => (unit.to_owned(), String::new()),
            Place::Close => (String::new(), unit.to_owned()),
            Place::Apart => (String::new(), format!("{NO_BREAK_SPACE}{unit}")),
        };
        Self {
            decimals: usize::from(chart.decimals.min(6)),
            prefix,
            suffix,
            separators: separators(&language),
            locale: locale(&language),
        }
    }

    /// The format code of spreadsheets. Readers put in the separators of the language that it names, or else of their own.
    pub(super) fn code(&self) -> String {
        let mut digits = "#,##0".to_owned();
        if self.decimals > 0 {
            digits.push('.');
            digits.push_str(&"0".repeat(self.decimals));
        }
        let locale = self.locale.map(|locale| format!("[$-{locale}]"));
        let locale = locale.unwrap_or_default();
        let (prefix, suffix) = (literal(&self.prefix), literal(&self.suffix));
        format!("{locale}{prefix}{digits}{suffix}")
    }

    /// The number as text, with its sign if it is a change.
    pub(super) fn text(&self, value: f64, is_change: bool) -> String {
        let digits = if value.abs() < 1e15 {
            self.grouped(value.abs())
        } else {
            format!("{:.2e}", value.abs())
        };
        let is_zero = !digits.contains(|digit: char| ('1'..='9').contains(&digit));
        let sign = match (value < 0.0 && !is_zero, is_change && !is_zero) {
            (true, _) => "\u{2212}",
            (false, true) => "+",
            (false, false) => "",
        };
        format!("{sign}{}{digits}{}", self.prefix, self.suffix)
    }

    /// How many characters the number takes.
    pub(super) fn width(&self, value: f64) -> usize {
        self.text(value, false).chars().count()
    }

    fn grouped(&self, value: f64) -> String {
        let plain = format!("{value:.*}", self.decimals);
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        let mut out = String::new();
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index) % 3 == 0 {
                out.push_str(self.separators.0);
            }
            out.push(digit);
        }
        if !fraction.is_empty() {
            out.push(self.separators.1);
            out.push_str(fraction);
        }
        out
    }
}

/// The unit, where it stands at each number: `%`, a currency, or one short word. Slices have no axis, so theirs
/// may be longer.
pub(super) fn unit_at_numbers(chart: &Chart) -> Option<&str> {
    let unit = unit(chart)?;
    let most = if chart.kind == ChartKind::Donut {
        LONGEST_UNIT
    } else {
        SHORT_UNIT
    };
    let is_plain = chart.kind == ChartKind::Donut || !unit.contains(char::is_whitespace);
    (unit.chars().count() <= most && is_plain).then_some(unit)
}

/// The unit, where it stands once at the axis.
pub(super) fn unit_at_axis(chart: &Chart) -> Option<&str> {
    unit(chart).filter(|_| unit_at_numbers(chart).is_none())
}

fn unit(chart: &Chart) -> Option<&str> {
    chart
        .unit
        .as_deref()
        .map(str::trim)
        .filter(|unit| !unit.is_empty())
}

enum Place {
    Before,
    Close,
    Apart,
}

fn place(unit: &str, language: &str) -> Place {
    let is_symbol = matches!(
        unit,
        "€" | "$" | "£" | "¥" | "₹" | "₩" | "₪" | "₺" | "US$" | "C$" | "A$"
    );
    match (unit, language) {
        (
            "%",
            "en" | "ja" | "zh" | "ko" | "it" | "pt" | "nl" | "he" | "pl" | "ar" | "fa" | "hi"
            | "th" | "id",
        ) => Place::Close,
        ("%", "tr") => Place::Before,
        (_, "en" | "ja" | "zh" | "ko" | "hi" | "th") if is_symbol => Place::Before,
        ("円" | "元" | "원" | "人" | "件" | "社" | "倍" | "万円" | "億円" | "°" | "×" | "x", _) => {
            Place::Close
        }
        _ => Place::Apart,
    }
}

/// What parts thousands, and what begins the decimals.
fn separators(language: &str) -> (&'static str, char) {
    match language {
        "de" | "es" | "it" | "pt" | "nl" | "da" | "id" | "tr" | "el" | "ro" | "hr" | "sl"
        | "sr" | "vi" => (".", ','),
        "fr" => ("\u{202f}", ','),
        "cs" | "sk" | "sv" | "nb" | "nn" | "no" | "fi" | "pl" | "ru" | "uk" | "bg" | "hu"
        | "et" | "lv" | "lt" => ("\u{a0}", ','),
        _ => (",", '.'),
    }
}

/// What Office calls a language whose separators are not those of English, which a format without a name has.
fn locale(language: &str) -> Option<&'static str> {
    Some(match language {
        "bg" => "402",
        "cs" => "405",
        "da" => "406",
        "de" => "407",
        "el" => "408",
        "es" => "C0A",
        "et" => "425",
        "fi" => "40B",
        "fr" => "40C",
        "hr" => "41A",
        "hu" => "40E",
        "id" => "421",
        "it" => "410",
        "lt" => "427",
        "lv" => "426",
        "nb" | "no" => "414",
        "nl" => "413",
        "nn" => "814",
        "pl" => "415",
        "pt" => "816",
        "ro" => "418",
        "ru" => "419",
        "sk" => "41B",
        "sl" => "424",
        "sv" => "41D",
        "tr" => "41F",
        "uk" => "422",
        "vi" => "42A",
        _ => return None,
    })
}

/// Text in a format code: quoted, so that no letter or sign of it is an instruction. A quotation mark cannot
/// stand in quotes; it has a backslash before it.
fn literal(text: &str) -> String {
    let mut out = String::new();
    let mut is_quoted = false;
    for character in text.chars() {
        if is_quoted == (character == '"') {
            out.push('"');
            is_quoted = !is_quoted;
        }
        if character == '"' {
            out.push('\\');
        }
        out.push(character);
    }
    if is_quoted {
        out.push('"');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(unit: &str, decimals: u8, language: &str) -> NumberFormat {
        let chart = Chart {
            kind: ChartKind::Bar,
            title: None,
            categories: Vec::new(),
            series: Vec::new(),
            totals: Vec::new(),
            unit: Some(unit.to_owned()),
            decimals,
            x_label: None,
            y_label: None,
            alt: String::new(),
            caption: Vec::new(),
            cite: Vec::new(),
        };
        NumberFormat::new(&chart, language)
    }

    #[test]
    fn a_unit_stands_where_the_language_puts_it() {
        assert_eq!(format("€", 0, "en-GB").text(1234.0, false), "€1,234");
        assert_eq!(
            format("€", 2, "de").text(-1234.5, false),
            "−1.234,50\u{a0}€"
        );
        assert_eq!(format("%", 1, "en").text(12.34, true), "+12.3%");
        assert_eq!(format("%", 0, "de").text(0.4, true), "0\u{a0}%");
        assert_eq!(format("thousand tonnes", 0, "en").text(7.0, false), "7");
    }

    #[test]
    fn a_unit_is_never_an_instruction() {
        assert_eq!(format("%", 0, "en").code(), "#,##0\"%\"");
        assert_eq!(format("€", 2, "de").code(), "[$-407]#,##0.00\"\u{a0}€\"");
        assert_eq!(format("\"", 0, "de").code(), "[$-407]#,##0\"\u{a0}\"\\\"");
        assert_eq!(
            format("a\"b", 0, "de").code(),
            "[$-407]#,##0\"\u{a0}a\"\\\"\"b\""
        );
    }

    #[test]
    fn a_language_with_its_own_separators_is_named() {
        for language in ["de", "de-AT", "es", "fr", "it", "nl", "pt-BR", "pl", "tr"] {
            let format = format("", 1, language);
            assert_ne!(format.separators, (",", '.'), "{language}");
            assert!(format.code().starts_with("[$-"), "{language}");
        }
        for language in ["en", "en-GB", "ja", "zh", "ar"] {
            assert_eq!(format("", 1, language).code(), "#,##0.0", "{language}");
        }
    }
}
