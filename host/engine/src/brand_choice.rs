//! Choice of the brand that a result speaks for: the one that the request names, or else the organization's
//! default brand (decision 0045).

use gtm_domain::brand::{BrandBinding, BrandSelection, BrandStatus, SelectedBrand};
use gtm_domain::{BrandId, JobType};
use serde::Serialize;

/// How a request chooses its brand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrandChoice {
    /// All ways in which the request names the brand; they must agree. Empty means the default brand.
    pub(crate) by: Vec<BrandSelection>,
    /// Whether a brand is mandatory. Otherwise a request that names none, in an organization without a
    /// default, runs without a brand.
    pub(crate) required: bool,
}

/// The normalized input of a job that speaks for a brand.
pub trait ForBrand: Serialize + Send {
    const JOB_TYPE: JobType;

    /// How the request chooses the brand.
    ///
    /// # Errors
    /// If what it names cannot be a brand.
    fn brand(&self) -> Result<BrandChoice, BrandProblem>;
}

/// Why the chosen brand cannot be bound. The API writes the message, and picks the code by the field that
/// chose the brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BrandProblem {
    #[error("the organization has no such brand")]
    Unknown,
    #[error("the request names two different brands")]
    Mismatch,
    #[error("the brand is archived")]
    Archived,
    #[error("the brand has no guideline to bind")]
    NotReady {
        /// Whether a guideline exists but its reviewer rejected it.
        rejected: bool,
    },
    #[error("the organization has no default brand, and the request names none")]
    NoDefault,
    #[error("the default brand {brand} cannot be used: {reason:?}")]
    UnusableDefault {
        brand: BrandId,
        reason: DefaultProblem,
    },
}

/// Why a default brand cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultProblem {
    Archived,
    NoGuideline,
    GuidelineRejected,
}

impl BrandChoice {
    /// A choice by id, by key, by both, or of the default brand if the request gives neither.
    pub(crate) fn named(
        id: Option<&str>,
        key: Option<&str>,
        required: bool,
    ) -> Result<Self, BrandProblem> {
        // A text that cannot be the name of any brand names no brand.
        let id = id.map(str::parse).transpose();
        let id = id.map_err(|_| BrandProblem::Unknown)?;
        let key = key.map(str::parse).transpose();
        let key = key.map_err(|_| BrandProblem::Unknown)?;
        let by_id = id.map(BrandSelection::Id).into_iter();
        Ok(Self {
            by: by_id.chain(key.map(BrandSelection::Key)).collect(),
            required,
        })
    }

    /// A choice by a name that is an id or a key, or of the default brand if there is no name.
    pub(crate) fn of_name(name: Option<&str>, required: bool) -> Result<Self, BrandProblem> {
        match name {
            // Ids contain an underscore and keys none, so no text is both.
            Some(name) if name.parse::<BrandId>().is_ok() => {
                Self::named(Some(name), None, required)
            }
            name => Self::named(None, name, required),
        }
    }
}

/// The binding of a brand that the request names.
pub(crate) fn named_binding(found: SelectedBrand) -> Result<BrandBinding, BrandProblem> {
    if found.brand.status == BrandStatus::Archived {
        return Err(BrandProblem::Archived);
    }
    let rejected = found.rejected;
    found.binding.ok_or(BrandProblem::NotReady { rejected })
}

/// The binding of the default brand. An unusable default is a problem even where no brand is mandatory: the
/// organization has set a default, so a result without a brand is not what it asked for.
pub(crate) fn default_binding(
    found: Option<SelectedBrand>,
    required: bool,
) -> Result<Option<BrandBinding>, BrandProblem> {
    let Some(found) = found else {
        return if required {
            Err(BrandProblem::NoDefault)
        } else {
            Ok(None)
        };
    };
    let reason = match found.binding {
        _ if found.brand.status == BrandStatus::Archived => DefaultProblem::Archived,
        Some(binding) => return Ok(Some(binding)),
        None if found.rejected => DefaultProblem::GuidelineRejected,
        None => DefaultProblem::NoGuideline,
    };
    Err(BrandProblem::UnusableDefault {
        brand: found.brand.id,
        reason,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::brand::{Brand, ResearchStatus};
    use gtm_domain::{Digest, OrganizationId, Timestamp};
    use uuid::Uuid;

    fn brand(status: BrandStatus, bound: bool, rejected: bool) -> SelectedBrand {
        let now = Timestamp::from_millis(1_800_000_000_000);
        let id = BrandId::from_uuid(Uuid::from_u128(1));
        SelectedBrand {
            brand: Brand {
                id,
                organization: OrganizationId::from_uuid(Uuid::from_u128(2)),
                key: "northwind".parse().unwrap(),
                company_name: None,
                website_url: None,
                is_default: false,
                default_wished_at: None,
                status,
                research_status: ResearchStatus::Ready,
                research_job: None,
                guideline_revision: None,
                source_count: 0,
                created_at: now,
                updated_at: now,
                archived_at: None,
            },
            binding: bound.then(|| BrandBinding {
                brand_profile_id: id,
                revision: 1,
                guideline_hash: Digest::of(b"guideline"),
            }),
            rejected,
        }
    }

    #[test]
    fn a_brand_is_bound_only_if_it_is_active_and_has_an_accepted_guideline() {
        use BrandStatus::{Active, Archived};
        use DefaultProblem as D;
        for (status, bound, rejected, named, default) in [
            (Active, true, false, None, None),
            (
                Active,
                false,
                false,
                Some(BrandProblem::NotReady { rejected: false }),
                Some(D::NoGuideline),
            ),
            (
                Active,
                false,
                true,
                Some(BrandProblem::NotReady { rejected: true }),
                Some(D::GuidelineRejected),
            ),
            (
                Archived,
                true,
                false,
                Some(BrandProblem::Archived),
                Some(D::Archived),
            ),
            (
                Archived,
                false,
                true,
                Some(BrandProblem::Archived),
                Some(D::Archived),
            ),
        ] {
            let found = brand(status, bound, rejected);
            let id = found.brand.id;
            let case = format!("{status:?} {bound} {rejected}");
            assert_eq!(named_binding(found.clone()).err(), named, "{case}");
            let default = default.map(|reason| BrandProblem::UnusableDefault { brand: id, reason });
            assert_eq!(default_binding(Some(found), false).err(), default, "{case}");
        }
    }

    #[test]
    fn only_a_required_brand_is_missed() {
        assert_eq!(default_binding(None, false), Ok(None));
        assert_eq!(default_binding(None, true), Err(BrandProblem::NoDefault));
    }

    #[test]
    fn what_cannot_name_a_brand_names_none() {
        let id = BrandId::from_uuid(Uuid::from_u128(1));
        let text = id.to_string();
        let choice = |id, key| BrandChoice::named(id, key, false);
        let by = choice(Some(text.as_str()), Some("northwind")).unwrap().by;
        let key = BrandSelection::Key("northwind".parse().unwrap());
        assert_eq!(by, [BrandSelection::Id(id), key]);
        assert!(choice(None, None).unwrap().by.is_empty());
        let of_name = |name| BrandChoice::of_name(name, true).map(|choice| choice.by);
        assert_eq!(
            of_name(Some(text.as_str())),
            Ok(vec![BrandSelection::Id(id)])
        );
        let by_key = BrandSelection::Key("northwind".parse().unwrap());
        assert_eq!(of_name(Some("northwind")), Ok(vec![by_key]));
        assert_eq!(of_name(Some("No key!")), Err(BrandProblem::Unknown));
        assert_eq!(of_name(None), Ok(Vec::new()));
        for (id, key) in [
            (Some("no id"), None),
            (None, Some("No key!")),
            (Some(text.as_str()), Some("No key!")),
        ] {
            assert_eq!(choice(id, key), Err(BrandProblem::Unknown));
        }
    }
}
