//! Why no message to a prospect is begun.

/// Why a message to a prospect is not even begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProspectMessageProblem {
    /// Also another project's revision.
    #[error("the project has no such revision of a message template")]
    UnknownRevision,
    /// The revision is another one than the caller expects.
    #[error("the revision has another template hash than expected")]
    TemplateHashMismatch,
    /// The project has no such prospecting job, or the job no such prospect.
    #[error("the project has no such prospecting job, or the job no such prospect")]
    UnknownProspect,
    #[error("the prospecting job has expired")]
    JobExpired,
    #[error("the prospecting job has not ended yet")]
    JobNotEnded,
    #[error("the prospecting job did not succeed")]
    JobNotSucceeded,
}
