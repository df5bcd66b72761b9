//! What an operator may do to a brand: archive it, make it the default, review its guideline. Each function
//! returns the changed brand, and none changes a brand that is already in the wanted state.

use super::guideline_revision::{NewGuideline, StoredGuideline};
use super::record::{Brand, BrandStatus, SelectedBrand};
use crate::guideline::review::{NoGuideline, REVIEW_POINTER, Review, reviewed};
use crate::{BrandId, Timestamp};

/// Why a brand is not changed as requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BrandRefusal {
    /// An archived brand cannot be the default.
    #[error("brand {0} is archived")]
    Archived(BrandId),
    /// A brand whose guideline results cannot bind to cannot be the default.
    #[error(
        "the guideline of brand {0} was rejected by its review; research the brand or review it again first"
    )]
    Rejected(BrandId),
    /// Running research would replace the reviewed guideline.
    #[error("brand {0} is being researched; review what comes of it")]
    BeingResearched(BrandId),
    /// The brand has no guideline to review.
    #[error("brand {0} has no guideline")]
    NoGuideline(BrandId),
}

/// Outcome of making a brand the default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MadeDefault {
    /// It already is the default.
    Already,
    /// It is the default from now on; the previous default no longer is.
    Now(Brand),
    /// It has no guideline yet and becomes the default with its first.
    WithFirstGuideline(Brand),
}

impl Brand {
    /// Archives the brand: it can no longer be selected and stays readable. A default brand stays the
    /// default, so that requests that name no brand are refused rather than served without one.
    #[must_use]
    pub fn archived(&self, now: Timestamp) -> Option<Self> {
        (self.status != BrandStatus::Archived).then(|| Self {
            status: BrandStatus::Archived,
            default_wished_at: None,
            archived_at: Some(now),
            updated_at: now,
            ..self.clone()
        })
    }

    /// Restores the brand from the archive.
    #[must_use]
    pub fn unarchived(&self, now: Timestamp) -> Option<Self> {
        (self.status != BrandStatus::Active).then(|| Self {
            status: BrandStatus::Active,
            archived_at: None,
            updated_at: now,
            ..self.clone()
        })
    }

    /// Clears both: being the default, and waiting to become it.
    #[must_use]
    pub fn without_default(&self, now: Timestamp) -> Option<Self> {
        (self.is_default || self.default_wished_at.is_some()).then(|| Self {
            is_default: false,
            default_wished_at: None,
            updated_at: now,
            ..self.clone()
        })
    }

    /// Whether its guideline may be reviewed now.
    ///
    /// # Errors
    /// While it is being researched.
    pub const fn reviewable(&self) -> Result<(), BrandRefusal> {
        if self.research_status.is_active() {
            Err(BrandRefusal::BeingResearched(self.id))
        } else {
            Ok(())
        }
    }
}

impl SelectedBrand {
    /// Makes it its organization's default brand.
    ///
    /// # Errors
    /// If the brand is archived, or its guideline was rejected.
    pub fn made_default(&self, now: Timestamp) -> Result<MadeDefault, BrandRefusal> {
        let brand = &self.brand;
        if brand.status == BrandStatus::Archived {
            return Err(BrandRefusal::Archived(brand.id));
        }
        if self.rejected {
            return Err(BrandRefusal::Rejected(brand.id));
        }
        if brand.is_default {
            return Ok(MadeDefault::Already);
        }
        let changed = Brand {
            updated_at: now,
            ..brand.clone()
        };
        Ok(if self.binding.is_some() {
            MadeDefault::Now(Brand {
                is_default: true,
                ..changed
            })
        } else {
            MadeDefault::WithFirstGuideline(Brand {
                default_wished_at: Some(now),
                ..changed
            })
        })
    }
}

impl StoredGuideline {
    /// The next revision, which records the review.
    ///
    /// # Errors
    /// If the stored document lacks a member that every guideline has.
    pub fn reviewed(&self, review: &Review, now: Timestamp) -> Result<NewGuideline, NoGuideline> {
        let (document, hash) = reviewed(&self.document, review, now)?;
        let current = &self.revision;
        Ok(NewGuideline {
            brand: current.brand,
            revision: current.revision + 1,
            hash,
            schema_version: current.schema_version.clone(),
            generated_at: current.generated_at,
            source_count: current.source_count,
            changed_pointers: vec![REVIEW_POINTER.to_owned()],
            document,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use uuid::Uuid;

    use super::*;
    use crate::brand::{BrandBinding, BrandKey, ResearchStatus};
    use crate::{Digest, OrganizationId};

    const THEN: Timestamp = Timestamp::from_micros(1_000_000);
    const NOW: Timestamp = Timestamp::from_micros(2_000_000);

    fn brand() -> Brand {
        Brand {
            id: BrandId::from_uuid(Uuid::from_u128(1)),
            organization: OrganizationId::from_uuid(Uuid::from_u128(2)),
            key: "acme".parse::<BrandKey>().unwrap(),
            company_name: None,
            website_url: None,
            is_default: false,
            default_wished_at: None,
            status: BrandStatus::Active,
            research_status: ResearchStatus::Ready,
            research_job: None,
            guideline_revision: Some(3),
            source_count: 1,
            created_at: THEN,
            updated_at: THEN,
            archived_at: None,
        }
    }

    fn selected(brand: Brand) -> SelectedBrand {
        SelectedBrand {
            binding: brand.guideline_revision.map(|revision| BrandBinding {
                brand_profile_id: brand.id,
                revision,
                guideline_hash: Digest::of(b"guideline"),
            }),
            brand,
            rejected: false,
        }
    }

    #[test]
    fn archiving_ends_a_wish_and_no_default() {
        let brand = Brand {
            is_default: true,
            default_wished_at: Some(THEN),
            ..brand()
        };
        let archived = brand.archived(NOW).unwrap();
        assert!(archived.is_default);
        assert_eq!(archived.default_wished_at, None);
        assert_eq!(
            (archived.archived_at, archived.updated_at),
            (Some(NOW), NOW)
        );
        assert_eq!(archived.archived(NOW), None);
        let back = archived.unarchived(NOW).unwrap();
        assert_eq!((back.status, back.archived_at), (BrandStatus::Active, None));
        assert_eq!(back.unarchived(NOW), None);
    }

    #[test]
    fn a_brand_without_a_guideline_becomes_the_default_with_its_first() {
        let with = selected(brand()).made_default(NOW).unwrap();
        assert!(matches!(with, MadeDefault::Now(brand) if brand.is_default));
        let without = Brand {
            guideline_revision: None,
            ..brand()
        };
        let without = selected(without).made_default(NOW).unwrap();
        let MadeDefault::WithFirstGuideline(waiting) = without else {
            unreachable!("it has no guideline: {without:?}")
        };
        assert_eq!(
            (waiting.is_default, waiting.default_wished_at),
            (false, Some(NOW))
        );
        let given_up = waiting.without_default(NOW).unwrap();
        assert_eq!(given_up.default_wished_at, None);
        assert_eq!(given_up.without_default(NOW), None);
    }

    #[test]
    fn neither_an_archived_nor_a_rejected_brand_becomes_the_default() {
        let archived = selected(brand().archived(NOW).unwrap());
        assert!(matches!(
            archived.made_default(NOW),
            Err(BrandRefusal::Archived(_))
        ));
        let rejected = SelectedBrand {
            rejected: true,
            ..selected(brand())
        };
        assert!(matches!(
            rejected.made_default(NOW),
            Err(BrandRefusal::Rejected(_))
        ));
        let already = selected(Brand {
            is_default: true,
            ..brand()
        });
        assert_eq!(already.made_default(NOW), Ok(MadeDefault::Already));
    }

    #[test]
    fn a_brand_is_not_reviewed_while_it_is_researched() {
        for status in ResearchStatus::ALL {
            let brand = Brand {
                research_status: status,
                ..brand()
            };
            assert_eq!(
                brand.reviewable().is_err(),
                status.is_active(),
                "{status:?}"
            );
        }
    }
}
