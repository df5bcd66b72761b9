//! What answers show of the jobs of each type beside what is stored.

use gtm_domain::JobType;
use serde_json::Value;

use super::brands::published::RESEARCH;
use super::documents::published::DOCUMENTS;
use super::message_templates::published::MESSAGES;
use crate::job_result::ShownJobs;

/// What answers show of the jobs of a type.
pub const fn of(job_type: JobType) -> ShownJobs {
    match job_type {
        JobType::Playbooks => ShownJobs::AS_STORED,
        JobType::Brands => RESEARCH,
        JobType::Documents => DOCUMENTS,
        JobType::MessageTemplates => MESSAGES,
        JobType::Prospecting => ShownJobs {
            candidates: |result| result.get("candidates").and_then(Value::as_u64),
            ..ShownJobs::AS_STORED
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_domain::{JobId, ProjectId};
    use serde_json::json;

    #[test]
    fn a_result_without_paths_is_shown_as_stored() {
        let id = uuid::Uuid::from_u128(1);
        let place = (ProjectId::from_uuid(id), JobId::from_uuid(id));
        let stored = json!({ "brand_profile_id": "brd_1", "files": [{ "file_id": "file_1" }] });
        let shown = of(JobType::Playbooks).published(place, Some(&stored));
        assert_eq!(shown, Some(stored));
    }

    #[test]
    fn only_prospecting_jobs_count_candidates() {
        let made = json!({ "candidates": 3, "accepted": 2 });
        for job_type in JobType::ALL {
            let counted = (job_type == JobType::Prospecting).then_some(3);
            assert_eq!((of(job_type).candidates)(&made), counted, "{job_type:?}");
        }
    }
}
