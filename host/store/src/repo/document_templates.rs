//! Templates of documents. A row is written once; only its removal is added.

use gtm_domain::document::{DocumentFormat, DocumentTemplate};
use gtm_domain::{Digest, DocumentTemplateId, OrganizationId, ProjectId, Timestamp};
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE};
use crate::columns::{Text, Time, count, instant, stored};
use crate::error::StoreError;

row! {
    struct RawTemplate {
        id: Text<DocumentTemplateId>,
        organization_id: Text<OrganizationId>,
        project_id: Option<Text<ProjectId>>,
        format: String,
        name: String,
        digest: Text<Digest>,
        size_bytes: i64,
        created_at: Time,
        removed_at: Option<Time>,
    }
}

impl RawTemplate {
    fn read(self) -> Result<DocumentTemplate, StoreError> {
        let mut formats = DocumentFormat::ALL.into_iter();
        let format = formats.find(|format| format.as_str() == self.format);
        Ok(DocumentTemplate {
            id: self.id.0,
            organization: self.organization_id.0,
            project: self.project_id.map(|project| project.0),
            format: format.ok_or_else(|| {
                StoreError::Conflict(format!("a template has the format {}", self.format))
            })?,
            name: self.name,
            digest: self.digest.0,
            size_bytes: count(self.size_bytes),
            created_at: self.created_at.0,
            removed_at: instant(self.removed_at),
        })
    }
}

/// Stores a new template. Its blob is on disk, and the sweep removes none meanwhile.
pub(crate) async fn insert(c: &mut Conn, row: &DocumentTemplate) -> Result<(), StoreError> {
    let sql = "INSERT INTO document_templates (id, organization_id, project_id, format, name, digest, size_bytes, \
        created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sqlx::query(sql)
        .bind(Text(row.id))
        .bind(Text(row.organization))
        .bind(row.project.map(Text))
        .bind(row.format.as_str())
        .bind(&row.name)
        .bind(Text(row.digest))
        .bind(stored(row.size_bytes))
        .bind(Time(row.created_at))
        .execute(c)
        .await?;
    Ok(())
}

/// Writes that a template is not used any more.
pub(crate) async fn remove(
    c: &mut Conn,
    id: DocumentTemplateId,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE document_templates SET removed_at = $2 WHERE id = $1")
        .bind(Text(id))
        .bind(Time(at))
        .execute(c)
        .await?;
    Ok(())
}

/// A template, locked until the transaction ends.
pub(crate) async fn held(
    c: &mut Conn,
    id: DocumentTemplateId,
) -> Result<Option<DocumentTemplate>, StoreError> {
    let sql = format!("SELECT * FROM document_templates WHERE id = $1{FOR_UPDATE}");
    let raw: Option<RawTemplate> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(id))
        .fetch_optional(c)
        .await?;
    raw.map(RawTemplate::read).transpose()
}

/// The templates in use of an organization, of all its projects that the connection may see.
pub(crate) async fn in_use(
    c: &mut Conn,
    organization: OrganizationId,
) -> Result<Vec<DocumentTemplate>, StoreError> {
    let sql = "SELECT * FROM document_templates WHERE organization_id = $1 AND removed_at IS NULL ORDER BY id";
    let rows: Vec<RawTemplate> = sqlx::query_as(sql)
        .bind(Text(organization))
        .fetch_all(c)
        .await?;
    rows.into_iter().map(RawTemplate::read).collect()
}

/// The digest of an organization's template, in use or not.
pub(crate) async fn digest(
    c: &mut Conn,
    organization: OrganizationId,
    id: DocumentTemplateId,
) -> Result<Option<Digest>, StoreError> {
    let sql = "SELECT digest FROM document_templates WHERE id = $1 AND organization_id = $2";
    let found: Option<Text<Digest>> = sqlx::query_scalar(sql)
        .bind(Text(id))
        .bind(Text(organization))
        .fetch_optional(c)
        .await?;
    Ok(found.map(|digest| digest.0))
}

/// Templates for operators, newest first: those in use, or those that are not any more.
pub(crate) async fn operator_list(
    c: &mut Conn,
    organization: Option<OrganizationId>,
    removed: bool,
) -> Result<Vec<DocumentTemplate>, StoreError> {
    let sql = "SELECT * FROM document_templates WHERE ($1 IS NULL OR organization_id = $1) \
        AND (removed_at IS NOT NULL) = $2 ORDER BY id DESC";
    let rows: Vec<RawTemplate> = sqlx::query_as(sql)
        .bind(organization.map(Text))
        .bind(removed)
        .fetch_all(c)
        .await?;
    rows.into_iter().map(RawTemplate::read).collect()
}

/// Whether a template needs the blob: one in use, or one that was removed after `since` and that jobs may be bound to.
pub(crate) async fn need(
    c: &mut Conn,
    digest: Digest,
    since: Timestamp,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM document_templates WHERE digest = $1 AND (removed_at IS NULL OR removed_at > $2) LIMIT 1";
    let found = sqlx::query(sql)
        .bind(Text(digest))
        .bind(Time(since))
        .fetch_optional(c)
        .await?;
    Ok(found.is_some())
}
