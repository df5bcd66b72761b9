//! Dates in a text.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gtm_lexicon::dates::{BETWEEN, DAY_ENDINGS, WORDS_ELSEWHERE};
use jiff::tz::Offset;
use jiff::{Timestamp, civil};

use crate::words;

/// The names of months in all languages, folded, with their numbers.
static MONTHS: LazyLock<BTreeMap<String, u8>> = LazyLock::new(|| {
    gtm_lexicon::months()
        .map(|(name, number)| (words::fold(name), number))
        .collect()
});

/// A date, as precise as the text states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// Year, 1990 to 2099.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day of the month, if the text states it.
    pub day: Option<u8>,
}

impl Date {
    /// ISO 8601: `2026-03-12`, or `2026-03` without a day.
    pub fn iso(self) -> String {
        match self.day {
            Some(day) => format!("{:04}-{:02}-{day:02}", self.year, self.month),
            None => format!("{:04}-{:02}", self.year, self.month),
        }
    }

    /// Whole months since year zero, for computing ages.
    pub fn months(self) -> i64 {
        i64::from(self.year) * 12 + i64::from(self.month) - 1
    }
}

/// The first date in the text: ISO, day month year, month day year, month year, or in digits with the year at either end.
pub fn find(text: &str) -> Option<Date> {
    let folded = words::fold(text);
    let words: Vec<&str> = words::split(&folded).into_iter().take(400).collect();
    for (at, word) in words.iter().enumerate() {
        let before = |back: usize| {
            at.checked_sub(back)
                .and_then(|index| words.get(index))
                .copied()
        };
        if let Some(month) = month(word) {
            // 12 March 2026 · 12 de marzo de 2026
            let year_after = words.get(at + 1).and_then(|w| year(w)).or_else(|| {
                let between = words.get(at + 1).is_some_and(|word| BETWEEN.contains(word));
                between
                    .then(|| words.get(at + 2).and_then(|w| year(w)))
                    .flatten()
            });
            if let Some(year) = year_after {
                let day = before(1).and_then(day).or_else(|| {
                    let between = before(1).is_some_and(|word| BETWEEN.contains(word));
                    between.then(|| before(2).and_then(day)).flatten()
                });
                let day = day.filter(|day| on(year, month, *day).is_some());
                // A name that is a word of another language is a month only beside a day.
                if day.is_none() && WORDS_ELSEWHERE.contains(word) {
                    continue;
                }
                return Some(Date { year, month, day });
            }
            // March 12, 2026
            if let (Some(day), Some(year)) = (
                words.get(at + 1).and_then(|w| day(w)),
                words.get(at + 2).and_then(|w| year(w)),
            ) && let Some(date) = on(year, month, day)
            {
                return Some(date);
            }
        }
        // 12 Fev 2025 · Feb 12, 2025: a shortened month counts between or before a day and a year.
        if let Some(month) = shortened_month(word) {
            let at_word = |index: Option<usize>| index.and_then(|index| words.get(index)).copied();
            let before = at_word(at.checked_sub(1));
            let (next, second) = (at_word(Some(at + 1)), at_word(Some(at + 2)));
            let orders = [(before, next), (next, second)];
            let found = orders
                .into_iter()
                .find_map(|(d, y)| on(year(y?)?, month, day(d?)?));
            if found.is_some() {
                return found;
            }
        }
        if let Some(date) = words.get(at..).and_then(counted) {
            return Some(date);
        }
        if let Some(year) = year(word) {
            let next = |ahead: usize| words.get(at + ahead).copied().unwrap_or_default();
            let (second, third) = (unglued(next(1)), unglued(next(2)));
            // 2026-03-12 · 2026.3.12 · 2026/03/12
            let found = of_digits(&folded, [word, second, third], &YEAR_FIRST)
                .and_then(|[_, month, day]| on(year, month?, day?));
            // 12.03.2026
            let last = || {
                let digits = [before(2)?, before(1)?, word];
                let [day, month, _] = of_digits(&folded, digits, &YEAR_LAST)?;
                on(year, month?, day?)
            };
            let found = found
                .or_else(last)
                .or_else(|| by_strokes(&folded, words.get(..=at)?));
            // `2026.03 New hall`
            let found = found.or_else(|| opening_month(&folded, word, second).filter(|_| at == 0));
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// What parts the digits of a date whose year comes first, and of one whose year comes last.
const YEAR_FIRST: [&str; 4] = ["-", ".", "/", ". "];
const YEAR_LAST: [&str; 2] = [".", ". "];
/// What parts a day and a month whose order nothing but their size tells.
const STROKES: [&str; 2] = ["/", "-"];

/// The digits with which a word begins, if a script without blanks goes on right behind them: `01` of `01新製品`.
fn unglued(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = word.split_at_checked(digits).unwrap_or((word, ""));
    if rest.starts_with(|c: char| c > '\u{2e80}') {
        number
    } else {
        word
    }
}

/// Three numbers, if the text has them with the same mark between each two. With dashes, a month and a day have two digits.
fn of_digits(text: &str, digits: [&str; 3], marks: &[&str]) -> Option<[Option<u8>; 3]> {
    let [first, second, third] = digits;
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|c| c.is_ascii_digit());
    if !digits.iter().all(|part| plain(part)) {
        return None;
    }
    let written = marks.iter().any(|mark| {
        let whole = *mark != "-" || second.len() == 2 && third.len() >= 2;
        whole && text.contains(&format!("{first}{mark}{second}{mark}{third}"))
    });
    written.then(|| digits.map(number))
}

/// A date with strokes or dashes, of whose day and month one is larger than any month: `16/06/2026`, `06/16/2026`. Of others
/// nobody knows which is which.
fn by_strokes(text: &str, words: &[&str]) -> Option<Date> {
    let [.., first, second, last] = words else {
        return None;
    };
    let [one, other, _] = of_digits(text, [first, second, last], &STROKES)?;
    let (year, one, other) = (self::year(last)?, one?, other?);
    match (one > 12, other > 12) {
        (true, false) => on(year, other, one),
        (false, true) => on(year, one, other),
        (false, false) if one == other => on(year, one, other),
        _ => None,
    }
}

/// A month in digits behind the year with which a text begins: `2026.03 New hall`.
fn opening_month(text: &str, year_text: &str, month_text: &str) -> Option<Date> {
    let begins = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let rest = begins.strip_prefix(year_text)?;
    let rest = rest.strip_prefix(['.', '/'])?.strip_prefix(month_text)?;
    // `2026.03.99` is something else.
    let ends = !rest.starts_with(|c: char| c.is_ascii_digit())
        && !rest
            .strip_prefix(['.', '/'])
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let month =
        number(month_text).filter(|month| month_text.len() == 2 && (1..=12).contains(month));
    Some(Date {
        year: year(year_text)?,
        month: month.filter(|_| ends)?,
        day: None,
    })
}

/// The month whose names alone begin with three or four letters.
fn shortened_month(word: &str) -> Option<u8> {
    if !(3..=4).contains(&word.len()) || !word.is_ascii() {
        return None;
    }
    let mut meant = MONTHS
        .range(word.to_owned()..)
        .take_while(|(name, _)| name.starts_with(word));
    let (_, first) = meant.next()?;
    meant.all(|(_, other)| other == first).then_some(*first)
}

/// A date in Chinese, Japanese or Korean, from its year on: `2026年8月10日`, `2026年8月`, `2026년 8월 10일`.
fn counted(words: &[&str]) -> Option<Date> {
    let (year, rest) = before_unit(words, ['年', '년'])?;
    let year = self::year(year)?;
    let (month, rest) = before_unit(rest, ['月', '월'])?;
    let month = number(month).filter(|month| (1..=12).contains(month))?;
    match before_unit(rest, ['日', '일']) {
        Some((day, _)) => on(year, month, number(day)?),
        None => Some(Date {
            year,
            month,
            day: None,
        }),
    }
}

/// The digits before a unit, which may be a word of its own or the end of theirs, and the words behind. Behind the unit
/// the sentence may go on without a blank.
fn before_unit<'s, 'w>(words: &'s [&'w str], units: [char; 2]) -> Option<(&'w str, &'s [&'w str])> {
    let (first, rest) = words.split_first()?;
    let digits = first.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = first.split_at_checked(digits)?;
    if !number.is_empty() && unit.starts_with(units) {
        return Some((number, rest));
    }
    let (next, behind) = rest.split_first()?;
    (!number.is_empty() && unit.is_empty() && next.starts_with(units)).then_some((number, behind))
}

/// A day, if the calendar has it: there is no 30 February.
fn on(year: u16, month: u8, day: u8) -> Option<Date> {
    let signed = (year.try_into(), month.try_into(), day.try_into());
    let (Ok(y), Ok(m), Ok(d)) = signed else {
        return None;
    };
    civil::Date::new(y, m, d).ok()?;
    let day = Some(day);
    Some(Date { year, month, day })
}

/// Whether the text is hardly more than a date.
pub fn is_only_a_date(text: &str) -> bool {
    text.chars().count() <= 40
        && words::split(&words::fold(text)).len() <= 6
        && find(text).is_some()
}

/// The date of a moment given in milliseconds since the Unix epoch.
pub fn of_millis(now_ms: u64) -> Date {
    let moment = i64::try_from(now_ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(Timestamp::MAX);
    let date = Offset::UTC.to_datetime(moment).date();
    Date {
        year: date.year().unsigned_abs(),
        month: date.month().unsigned_abs(),
        day: Some(date.day().unsigned_abs()),
    }
}

fn month(word: &str) -> Option<u8> {
    MONTHS.get(word).copied()
}

fn number(word: &str) -> Option<u8> {
    if word.len() <= 2 {
        word.parse().ok()
    } else {
        None
    }
}

fn day(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = word.get(digits.len()..).unwrap_or_default();
    if !suffix.is_empty() && !DAY_ENDINGS.contains(suffix) {
        return None;
    }
    number(digits).filter(|day| (1..=31).contains(day))
}

fn year(word: &str) -> Option<u16> {
    if word.len() != 4 {
        return None;
    }
    word.parse()
        .ok()
        .filter(|year| (1990..=2099).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iso(text: &str) -> Option<String> {
        find(text).map(Date::iso)
    }

    #[test]
    fn finds_dates_as_people_write_them() {
        for (text, expected) in [
            ("Posted 2026-03-12 by the team", "2026-03-12"),
            ("12 March 2026", "2026-03-12"),
            ("On March 12, 2026 we opened", "2026-03-12"),
            ("Am 12. März 2026", "2026-03-12"),
            ("le 1er juin 2025", "2025-06-01"),
            ("el 3 de mayo de 2026", "2026-05-03"),
            ("Stand: 02.11.2025", "2025-11-02"),
            ("in September 2026 we will", "2026-09"),
        ] {
            assert_eq!(iso(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(iso("we may hire 2026 people"), None);
        assert_eq!(iso("Call 2026 03 12"), None);
        assert_eq!(iso("all sold out 2026, we mar 12 things"), None);
        assert_eq!(iso("no date"), None);
    }

    #[test]
    fn dates_in_digits_have_their_year_at_either_end() {
        for (text, expected) in [
            ("2026.10.01 新工場を開設しました", "2026-10-01"),
            ("2026.10.1新工場を開設しました", "2026-10-01"),
            ("2026/3/12（木）", "2026-03-12"),
            ("2026. 3. 12.", "2026-03-12"),
            ("2026.03 ホームページを更新", "2026-03"),
            ("【2026.03】", "2026-03"),
            ("12. 3. 2026", "2026-03-12"),
            ("Pubblicato il 16/06/2026", "2026-06-16"),
            ("06/16/2026", "2026-06-16"),
            ("05-05-2026", "2026-05-05"),
        ] {
            assert_eq!(iso(text).as_deref(), Some(expected), "{text}");
        }
        // Nobody knows which of them is the month; versions and sums are no dates.
        for text in [
            "05/06/2026",
            "Version 2026.03",
            "2026.13.01",
            "2026.3",
            "2026.035",
            "2026-3-12",
        ] {
            assert_eq!(iso(text), None, "{text}");
        }
    }

    #[test]
    fn days_that_the_calendar_lacks_are_no_dates() {
        for text in ["2026-02-30", "30.02.2026", "April 31, 2026"] {
            assert_eq!(iso(text), None, "{text}");
        }
        assert_eq!(iso("31 April 2026").as_deref(), Some("2026-04"));
        assert_eq!(iso("29 February 2028").as_deref(), Some("2028-02-29"));
    }

    #[test]
    fn months_of_every_language_that_sites_are_read_in() {
        for (text, expected) in [
            ("12 maart 2026", "2026-03-12"),
            ("3 de setembro de 2026", "2026-09-03"),
            ("janeiro de 2026", "2026-01"),
            ("1 augustus 2025", "2025-08-01"),
            ("12 Fev 2025", "2025-02-12"),
            ("Sep. 3, 2026", "2026-09-03"),
            ("12 Mayıs 2026", "2026-05-12"),
            ("3 września 2026", "2026-09-03"),
            ("12 marca 2026 r.", "2026-03-12"),
            ("den 4 augusti 2026", "2026-08-04"),
            ("4. marts 2026", "2026-03-04"),
            ("5. července 2026", "2026-07-05"),
            ("červen 2026", "2026-06"),
            ("2026年8月10日", "2026-08-10"),
            ("開催は２０２６年１０月です", "2026-10"),
            ("2024년 3월 5일", "2024-03-05"),
            ("2024년 11월에 열린 전시", "2024-11"),
        ] {
            assert_eq!(iso(text).as_deref(), Some(expected), "{text}");
        }
        // The same letters are `brand` in Spanish.
        assert_eq!(iso("la mejor marca 2026"), None);
        // Years of experience, and months without a year.
        assert_eq!(iso("2024년 만에 3월"), None);
        // Even folded, a name must mean only one month.
        for (name, number) in gtm_lexicon::months() {
            assert_eq!(month(&words::fold(name)), Some(number), "{name}");
        }
    }

    #[test]
    fn tells_a_date_from_a_sentence_with_one() {
        assert!(is_only_a_date("12 March 2026"));
        assert!(!is_only_a_date(
            "On 12 March 2026 the company opened its second site in Ghent"
        ));
    }

    #[test]
    fn millis_become_a_date() {
        assert_eq!(of_millis(0).iso(), "1970-01-01");
        assert_eq!(of_millis(1_795_226_400_000).iso(), "2026-11-21");
        assert_eq!(of_millis(951_782_400_000).iso(), "2000-02-29");
    }
}
