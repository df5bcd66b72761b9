//! The logo of a document: the guideline's, as it was received when the brand was researched.

use gtm_document_model::theme::{Logo, Mode};
use gtm_domain::Digest;
use gtm_domain::document::theme::{chosen_logo, sized_logo};
use gtm_domain::guideline::Guideline;
use gtm_runtime::Asset;

use super::super::JobRun;
use super::super::cited::unreadable;
use crate::ending::Ending;

/// Largest logo that is embedded, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// What renderers can show.
const MEDIA_TYPES: [&str; 3] = ["image/png", "image/jpeg", "image/svg+xml"];

/// The logo with its bytes; `None` if the guideline has none that suits, or its bytes are not stored any more.
///
/// # Errors
/// How the job ends if the store cannot be read.
pub(super) async fn of(
    run: &JobRun,
    guideline: &Guideline,
    mode: Mode,
) -> Result<Option<(Logo, Asset)>, Ending> {
    let Some(chosen) = chosen_logo(guideline, mode) else {
        return Ok(None);
    };
    let media_type = MEDIA_TYPES
        .into_iter()
        .find(|known| chosen.media_type.eq_ignore_ascii_case(known));
    let size = chosen.width.zip(chosen.height);
    let sized = size.and_then(|size| sized_logo(guideline, chosen, size));
    let (Some(media_type), Some(logo)) = (media_type, sized) else {
        return Ok(None);
    };
    let mut sources = guideline.research.sources.iter();
    // A logo that is drawn in a page has no receipt of its own.
    let source = sources.find(|source| {
        source.content_digest.to_string() == chosen.digest.to_string() && source.bytes <= MAX_BYTES
    });
    let Some(source) = source else {
        return Ok(None);
    };
    let found = run
        .reader
        .research_body(guideline.job_id, source.receipt_id)
        .await;
    let found = match found {
        Ok(found) => found,
        Err(gtm_store::StoreError::BlobDamaged(blob)) => {
            tracing::warn!(blob, "the stored bytes of a logo are damaged");
            None
        }
        Err(error) => return Err(unreadable(error)),
    };
    let bytes = found.filter(|bytes| Digest::of(bytes).to_string() == chosen.digest.to_string());
    let asset = |bytes| Asset {
        media_type: media_type.to_owned(),
        bytes,
    };
    Ok(bytes.map(|bytes| (logo, asset(bytes))))
}
