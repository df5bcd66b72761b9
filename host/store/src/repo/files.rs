//! Files that jobs made. Their content is stored in blobs, which each file refers to as receipts do.

use gtm_domain::job::JobFile;
use gtm_domain::{Digest, FileId, JobId, ProjectId};

use super::{Conn, blob_references};
use crate::columns::{Text, Time, count, stored};
use crate::error::StoreError;
use crate::scope::Lease;

row! {
    struct RawFile {
        id: Text<FileId>,
        job_id: Text<JobId>,
        name: String,
        media_type: String,
        digest: Text<Digest>,
        size_bytes: i64,
        created_at: Time,
    }
}

impl From<RawFile> for JobFile {
    fn from(raw: RawFile) -> Self {
        Self {
            id: raw.id.0,
            job: raw.job_id.0,
            name: raw.name,
            media_type: raw.media_type,
            digest: raw.digest.0,
            size_bytes: count(raw.size_bytes),
            created_at: raw.created_at.0,
        }
    }
}

/// Stores the files of a job that ends. Their blobs are on disk, and the sweep removes none meanwhile.
pub(super) async fn add(c: &mut Conn, lease: &Lease, files: &[JobFile]) -> Result<(), StoreError> {
    let sql = "INSERT INTO job_files (id, job_id, project_id, position, name, media_type, digest, size_bytes, \
        created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    for (position, file) in (0u64..).zip(files) {
        sqlx::query(sql)
            .bind(Text(file.id))
            .bind(Text(lease.job))
            .bind(Text(lease.project))
            .bind(stored(position))
            .bind(&file.name)
            .bind(&file.media_type)
            .bind(Text(file.digest))
            .bind(stored(file.size_bytes))
            .bind(Time(file.created_at))
            .execute(&mut *c)
            .await?;
        blob_references::add(c, lease.job, lease.project, file.digest).await?;
    }
    Ok(())
}

/// The files of a job, in their order.
pub(crate) async fn of_job(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
) -> Result<Vec<JobFile>, StoreError> {
    let sql = "SELECT * FROM job_files WHERE job_id = $1 AND project_id = $2 ORDER BY position";
    let rows: Vec<RawFile> = sqlx::query_as(sql)
        .bind(Text(job))
        .bind(Text(project))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(JobFile::from).collect())
}

pub(crate) async fn get(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    id: FileId,
) -> Result<Option<JobFile>, StoreError> {
    let sql = "SELECT * FROM job_files WHERE id = $1 AND job_id = $2 AND project_id = $3";
    let row: Option<RawFile> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(job))
        .bind(Text(project))
        .fetch_optional(c)
        .await?;
    Ok(row.map(JobFile::from))
}
