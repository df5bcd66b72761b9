//! Pieces in a rectangle: below each other or side by side, in the largest size that fits, and on further
//! slides where none does.

use super::Item;
use crate::blocks::{BoxedPiece, Growth, Kind, Style};
use crate::context::Context;
use crate::diagnostics::{Code, Diagnostics};
use crate::geometry::{Emu, GUTTER, Rect, columns, pt};

/// No document has more slides; what comes after them is dropped, and a diagnostic says so.
pub const MOST_SLIDES: usize = 500;

/// How much of a slide its text may fill in a larger size.
const LARGE_PERCENT: Emu = 55;

/// Lines longer than some 75 characters are hard to read, so running text ends before the last columns.
pub fn reading_width(rect: Rect, style: Style) -> Emu {
    let line = crate::geometry::of_size(style.body, 1_000) * 42;
    let (_, most) = columns(0, 12);
    line.min(most).min(rect.w)
}

/// The width that a piece has in a rectangle.
fn width_of(piece: &BoxedPiece<'_>, style: Style, rect: Rect) -> Emu {
    if piece.kind() == Kind::Text {
        reading_width(rect, style)
    } else {
        rect.w
    }
}

/// Height of pieces below each other. Counting may end where `limit` is passed.
pub fn stack_height(
    context: &Context<'_>,
    style: Style,
    pieces: &[BoxedPiece<'_>],
    width: Emu,
    limit: Emu,
) -> Emu {
    let rect = Rect::new(0, 0, width, 0);
    let mut total: Emu = 0;
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            total += style.gap();
        }
        let width = width_of(piece, style, rect);
        total = total.saturating_add(piece.height(context, style, width, limit));
        if total > limit {
            break;
        }
    }
    total
}

/// The heights of pieces below each other that together fill `height`, as far as they grow.
pub fn heights(
    context: &Context<'_>,
    style: Style,
    pieces: &[BoxedPiece<'_>],
    width: Emu,
    height: Emu,
) -> Vec<Emu> {
    let rect = Rect::new(0, 0, width, height);
    let mut heights: Vec<Emu> = pieces
        .iter()
        .map(|piece| piece.height(context, style, width_of(piece, style, rect), height))
        .collect();
    let gaps = style.gap() * Emu::try_from(pieces.len().saturating_sub(1)).unwrap_or(0);
    let mut left = height - gaps - heights.iter().sum::<Emu>();
    let grow_any = pieces
        .iter()
        .filter(|piece| piece.growth() == Growth::Any)
        .count();
    if let Ok(count @ 1..) = Emu::try_from(grow_any) {
        for (piece, height) in pieces.iter().zip(&mut heights) {
            if piece.growth() == Growth::Any {
                *height += (left / count).max(0);
            }
        }
        return heights;
    }
    for (piece, height) in pieces.iter().zip(&mut heights) {
        if let Growth::Percent(percent) = piece.growth() {
            let more = (*height * (percent - 100) / 100).clamp(0, left.max(0));
            *height += more;
            left -= more;
        }
    }
    heights
}

/// Pieces on one slide, or nothing where they don't fit in any size. What is left of `pieces` is then as it was.
pub fn on_one<'d>(
    context: &Context<'_>,
    pieces: &mut Vec<BoxedPiece<'d>>,
    rect: Rect,
) -> Option<(Style, Vec<Item<'d>>)> {
    if let Some(style) = large(context, pieces, rect) {
        return Some((style, stacked(context, style, std::mem::take(pieces), rect)));
    }
    for body in context.look.body {
        let style = Style { body: *body };
        if let Some(items) = beside(context, style, pieces, rect) {
            return Some((style, items));
        }
        if stack_height(context, style, pieces, rect.w, rect.h) <= rect.h {
            return Some((style, stacked(context, style, std::mem::take(pieces), rect)));
        }
    }
    None
}

/// A larger size for a few lines of text, or what stands in a row, that would leave most of a slide empty.
fn large(context: &Context<'_>, pieces: &[BoxedPiece<'_>], rect: Rect) -> Option<Style> {
    let look = &context.look;
    let is_text = |piece: &BoxedPiece<'_>| piece.kind() == Kind::Text;
    let is_row = |piece: &BoxedPiece<'_>| piece.floats() && piece.kind() != Kind::Text;
    let all_text = pieces.iter().all(is_text);
    if look.is_one_page || pieces.is_empty() || !(all_text || pieces.iter().all(is_row)) {
        return None;
    }
    // Text stays smaller than the title above it, and what has a title of its own more so.
    let most = look.title - if all_text { 400 } else { 800 };
    let usual = look.body_size();
    let sizes = [2_400, 2_200, 2_000].into_iter();
    let styles = sizes.filter(|size| (usual + 1..=most).contains(size));
    let limit = rect.h * LARGE_PERCENT / 100;
    { styles }
        .map(|body| Style { body })
        .find(|style| stack_height(context, *style, pieces, rect.w, rect.h) <= limit)
}

/// Pieces below each other.
fn stacked<'d>(
    context: &Context<'_>,
    style: Style,
    pieces: Vec<BoxedPiece<'d>>,
    rect: Rect,
) -> Vec<Item<'d>> {
    let heights = heights(context, style, &pieces, rect.w, rect.h);
    let count = Emu::try_from(pieces.len()).unwrap_or(1);
    let used = heights.iter().sum::<Emu>() + style.gap() * (count - 1).max(0);
    // Where there is room, there is a little more between the pieces.
    let more = ((rect.h - used) / (count + 1)).clamp(0, pt(14));
    let mut y = rect.y;
    // What is low by nature, such as a timeline, stands a little above the middle where it is alone.
    if pieces.iter().all(|piece| piece.floats()) {
        y += ((rect.h - used - more * (count - 1)) * 3 / 10).max(0);
    }
    let mut items = Vec::new();
    for (piece, height) in pieces.into_iter().zip(heights) {
        let width = width_of(&piece, style, rect);
        items.push(Item {
            piece,
            rect: Rect::new(rect.x, y, width, height),
            is_beside: false,
        });
        y += height + style.gap() + more;
    }
    items
}

/// Text and something that stands well beside it, if that is what the pieces are.
fn beside<'d>(
    context: &Context<'_>,
    style: Style,
    pieces: &mut Vec<BoxedPiece<'d>>,
    rect: Rect,
) -> Option<Vec<Item<'d>>> {
    let [first, second] = pieces.as_slice() else {
        return None;
    };
    let text_first = match (first.kind(), second.kind()) {
        (Kind::Text, Kind::Visual) => true,
        (Kind::Visual, Kind::Text) => false,
        _ => return None,
    };
    let (text, visual) = if text_first {
        (first, second)
    } else {
        (second, first)
    };
    // A line or two stand above a picture, not beside it.
    let line = crate::geometry::of_size(style.body, 1_300);
    let full = reading_width(rect, style);
    if text.height(context, style, full, rect.h) <= line * 5 / 2 {
        return None;
    }
    let (narrow, wide) = (columns(0, 5).1, columns(0, 7).1 - GUTTER);
    let text_height = text.height(context, style, narrow, rect.h);
    let visual_height = visual.height(context, style, wide, rect.h);
    if text_height > rect.h || visual_height > rect.h {
        return None;
    }
    let mut both = std::mem::take(pieces).into_iter();
    let (first, second) = (both.next()?, both.next()?);
    let (first_width, second_width) = if text_first {
        (narrow, wide)
    } else {
        (wide, narrow)
    };
    let second_x = rect.x + rect.w - second_width;
    let fit = |piece: BoxedPiece<'d>, x, width, is_beside| {
        let grown = heights(context, style, std::slice::from_ref(&piece), width, rect.h);
        // A chart as high as the slide beside three lines of text looks lost.
        let height = grown.first().copied().unwrap_or(rect.h).min(rect.h);
        Item {
            piece,
            rect: Rect::new(x, rect.y, width, height),
            is_beside,
        }
    };
    Some(vec![
        fit(first, rect.x, first_width, !text_first),
        fit(second, second_x, second_width, text_first),
    ])
}

/// The least size but one, because on several slides there is room; the least one where it saves a slide.
fn size_for_several(context: &Context<'_>, pieces: &[BoxedPiece<'_>], rect: Rect) -> Style {
    let mut least = context
        .look
        .body
        .iter()
        .rev()
        .map(|body| Style { body: *body });
    let smallest = least.next().unwrap_or(Style {
        body: crate::look::LEAST,
    });
    let Some(wanted) = least.next() else {
        return smallest;
    };
    let slides = |style| stack_height(context, style, pieces, rect.w, 4 * rect.h) / rect.h;
    if slides(smallest) < slides(wanted) {
        smallest
    } else {
        wanted
    }
}

/// More slides than this are not evened out: nobody sees all of them at once.
const MOST_EVEN: usize = 12;

/// Pieces on as many slides as they need, each about as full as the others. `make` gives the pieces, as often as it
/// is asked; `room_for` is how many slides the document may still have.
pub fn on_several<'d>(
    context: &Context<'_>,
    make: &dyn Fn() -> Vec<BoxedPiece<'d>>,
    rect: Rect,
    diagnostics: &mut Diagnostics,
    room_for: usize,
) -> Vec<(Style, Vec<Item<'d>>)> {
    let pieces = make();
    let style = size_for_several(context, &pieces, rect);
    let mut told = Diagnostics::default();
    let fill = Fill::Most(room_for);
    let mut pages = distributed(context, style, pieces, rect, &mut told, fill);
    if (2..=MOST_EVEN).contains(&pages.len()) && told.is_empty() {
        // The least height with which there are neither more slides than with all of it, nor more parts of pieces.
        let parts = |pages: &[Vec<BoxedPiece<'_>>]| {
            let all = pages.iter().flatten();
            all.filter(|piece| piece.is_part()).count()
        };
        let (mut low, mut high) = (rect.h / 4, rect.h);
        for _ in 0..6 {
            let middle = (low + high) / 2;
            let lower = Rect { h: middle, ..rect };
            let mut told = Diagnostics::default();
            let found = distributed(context, style, make(), lower, &mut told, Fill::Even);
            let is_whole = parts(&found) <= parts(&pages);
            if found.len() <= pages.len() && is_whole && told.is_empty() {
                pages = found;
                high = middle;
            } else {
                low = middle;
            }
        }
    }
    diagnostics.extend(told);
    let placed = pages.into_iter().map(|mut page| {
        // A slide of whole pieces is like any other; parts of one piece keep one size.
        let is_whole = !page.iter().any(|piece| piece.is_part());
        let found = is_whole.then(|| on_one(context, &mut page, rect)).flatten();
        found.unwrap_or_else(|| (style, stacked(context, style, page, rect)))
    });
    placed.collect()
}

/// How slides are filled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fill {
    /// As far as pieces can be split, on at most so many slides.
    Most(usize),
    /// With whole pieces, where one isn't higher than the slide.
    Even,
}

/// Pieces by slides of this height, each filled before the next one begins.
fn distributed<'d>(
    context: &Context<'_>,
    style: Style,
    pieces: Vec<BoxedPiece<'d>>,
    rect: Rect,
    diagnostics: &mut Diagnostics,
    fill: Fill,
) -> Vec<Vec<BoxedPiece<'d>>> {
    let mut pages: Vec<Vec<BoxedPiece<'d>>> = Vec::new();
    let mut page: Vec<BoxedPiece<'d>> = Vec::new();
    let mut used: Emu = 0;
    let mut waiting: std::collections::VecDeque<_> = pieces.into();
    while let Some(mut piece) = waiting.pop_front() {
        if matches!(fill, Fill::Most(most) if pages.len() >= most) {
            let message = format!(
                "A presentation has at most {MOST_SLIDES} slides; what comes here is not in it."
            );
            diagnostics.add(Code::DroppedBlock, piece.pointer(), message);
            break;
        }
        let gap = if page.is_empty() { 0 } else { style.gap() };
        let width = width_of(&piece, style, rect);
        let room = rect.h - used - gap;
        let height = piece.height(context, style, width, room.max(0));
        if height <= room {
            used += gap + height;
            page.push(piece);
            continue;
        }
        // A piece that has only a little room left begins on a slide of its own.
        if (page.is_empty() || (fill != Fill::Even && room > pt(120)))
            && let Some(first) = piece.split(context, style, width, room)
        {
            page.push(first);
            pages.push(std::mem::take(&mut page));
            used = 0;
            waiting.push_front(piece);
            continue;
        }
        if !page.is_empty() {
            waiting.push_front(piece);
            // Headings go along with what they are about, unless nothing else is on the slide.
            let is_more = page.len() > 1;
            if let Some(mut last) = page.pop() {
                match last.take_last_headings() {
                    Some((headings, true)) => {
                        page.push(last);
                        waiting.push_front(headings);
                    }
                    Some((headings, false)) if is_more => waiting.push_front(headings),
                    Some((headings, false)) => page.push(headings),
                    None => page.push(last),
                }
            }
            pages.push(std::mem::take(&mut page));
            used = 0;
            continue;
        }
        if fill != Fill::Even
            && let Some(plainer) = piece.plainer(context)
        {
            for piece in plainer.into_iter().rev() {
                waiting.push_front(piece);
            }
            continue;
        }
        let message = "This is higher than a slide; it may not be shown whole.";
        diagnostics.add(Code::Overflow, piece.pointer(), message);
        page.push(piece);
        pages.push(std::mem::take(&mut page));
        used = 0;
    }
    if !page.is_empty() {
        pages.push(page);
    }
    pages
}
