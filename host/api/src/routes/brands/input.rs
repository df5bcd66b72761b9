//! `BrandCreate` of a request: rules that its schema cannot express, and its normalized form
//! (specification, Brand).

use gtm_domain::brand::BrandCreate;
use gtm_domain::website::Website;
use serde::Deserialize;
use serde_json::Value;

use crate::validation::{RequestBody, Violation};

/// The request as sent: every member may be missing.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Sent {
    company_name: Option<String>,
    website_url: Option<String>,
    is_default: bool,
}

impl RequestBody for BrandCreate {
    const SCHEMA: &'static str = "BrandCreate";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        let website = value
            .get("website_url")
            .and_then(Value::as_str)
            .map(str::parse::<Website>);
        let website = website.transpose().map_err(|fault| {
            vec![Violation::new(
                "/website_url",
                "website",
                format!("is refused: {fault}"),
            )]
        })?;
        // The schema has already reported whatever fails here.
        let sent = Sent::deserialize(value).map_err(|_| Vec::new())?;
        Ok(Self {
            company_name: sent.company_name.map(|name| name.trim().to_owned()),
            website,
            is_default: sent.is_default,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::schemas;
    use serde_json::json;

    fn check(value: &Value) -> Result<BrandCreate, Vec<(String, String)>> {
        let compiled = schemas::of_requests().unwrap();
        compiled["BrandCreate"]
            .check::<BrandCreate>(value)
            .map_err(|violations| {
                violations
                    .into_iter()
                    .map(|v| (v.pointer, v.rule))
                    .collect()
            })
    }

    #[test]
    fn a_request_is_normalized() {
        let input = check(
            &json!({"company_name": " Bücher AG\u{a0}", "website_url": "Bücher.example/#top"}),
        );
        let input = input.unwrap();
        assert_eq!(input.company_name.as_deref(), Some("Bücher AG"));
        assert_eq!(
            input.website.unwrap().as_str(),
            "https://xn--bcher-kva.example"
        );
        assert!(!input.is_default);
        assert!(
            check(&json!({"website_url": "acme.example", "is_default": true}))
                .unwrap()
                .is_default
        );
    }

    #[test]
    fn what_is_refused_says_where() {
        for (body, pointer, rule) in [
            (json!({}), "", "anyOf"),
            (
                json!({"company_name": null, "website_url": null}),
                "",
                "anyOf",
            ),
            (json!({"is_default": true}), "", "anyOf"),
            (json!({"company_name": " "}), "/company_name", "pattern"),
            (
                json!({"company_name": "x".repeat(201)}),
                "/company_name",
                "maxLength",
            ),
            (
                json!({"company_name": "a", "website_url": ""}),
                "/website_url",
                "website",
            ),
            (
                json!({"website_url": "http://127.0.0.1/"}),
                "/website_url",
                "website",
            ),
            (
                json!({"website_url": "https://user:secret@acme.example"}),
                "/website_url",
                "website",
            ),
            (
                json!({"website_url": "ftp://acme.example"}),
                "/website_url",
                "website",
            ),
            (
                json!({"company_name": "a", "is_default": "yes"}),
                "/is_default",
                "type",
            ),
            (
                json!({"company_name": "a", "key": "a"}),
                "/key",
                "additionalProperties",
            ),
        ] {
            let found = check(&body).unwrap_err();
            assert!(
                found.contains(&(pointer.to_owned(), rule.to_owned())),
                "{body}: {found:?}"
            );
        }
        let secret =
            RequestSchemaMessages::of(&json!({"website_url": "https://user:secret@acme.example"}));
        assert!(!secret.contains("secret"), "{secret}");
    }

    /// The whole message that a caller sees.
    struct RequestSchemaMessages;
    impl RequestSchemaMessages {
        fn of(value: &Value) -> String {
            let compiled = schemas::of_requests().unwrap();
            let found = compiled["BrandCreate"]
                .check::<BrandCreate>(value)
                .unwrap_err();
            found.into_iter().map(|v| v.message).collect()
        }
    }
}
