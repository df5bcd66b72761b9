//! The ground for writing: what the named evidence claims, and what a rule makes of it.

use crate::question::{AddressSourceClass, EvidenceKind, LawfulBasis, PolicyQuestion};
use crate::verdict::Finding;

/// What the evidence that the request names claims as the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// There is no such evidence, or it names no ground.
    Untold,
    /// It is evidence of something else.
    Unfit,
    /// A consent that is retained.
    Consent,
    /// A consent that nothing retained shows.
    ConsentWithoutRecord,
    LegitimateInterests,
    /// The recipient is a customer and gave the address; both rules on customers ask for that.
    CustomerWhoGaveTheAddress,
    /// The recipient is a customer, and nobody can tell where the address is from.
    CustomerWithUnknownAddress,
    /// The recipient is a customer whose address is from somebody else.
    CustomerWithFoundAddress,
    /// That no ground is required.
    NotRequired,
}

impl Claim {
    /// Reads it from the question.
    #[must_use]
    pub fn of(question: &PolicyQuestion) -> Self {
        let Some(evidence) = question.basis_evidence else {
            return Self::Untold;
        };
        if !matches!(
            evidence.kind,
            EvidenceKind::LawfulBasis | EvidenceKind::ConsentRecord
        ) {
            return Self::Unfit;
        }
        match evidence.lawful_basis {
            None => Self::Untold,
            Some(LawfulBasis::Consent) if question.consent_recorded => Self::Consent,
            Some(LawfulBasis::Consent) => Self::ConsentWithoutRecord,
            Some(LawfulBasis::LegitimateInterests) => Self::LegitimateInterests,
            Some(LawfulBasis::ExistingCustomer) => match question.address_source_class {
                AddressSourceClass::ProvidedBySubject => Self::CustomerWhoGaveTheAddress,
                AddressSourceClass::Unknown => Self::CustomerWithUnknownAddress,
                _ => Self::CustomerWithFoundAddress,
            },
            Some(LawfulBasis::NotRequired) => Self::NotRequired,
        }
    }
}

/// What a rule makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ground {
    /// The rule that was applied.
    pub rule: Option<&'static str>,
    /// Whether that rule wants consent before the first message.
    pub opt_in_required: Option<bool>,
    /// Whether the ground is good enough.
    pub finding: Finding,
    /// The ground that is accepted.
    pub accepted: Option<LawfulBasis>,
}

impl Ground {
    /// No rule could be applied.
    pub const UNDECIDED: Self = Self {
        rule: None,
        opt_in_required: None,
        finding: Finding::Unknown,
        accepted: None,
    };

    /// The rule accepts this ground.
    #[must_use]
    pub const fn accepted(rule: &'static str, opt_in_required: bool, ground: LawfulBasis) -> Self {
        Self {
            rule: Some(rule),
            opt_in_required: Some(opt_in_required),
            finding: Finding::Met,
            accepted: Some(ground),
        }
    }

    /// The rule refuses, or can't tell.
    #[must_use]
    pub const fn short_of(rule: &'static str, opt_in_required: bool, finding: Finding) -> Self {
        Self {
            rule: Some(rule),
            opt_in_required: Some(opt_in_required),
            finding,
            accepted: None,
        }
    }
}
