//! How fields are declared: by the type of a section's member and, beside it, what the type cannot say.

use serde_json::{Map, Value};

use super::claim::{Claim, SectionEvidence};
use super::field_rule::FieldRule;
use super::shape::{Code, Member, Shape, Shaped};

/// Elements that a draft's list may have where a declaration says nothing else.
const MAX_ELEMENTS: u32 = 50;

/// What is declared beside the type of a field, or of a member of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Declared {
    /// Goes before the type's own shape.
    shape: Option<Shape>,
    /// What a draft has in place of that, where the host completes the value.
    drafted: Option<Shape>,
    pub(super) most: u32,
    pub(super) rule: FieldRule,
    pub(super) identity: &'static str,
    pub(super) columns: &'static [&'static str],
    pub(super) note: Option<&'static str>,
    pub(super) note_for_backends: Option<&'static str>,
    pub(super) has_strict_length: bool,
    pub(super) is_of_host: bool,
}

/// Nothing but what the type says.
pub const fn typed() -> Declared {
    Declared {
        shape: None,
        drafted: None,
        most: MAX_ELEMENTS,
        rule: FieldRule::Concluded,
        identity: "",
        columns: &[],
        note: None,
        note_for_backends: None,
        has_strict_length: false,
        is_of_host: false,
    }
}

/// Texts of at most so many characters.
pub const fn text(most: u32) -> Declared {
    shaped(Shape::Text { most })
}

/// Texts of a fixed form.
pub const fn coded(code: Code) -> Declared {
    shaped(Shape::Coded(code))
}

/// Whole numbers within a range.
pub const fn whole(least: i64, most: i64) -> Declared {
    shaped(Shape::Whole {
        least,
        most,
        is_of_annex: false,
    })
}

/// A value that the host knows by itself.
pub const fn of_host() -> Declared {
    Declared {
        is_of_host: true,
        ..typed()
    }
}

const fn shaped(shape: Shape) -> Declared {
    Declared {
        shape: Some(shape),
        ..typed()
    }
}

impl Declared {
    /// A value rests on this.
    pub const fn rule(self, rule: FieldRule) -> Self {
        Self { rule, ..self }
    }
    /// A draft lists at most so many elements.
    pub const fn at_most(self, most: u32) -> Self {
        Self { most, ..self }
    }
    /// Elements of two revisions are the same if they agree at this pointer into their values.
    pub const fn by(self, identity: &'static str) -> Self {
        Self { identity, ..self }
    }
    /// Markdown shows the list as a table of these members.
    pub const fn table(self, columns: &'static [&'static str]) -> Self {
        Self { columns, ..self }
    }
    /// A draft has these values instead; the host makes the field's own of them.
    pub const fn drafted_as<T: Shaped>(self) -> Self {
        Self {
            drafted: Some(T::SHAPE),
            ..self
        }
    }
    /// Both schemas say this.
    pub const fn note(self, note: &'static str) -> Self {
        Self {
            note: Some(note),
            ..self
        }
    }
    /// The draft's schema says this.
    pub const fn note_for_backends(self, note: &'static str) -> Self {
        Self {
            note_for_backends: Some(note),
            ..self
        }
    }
    /// Annex A2 sets the longest text: the host refuses a longer one even after it tidied the spaces.
    pub const fn strictly(self) -> Self {
        Self {
            has_strict_length: true,
            ..self
        }
    }

    /// The member of a value with this name and type.
    pub(super) const fn member<T: Shaped>(self, name: &'static str) -> Member {
        Member {
            name: without_prefix(name),
            holds: T::HOLDS,
            shape: self.shape_or(T::SHAPE),
            most: self.most,
        }
    }

    pub(super) const fn shape_or(self, of_type: Shape) -> Shape {
        match self.shape {
            Some(shape) => shape,
            None => of_type,
        }
    }

    pub(super) const fn drafted_or(self, shape: Shape) -> Shape {
        match self.drafted {
            Some(drafted) => drafted,
            None => shape,
        }
    }
}

/// A name without the `r#` that Rust wants before some words.
const fn without_prefix(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', rest @ ..] => match std::str::from_utf8(rest) {
            Ok(plain) => plain,
            Err(_) => name,
        },
        _ => name,
    }
}

/// How a field's value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One claim.
    Claim,
    /// A list of claims.
    Claims,
    /// A plain value without evidence of its own on the wire, checked like a claim.
    Plain,
    /// A plain value that the host knows by itself.
    Host,
}

/// What stands at a member of a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// A field.
    Field(Form, Shape),
    /// An object with fields.
    Group(&'static [Entry]),
    /// Something that no backend fills.
    Derived,
}

/// A member of a section, or of an object with fields in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// RFC 6901 pointer into the guideline.
    pub pointer: &'static str,
    /// What stands there.
    pub place: Place,
    /// What is declared of it.
    pub(super) declared: Declared,
}

/// A type that may stand at a member of a section.
pub trait Placed {
    /// What that makes of the member.
    const PLACE: Place = Place::Derived;
}

impl<T: Shaped> Placed for Claim<T> {
    const PLACE: Place = Place::Field(Form::Claim, T::SHAPE);
}
impl<T: Shaped> Placed for Vec<Claim<T>> {
    const PLACE: Place = Place::Field(Form::Claims, T::SHAPE);
}
impl<T: Shaped> Placed for Option<T> {
    const PLACE: Place = Place::Field(Form::Plain, T::SHAPE);
}
impl Placed for SectionEvidence {}
impl Placed for Map<String, Value> {}

/// What is declared beside a type, if anything is.
macro_rules! declared {
    () => {
        $crate::guideline::declaration::typed()
    };
    ($declared:expr) => {
        $declared
    };
}

/// Objects with fields, closed when read. A type is written `name: Type = what it cannot say`.
macro_rules! sections {
    ($($(#[$meta:meta])* $name:ident at $path:literal {
        $($(#[$about:meta])* $member:ident: $kind:ty $(= $declared:expr)?),+ $(,)?
    })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "each name says the same as its key (annex A2)")]
        pub struct $name { $($(#[$about])* pub $member: $kind),+ }

        impl $name {
            /// What stands in it, in the order of annex A2.
            pub const ENTRIES: &'static [$crate::guideline::declaration::Entry] = &[$(
                $crate::guideline::declaration::Entry {
                    name: stringify!($member),
                    pointer: concat!($path, "/", stringify!($member)),
                    place: <$kind as $crate::guideline::declaration::Placed>::PLACE,
                    declared: $crate::guideline::declaration::declared!($($declared)?),
                }
            ),+];
        }

        impl $crate::guideline::declaration::Placed for $name {
            const PLACE: $crate::guideline::declaration::Place =
                $crate::guideline::declaration::Place::Group(Self::ENTRIES);
        }
    )+};
}

/// Values of fields that are objects, closed when read. A type is written `name: Type = what it cannot say`.
macro_rules! values {
    ($($(#[$meta:meta])* $name:ident {
        $($member:ident: $kind:ty $(= $declared:expr)?),+ $(,)?
    })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "each name says the same as its key (annex A2)")]
        pub struct $name { $(pub $member: $kind),+ }

        impl $crate::guideline::shape::Shaped for $name {
            const SHAPE: $crate::guideline::shape::Shape = $crate::guideline::shape::Shape::Object(&[$(
                $crate::guideline::declaration::declared!($($declared)?).member::<$kind>(stringify!($member))
            ),+]);
        }
    )+};
}

pub(super) use {declared, sections, values};
