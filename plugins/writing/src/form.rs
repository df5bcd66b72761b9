//! The form of a model's answer: fields, units, and how a part lays them out.

/// The form of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text of about this many characters; a longer one is cut at a sentence's end.
    Text(usize),
    /// A date that a cited excerpt must contain.
    Date,
    /// At most this many texts, each of about that many characters.
    List(usize, usize),
    /// One of the words; the second member, if chosen, becomes null in the result.
    Choice(&'static [&'static str], Option<&'static str>),
}

/// What the words of a field are, which decides what they are checked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// Every number, name, address and quotation must stand in the evidence.
    Plain,
    /// As `Plain`, but how long a meeting lasts and how many come may be proposed freely.
    Proposal,
    /// As `Plain`, but a name for something in the writer's own words, such as an industry or a theme: its capitals make no names.
    Label,
    /// What is said of the seller's product: its numbers, names and quotations must be the seller's, unless the sentence
    /// speaks of the target.
    Seller,
    /// A role, which must not be a person.
    Role,
    /// What a buyer could do instead: no rival that nobody named.
    Alternative,
    /// What somebody is expected to say, so that quotation marks around it quote no page. Otherwise as `Plain`.
    Spoken,
    /// A sum with its result: `46*29=1334`.
    Formula,
    /// A range such as `11-50` or `5001+`, which no page prints: a cited excerpt must have a number within it.
    Range,
}

/// A field of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name in the model's answer and in the result.
    pub name: &'static str,
    pub form: Form,
    /// Whether the unit is useless without it.
    pub needed: bool,
    /// What it is checked for.
    pub words: Words,
}

impl Field {
    /// The same field with other words.
    #[must_use]
    pub const fn of(self, words: Words) -> Self {
        Self { words, ..self }
    }
}

/// Whether a unit says what is so or what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// It states a fact: only what excerpts say.
    Fact,
    /// It gives advice: the writer's judgement, tied to facts.
    Advice,
}

/// The form of one claim unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// The fields besides `citations` and `reason`; the first one is the main one.
    pub fields: &'static [Field],
    /// Whether the result contains the first field's text itself instead of an object.
    pub plain: bool,
    /// Whether it is fact or advice.
    pub support: Support,
    /// Whether pages that look for staff can carry it. What a company sells is not what it hires for.
    pub from_job_offers: bool,
    /// Whether what the caller says can carry it alone.
    pub from_caller: bool,
}

impl Unit {
    /// The same unit, which what the caller says can carry alone: a proof of the seller's, a sum of its prices.
    #[must_use]
    pub const fn also_from_caller(self) -> Self {
        Self {
            from_caller: true,
            ..self
        }
    }

    /// Whether what the caller says can carry it alone: it says something of the seller.
    #[must_use]
    pub fn may_rest_on_caller(&self) -> bool {
        self.from_caller || self.fields.iter().any(|field| field.words == Words::Seller)
    }

    /// The same unit, which pages that look for staff can't carry.
    #[must_use]
    pub const fn not_from_job_offers(self) -> Self {
        Self {
            from_job_offers: false,
            ..self
        }
    }
}

/// How a part is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One unit.
    One(Unit),
    /// A list of at most this many units.
    Many(Unit, usize),
    /// An object of further layouts.
    Group(&'static [(&'static str, Layout)]),
}

impl Layout {
    /// Whether the part gives advice. A group does if its first member does.
    #[must_use]
    pub fn is_advice(self) -> bool {
        match self {
            Self::One(unit) | Self::Many(unit, _) => unit.support == Support::Advice,
            Self::Group(members) => members
                .first()
                .is_some_and(|(_, layout)| layout.is_advice()),
        }
    }
}

/// The paths below `path` whose units may rest on the caller alone.
pub fn resting_on_caller(path: &str, layout: Layout, found: &mut Vec<String>) {
    match layout {
        Layout::One(unit) | Layout::Many(unit, _) => {
            if unit.may_rest_on_caller() {
                found.push(path.to_owned());
            }
        }
        Layout::Group(members) => {
            for (name, layout) in members {
                resting_on_caller(&format!("{path}/{name}"), *layout, found);
            }
        }
    }
}

/// A part of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Member name in the answer.
    pub name: &'static str,
    pub layout: Layout,
    /// What it should contain, for the prompt.
    pub instruction: &'static str,
}

/// A field that its unit requires.
#[must_use]
pub const fn needed(name: &'static str, form: Form) -> Field {
    Field {
        name,
        form,
        needed: true,
        words: Words::Plain,
    }
}

/// A field that may stay empty.
#[must_use]
pub const fn optional(name: &'static str, form: Form) -> Field {
    Field {
        needed: false,
        ..needed(name, form)
    }
}

/// A unit whose value is its first field's text.
#[must_use]
pub const fn plain(fields: &'static [Field], support: Support) -> Unit {
    Unit {
        plain: true,
        ..object(fields, support)
    }
}

/// A unit whose value is an object of its fields.
#[must_use]
pub const fn object(fields: &'static [Field], support: Support) -> Unit {
    Unit {
        fields,
        plain: false,
        support,
        from_job_offers: true,
        from_caller: false,
    }
}
