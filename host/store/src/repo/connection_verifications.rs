//! Results of the last check of each connection's credentials.

use gtm_domain::connection::{
    NewVerification, VerificationMethod, VerificationRecord, VerificationResult,
};
use gtm_domain::{ConnectionId, Digest, ProjectId, Timestamp};

use super::{Conn, connections};
use crate::columns::{Text, Time};
use crate::error::StoreError;

row! {
    struct RawVerification {
        connection_id: Text<ConnectionId>,
        mode: String,
        status: String,
        network_request_made: bool,
        revoked: bool,
        detail: Option<String>,
        subject: Text<Digest>,
        at: Time,
    }
}

impl RawVerification {
    fn into_record(self) -> Result<(ConnectionId, VerificationRecord), StoreError> {
        let corrupt = || StoreError::Corrupt(format!("verification of {}", self.connection_id.0));
        let record = VerificationRecord {
            method: VerificationMethod::parse(&self.mode).ok_or_else(corrupt)?,
            result: VerificationResult::parse(&self.status).ok_or_else(corrupt)?,
            network_request_made: self.network_request_made,
            revoked: self.revoked,
            detail: self.detail,
            subject: self.subject.0,
            at: self.at.0,
        };
        Ok((self.connection_id.0, record))
    }
}

/// The last checks of the connections of one project or all.
pub(crate) async fn list(
    c: &mut Conn,
    project: Option<ProjectId>,
) -> Result<Vec<(ConnectionId, VerificationRecord)>, StoreError> {
    let sql = "SELECT * FROM connection_verifications WHERE $1 IS NULL OR project_id = $1";
    let rows: Vec<RawVerification> = sqlx::query_as(sql)
        .bind(project.map(Text))
        .fetch_all(c)
        .await?;
    rows.into_iter().map(RawVerification::into_record).collect()
}

/// Records a check. An inconclusive check does not replace an earlier verdict on the same credentials.
/// Returns the verdict in effect, and whether it is this check's.
pub(crate) async fn record(
    c: &mut Conn,
    new: &NewVerification,
    now: Timestamp,
) -> Result<(VerificationRecord, bool), StoreError> {
    let connection = &new.checked;
    // Locked, so that of two checks at once the second sees the first.
    connections::get_for_update(c, connection.id).await?;
    let subject = connection.verification_subject()?;
    let before = get(c, connection.id).await?;
    let (record, written) = new.recorded(before, subject, now);
    if written {
        put(c, connection.id, connection.project, &record).await?;
    }
    Ok((record, written))
}

async fn get(c: &mut Conn, id: ConnectionId) -> Result<Option<VerificationRecord>, StoreError> {
    let sql = "SELECT * FROM connection_verifications WHERE connection_id = $1";
    let raw: Option<RawVerification> = sqlx::query_as(sql).bind(Text(id)).fetch_optional(c).await?;
    Ok(raw
        .map(RawVerification::into_record)
        .transpose()?
        .map(|(_, record)| record))
}

async fn put(
    c: &mut Conn,
    id: ConnectionId,
    project: ProjectId,
    record: &VerificationRecord,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO connection_verifications (connection_id, project_id, mode, status, network_request_made, \
        revoked, detail, subject, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
        ON CONFLICT (connection_id) DO UPDATE SET mode = excluded.mode, status = excluded.status, \
        network_request_made = excluded.network_request_made, revoked = excluded.revoked, detail = excluded.detail, \
        subject = excluded.subject, at = excluded.at";
    sqlx::query(sql)
        .bind(Text(id))
        .bind(Text(project))
        .bind(record.method.as_str())
        .bind(record.result.as_str())
        .bind(record.network_request_made)
        .bind(record.revoked)
        .bind(record.detail.as_deref())
        .bind(Text(record.subject))
        .bind(Time(record.at))
        .execute(c)
        .await?;
    Ok(())
}
