//! What the site calls its pages and the parts of them, and the cards that stand there.

use gtm_lexicon::Phrases;
use gtm_site_research::evidence::{Evidence, Passage};
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;
use url::Url;

use super::outline::{Item, Section, sections};
use crate::part::Part;
use crate::site::Site;

/// Marks that part the subjects of a page's title.
const BETWEEN_SUBJECTS: [char; 7] = ['|', '–', '—', '·', ':', '・', '｜'];

/// Whether the site calls a page by one of the phrases and nothing else: in its navigation, in the page's address, in a
/// part of its title, or in its first heading.
pub fn is_called(site: &Site, page: usize, phrases: &'static Phrases) -> bool {
    if matches!(
        site.part(page),
        Part::Home | Part::Legal | Part::Contact | Part::External
    ) {
        return false;
    }
    let are = |text: &str| phrases.are(&words::split(&words::fold(text)));
    let Some(content) = site.research.pages.get(page).map(|visited| &visited.page) else {
        return false;
    };
    let own = [content.url.as_str(), content.final_url.as_str()];
    let links = site.research.pages.iter().take(1);
    let mut links = links.flat_map(|home| &home.page.links);
    let title = content.title.as_deref().unwrap_or_default();
    let mut headings = content.blocks.iter().filter(|b| b.level == Some(1));
    let in_address = || {
        let path = Url::parse(&content.final_url).ok()?;
        let mut parts = path.path_segments()?.rev().filter(|part| !part.is_empty());
        let last = parts.next()?.to_owned();
        let stem = last
            .rsplit_once('.')
            .map_or(last.as_str(), |(stem, _)| stem);
        Some(are(&stem.replace(['-', '_'], " ")))
    };
    links.any(|link| link.navigation && own.contains(&link.url.as_str()) && are(&link.text))
        || in_address().unwrap_or_default()
        || title
            .split(BETWEEN_SUBJECTS)
            .chain(title.split(" - "))
            .any(are)
        || headings.next().is_some_and(|heading| are(&heading.text))
}

/// What stands under headings that are one of the phrases, and on pages that the site calls so, each with whether it is a
/// whole page. A section within another one is not told again.
pub fn about<'a>(
    site: &Site,
    evidence: &'a Evidence,
    phrases: &'static Phrases,
) -> Vec<(Section<'a>, bool)> {
    let all = sections(site, evidence);
    let mut found: Vec<(Section<'a>, bool)> = Vec::new();
    for (page, ..) in site.own_pages() {
        let of_page = all.iter().filter(|section| section.heading.page == page);
        if is_called(site, page, phrases) {
            found.extend(whole(&all, page).map(|section| (section, true)));
            continue;
        }
        for section in of_page.filter(|section| section.is_headed(phrases)) {
            if !found.iter().any(|(outer, _)| outer.holds(section)) {
                found.push((section.clone(), false));
            }
        }
    }
    found
}

/// A page from its first heading to its end.
fn whole<'a>(sections: &[Section<'a>], page: usize) -> Option<Section<'a>> {
    let mut of_page = sections
        .iter()
        .filter(|section| section.heading.page == page);
    let first = of_page.next()?;
    let mut body = first.body.clone();
    let mut last = body.last().map_or(first.heading.block, |last| last.block);
    for section in of_page {
        if section.heading.block > last {
            body.push(section.heading);
            body.extend(&section.body);
            last = body.last().map_or(last, |last| last.block);
        }
    }
    // Without a title above them all, the first heading is one of those on the page.
    let titles = first.heading.level
        < body
            .iter()
            .filter(is_heading)
            .map(|b| b.level)
            .min()
            .unwrap_or(7);
    if !titles {
        body.insert(0, first.heading);
    }
    Some(Section {
        body,
        ..first.clone()
    })
}

fn is_heading(passage: &&&Passage) -> bool {
    passage.kind == BlockKind::Heading
}

/// The row of cards of a section with the most texts; of equal ones the first.
pub fn cards<'a>(section: &Section<'a>) -> Vec<Item<'a>> {
    let told = |row: &[Item<'_>]| row.iter().filter(|item| item.text.is_some()).count();
    let mut best: Vec<Item<'a>> = Vec::new();
    for row in rows(section) {
        if told(&row) > told(&best) {
            best = row;
        }
    }
    best
}

/// The rows of headings of one level that no larger heading parts, each heading with the text below.
pub fn rows<'a>(section: &Section<'a>) -> Vec<Vec<Item<'a>>> {
    let body = &section.body;
    let mut found: Vec<Vec<Item<'a>>> = Vec::new();
    for level in 1..=6 {
        let mut row: Vec<Item<'a>> = Vec::new();
        for (at, passage) in body.iter().enumerate() {
            if passage.kind != BlockKind::Heading || passage.level > level {
                continue;
            }
            if passage.level < level {
                found.push(std::mem::take(&mut row));
                continue;
            }
            let text = body
                .get(at + 1)
                .filter(|next| next.kind != BlockKind::Heading);
            row.push(Item {
                name_passage: passage,
                name: &passage.text,
                text_passage: text.copied(),
                text: text.map(|text| text.text.as_str()),
            });
        }
        found.push(row);
    }
    found.retain(|row| !row.is_empty());
    found
}
