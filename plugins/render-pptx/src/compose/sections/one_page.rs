//! A document of one page: sections in two columns below one head, those that want it across the whole width.
//! What does not fit goes on in the same way on a further slide.

use gtm_document_model::{Block, Run, Section};

use super::super::flow::{MOST_SLIDES, stack_height};
use super::super::{Item, Page};
use super::special::brief_sources;
use super::{content, fitted_title};
use crate::blocks::{
    BoxedPiece, ColumnsPiece, Kind, Style, TextBlock, TextKind, TextPiece, pieces,
};
use crate::context::Context;
use crate::diagnostics::{Code, Diagnostics};
use crate::geometry::{BODY_END, Emu, GUTTER, Rect, columns, pt};
use crate::layout::{Layout, body_top, title_rect};
use crate::text::{Paragraph, Span};

/// Where sources at the foot of the page end: closer to the footer than other pieces.
const FOOT_END: Emu = pt(500);
/// Space between sections.
const GAP: Emu = pt(16);

/// The heading of a section, unless the head of the page has these words already.
fn heading<'d>(context: &Context<'d>, index: usize) -> Option<&'d str> {
    let section = context.document.sections.get(index)?;
    section.heading(index, &context.document.meta.title)
}

/// The pieces of a section with its title as a heading.
fn section<'d>(context: &Context<'d>, index: usize) -> Vec<BoxedPiece<'d>> {
    let Some(section) = context.document.sections.get(index) else {
        return Vec::new();
    };
    let pointer = format!("/sections/{index}");
    let mut all: Vec<BoxedPiece<'d>> = Vec::new();
    if let Some(title) = heading(context, index) {
        let heading = TextBlock {
            kind: TextKind::Heading(2),
            spans: vec![Span {
                text: title.to_owned(),
                ..Span::default()
            }],
        };
        all.push(Box::new(TextPiece::new(vec![heading], pointer.clone())));
    }
    all.extend(body(context, &section.blocks, &format!("{pointer}/blocks")));
    all
}

/// The pieces of a section. Words that it ends with stand beside its call to action, because a page is short.
fn body<'d>(context: &Context<'d>, blocks: &'d [Block], pointer: &str) -> Vec<BoxedPiece<'d>> {
    let Some((before, [words, action])) = blocks.split_last_chunk::<2>() else {
        return pieces(context, blocks, pointer);
    };
    let is_short = |runs: &[Run]| runs.iter().map(|run| run.text.len()).sum::<usize>() <= 240;
    let stand_beside = match words {
        Block::Quote(quote) => is_short(&quote.runs),
        Block::Callout(callout) => is_short(&callout.runs),
        _ => false,
    };
    if !stand_beside || !matches!(action, Block::Cta(_)) {
        return pieces(context, blocks, pointer);
    }
    let mut all = pieces(context, before, pointer);
    let at = |index: usize| format!("{pointer}/{index}");
    let index = before.len();
    let sides = [words, action].map(std::slice::from_ref);
    let pair = vec![(sides[0], at(index)), (sides[1], at(index + 1))];
    all.push(Box::new(ColumnsPiece::of_blocks(context, pair, at(index))));
    all
}

/// Whether a section needs the whole width.
fn is_wide(section: &Section) -> bool {
    section.blocks.iter().any(|block| match block {
        Block::Kpis(kpis) => kpis.items.len() > 2,
        Block::Table(table) => table.columns.len() > 3,
        Block::Steps(steps) => steps.items.len() > 2,
        Block::Timeline(timeline) => timeline.events.len() > 2,
        Block::Comparison(_) | Block::Columns(_) => true,
        _ => false,
    })
}

/// Sections that stand in one row: one across the whole width, or several in two columns, parted after the
/// first so many.
#[derive(Debug, Clone, Copy)]
struct Row {
    from: usize,
    parted: usize,
    to: usize,
    height: Emu,
}

/// Plans the slides. Whether the sources stand on them.
pub fn plan<'d>(
    context: &Context<'d>,
    diagnostics: &mut Diagnostics,
    pages: &mut Vec<Page<'d>>,
) -> bool {
    let brief = brief_sources(context);
    let (_, width) = columns(0, 12);
    let height = context.measure.total(&brief, width, BODY_END);
    if !brief.is_empty() && height <= BODY_END / 8 {
        // Sources at the foot, if they cost no page: on one of their own they would.
        let mut lower = Context::new(context.document);
        lower.body_end = FOOT_END - height - pt(6);
        let (mut told, mut found) = (Diagnostics::default(), Vec::new());
        sections(&lower, &mut told, &mut found);
        if let [only] = found.as_mut_slice() {
            let rect = Rect::on_grid(0, 12, FOOT_END - height, FOOT_END);
            only.items.push(Item {
                piece: Box::new(TextPiece::of_paragraphs(brief, "/sources".to_owned())),
                rect,
                is_beside: false,
            });
            diagnostics.extend(told);
            pages.append(&mut found);
            return true;
        }
    }
    sections(context, diagnostics, pages);
    false
}

/// All sections, on one slide if they fit.
fn sections<'d>(context: &Context<'d>, diagnostics: &mut Diagnostics, pages: &mut Vec<Page<'d>>) {
    if let Some(found) = compact(context) {
        pages.extend(found);
        return;
    }
    for (index, section) in context.document.sections.iter().enumerate() {
        let pointer = format!("/sections/{index}");
        let Some(room) = MOST_SLIDES
            .checked_sub(pages.len())
            .filter(|room| *room > 0)
        else {
            let message = format!(
                "A presentation has at most {MOST_SLIDES} slides; this section is not in it."
            );
            diagnostics.add(Code::DroppedBlock, &pointer, message);
            return;
        };
        let make = || body(context, &section.blocks, &format!("{pointer}/blocks"));
        let found = content(
            context,
            &section.title,
            &make,
            Layout::Content,
            &pointer,
            diagnostics,
            room,
            context.body_end,
        );
        pages.extend(found);
    }
}

/// On as few slides as in the least size, in the largest size with which that is so. Nothing where a section is
/// higher than a slide.
fn compact<'d>(context: &Context<'d>) -> Option<Vec<Page<'d>>> {
    let sizes = context.look.body.iter().map(|body| Style { body: *body });
    let plans = sizes.filter_map(|style| rows(context, style).map(|rows| (style, rows)));
    let mut best: Option<(Style, Vec<Vec<Row>>)> = None;
    for (style, rows) in plans {
        if best
            .as_ref()
            .is_none_or(|(_, found)| rows.len() < found.len())
        {
            best = Some((style, rows));
        }
    }
    let (style, groups) = best?;
    let count = groups.len();
    let pages = groups.iter().enumerate().map(|(index, rows)| {
        let part = (count > 1).then_some((index + 1, count));
        page(context, style, rows, index == 0, part)
    });
    Some(pages.collect())
}

/// The head of the first slide ends here: title and subtitle.
fn head<'d>(context: &Context<'d>, style: Style) -> (Paragraph, Option<Item<'d>>, Emu) {
    let meta = &context.document.meta;
    let look = &context.look;
    let wanted = Paragraph {
        role: look.title_role,
        ..Paragraph::title("", look.title)
    };
    let width = title_rect(look, 1).w;
    let (title, lines) = fitted_title(context, &meta.title, wanted, width, 1);
    let lines = Emu::try_from(lines).unwrap_or(1);
    let mut top = body_top(look, lines) - pt(14);
    let subtitle = meta.subtitle.as_ref().map(|subtitle| {
        let span = Span {
            text: subtitle.clone(),
            ..Span::default()
        };
        let block = TextBlock {
            kind: TextKind::Paragraph,
            spans: vec![span],
        };
        let piece: BoxedPiece<'d> =
            Box::new(TextPiece::new(vec![block], "/meta/subtitle".to_owned()));
        let rect = Rect::on_grid(0, 12, top, context.body_end);
        let height = piece.height(context, style, rect.w, rect.h);
        top += height + pt(14);
        Item {
            piece,
            rect: Rect { h: height, ..rect },
            is_beside: false,
        }
    });
    (title, subtitle, top)
}

/// The room below the head, on the first slide and on further ones.
fn room(context: &Context<'_>, style: Style, is_first: bool) -> Rect {
    let top = if is_first {
        head(context, style).2
    } else {
        body_top(&context.look, 1) - pt(14)
    };
    Rect::on_grid(0, 12, top, context.body_end)
}

/// Distributes all sections over slides.
fn rows(context: &Context<'_>, style: Style) -> Option<Vec<Vec<Row>>> {
    let sections = &context.document.sections;
    let wide = Rect::on_grid(0, 12, 0, context.body_end);
    let narrow = wide.side_by_side(2, 2 * GUTTER).first()?.w;
    let height = |index: usize, width: Emu| {
        stack_height(context, style, &section(context, index), width, wide.h)
    };
    let mut pages: Vec<Vec<Row>> = vec![Vec::new()];
    let mut left = room(context, style, true).h;
    let mut from = 0;
    while let Some(first) = sections.get(from) {
        let begun = pages.last().is_some_and(|page| !page.is_empty());
        let free = if begun { left - GAP } else { left };
        let row = if is_wide(first) {
            Row {
                from,
                parted: from + 1,
                to: from + 1,
                height: height(from, wide.w),
            }
        } else {
            let run = sections[from..].iter().take_while(|next| !is_wide(next));
            let heights: Vec<Emu> = (from..from + run.count())
                .map(|index| height(index, narrow))
                .collect();
            longest(from, &heights, free)
        };
        if row.height > free {
            if !begun {
                return None;
            }
            pages.push(Vec::new());
            left = room(context, style, false).h;
            continue;
        }
        left = free - row.height;
        from = row.to;
        pages.last_mut()?.push(row);
    }
    Some(pages)
}

/// As many of the sections as fit into two columns of this height, as fairly parted as can be.
fn longest(from: usize, heights: &[Emu], free: Emu) -> Row {
    let total = |heights: &[Emu]| {
        let gaps = GAP * Emu::try_from(heights.len().saturating_sub(1)).unwrap_or(0);
        heights.iter().sum::<Emu>() + gaps
    };
    let parted = |count: usize| {
        let some = heights.get(..count).unwrap_or(heights);
        let all = (1..=some.len()).map(|at| {
            let (first, second) = some.split_at(at);
            (total(first).max(total(second)), at)
        });
        all.min().unwrap_or((0, count))
    };
    let mut count = heights.len();
    while count > 1 && parted(count).0 > free {
        count -= 1;
    }
    let (height, at) = parted(count);
    Row {
        from,
        parted: from + at,
        to: from + count,
        height,
    }
}

fn page<'d>(
    context: &Context<'d>,
    style: Style,
    rows: &[Row],
    is_first: bool,
    part: Option<(usize, usize)>,
) -> Page<'d> {
    let (title, subtitle, _) = head(context, style);
    let body = room(context, style, is_first);
    let mut items: Vec<Item<'d>> = subtitle.filter(|_| is_first).into_iter().collect();
    let mut y = body.y;
    for row in rows {
        let place = Rect::new(body.x, y, body.w, row.height);
        if row.to == row.from + 1 {
            column(context, style, row.from..row.to, place, &mut items);
        } else {
            let columns = place.side_by_side(2, 2 * GUTTER);
            let ranges = [row.from..row.parted, row.parted..row.to];
            for (range, place) in ranges.into_iter().zip(columns) {
                column(context, style, range, place, &mut items);
            }
        }
        y += row.height + GAP;
    }
    let sections = rows.iter().flat_map(|row| row.from..row.to);
    let sections = sections.filter_map(|index| context.document.sections.get(index));
    let notes = sections.flat_map(|section| super::notes(context, section));
    Page {
        layout: Layout::Content,
        title,
        overline: None,
        part,
        style,
        notes: notes.collect(),
        items,
        fills: Vec::new(),
        on_primary: false,
        has_footer: true,
    }
}

/// Sections below each other.
fn column<'d>(
    context: &Context<'d>,
    style: Style,
    range: std::ops::Range<usize>,
    place: Rect,
    items: &mut Vec<Item<'d>>,
) {
    let mut y = place.y;
    for index in range {
        let has_heading = heading(context, index).is_some();
        let pieces = section(context, index);
        for (number, piece) in pieces.into_iter().enumerate() {
            // A heading belongs to what follows it.
            let below = match number == 0 && has_heading {
                true => pt(6),
                false => style.gap(),
            };
            let width = match piece.kind() {
                Kind::Text => place.w.min(super::super::flow::reading_width(place, style)),
                _ => place.w,
            };
            // Counted to the end: a piece that is cut short in counting stands under the next one.
            let height = piece.height(context, style, width, context.body_end);
            items.push(Item {
                piece,
                rect: Rect::new(place.x, y, width, height),
                is_beside: false,
            });
            y += height + below;
        }
        y += GAP - style.gap();
    }
}
