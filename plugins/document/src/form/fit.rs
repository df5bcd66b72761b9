//! How much of a document there may be: as many slides or pages as the brief asks for, and one page of a one-pager.
//!
//! What nobody asked for goes first. Nothing that the brief says goes for want of room, but from a one-pager that would be none.

use gtm_document_model::block::{Block, Item};
use gtm_document_model::document::{DocumentType, Section};
use gtm_document_model::{Front, plain_text};

use super::{agenda, frame, letter, merged, pages, slides};
use crate::brief::{Count, count_words, words_of};
use crate::chapter::{Chapter, Role, paragraph};
use crate::form::frame::Titles;
use crate::kind::Kind;
use crate::material::Material;

/// About how many words a one-pager has, what nobody asked for included; and how many the brief's own words may be.
const ONE_PAGE_WORDS: usize = 330;
const ONE_PAGE_OWN_WORDS: usize = 550;
/// Most chapters of a one-pager with what nobody asked for.
const ONE_PAGE_CHAPTERS: usize = 6;
/// Most blocks of a chapter, and items of a list, where the brief's own words are too many for one page.
const SHORT_BLOCKS: usize = 2;
const SHORT_ITEMS: usize = 5;
/// About how many words may stand beside the shortest brief that nobody asked for, and how many items each of their lists has
/// where they would be more than the brief's own.
const LEAST_BESIDE: usize = 60;
const ITEMS_BESIDE: usize = 3;
/// Lines of a page, and words of a line.
const PAGE_LINES: usize = 40;
const LINE_WORDS: usize = 12;
/// Lines that the title takes where it has no page of its own.
const TITLE_LINES: usize = 7;
/// Lines that leave a page almost empty, and by how many a page may be misjudged.
const FEW_LINES: usize = 12;
const UNSURE_LINES: usize = 2;
/// A document of so few pages has no room for one.
const FEW_PAGES: usize = 3;

/// What was made, and what was left out for it.
#[derive(Debug)]
pub struct Fitted {
    pub sections: Vec<Section>,
    pub outline: Vec<String>,
    /// Headings of what nobody asked for.
    pub left_out: Vec<String>,
    /// How many slides or pages the brief asks for and there are, where that differs.
    pub other_size: Option<(Count, usize)>,
}

/// What stands around the chapters.
#[derive(Debug, Clone, Copy)]
struct Around {
    cover: bool,
    agenda: bool,
    /// Whether a call to action may have a section of its own.
    closing: bool,
    /// Whether there may be one at all.
    call: bool,
    /// Whether short parts of a chapter stand together on a slide.
    merged: bool,
}

/// The sections of the chapters. `as_written` means that the brief is written slide by slide, or that a model wrote slides.
pub fn fitted(
    material: &Material<'_>,
    kind: &Kind,
    titles: &Titles,
    mut chapters: Vec<Chapter>,
    as_written: bool,
) -> Fitted {
    let wishes = &material.brief.wishes;
    let wanted = match kind.has_slides() {
        true => wishes.slides.or(wishes.pages),
        false => wishes.pages,
    };
    let mut left_out = Vec::new();
    if material.brief.has_slides() && wanted.is_none() {
        // Whoever writes slide by slide wants these slides.
        chapters.retain(|chapter| chapter.unasked.is_none());
    }
    let sells = matches!(
        kind.document_type,
        DocumentType::Proposal | DocumentType::Deck | DocumentType::OnePager
    );
    // Whoever wants so many slides or pages has them filled.
    if sells && wanted.is_none() {
        outweighed(&mut chapters, &mut left_out);
    }
    let is_letter = material.brief.is_letter;
    if kind.document_type == DocumentType::OnePager && !is_letter {
        one_page(&mut chapters, &mut left_out);
    }
    let on_slides = is_on_slides(material, kind);
    let few = !kind.has_slides() && wanted.is_some_and(|wanted| wanted.number <= FEW_PAGES);
    let written = material.brief.has_slides();
    let mut around = Around {
        cover: !few && !is_letter,
        agenda: !written && !is_letter,
        closing: !written,
        call: true,
        merged: on_slides && !as_written,
    };
    loop {
        let sections = sections(material, kind, titles, &chapters, around, as_written);
        let made = match on_slides {
            true => sections.len(),
            false => about_pages(&sections, kind.document_type, &titles.title),
        };
        let too_many = wanted.is_some_and(|wanted| made > wanted.number);
        if too_many && saved(&mut chapters, &mut left_out, &mut around, kind, material) {
            continue;
        }
        let calls_alone = around.call && !kind.has_slides() && {
            let bare = Around {
                call: false,
                ..around
            };
            let body = self::sections(material, kind, titles, &chapters, bare, as_written);
            stands_alone(&body, &sections, kind.document_type, &titles.title)
        };
        if calls_alone {
            // First it loses its heading and then its place.
            around.call = std::mem::take(&mut around.closing);
            continue;
        }
        let exact = on_slides && wanted.is_some_and(|wanted| !wanted.at_most);
        // Whoever wants more slides has nothing from few full ones.
        if exact && around.merged && wanted.is_some_and(|wanted| made < wanted.number) {
            around.merged = false;
            continue;
        }
        let differs = too_many || (exact && wanted.is_some_and(|wanted| made < wanted.number));
        return Fitted {
            outline: frame::headings(&chapters),
            sections,
            left_out,
            other_size: wanted.filter(|_| differs).map(|wanted| (wanted, made)),
        };
    }
}

/// Whether the text is parted into slides. One page stays one on a slide, and so does a letter.
fn is_on_slides(material: &Material<'_>, kind: &Kind) -> bool {
    let is_page = kind.document_type == DocumentType::OnePager && !material.brief.has_slides();
    kind.has_slides() && !is_page && !material.brief.is_letter
}

/// Leaves out what is missed least; false if there is nothing more.
fn saved(
    chapters: &mut Vec<Chapter>,
    left_out: &mut Vec<String>,
    around: &mut Around,
    kind: &Kind,
    material: &Material<'_>,
) -> bool {
    if let Some(chapter) = least(chapters) {
        left_out.push(chapter.heading);
        return true;
    }
    if !is_on_slides(material, kind) {
        return false;
    }
    // The brief's own first slide opens a deck that is written slide by slide.
    let spare = [&mut around.agenda, &mut around.closing, &mut around.cover];
    let allowed = 2 + usize::from(material.brief.has_slides());
    match spare.into_iter().take(allowed).find(|part| **part) {
        Some(part) => {
            *part = false;
            true
        }
        None => false,
    }
}

/// Takes out the chapter that is missed least among those that nobody asked for.
fn least(chapters: &mut Vec<Chapter>) -> Option<Chapter> {
    least_missed(chapters).map(|at| chapters.remove(at))
}

/// Which chapter is missed least among those that nobody asked for.
fn least_missed(chapters: &[Chapter]) -> Option<usize> {
    let unasked = chapters.iter().enumerate();
    let unasked = unasked.filter_map(|(at, chapter)| Some((chapter.unasked?, at)));
    unasked.max().map(|(_, at)| at)
}

fn sections(
    material: &Material<'_>,
    kind: &Kind,
    titles: &Titles,
    chapters: &[Chapter],
    around: Around,
    as_written: bool,
) -> Vec<Section> {
    let language = material.language.as_str();
    let mut chapters = chapters.to_vec();
    let on_slides = is_on_slides(material, kind);
    let facts = match on_slides && around.cover && !as_written {
        true => frame::facts_of_cover(&mut chapters, titles, language),
        false => Vec::new(),
    };
    let has_head = chapters
        .first()
        .is_some_and(|it| it.role == Role::LetterHead);
    if material.brief.is_letter || has_head {
        chapters = letter::laid_out(chapters, kind.format);
    }
    let items = material.brief.wishes.items;
    // An agenda lists what its slides are called.
    let called = |chapter: &Chapter| -> Chapter {
        let first = slides::slides(vec![chapter.clone()], language, as_written, items)
            .into_iter()
            .next();
        let title = first.map(|first| first.title);
        let title = title.filter(|title| on_slides && !title.starts_with(&chapter.heading));
        Chapter {
            heading: title.unwrap_or_else(|| chapter.heading.clone()),
            ..chapter.clone()
        }
    };
    let contents = match around.agenda {
        true => frame::contents(&chapters.iter().map(called).collect::<Vec<_>>()),
        false => Vec::new(),
    };
    if around.merged {
        for chapter in &mut chapters {
            let blocks = std::mem::take(&mut chapter.blocks);
            chapter.blocks = merged::merged(blocks, &chapter.heading);
        }
    }
    let body = match on_slides {
        true => slides::slides(chapters, language, as_written, items),
        false => pages::sections(chapters, language),
    };
    let mut sections = Vec::with_capacity(body.len() + 3);
    let cover = frame::cover(titles, kind.document_type).filter(|_| around.cover);
    sections.extend(cover.map(|cover| Section {
        blocks: facts,
        ..cover
    }));
    if around.agenda {
        sections.extend(agenda::slides(&contents, kind, language));
    }
    sections.extend(body);
    if around.call {
        frame::close(&mut sections, material, kind, around.closing);
    }
    sections
}

/// Keeps what nobody asked for shorter than what the brief says: first its lists become short, then what is missed least goes.
fn outweighed(chapters: &mut Vec<Chapter>, left_out: &mut Vec<String>) {
    let words = |chapters: &[Chapter], unasked: bool| -> usize {
        let chapters = chapters.iter();
        let counted = chapters.filter(|chapter| chapter.unasked.is_some() == unasked);
        counted.map(|chapter| words_of(&chapter.blocks)).sum()
    };
    let own = words(chapters, false).max(LEAST_BESIDE);
    if words(chapters, true) > own {
        for chapter in chapters.iter_mut().filter(|it| it.unasked.is_some()) {
            for block in &mut chapter.blocks {
                if let Block::Bullets(list) = block {
                    list.items.truncate(ITEMS_BESIDE);
                }
            }
        }
    }
    while words(chapters, true) > own {
        let Some(at) = least_missed(chapters) else {
            return;
        };
        // What is offered is said even beside a brief of a few words, in one line.
        let offers = |chapter: &&mut Chapter| chapter.role == Role::Offer;
        if let Some(offer) = chapters.get_mut(at).filter(offers)
            && shortened_to_a_line(offer)
        {
            continue;
        }
        left_out.push(chapters.remove(at).heading);
    }
}

/// Leaves of a chapter its first line; says whether there was more.
fn shortened_to_a_line(chapter: &mut Chapter) -> bool {
    let before = words_of(&chapter.blocks);
    chapter.blocks.truncate(1);
    if let Some(Block::Bullets(list)) = chapter.blocks.first_mut() {
        list.items.truncate(1);
        chapter.blocks = std::mem::take(&mut list.items)
            .into_iter()
            .map(|item| paragraph(item.runs))
            .collect();
    }
    words_of(&chapter.blocks) < before
}

/// Leaves out of a one-pager what nobody asked for, and shortens what the brief says if even that is too much.
fn one_page(chapters: &mut Vec<Chapter>, left_out: &mut Vec<String>) {
    let words = |chapters: &[Chapter]| -> usize {
        let words = chapters
            .iter()
            .map(|chapter| words_of(&chapter.blocks) + count_words(&chapter.heading));
        words.sum()
    };
    while words(chapters) > ONE_PAGE_WORDS || chapters.len() > ONE_PAGE_CHAPTERS {
        let Some(chapter) = least(chapters) else {
            break;
        };
        left_out.push(chapter.heading);
    }
    // Where both are shown, the chart is the less exact one.
    for chapter in chapters.iter_mut() {
        let is_table = |block: &Block| matches!(block, Block::Table(_));
        let has_table = chapter.blocks.iter().any(is_table);
        let full = words_of(&chapter.blocks) > ONE_PAGE_WORDS / 3;
        chapter
            .blocks
            .retain(|block| !(has_table && full && matches!(block, Block::Chart(_))));
    }
    if words(chapters) <= ONE_PAGE_OWN_WORDS {
        return;
    }
    for chapter in chapters.iter_mut() {
        if matches!(chapter.role, Role::Price | Role::NextSteps) {
            continue;
        }
        chapter.blocks.truncate(SHORT_BLOCKS);
        for block in &mut chapter.blocks {
            if let Block::Bullets(list) = block {
                list.items.truncate(SHORT_ITEMS);
            }
        }
    }
    while words(chapters) > ONE_PAGE_OWN_WORDS {
        let last = chapters
            .iter()
            .rposition(|chapter| !matches!(chapter.role, Role::Price | Role::NextSteps));
        match last.filter(|at| *at > 0) {
            Some(at) => chapters.remove(at),
            None => return,
        };
    }
}

/// About how many pages the sections fill. Only a renderer knows.
fn about_pages(sections: &[Section], kind: DocumentType, title: &str) -> usize {
    let words: usize = sections
        .iter()
        .map(|section| words_of(&section.blocks))
        .sum();
    if kind == DocumentType::OnePager && words <= ONE_PAGE_WORDS {
        return 1;
    }
    let front = Front::of(kind, title, sections);
    let text = lines(sections, kind, title).div_ceil(PAGE_LINES).max(1);
    text + usize::from(front.has_cover) + usize::from(front.has_contents)
}

/// About how many lines the sections have, and the title where it has no page of its own.
fn lines(sections: &[Section], kind: DocumentType, title: &str) -> usize {
    let filled = sections.iter().filter(|section| !section.blocks.is_empty());
    let lines: usize = filled
        .map(|section| 3 + section.blocks.iter().map(lines_of).sum::<usize>())
        .sum();
    let front = Front::of(kind, title, sections);
    let is_titled = !front.has_cover && kind != DocumentType::OnePager;
    lines + if is_titled { TITLE_LINES } else { 0 }
}

/// Whether what `all` has behind its `body` would stand on a further page with nothing else. A page is not counted to the line.
fn stands_alone(body: &[Section], all: &[Section], kind: DocumentType, title: &str) -> bool {
    let lines = |sections: &[Section]| lines(sections, kind, title);
    let (before, after) = (lines(body), lines(all));
    let adds =
        before.saturating_sub(UNSURE_LINES).div_ceil(PAGE_LINES) < after.div_ceil(PAGE_LINES);
    kind != DocumentType::OnePager
        && before < after
        && adds
        && after > PAGE_LINES
        && (after - 1) % PAGE_LINES < FEW_LINES
}

fn lines_of(block: &Block) -> usize {
    fn item_lines(item: &Item) -> usize {
        let own = count_words(&plain_text(&item.runs)).div_ceil(LINE_WORDS);
        own.max(1) + item.items.iter().map(item_lines).sum::<usize>()
    }
    let words = words_of(std::slice::from_ref(block)).div_ceil(LINE_WORDS);
    match block {
        Block::Bullets(list) => list.items.iter().map(item_lines).sum::<usize>() + 1,
        Block::Table(table) => table.rows.len() * 2 + 2,
        Block::Comparison(comparison) => comparison.criteria.len() * 2 + 2,
        Block::Chart(_) | Block::Image(_) => 16,
        Block::Kpis(_) => 5,
        Block::Steps(steps) => steps.items.len() + words,
        Block::Timeline(timeline) => timeline.events.len() + words,
        Block::Quote(_) | Block::Callout(_) | Block::Cta(_) => words + 3,
        Block::Heading(_) | Block::Lead(_) | Block::Paragraph(_) | Block::Columns(_) => words + 1,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use gtm_document_model::document::Layout;
    use gtm_document_model::text::Run;

    use super::*;
    use crate::chapter::bullets;

    fn text(words: usize) -> Vec<Run> {
        vec![Run::plain("word ".repeat(words).trim())]
    }

    #[test]
    fn a_call_to_action_alone_on_a_page_is_noticed() {
        let section = |lines: usize| {
            let words = (lines - 4) * LINE_WORDS;
            let blocks = vec![paragraph(text(words))];
            super::super::section("Title", Layout::Content, blocks, Vec::new())
        };
        for (body, call, alone) in [
            (PAGE_LINES - TITLE_LINES - 2, 8, true),
            (PAGE_LINES - TITLE_LINES - 12, 8, false),
            (PAGE_LINES + 12, 8, false),
            (PAGE_LINES - TITLE_LINES - 2, 30, false),
        ] {
            let body = [section(body)];
            let all = [body[0].clone(), section(call)];
            let found = stands_alone(&body, &all, DocumentType::Proposal, "Of");
            assert_eq!(found, alone, "{call}");
        }
    }

    #[test]
    fn what_is_offered_stays_in_one_line_beside_a_short_brief() {
        let chapter = |role: Role, unasked: Option<u8>, blocks: Vec<Block>| Chapter {
            unasked,
            ..Chapter::of(format!("{role:?}"), role, blocks).unwrap()
        };
        let mut chapters = vec![
            chapter(Role::Content, None, vec![paragraph(text(20))]),
            chapter(
                Role::Offer,
                Some(2),
                bullets(vec![text(15), text(30), text(30)])
                    .into_iter()
                    .collect(),
            ),
            chapter(Role::AboutUs, Some(4), vec![paragraph(text(30))]),
            chapter(Role::Price, Some(1), vec![paragraph(text(20))]),
        ];
        let mut left_out = Vec::new();
        outweighed(&mut chapters, &mut left_out);
        let kept: Vec<(Role, usize)> = chapters
            .iter()
            .map(|chapter| (chapter.role, words_of(&chapter.blocks)))
            .collect();
        assert_eq!(
            kept,
            [(Role::Content, 20), (Role::Offer, 15), (Role::Price, 20)]
        );
        assert_eq!(left_out, ["AboutUs"]);
    }
}
