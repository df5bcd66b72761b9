//! Days as documents have them: `2026-11-23`.

use jiff::civil::Date;

/// Year, month and day of a text, if the calendar has that day and the text is in no other form.
#[must_use]
pub fn year_month_day(text: &str) -> Option<[i32; 3]> {
    let date: Date = text.parse().ok()?;
    // The parser also reads other forms of a date.
    (date.to_string() == text).then(|| {
        let (year, month, day) = (date.year(), date.month(), date.day());
        [year.into(), month.into(), day.into()]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_day_of_the_calendar_is_one() {
        assert_eq!(year_month_day("2026-11-23"), Some([2026, 11, 23]));
        assert_eq!(year_month_day("2028-02-29"), Some([2028, 2, 29]));
        for text in [
            "2026-02-31",
            "2026-13-01",
            "2026-1-2",
            "20261123",
            "2026-11-23T10:00",
            " 2026-11-23",
            "soon",
            "",
        ] {
            assert_eq!(year_month_day(text), None, "{text}");
        }
    }
}
