//! Company dossier specifications to be stored, and which of them to list.

use gtm_domain::DossierSpecificationId;
use gtm_domain::dossier::DossierSpecification;
use gtm_domain::idempotency::StoredResponse;

/// A specification to be stored. Its creation time is the store's business as much as the caller's:
/// it is part of the answer that a replay repeats.
#[derive(Debug, Clone)]
pub struct NewDossierSpecification {
    /// The specification.
    pub specification: DossierSpecification,
    /// The answer that a replay repeats.
    pub response: StoredResponse,
}

/// Which part of the list, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct DossierSpecificationPage {
    /// Only those after this one in the list (cursor).
    pub before: Option<DossierSpecificationId>,
    /// At most this many.
    pub limit: u32,
}
