//! Dated lines under a heading for news on pages of other kinds: `12.10.2026 Second plant opened`.

use gtm_lexicon::pages::NEWS;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::dates::{self, Date};
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::{Signal, kind_of};

/// Most words around the name of a heading for news.
const AROUND: usize = 2;
/// Most words of a date that begins a line.
const LONGEST_DATE: usize = 5;
/// Fewest words, and most characters, of what a line tells.
const SHORTEST: usize = 3;
const LONGEST: usize = 300;
/// Most passages under a heading for news.
const MOST: usize = 60;

/// What the lines tell that is known as a kind of signal.
pub(super) fn notices(passages: &[&Passage], found: &mut Vec<Signal>) {
    let mut read = 0_usize;
    for (at, heading) in passages.iter().enumerate() {
        if !announces(heading) {
            continue;
        }
        // A line has no level: it may be the name of a tab, or of a page, and every heading begins something else.
        let ends = |next: &Passage| {
            next.kind == BlockKind::Heading
                && (heading.kind != BlockKind::Heading || next.level <= heading.level)
        };
        let rest = passages.get(at + 1..).unwrap_or_default();
        let under = rest.iter().take(MOST).take_while(|next| !ends(next));
        let end = at + 1 + under.count();
        // What stands under two of them is told once.
        let under = passages.get(read.max(at + 1)..end).unwrap_or_default();
        read = read.max(end);
        for (place, line) in under.iter().enumerate() {
            let Some((date, rest)) = dated(&line.text) else {
                continue;
            };
            let below = under.get(place + 1).filter(|_| rest.is_empty()).copied();
            let (carrier, text) = below.map_or((*line, rest), |below| (below, &below.text));
            let fits = words::count(text) >= SHORTEST
                && text.chars().count() <= LONGEST
                && !text.ends_with(['?', '？'])
                && !boilerplate::is_call_to_act(text)
                && dated(text).is_none();
            let Some(kind) = kind_of(text).filter(|_| fits) else {
                continue;
            };
            let excerpt = |passage: &Passage| Excerpt {
                page: passage.page,
                text: passage.text.clone(),
            };
            let mut excerpts = vec![excerpt(carrier)];
            excerpts.extend(below.map(|_| excerpt(line)));
            found.push(Signal {
                text: text.to_owned(),
                kind,
                date: Some(date),
                excerpts,
                order: found.len(),
            });
        }
    }
}

/// Whether a passage is a heading for news, or a line that is nothing but its words.
fn announces(passage: &Passage) -> bool {
    let folded = words::fold(&passage.text);
    let all = words::split(&folded);
    let around = |(_, phrase): (usize, gtm_lexicon::Phrase)| all.len() <= phrase.len() + AROUND;
    match passage.kind {
        BlockKind::Heading => NEWS.places(&all).any(around),
        BlockKind::Other | BlockKind::Paragraph => NEWS.are(&all),
        _ => false,
    }
}

/// The date with which a line begins, and what stands behind it.
fn dated(line: &str) -> Option<(Date, &str)> {
    let tokens = words::tokens(line);
    let ends = tokens.iter().take(LONGEST_DATE).map(|(_, end, _)| *end);
    let mut found = ends.filter_map(|end| {
        let opening = line
            .get(..end)?
            .trim_end_matches([':', '：', '|', '–', '—']);
        let date = dates::find(opening).filter(|_| dates::is_only_a_date(opening))?;
        let begins = opening.starts_with(|c: char| c.is_alphanumeric());
        begins.then_some((date, end))
    });
    let (date, end) = found.next()?;
    let rest = line.get(end..)?;
    Some((
        date,
        rest.trim_start_matches([' ', ':', '：', '|', '–', '—', '-']),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_with_their_date() {
        for (line, date, rest) in [
            (
                "12.10.2026 Zweites Werk eröffnet",
                "2026-10-12",
                "Zweites Werk eröffnet",
            ),
            (
                "October 3, 2026 – New plant opened",
                "2026-10-03",
                "New plant opened",
            ),
            (
                "2026年4月8日 販売を始めました",
                "2026-04-08",
                "販売を始めました",
            ),
            ("12 March 2026", "2026-03-12", ""),
        ] {
            let found = dated(line).map(|(date, rest)| (date.iso(), rest));
            assert_eq!(found, Some((date.to_owned(), rest)), "{line}");
        }
        assert_eq!(dated("We opened on 12 March 2026"), None);
    }
}
