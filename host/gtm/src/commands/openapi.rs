//! `gtm openapi`.

use serde_json::Value;

use crate::failure::Failure;
use crate::output::Output;

/// Prints the document; it is JSON with or without `--json`.
pub fn run() -> Result<(), Failure> {
    Output { json: false }.print(&Value::Null, || {
        gtm_api::openapi::pretty(&gtm_api::openapi())
    })
}
