//! Which start URLs a job is given: those of the site that it is about.

use gtm_domain::binding::Bindings;
use gtm_domain::start_url::StartUrls;
use gtm_store::ProjectScope;

use crate::engine::Engine;
use crate::error::EngineError;
use crate::plan::Plan;

impl Engine {
    /// The start URLs of what serves as the plan's writer, of the plan's domain; of all domains if the
    /// plan names none, since the backend has to find it.
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
