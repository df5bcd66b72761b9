//! Which offers to list.

use gtm_domain::OfferId;

/// A page of the list of active offers, newest first.
#[derive(Debug, Clone, Copy, Default)]
pub struct OfferPage {
    /// Only offers after this one in the list (cursor).
    pub before: Option<OfferId>,
    /// At most this many.
    pub limit: u32,
}
