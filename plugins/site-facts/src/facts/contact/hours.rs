//! When a company is open: lines of its pages, or its structured data.

use gtm_lexicon::seats::NO_TOWNS;
use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::organization::texts;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use serde_json::{Map, Value};

use super::{Line, rank};
use crate::facts::opening_hours::{names_weekday, tells_opening_hours, tells_times};
use crate::site::Site;

/// Most lines of opening hours, and most characters of all.
const MOST: usize = 7;
const LONGEST: usize = 300;
/// Most characters of one line: longer ones tell of other things, too.
const LONGEST_LINE: usize = 160;
/// Most characters of a line that is nothing but a day, or the times of one.
const LONGEST_PART: usize = 40;
/// What parts a label from the days.
const PARTING: [char; 7] = [':', '：', '-', '–', '—', '|', '·'];
/// What stands before the name of a day in structured data.
const DAYS: [&str; 2] = ["https://schema.org/", "http://schema.org/"];

/// The first lines in a row that tell it.
pub fn shown(lines: &[Line<'_>], language: &str) -> Option<Claim> {
    let mut ranked: Vec<(usize, &Line<'_>)> = lines
        .iter()
        .enumerate()
        .filter(|(at, _)| told(lines, *at, language).is_some())
        .collect();
    ranked.sort_by_key(|(at, line)| (rank(line), *at));
    let (first, page) = ranked.first().map(|(at, line)| (*at, line.page))?;
    let mut parts: Vec<String> = Vec::new();
    let mut excerpts: Vec<Excerpt> = Vec::new();
    let mut at = first;
    while parts.len() < MOST
        && lines.get(at).is_some_and(|line| line.page == page)
        && let Some(length) = told(lines, at, language)
    {
        let run = lines.get(at..at + length).unwrap_or_default();
        let texts: Vec<&str> = run.iter().map(|line| line.text.trim()).collect();
        let text = texts.join(" ");
        let text = without_address(&text, language);
        parts.push(without_label(text, language).to_owned());
        excerpts.extend(run.iter().map(Line::excerpt));
        at += length;
    }
    let joined = parts.join("; ");
    (joined.chars().count() <= LONGEST).then(|| Claim::stated(joined, excerpts))
}

/// Whether a text tells of one day, also by a year of a Japanese era or by month and day alone: `11月20日(日)`.
fn tells_a_date(text: &str) -> bool {
    let plain = words::with_ascii_digits(text);
    let of_era = || gtm_lexicon::year_of_era(&words::fold(&plain)).is_some();
    let of_month = || {
        plain.split('月').skip(1).any(|day| {
            let digits: String = day.chars().take_while(char::is_ascii_digit).collect();
            !digits.is_empty()
                && day
                    .get(digits.len()..)
                    .is_some_and(|rest| rest.starts_with('日'))
        })
    };
    dates::find(&plain).is_some() || of_era() || of_month()
}

/// Fewest digits in a row of a postal code or a number to call: times have fewer.
const POSTAL: usize = 4;

/// A line without the address or number to call before its first day: `4 Mill Lane 12345 Leeds Mon–Fri 9–17`.
fn without_address<'t>(text: &'t str, language: &str) -> &'t str {
    // A number to call may have its hours in brackets behind it.
    if let Some((number, hours)) = text.trim().split_once(['(', '（'])
        && let Some(hours) = hours.strip_suffix([')', '）'])
        && number.contains(|c: char| c.is_ascii_digit())
        && tells_opening_hours(hours, language)
    {
        return hours;
    }
    let is_day = |word: &str| {
        let end = word.find(['-', '–', '—', '/']).unwrap_or(word.len());
        let first = word.get(..end).unwrap_or_default();
        let bare = first.trim_matches(|c: char| !c.is_alphanumeric());
        names_weekday(&format!("{bare} 9"), language)
    };
    let day = words::tokens(text)
        .into_iter()
        .find(|(.., word)| is_day(word));
    let Some((before, rest)) = day.and_then(|(start, ..)| text.split_at_checked(start)) else {
        return text;
    };
    let mut numbers = before.split(|c: char| !c.is_ascii_digit());
    let reaches = before.contains('@') || numbers.any(|number| number.len() >= POSTAL);
    if reaches && tells_opening_hours(rest, language) {
        rest
    } else {
        text
    }
}

/// Whether all numbers of a line are those of an address or to call before its first day: `4/5 Mill Lane 12345 Leeds Mon–Fri`.
fn has_only_an_address(text: &str, language: &str) -> bool {
    let day = words::tokens(text).into_iter().find(|(_, _, word)| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        names_weekday(&format!("{bare} 9"), language)
    });
    let Some((before, rest)) = day.and_then(|(start, ..)| text.split_at_checked(start)) else {
        return false;
    };
    let mut numbers = before.split(|c: char| !c.is_ascii_digit());
    numbers.any(|number| number.len() >= POSTAL) && !rest.contains(|c: char| c.is_ascii_digit())
}

/// A line without the label before its days: `Mon–Fri 9–18` of `Opening hours Mon–Fri 9–18`. What else stands before a day
/// says something of it, and stays: `Closed Monday, Tuesday–Friday 9–17`.
fn without_label<'t>(text: &'t str, language: &str) -> &'t str {
    let folded = words::fold(text);
    let all = words::split(&folded);
    let Some(length) = NO_TOWNS.at_start(&all).map(|label| label.len()).max() else {
        return text;
    };
    let mut passed = 0;
    for (_, end, token) in words::tokens(text) {
        passed += words::split(&words::fold(token)).len();
        if passed >= length {
            let rest = text.get(end..).unwrap_or_default();
            let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || PARTING.contains(&c));
            let tells = passed == length && tells_opening_hours(rest, language);
            return if tells { rest } else { text };
        }
    }
    text
}

/// How many lines from one on tell when the company is open: one with the day and the time, or one with each.
fn told(lines: &[Line<'_>], at: usize, language: &str) -> Option<usize> {
    let line = lines.get(at)?;
    let may = |line: &Line<'_>| {
        rank(line).is_some()
            && line.kind != BlockKind::Quote
            && line.text.chars().count() <= LONGEST_LINE
            // A date tells of one day only.
            && !tells_a_date(line.text)
    };
    if !may(line) {
        return None;
    }
    if tells_opening_hours(line.text, language) && !has_only_an_address(line.text, language) {
        return Some(1);
    }
    let next = lines.get(at + 1).filter(|next| next.page == line.page)?;
    let short = |line: &Line<'_>| line.text.chars().count() <= LONGEST_PART;
    let apart = short(line)
        && short(next)
        && may(next)
        && names_weekday(line.text, language)
        && !line.text.contains(|c: char| c.is_ascii_digit())
        && tells_times(next.text)
        && !names_weekday(next.text, language);
    apart.then_some(2)
}

/// What structured data of the company tells.
pub fn declared(site: &Site) -> Option<Claim> {
    site.of_the_whole().find_map(|organization| {
        let lines = organization.texts("openingHours");
        let specified = organization.objects("openingHoursSpecification");
        let mut told: Vec<(String, Vec<String>)> = lines
            .into_iter()
            .filter(|line| tells_times(line))
            .map(|line| (line.clone(), vec![line]))
            .collect();
        if told.is_empty() {
            told = specified.into_iter().filter_map(specification).collect();
        }
        told.truncate(MOST);
        let (parts, shown): (Vec<String>, Vec<Vec<String>>) = told.into_iter().unzip();
        let joined = parts.join("; ");
        let excerpts = shown.into_iter().flatten().map(|text| Excerpt {
            page: organization.page,
            text,
        });
        let fits = !joined.is_empty() && joined.chars().count() <= LONGEST;
        fits.then(|| Claim::stated(joined, excerpts.collect()))
    })
}

/// The days and times of one entry, with the texts that tell them: `Monday, Tuesday 08:00–17:00`. An entry for some dates
/// tells of holidays.
fn specification(entry: &Map<String, Value>) -> Option<(String, Vec<String>)> {
    let of_dates = ["validFrom", "validThrough"]
        .iter()
        .any(|member| entry.contains_key(*member));
    let days = texts(entry, "dayOfWeek");
    let opens = texts(entry, "opens").into_iter().next()?;
    let closes = texts(entry, "closes").into_iter().next()?;
    if of_dates || days.is_empty() || opens == closes {
        return None;
    }
    let names: Vec<&str> = days
        .iter()
        .map(|day| {
            let bare = DAYS.iter().find_map(|prefix| day.strip_prefix(prefix));
            bare.unwrap_or(day)
        })
        .collect();
    let told = format!("{} {opens}–{closes}", names.join(", "));
    let mut shown = days.clone();
    shown.extend([opens, closes]);
    Some((told, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hours_of_one_day_are_told_from_those_of_every_week() {
        for text in [
            "開催日時 令和４年１１月２０日(日) １３時～１７時",
            "11月20日（日）13:00～17:00",
            "Sonntag, 20. November 2026, 13:00 – 17:00 Uhr",
        ] {
            assert!(tells_a_date(text), "{text}");
        }
        for text in [
            "平日 9：30～17：30",
            "月～金 9:00〜18:00",
            "Mo–Fr 8:00 – 17:00 Uhr",
        ] {
            assert!(!tells_a_date(text), "{text}");
        }
    }

    #[test]
    fn labels_before_the_days_are_left_out() {
        for (language, text, told) in [
            (
                "en",
                "Opening hours Mon - Fri 8:00 - 16:30",
                "Mon - Fri 8:00 - 16:30",
            ),
            (
                "de",
                "Bürozeiten Mo – Fr: 8:00 – 16:30 Uhr",
                "Mo – Fr: 8:00 – 16:30 Uhr",
            ),
            (
                "fr",
                "Horaires Du lundi au vendredi 7h30 – 17h30",
                "Du lundi au vendredi 7h30 – 17h30",
            ),
            (
                "de",
                "8:00 – 16:30 Uhr Montag bis Freitag",
                "8:00 – 16:30 Uhr Montag bis Freitag",
            ),
        ] {
            assert_eq!(without_label(text, language), told);
        }
    }

    #[test]
    fn an_address_tells_no_hours() {
        let address = "Bergstraße 42/5/3 2102 Ulmen Mo – Fr und nach Vereinbarung";
        assert!(has_only_an_address(address, "de"));
        for text in [
            "Mühlgasse 4 89073 Ulm Mo – Fr 8:00 – 16:30 Uhr",
            "8:00 – 16:30 Uhr Montag bis Freitag",
        ] {
            assert!(!has_only_an_address(text, "de"), "{text}");
        }
    }

    #[test]
    fn addresses_before_the_days_are_left_out() {
        for (language, text, told) in [
            (
                "it",
                "Via Roma 4 36022 Cassola (VI) Lun–Ven: 8:00–18:00",
                "Lun–Ven: 8:00–18:00",
            ),
            (
                "de",
                "Mühlgasse 4 89073 Ulm Mo – Fr 8:00 – 16:30 Uhr",
                "Mo – Fr 8:00 – 16:30 Uhr",
            ),
            ("ja", "03-5550-0120（平日10時~19時）", "平日10時~19時"),
            (
                "en",
                "a@acme.example Monday to Friday 9:00–17:00",
                "Monday to Friday 9:00–17:00",
            ),
            (
                "de",
                "8:00 – 16:30 Uhr Montag bis Freitag",
                "8:00 – 16:30 Uhr Montag bis Freitag",
            ),
        ] {
            assert_eq!(without_address(text, language), told);
        }
    }

    #[test]
    fn what_says_which_days_stays() {
        for (language, text) in [
            ("en", "Closed Monday, Tuesday–Friday 9:00–17:00"),
            ("en", "Every second Saturday 9–12"),
            ("de", "Außer Mittwoch 8–17"),
        ] {
            assert_eq!(without_label(text, language), text);
        }
    }
}
