//! Offers and their revisions. A revision is written once; only its approval is added.

use gtm_domain::offer::{
    Approval, Offer, OfferBinding, OfferContent, OfferKey, OfferRevision, OfferSelection,
    RevisedOffer,
};
use gtm_domain::{Digest, OfferId, OrganizationId, Timestamp};
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE};
use crate::columns::{Json, Text, Time, count, instant, stored};
use crate::error::StoreError;
use crate::model::offer::OfferPage;

/// Columns of a revision beside those of its offer.
const OF_REVISION: &str = "r.revision AS shown_revision, r.offer_hash, r.content, r.created_at AS revised_at, \
    r.approved_by, r.approved_at";

row! {
    struct RawOffer {
        id: Text<OfferId>,
        organization_id: Text<OrganizationId>,
        key: Text<OfferKey>,
        revision: i64,
        approved_revision: Option<i64>,
        created_at: Time,
        updated_at: Time,
        archived_at: Option<Time>,
    }
}

impl From<RawOffer> for Offer {
    fn from(raw: RawOffer) -> Self {
        Self {
            id: raw.id.0,
            organization: raw.organization_id.0,
            key: raw.key.0,
            revision: count(raw.revision),
            approved_revision: raw.approved_revision.map(count),
            created_at: raw.created_at.0,
            updated_at: raw.updated_at.0,
            archived_at: instant(raw.archived_at),
        }
    }
}

row! {
    struct RawRevisedOffer {
        shown_revision: i64,
        offer_hash: Text<Digest>,
        content: Json<OfferContent>,
        revised_at: Time,
        approved_by: Option<String>,
        approved_at: Option<Time>,
        ..offer: RawOffer,
    }
}

impl From<RawRevisedOffer> for RevisedOffer {
    fn from(raw: RawRevisedOffer) -> Self {
        let offer = Offer::from(raw.offer);
        let approval = raw.approved_by.zip(raw.approved_at);
        let revision = OfferRevision {
            offer: offer.id,
            revision: count(raw.shown_revision),
            hash: raw.offer_hash.0,
            content: raw.content.0,
            created_at: raw.revised_at.0,
            approval: approval.map(|(by, at)| Approval { by, at: at.0 }),
        };
        Self { offer, revision }
    }
}

/// Stores a new offer with its first revision.
pub(crate) async fn insert(c: &mut Conn, new: &RevisedOffer) -> Result<(), StoreError> {
    let row = &new.offer;
    let sql = "INSERT INTO offers (id, organization_id, key, revision, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    sqlx::query(sql)
        .bind(Text(row.id))
        .bind(Text(row.organization))
        .bind(Text(row.key.clone()))
        .bind(stored(row.revision))
        .bind(Time(row.created_at))
        .bind(Time(row.updated_at))
        .execute(&mut *c)
        .await?;
    insert_revision(c, row.organization, &new.revision).await
}

pub(crate) async fn insert_revision(
    c: &mut Conn,
    organization: OrganizationId,
    new: &OfferRevision,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO offer_revisions (offer_id, revision, organization_id, offer_hash, content, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    sqlx::query(sql)
        .bind(Text(new.offer))
        .bind(stored(new.revision))
        .bind(Text(organization))
        .bind(Text(new.hash))
        .bind(Json(&new.content))
        .bind(Time(new.created_at))
        .execute(c)
        .await?;
    Ok(())
}

/// Writes what may change of an offer.
pub(crate) async fn update(c: &mut Conn, row: &Offer) -> Result<(), StoreError> {
    let sql = "UPDATE offers SET revision = $2, approved_revision = $3, updated_at = $4, archived_at = $5 WHERE id = $1";
    sqlx::query(sql)
        .bind(Text(row.id))
        .bind(stored(row.revision))
        .bind(row.approved_revision.map(stored))
        .bind(Time(row.updated_at))
        .bind(row.archived_at.map(Time))
        .execute(c)
        .await?;
    Ok(())
}

/// Writes who approved a revision.
pub(crate) async fn approve(
    c: &mut Conn,
    offer: OfferId,
    revision: u64,
    by: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE offer_revisions SET approved_by = $3, approved_at = $4 WHERE offer_id = $1 AND revision = $2";
    sqlx::query(sql)
        .bind(Text(offer))
        .bind(stored(revision))
        .bind(by)
        .bind(Time(at))
        .execute(c)
        .await?;
    Ok(())
}

/// An offer that must exist, locked until the transaction ends.
pub(crate) async fn held(c: &mut Conn, id: OfferId) -> Result<Offer, StoreError> {
    let sql = format!("SELECT * FROM offers WHERE id = $1{FOR_UPDATE}");
    let raw: Option<RawOffer> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(id))
        .fetch_optional(c)
        .await?;
    raw.map(Into::into)
        .ok_or_else(|| StoreError::absent("offer", id))
}

/// The organization's offer that the selector names.
pub(crate) async fn select(
    c: &mut Conn,
    organization: OrganizationId,
    by: &OfferSelection,
) -> Result<Option<Offer>, StoreError> {
    let by_id = "SELECT * FROM offers WHERE organization_id = $1 AND id = $2";
    let by_key = "SELECT * FROM offers WHERE organization_id = $1 AND key = $2";
    let (sql, name) = match by {
        OfferSelection::Id(id) => (by_id, id.to_string()),
        OfferSelection::Key(key) => (by_key, key.to_string()),
    };
    let raw: Option<RawOffer> = sqlx::query_as(sql)
        .bind(Text(organization))
        .bind(name)
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}

/// What a job that selects the offer now is bound to; `None` without an approved revision.
pub(crate) async fn binding_of(
    c: &mut Conn,
    offer: &Offer,
) -> Result<Option<OfferBinding>, StoreError> {
    let Some(revision) = offer.approved_revision else {
        return Ok(None);
    };
    let sql = "SELECT offer_hash FROM offer_revisions WHERE offer_id = $1 AND revision = $2 AND organization_id = $3";
    let hash: Text<Digest> = sqlx::query_scalar(sql)
        .bind(Text(offer.id))
        .bind(stored(revision))
        .bind(Text(offer.organization))
        .fetch_one(c)
        .await?;
    Ok(Some(OfferBinding {
        offer_id: offer.id,
        revision,
        offer_hash: hash.0,
    }))
}

/// An organization's offer with a revision of it, the approved one if none is named.
pub(crate) async fn get(
    c: &mut Conn,
    organization: OrganizationId,
    id: OfferId,
    revision: Option<u64>,
) -> Result<Option<RevisedOffer>, StoreError> {
    let sql = format!(
        "SELECT o.*, {OF_REVISION} FROM offers o JOIN offer_revisions r ON r.offer_id = o.id \
        AND r.revision = COALESCE($3, o.approved_revision) WHERE o.id = $1 AND o.organization_id = $2"
    );
    let raw: Option<RawRevisedOffer> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(id))
        .bind(Text(organization))
        .bind(revision.map(stored))
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}

/// Active offers with their approved revisions, newest first. Ids are time-ordered, so the id is both the sort order
/// and the cursor.
pub(crate) async fn list(
    c: &mut Conn,
    organization: OrganizationId,
    page: OfferPage,
) -> Result<Vec<RevisedOffer>, StoreError> {
    let active = format!(
        "SELECT o.*, {OF_REVISION} FROM offers o JOIN offer_revisions r ON r.offer_id = o.id \
        AND r.revision = o.approved_revision WHERE o.organization_id = $1 AND o.archived_at IS NULL"
    );
    let sql = match page.before {
        None => format!("{active} ORDER BY o.id DESC LIMIT $2"),
        Some(_) => format!("{active} AND o.id < $3 ORDER BY o.id DESC LIMIT $2"),
    };
    let query = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(organization))
        .bind(i64::from(page.limit));
    let query = match page.before {
        Some(before) => query.bind(Text(before)),
        None => query,
    };
    let rows: Vec<RawRevisedOffer> = query.fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Offers for operators with their newest revisions, newest first, of one organization or all.
pub(crate) async fn operator_list(
    c: &mut Conn,
    organization: Option<OrganizationId>,
    archived: bool,
) -> Result<Vec<RevisedOffer>, StoreError> {
    let sql = format!(
        "SELECT o.*, {OF_REVISION} FROM offers o JOIN offer_revisions r ON r.offer_id = o.id \
        AND r.revision = o.revision WHERE ($1 IS NULL OR o.organization_id = $1) \
        AND (o.archived_at IS NOT NULL) = $2 ORDER BY o.id DESC"
    );
    let rows: Vec<RawRevisedOffer> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(organization.map(Text))
        .bind(archived)
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// An offer with a revision of it, the newest one if none is named.
pub(crate) async fn operator_get(
    c: &mut Conn,
    id: OfferId,
    revision: Option<u64>,
) -> Result<Option<RevisedOffer>, StoreError> {
    let sql = format!(
        "SELECT o.*, {OF_REVISION} FROM offers o JOIN offer_revisions r ON r.offer_id = o.id \
        AND r.revision = COALESCE($2, o.revision) WHERE o.id = $1"
    );
    let raw: Option<RawRevisedOffer> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(id))
        .bind(revision.map(stored))
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}
