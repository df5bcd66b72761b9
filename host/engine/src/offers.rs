//! Offers: binding the one that a job sells.

use gtm_domain::offer::OfferBinding;
use gtm_store::ProjectScope;

use crate::create::CreateError;
use crate::engine::Engine;
use crate::offer_choice::{OfferChoice, binding};

impl Engine {
    /// The offer to bind, in its approved revision.
    ///
    /// # Errors
    /// An [`OfferProblem`](crate::OfferProblem), or an internal failure of the engine.
    pub(crate) async fn choose_offer(
        &self,
        scope: &ProjectScope,
        choice: OfferChoice,
    ) -> Result<OfferBinding, CreateError> {
        let found = self.store().select_offer(scope, choice.0).await?;
        Ok(binding(found)?)
    }
}
