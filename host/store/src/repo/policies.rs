//! The operator's list of the policies that may be used.

use gtm_domain::message::prospect_message::PolicyReference;
use gtm_domain::policy::AllowedPolicy;
use gtm_domain::{Digest, Timestamp};

use super::Conn;
use crate::columns::{Text, Time, instant};
use crate::error::StoreError;

row! {
    struct RawPolicy {
        policy_ref: String,
        policy_version: String,
        evaluator: String,
        evaluator_version: String,
        component: Text<Digest>,
        allowed_by: String,
        allowed_at: Time,
        revoked_at: Option<Time>,
    }
}

impl From<RawPolicy> for AllowedPolicy {
    fn from(raw: RawPolicy) -> Self {
        Self {
            policy: PolicyReference {
                policy_ref: raw.policy_ref,
                policy_version: raw.policy_version,
            },
            evaluator: raw.evaluator,
            evaluator_version: raw.evaluator_version,
            component: raw.component.0,
            allowed_at: raw.allowed_at.0,
            allowed_by: raw.allowed_by,
            revoked_at: instant(raw.revoked_at),
        }
    }
}

/// The policy, if it is allowed now.
pub(crate) async fn in_use(
    c: &mut Conn,
    policy: &PolicyReference,
) -> Result<Option<AllowedPolicy>, StoreError> {
    let sql = "SELECT * FROM policy_allow_list WHERE policy_ref = $1 AND policy_version = $2 AND revoked_at IS NULL";
    one(c, sql, policy).await
}

/// The policy's entry: the one in use or, with none in use, the one that was allowed last.
pub(crate) async fn entry(
    c: &mut Conn,
    policy: &PolicyReference,
) -> Result<Option<AllowedPolicy>, StoreError> {
    let sql = "SELECT * FROM policy_allow_list WHERE policy_ref = $1 AND policy_version = $2 \
        ORDER BY revoked_at IS NOT NULL, allowed_at DESC LIMIT 1";
    one(c, sql, policy).await
}

/// The entry that a statement on a policy's reference ($1) and version ($2) finds.
async fn one(
    c: &mut Conn,
    sql: &'static str,
    policy: &PolicyReference,
) -> Result<Option<AllowedPolicy>, StoreError> {
    let raw: Option<RawPolicy> = sqlx::query_as(sql)
        .bind(&policy.policy_ref)
        .bind(&policy.policy_version)
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}

/// All that were ever allowed, newest first.
pub(crate) async fn list(c: &mut Conn) -> Result<Vec<AllowedPolicy>, StoreError> {
    let sql =
        "SELECT * FROM policy_allow_list ORDER BY allowed_at DESC, policy_ref, policy_version";
    let rows: Vec<RawPolicy> = sqlx::query_as(sql).fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(crate) async fn insert(c: &mut Conn, new: &AllowedPolicy) -> Result<(), StoreError> {
    let sql = "INSERT INTO policy_allow_list (policy_ref, policy_version, evaluator, evaluator_version, component, \
        allowed_by, allowed_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    sqlx::query(sql)
        .bind(&new.policy.policy_ref)
        .bind(&new.policy.policy_version)
        .bind(&new.evaluator)
        .bind(&new.evaluator_version)
        .bind(Text(new.component))
        .bind(&new.allowed_by)
        .bind(Time(new.allowed_at))
        .execute(c)
        .await?;
    Ok(())
}

/// Takes a policy off the list.
pub(crate) async fn revoke(
    c: &mut Conn,
    policy: &PolicyReference,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "UPDATE policy_allow_list SET revoked_at = $3 \
        WHERE policy_ref = $1 AND policy_version = $2 AND revoked_at IS NULL";
    sqlx::query(sql)
        .bind(&policy.policy_ref)
        .bind(&policy.policy_version)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(())
}
