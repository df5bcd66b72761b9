//! Texts that tell when a company is open.

use gtm_lexicon::names::{WEEKDAY_ABBREVIATIONS, WEEKDAYS};
use gtm_page_text::primary_language;
use gtm_site_research::words;

use super::figures::is_digits;
use super::scripts::plain;

/// Most hours of a day.
const HOURS: u32 = 24;

/// Whether a text tells when one may come: a day of the week and a time, such as `Monday to Friday, 9 to 18`.
pub fn tells_opening_hours(text: &str, language: &str) -> bool {
    names_weekday(text, language) && tells_times(text)
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
/// another day, a number or the end: `Mo–Fr`, `Sat 9–12`, not `so 12`. Alone it must be one of the text's language: `Di` is a
/// Tuesday in German and `of` in Italian.
pub fn names_weekday(text: &str, language: &str) -> bool {
    let folded = words::fold(text);
    let all = words::split(&folded);
    if all.iter().any(|word| WEEKDAYS.contains(word)) {
        return true;
    }
    let shown = words::split(text);
    let is_short = |at: usize| {
        let word = all.get(at);
        let mut known = WEEKDAY_ABBREVIATIONS.iter();
        word.is_some_and(|word| known.any(|(_, known)| known.contains(word)))
    };
    let own = WEEKDAY_ABBREVIATIONS.of(primary_language(language));
    let is_own = |at: usize| all.get(at).is_some_and(|word| own.contains(word));
    let is_capital = |at: usize| {
        let word = shown.get(at);
        word.is_some_and(|word| !word.starts_with(char::is_lowercase))
    };
    let ends = |at: usize| {
        let next = all.get(at + 1);
        let alone = next.is_none_or(|next| next.starts_with(|c: char| c.is_ascii_digit()));
        alone && is_own(at) || (at + 1..=at + LONGEST_RANGE).any(is_short)
    };
    // Two in a row are days without capitals, too: `ma–vr 8.00–17.00`.
    let is_range = |at: usize| is_own(at) && is_own(at + 1);
    (0..all.len()).any(|at| is_short(at) && (is_capital(at) || is_range(at)) && ends(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_hours_are_told_from_figures() {
        for (language, text) in [
            ("en", "Monday to Friday from 9:30 to 18"),
            ("de", "Montag bis Freitag 8.00 Uhr"),
            ("it", "Lunedì: 9 - 18"),
            ("en", "Saturdays 9am to 1pm"),
            ("de", "Mo–Fr 8–17 Uhr"),
            ("en", "Mo–Fr 8–17"),
            ("de", "Mo. bis Do. 7:30 – 16:00"),
            ("en", "Mon - Sat: 9am - 5pm"),
            ("fr", "Lun-Ven 9h00-18h00"),
            ("es", "Lun. a vie. 9:00-14:00"),
            ("it", "Sab 9 - 13"),
            ("de", "Di 9–12"),
            ("pt", "Seg a Sex: 9h00 às 18h00"),
            ("nl", "Ma t/m vr 8.00–17.00"),
            ("nl", "ma–vr 8.00–17.00"),
            ("fr", "lun - ven 8h00-18h00"),
            ("ja", "月〜金 9:00〜18:00"),
            ("ja", "月曜～金曜 ９：００～１８：００"),
            ("ja", "平日 9:00～17:00"),
        ] {
            assert!(tells_opening_hours(text, language), "{text}");
        }
        for (language, text) in [
            ("en", "Every Monday we bring 1,200 meals."),
            ("en", "We finish 98 % of all orders by Friday."),
            ("en", "Open 24 hours, 9:00 to 9:00"),
            ("de", "Die Platte kostet so 12.50 bis 14.50 Euro"),
            ("it", "Pannelli di 12.50 e di 14.50 metri"),
            ("en", "We sat at 9.30 to 11.30"),
            ("fr", "Le 5 mar 9h00"),
            ("en", "Do it from 9.00 to 11.00"),
            ("it", "Di 12 e 14 anni"),
            ("en", "Do 9 to 5"),
        ] {
            assert!(!tells_opening_hours(text, language), "{text}");
        }
    }
}
