//! When a company is open: lines of its pages, or its structured data.

use gtm_site_research::claim::{Claim, Excerpt};
use gtm_site_research::dates;
use gtm_site_research::organization::texts;
use gtm_site_research::page::BlockKind;
use serde_json::{Map, Value};

use super::{Line, rank};
use crate::facts::opening_hours::{names_weekday, tells_opening_hours, tells_times};
use crate::site::Site;

/// Most lines of opening hours, and most characters of all.
const MOST: usize = 7;
const LONGEST: usize = 300;
/// Most characters of a line that is nothing but a day, or the times of one.
const LONGEST_PART: usize = 40;
/// What stands before the name of a day in structured data.
const DAYS: [&str; 2] = ["https://schema.org/", "http://schema.org/"];

/// The first lines in a row that tell it.
pub fn shown(lines: &[Line<'_>]) -> Option<Claim> {
    let mut ranked: Vec<(usize, &Line<'_>)> = lines
        .iter()
        .enumerate()
        .filter(|(at, _)| told(lines, *at).is_some())
        .collect();
    ranked.sort_by_key(|(at, line)| (rank(line), *at));
    let (first, page) = ranked.first().map(|(at, line)| (*at, line.page))?;
    let mut parts: Vec<String> = Vec::new();
    let mut excerpts: Vec<Excerpt> = Vec::new();
    let mut at = first;
    while parts.len() < MOST
        && lines.get(at).is_some_and(|line| line.page == page)
        && let Some(length) = told(lines, at)
    {
        let run = lines.get(at..at + length).unwrap_or_default();
        let texts: Vec<&str> = run.iter().map(|line| line.text.trim()).collect();
        parts.push(texts.join(" "));
        excerpts.extend(run.iter().map(Line::excerpt));
        at += length;
    }
    let joined = parts.join("; ");
    (joined.chars().count() <= LONGEST).then(|| Claim::stated(joined, excerpts))
}

/// How many lines from one on tell when the company is open: one with the day and the time, or one with each.
fn told(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let line = lines.get(at)?;
    let may = |line: &Line<'_>| {
        rank(line).is_some()
            && line.kind != BlockKind::Quote
            // A date tells of one day only.
            && dates::find(line.text).is_none()
    };
    if !may(line) {
        return None;
    }
    if tells_opening_hours(line.text) {
        return Some(1);
    }
    let next = lines.get(at + 1).filter(|next| next.page == line.page)?;
    let short = |line: &Line<'_>| line.text.chars().count() <= LONGEST_PART;
    let apart = short(line)
        && short(next)
        && may(next)
        && names_weekday(line.text)
        && !line.text.contains(|c: char| c.is_ascii_digit())
        && tells_times(next.text)
        && !names_weekday(next.text);
    apart.then_some(2)
}

/// What structured data of the company tells.
pub fn declared(site: &Site) -> Option<Claim> {
    site.organizations.iter().find_map(|organization| {
        let lines = organization.texts("openingHours");
        let specified = organization.objects("openingHoursSpecification");
        let mut told: Vec<(String, Vec<String>)> = lines
            .into_iter()
            .filter(|line| tells_opening_hours(line))
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
