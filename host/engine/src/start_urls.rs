//! Which start URLs a job is given: those of the site that it names.

use gtm_domain::JobType;
use gtm_domain::domain_name::DomainName;
use gtm_domain::start_url::StartUrls;
use gtm_domain::website::Website;
use gtm_store::{Bindings, ProjectScope};
use serde_json::Value;

use crate::engine::Engine;
use crate::error::EngineError;

impl Engine {
    /// The start URLs of what serves the job type, of the input's domain; of all domains if the
    /// input names none, since the backend has to find it.
    pub(crate) async fn start_urls(
        &self,
        scope: &ProjectScope,
        job_type: JobType,
        bindings: &Bindings,
        input: &Value,
    ) -> Result<StartUrls, EngineError> {
        let Some(effective) = bindings.get(job_type.as_str()) else {
            return Ok(StartUrls::default());
        };
        let domain = domain_of(job_type, input);
        let found = self
            .store()
            .start_urls(scope, effective.binding.id, domain.as_ref());
        Ok(found.await?)
    }
}

/// The domain that a normalized input is about.
fn domain_of(job_type: JobType, input: &Value) -> Option<DomainName> {
    let text = |name: &str| input.get(name).and_then(Value::as_str);
    match job_type {
        JobType::Playbooks => text("target_company_domain")?.parse().ok(),
        JobType::Brands => {
            let website: Website = text("website_url")?.parse().ok()?;
            Some(website.domain().clone())
        }
        JobType::Documents | JobType::MessageTemplates => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn the_domain_is_that_of_the_request() {
        let of = |job_type, input| domain_of(job_type, &input).map(|d| d.to_string());
        let playbook = json!({"target_company": "Acme", "target_company_domain": "acme.example"});
        assert_eq!(of(JobType::Playbooks, playbook).unwrap(), "acme.example");
        let brand = json!({"company_name": null, "website_url": "https://www.acme.example/de"});
        assert_eq!(of(JobType::Brands, brand).unwrap(), "www.acme.example");
        let name = json!({"company_name": "Acme", "website_url": null});
        assert_eq!(of(JobType::Brands, name), None);
    }
}
