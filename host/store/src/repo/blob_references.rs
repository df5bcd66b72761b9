//! Which job needs which blob.

use gtm_domain::{Digest, JobId, ProjectId};

use super::Conn;
use crate::columns::Text;
use crate::error::StoreError;

pub(crate) async fn add(
    c: &mut Conn,
    job: JobId,
    project: ProjectId,
    digest: Digest,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO blob_references (digest, job_id, project_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    sqlx::query(sql)
        .bind(Text(digest))
        .bind(Text(job))
        .bind(Text(project))
        .execute(c)
        .await?;
    Ok(())
}

/// Whether any job needs the blob.
pub(crate) async fn held(c: &mut Conn, digest: Digest) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM blob_references WHERE digest = $1 LIMIT 1";
    Ok(sqlx::query(sql)
        .bind(Text(digest))
        .fetch_optional(c)
        .await?
        .is_some())
}
