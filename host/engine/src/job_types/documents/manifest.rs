//! The evidence manifest of a job's files.

use std::collections::BTreeMap;
use std::sync::Arc;

use gtm_domain::document::DocumentFormat;
use gtm_domain::document::evidence_manifest::{
    EVIDENCE_MANIFEST_VERSION, EvidenceManifest, ManifestAsset, ManifestPlugin, ManifestProvided,
    ManifestSource,
};
use gtm_domain::{Digest, JobId, Timestamp};
use gtm_evidence_check::document::CheckedSource;
use gtm_evidence_check::document::draft::RESERVED;
use gtm_evidence_check::library::Library;

use super::super::JobRun;
use crate::config::DocumentFonts;
use crate::pins::Pins;

/// What the manifest says of the job itself.
pub(super) struct OfJob {
    id: JobId,
    started_at: Timestamp,
    pins: Pins,
    fonts: Arc<DocumentFonts>,
}

impl OfJob {
    pub(super) fn of(run: &JobRun) -> Self {
        Self {
            id: run.job.id,
            started_at: run.started_at,
            pins: run.pins.clone(),
            fonts: Arc::clone(&run.config.document_fonts),
        }
    }
}

/// The manifest as JSON. It hashes the fonts, which takes a while.
///
/// # Errors
/// If the job has no brand, which every documents job has, or the manifest cannot be serialized.
pub(super) fn of(
    job: &OfJob,
    bearings: &BTreeMap<String, Vec<String>>,
    sources: &[CheckedSource],
    library: &Library,
) -> Result<Vec<u8>, String> {
    let bears = |id: &str| bearings.get(id).cloned().unwrap_or_default();
    let source = |checked: &CheckedSource| {
        let stored = library.find(&checked.receipt_id)?;
        Some(ManifestSource {
            id: checked.source.id.clone(),
            // As the document prints it: the manifest is in the reader's hands as well.
            url: (checked.source.url.clone()).unwrap_or_else(|| stored.receipt.host.clone()),
            receipt_id: stored.receipt.id,
            retrieved_at: stored.receipt.at,
            content_digest: stored.digest(),
            connector: stored.connector.clone(),
            excerpts: checked.excerpts.clone(),
            bears: bears(&checked.source.id),
        })
    };
    let plugins = job
        .pins
        .plugins
        .iter()
        .map(|(role, pinned)| ManifestPlugin {
            role: role.as_str().to_owned(),
            component_digest: pinned.digest,
            format: DocumentFormat::ALL
                .into_iter()
                .find(|format| format.renderer_role() == role.as_str()),
        });
    let fonts = job.fonts.iter();
    let provided = RESERVED.into_iter().filter(|id| bearings.contains_key(*id));
    let manifest = EvidenceManifest {
        schema: EVIDENCE_MANIFEST_VERSION,
        job_id: job.id,
        started_at: job.started_at,
        brand: job.pins.brand.clone().ok_or("no brand is bound")?,
        offer: job.pins.offer.clone(),
        plugins: plugins.collect(),
        fonts: fonts
            .map(|(name, font)| ManifestAsset {
                name: name.clone(),
                digest: Digest::of(&font.bytes),
            })
            .collect(),
        sources: sources.iter().filter_map(source).collect(),
        provided: provided
            .map(|id| ManifestProvided {
                by: id.to_owned(),
                bears: bears(id),
            })
            .collect(),
    };
    serde_json::to_vec_pretty(&manifest).map_err(|error| error.to_string())
}
