//! New certificates on a page for them: an entry under its heading, with the date since which it is valid.

use gtm_lexicon::pages::TRUST;
use gtm_site_facts::site::Site;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::dates::{self, Date};
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::{sentences, words};
use url::Url;

use super::{REGULATED, STALE_AFTER_MONTHS, Signal, kind_of};

/// Most characters of an entry, and most words of the heading above it.
const LONGEST: usize = 300;
const LONGEST_HEADING: usize = 8;

/// The entries of the page whose date is recent, if its address says that it is one for certificates: a title may praise the
/// quality of anything.
pub(super) fn certificates(passages: &[&Passage], site: &Site, now: Date, found: &mut Vec<Signal>) {
    let page = passages.first().map(|passage| passage.page);
    if !page.is_some_and(|page| is_for_them(page, site)) {
        return;
    }
    let language = site.research.language.as_str();
    let mut heading: Option<&Passage> = None;
    for passage in passages {
        if passage.kind == BlockKind::Heading {
            heading = Some(passage);
            continue;
        }
        let Some(heading) = heading.filter(|heading| heading.level > 1) else {
            continue;
        };
        let recent =
            |date: &Date| *date <= now && now.months() - date.months() <= STALE_AFTER_MONTHS;
        // Short forms such as `n.` would part a line that is an entry as a whole.
        let texts = match passage.text.chars().count() <= LONGEST {
            true => vec![passage.text.as_str()],
            false => sentences::split(&passage.text, language),
        };
        let dated = texts
            .into_iter()
            .filter(|text| text.chars().count() <= LONGEST)
            .find_map(|text| Some((text, dates::find(text).filter(recent)?)));
        let Some((text, date)) = dated else {
            continue;
        };
        let is_short = words::count(&heading.text) <= LONGEST_HEADING;
        let names_one = |text: &str| kind_of(text) == Some(REGULATED);
        if !is_short || !names_one(&heading.text) {
            continue;
        }
        let excerpt = |passage: &Passage, text: &str| Excerpt {
            page: passage.page,
            text: text.to_owned(),
        };
        found.push(Signal {
            text: format!("{}: {text}", heading.text),
            kind: REGULATED,
            date: Some(date),
            excerpts: vec![excerpt(heading, &heading.text), excerpt(passage, text)],
            order: found.len(),
        });
    }
}

/// Whether the address of a page has a word for certificates.
fn is_for_them(page: usize, site: &Site) -> bool {
    let visited = site.research.pages.get(page);
    let url = visited.and_then(|visited| Url::parse(&visited.page.final_url).ok());
    url.is_some_and(|url| TRUST.any_in(&words::split(&words::fold(url.path()))))
}
