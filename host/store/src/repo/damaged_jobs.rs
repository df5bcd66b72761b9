//! Jobs whose row cannot be read in full, as after a fault of the disk or of whoever changed it by hand: whose
//! such a job is, where it stands and what it costs is read all the same, so that it can be ended and paid for.

use gtm_domain::job::JobError;
use gtm_domain::{JobId, KeyRecordId, OrganizationId, ProjectId, Timestamp, Usage, WorkerId};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sqlx::error::BoxDynError;
use sqlx::{Database, Decode, Type};

use super::Conn;
use super::jobs::{self, RawJob};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::model::job::OperatorJob;

/// A value stored as JSON text; none where the column holds none that can be read.
struct Readable<T>(Option<T>);

impl<DB: Database, T> Type<DB> for Readable<T>
where
    str: Type<DB>,
{
    fn type_info() -> DB::TypeInfo {
        <str as Type<DB>>::type_info()
    }
    fn compatible(ty: &DB::TypeInfo) -> bool {
        <str as Type<DB>>::compatible(ty)
    }
}
impl<'r, DB: Database, T: DeserializeOwned> Decode<'r, DB> for Readable<T>
where
    &'r str: Decode<'r, DB>,
{
    fn decode(value: DB::ValueRef<'r>) -> Result<Self, BoxDynError> {
        let text = <&str>::decode(value).ok();
        Ok(Self(text.and_then(|text| serde_json::from_str(text).ok())))
    }
}

#[derive(sqlx::FromRow)]
struct DamagedJob {
    id: Text<JobId>,
    project_id: Text<ProjectId>,
    organization_id: Text<OrganizationId>,
    key_id: Text<KeyRecordId>,
    r#type: String,
    status: String,
    progress: i64,
    input: Readable<Value>,
    pins: Readable<Value>,
    result: Readable<Value>,
    error: Readable<JobError>,
    usage: Readable<Usage>,
    reserved: i64,
    cost_cap: i64,
    created_at: Time,
    expires_at: Time,
    started_at: Option<Time>,
    finished_at: Option<Time>,
    cancel_requested: bool,
    attempts: i64,
    fence: i64,
    worker: Option<Text<WorkerId>>,
    lease_until: Option<Time>,
}

impl DamagedJob {
    /// The job without what cannot be read: as of one that was swept, it is absent then. What it cost counts
    /// as nothing where that is damaged.
    fn into_raw(self) -> RawJob {
        RawJob {
            id: self.id,
            project_id: self.project_id,
            organization_id: self.organization_id,
            key_id: self.key_id,
            r#type: self.r#type,
            status: self.status,
            progress: self.progress,
            input: Json(self.input.0.unwrap_or_default()),
            pins: Json(self.pins.0.unwrap_or_default()),
            seed: Vec::new(),
            result: self.result.0.map(Json),
            error: self.error.0.map(Json),
            usage: self.usage.0.map(Json),
            reserved: self.reserved,
            cost_cap: self.cost_cap,
            backend: None,
            created_at: self.created_at,
            expires_at: self.expires_at,
            started_at: self.started_at,
            finished_at: self.finished_at,
            cancel_requested: self.cancel_requested,
            attempts: self.attempts,
            fence: self.fence,
            worker: self.worker,
            lease_until: self.lease_until,
        }
    }
}

/// A job, without what cannot be read of it.
///
/// # Errors
/// [`StoreError::Corrupt`] if not even that can be read.
pub(crate) async fn read(
    c: &mut Conn,
    id: JobId,
    now: Timestamp,
) -> Result<Option<OperatorJob>, StoreError> {
    let problem = match jobs::operator_get(c, id, now).await {
        Err(StoreError::Corrupt(problem)) => problem,
        read => return read,
    };
    tracing::error!(job = %id, problem, "the job cannot be read in full; what is damaged is left out");
    let damaged: Option<DamagedJob> = sqlx::query_as("SELECT * FROM jobs WHERE id = $1")
        .bind(Text(id))
        .fetch_optional(c)
        .await?;
    damaged
        .map(|damaged| damaged.into_raw().into_operator_job(now))
        .transpose()
}
