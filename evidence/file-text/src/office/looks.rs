//! Whether text of a DOCX can be seen: how it looks, and on what it is painted.
//!
//! Danger: what nobody sees of a document would be told as what it says. And text that is white on a dark ground is seen, so
//! where the ground isn't known for certain, it is.

use super::markup::Element;

/// Largest size at which nobody reads anything, in half points.
const TINY: u32 = 2;
/// By how much two colours that look alike differ at most, in each of their channels.
const ALIKE: u8 = 10;

/// A colour: red, green, blue.
pub(super) type Rgb = [u8; 3];

pub(super) const WHITE: Rgb = [255, 255, 255];

/// What a part of a document is painted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Colour(Rgb),
    /// Something, nobody knows what.
    Unknown,
}

/// How text looks, as far as it is said.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    vanishes: Option<bool>,
    is_struck: Option<bool>,
    is_struck_twice: Option<bool>,
    is_tiny: Option<bool>,
    /// None within: the program chooses a colour that can be seen.
    colour: Option<Option<Rgb>>,
    ground: Option<Ground>,
}

impl Look {
    /// Notes what an element within the properties of a run says.
    pub(super) fn note(&mut self, element: &Element<'_>) {
        match element.name() {
            "vanish" | "webHidden" => self.vanishes = Some(element.is_on()),
            "strike" => self.is_struck = Some(element.is_on()),
            "dstrike" => self.is_struck_twice = Some(element.is_on()),
            "sz" => {
                let size = element
                    .attribute("val")
                    .and_then(|size| size.parse::<u32>().ok());
                self.is_tiny = size.map(|size| size <= TINY);
            }
            "color" => self.colour = Some(element.attribute("val").as_deref().and_then(rgb)),
            "shd" => self.ground = shading(element).or(self.ground),
            "highlight" => self.ground = highlight(element).or(self.ground),
            _ => {}
        }
    }

    /// This look where it says something, else the one below it.
    pub(super) fn over(self, below: Self) -> Self {
        Self {
            vanishes: self.vanishes.or(below.vanishes),
            is_struck: self.is_struck.or(below.is_struck),
            is_struck_twice: self.is_struck_twice.or(below.is_struck_twice),
            is_tiny: self.is_tiny.or(below.is_tiny),
            colour: self.colour.or(below.colour),
            ground: self.ground.or(below.ground),
        }
    }

    /// Whether text that looks so is seen on a ground.
    pub(super) fn is_seen(self, around: Ground) -> bool {
        let is = |said: Option<bool>| said.unwrap_or(false);
        let is_lost = match (self.colour.flatten(), self.ground.unwrap_or(around)) {
            (Some(colour), Ground::Colour(ground)) => look_alike(colour, ground),
            _ => false,
        };
        !is(self.vanishes)
            && !is(self.is_struck)
            && !is(self.is_struck_twice)
            && !is(self.is_tiny)
            && !is_lost
    }
}

pub(super) fn look_alike(one: Rgb, other: Rgb) -> bool {
    one.iter()
        .zip(other)
        .all(|(one, other)| one.abs_diff(other) <= ALIKE)
}

/// `FF8000`. None for `auto`.
pub(super) fn rgb(value: &str) -> Option<Rgb> {
    let value = value.trim_start_matches('#');
    let is_hex = value.len() == 6 && value.bytes().all(|c| c.is_ascii_hexdigit());
    let number = u32::from_str_radix(value, 16).ok().filter(|_| is_hex)?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

/// The ground that a shading paints; none if it paints none.
pub(super) fn shading(element: &Element<'_>) -> Option<Ground> {
    let fill = element.attribute("fill").unwrap_or_default();
    let pattern = element.attribute("val").unwrap_or_default();
    let is_plain = matches!(pattern.as_str(), "" | "clear" | "nil");
    match rgb(&fill) {
        Some(colour) if is_plain => Some(Ground::Colour(colour)),
        None if is_plain && element.attribute("themeFill").is_none() => None,
        _ => Some(Ground::Unknown),
    }
}

fn highlight(element: &Element<'_>) -> Option<Ground> {
    match element.attribute("val").as_deref() {
        Some("none") | None => None,
        Some("white") => Some(Ground::Colour(WHITE)),
        Some("black") => Some(Ground::Colour([0; 3])),
        Some(_) => Some(Ground::Unknown),
    }
}
