//! An operator's review of a guideline (annex A2, `governance.review`).
//!
//! A revision never changes and its hash covers the review, so a review creates the next revision, with the
//! same findings and the reviewer's verdict.

use serde_json::{Value, json};

use super::completion::MAX_CHANGES;
use super::guideline_hash;
use super::words::ReviewStatus;
use crate::{Digest, Timestamp};

/// The pointer under which the change log lists a review.
pub const REVIEW_POINTER: &str = "/governance/review";

/// A person's review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Verdict of the review.
    pub status: ReviewStatus,
    /// Who reviewed.
    pub reviewed_by: String,
    /// In the reviewer's words.
    pub note: Option<String>,
}

/// The stored guideline lacks a member that every guideline has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the stored guideline has no {0}")]
pub struct NoGuideline(&'static str);

/// The next revision of a guideline, with this review at `at` and a new hash.
///
/// # Errors
/// If the document is not a guideline.
pub fn reviewed(
    document: &Value,
    review: &Review,
    at: Timestamp,
) -> Result<(Value, Digest), NoGuideline> {
    let mut next = document.clone();
    let revision = document
        .get("revision")
        .and_then(Value::as_u64)
        .and_then(|revision| revision.checked_add(1))
        .ok_or(NoGuideline("revision"))?;
    let job = document
        .get("job_id")
        .cloned()
        .ok_or(NoGuideline("job_id"))?;
    let governance = next
        .get_mut("governance")
        .and_then(Value::as_object_mut)
        .ok_or(NoGuideline("governance"))?;
    governance.insert(
        "review".to_owned(),
        json!({
            "status": review.status.as_str(), "reviewed_by": review.reviewed_by,
            "reviewed_at": at, "note": review.note,
        }),
    );
    let changes = governance
        .get_mut("change_log")
        .and_then(Value::as_array_mut)
        .ok_or(NoGuideline("change log"))?;
    changes.push(json!({
        "revision": revision, "job_id": job, "at": at, "changed_pointers": [REVIEW_POINTER],
    }));
    changes.drain(..changes.len().saturating_sub(MAX_CHANGES));
    let members = next.as_object_mut().ok_or(NoGuideline("members"))?;
    members.insert("revision".to_owned(), json!(revision));
    let hash = guideline_hash(&next);
    next["guideline_hash"] = json!(hash);
    Ok((next, hash))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn document() -> Value {
        json!({
            "schema_version": "1.0", "revision": 3, "guideline_hash": "sha256:old", "job_id": "job_1",
            "identity": {"brand_name": {"value": "Northwind"}},
            "governance": {
                "review": {"status": "unreviewed", "reviewed_by": null, "reviewed_at": null, "note": null},
                "change_log": [{"revision": 3, "job_id": "job_1", "at": "2026-03-01T00:00:00.000Z", "changed_pointers": []}],
            },
        })
    }

    #[test]
    fn a_review_makes_the_next_revision_and_a_true_hash() {
        let review = Review {
            status: ReviewStatus::Rejected,
            reviewed_by: "Ada".to_owned(),
            note: Some("The tagline is old.".to_owned()),
        };
        let at: Timestamp = "2026-03-02T09:00:00Z".parse().unwrap();
        let (next, hash) = reviewed(&document(), &review, at).unwrap();
        assert_eq!(next["revision"], 4);
        assert_eq!(next["guideline_hash"], hash.to_string());
        assert_eq!(
            next["governance"]["review"],
            json!({"status": "rejected", "reviewed_by": "Ada", "reviewed_at": "2026-03-02T09:00:00.000Z", "note": "The tagline is old."})
        );
        assert_eq!(
            next["governance"]["change_log"][1],
            json!({"revision": 4, "job_id": "job_1", "at": "2026-03-02T09:00:00.000Z", "changed_pointers": ["/governance/review"]})
        );
        assert_eq!(next["identity"], document()["identity"]);
        assert_eq!(guideline_hash(&next), hash);
    }

    #[test]
    fn what_is_no_guideline_is_refused() {
        let review = Review {
            status: ReviewStatus::Reviewed,
            reviewed_by: "Ada".to_owned(),
            note: None,
        };
        for bad in [
            json!(null),
            json!({}),
            json!({"revision": 1, "job_id": "j", "governance": {}}),
        ] {
            assert!(reviewed(&bad, &review, Timestamp::EPOCH).is_err(), "{bad}");
        }
    }
}
