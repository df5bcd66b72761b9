//! The audit log: appending to its chains and reading them. [`gtm_domain::audit::chain`] defines how a
//! chain is linked.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use gtm_domain::audit::chain;
use gtm_domain::audit::{
    AuditAction, AuditActor, AuditBreach, AuditEntry, AuditEvent, AuditHead, Party,
};
use gtm_domain::{AuditEntryId, Digest, OrganizationId, ProjectId, Timestamp};

use super::{Conn, FOR_UPDATE};
use crate::columns::{Text, Time, count, stored};
use crate::error::StoreError;
use crate::identity::uuid_v7;
use crate::model::audit::{AuditFilter, AuditRange};

/// Records an action. Call it in the transaction that performs the action, so that neither exists without
/// the other, and call it last, because it holds the chain's head until the transaction ends.
pub(crate) async fn append(
    c: &mut Conn,
    event: &AuditEvent,
    now: Timestamp,
) -> Result<(), StoreError> {
    append_all(c, std::slice::from_ref(event), now).await
}

/// Records several actions of one transaction, like [`append`]. Chains are locked in the order of their
/// names, so that two transactions cannot deadlock.
pub(crate) async fn append_all(
    c: &mut Conn,
    events: &[AuditEvent],
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut chains: BTreeMap<String, Vec<&AuditEvent>> = BTreeMap::new();
    for event in events {
        chains
            .entry(chain::chain_of(event))
            .or_default()
            .push(event);
    }
    for (chain, events) in chains {
        let (mut seq, mut hash) = hold_head(c, &chain).await?;
        for event in events {
            seq += 1;
            let id = AuditEntryId::from_uuid(uuid_v7(now));
            let (entry, sealed) = chain::seal(id, event, seq, hash, now)?;
            insert(c, &entry, sealed).await?;
            hash = sealed;
        }
        let sql = "UPDATE audit_heads SET seq = $2, hash = $3 WHERE chain = $1";
        sqlx::query(sql)
            .bind(&chain)
            .bind(stored(seq))
            .bind(Text(hash))
            .execute(&mut *c)
            .await?;
    }
    Ok(())
}

/// The last position and hash of a chain, locked until the transaction ends so that each position is
/// assigned once.
async fn hold_head(c: &mut Conn, chain: &str) -> Result<(u64, Digest), StoreError> {
    let held = format!("SELECT seq, hash FROM audit_heads WHERE chain = $1{FOR_UPDATE}");
    for _ in 0..2 {
        let head: Option<(i64, Text<Digest>)> = sqlx::query_as(sqlx::AssertSqlSafe(held.as_str()))
            .bind(chain)
            .fetch_optional(&mut *c)
            .await?;
        if let Some((seq, hash)) = head {
            return Ok((count(seq), hash.0));
        }
        // If two transactions begin a chain at once, the second waits here and then finds the first one's
        // row.
        let sql =
            "INSERT INTO audit_heads (chain, seq, hash) VALUES ($1, 0, $2) ON CONFLICT DO NOTHING";
        sqlx::query(sql)
            .bind(chain)
            .bind(Text(chain::genesis(chain)))
            .execute(&mut *c)
            .await?;
    }
    Err(StoreError::Corrupt(format!(
        "audit chain {chain} has no head"
    )))
}

async fn insert(c: &mut Conn, entry: &AuditEntry, hash: Digest) -> Result<(), StoreError> {
    let sql = "INSERT INTO audit_log (chain, seq, id, at, actor_kind, actor_id, action, resource_kind, resource_id, \
        organization_id, project_id, request_id, ip_hash, before_hash, after_hash, prev_hash, hash) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    sqlx::query(sql)
        .bind(&entry.chain)
        .bind(stored(entry.seq))
        .bind(Text(entry.id))
        .bind(Time(entry.at))
        .bind(&entry.actor.kind)
        .bind(&entry.actor.id)
        .bind(&entry.action)
        .bind(&entry.resource.kind)
        .bind(&entry.resource.id)
        .bind(entry.organization_id.map(Text))
        .bind(entry.project_id.map(Text))
        .bind(&entry.request_id)
        .bind(&entry.ip_hash)
        .bind(entry.before_hash.map(Text))
        .bind(entry.after_hash.map(Text))
        .bind(Text(entry.prev_hash))
        .bind(Text(hash))
        .execute(c)
        .await?;
    Ok(())
}

row! {
    /// A row as stored, unchecked, so that even a tampered row can be reported.
    struct RawEntry {
        chain: String,
        seq: i64,
        id: String,
        at: Time,
        actor_kind: String,
        actor_id: String,
        action: String,
        resource_kind: String,
        resource_id: String,
        organization_id: Option<String>,
        project_id: Option<String>,
        request_id: Option<String>,
        ip_hash: Option<String>,
        before_hash: Option<String>,
        after_hash: Option<String>,
        prev_hash: String,
        hash: String,
    }
}

impl RawEntry {
    fn into_entry(self) -> Result<AuditEntry, AuditBreach> {
        let (chain, seq) = (self.chain.clone(), count(self.seq));
        self.parsed()
            .map_err(|fault| AuditBreach { chain, seq, fault })
    }

    fn parsed(self) -> Result<AuditEntry, String> {
        let optional = |text: Option<String>, column: &str| {
            text.map(|t| parse::<Digest>(&t, column)).transpose()
        };
        Ok(AuditEntry {
            id: parse(&self.id, "id")?,
            chain: self.chain,
            seq: count(self.seq),
            at: self.at.0,
            actor: Party {
                kind: self.actor_kind,
                id: self.actor_id,
            },
            action: self.action,
            resource: Party {
                kind: self.resource_kind,
                id: self.resource_id,
            },
            organization_id: self
                .organization_id
                .map(|t| parse::<OrganizationId>(&t, "organization_id"))
                .transpose()?,
            project_id: self
                .project_id
                .map(|t| parse::<ProjectId>(&t, "project_id"))
                .transpose()?,
            request_id: self.request_id,
            ip_hash: self.ip_hash,
            before_hash: optional(self.before_hash, "before_hash")?,
            after_hash: optional(self.after_hash, "after_hash")?,
            prev_hash: parse(&self.prev_hash, "prev_hash")?,
            hash: Some(parse(&self.hash, "hash")?),
        })
    }
}

fn parse<T: FromStr<Err: Display>>(text: &str, column: &str) -> Result<T, String> {
    text.parse()
        .map_err(|e| format!("{column} is unreadable: {e}"))
}

/// The next chain by name. It looks at every chain that has entries or a head, and at every chain that must
/// exist: the platform's and each organization's.
pub(crate) async fn next_chain(c: &mut Conn, after: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT MIN(chain) FROM (SELECT MIN(chain) AS chain FROM audit_log WHERE chain > $1 \
        UNION ALL SELECT MIN(chain) FROM audit_heads WHERE chain > $1 \
        UNION ALL SELECT MIN(id) FROM organizations WHERE id > $1 \
        UNION ALL SELECT CAST($2 AS TEXT) WHERE CAST($2 AS TEXT) > $1) AS next_chains";
    Ok(sqlx::query_scalar(sql)
        .bind(after)
        .bind(chain::PLATFORM)
        .fetch_one(c)
        .await?)
}

/// Begins the chains that an older database lacks: the platform's, and those of organizations created
/// before the log existed. It does so only once, so that a lost chain stays visibly lost.
pub(crate) async fn begin_chains(c: &mut Conn, now: Timestamp) -> Result<(), StoreError> {
    // Of two nodes that start at once, only one gets the rows.
    let sql = "DELETE FROM audit_chains_to_begin RETURNING chain";
    let chains: Vec<String> = sqlx::query_scalar(sql).fetch_all(&mut *c).await?;
    let startup = AuditActor::system("startup");
    let mut events = Vec::with_capacity(chains.len());
    for chain in chains {
        let organization = match chain.as_str() {
            chain::PLATFORM => None,
            id => Some(
                id.parse::<OrganizationId>()
                    .map_err(|e| StoreError::Corrupt(format!("audit chain {id}: {e}")))?,
            ),
        };
        events.push(AuditEvent::new(
            &startup,
            AuditAction::AuditChainBegun,
            chain,
            organization,
            None,
        ));
    }
    append_all(c, &events, now).await
}

/// Position of a chain's last entry (0 if it has none), and its stored head.
pub(crate) async fn end(
    c: &mut Conn,
    chain: &str,
) -> Result<(u64, Option<(u64, String)>), StoreError> {
    let last: Option<i64> = sqlx::query_scalar("SELECT MAX(seq) FROM audit_log WHERE chain = $1")
        .bind(chain)
        .fetch_one(&mut *c)
        .await?;
    let head: Option<(i64, String)> =
        sqlx::query_as("SELECT seq, hash FROM audit_heads WHERE chain = $1")
            .bind(chain)
            .fetch_optional(c)
            .await?;
    Ok((
        last.map_or(0, count),
        head.map(|(seq, hash)| (count(seq), hash)),
    ))
}

/// Entries of a chain after a position, in order.
pub(crate) async fn page(
    c: &mut Conn,
    chain: &str,
    after: u64,
    range: AuditRange,
    limit: u32,
) -> Result<Vec<Result<AuditEntry, AuditBreach>>, StoreError> {
    let sql = "SELECT * FROM audit_log WHERE chain = $1 AND seq > $2 AND ($3 IS NULL OR at >= $3) \
        AND ($4 IS NULL OR at < $4) ORDER BY seq LIMIT $5";
    let rows: Vec<RawEntry> = sqlx::query_as(sql)
        .bind(chain)
        .bind(stored(after))
        .bind(range.since.map(Time))
        .bind(range.until.map(Time))
        .bind(i64::from(limit))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(RawEntry::into_entry).collect())
}

/// The newest entries first. One transaction uses one timestamp for all its entries, so entries with equal
/// times are ordered by their position in the chain.
pub(crate) async fn newest(
    c: &mut Conn,
    filter: &AuditFilter,
) -> Result<Vec<Result<AuditEntry, AuditBreach>>, StoreError> {
    let sql = "SELECT * FROM audit_log WHERE ($1 IS NULL OR organization_id = $1) \
        AND ($2 IS NULL OR resource_id = $2 OR resource_kind = $2) AND ($3 IS NULL OR action = $3) \
        ORDER BY at DESC, chain, seq DESC LIMIT $4";
    let rows: Vec<RawEntry> = sqlx::query_as(sql)
        .bind(filter.organization.map(Text))
        .bind(&filter.resource)
        .bind(&filter.action)
        .bind(i64::from(filter.limit))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(RawEntry::into_entry).collect())
}

/// The actions that occur in the log, each with the kind of its resource.
pub(crate) async fn actions(c: &mut Conn) -> Result<Vec<(String, String)>, StoreError> {
    let sql = "SELECT DISTINCT action, resource_kind FROM audit_log ORDER BY action, resource_kind";
    Ok(sqlx::query_as(sql).fetch_all(c).await?)
}

/// The resources that an action was done to, by name.
pub(crate) async fn resources(
    c: &mut Conn,
    action: AuditAction,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT DISTINCT resource_id FROM audit_log WHERE action = $1 ORDER BY resource_id";
    let found = sqlx::query_scalar(sql).bind(action.as_str());
    Ok(found.fetch_all(c).await?)
}

/// The hashes of a resource after each time that an action was done to it, the last one last.
pub(crate) async fn told(
    c: &mut Conn,
    action: AuditAction,
    resource: &str,
) -> Result<Vec<Digest>, StoreError> {
    let sql = "SELECT after_hash FROM audit_log WHERE action = $1 AND resource_id = $2 AND after_hash IS NOT NULL \
        ORDER BY chain, seq";
    let rows: Vec<Text<Digest>> = sqlx::query_scalar(sql)
        .bind(action.as_str())
        .bind(resource)
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(|hash| hash.0).collect())
}

/// The heads of all chains, by name.
pub(crate) async fn heads(c: &mut Conn) -> Result<Vec<AuditHead>, StoreError> {
    let rows: Vec<(String, i64, Text<Digest>)> =
        sqlx::query_as("SELECT chain, seq, hash FROM audit_heads ORDER BY chain")
            .fetch_all(c)
            .await?;
    let head = |(chain, seq, hash): (String, i64, Text<Digest>)| AuditHead {
        chain,
        seq: count(seq),
        hash: hash.0,
    };
    Ok(rows.into_iter().map(head).collect())
}
