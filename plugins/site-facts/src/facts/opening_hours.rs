//! Texts that tell when a company is open.

use gtm_lexicon::names::{WEEKDAY_ABBREVIATIONS, WEEKDAYS};
use gtm_site_research::words;

use super::figures::is_digits;
use super::scripts::plain;

/// Most hours of a day.
const HOURS: u32 = 24;

/// Whether a text tells when one may come: a day of the week and a time, such as `Monday to Friday, 9 to 18`.
pub fn tells_opening_hours(text: &str) -> bool {
    names_weekday(text) && tells_times(text)
}

/// Whether a text tells a time: it has minutes, or two hours stand near each other.
pub fn tells_times(text: &str) -> bool {
    let text: &str = &plain(text);
    let folded = words::fold(text);
    let words = words::split(&folded);
    let is_hour = |word: &str| {
        let digits = word.trim_end_matches(char::is_alphabetic);
        (1..=2).contains(&digits.len()) && digits.parse().is_ok_and(|hour: u32| hour <= HOURS)
    };
    let minutes = text.split(|c: char| !c.is_ascii_digit() && !matches!(c, ':' | '：' | '.' | 'h'));
    let timed = minutes
        .filter_map(|time| time.split_once([':', '：', '.', 'h']))
        .any(|(hour, minutes)| is_hour(hour) && minutes.len() == 2 && is_digits(minutes));
    let hours = words.windows(3).any(|near| {
        let count = near.iter().filter(|word| is_hour(word)).count();
        count > 1
    });
    timed || hours
}

/// Most words from the first day of a range to its last: `Ma t/m vr`.
const LONGEST_RANGE: usize = 3;

/// Whether a text names a day of the week. A short form must begin with a capital where its script has any, and stand before
/// another day, a number or the end: `Mo–Fr`, `Sat 9–12`, not `so 12`.
pub fn names_weekday(text: &str) -> bool {
    let folded = words::fold(text);
    let all = words::split(&folded);
    if all.iter().any(|word| WEEKDAYS.contains(word)) {
        return true;
    }
    let shown = words::split(text);
    let is_short = |at: usize| {
        let word = all.get(at);
        word.is_some_and(|word| WEEKDAY_ABBREVIATIONS.contains(word))
    };
    let is_capital = |at: usize| {
        let word = shown.get(at);
        word.is_some_and(|word| !word.starts_with(char::is_lowercase))
    };
    let ends = |at: usize| {
        let next = all.get(at + 1);
        next.is_none_or(|next| next.starts_with(|c: char| c.is_ascii_digit()))
            || (at + 1..=at + LONGEST_RANGE).any(is_short)
    };
    (0..all.len()).any(|at| is_short(at) && is_capital(at) && ends(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_hours_are_told_from_figures() {
        for text in [
            "Monday to Friday from 9:30 to 18",
            "Montag bis Freitag 8.00 Uhr",
            "Lunedì: 9 - 18",
            "Saturdays 9am to 1pm",
            "Mo–Fr 8–17 Uhr",
            "Mo. bis Do. 7:30 – 16:00",
            "Mon - Sat: 9am - 5pm",
            "Lun-Ven 9h00-18h00",
            "Lun. a vie. 9:00-14:00",
            "Sab 9 - 13",
            "Seg a Sex: 9h00 às 18h00",
            "Ma t/m vr 8.00–17.00",
            "月〜金 9:00〜18:00",
            "月曜～金曜 ９：００～１８：００",
            "平日 9:00～17:00",
        ] {
            assert!(tells_opening_hours(text), "{text}");
        }
        for text in [
            "Every Monday we bring 1,200 meals.",
            "We finish 98 % of all orders by Friday.",
            "Open 24 hours, 9:00 to 9:00",
            "Die Platte kostet so 12.50 bis 14.50 Euro",
            "We sat at 9.30 to 11.30",
            "Le 5 mar 9h00",
            "Do it from 9.00 to 11.00",
        ] {
            assert!(!tells_opening_hours(text), "{text}");
        }
    }
}
