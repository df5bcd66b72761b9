//! Where the shapes of a slide stand, and on what their text is painted.

use super::grounds::{Below, is_light};
use super::looks::{Ground, Rgb, look_alike, rgb};
use super::markup::Element;

/// Largest size at which nobody reads anything, in hundredths of a point.
const TINY: u32 = 100;

/// Width and height of a slide.
pub(super) type Size = (f64, f64);

/// A rectangle and, in a group, that of the coordinates of its shapes.
#[derive(Debug, Clone, Copy, Default)]
struct Frame {
    at: (f64, f64),
    size: Option<Size>,
    inner_at: (f64, f64),
    inner_size: Option<Size>,
}

/// A shape that is open.
#[derive(Debug)]
struct Shape {
    depth: usize,
    frame: Frame,
    is_group: bool,
    is_placeholder: bool,
    ground: Option<Ground>,
}

/// The shapes that are open, and how the text at hand looks.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    open: Vec<Shape>,
    slide: Option<Size>,
    below: Below,
    path: Vec<String>,
    /// Whether something was painted that may stand below what follows.
    is_painted: bool,
    /// Depth of the outermost shape that is hidden: that is told inside of it.
    hidden_from: Option<usize>,
    colour: Option<Rgb>,
    is_struck: bool,
    is_tiny: bool,
}

impl Shapes {
    pub(super) fn on(slide: Option<Size>, below: Below) -> Self {
        Self {
            slide,
            below,
            ..Self::default()
        }
    }

    pub(super) fn open(&mut self, element: &Element<'_>) {
        let name = element.name();
        self.path.push(name.to_owned());
        let depth = self.path.len();
        match name {
            "sp" | "graphicFrame" | "grpSp" => self.open.push(Shape {
                depth,
                frame: Frame::default(),
                is_group: name == "grpSp",
                is_placeholder: false,
                ground: (name == "graphicFrame").then_some(Ground::Unknown),
            }),
            "pic" => self.is_painted = true,
            "cNvPr" => {
                let hidden = element.attribute("hidden");
                // A picture has no text, and is no shape here.
                if hidden.is_some_and(|on| on == "1" || on == "true") && !self.is_inside("nvPicPr")
                {
                    self.hide();
                }
            }
            "off" | "ext" | "chOff" | "chExt" if self.is_inside("xfrm") => self.place(element),
            "rPr" => {
                self.colour = None;
                let strike = element.attribute("strike");
                self.is_struck = strike.is_some_and(|strike| strike != "noStrike");
                let size = element.attribute("sz");
                let size = size.and_then(|size| size.parse::<u32>().ok());
                self.is_tiny = size.is_some_and(|size| size <= TINY);
            }
            "r" | "fld" | "p" => {
                (self.colour, self.is_struck, self.is_tiny) = (None, false, false);
            }
            "ph" => {
                if let Some(shape) = self.open.last_mut() {
                    shape.is_placeholder = true;
                }
            }
            "srgbClr" | "schemeClr" => self.paint(element),
            "solidFill" | "gradFill" | "blipFill" | "pattFill" if self.fills_shape() => {
                if let Some(shape) = self.open.last_mut() {
                    shape.ground = Some(Ground::Unknown);
                }
            }
            // A colour that is changed is another one.
            "lumMod" | "lumOff" | "shade" | "tint" | "alpha" => {
                if self.is_inside("rPr") {
                    self.colour = None;
                } else if self.is_inside("spPr")
                    && let Some(shape) = self.open.last_mut()
                {
                    shape.ground = shape.ground.map(|_| Ground::Unknown);
                } else if self.is_inside("bgPr") {
                    self.below.colour = None;
                }
            }
            "bgPr" | "bgRef" => self.below.colour = None,
            _ => {}
        }
    }

    pub(super) fn close(&mut self) {
        let depth = self.path.len();
        if self.open.last().is_some_and(|shape| shape.depth == depth)
            && let Some(shape) = self.open.pop()
        {
            self.is_painted |= shape.ground.is_some();
        }
        if self.hidden_from == Some(depth) {
            self.hidden_from = None;
        }
        self.path.pop();
    }

    /// Whether text that comes now is seen.
    pub(super) fn shows_text(&self) -> bool {
        let is_lost = match (self.colour, self.ground()) {
            (Some(colour), Ground::Colour(ground)) => look_alike(colour, ground),
            _ => false,
        };
        self.hidden_from.is_none() && !self.is_struck && !self.is_tiny && !is_lost
    }

    fn is_inside(&self, name: &str) -> bool {
        self.path.iter().rev().any(|open| open == name)
    }

    /// Whether the element that was opened last fills its shape: not its line, and not its text.
    fn fills_shape(&self) -> bool {
        let outer = self.path.len().checked_sub(2);
        let outer = outer.and_then(|at| self.path.get(at));
        outer.is_some_and(|outer| outer == "spPr")
    }

    fn hide(&mut self) {
        let shape = self.open.last().map(|shape| shape.depth);
        self.hidden_from = self.hidden_from.or(shape);
    }

    fn paint(&mut self, element: &Element<'_>) {
        let value = element.attribute("val").unwrap_or_default();
        let colour = match element.name() {
            "schemeClr" => self.below.light.filter(|_| is_light(&value)),
            _ => rgb(&value),
        };
        let outer = |back: usize| {
            let at = self.path.len().checked_sub(back);
            at.and_then(|at| self.path.get(at)).map(String::as_str)
        };
        match (outer(2), outer(3)) {
            (Some("solidFill"), Some("rPr")) => self.colour = colour,
            (Some("solidFill"), Some("spPr")) => {
                if let Some(shape) = self.open.last_mut() {
                    shape.ground = Some(colour.map_or(Ground::Unknown, Ground::Colour));
                }
            }
            (Some("solidFill"), Some("bgPr")) | (Some("bgRef"), _) => self.below.colour = colour,
            _ => {}
        }
    }

    /// What the text at hand stands on.
    fn ground(&self) -> Ground {
        let shape = self.open.last();
        let below = match self.below.colour.filter(|_| !self.is_painted) {
            Some(colour) => Ground::Colour(colour),
            None => Ground::Unknown,
        };
        match shape {
            Some(shape) => match shape.ground {
                Some(ground) => ground,
                // Its layout may paint it.
                None if shape.is_placeholder || self.open.len() > 1 => Ground::Unknown,
                None => below,
            },
            None => Ground::Unknown,
        }
    }

    /// Notes a part of the frame of the shape at hand, which is hidden if that stands beside the slide.
    fn place(&mut self, element: &Element<'_>) {
        let pair = |first: &str, second: &str| {
            let number = |name: &str| element.attribute(name)?.parse::<f64>().ok();
            Some((number(first)?, number(second)?))
        };
        let Some((shape, outer)) = self.open.split_last_mut() else {
            return;
        };
        let frame = &mut shape.frame;
        match element.name() {
            "off" => frame.at = pair("x", "y").unwrap_or_default(),
            "ext" => frame.size = pair("cx", "cy"),
            "chOff" => frame.inner_at = pair("x", "y").unwrap_or_default(),
            _ => frame.inner_size = pair("cx", "cy"),
        }
        let (Some(slide), Some(size)) = (self.slide, frame.size) else {
            return;
        };
        let (mut at, mut size) = (frame.at, size);
        for group in outer.iter().rev().filter(|outer| outer.is_group) {
            let (Some(whole), Some(inner)) = (group.frame.size, group.frame.inner_size) else {
                return;
            };
            let (x, y) = (whole.0 / inner.0, whole.1 / inner.1);
            at = (
                group.frame.at.0 + (at.0 - group.frame.inner_at.0) * x,
                group.frame.at.1 + (at.1 - group.frame.inner_at.1) * y,
            );
            size = (size.0 * x, size.1 * y);
        }
        let is_beside =
            at.0 + size.0 <= 0.0 || at.1 + size.1 <= 0.0 || at.0 >= slide.0 || at.1 >= slide.1;
        if is_beside && element.name() == "ext" {
            self.hide();
        }
    }
}
