//! The sections of a guideline that carry evidence (annex A2, `identity` to `visual`).
//!
//! A field is declared here and nowhere else. Its member's type defines the form of its value; after `=`
//! follows what a type cannot express: limits for drafts, what the value must rest on, and notes for the
//! schemas. Unless a declaration names another rule, [`FieldRule::Concluded`] applies.
//!
//! Pointers, checks, coverage, the change log and Markdown are derived from these declarations. So are two
//! generated files: the draft's schema, from which the backend takes its names and limits too
//! (`cargo run -p gtm-evidence-check --example write-brand-draft-schema`), and the API document
//! (`cargo xtask openapi`). Tests and CI fail when either is out of date.

use serde_json::{Map, Value};

use super::claim::{Claim, SectionEvidence};
use super::declaration::{coded, of_host, sections, text, typed, values, whole};
use super::field_rule::FieldRule;
use super::shape::Code;
use super::words::{
    AlternativeKind, ColorRole, EmployeeRange, FontRole, Formality, HeadlineCase, IdentifierScheme,
    IndustryScheme, LogoTheme, LogoVariant, Ownership, Person, PricePosition, ProofPointKind,
    Seniority, ToneContext,
};
use crate::Digest;

sections! {
    /// Who the company is.
    Identity at "/identity" {
        evidence: SectionEvidence,
        brand_name: Claim<String> = text(200).rule(FieldRule::Given),
        legal_name: Claim<String> = text(200).rule(FieldRule::Given),
        tagline: Claim<String> = text(300),
        website_url: Option<String> = of_host(),
        domain: Option<String> = of_host(),
        description_short: Claim<String> = text(160).strictly(),
        description_long: Claim<String> = text(4000),
        industries: Vec<Claim<Industry>> = typed().by("/label"),
        founded_year: Claim<i64> = whole(800, 9999).rule(FieldRule::FoundingYear),
        headquarters: Claim<Headquarters> = typed().rule(FieldRule::Headquarters),
        employee_range: Claim<EmployeeRange> = typed().rule(FieldRule::Headcount),
        ownership: Claim<Ownership> = typed().rule(FieldRule::Ownership),
        locales: Vec<Claim<String>> = coded(Code::Language).rule(FieldRule::DeclaredLanguage),
        profiles: Vec<Claim<Profile>> = typed().rule(FieldRule::Profile).by("/url"),
        identifiers: Vec<Claim<Identifier>> = typed().rule(FieldRule::Identifier),
    }

    /// What the company stands for: mission, vision, purpose, values, origin.
    Foundations at "/foundations" {
        evidence: SectionEvidence,
        mission: Claim<String> = text(1000),
        vision: Claim<String> = text(1000),
        purpose: Claim<String> = text(1000),
        values: Vec<Claim<BrandValue>> = typed().by("/name"),
        origin_story: Claim<String> = text(4000),
        commitments: Vec<Claim<String>>,
    }

    /// The buyers that the company addresses, and the markets that it serves.
    Audience at "/audience" {
        evidence: SectionEvidence,
        segments: Vec<Claim<Segment>> = typed().by("/key"),
        personas: Vec<Claim<Persona>> = typed().by("/role").note_for_backends("Roles, never persons."),
        markets: Vec<Claim<String>> = coded(Code::Country).rule(FieldRule::Market).at_most(250),
        exclusions: Vec<Claim<String>>,
    }

    /// How the company places itself in its market.
    Positioning at "/positioning" {
        evidence: SectionEvidence,
        category: Claim<String> = text(300),
        statement: Claim<PositioningStatement>,
        value_propositions: Vec<Claim<ValueProposition>> = typed().by("/key"),
        differentiators: Vec<Claim<String>>,
        alternatives: Vec<Claim<Alternative>> = typed().by("/name"),
        proof_points: Vec<Claim<ProofPoint>> = typed().by("/key"),
        price_position: Claim<PricePosition>,
    }

    /// How the brand writes: traits, formality, tone, vocabulary, style.
    Voice at "/voice" {
        evidence: SectionEvidence,
        summary: Claim<String> = text(1000),
        traits: Vec<Claim<VoiceTrait>> = typed().by("/trait"),
        formality: Claim<Formality> = typed().rule(FieldRule::MeasuredOrConcluded),
        person: Claim<Person> = typed().rule(FieldRule::MeasuredOrConcluded),
        spelling_locale: Claim<String> = coded(Code::Language).rule(FieldRule::SpellingLocale),
        tone_by_context: Vec<Claim<ContextTone>> = typed().by("/context"),
        vocabulary: Vocabulary,
        style: Style,
        samples: Vec<Claim<String>> = text(1000).rule(FieldRule::Quoted).note("Verbatim."),
    }
    /// Words to use and words to avoid.
    Vocabulary at "/voice/vocabulary" {
        preferred: Vec<Claim<String>> = text(200),
        avoided: Vec<Claim<String>> = text(200),
    }
    /// Measured habits of writing; null where there is too little text.
    Style at "/voice/style" {
        contractions: Option<bool> = typed().rule(FieldRule::Measured),
        oxford_comma: Option<bool> = typed().rule(FieldRule::Measured),
        emoji: Option<bool> = typed().rule(FieldRule::Measured),
        exclamation_marks: Option<bool> = typed().rule(FieldRule::Measured),
        headline_case: Option<HeadlineCase> = typed().rule(FieldRule::Measured),
    }

    /// What the brand says: core message, themes, pitches, calls to action.
    Messaging at "/messaging" {
        evidence: SectionEvidence,
        core_message: Claim<String>,
        pillars: Vec<Claim<Pillar>> = typed().by("/key"),
        boilerplate: Claim<String> = text(4000),
        pitches: Pitches,
        calls_to_action: Vec<Claim<String>> = text(200),
        objections: Vec<Claim<AnsweredObjection>> = typed().by("/objection"),
        claims_allowed: Vec<Claim<String>>,
        claims_restricted: Vec<Claim<RestrictedClaim>> = typed().by("/text"),
    }
    /// The brand's pitch at three lengths.
    Pitches at "/messaging/pitches" {
        seconds_10: Claim<String>,
        seconds_30: Claim<String> = text(1200),
        words_100: Claim<String> = text(1500),
    }

    /// The brand's appearance: logos, colours, typefaces, imagery, layout.
    Visual at "/visual" {
        evidence: SectionEvidence,
        logos: Vec<Claim<Logo>> = typed()
            .rule(FieldRule::Logo)
            .by("/url")
            .at_most(20)
            .drafted_as::<DraftLogo>()
            .note_for_backends("`url` is the image's address, or the page's for an inline SVG, whose number on the page is `inline_svg`. Digest, media type and size are the host's to say."),
        palette: Vec<Claim<Swatch>> = typed()
            .rule(FieldRule::Palette)
            .by("/hex")
            .at_most(24)
            .table(&["role", "name", "hex"]),
        typography: Vec<Claim<Typeface>> = typed()
            .rule(FieldRule::Typography)
            .by("/family")
            .at_most(24)
            .table(&["role", "family", "weights", "fallbacks", "license"]),
        imagery: Claim<Imagery>,
        layout: Claim<String> = text(1000),
        /// A document of the Design Tokens Format Module 2025.10, made from palette and typography.
        design_tokens: Map<String, Value>,
    }
}

values! {
    /// An industry by a classification, or in free words.
    Industry { scheme: IndustryScheme, code: Option<String> = text(20), label: String = text(200) }
    /// Where the company sits.
    Headquarters {
        locality: Option<String> = text(200),
        region: Option<String> = text(200),
        country: String = coded(Code::Country),
    }
    /// The company's own page at a network.
    Profile { network: String = text(60), url: String = text(2048) }
    /// An identifier, verbatim.
    Identifier { scheme: IdentifierScheme, value: String = text(100) }

    /// Something that the company says it values.
    BrandValue { name: String = text(200), description: Option<String> }

    /// A group of buyers.
    Segment {
        key: String = coded(Code::Key),
        name: String = text(200),
        description: Option<String>,
        needs: Vec<String>,
        pains: Vec<String>,
        triggers: Vec<String>,
    }
    /// A role that buys; never a named person.
    Persona {
        role: String = text(200),
        seniority: Option<Seniority>,
        goals: Vec<String>,
        objections: Vec<String>,
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
    ValueProposition { key: String = coded(Code::Key), statement: String, benefit: Option<String> }
    /// What a buyer may do instead.
    Alternative { name: String = text(200), kind: AlternativeKind }
    /// Something that can be checked.
    ProofPoint { key: String = coded(Code::Key), kind: ProofPointKind, text: String = text(1000) }

    VoiceTrait { r#trait: String = text(200), r#do: Vec<String>, dont: Vec<String> }
    /// The tone for one use.
    ContextTone { context: ToneContext, tone: String }

    /// A theme with the proof points (by key) that carry it.
    Pillar {
        key: String = coded(Code::Key),
        title: String = text(200),
        message: String = text(1000),
        proof_point_keys: Vec<String> = coded(Code::Key),
    }
    /// What buyers object, and the answer.
    AnsweredObjection { objection: String, response: String = text(1000) }
    /// Something not to be said, and why.
    RestrictedClaim { text: String, reason: Option<String> }

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
    /// A logo as a draft names it: the address of the image, or of the page that has the inline SVG,
    /// and then its number there, from 0. The rest of a [`Logo`] is read from the bytes.
    #[derive(Eq)]
    DraftLogo {
        url: String = text(4096),
        inline_svg: Option<u64> = whole(0, 9999),
        variant: LogoVariant,
        theme: Option<LogoTheme>,
    }
    /// A colour.
    Swatch { name: Option<String> = text(100), hex: String = coded(Code::Hex), role: ColorRole }
    /// A typeface; `weights` are CSS weights, `license` an SPDX id if known.
    Typeface {
        family: String = text(200),
        role: FontRole,
        weights: Vec<u16> = whole(1, 1000).at_most(20),
        fallbacks: Vec<String> = text(200).at_most(20),
        license: Option<String> = text(100),
    }
    /// The style of pictures.
    Imagery { style: String = text(1000), r#do: Vec<String>, dont: Vec<String> }
}
