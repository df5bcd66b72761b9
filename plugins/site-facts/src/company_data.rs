//! What a provider of company data says (`company.enrich`), used as one more source beside the pages.

use std::collections::BTreeMap;

use gtm_page_text::bare_host;
use gtm_site_research::claim::Excerpt;
use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{COMPANY_ENRICH, Call, Host, invoke_one};
use gtm_site_research::page::Page;
use gtm_site_research::reading::Visited;
use gtm_site_research::roles::Role;
use serde::Deserialize;
use serde_json::{Value, json};

/// Facts about a company, in the provider's words.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Facts {
    pub domain: Option<String>,
    pub legal_name: Option<String>,
    pub description: Option<String>,
    pub industry: Option<String>,
    pub founded_year: Option<i64>,
    pub employee_count: Option<u64>,
    pub locality: Option<String>,
    pub region: Option<String>,
    pub country: Option<String>,
    pub ticker: Option<String>,
    pub profiles: Vec<String>,
}

/// The answer to a `company.enrich` request.
#[derive(Debug, Clone, PartialEq)]
pub struct CompanyData {
    /// Receipt of the exchange with the provider.
    pub receipt_id: String,
    /// The provider's publisher name.
    pub publisher: String,
    /// What the provider says about the company.
    pub facts: Facts,
    /// Index of the page that represents the answer.
    pub page: usize,
}

#[derive(Deserialize)]
struct Answer {
    receipt_id: String,
    publisher: String,
    company: Option<Facts>,
}

impl CompanyData {
    /// Asks a provider about the company with this domain, if one is bound, and adds its answer to the pages, so that claims can
    /// cite it. Only cancellation and an exhausted quota fail the job; any other failure just means less evidence.
    ///
    /// # Errors
    /// `canceled`, or the failure of a quota.
    pub fn ask(
        host: &dyn Host,
        domain: &str,
        company: Option<&str>,
        pages: &mut Vec<Visited>,
    ) -> Result<Option<Self>, Failure> {
        if !host.bound(COMPANY_ENRICH) {
            return Ok(None);
        }
        if host.canceled() {
            return Err(failure::canceled());
        }
        let mut input = json!({"domain": domain});
        if let (Some(name), Some(object)) = (company, input.as_object_mut()) {
            object.insert("name".to_owned(), json!(name));
        }
        let call = Call {
            capability: COMPANY_ENRICH,
            input,
        };
        match invoke_one(host, call).and_then(Self::read) {
            Ok(data) => Ok(data.filter(|data| data.is_about(domain)).map(|mut data| {
                data.page = pages.len();
                pages.push(data.as_page());
                data
            })),
            Err(failure) if failure.kind == FailureKind::Canceled => Err(failure::canceled()),
            Err(failure) if failure.kind == FailureKind::Quota => Err(failure),
            Err(failure) => {
                host.note(&format!("no company data: {}", failure.code));
                Ok(None)
            }
        }
    }

    /// Reads an answer; `None` if the provider doesn't know the company.
    ///
    /// # Errors
    /// `connector_invalid_response` when the answer doesn't have the contract's shape.
    pub fn read(answer: Value) -> Result<Option<Self>, Failure> {
        let answer: Answer = serde_json::from_value(answer).map_err(|error| {
            Failure::new(
                FailureKind::Upstream,
                "connector_invalid_response",
                format!("The company data is not as agreed: {error}."),
            )
        })?;
        Ok(answer.company.map(|facts| Self {
            receipt_id: answer.receipt_id,
            publisher: answer.publisher,
            facts,
            page: 0,
        }))
    }

    /// Whether the provider describes the company with this domain: companies share names, but not domains.
    pub fn is_about(&self, domain: &str) -> bool {
        self.facts.domain.as_deref().is_some_and(|told| {
            bare_host(&told.to_lowercase()) == bare_host(&domain.to_lowercase())
        })
    }

    /// The answer as a page of another site, so that claims can cite it. The page has no text: facts aren't
    /// prose.
    pub fn as_page(&self) -> Visited {
        Visited {
            page: Page {
                receipt_id: self.receipt_id.clone(),
                url: String::new(),
                final_url: String::new(),
                title: None,
                description: None,
                language: None,
                site_name: Some(self.publisher.clone()),
                published_at: None,
                blocks: Vec::new(),
                links: Vec::new(),
                actions: Vec::new(),
                metadata: BTreeMap::new(),
                json_ld: Vec::new(),
                signals: None,
                image: None,
                hidden_texts: 0,
            },
            role: Role::External,
        }
    }

    /// A fact of the answer as an excerpt.
    pub fn excerpt(&self, fact: impl Into<String>) -> Excerpt {
        Excerpt {
            page: self.page,
            text: fact.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn data_of_another_domain_is_of_another_company() {
        let answer = |domain: &str| {
            json!({"receipt_id": "rcp_1", "publisher": "Facts Inc", "company": {"domain": domain, "legal_name": null, "description": null,
                "industry": null, "founded_year": 2014, "employee_count": null, "locality": null, "region": null, "country": null,
                "ticker": null, "profiles": []}})
        };
        let data = |domain: &str| CompanyData::read(answer(domain)).unwrap().unwrap();
        assert!(data("www.acme.example").is_about("acme.example"));
        assert!(!data("acme.test").is_about("acme.example"));
        let nobody = json!({"receipt_id": "rcp_1", "publisher": "Facts Inc", "company": null});
        assert_eq!(CompanyData::read(nobody).unwrap(), None);
        assert!(CompanyData::read(json!({"company": {}})).is_err());
    }
}
