//! The sections of a guideline that carry evidence (annex A2, `identity` to `visual`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::claim::{Claim, SectionEvidence};
use super::words::{
    AlternativeKind, ColorRole, EmployeeRange, FontRole, Formality, HeadlineCase, IdentifierScheme,
    IndustryScheme, LogoTheme, LogoVariant, Ownership, Person, PricePosition, ProofPointKind,
    Seniority, ToneContext,
};
use crate::Digest;

/// Structs of annex A2: closed when read, `Default` where a whole section may be unknown.
macro_rules! shapes {
    ($($(#[$meta:meta])* $name:ident { $($field:ident: $kind:ty),+ $(,)? })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(missing_docs, reason = "each name says the same as its key (annex A2)")]
        pub struct $name { $(pub $field: $kind),+ }
    )+};
}

shapes! {
    /// Who the company is.
    #[derive(Default)]
    Identity {
        evidence: SectionEvidence,
        brand_name: Claim<String>,
        legal_name: Claim<String>,
        tagline: Claim<String>,
        website_url: Option<String>,
        domain: Option<String>,
        description_short: Claim<String>,
        description_long: Claim<String>,
        industries: Vec<Claim<Industry>>,
        founded_year: Claim<i64>,
        headquarters: Claim<Headquarters>,
        employee_range: Claim<EmployeeRange>,
        ownership: Claim<Ownership>,
        locales: Vec<Claim<String>>,
        profiles: Vec<Claim<Profile>>,
        identifiers: Vec<Claim<Identifier>>,
    }
    /// An industry by a classification, or in free words.
    Industry { scheme: IndustryScheme, code: Option<String>, label: String }
    /// Where the company sits. `country` is an ISO 3166-1 alpha-2 code.
    Headquarters { locality: Option<String>, region: Option<String>, country: String }
    /// The company's own page at a network.
    Profile { network: String, url: String }
    /// An identifier, verbatim.
    Identifier { scheme: IdentifierScheme, value: String }

    /// Why the company exists.
    #[derive(Default)]
    Foundations {
        evidence: SectionEvidence,
        mission: Claim<String>,
        vision: Claim<String>,
        purpose: Claim<String>,
        values: Vec<Claim<BrandValue>>,
        origin_story: Claim<String>,
        commitments: Vec<Claim<String>>,
    }
    /// Something that the company says it values.
    BrandValue { name: String, description: Option<String> }

    /// For whom it works.
    #[derive(Default)]
    Audience {
        evidence: SectionEvidence,
        segments: Vec<Claim<Segment>>,
        personas: Vec<Claim<Persona>>,
        markets: Vec<Claim<String>>,
        exclusions: Vec<Claim<String>>,
    }
    /// A group of buyers.
    Segment {
        key: String,
        name: String,
        description: Option<String>,
        needs: Vec<String>,
        pains: Vec<String>,
        triggers: Vec<String>,
    }
    /// A role that buys; never a named person.
    Persona {
        role: String,
        seniority: Option<Seniority>,
        goals: Vec<String>,
        objections: Vec<String>,
    }

    /// Where it stands in its market.
    #[derive(Default)]
    Positioning {
        evidence: SectionEvidence,
        category: Claim<String>,
        statement: Claim<PositioningStatement>,
        value_propositions: Vec<Claim<ValueProposition>>,
        differentiators: Vec<Claim<String>>,
        alternatives: Vec<Claim<Alternative>>,
        proof_points: Vec<Claim<ProofPoint>>,
        price_position: Claim<PricePosition>,
    }
    /// For whom, what, and unlike what.
    PositioningStatement {
        r#for: String,
        who: String,
        product: String,
        is_a: String,
        that: String,
        unlike: Option<String>,
        because: Option<String>,
    }
    /// What a buyer gets.
    ValueProposition { key: String, statement: String, benefit: Option<String> }
    /// What a buyer may do instead.
    Alternative { name: String, kind: AlternativeKind }
    /// Something that can be checked.
    ProofPoint { key: String, kind: ProofPointKind, text: String }

    /// How it speaks.
    #[derive(Default)]
    Voice {
        evidence: SectionEvidence,
        summary: Claim<String>,
        traits: Vec<Claim<VoiceTrait>>,
        formality: Claim<Formality>,
        person: Claim<Person>,
        spelling_locale: Claim<String>,
        tone_by_context: Vec<Claim<ContextTone>>,
        vocabulary: Vocabulary,
        style: Style,
        samples: Vec<Claim<String>>,
    }
    /// One trait of the voice.
    VoiceTrait { r#trait: String, r#do: Vec<String>, dont: Vec<String> }
    /// The tone for one use.
    ContextTone { context: ToneContext, tone: String }
    /// Words to use and words to avoid.
    #[derive(Default)]
    Vocabulary { preferred: Vec<Claim<String>>, avoided: Vec<Claim<String>> }
    /// Measured habits of writing; null where there is too little text.
    #[derive(Default)]
    Style {
        contractions: Option<bool>,
        oxford_comma: Option<bool>,
        emoji: Option<bool>,
        exclamation_marks: Option<bool>,
        headline_case: Option<HeadlineCase>,
    }

    /// What it says.
    #[derive(Default)]
    Messaging {
        evidence: SectionEvidence,
        core_message: Claim<String>,
        pillars: Vec<Claim<Pillar>>,
        boilerplate: Claim<String>,
        pitches: Pitches,
        calls_to_action: Vec<Claim<String>>,
        objections: Vec<Claim<AnsweredObjection>>,
        claims_allowed: Vec<Claim<String>>,
        claims_restricted: Vec<Claim<RestrictedClaim>>,
    }
    /// A theme with the proof points (by key) that carry it.
    Pillar { key: String, title: String, message: String, proof_point_keys: Vec<String> }
    /// The same story at three lengths.
    #[derive(Default)]
    Pitches {
        seconds_10: Claim<String>,
        seconds_30: Claim<String>,
        words_100: Claim<String>,
    }
    /// What buyers object, and the answer.
    AnsweredObjection { objection: String, response: String }
    /// Something not to be said, and why.
    RestrictedClaim { text: String, reason: Option<String> }

    /// How it looks.
    #[derive(Default)]
    Visual {
        evidence: SectionEvidence,
        logos: Vec<Claim<Logo>>,
        palette: Vec<Claim<Swatch>>,
        typography: Vec<Claim<Typeface>>,
        imagery: Claim<Imagery>,
        layout: Claim<String>,
        design_tokens: Map<String, Value>,
    }
    /// A logo file. Width and height are pixels.
    Logo {
        url: String,
        digest: Digest,
        variant: LogoVariant,
        theme: Option<LogoTheme>,
        media_type: String,
        width: Option<u32>,
        height: Option<u32>,
    }
    /// A colour; `hex` is `#rrggbb` in lower case.
    Swatch { name: Option<String>, hex: String, role: ColorRole }
    /// A typeface; `weights` are CSS weights, `license` an SPDX id if known.
    Typeface {
        family: String,
        role: FontRole,
        weights: Vec<u16>,
        fallbacks: Vec<String>,
        license: Option<String>,
    }
    /// The style of pictures.
    Imagery { style: String, r#do: Vec<String>, dont: Vec<String> }
}
