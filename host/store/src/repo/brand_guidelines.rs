//! Revisions of brand guidelines: each is written once, follows the one before, and never changes.

use gtm_domain::brand::{
    Brand, BrandBinding, GuidelineRevision, NewGuideline, SelectedBrand, StoredGuideline,
};
use gtm_domain::guideline::words::ReviewStatus;
use gtm_domain::{BrandId, Digest, JobId, OrganizationId, Timestamp};
use serde_json::Value;

use super::{Conn, brands};
use crate::columns::{Json, Text, Time, count, stored};
use crate::error::StoreError;
use crate::model::brand::GuidelineRevisionPage;
use crate::scope::Lease;

row! {
    struct RawRevision {
        brand_id: Text<BrandId>,
        revision: i64,
        job_id: Text<JobId>,
        guideline_hash: Text<Digest>,
        schema_version: String,
        generated_at: Time,
        source_count: i64,
        changed_pointers: Json<Vec<String>>,
    }
}

impl From<RawRevision> for GuidelineRevision {
    fn from(raw: RawRevision) -> Self {
        Self {
            brand: raw.brand_id.0,
            revision: count(raw.revision),
            job: raw.job_id.0,
            hash: raw.guideline_hash.0,
            schema_version: raw.schema_version,
            generated_at: raw.generated_at.0,
            source_count: count(raw.source_count),
            changed_pointers: raw.changed_pointers.0,
        }
    }
}

row! {
    struct RawGuideline {
        document: Json<Value>,
        ..revision: RawRevision,
    }
}

impl From<RawGuideline> for StoredGuideline {
    fn from(raw: RawGuideline) -> Self {
        Self {
            revision: raw.revision.into(),
            document: raw.document.0,
        }
    }
}

/// Stores the guideline of a research job and makes it the brand's current one; a brand that waits for its
/// first guideline becomes the default brand. The caller holds the organization's money and the job.
pub(super) async fn publish(
    c: &mut Conn,
    lease: &Lease,
    new: &NewGuideline,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(before) = brands::held(c, lease.organization, new.brand).await? else {
        return Err(not_next(new));
    };
    let sql = "UPDATE brands SET research_status = 'ready', guideline_revision = $4, source_count = $5, \
        default_wished_at = NULL, updated_at = $6 WHERE id = $1 AND organization_id = $2 AND research_job_id = $3 AND research_status = 'researching' \
        AND COALESCE(guideline_revision, 0) = $4 - 1";
    let done = sqlx::query(sql)
        .bind(Text(new.brand))
        .bind(Text(lease.organization))
        .bind(Text(lease.job))
        .bind(stored(new.revision))
        .bind(stored(new.source_count))
        .bind(Time(now))
        .execute(&mut *c)
        .await?;
    if done.rows_affected() == 0 {
        return Err(not_next(new));
    }
    brands::grant_wish(c, &before, lease.project, now).await?;
    insert(c, lease.organization, lease.job, new).await
}

/// Stores an operator's revision of the current guideline. Its research stays that of `job`.
pub(crate) async fn amend(
    c: &mut Conn,
    brand: &Brand,
    job: JobId,
    new: &NewGuideline,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE brands SET guideline_revision = $2, updated_at = $3 \
        WHERE id = $1 AND COALESCE(guideline_revision, 0) = $2 - 1";
    let done = sqlx::query(sql)
        .bind(Text(brand.id))
        .bind(stored(new.revision))
        .bind(Time(now))
        .execute(&mut *c)
        .await?;
    if done.rows_affected() == 0 {
        return Err(not_next(new));
    }
    insert(c, brand.organization, job, new).await
}

fn not_next(new: &NewGuideline) -> StoreError {
    StoreError::Conflict(format!(
        "revision {} does not follow the current guideline of brand {}",
        new.revision, new.brand
    ))
}

async fn insert(
    c: &mut Conn,
    organization: OrganizationId,
    job: JobId,
    new: &NewGuideline,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO brand_guidelines (brand_id, revision, organization_id, job_id, guideline_hash, \
        schema_version, generated_at, source_count, changed_pointers, document) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    sqlx::query(sql)
        .bind(Text(new.brand))
        .bind(stored(new.revision))
        .bind(Text(organization))
        .bind(Text(job))
        .bind(Text(new.hash))
        .bind(&new.schema_version)
        .bind(Time(new.generated_at))
        .bind(stored(new.source_count))
        .bind(Json(&new.changed_pointers))
        .bind(Json(&new.document))
        .execute(c)
        .await?;
    Ok(())
}

/// One revision of the guideline of an organization's brand.
pub(crate) async fn get(
    c: &mut Conn,
    organization: OrganizationId,
    brand: BrandId,
    revision: u64,
) -> Result<Option<StoredGuideline>, StoreError> {
    let sql = "SELECT * FROM brand_guidelines WHERE brand_id = $1 AND revision = $2 AND organization_id = $3";
    let raw: Option<RawGuideline> = sqlx::query_as(sql)
        .bind(Text(brand))
        .bind(stored(revision))
        .bind(Text(organization))
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}

/// The brand with the guideline that a job selecting it now is bound to.
pub(crate) async fn selected(c: &mut Conn, brand: Brand) -> Result<SelectedBrand, StoreError> {
    let Some(revision) = brand.guideline_revision else {
        return Ok(SelectedBrand {
            brand,
            binding: None,
            rejected: false,
        });
    };
    let sql = "SELECT guideline_hash, review_status FROM brand_guidelines WHERE brand_id = $1 AND revision = $2 AND organization_id = $3";
    let found: Option<(Text<Digest>, Option<String>)> = sqlx::query_as(sql)
        .bind(Text(brand.id))
        .bind(stored(revision))
        .bind(Text(brand.organization))
        .fetch_optional(c)
        .await?;
    let rejected = found
        .as_ref()
        .is_some_and(|(_, review)| review.as_deref() == Some(ReviewStatus::Rejected.as_str()));
    let binding = found.filter(|_| !rejected).map(|(hash, _)| BrandBinding {
        brand_profile_id: brand.id,
        revision,
        guideline_hash: hash.0,
    });
    Ok(SelectedBrand {
        brand,
        binding,
        rejected,
    })
}

/// Guideline revisions of an organization's brand, newest first.
pub(crate) async fn list(
    c: &mut Conn,
    organization: OrganizationId,
    brand: BrandId,
    page: GuidelineRevisionPage,
) -> Result<Vec<GuidelineRevision>, StoreError> {
    let sql = "SELECT brand_id, revision, job_id, guideline_hash, schema_version, generated_at, source_count, \
        changed_pointers FROM brand_guidelines WHERE brand_id = $1 AND organization_id = $2 AND revision < $3 \
        ORDER BY revision DESC LIMIT $4";
    let rows: Vec<RawRevision> = sqlx::query_as(sql)
        .bind(Text(brand))
        .bind(Text(organization))
        .bind(page.before.map_or(i64::MAX, stored))
        .bind(i64::from(page.limit))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}
