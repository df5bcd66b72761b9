//! Message templates: their revisions are written once, each follows the one before, and none ever changes.

use bytes::Bytes;
use gtm_domain::audit::AuditEvent;
use gtm_domain::idempotency::{Create, IdempotencyClaim, StoredAnswer};
use gtm_domain::message::{NewRevision, TemplateRevision};
use gtm_domain::{JobId, MessageTemplateRevisionId, ProjectId, Timestamp};

use super::{Conn, audit, idempotency};
use crate::columns::{Json, Text, Time, count, stored};
use crate::error::StoreError;
use crate::model::message_template::{MessageTemplateRevisionPage, NewMessageTemplateRevision};

row! {
    struct RawRevision {
        id: Text<MessageTemplateRevisionId>,
        project_id: Text<ProjectId>,
        revision: i64,
        previous_id: Option<Text<MessageTemplateRevisionId>>,
        content: Json<NewRevision>,
        job_id: Option<Text<JobId>>,
        created_at: Time,
    }
}

impl From<RawRevision> for TemplateRevision {
    fn from(raw: RawRevision) -> Self {
        let number = (
            count(raw.revision),
            raw.previous_id.map(|previous| previous.0),
        );
        let job = raw.job_id.map(|job| job.0);
        raw.content
            .0
            .stored(raw.id.0, raw.project_id.0, number, job, raw.created_at.0)
    }
}

/// Creates a reviewed revision, under an idempotency key if one is given, and records `event`. `answer` is what the
/// key protects: it shows the revision's number, which is known only here.
pub(crate) async fn create(
    c: &mut Conn,
    project: ProjectId,
    new: NewMessageTemplateRevision,
    claim: Option<&IdempotencyClaim>,
    answer: &(dyn Fn(&TemplateRevision) -> StoredAnswer + Send + Sync),
    event: &AuditEvent,
    now: Timestamp,
) -> Result<Create<TemplateRevision>, StoreError> {
    if let Some(claim) = claim {
        // Nobody sees this: the same transaction writes the answer below.
        let unknown = StoredAnswer {
            head: String::new(),
            body: Bytes::new(),
        };
        let protected = idempotency::Protected {
            resource: new.id.to_string(),
            response: &unknown,
            created_at: new.created_at,
        };
        // DANGER: before the revision gets its number, which a known key must not use up.
        if let Some(known) = idempotency::claim(c, project, claim, &protected, now).await? {
            return Ok(Create::known(known));
        }
    }
    let made = insert(c, project, new, None).await?;
    if let Some(claim) = claim {
        let answer = answer(&made);
        idempotency::keep_instead(c, project, claim, made.id, &answer).await?;
    }
    audit::append(c, event, now).await?;
    Ok(Create::Created(made))
}

/// Stores the next revision of a template, which begins to exist with its first one. Others that add to the same
/// template wait for this transaction, so numbers have no gaps.
pub(crate) async fn insert(
    c: &mut Conn,
    project: ProjectId,
    new: NewMessageTemplateRevision,
    job: Option<JobId>,
) -> Result<TemplateRevision, StoreError> {
    let NewMessageTemplateRevision {
        id,
        content,
        created_at,
    } = new;
    let next = "INSERT INTO message_templates (project_id, template_key, revision) VALUES ($1, $2, 1) \
        ON CONFLICT (project_id, template_key) DO UPDATE SET revision = message_templates.revision + 1 \
        RETURNING revision";
    let revision: i64 = sqlx::query_scalar(next)
        .bind(Text(project))
        .bind(&content.template_key)
        .fetch_one(&mut *c)
        .await?;
    let before = "SELECT id FROM message_template_revisions \
        WHERE project_id = $1 AND template_key = $2 AND revision = $3";
    let previous: Option<Text<MessageTemplateRevisionId>> = sqlx::query_scalar(before)
        .bind(Text(project))
        .bind(&content.template_key)
        .bind(revision - 1)
        .fetch_optional(&mut *c)
        .await?;
    let sql = "INSERT INTO message_template_revisions (id, project_id, template_key, revision, previous_id, language, \
        template_hash, content, job_id, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    sqlx::query(sql)
        .bind(Text(id))
        .bind(Text(project))
        .bind(&content.template_key)
        .bind(stored(count(revision)))
        .bind(previous)
        .bind(&content.language)
        .bind(Text(content.template_hash))
        .bind(Json(&content))
        .bind(job.map(Text))
        .bind(Time(created_at))
        .execute(c)
        .await?;
    let number = (count(revision), previous.map(|previous| previous.0));
    Ok(content.stored(id, project, number, job, created_at))
}

pub(crate) async fn get(
    c: &mut Conn,
    project: ProjectId,
    id: MessageTemplateRevisionId,
) -> Result<Option<TemplateRevision>, StoreError> {
    let sql = "SELECT * FROM message_template_revisions WHERE id = $1 AND project_id = $2";
    let raw: Option<RawRevision> = sqlx::query_as(sql)
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
    page: &MessageTemplateRevisionPage,
) -> Result<Vec<TemplateRevision>, StoreError> {
    let first = "SELECT * FROM message_template_revisions WHERE project_id = $1 \
        AND template_key = COALESCE($2, template_key) AND language = COALESCE($3, language) \
        ORDER BY id DESC LIMIT $4";
    let later = "SELECT * FROM message_template_revisions WHERE project_id = $1 \
        AND template_key = COALESCE($2, template_key) AND language = COALESCE($3, language) \
        AND id < $5 ORDER BY id DESC LIMIT $4";
    let query = sqlx::query_as(if page.before.is_some() { later } else { first })
        .bind(Text(project))
        .bind(page.template_key.clone())
        .bind(page.language.clone())
        .bind(i64::from(page.limit));
    let query = match page.before {
        Some(before) => query.bind(Text(before)),
        None => query,
    };
    let rows: Vec<RawRevision> = query.fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}
