//! Company dossier specifications: written once, readable for ever.

use gtm_domain::audit::AuditEvent;
use gtm_domain::dossier::{DossierPlan, DossierSpecification};
use gtm_domain::idempotency::{Create, IdempotencyClaim};
use gtm_domain::{Digest, DossierSpecificationId, KeyRecordId, ProjectId, Timestamp};

use super::{Conn, audit, idempotency};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::model::dossier::{DossierSpecificationPage, NewDossierSpecification};
use crate::scope::ProjectScope;

row! {
    struct RawSpecification {
        id: Text<DossierSpecificationId>,
        project_id: Text<ProjectId>,
        key_id: Text<KeyRecordId>,
        specification_hash: Text<Digest>,
        plan: Json<DossierPlan>,
        created_at: Time,
    }
}

impl From<RawSpecification> for DossierSpecification {
    fn from(raw: RawSpecification) -> Self {
        Self {
            id: raw.id.0,
            project: raw.project_id.0,
            specification_hash: raw.specification_hash.0,
            plan: raw.plan.0,
            created_at: raw.created_at.0,
            created_by: raw.key_id.0,
        }
    }
}

/// Creates a specification, under an idempotency key if one is given, and records `event`.
pub(crate) async fn create(
    c: &mut Conn,
    scope: &ProjectScope,
    new: &NewDossierSpecification,
    claim: Option<&IdempotencyClaim>,
    event: &AuditEvent,
    now: Timestamp,
) -> Result<Create<DossierSpecification>, StoreError> {
    if let Some(claim) = claim {
        let protected = idempotency::Protected {
            resource: new.specification.id.to_string(),
            response: &new.response,
            created_at: new.specification.created_at,
        };
        if let Some(known) = idempotency::claim(c, scope.project, claim, &protected, now).await? {
            return Ok(Create::known(known));
        }
    }
    let made = insert(c, scope, &new.specification).await?;
    audit::append(c, event, now).await?;
    Ok(Create::Created(made))
}

async fn insert(
    c: &mut Conn,
    scope: &ProjectScope,
    new: &DossierSpecification,
) -> Result<DossierSpecification, StoreError> {
    let sql = "INSERT INTO company_dossier_specifications (id, project_id, key_id, specification_hash, plan, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6) RETURNING *";
    let raw: RawSpecification = sqlx::query_as(sql)
        .bind(Text(new.id))
        .bind(Text(scope.project))
        .bind(Text(scope.key))
        .bind(Text(new.specification_hash))
        .bind(Json(&new.plan))
        .bind(Time(new.created_at))
        .fetch_one(c)
        .await?;
    Ok(raw.into())
}

pub(crate) async fn get(
    c: &mut Conn,
    project: ProjectId,
    id: DossierSpecificationId,
) -> Result<Option<DossierSpecification>, StoreError> {
    let sql = "SELECT * FROM company_dossier_specifications WHERE id = $1 AND project_id = $2";
    let raw: Option<RawSpecification> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(project))
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}

/// Newest first. Ids are time-ordered, so the id is both the sort order and the cursor.
pub(crate) async fn list(
    c: &mut Conn,
    project: ProjectId,
    page: DossierSpecificationPage,
) -> Result<Vec<DossierSpecification>, StoreError> {
    let first = "SELECT * FROM company_dossier_specifications WHERE project_id = $1 ORDER BY id DESC LIMIT $2";
    let later = "SELECT * FROM company_dossier_specifications WHERE project_id = $1 AND id < $3 \
        ORDER BY id DESC LIMIT $2";
    let query = sqlx::query_as(if page.before.is_some() { later } else { first })
        .bind(Text(project))
        .bind(i64::from(page.limit));
    let query = match page.before {
        Some(before) => query.bind(Text(before)),
        None => query,
    };
    let rows: Vec<RawSpecification> = query.fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}
