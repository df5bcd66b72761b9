//! What answers show of a job beside what is stored, as each job type says it.

use gtm_domain::{JobId, ProjectId};
use serde_json::{Map, Value};

/// The project and the id of a job, by which its files are downloaded.
pub type Place = (ProjectId, JobId);

/// What answers show of the jobs of one type.
#[derive(Debug, Clone, Copy)]
pub struct ShownJobs {
    /// Adds the paths of this API to a stored result.
    pub add_paths: fn(&mut Map<String, Value>, Place),
    /// How many candidates a job with this result has; `None` for a type that has none.
    pub candidates: fn(&Value) -> Option<u64>,
    /// Whether every job says that nothing was enqueued or sent.
    pub sends_nothing: bool,
}

impl ShownJobs {
    /// Jobs that are shown as they are stored.
    pub const AS_STORED: Self = Self {
        add_paths: |_, _| {},
        candidates: |_| None,
        sends_nothing: false,
    };

    /// The published form of a stored result.
    pub fn published(&self, place: Place, stored: Option<&Value>) -> Option<Value> {
        let mut result = stored?.clone();
        if let Some(members) = result.as_object_mut() {
            (self.add_paths)(members, place);
        }
        Some(result)
    }
}
