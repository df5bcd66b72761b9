//! Days as a language writes them (`dates.toml`).

use gtm_document_model::day;
use gtm_document_model::document::Meta;
use gtm_fixed_texts::FixedText;
use gtm_language_tag::{primary_language, region_subtag};

use crate::added_words::language_of_texts;

include!(concat!(env!("OUT_DIR"), "/dates.rs"));

static MONTHS: [&FixedText; 12] = [
    &JANUARY, &FEBRUARY, &MARCH, &APRIL, &MAY, &JUNE, &JULY, &AUGUST, &SEPTEMBER, &OCTOBER,
    &NOVEMBER, &DECEMBER,
];

/// The date that a document shows: in its own words, if it has some.
#[must_use]
pub fn of(meta: &Meta) -> String {
    let words = meta.date_words.clone();
    words.unwrap_or_else(|| written(&meta.date, &meta.language))
}

/// The day (`2026-11-23`) in words of the language, or as it is where its words aren't known here.
#[must_use]
pub fn written(date: &str, language: &str) -> String {
    spelled(date, language).unwrap_or_else(|| date.to_owned())
}

fn spelled(date: &str, language: &str) -> Option<String> {
    let [year, month, day] = day::year_month_day(date)?;
    let language = order_of(language);
    let month = usize::try_from(month.checked_sub(1)?).ok()?;
    let month = MONTHS.get(month)?.known_in(language)?;
    let day = match day {
        1 => FIRST.in_language(language).to_owned(),
        day => day.to_string(),
    };
    let year = format!("{year:04}");
    let places = [
        ("year", year.as_str()),
        ("month", month),
        ("day", day.as_str()),
    ];
    Some(WRITTEN.filled(language, &places))
}

/// The tag whose texts have the order of a language's days: outside of North America, English has the day first.
fn order_of(language: &str) -> &str {
    let is_english = primary_language(language).eq_ignore_ascii_case("en");
    let is_elsewhere = |region: String| {
        let mut american = ["US", "CA"].iter();
        !american.any(|known| region.eq_ignore_ascii_case(known))
    };
    if is_english && region_subtag(language).is_some_and(is_elsewhere) {
        "en-GB"
    } else {
        language_of_texts(language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_the_language_does() {
        for (language, expected) in [
            ("en", "November 23, 2026"),
            ("en-GB", "23 November 2026"),
            ("en-AU", "23 November 2026"),
            ("en-US", "November 23, 2026"),
            ("de-AT", "23. November 2026"),
            ("nn", "23. november 2026"),
            ("ja", "2026年11月23日"),
            ("zh-TW", "2026年11月23日"),
            ("ko", "2026년 11월 23일"),
            ("pt-BR", "23 de novembro de 2026"),
            ("ar", "23 نوفمبر 2026"),
            ("xh", "2026-11-23"),
        ] {
            assert_eq!(written("2026-11-23", language), expected);
        }
        assert_eq!(written("2026-03-01", "fr"), "1er mars 2026");
        assert_eq!(written("2026-03-01", "it"), "1 marzo 2026");
    }

    #[test]
    fn what_is_no_day_stays_as_it_is() {
        for text in ["2026-13-01", "2026-02-31", "2026-11", "soon", ""] {
            assert_eq!(written(text, "en"), text);
        }
    }

    #[test]
    fn each_text_has_its_months() {
        assert_eq!(ALL.len(), MONTHS.len() + 2);
        for month in MONTHS {
            for language in WRITTEN.languages() {
                assert!(month.known_in(language).is_some(), "{language}");
            }
        }
    }
}
