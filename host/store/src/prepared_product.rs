//! What was made of a job's product before the transaction that stores it.

use gtm_domain::job::JobFile;

use crate::model::prospecting::Prospect;
use crate::secrets::SealedAddress;

/// The prepared parts of a product.
#[derive(Clone, Copy, Default)]
pub(crate) struct PreparedProduct<'a> {
    /// Files whose content is on disk.
    pub(crate) files: &'a [JobFile],
    /// Candidates under their ids, with their addresses sealed.
    pub(crate) prospects: &'a [(Prospect, SealedAddress)],
}
