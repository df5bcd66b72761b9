//! The gate of the template.

use super::{Facts, Finding, PASSED, failed};
use crate::message::placeholder::PLACEHOLDER_CATALOG_VERSION;
use crate::message::revision::template_hash;

/// Asks for a template that was made for the present list of placeholders and says what its hash says.
pub(super) fn template_revision(facts: &Facts<'_>) -> Finding {
    let revision = facts.revision;
    if revision.placeholder_catalog_version != PLACEHOLDER_CATALOG_VERSION {
        return failed(
            "catalog_outdated",
            "",
            "The template was made for another list of placeholders; make a new revision.",
        );
    }
    let recomputed = template_hash(
        &revision.language,
        &revision.options,
        &revision.structure,
        &revision.variables,
        &revision.placeholder_catalog_version,
    );
    if recomputed != Ok(revision.template_hash) {
        return failed(
            "hash_mismatch",
            "",
            "The stored template is not the one that its hash identifies.",
        );
    }
    PASSED
}
