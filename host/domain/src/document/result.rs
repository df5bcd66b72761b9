//! The public result of a documents job (specification, Documents; annex A17).

use gtm_document_model::document::DocumentType;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::format::DocumentFormat;
use super::input::DocumentInput;
use super::left_out::LeftOutOfBrief;
use crate::brand::BrandBinding;
use crate::offer::{
    IdealCustomer, OfferBinding, OfferContent, OfferProofPoint, OfferText, Pricing, StageFit,
};
use crate::{Digest, FileId, OfferId, Timestamp};

/// Most milestones of a result (specification, Limits).
pub const MAX_MILESTONES: usize = 50;

/// What a documents job made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DocumentResult {
    /// The files, the chosen format first.
    #[schema(inline, min_items = 1)]
    pub files: Vec<DocumentFile>,
    pub brand: BrandBinding,
    /// The exact selling context that the document was written with; null without an offer.
    #[schema(inline, required)]
    pub offer: Option<SellingContext>,
    /// What happened, oldest first.
    #[schema(inline, max_items = 50)]
    pub progress: Vec<Milestone>,
    /// What of the brief stands in no file: for whoever wrote the brief, and for nobody else.
    #[serde(default)]
    #[schema(inline, max_items = 200)]
    pub left_out: Vec<LeftOutOfBrief>,
    /// Always `default`.
    pub model: String,
    /// Time from the job's first start until its end.
    pub duration_seconds: f64,
    /// The normalized request.
    pub request_echo: DocumentInput,
    /// The title that the document has.
    pub title: String,
    /// Domain of the company that the document is for.
    #[schema(required)]
    pub target_domain: Option<String>,
    /// The caller's own reference.
    #[schema(required)]
    pub external_ref: Option<String>,
    /// The type that was asked for or chosen.
    #[schema(inline)]
    pub document_type: DocumentType,
    /// The format that was asked for or chosen.
    #[schema(inline)]
    pub format: DocumentFormat,
    /// Why this type and format; null if both were asked for.
    #[schema(required)]
    pub reason: Option<String>,
    /// BCP 47 tag of the document's language.
    pub language: String,
}

/// A file that the job made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DocumentFile {
    #[schema(value_type = String, pattern = "^file_[0-9a-hjkmnp-tv-z]{26}$")]
    pub file_id: FileId,
    pub filename: String,
    #[schema(inline)]
    pub format: DocumentFormat,
    pub size_bytes: u64,
    /// SHA-256 of the file.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub content_digest: Digest,
    /// SHA-256 of the evidence manifest that is embedded in the file.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub evidence_manifest_digest: Digest,
    /// Pages or slides, as the renderer counts them.
    #[schema(required)]
    pub pages: Option<u64>,
}

/// A curated step of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Milestone {
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// What kind of step it is, such as `plan`, `compose`, `left_out` or `render.overflow`.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// The job's progress at that time.
    #[schema(maximum = 100)]
    pub percent: u8,
}

/// What of an offer a document was written with, in the revision that was bound. A price that must not be disclosed
/// is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SellingContext {
    #[schema(value_type = String, pattern = "^offr_[0-9a-hjkmnp-tv-z]{26}$")]
    pub offer_id: OfferId,
    #[schema(minimum = 1)]
    pub revision: u64,
    /// Hash of that revision.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub offer_hash: Digest,
    pub name: String,
    /// What a customer gains.
    #[schema(inline)]
    pub value_propositions: Vec<OfferText>,
    /// Evidence for it.
    #[schema(inline)]
    pub proof_points: Vec<OfferProofPoint>,
    /// What it costs; null if nothing may be said about that.
    #[schema(inline, required)]
    pub pricing: Option<Pricing>,
    /// Whom it is for.
    #[schema(inline)]
    pub icp: IdealCustomer,
    /// Stages of a sale that it suits.
    #[schema(inline)]
    pub stage_fit: Vec<StageFit>,
}

impl SellingContext {
    /// The context that a bound offer gives.
    #[must_use]
    pub fn of(bound: &OfferBinding, content: OfferContent) -> Self {
        let content = content.for_texts();
        Self {
            offer_id: bound.offer_id,
            revision: bound.revision,
            offer_hash: bound.offer_hash,
            name: content.name,
            value_propositions: content.value_propositions,
            proof_points: content.proof_points,
            pricing: content.pricing,
            icp: content.icp,
            stage_fit: content.stage_fit,
        }
    }
}

/// The milestones that a result shows: of too many, the first and the last, because they tell how the work began and
/// what came of it.
#[must_use]
pub fn curated(mut milestones: Vec<Milestone>) -> Vec<Milestone> {
    if milestones.len() > MAX_MILESTONES {
        let first = MAX_MILESTONES / 2;
        let last = milestones.len() - (MAX_MILESTONES - first);
        milestones.drain(first..last);
    }
    milestones
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_milestones_the_first_and_the_last_are_kept() {
        let milestone = |n: usize| Milestone {
            at: Timestamp::EPOCH,
            code: "compose".to_owned(),
            message: n.to_string(),
            percent: 10,
        };
        let few: Vec<_> = (0..MAX_MILESTONES).map(milestone).collect();
        assert_eq!(curated(few.clone()), few);
        let kept = curated((0..200).map(milestone).collect());
        assert_eq!(kept.len(), MAX_MILESTONES);
        let told: Vec<&str> = kept.iter().map(|m| m.message.as_str()).collect();
        assert_eq!(
            (told[0], told[24], told[25], told[49]),
            ("0", "24", "175", "199")
        );
    }
}
