//! The company that the job is about: a name, a website, or both.

use std::collections::BTreeMap;

use gtm_site_research::failure::{Failure, FailureKind};
use serde::Deserialize;
use serde_json::Value;
use url::Url;

/// The job's parsed request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The company's name as the caller gives it.
    pub company_name: Option<String>,
    /// Address of the company's website.
    pub website: Option<Url>,
    /// Where research of a domain starts, for sites that don't start at `https://<domain>/`.
    pub start_urls: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Envelope {
    brand: Subject,
    #[serde(default)]
    start_urls: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Subject {
    #[serde(default)]
    company_name: Option<String>,
    #[serde(default)]
    website_url: Option<String>,
}

impl Request {
    /// Parses the backend's input.
    ///
    /// # Errors
    /// `invalid_request` when the input doesn't have the agreed shape, names neither a company nor a website,
    /// or the website is not a web address.
    pub fn read(input: Value) -> Result<Self, Failure> {
        let invalid =
            |message: String| Failure::new(FailureKind::InvalidInput, "invalid_request", message);
        let Envelope { brand, start_urls } = serde_json::from_value(input)
            .map_err(|error| invalid(format!("The brand input is not as agreed: {error}.")))?;
        let company_name = filled(brand.company_name);
        let website = match filled(brand.website_url) {
            None => None,
            Some(text) => Some(
                Url::parse(&text)
                    .ok()
                    .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
                    .ok_or_else(|| invalid(format!("website_url is no web address: {text}.")))?,
            ),
        };
        if company_name.is_none() && website.is_none() {
            return Err(invalid(
                "Neither a company name nor a website is given.".to_owned(),
            ));
        }
        Ok(Self {
            company_name,
            website,
            start_urls,
        })
    }
}

fn filled(value: Option<String>) -> Option<String> {
    value
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_or_a_website_is_needed() {
        let read = |brand: Value| Request::read(json!({"brand": brand, "now": "x"}));
        let both = read(json!({"brand_profile_id": "brd_1", "company_name": " Acme  Rail ", "website_url": "https://acme.example/de/"})).unwrap();
        assert_eq!(both.company_name.as_deref(), Some("Acme Rail"));
        assert_eq!(both.website.unwrap().as_str(), "https://acme.example/de/");
        for broken in [
            json!({"company_name": " ", "website_url": null}),
            json!({"company_name": null, "website_url": "ftp://acme.example/"}),
            json!({"company_name": 4, "website_url": null}),
        ] {
            assert_eq!(read(broken).unwrap_err().code, "invalid_request");
        }
    }
}
