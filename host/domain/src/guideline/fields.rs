//! The fields of a guideline in one table: what is checked, counted, compared and printed.

use serde_json::Value;

/// A section that holds facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each name says the same as its key")]
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
    /// All of them, in the order of annex A2.
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

/// A field: a place of the guideline that can be known or unknown. A list counts as one field, known
/// when it has an element. Derived parts (design tokens, applications, accessibility) are no fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its section.
    pub section: Section,
    /// RFC 6901 pointer into the guideline.
    pub pointer: &'static str,
    /// How its value is written.
    pub form: Form,
    /// Pointer into an element's value by which elements of two revisions are the same; empty: the
    /// whole value.
    pub identity: &'static str,
}

const fn one(section: Section, pointer: &'static str) -> Field {
    field(section, pointer, Form::Claim, "")
}
const fn many(section: Section, pointer: &'static str) -> Field {
    field(section, pointer, Form::Claims, "")
}
const fn keyed(section: Section, pointer: &'static str, identity: &'static str) -> Field {
    field(section, pointer, Form::Claims, identity)
}
const fn plain(pointer: &'static str) -> Field {
    field(Section::Voice, pointer, Form::Plain, "")
}
const fn host(pointer: &'static str) -> Field {
    field(Section::Identity, pointer, Form::Host, "")
}
const fn field(
    section: Section,
    pointer: &'static str,
    form: Form,
    identity: &'static str,
) -> Field {
    Field {
        section,
        pointer,
        form,
        identity,
    }
}

/// All fields, in the order of annex A2.
pub const FIELDS: [Field; 64] = {
    use Section as S;
    [
        one(S::Identity, "/identity/brand_name"),
        one(S::Identity, "/identity/legal_name"),
        one(S::Identity, "/identity/tagline"),
        host("/identity/website_url"),
        host("/identity/domain"),
        one(S::Identity, "/identity/description_short"),
        one(S::Identity, "/identity/description_long"),
        keyed(S::Identity, "/identity/industries", "/label"),
        one(S::Identity, "/identity/founded_year"),
        one(S::Identity, "/identity/headquarters"),
        one(S::Identity, "/identity/employee_range"),
        one(S::Identity, "/identity/ownership"),
        many(S::Identity, "/identity/locales"),
        keyed(S::Identity, "/identity/profiles", "/url"),
        many(S::Identity, "/identity/identifiers"),
        one(S::Foundations, "/foundations/mission"),
        one(S::Foundations, "/foundations/vision"),
        one(S::Foundations, "/foundations/purpose"),
        keyed(S::Foundations, "/foundations/values", "/name"),
        one(S::Foundations, "/foundations/origin_story"),
        many(S::Foundations, "/foundations/commitments"),
        keyed(S::Audience, "/audience/segments", "/key"),
        keyed(S::Audience, "/audience/personas", "/role"),
        many(S::Audience, "/audience/markets"),
        many(S::Audience, "/audience/exclusions"),
        one(S::Positioning, "/positioning/category"),
        one(S::Positioning, "/positioning/statement"),
        keyed(S::Positioning, "/positioning/value_propositions", "/key"),
        many(S::Positioning, "/positioning/differentiators"),
        keyed(S::Positioning, "/positioning/alternatives", "/name"),
        keyed(S::Positioning, "/positioning/proof_points", "/key"),
        one(S::Positioning, "/positioning/price_position"),
        one(S::Voice, "/voice/summary"),
        keyed(S::Voice, "/voice/traits", "/trait"),
        one(S::Voice, "/voice/formality"),
        one(S::Voice, "/voice/person"),
        one(S::Voice, "/voice/spelling_locale"),
        keyed(S::Voice, "/voice/tone_by_context", "/context"),
        many(S::Voice, "/voice/vocabulary/preferred"),
        many(S::Voice, "/voice/vocabulary/avoided"),
        plain("/voice/style/contractions"),
        plain("/voice/style/oxford_comma"),
        plain("/voice/style/emoji"),
        plain("/voice/style/exclamation_marks"),
        plain("/voice/style/headline_case"),
        many(S::Voice, "/voice/samples"),
        one(S::Messaging, "/messaging/core_message"),
        keyed(S::Messaging, "/messaging/pillars", "/key"),
        one(S::Messaging, "/messaging/boilerplate"),
        one(S::Messaging, "/messaging/pitches/seconds_10"),
        one(S::Messaging, "/messaging/pitches/seconds_30"),
        one(S::Messaging, "/messaging/pitches/words_100"),
        many(S::Messaging, "/messaging/calls_to_action"),
        keyed(S::Messaging, "/messaging/objections", "/objection"),
        many(S::Messaging, "/messaging/claims_allowed"),
        keyed(S::Messaging, "/messaging/claims_restricted", "/text"),
        keyed(S::Visual, "/visual/logos", "/url"),
        keyed(S::Visual, "/visual/palette", "/hex"),
        keyed(S::Visual, "/visual/typography", "/family"),
        one(S::Visual, "/visual/imagery"),
        one(S::Visual, "/visual/layout"),
        many(S::Governance, "/governance/required_legal_lines"),
        many(S::Governance, "/governance/trademark_usage"),
        many(S::Governance, "/governance/restricted_topics"),
    ]
};

impl Field {
    /// The field with this pointer.
    #[must_use]
    pub fn at(pointer: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.pointer == pointer)
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

    /// The claims that stand here with their pointers; none for plain values.
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
