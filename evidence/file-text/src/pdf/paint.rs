//! Which text of a page is seen: by its colour and mode, by what is painted below it, and by the page's box.
//!
//! Danger: white text is seen on whatever is painted there, and a scanned page has all of its text in a mode without paint, over
//! its picture. So text counts as hidden only where nothing can stand below it.

use super::geometry::Matrix;
use super::object::Object;

/// Most areas that are kept of a page. Of one with more, all white text counts as seen.
const MOST_AREAS: usize = 200;
/// How light white is, and how little ink makes it.
const WHITE: f64 = 0.98;
/// Largest size at which nobody reads anything, in points.
const TINY: f64 = 1.0;
/// Narrowest page whose units are points.
const NARROW: f64 = 100.0;

/// A rectangle along the axes of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    left: f64,
    bottom: f64,
    right: f64,
    top: f64,
}

impl Area {
    const EVERYWHERE: Self = Self {
        left: f64::NEG_INFINITY,
        bottom: f64::NEG_INFINITY,
        right: f64::INFINITY,
        top: f64::INFINITY,
    };

    fn of(points: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        points.fold(None, |area, point| Some(Self::with(area, point)))
    }

    fn with(area: Option<Self>, (x, y): (f64, f64)) -> Self {
        let area = area.unwrap_or(Self {
            left: x,
            bottom: y,
            right: x,
            top: y,
        });
        Self {
            left: area.left.min(x),
            bottom: area.bottom.min(y),
            right: area.right.max(x),
            top: area.top.max(y),
        }
    }

    /// A box as a page's dictionary has it.
    pub(super) fn of_box(numbers: &[Object]) -> Option<Self> {
        let number = |at: usize| numbers.get(at).and_then(Object::number);
        let corners = [(number(0)?, number(1)?), (number(2)?, number(3)?)];
        Self::of(corners.into_iter())
            .filter(|area| area.right > area.left && area.top > area.bottom)
    }

    /// A rectangle in other coordinates.
    pub(super) fn moved(corners: [f64; 4], matrix: &Matrix) -> Option<Self> {
        let [x, y, width, height] = corners;
        let corners = [
            (x, y),
            (x + width, y),
            (x, y + height),
            (x + width, y + height),
        ];
        Self::of(corners.into_iter().map(|(x, y)| matrix.point(x, y)))
    }

    fn has(&self, (x, y): (f64, f64)) -> bool {
        self.left <= x && x <= self.right && self.bottom <= y && y <= self.top
    }
}

/// How text is painted. Part of the graphics state.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pen {
    is_white: bool,
    /// Whether one number is a gray: in another space it may be the amount of an ink.
    is_gray: bool,
    mode: u8,
}

impl Pen {
    /// Notes what an operator says of it.
    pub(super) fn apply(&mut self, operator: &[u8], operands: &[Object]) {
        let values: Vec<f64> = operands.iter().filter_map(Object::number).collect();
        let light = !values.is_empty() && values.iter().all(|value| *value >= WHITE);
        let bare = values.iter().all(|value| *value <= 1.0 - WHITE);
        match operator {
            b"g" | b"rg" => self.is_white = light,
            b"k" => self.is_white = values.len() == 4 && bare,
            b"cs" => {
                let name = operands.first().and_then(Object::name).unwrap_or_default();
                self.is_gray = matches!(name, b"DeviceGray" | b"CalGray" | b"G");
                self.is_white = false;
            }
            b"sc" | b"scn" => {
                self.is_white = match values.len() {
                    _ if values.len() < operands.len() => false,
                    1 => light && self.is_gray,
                    3 => light,
                    4 => bare,
                    _ => false,
                };
            }
            b"Tr" => {
                let mode = values.first().copied().unwrap_or_default();
                self.mode = (0..=7).find(|it| f64::from(*it) == mode).unwrap_or(0);
            }
            _ => {}
        }
    }
}

/// Whether a glyph is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    Yes,
    No,
    /// It has no paint, and is seen where a picture shows it.
    InPicture,
}

/// What was painted on a page so far, and its box.
#[derive(Debug, Default)]
pub(super) struct Ground {
    page: Option<Area>,
    areas: Vec<Area>,
    pictures: Vec<Area>,
}

impl Ground {
    pub(super) fn of_page(page: Option<Area>) -> Self {
        Self {
            page,
            ..Self::default()
        }
    }

    fn paint(&mut self, area: Option<Area>) {
        if self.areas.len() < MOST_AREAS {
            self.areas.extend(area);
        } else {
            self.areas.clear();
            self.areas.push(Area::EVERYWHERE);
        }
    }

    /// A picture: it fills the unit square of its coordinates.
    pub(super) fn picture(&mut self, matrix: &Matrix) {
        self.show(Area::moved([0.0, 0.0, 1.0, 1.0], matrix));
    }

    /// A drawing with a box, which isn't looked into.
    pub(super) fn drawing(&mut self, bounds: &[Object], matrix: &Matrix) {
        let area = Area::of_box(bounds).and_then(|area| {
            let (width, height) = (area.right - area.left, area.top - area.bottom);
            Area::moved([area.left, area.bottom, width, height], matrix)
        });
        self.show(area);
    }

    fn show(&mut self, area: Option<Area>) {
        self.paint(area);
        match self.pictures.len() < MOST_AREAS {
            true => self.pictures.extend(area),
            false => self.pictures = vec![Area::EVERYWHERE],
        }
    }

    /// Whether a glyph is seen that reaches from a point to another.
    pub(super) fn sees(&self, pen: Pen, from: (f64, f64), to: (f64, f64), size: f64) -> Seen {
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let is_beside = self.page.is_some_and(|page| {
            from.0.max(to.0) < page.left
                || from.0.min(to.0) > page.right
                || from.1.max(to.1) + size < page.bottom
                || from.1.min(to.1) - size > page.top
        });
        let in_points = self.page.is_none_or(|page| page.right - page.left > NARROW);
        let is_white = pen.is_white && matches!(pen.mode, 0 | 4);
        let is_lost = is_white && !self.areas.iter().any(|area| area.has(middle));
        match pen.mode {
            _ if is_beside || in_points && size <= TINY || is_lost => Seen::No,
            3 | 7 => Seen::InPicture,
            _ => Seen::Yes,
        }
    }

    /// Whether a glyph without paint is seen in a picture. Where nothing else is text, what is painted may be the letters.
    pub(super) fn shows(&self, point: (f64, f64), is_all: bool) -> bool {
        self.pictures.iter().any(|area| area.has(point)) || is_all && !self.areas.is_empty()
    }
}

/// The path that is being drawn, as far as it reaches.
#[derive(Debug, Default)]
pub(super) struct Path(Option<Area>);

impl Path {
    /// Notes what an operator draws, and paints it.
    pub(super) fn apply(
        &mut self,
        operator: &[u8],
        operands: &[Object],
        (matrix, pen): (&Matrix, Pen),
        ground: &mut Ground,
    ) {
        let number = |at: usize| operands.get(at).and_then(Object::number).unwrap_or(0.0);
        match operator {
            b"m" | b"l" | b"c" | b"v" | b"y" => {
                for at in (0..operands.len().min(6)).step_by(2) {
                    let point = matrix.point(number(at), number(at + 1));
                    self.0 = Some(Area::with(self.0, point));
                }
            }
            b"re" => {
                let corners = [number(0), number(1), number(2), number(3)];
                if let Some(area) = Area::moved(corners, matrix) {
                    let all = [(area.left, area.bottom), (area.right, area.top)];
                    self.0 = all
                        .into_iter()
                        .fold(self.0, |area, point| Some(Area::with(area, point)));
                }
            }
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => {
                let area = self.0.take();
                if !pen.is_white {
                    ground.paint(area);
                }
            }
            b"sh" => ground.paint(Some(Area::EVERYWHERE)),
            b"n" | b"S" | b"s" => self.0 = None,
            _ => {}
        }
    }
}
