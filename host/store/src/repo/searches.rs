//! Searches for people (prospecting jobs) and what their calls received, as an erasure reads it: page by page, because
//! together the answers may be larger than memory.

use gtm_domain::{Digest, JobId, JobType};

use super::Conn;
use crate::blobs::Kept;
use crate::columns::{Text, count, stored};
use crate::error::StoreError;
use crate::model::prospecting::Search;
use crate::model::step::ReceiptPlace;

/// Searches that are listed at a time.
const SEARCHES: i64 = 500;
/// Answers that are read at a time: each may stand in its row, and is then up to `LARGEST_INLINE` long.
const ANSWERS: i64 = 50;

row! {
    struct RawSearch {
        id: Text<JobId>,
        ended: bool,
    }
}

row! {
    struct RawAnswer {
        seq: i64,
        position: i64,
        body: Option<Vec<u8>>,
        body_blob: Option<Text<Digest>>,
    }
}

/// Searches whose data has not been swept, after the given one and in the order of their ids. None if there is none left.
pub(crate) async fn page(c: &mut Conn, after: Option<JobId>) -> Result<Vec<Search>, StoreError> {
    let sql = "SELECT id, finished_at IS NOT NULL AS ended FROM jobs WHERE type = $1 AND swept_at IS NULL AND id > $2 \
        ORDER BY id LIMIT $3";
    // Every id is greater than the empty text.
    let after = after.map_or_else(String::new, |id| id.to_string());
    let rows: Vec<RawSearch> = sqlx::query_as(sql)
        .bind(JobType::Prospecting.as_str())
        .bind(after)
        .bind(SEARCHES)
        .fetch_all(c)
        .await?;
    let searches = rows.into_iter().map(|raw| Search {
        id: raw.id.0,
        ended: raw.ended,
    });
    Ok(searches.collect())
}

/// Some answers that the calls of a job received, after the given place: where each stands and where its bytes are kept.
/// None if there is none left.
pub(crate) async fn answers(
    c: &mut Conn,
    job: JobId,
    after: Option<ReceiptPlace>,
) -> Result<Vec<(ReceiptPlace, Kept)>, StoreError> {
    let sql = "SELECT seq, position, body, body_blob FROM receipts WHERE job_id = $1 AND (seq, position) > ($2, $3) \
        ORDER BY seq, position LIMIT $4";
    let (seq, position) = after.map_or((-1, -1), |a| (stored(a.seq), stored(a.position)));
    let rows: Vec<RawAnswer> = sqlx::query_as(sql)
        .bind(Text(job))
        .bind(seq)
        .bind(position)
        .bind(ANSWERS)
        .fetch_all(c)
        .await?;
    let answers = rows.into_iter().map(|raw| {
        let place = ReceiptPlace {
            seq: count(raw.seq),
            position: count(raw.position),
        };
        let kept = match raw.body_blob {
            Some(digest) => Kept::Blob(digest.0),
            None => Kept::Inline(raw.body.unwrap_or_default().into()),
        };
        (place, kept)
    });
    Ok(answers.collect())
}
