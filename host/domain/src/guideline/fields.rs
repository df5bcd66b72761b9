//! The fields of a guideline: what is checked, counted, compared and printed. Each field is declared with
//! its section.

use std::sync::LazyLock;

use serde_json::Value;

use super::declaration::{Entry, Place};
use super::governance::Governance;
use super::sections::{Audience, Foundations, Identity, Messaging, Positioning, Visual, Voice};
use super::shape::Shape;

pub use super::declaration::Form;
pub use super::field_rule::FieldRule;

/// A section that holds facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    Identity,
    Foundations,
    Audience,
    Positioning,
    Voice,
    Messaging,
    Visual,
    Governance,
}

impl Section {
    /// All sections, in the order of annex A2.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::Foundations,
        Self::Audience,
        Self::Positioning,
        Self::Voice,
        Self::Messaging,
        Self::Visual,
        Self::Governance,
    ];
    /// The section's key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Foundations => "foundations",
            Self::Audience => "audience",
            Self::Positioning => "positioning",
            Self::Voice => "voice",
            Self::Messaging => "messaging",
            Self::Visual => "visual",
            Self::Governance => "governance",
        }
    }
    /// Its members, in the order of annex A2.
    #[must_use]
    pub const fn entries(self) -> &'static [Entry] {
        match self {
            Self::Identity => Identity::ENTRIES,
            Self::Foundations => Foundations::ENTRIES,
            Self::Audience => Audience::ENTRIES,
            Self::Positioning => Positioning::ENTRIES,
            Self::Voice => Voice::ENTRIES,
            Self::Messaging => Messaging::ENTRIES,
            Self::Visual => Visual::ENTRIES,
            Self::Governance => Governance::ENTRIES,
        }
    }
}

/// A field: a place in the guideline that is known or unknown. A list counts as one field, which is known
/// when it has an element. Derived parts (design tokens, applications, accessibility) are not fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    pub section: Section,
    /// RFC 6901 pointer into the guideline.
    pub pointer: &'static str,
    /// How its value is represented.
    pub form: Form,
    /// Shape of its value; for a list, of an element.
    pub shape: Shape,
    /// Shape of its value in a draft.
    pub drafted: Shape,
    /// Maximum of elements in a draft's list.
    pub most: u32,
    /// What its value must rest on.
    pub rule: FieldRule,
    /// Pointer into an element's value that identifies the element across revisions; empty means the whole
    /// value.
    pub identity: &'static str,
    /// Members of an element that Markdown shows as table columns; empty means a plain list.
    pub columns: &'static [&'static str],
    /// Note in both schemas.
    pub note: Option<&'static str>,
    /// Additional note in the draft's schema.
    pub note_for_backends: Option<&'static str>,
    /// Whether the host refuses a text longer than its shape allows.
    pub has_strict_length: bool,
}

/// All fields, in the order of annex A2.
pub static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(|| {
    let mut fields = Vec::new();
    for section in Section::ALL {
        collect(section, section.entries(), &mut fields);
    }
    fields
});

fn collect(section: Section, entries: &[Entry], fields: &mut Vec<Field>) {
    for entry in entries {
        if let Place::Group(inner) = entry.place {
            collect(section, inner, fields);
        }
        fields.extend(Field::of(section, entry));
    }
}

impl Field {
    /// The field at a member of a section; `None` if the member is not a field.
    fn of(section: Section, entry: &Entry) -> Option<Self> {
        let Place::Field(form, of_type) = entry.place else {
            return None;
        };
        let declared = entry.declared;
        let shape = declared.shape_or(of_type);
        Some(Self {
            section,
            pointer: entry.pointer,
            form: if declared.is_of_host {
                Form::Host
            } else {
                form
            },
            shape,
            drafted: declared.drafted_or(shape),
            most: declared.most,
            rule: declared.rule,
            identity: declared.identity,
            columns: declared.columns,
            note: declared.note,
            note_for_backends: declared.note_for_backends,
            has_strict_length: declared.has_strict_length,
        })
    }

    /// The field with this pointer.
    #[must_use]
    pub fn at(pointer: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.pointer == pointer)
    }

    /// The last segment of its pointer.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.pointer.rsplit('/').next().unwrap_or_default()
    }

    /// The field's name for people: its pointer without the section.
    #[must_use]
    pub fn title(&self) -> String {
        let path = self.pointer.splitn(3, '/').nth(2).unwrap_or(self.pointer);
        path.replace('/', ", ").replace('_', " ")
    }

    /// Whether the document has a value here.
    #[must_use]
    pub fn is_known(&self, document: &Value) -> bool {
        let Some(place) = document.pointer(self.pointer) else {
            return false;
        };
        match self.form {
            Form::Claim => place.get("value").is_some_and(|value| !value.is_null()),
            Form::Claims => place.as_array().is_some_and(|list| !list.is_empty()),
            Form::Plain | Form::Host => !place.is_null(),
        }
    }

    /// The claims of this field with their pointers; empty for plain values.
    #[must_use]
    pub fn claims<'d>(&self, document: &'d Value) -> Vec<(String, &'d Value)> {
        let Some(place) = document.pointer(self.pointer) else {
            return Vec::new();
        };
        match self.form {
            Form::Claim if self.is_known(document) => vec![(self.pointer.to_owned(), place)],
            Form::Claims => place
                .as_array()
                .into_iter()
                .flatten()
                .enumerate()
                .map(|(index, claim)| (format!("{}/{index}", self.pointer), claim))
                .collect(),
            Form::Claim | Form::Plain | Form::Host => Vec::new(),
        }
    }
}
