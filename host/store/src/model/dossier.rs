//! Company dossier specifications to store, and which of them to list.

use gtm_domain::DossierSpecificationId;
use gtm_domain::dossier::DossierSpecification;
use gtm_domain::idempotency::StoredAnswer;

/// A specification to store. The caller chooses its creation time too, because the answer that a replay
/// repeats contains it.
#[derive(Debug, Clone)]
pub struct NewDossierSpecification {
    pub specification: DossierSpecification,
    /// The answer that a replay repeats.
    pub response: StoredAnswer,
}

/// A page of the list of specifications, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct DossierSpecificationPage {
    /// Only specifications after this one in the list (cursor).
    pub before: Option<DossierSpecificationId>,
    /// At most this many.
    pub limit: u32,
}
