//! The form of a guideline's values, from which the draft's schema and the document's are generated.

use crate::Digest;

/// Maximum length of a text in characters unless a declaration sets another.
const MAX_TEXT: u32 = 600;

/// The form of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Free words.
    Text {
        /// Maximum number of characters in a draft.
        most: u32,
    },
    /// A text of a fixed form.
    Coded(Code),
    /// One word from a closed list.
    Word(&'static [&'static str]),
    /// A whole number.
    Whole {
        /// The minimum in a draft.
        least: i64,
        /// The maximum in a draft.
        most: i64,
        /// Whether annex A2 itself sets the range, so that the document's schema contains it too.
        is_of_annex: bool,
    },
    /// Yes or no.
    Flag,
    /// An object with exactly these members.
    Object(&'static [Member]),
}

/// A fixed form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The key of an element, by which others refer to it.
    Key,
    /// A country of ISO 3166-1.
    Country,
    /// A language tag of BCP 47.
    Language,
    /// A colour as `#rrggbb` in lower case.
    Hex,
    /// A digest of bytes.
    Digest,
}

impl Code {
    /// The regular expression of the form; `None` for language tags, which have no short one.
    #[must_use]
    pub const fn pattern(self) -> Option<&'static str> {
        match self {
            Self::Key => Some("^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$"),
            Self::Country => Some("^[A-Z]{2}$"),
            Self::Language => None,
            Self::Hex => Some("^#[0-9a-f]{6}$"),
            Self::Digest => Some("^sha256:[0-9a-f]{64}$"),
        }
    }

    /// The standard behind the form, for readers of a schema.
    #[must_use]
    pub const fn standard(self) -> Option<&'static str> {
        match self {
            Self::Country => Some("ISO 3166-1 alpha-2."),
            Self::Language => Some("BCP 47."),
            Self::Key | Self::Hex | Self::Digest => None,
        }
    }
}

/// How many values a member holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Exactly one.
    One,
    OneOrNull,
    List,
}

/// A member of a value that is an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    pub name: &'static str,
    /// How many values it holds.
    pub holds: Holds,
    /// Form of each value.
    pub shape: Shape,
    /// Maximum number of values in a draft's list.
    pub most: u32,
}

/// A type that describes the form of its values.
pub trait Shaped {
    /// How many values it holds.
    const HOLDS: Holds = Holds::One;
    /// Form of each value.
    const SHAPE: Shape;
}

impl Shaped for String {
    const SHAPE: Shape = Shape::Text { most: MAX_TEXT };
}
impl Shaped for bool {
    const SHAPE: Shape = Shape::Flag;
}
impl Shaped for Digest {
    const SHAPE: Shape = Shape::Coded(Code::Digest);
}
impl<T: Shaped> Shaped for Option<T> {
    const HOLDS: Holds = Holds::OneOrNull;
    const SHAPE: Shape = T::SHAPE;
}
impl<T: Shaped> Shaped for Vec<T> {
    const HOLDS: Holds = Holds::List;
    const SHAPE: Shape = T::SHAPE;
}

/// Integer types; their range is declared with the field.
macro_rules! whole_numbers {
    ($($kind:ty),+) => {$(
        impl Shaped for $kind {
            const SHAPE: Shape = Shape::Whole { least: 0, most: u32::MAX as i64, is_of_annex: false };
        }
    )+};
}
whole_numbers!(u16, u32, u64, i64);
