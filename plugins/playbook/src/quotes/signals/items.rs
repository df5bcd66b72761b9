//! Items of news: a heading, its date beside it, and text. Each item gives one signal.

use gtm_site_facts::facts::speaks_of_itself;
use gtm_site_facts::site::Site;
use gtm_site_research::boilerplate;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::dates::{self, Date};
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::sentences;
use gtm_site_research::words;

use super::dated_lines::behind_date;
use super::{OTHER, REGULATED, Signal, denies, kind_by};

/// Fewest words and most characters of what an item tells.
const SHORTEST: usize = 4;
const LONGEST: usize = 300;

/// Whether an item needs a date of its own.
#[derive(Debug, Clone, Copy)]
pub(super) enum Dated {
    /// It does: what stands here may be no news.
    Always,
    /// It does not, and its page was published then.
    Perhaps(Option<Date>),
}

/// The signals of the items on a page of news, or in a part of one.
pub(super) fn items(passages: &[&Passage], site: &Site, dated: Dated, found: &mut Vec<Signal>) {
    for item in parted(passages) {
        found.extend(told(&item, site, dated, found.len()));
    }
}

/// The passages of each item, from its date or its heading on.
fn parted<'p>(passages: &[&'p Passage]) -> Vec<Vec<&'p Passage>> {
    let mut items: Vec<Vec<&Passage>> = Vec::new();
    let mut held: Option<&Passage> = None;
    for (at, passage) in passages.iter().enumerate() {
        let next_is_heading = passages
            .get(at + 1)
            .is_some_and(|next| next.kind == BlockKind::Heading);
        let after_heading = at
            .checked_sub(1)
            .and_then(|before| passages.get(before))
            .is_some_and(|before| before.kind == BlockKind::Heading);
        if dates::is_only_a_date(&passage.text) && next_is_heading && !after_heading {
            // A date above a heading belongs to what follows.
            held = Some(passage);
        } else if passage.kind == BlockKind::Heading {
            items.push(held.take().into_iter().chain([*passage]).collect());
        } else if let Some(item) = items.last_mut() {
            item.push(passage);
        }
    }
    items
}

/// What an item tells first that is known as a kind of signal, or at least of the company itself.
fn told(item: &[&Passage], site: &Site, needed: Dated, order: usize) -> Option<Signal> {
    let heading = item
        .iter()
        .find(|passage| passage.kind == BlockKind::Heading)?;
    if denies(&words::split(&words::fold(&heading.text))) {
        return None;
    }
    let dated = item
        .iter()
        .find_map(|other| dates::find(&other.text).map(|date| (date, *other)));
    let published = match needed {
        Dated::Perhaps(published) => published,
        Dated::Always => {
            dated?;
            None
        }
    };
    // Without a date, one word may mean something else.
    let least = if dated.is_some() || published.is_some() {
        1
    } else {
        2
    };
    let language = site.research.language.as_str();
    let candidates = item
        .iter()
        .filter(|passage| matches!(passage.kind, BlockKind::Paragraph | BlockKind::Heading))
        .flat_map(|passage| {
            let sentences = if passage.kind == BlockKind::Heading {
                vec![behind_date(&passage.text)]
            } else {
                sentences::split(&passage.text, language)
            };
            sentences.into_iter().map(|sentence| (*passage, sentence))
        });
    let candidates = candidates
        .filter(|(_, text)| words::count(text) >= SHORTEST && text.chars().count() <= LONGEST)
        .filter(|(_, text)| !boilerplate::is_call_to_act(text) && !text.ends_with(['?', '？']))
        .collect::<Vec<_>>();
    let of_kind = candidates.iter().find_map(|(passage, text)| {
        let kind = kind_by(text, least)?;
        // What an article tells of rules concerns everybody, unless the company speaks of itself.
        let of_all = kind == REGULATED
            && passage.kind != BlockKind::Heading
            && !speaks_of_itself(text, site);
        (!of_all).then_some((*passage, *text, kind))
    });
    // What a dated item tells of the company is news even where no word tells of which kind.
    let of_company = || {
        let mut told = candidates.iter().filter(|_| dated.is_some());
        told.find(|(_, text)| {
            speaks_of_itself(text, site) && !denies(&words::split(&words::fold(text)))
        })
        .map(|(passage, text)| (*passage, *text, OTHER))
    };
    let (passage, text, kind) = of_kind.or_else(of_company)?;
    let mut excerpts = vec![excerpt(passage, text)];
    if let Some((_, carrier)) = dated
        && dates::find(text).is_none()
    {
        excerpts.push(excerpt(carrier, &carrier.text));
    }
    let date = dated
        .map(|(date, _)| date)
        .or_else(|| published.filter(|_| heading.level == 1));
    Some(Signal {
        text: text.to_owned(),
        kind,
        date,
        excerpts,
        order,
    })
}

fn excerpt(passage: &Passage, text: &str) -> Excerpt {
    Excerpt {
        page: passage.page,
        text: text.to_owned(),
    }
}
