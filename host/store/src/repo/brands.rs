//! Brands: creating, selecting and listing them, and their research status, which changes in the same
//! transactions as the status of the research job.

use gtm_domain::audit::{AuditAction, AuditActor, AuditEvent};
use gtm_domain::brand::{
    ActiveResearch, Brand, BrandKey, BrandSelection, BrandStatus, Research, ResearchStatus,
};
use gtm_domain::idempotency::{Create, IdempotencyClaim, StoredAnswer};
use gtm_domain::job::{CreateJob, Job};
use gtm_domain::{BrandId, JobId, JobType, OrganizationId, ProjectId, TierTable, Timestamp};
use sqlx::AssertSqlSafe;

use super::jobs::RawJob;
use super::{Conn, FOR_UPDATE, audit, creates, idempotency, money};
use crate::columns::{Text, Time, count, instant};
use crate::error::StoreError;
use crate::model::brand::{BrandPage, NewBrand};
use crate::model::job::NewJob;
use crate::scope::ProjectScope;

row! {
    struct RawBrand {
        id: Text<BrandId>,
        organization_id: Text<OrganizationId>,
        key: Text<BrandKey>,
        company_name: Option<String>,
        website_url: Option<String>,
        is_default: bool,
        default_wished_at: Option<Time>,
        status: String,
        research_status: String,
        research_job_id: Option<Text<JobId>>,
        guideline_revision: Option<i64>,
        source_count: i64,
        created_at: Time,
        updated_at: Time,
        archived_at: Option<Time>,
    }
}

impl RawBrand {
    fn into_row(self) -> Result<Brand, StoreError> {
        let corrupt =
            |what: &str, value: &str| StoreError::Corrupt(format!("brand {what} {value}"));
        Ok(Brand {
            id: self.id.0,
            organization: self.organization_id.0,
            key: self.key.0,
            company_name: self.company_name,
            website_url: self.website_url,
            is_default: self.is_default,
            default_wished_at: instant(self.default_wished_at),
            status: BrandStatus::parse(&self.status)
                .ok_or_else(|| corrupt("status", &self.status))?,
            research_status: ResearchStatus::parse(&self.research_status)
                .ok_or_else(|| corrupt("research status", &self.research_status))?,
            research_job: self.research_job_id.map(|id| id.0),
            guideline_revision: self.guideline_revision.map(count),
            source_count: count(self.source_count),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            archived_at: instant(self.archived_at),
        })
    }
}

/// Creates a brand with its first research job, under an idempotency key if one is given.
pub(crate) async fn create(
    c: &mut Conn,
    scope: &ProjectScope,
    brand: &NewBrand,
    job: &NewJob,
    claim: Option<&IdempotencyClaim>,
    tiers: &TierTable,
    now: Timestamp,
) -> Result<(CreateJob, Option<Brand>), StoreError> {
    // This locks the organization's money, so from here on its creates run one after the other.
    let outcome = creates::job(c, scope, job, claim, tiers, now).await?;
    let Create::Created(row) = &outcome else {
        return Ok((outcome, None));
    };
    insert(c, scope.organization, brand, now).await?;
    let made = queue(c, brand.id, row.id, now).await?;
    Ok((outcome, Some(made)))
}

async fn insert(
    c: &mut Conn,
    organization: OrganizationId,
    new: &NewBrand,
    now: Timestamp,
) -> Result<(), StoreError> {
    let key = free_key(c, organization, &new.key).await?;
    let sql = "INSERT INTO brands (id, organization_id, key, company_name, website_url, is_default, default_wished_at, \
        status, research_status, source_count, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'active', 'not_started', 0, $8, $8)";
    sqlx::query(sql)
        .bind(Text(new.id))
        .bind(Text(organization))
        .bind(Text(key))
        .bind(&new.company_name)
        .bind(&new.website_url)
        .bind(false)
        .bind(new.is_default.then_some(Time(now)))
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(())
}

/// The wanted key, or the first numbered variant that no brand of the organization uses. No other create of
/// the organization runs meanwhile.
async fn free_key(
    c: &mut Conn,
    organization: OrganizationId,
    wanted: &BrandKey,
) -> Result<BrandKey, StoreError> {
    // A long key is cut before its number is appended, so look for keys that share only its beginning. Keys
    // contain no LIKE wildcards.
    let beginning: String = wanted.as_str().chars().take(40).collect();
    let sql = "SELECT key FROM brands WHERE organization_id = $1 AND key LIKE $2";
    let taken: Vec<String> = sqlx::query_scalar(sql)
        .bind(Text(organization))
        .bind(format!("{beginning}%"))
        .fetch_all(c)
        .await?;
    let taken: std::collections::BTreeSet<String> = taken.into_iter().collect();
    Ok(wanted.free_of(|key| taken.contains(key.as_str())))
}

/// Queues research: the brand follows this job from now on.
async fn queue(
    c: &mut Conn,
    brand: BrandId,
    job: JobId,
    now: Timestamp,
) -> Result<Brand, StoreError> {
    let sql = "UPDATE brands SET research_status = 'queued', research_job_id = $2, updated_at = $3 \
        WHERE id = $1 RETURNING *";
    let raw: RawBrand = sqlx::query_as(sql)
        .bind(Text(brand))
        .bind(Text(job))
        .bind(Time(now))
        .fetch_one(c)
        .await?;
    raw.into_row()
}

/// Researches a brand again, unless a job is already at work. In that case `answer` builds the response,
/// and the idempotency key stores it.
#[expect(
    clippy::too_many_arguments,
    reason = "what a create needs, and what is told instead"
)]
pub(crate) async fn research(
    c: &mut Conn,
    scope: &ProjectScope,
    id: BrandId,
    job: &NewJob,
    claim: Option<&IdempotencyClaim>,
    answer: &(dyn Fn(&ActiveResearch) -> StoredAnswer + Send + Sync),
    tiers: &TierTable,
    now: Timestamp,
) -> Result<Research, StoreError> {
    // Lock order: the key first, as in every create; then the money before the brand, as when a job ends.
    if let Some(claim) = claim {
        let protected = idempotency::Protected::job(job);
        if let Some(known) = idempotency::claim(c, scope.project, claim, &protected, now).await? {
            return Ok(Research::Job(Create::known(known)));
        }
    }
    money::lock(c, scope.organization).await?;
    let brand = held(c, scope.organization, id).await?;
    let refused = match &brand {
        None => Some(Research::Absent),
        Some(brand) if brand.status == BrandStatus::Archived => Some(Research::Archived),
        Some(_) => None,
    };
    if let Some(refused) = refused {
        // Nothing is created, so the key has nothing to protect.
        if let Some(claim) = claim {
            idempotency::give_up(c, scope.project, claim).await?;
        }
        return Ok(refused);
    }
    let active = brand
        .filter(|brand| brand.research_status.is_active())
        .and_then(|brand| brand.research_job);
    if let Some(active) = active {
        // The brand is locked, so this job cannot end before the answer is stored.
        let row = research_job(c, scope.organization, active, now).await?;
        let row = row.ok_or_else(|| StoreError::absent("job", active))?;
        let response = answer(&ActiveResearch::of(row, scope.project));
        if let Some(claim) = claim {
            idempotency::keep_instead(c, scope.project, claim, active, &response).await?;
        }
        return Ok(Research::Active(active, response));
    }
    let outcome = creates::job(c, scope, job, None, tiers, now).await?;
    if let Create::Created(row) = &outcome {
        queue(c, id, row.id, now).await?;
    }
    Ok(Research::Job(outcome))
}

/// A brand of the organization, locked until the transaction ends.
pub(crate) async fn held(
    c: &mut Conn,
    organization: OrganizationId,
    id: BrandId,
) -> Result<Option<Brand>, StoreError> {
    let sql = format!("SELECT * FROM brands WHERE id = $1 AND organization_id = $2{FOR_UPDATE}");
    let raw: Option<RawBrand> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(id))
        .bind(Text(organization))
        .fetch_optional(c)
        .await?;
    raw.map(RawBrand::into_row).transpose()
}

/// Like [`held`], for a brand that must exist.
pub(crate) async fn existing(
    c: &mut Conn,
    organization: OrganizationId,
    id: BrandId,
) -> Result<Brand, StoreError> {
    held(c, organization, id)
        .await?
        .ok_or_else(|| StoreError::absent("brand", id))
}

/// The organization of a brand that must exist; it never changes.
pub(crate) async fn organization_of(
    c: &mut Conn,
    id: BrandId,
) -> Result<OrganizationId, StoreError> {
    let found: Option<Text<OrganizationId>> =
        sqlx::query_scalar("SELECT organization_id FROM brands WHERE id = $1")
            .bind(Text(id))
            .fetch_optional(c)
            .await?;
    found
        .map(|found| found.0)
        .ok_or_else(|| StoreError::absent("brand", id))
}

/// The organization's brand that the selector names.
pub(crate) async fn select(
    c: &mut Conn,
    organization: OrganizationId,
    by: &BrandSelection,
) -> Result<Option<Brand>, StoreError> {
    let of = |name: &str| format!("SELECT * FROM brands WHERE organization_id = $1 AND {name}");
    let text = match by {
        BrandSelection::Id(_) => of("id = $2"),
        BrandSelection::Key(_) => of("key = $2"),
        BrandSelection::Default => of("is_default"),
    };
    let query = sqlx::query_as(AssertSqlSafe(text)).bind(Text(organization));
    let query = match by {
        BrandSelection::Id(id) => query.bind(id.to_string()),
        BrandSelection::Key(key) => query.bind(key.to_string()),
        BrandSelection::Default => query,
    };
    let raw: Option<RawBrand> = query.fetch_optional(c).await?;
    raw.map(RawBrand::into_row).transpose()
}

/// The brand that a job researches, or researched last.
pub(crate) async fn of_job(
    c: &mut Conn,
    organization: OrganizationId,
    job: JobId,
) -> Result<Option<Brand>, StoreError> {
    let sql = "SELECT * FROM brands WHERE research_job_id = $1 AND organization_id = $2";
    let raw: Option<RawBrand> = sqlx::query_as(sql)
        .bind(Text(job))
        .bind(Text(organization))
        .fetch_optional(c)
        .await?;
    raw.map(RawBrand::into_row).transpose()
}

/// Active brands, newest first. Ids are time-ordered, so the id is both the sort order and the cursor.
pub(crate) async fn list(
    c: &mut Conn,
    organization: OrganizationId,
    page: BrandPage,
) -> Result<Vec<Brand>, StoreError> {
    let first = "SELECT * FROM brands WHERE organization_id = $1 AND status = 'active' ORDER BY id DESC LIMIT $2";
    let later = "SELECT * FROM brands WHERE organization_id = $1 AND status = 'active' AND id < $3 \
        ORDER BY id DESC LIMIT $2";
    let query = sqlx::query_as(if page.before.is_some() { later } else { first })
        .bind(Text(organization))
        .bind(i64::from(page.limit));
    let query = match page.before {
        Some(before) => query.bind(Text(before)),
        None => query,
    };
    let rows: Vec<RawBrand> = query.fetch_all(c).await?;
    rows.into_iter().map(RawBrand::into_row).collect()
}

/// A worker has claimed a research job: its brand is now being researched. Claiming the job again changes
/// nothing.
pub(super) async fn research_claimed(
    c: &mut Conn,
    job: JobId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE brands SET research_status = 'researching', updated_at = $2 \
        WHERE research_job_id = $1 AND research_status = 'queued'";
    sqlx::query(sql)
        .bind(Text(job))
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(())
}

/// A research job has ended without a guideline, which ends the research of its brand; the brand keeps its
/// last guideline.
pub(super) async fn research_ended(
    c: &mut Conn,
    job: &Job,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(status) = ResearchStatus::after_job(job.status) else {
        return Ok(());
    };
    let sql = "UPDATE brands SET research_status = $2, updated_at = $3 \
        WHERE research_job_id = $1 AND research_status IN ('queued', 'researching')";
    sqlx::query(sql)
        .bind(Text(job.id))
        .bind(status.as_str())
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(())
}

/// Brands for operators, newest first, of one organization or all.
pub(crate) async fn operator_list(
    c: &mut Conn,
    organization: Option<OrganizationId>,
    status: Option<BrandStatus>,
) -> Result<Vec<Brand>, StoreError> {
    let sql = "SELECT * FROM brands WHERE ($1 IS NULL OR organization_id = $1) AND ($2 IS NULL OR status = $2) \
        ORDER BY id DESC";
    let rows: Vec<RawBrand> = sqlx::query_as(sql)
        .bind(organization.map(Text))
        .bind(status.map(BrandStatus::as_str))
        .fetch_all(c)
        .await?;
    rows.into_iter().map(RawBrand::into_row).collect()
}

pub(crate) async fn operator_get(c: &mut Conn, id: BrandId) -> Result<Option<Brand>, StoreError> {
    let raw: Option<RawBrand> = sqlx::query_as("SELECT * FROM brands WHERE id = $1")
        .bind(Text(id))
        .fetch_optional(c)
        .await?;
    raw.map(RawBrand::into_row).transpose()
}

/// Removes the default from the organization's default brand, whichever it is. The caller holds the
/// organization's money, so that changes of the default run one after the other.
pub(crate) async fn clear_default(
    c: &mut Conn,
    organization: OrganizationId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE brands SET is_default = $2, updated_at = $3 WHERE organization_id = $1 AND is_default";
    sqlx::query(sql)
        .bind(Text(organization))
        .bind(false)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(())
}

/// Makes a brand the default with its first guideline, if that was wished for. Older wishes of other brands
/// are dropped: otherwise those brands would later take the default from one that was requested after them.
/// The caller holds the organization's money and the brand; `before` is the brand before this change,
/// `project` the project of its research.
pub(super) async fn grant_wish(
    c: &mut Conn,
    before: &Brand,
    project: ProjectId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(wished_at) = before.default_wished_at else {
        return Ok(());
    };
    clear_default(c, before.organization, now).await?;
    let sql = "UPDATE brands SET is_default = $2, updated_at = $3 WHERE id = $1 RETURNING *";
    let made: RawBrand = sqlx::query_as(sql)
        .bind(Text(before.id))
        .bind(true)
        .bind(Time(now))
        .fetch_one(&mut *c)
        .await?;
    drop_wishes(c, before.organization, wished_at, now).await?;
    let actor = AuditActor::system("brand_research");
    let event = AuditEvent::new(
        &actor,
        AuditAction::BrandMadeDefault,
        before.id,
        Some(before.organization),
        Some(project),
    );
    let event = event.before(before)?.after(&made.into_row()?)?;
    audit::append(c, &event, now).await
}

/// Drops the organization's wishes for a default brand made up to `last`.
pub(crate) async fn drop_wishes(
    c: &mut Conn,
    organization: OrganizationId,
    last: Timestamp,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE brands SET default_wished_at = NULL, updated_at = $3 \
        WHERE organization_id = $1 AND default_wished_at <= $2";
    sqlx::query(sql)
        .bind(Text(organization))
        .bind(Time(last))
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(())
}

/// Writes the fields of a brand that an operator may change: its default and its status.
pub(crate) async fn update(c: &mut Conn, row: &Brand) -> Result<(), StoreError> {
    let sql = "UPDATE brands SET is_default = $2, default_wished_at = $3, status = $4, archived_at = $5, \
        updated_at = $6 WHERE id = $1";
    sqlx::query(sql)
        .bind(Text(row.id))
        .bind(row.is_default)
        .bind(row.default_wished_at.map(Time))
        .bind(row.status.as_str())
        .bind(row.archived_at.map(Time))
        .bind(Time(row.updated_at))
        .execute(c)
        .await?;
    Ok(())
}

/// A research job for a brand of the organization, whichever of its projects requested it.
pub(crate) async fn research_job(
    c: &mut Conn,
    organization: OrganizationId,
    id: JobId,
    now: Timestamp,
) -> Result<Option<Job>, StoreError> {
    let sql = "SELECT * FROM jobs WHERE id = $1 AND organization_id = $2 AND type = $3";
    let raw: Option<RawJob> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(organization))
        .bind(JobType::Brands.as_str())
        .fetch_optional(c)
        .await?;
    raw.map(|r| r.into_row(now)).transpose()
}
