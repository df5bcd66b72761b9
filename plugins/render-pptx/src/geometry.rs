//! The slide and its grid: 16:9, 960 by 540 points, twelve columns between margins of 48 points.

/// English Metric Units, in which Office measures; a point has 12,700.
pub type Emu = i64;

/// Points.
pub const fn pt(points: i64) -> Emu {
    points * 12_700
}

/// A length in points of a size in hundredths of a point, times thousandths.
pub fn of_size(size: u32, thousandths: u32) -> Emu {
    i64::from(size) * i64::from(thousandths) * 127 / 1_000
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    pub x: Emu,
    pub y: Emu,
    pub w: Emu,
    pub h: Emu,
}

pub const SLIDE: Rect = Rect {
    x: 0,
    y: 0,
    w: pt(960),
    h: pt(540),
};
pub const MARGIN: Emu = pt(48);
pub const GUTTER: Emu = pt(16);
/// Where the footer's line begins.
pub const FOOTER_TOP: Emu = pt(504);
/// Room for a line even for readers that take the usual insets where the layout has none.
pub const FOOTER_HEIGHT: Emu = pt(22);
/// Where the body ends at the latest.
pub const BODY_END: Emu = pt(490);
/// Width of all twelve columns.
pub const CONTENT_WIDTH: Emu = SLIDE.w - 2 * MARGIN;

/// Left edge and width of the columns `from..to` of twelve.
pub const fn columns(from: i64, to: i64) -> (Emu, Emu) {
    let step = (CONTENT_WIDTH + GUTTER) / 12;
    (MARGIN + from * step, (to - from) * step - GUTTER)
}

impl Rect {
    pub const fn new(x: Emu, y: Emu, w: Emu, h: Emu) -> Self {
        Self { x, y, w, h }
    }

    /// The columns `from..to` of the grid, between two heights.
    pub const fn on_grid(from: i64, to: i64, top: Emu, bottom: Emu) -> Self {
        let (x, w) = columns(from, to);
        Self::new(x, top, w, bottom - top)
    }

    /// The same place on a slide that is read from the right.
    pub const fn mirrored(self) -> Self {
        Self {
            x: SLIDE.w - self.x - self.w,
            ..self
        }
    }

    pub const fn inset(self, by: Emu) -> Self {
        Self::new(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)
    }

    pub const fn bottom(self) -> Emu {
        self.y + self.h
    }

    /// `count` rectangles side by side, with a gap between them.
    pub fn side_by_side(self, count: usize, gap: Emu) -> Vec<Self> {
        let count = i64::try_from(count.max(1)).unwrap_or(1);
        let width = (self.w - gap * (count - 1)) / count;
        (0..count)
            .map(|index| Self::new(self.x + index * (width + gap), self.y, width, self.h))
            .collect()
    }
}
