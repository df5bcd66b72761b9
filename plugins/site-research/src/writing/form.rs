//! The form of a model's answer: fields, units and their layout.

/// The form of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text of at most this many characters.
    Text(usize),
    /// A date that a cited excerpt must contain.
    Date,
    /// At most this many texts, each of at most that many characters.
    List(usize, usize),
    /// One of the words; the second member, if chosen, becomes null in the result.
    Choice(&'static [&'static str], Option<&'static str>),
}

/// A field of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name in the model's answer and in the result.
    pub name: &'static str,
    pub form: Form,
    /// Whether the unit is useless without it.
    pub needed: bool,
}

/// How closely the words of a unit must follow its excerpts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It states a fact: the evidence must contain most of its words.
    Fact,
    /// It gives advice: it must be about the evidence.
    Advice,
}

/// The form of one claim unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// The fields besides `citations`; the first one is the main one.
    pub fields: &'static [Field],
    /// Whether the result contains the first field's text itself instead of an object.
    pub plain: bool,
    /// How strictly it is checked.
    pub support: Support,
}

/// How a section is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    One(Unit),
    /// A list of at most this many units.
    Many(Unit, usize),
    /// An object of further layouts.
    Group(&'static [(&'static str, Layout)]),
}

/// A field that its unit requires.
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
