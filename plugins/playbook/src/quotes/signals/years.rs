//! Recent entries of a company's history: `2026 – Second hall opened`. A year is no date of an event, but tells that it is
//! new.

use gtm_site_research::claim::Excerpt;
use gtm_site_research::dates::{self, Date};
use gtm_site_research::evidence::Passage;
use gtm_site_research::words;

use super::{Signal, kind_of};

/// Fewest words, and most characters, of an entry.
const SHORTEST: usize = 3;
const LONGEST: usize = 300;
/// Most passages behind a year that tell of it: a title and a text.
const MOST_BEHIND: usize = 2;
/// What parts a year from what stands behind it.
const PARTING: [char; 6] = [':', '：', '|', '–', '—', '-'];

/// The entries of this year and the last one that words tell the kind of.
pub(super) fn years(passages: &[&Passage], now: Date, found: &mut Vec<Signal>) {
    for (at, passage) in passages.iter().enumerate() {
        let Some(rest) = behind_recent_year(&passage.text, now) else {
            continue;
        };
        let behind = passages.get(at + 1..).unwrap_or_default();
        let behind = behind.iter().zip(passage.block + 1..).take(MOST_BEHIND);
        let behind = behind
            .take_while(|(next, block)| {
                next.page == passage.page && next.block == *block && !begins_with_year(&next.text)
            })
            .map(|(next, _)| (*next, next.text.as_str()));
        let told: Vec<(&Passage, &str)> = match rest {
            "" => behind.collect(),
            rest => vec![(*passage, rest)],
        };
        let event = told.into_iter().find_map(|(carrier, text)| {
            let fits = words::count(text) >= SHORTEST
                && text.chars().count() <= LONGEST
                && !text.ends_with(['?', '？']);
            Some((carrier, text, kind_of(text).filter(|_| fits)?))
        });
        let Some((carrier, text, kind)) = event else {
            continue;
        };
        let excerpt = |passage: &Passage| Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        let mut excerpts = vec![excerpt(carrier)];
        if rest.is_empty() {
            excerpts.push(excerpt(passage));
        }
        found.push(Signal {
            text: text.to_owned(),
            kind,
            date: None,
            excerpts,
            order: found.len(),
        });
    }
}

/// What stands behind a year that begins a line, if it is this year or the last one: nothing, or an entry.
fn behind_recent_year(text: &str, now: Date) -> Option<&str> {
    let (year, rest) = text.split_at_checked(4)?;
    let recent = year.parse::<u16>().ok()?;
    let parted = rest.is_empty()
        || rest.starts_with(|c: char| !c.is_alphanumeric())
        || rest.starts_with('年');
    // `2026 2nd hall` is fine, `2025–2026` and `2026.10.01` are spans and dates.
    let bare =
        rest.trim_start_matches(|c: char| c.is_whitespace() || c == '年' || PARTING.contains(&c));
    let is_year = parted
        && (now.year.saturating_sub(1)..=now.year).contains(&recent)
        && !bare.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '/' | ','))
        && dates::find(text).is_none();
    is_year.then_some(bare)
}

/// Whether a line begins with the year of another entry.
fn begins_with_year(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_years_begin_entries() {
        let now = dates::of_millis(1_795_219_200_000);
        assert_eq!(now.year, 2026);
        for (text, rest) in [
            ("2026", ""),
            ("2026 – Second hall opened", "Second hall opened"),
            ("2025: ISO 9001", "ISO 9001"),
            ("2026年 新工場を開設", "新工場を開設"),
        ] {
            assert_eq!(behind_recent_year(text, now), Some(rest), "{text}");
        }
        for text in [
            "2024 Second hall",
            "2027 Third hall",
            "2026.10.01 Second hall",
            "2025–2026",
            "20260 pieces",
            "In 2026",
        ] {
            assert_eq!(behind_recent_year(text, now), None, "{text}");
        }
    }
}
