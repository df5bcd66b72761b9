//! `gtm openapi`.

use serde_json::Value;

use crate::failure::Failure;
use crate::output::Output;

/// Print the document; it is JSON either way.
pub fn run() -> Result<(), Failure> {
    Output { json: false }.print(&Value::Null, || {
        gtm_api::openapi::pretty(&gtm_api::openapi())
    })
}
