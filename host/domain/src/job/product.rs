//! What a succeeded job leaves behind beside its result.

use super::file::NewFile;
use crate::brand::NewGuideline;

/// What a job makes that is stored with its end, in the same transaction. A job succeeds only with what
/// its type makes.
#[derive(Debug, Clone, PartialEq)]
pub enum Product {
    /// Nothing: the result is all.
    None,
    /// A revision of a brand's guideline. It is refused as a conflict unless it follows the brand's
    /// current revision.
    Guideline(NewGuideline),
    /// Files, in their order. They go when the job's data goes.
    Files(Vec<NewFile>),
}
