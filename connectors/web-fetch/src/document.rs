//! Documents that are files: DOCX, PPTX and PDF.

use gtm_file_text::{FileText, Refusal};
use gtm_sdk::http::Response;
use gtm_sdk::{Failure, json};

use crate::page;

/// Reads a document. `None` if the answer is none: a page, data, or a file of another kind.
///
/// # Errors
/// If it is too large, encrypted or damaged. Of a file that was cut nothing is read, because what is missing may
/// be what tells where its text stands.
pub(crate) fn read(answer: &Response) -> Result<Option<FileText>, Failure> {
    let content_type = answer.header("content-type");
    if answer.truncated && gtm_file_text::is_file(content_type, &answer.body) {
        return Err(failure(answer, Refusal::TooLarge));
    }
    match gtm_file_text::read(content_type, &answer.body) {
        None => Ok(None),
        Some(Ok(file)) => Ok(Some(file)),
        Some(Err(_)) if answer.truncated => Err(failure(answer, Refusal::TooLarge)),
        Some(Err(refusal)) => Err(failure(answer, refusal)),
    }
}

fn failure(answer: &Response, refusal: Refusal) -> Failure {
    Failure::upstream(refusal.code(), refusal.to_string()).with_detail(json::json!({
        "receipt_id": answer.receipt_id,
        "content_type": page::essence(answer.header("content-type")),
        "bytes": answer.body.len(),
    }))
}
