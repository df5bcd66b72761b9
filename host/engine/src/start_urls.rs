//! Selects the start URLs that a job receives: those of the site that it is about.

use gtm_domain::binding::Bindings;
use gtm_domain::start_url::StartUrls;
use gtm_store::ProjectScope;

use crate::engine::Engine;
use crate::error::EngineError;
use crate::plan::Plan;

impl Engine {
    /// The start URLs on the binding of the plan's writer: those of the plan's domain, or of all domains if
    /// the plan names none, because the backend then has to find the domain.
    pub(crate) async fn start_urls(
        &self,
        scope: &ProjectScope,
        plan: &Plan,
        bindings: &Bindings,
    ) -> Result<StartUrls, EngineError> {
        let Some(effective) = plan
            .writer()
            .and_then(|writer| bindings.get(writer.bound_as))
        else {
            return Ok(StartUrls::default());
        };
        let found = self
            .store()
            .start_urls(scope, effective.binding.id, plan.domain.as_ref());
        Ok(found.await?)
    }
}
