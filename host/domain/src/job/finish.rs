//! How a job ends.

use serde_json::Value;

use super::JobError;
use super::product::Product;

/// How a job ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    /// With a result.
    Succeeded {
        /// The result as the API shows it.
        result: Value,
        /// What is stored with it. A job succeeds only with what its type makes.
        product: Product,
    },
    /// With an error.
    Failed {
        /// Why.
        error: JobError,
    },
    /// By an operator, an archived project or an erasure.
    Canceled,
}
