//! Dated lines of news: `12.10.2026 Second plant opened`, under a heading for news or on a page of news.

use gtm_lexicon::pages::NEWS;
use gtm_site_facts::facts::speaks_of_itself;
use gtm_site_facts::site::Site;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::dates::Date;
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

use super::dated_lines::{dated, dated_behind};
use super::items::{Dated, items};
use super::{OTHER, Signal, denies, kind_of};

/// Most words around the name of a heading for news.
const AROUND: usize = 2;
/// Fewest words, and most characters, of what a line tells.
const SHORTEST: usize = 3;
const LONGEST: usize = 300;
/// Most words of a line for what kind of news something is.
const LONGEST_LABEL: usize = 3;
/// Most passages under a heading for news.
const MOST: usize = 60;
/// Fewest dated lines of a page of news that are a list: one may be the date of the article above it.
const LEAST: usize = 2;

/// A line with its date.
struct Notice<'p> {
    date: Date,
    text: &'p str,
    /// The passage with the text, and the one with the date.
    told: &'p Passage,
    dated: &'p Passage,
}

/// What lines and cards under headings for news on a page of another kind tell.
pub(super) fn notices(passages: &[&Passage], site: &Site, found: &mut Vec<Signal>) {
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
        items(under, site, Dated::Always, found);
        for notice in lines(under) {
            found.extend(notice.signal(site, found.len()));
        }
    }
}

/// What the list of dated lines on a page of news tells, if it has one. Returns the other passages.
pub(super) fn of_page<'p>(
    passages: &[&'p Passage],
    site: &Site,
    found: &mut Vec<Signal>,
) -> Vec<&'p Passage> {
    let lines = lines(passages);
    if lines.len() < LEAST {
        return passages.to_vec();
    }
    let read = |passage: &&&Passage| {
        let mut lines = lines.iter();
        lines.any(|line| line.told.block == passage.block || line.dated.block == passage.block)
    };
    let rest = passages.iter().filter(|passage| !read(passage)).copied();
    for line in &lines {
        found.extend(line.signal(site, found.len()));
    }
    rest.collect()
}

impl Notice<'_> {
    /// The signal, if words tell its kind, or at least that it is about the company.
    fn signal(&self, site: &Site, order: usize) -> Option<Signal> {
        let of_company = || {
            let folded = words::fold(self.text);
            let own = speaks_of_itself(self.text, site) && !denies(&words::split(&folded));
            own.then_some(OTHER)
        };
        let kind = kind_of(self.text).or_else(of_company)?;
        let excerpt = |passage: &Passage| Excerpt {
            page: passage.page,
            text: passage.text.clone(),
        };
        let mut excerpts = vec![excerpt(self.told)];
        if self.dated.block != self.told.block {
            excerpts.push(excerpt(self.dated));
        }
        Some(Signal {
            text: self.text.to_owned(),
            kind,
            date: Some(self.date),
            excerpts,
            order,
        })
    }
}

/// The lines with a date at one end, or in a line of its own beside them. What stands below a heading is part of its item.
fn lines<'p>(passages: &[&'p Passage]) -> Vec<Notice<'p>> {
    let dates: Vec<(usize, Date, &str)> = passages
        .iter()
        .enumerate()
        .filter(|(_, line)| line.kind != BlockKind::Heading)
        .filter_map(|(at, line)| {
            let (date, rest) = dated(&line.text).or_else(|| dated_behind(&line.text))?;
            Some((at, date, rest))
        })
        .collect();
    let alone = |rest: &str| rest.is_empty() || names_news(rest);
    let mut alones = dates.iter().filter(|(.., rest)| alone(rest));
    // Below the last date of a list whose dates stand below their texts stands nothing.
    let stand_below = alones
        .next_back()
        .is_some_and(|(at, ..)| below(passages, *at).is_none());
    let found = dates.iter().filter_map(|(at, date, rest)| {
        let line = passages.get(*at)?;
        let above = at.checked_sub(1).and_then(|above| passages.get(above));
        let of_heading =
            above.is_some_and(|above| above.kind == BlockKind::Heading && !announces(above));
        let (told, text) = match (alone(rest), stand_below) {
            (false, _) => (*line, *rest),
            (true, _) if of_heading => return None,
            (true, true) => above.map(|above| (*above, above.text.as_str()))?,
            (true, false) => below(passages, *at).map(|told| (told, told.text.as_str()))?,
        };
        let fits = told.kind != BlockKind::Heading
            && words::count(text) >= SHORTEST
            && text.chars().count() <= LONGEST
            && !text.ends_with(['?', '？'])
            && !boilerplate::is_call_to_act(text)
            && dated(text).is_none();
        fits.then_some(Notice {
            date: *date,
            text,
            told,
            dated: line,
        })
    });
    found.collect()
}

/// What stands right below a date, perhaps behind a line for what kind of news it is.
fn below<'p>(passages: &[&'p Passage], at: usize) -> Option<&'p Passage> {
    let line = passages.get(at)?;
    let mut behind = passages.get(at + 1..)?.iter().take(2);
    let told = behind.find(|next| !names_news(&next.text))?;
    let fits = told.kind != BlockKind::Heading && told.page == line.page;
    (fits && told.block <= line.block + 2).then_some(*told)
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

/// Whether a text is nothing but a word for news.
fn names_news(text: &str) -> bool {
    words::count(text) <= LONGEST_LABEL && NEWS.are(&words::split(&words::fold(text)))
}
