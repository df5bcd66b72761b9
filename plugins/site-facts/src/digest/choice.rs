//! Which entries stand in the digest: those that say most, of every page some, as much as one reads in two minutes.

use std::collections::BTreeSet;

use super::units::Unit;

/// Most entries in all, and most of one page where the site has many.
const MOST: usize = 60;
const MOST_OF_PAGE: usize = 10;
/// Most room in all (see `score::width`).
const ROOM: usize = 9_000;
/// Room that is kept for the rows of headings.
const ROOM_OF_OUTLINES: usize = 900;
/// What each entry of a page that was chosen takes from the next one's worth.
const NEXT: i32 = 1;

/// The chosen entries of pages, in the order of the pages and of each page.
pub fn chosen(pages: Vec<Vec<Unit>>) -> Vec<Unit> {
    let filled = pages.iter().filter(|units| !units.is_empty()).count();
    let most_of_page = MOST_OF_PAGE.max(MOST / filled.max(1));
    let mut order: Vec<(i32, usize, usize)> = Vec::new();
    for (page, units) in pages.iter().enumerate() {
        let said = units
            .iter()
            .enumerate()
            .filter(|(_, unit)| !unit.is_outline);
        let mut ranked: Vec<(i32, usize)> = said.map(|(at, unit)| (unit.score, at)).collect();
        ranked.sort_by_key(|(score, at)| (-score, *at));
        for (rank, (score, at)) in ranked.into_iter().take(most_of_page).enumerate() {
            let worth = score - NEXT * i32::try_from(rank).unwrap_or(i32::MAX);
            order.push((worth, page, at));
        }
    }
    order.sort_by_key(|(worth, page, at)| (-worth, *page, *at));
    let mut taken: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut room = ROOM - ROOM_OF_OUTLINES;
    for (worth, page, at) in order {
        let wide = pages
            .get(page)
            .and_then(|units| units.get(at))
            .map(Unit::width);
        if let Some(wide) = wide.filter(|wide| worth > 0 && *wide <= room && taken.len() < MOST) {
            room -= wide;
            taken.insert((page, at));
        }
    }
    room += ROOM_OF_OUTLINES;
    let mut found = Vec::new();
    let mut count = taken.len();
    for (page, units) in pages.into_iter().enumerate() {
        let (outlines, said): (Vec<_>, Vec<_>) =
            (units.into_iter().enumerate()).partition(|(_, unit)| unit.is_outline);
        let said = said
            .into_iter()
            .filter(|(at, _)| taken.contains(&(page, *at)));
        let mut shown: Vec<Unit> = said.map(|(_, unit)| unit).collect();
        for (_, outline) in outlines {
            let rest = without_shown(outline, &shown);
            let wide = rest.width();
            if rest.parts.len() > 1 && wide <= room && count < MOST {
                room -= wide;
                count += 1;
                shown.push(rest);
            }
        }
        shown.sort_by_key(Unit::block);
        found.extend(shown);
    }
    found
}

/// A row of headings without those that stand above another entry.
fn without_shown(outline: Unit, shown: &[Unit]) -> Unit {
    let blocks: BTreeSet<usize> = shown
        .iter()
        .filter_map(|unit| unit.heading.as_ref())
        .map(|heading| heading.block)
        .collect();
    let parts = outline.parts.into_iter();
    Unit {
        parts: parts.filter(|part| !blocks.contains(&part.block)).collect(),
        ..outline
    }
}
