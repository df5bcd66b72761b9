//! How fields are declared: by the type of a section's member plus annotations that the type cannot
//! express.

use serde_json::{Map, Value};
use utoipa::PartialSchema;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder};
use utoipa::openapi::{RefOr, Schema};

use super::claim::{Claim, SectionEvidence};
use super::field_rule::FieldRule;
use super::schema;
use super::shape::{Code, Holds, Member, Shape, Shaped};

/// Maximum of elements in a draft's list unless a declaration says otherwise.
const MAX_ELEMENTS: u32 = 50;

/// Annotations beside the type of a field, or of a member of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Declared {
    /// Overrides the type's own shape.
    shape: Option<Shape>,
    /// The shape in a draft, where it differs because the host completes the value.
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

/// Only what the type says.
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

/// Texts of at most `most` characters.
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

/// A value that the host itself knows.
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
    /// Sets what a value must rest on.
    pub const fn rule(self, rule: FieldRule) -> Self {
        Self { rule, ..self }
    }
    /// Limits the elements that a draft may list.
    pub const fn at_most(self, most: u32) -> Self {
        Self { most, ..self }
    }
    /// Elements of two revisions are the same if their values agree at this pointer.
    pub const fn by(self, identity: &'static str) -> Self {
        Self { identity, ..self }
    }
    /// Markdown shows the list as a table with these columns.
    pub const fn table(self, columns: &'static [&'static str]) -> Self {
        Self { columns, ..self }
    }
    /// A draft has values of this type instead; the host turns them into the field's own.
    pub const fn drafted_as<T: Shaped>(self) -> Self {
        Self {
            drafted: Some(T::SHAPE),
            ..self
        }
    }
    /// Adds a note to both schemas.
    pub const fn note(self, note: &'static str) -> Self {
        Self {
            note: Some(note),
            ..self
        }
    }
    /// Adds a note to the draft's schema only.
    pub const fn note_for_backends(self, note: &'static str) -> Self {
        Self {
            note_for_backends: Some(note),
            ..self
        }
    }
    /// Annex A2 sets the maximum length: the host refuses a longer text even after tidying its spaces.
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

    /// The schema with the note that belongs to both.
    fn noted(&self, schema: RefOr<Schema>) -> RefOr<Schema> {
        schema::described(schema, self.note.map(str::to_owned))
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

/// A name without the `r#` that Rust requires before keywords.
const fn without_prefix(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', rest @ ..] => match std::str::from_utf8(rest) {
            Ok(plain) => plain,
            Err(_) => name,
        },
        _ => name,
    }
}

/// How a field's value is represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Claim,
    /// A list of claims.
    Claims,
    /// A plain value without evidence of its own on the wire, but checked like a claim.
    Plain,
    /// A plain value that the host itself knows.
    Host,
}

/// What a member of a section holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    Field(Form, Shape),
    /// An object with fields.
    Group(&'static [Entry]),
    /// Derived by the host; no backend fills it.
    Derived,
}

/// A member of a section, or of an object that contains fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    pub name: &'static str,
    /// RFC 6901 pointer into the guideline.
    pub pointer: &'static str,
    pub place: Place,
    pub(super) declared: Declared,
}

/// A type that a member of a section may have.
pub trait Placed {
    /// The place that such a member is.
    const PLACE: Place = Place::Derived;

    /// What is published of such a member.
    fn schema(declared: &Declared) -> RefOr<Schema>;
}

impl<T: Shaped> Placed for Claim<T> {
    const PLACE: Place = Place::Field(Form::Claim, T::SHAPE);

    fn schema(declared: &Declared) -> RefOr<Schema> {
        declared.noted(schema::claim(declared.shape_or(T::SHAPE)))
    }
}
impl<T: Shaped> Placed for Vec<Claim<T>> {
    const PLACE: Place = Place::Field(Form::Claims, T::SHAPE);

    fn schema(declared: &Declared) -> RefOr<Schema> {
        declared.noted(schema::claims(declared.shape_or(T::SHAPE)))
    }
}
impl<T: Shaped> Placed for Option<T> {
    const PLACE: Place = Place::Field(Form::Plain, T::SHAPE);

    fn schema(declared: &Declared) -> RefOr<Schema> {
        let shape = declared.shape_or(T::SHAPE);
        declared.noted(schema::value(shape, Holds::OneOrNull).into())
    }
}
impl Placed for SectionEvidence {
    fn schema(_: &Declared) -> RefOr<Schema> {
        <Self as PartialSchema>::schema()
    }
}
impl Placed for Map<String, Value> {
    fn schema(declared: &Declared) -> RefOr<Schema> {
        let anything = AdditionalProperties::FreeForm(true);
        let object = ObjectBuilder::new().additional_properties(Some(anything));
        declared.noted(object.into())
    }
}

/// The annotations beside a type, if there are any.
macro_rules! declared {
    () => {
        $crate::guideline::declaration::typed()
    };
    ($declared:expr) => {
        $declared
    };
}

/// Objects that contain fields; unknown members are refused on reading. Syntax: `name: Type = annotations`.
macro_rules! sections {
    ($($(#[doc = $doc:literal])* $name:ident at $path:literal {
        $($(#[doc = $about:literal])* $member:ident: $kind:ty $(= $declared:expr)?),+ $(,)?
    })+) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[doc = $about])* pub $member: $kind),+ }

        impl $name {
            /// Its members, in the order of annex A2.
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

            fn schema(
                _: &$crate::guideline::declaration::Declared,
            ) -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                <Self as utoipa::PartialSchema>::schema()
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                use $crate::guideline::schema::{DescribedMember, comment, object};
                object(comment(&[$($doc),*]), vec![$(DescribedMember {
                    name: stringify!($member),
                    schema: <$kind as $crate::guideline::declaration::Placed>::schema(
                        &$crate::guideline::declaration::declared!($($declared)?),
                    ),
                    about: comment(&[$($about),*]),
                }),+])
            }
        }

        impl utoipa::ToSchema for $name {
            fn schemas(
                schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>,
            ) {
                schemas.push($crate::guideline::schema::text_claim());
            }
        }
    )+};
}

/// Values of fields that are objects; unknown members are refused on reading.
/// Syntax: `name: Type = annotations`.
macro_rules! values {
    ($($(#[$meta:meta])* $name:ident {
        $($member:ident: $kind:ty $(= $declared:expr)?),+ $(,)?
    })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $(pub $member: $kind),+ }

        impl $crate::guideline::shape::Shaped for $name {
            const SHAPE: $crate::guideline::shape::Shape = $crate::guideline::shape::Shape::Object(&[$(
                $crate::guideline::declaration::declared!($($declared)?).member::<$kind>(stringify!($member))
            ),+]);
        }
    )+};
}

pub(super) use {declared, sections, values};
