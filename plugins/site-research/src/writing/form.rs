//! The forms of what a model is asked for: fields, units and how they are laid out.

/// The form of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text of at most so many characters.
    Text(usize),
    /// A date that must stand in a cited excerpt.
    Date,
    /// At most so many texts of at most so many characters.
    List(usize, usize),
    /// One of the words; the second, if chosen, means null in the result.
    Choice(&'static [&'static str], Option<&'static str>),
}

/// A field of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name in the model's answer and in the result.
    pub name: &'static str,
    /// Its form.
    pub form: Form,
    /// Whether the unit makes no sense without it.
    pub needed: bool,
}

/// How strictly the words of a unit must come from its excerpts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It says what is: most of its words must stand in the evidence.
    Fact,
    /// It advises: it must be about the evidence.
    Advice,
}

/// One claim unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// The fields besides `citations`; the first is the one that matters.
    pub fields: &'static [Field],
    /// Whether the result holds the first field's text itself instead of an object.
    pub plain: bool,
    /// How strictly it is checked.
    pub support: Support,
}

/// How a section is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One unit.
    One(Unit),
    /// A list of at most so many units.
    Many(Unit, usize),
    /// An object of further layouts.
    Group(&'static [(&'static str, Layout)]),
}

/// A field that its unit needs.
pub const fn needed(name: &'static str, form: Form) -> Field {
    Field {
        name,
        form,
        needed: true,
    }
}

/// A field that may stay empty.
pub const fn optional(name: &'static str, form: Form) -> Field {
    Field {
        name,
        form,
        needed: false,
    }
}

/// A unit whose value is its first field's text.
pub const fn plain(fields: &'static [Field], support: Support) -> Unit {
    Unit {
        fields,
        plain: true,
        support,
    }
}

/// A unit whose value is an object of its fields.
pub const fn object(fields: &'static [Field], support: Support) -> Unit {
    Unit {
        fields,
        plain: false,
        support,
    }
}
