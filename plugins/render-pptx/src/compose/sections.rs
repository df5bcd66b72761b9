//! The slides of a document, in their order.

mod feet;
mod one_page;
mod special;

use gtm_document_model::document::Layout as Hint;
use gtm_document_model::{Block, Section};

use super::flow::{MOST_SLIDES, on_one, on_several};
use super::{Fill, Item, Page};
use crate::blocks::{BoxedPiece, Kind, Style, TextPiece, pieces};
use crate::context::Context;
use crate::diagnostics::{Code, Diagnostics};
use crate::geometry::{Emu, Rect, of_size, pt};
use crate::layout::{Layout, body_top, title_rect};
use crate::text::{Paragraph, spans};

/// Plans all slides.
pub fn plan<'d>(context: &Context<'d>, diagnostics: &mut Diagnostics) -> Vec<Page<'d>> {
    let document = context.document;
    let mut pages = Vec::new();
    if context.look.is_one_page {
        if one_page::plan(context, diagnostics, &mut pages) {
            return pages;
        }
    } else {
        let mut sections: Vec<(usize, &Section)> = document.sections.iter().enumerate().collect();
        let is_cover = |(_, section): &(usize, &Section)| section.layout == Some(Hint::Cover);
        let cover = sections.first().copied().filter(is_cover);
        if cover.is_some() {
            sections.remove(0);
        }
        pages.push(special::cover(context, cover.map(|(_, section)| section)));
        let has_agenda = sections
            .iter()
            .any(|(_, section)| section.layout == Some(Hint::Agenda));
        let own: Vec<&Section> = sections.iter().map(|(_, section)| *section).collect();
        if !has_agenda
            && special::parts_of(&own, &document.meta.language).len() >= context.look.agenda_from
        {
            pages.extend(special::agenda(context, None, &own, "/meta"));
        }
        let mut number = 0;
        for (index, section) in sections {
            if pages.len() >= MOST_SLIDES {
                let pointer = format!("/sections/{index}");
                let message = format!(
                    "A presentation has at most {MOST_SLIDES} slides; this section is not in it."
                );
                diagnostics.add(Code::DroppedBlock, &pointer, message);
                break;
            }
            let is_content = !matches!(
                section.layout,
                Some(Hint::Cover | Hint::Agenda | Hint::Divider | Hint::Closing)
            );
            number += usize::from(is_content);
            let overline = (context.look.is_numbered && is_content).then(|| format!("{number:02}"));
            let room = MOST_SLIDES - pages.len();
            pages.extend(section_pages(
                context,
                section,
                index,
                overline,
                &own,
                diagnostics,
                room,
            ));
        }
    }
    if context.look.is_one_page || !feet::suffice(context) {
        pages.extend(special::sources(
            context,
            diagnostics,
            MOST_SLIDES + 50 - pages.len().min(MOST_SLIDES),
        ));
    }
    pages
}

fn section_pages<'d>(
    context: &Context<'d>,
    section: &'d Section,
    index: usize,
    overline: Option<String>,
    all: &[&Section],
    diagnostics: &mut Diagnostics,
    room: usize,
) -> Vec<Page<'d>> {
    let pointer = format!("/sections/{index}");
    let notes = notes(context, section);
    let special = match section.layout {
        Some(Hint::Agenda) if section.blocks.is_empty() => {
            special::agenda(context, Some(&section.title), all, &pointer)
        }
        Some(Hint::Divider) => special::divider(context, section).into_iter().collect(),
        Some(Hint::Statement) => special::statement(context, section).into_iter().collect(),
        Some(Hint::Closing) => special::closing(context, section, &pointer)
            .into_iter()
            .collect(),
        Some(Hint::Cover) => special::divider(context, section).into_iter().collect(),
        None if section.blocks.is_empty() => {
            special::divider(context, section).into_iter().collect()
        }
        _ => Vec::new(),
    };
    let mut pages = if special.is_empty() {
        let make = || pieces(context, &section.blocks, &format!("{pointer}/blocks"));
        let layout = hinted(section);
        let foot = feet::of(context, section);
        let mut pages = content(
            context,
            &section.title,
            &make,
            layout,
            &pointer,
            diagnostics,
            room,
            foot.as_ref().map_or(context.body_end, feet::Foot::top),
        );
        for page in &mut pages {
            page.items.extend(foot.as_ref().map(feet::Foot::item));
        }
        pages
    } else {
        special
    };
    if let Some(first) = pages.first_mut() {
        first.notes = notes;
    }
    for page in &mut pages {
        page.overline.clone_from(&overline);
    }
    pages
}

fn hinted(section: &Section) -> Layout {
    match section.layout {
        Some(Hint::Agenda) => Layout::Agenda,
        Some(Hint::Figures) => Layout::Figures,
        Some(Hint::Comparison) => Layout::Comparison,
        _ => Layout::Content,
    }
}

/// What the speaker says.
pub fn notes(context: &Context<'_>, section: &Section) -> Vec<Paragraph> {
    let notes = spans(&section.notes, &context.citations);
    if notes.is_empty() {
        Vec::new()
    } else {
        vec![Paragraph::new(notes, 1_200)]
    }
}

/// A title in the largest size in which it takes at most two lines, and how many it takes.
pub fn fitted_title(
    context: &Context<'_>,
    text: &str,
    wanted: Paragraph,
    width: Emu,
    most: usize,
) -> (Paragraph, usize) {
    let mut title = Paragraph {
        spans: Paragraph::plain(text.replace('\n', " "), wanted.size).spans,
        ..wanted
    };
    let language = &context.document.meta.language;
    loop {
        let phrased = context.measure.phrased(&title, language, width);
        let lines = context.measure.lines(&phrased, width).len();
        if lines <= most || title.size <= 1_800 {
            return (phrased, lines);
        }
        title.size -= 200;
    }
}

/// Slides of the usual kind: a title, and pieces below it that end where it is said.
#[expect(clippy::too_many_arguments, reason = "each caller has other ones")]
pub fn content<'d>(
    context: &Context<'d>,
    title: &str,
    make: &dyn Fn() -> Vec<BoxedPiece<'d>>,
    hint: Layout,
    pointer: &str,
    diagnostics: &mut Diagnostics,
    room: usize,
    end: Emu,
) -> Vec<Page<'d>> {
    let look = &context.look;
    let wanted = Paragraph {
        role: look.title_role,
        ..Paragraph::title("", look.title)
    };
    let width = title_rect(look, 1).w;
    let (title, title_lines) = fitted_title(context, title, wanted, width, 2);
    if title_lines > 2 {
        let message = "The title is longer than two lines.";
        diagnostics.add(Code::Overflow, &format!("{pointer}/title"), message);
    }
    let lines = Emu::try_from(title_lines).unwrap_or(1);
    // Titles are where they are on every slide; a smaller or longer one only moves what stands below it.
    let height = of_size(title.size, title.line) * lines;
    let top = body_top(look, 1) - of_size(look.title, title.line)
        + height.max(of_size(look.title, title.line));
    let body = Rect::on_grid(0, 12, top, end);
    let page = |style: Style, items: Vec<Item<'d>>, part| {
        let layout = layout_of(&items, hint);
        Page {
            layout,
            title: title.clone(),
            overline: None,
            part,
            style,
            items,
            fills: Vec::new(),
            notes: Vec::new(),
            on_primary: false,
            has_footer: true,
        }
    };
    if let Some((style, items)) = on_one(context, &mut make(), body) {
        let items = match hint {
            Layout::Agenda => spread(context, style, items, body, AGENDA_PERCENT),
            _ if is_sparse(&items, body) => {
                lowered(spread(context, style, items, body, SPARSE_PERCENT), body)
            }
            _ => items,
        };
        return vec![page(style, items, None)];
    }
    let groups = on_several(context, make, body, diagnostics, room);
    let count = groups.len();
    groups
        .into_iter()
        .enumerate()
        .map(|(index, (style, items))| {
            page(style, items, (count > 1).then_some((index + 1, count)))
        })
        .collect()
}

/// How much of a slide an agenda fills, and a few lines of text, where they are set apart.
const AGENDA_PERCENT: Emu = 75;
const SPARSE_PERCENT: Emu = 55;
/// How much of a slide a few lines of text take.
const FEW_PERCENT: Emu = 50;
/// How far below the title they stand at most.
const MOST_LOWERED: Emu = pt(56);

/// Whether a few lines of text have a slide to themselves.
fn is_sparse(items: &[Item<'_>], body: Rect) -> bool {
    let is_text = |item: &Item<'_>| item.piece.kind() == Kind::Text && !item.is_beside;
    let end = items.iter().map(|item| item.rect.y + item.rect.h).max();
    items.iter().all(is_text) && end.is_some_and(|end| (end - body.y) * 100 <= body.h * FEW_PERCENT)
}

/// Lets text stand a little above the middle of the room below the title.
fn lowered<'d>(mut items: Vec<Item<'d>>, body: Rect) -> Vec<Item<'d>> {
    let end = items.iter().map(|item| item.rect.y + item.rect.h).max();
    let free = end.map_or(0, |end| body.y + body.h - end);
    let by = (free * 3 / 10).clamp(0, MOST_LOWERED);
    for item in &mut items {
        item.rect.y += by;
    }
    items
}

/// An agenda has the slide to itself, so its entries stand well apart; so do a few lines of text.
fn spread<'d>(
    context: &Context<'_>,
    style: Style,
    items: Vec<Item<'d>>,
    body: Rect,
    percent: Emu,
) -> Vec<Item<'d>> {
    let [item] = items.as_slice() else {
        return items;
    };
    let Some(text) = item.piece.as_text() else {
        return items;
    };
    let mut paragraphs = text.paragraphs(style);
    let free = body.h * percent / 100 - item.rect.h;
    let gaps = Emu::try_from(paragraphs.len().saturating_sub(1)).unwrap_or(1);
    // In hundredths of a point.
    let more = u32::try_from(free / gaps.max(1) / 127).unwrap_or(0);
    let more = more.min(style.body * 6 / 5);
    for paragraph in paragraphs
        .iter_mut()
        .skip(1)
        .filter(|paragraph| paragraph.level == 0)
    {
        paragraph.before += more;
    }
    let pointer = item.piece.pointer().to_owned();
    let height = context
        .measure
        .total(&paragraphs, item.rect.w, Emu::MAX / 4)
        .min(body.h);
    vec![Item {
        rect: Rect {
            h: height,
            ..item.rect
        },
        piece: Box::new(TextPiece::of_paragraphs(paragraphs, pointer)),
        is_beside: false,
    }]
}

/// The layout whose placeholders the items fill.
fn layout_of(items: &[Item<'_>], hint: Layout) -> Layout {
    let has_text = items.iter().any(|item| item.piece.kind() == Kind::Text);
    let has_beside = items.iter().any(|item| item.is_beside);
    match hint {
        Layout::Agenda if has_text => Layout::Agenda,
        Layout::Comparison if !has_text => Layout::Comparison,
        _ if has_text && has_beside => Layout::TwoColumns,
        _ if has_text => Layout::Content,
        _ => Layout::Figures,
    }
}

/// The paragraphs of blocks that are all running text; nothing where one isn't.
pub fn text_only(context: &Context<'_>, blocks: &[Block], style: Style) -> Option<Vec<Paragraph>> {
    let mut paragraphs = Vec::new();
    for piece in pieces(context, blocks, "") {
        paragraphs.extend(piece.as_text()?.paragraphs(style));
    }
    Some(paragraphs)
}

/// A slide of a layout whose placeholders have text.
pub fn filled<'d>(layout: Layout, title: Paragraph, fills: Vec<Fill>) -> Page<'d> {
    Page {
        layout,
        title,
        overline: None,
        part: None,
        style: Style { body: 2_000 },
        items: Vec::new(),
        fills,
        notes: Vec::new(),
        on_primary: false,
        has_footer: false,
    }
}
