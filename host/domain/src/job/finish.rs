//! The end of a job.

use serde_json::Value;

use super::JobError;
use super::product::Product;

/// How a job ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    /// With a result.
    Succeeded {
        /// The result as the API shows it.
        result: Value,
        /// What is stored with it. A job succeeds only with the product that its type requires.
        product: Product,
    },
    /// With an error.
    Failed {
        /// Why it failed.
        error: JobError,
    },
    /// By an operator, by archiving its project or by an erasure.
    Canceled,
}
