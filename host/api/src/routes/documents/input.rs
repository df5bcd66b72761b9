//! `DocumentCreate` of a request: rules that its schema cannot express, and its normalized form (specification,
//! Documents).

use gtm_domain::document::input::{MAX_TEMPLATE_URLS, target_domain, template_url};
use gtm_domain::document::{DocumentFormat, DocumentInput, DocumentType};
use serde::Deserialize;
use serde_json::Value;

use crate::validation::{RequestBody, Violation};

/// The request as sent: every member but the brief may be missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    brief: String,
    #[serde(default)]
    document_type: Option<DocumentType>,
    #[serde(default)]
    format: Option<DocumentFormat>,
    /// Read before the rest, so that its violations are found together with others.
    #[serde(default, rename = "target_domain")]
    _target_domain: Option<String>,
    #[serde(default)]
    brand: Option<String>,
    #[serde(default)]
    offer: Option<String>,
    #[serde(default, rename = "template_urls")]
    _template_urls: Option<Vec<String>>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    external_ref: Option<String>,
}

impl RequestBody for DocumentInput {
    const SCHEMA: &'static str = "DocumentCreate";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let domain = value.get("target_domain").and_then(Value::as_str);
        let domain = domain.and_then(|text| match target_domain(text) {
            Ok(domain) => Some(domain.to_string()),
            Err(fault) => {
                let message = format!("is not accepted: {fault}");
                violations.push(Violation::new("/target_domain", "domain", message));
                None
            }
        });
        let given = value.get("template_urls").and_then(Value::as_array);
        let mut template_urls: Vec<String> = Vec::new();
        for (index, text) in given
            .into_iter()
            .flatten()
            .take(MAX_TEMPLATE_URLS)
            .enumerate()
        {
            let Some(text) = text.as_str() else {
                continue;
            };
            match template_url(text) {
                // The same document twice says no more than once.
                Ok(url) if template_urls.contains(&url) => {}
                Ok(url) => template_urls.push(url),
                Err(fault) => {
                    let pointer = format!("/template_urls/{index}");
                    violations.push(Violation::new(pointer, "url", fault.to_string()));
                }
            }
        }
        if !violations.is_empty() {
            return Err(violations);
        }
        // The schema has already reported whatever fails here.
        let sent = Sent::deserialize(value).map_err(|_| Vec::new())?;
        let trimmed = |text: Option<String>| text.map(|t| t.trim().to_owned());
        Ok(Self {
            brief: sent.brief.trim().to_owned(),
            document_type: sent.document_type,
            format: sent.format,
            target_domain: domain,
            brand: sent.brand,
            offer: sent.offer,
            template_urls,
            title: trimmed(sent.title),
            external_ref: trimmed(sent.external_ref),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::schemas;
    use serde_json::json;

    fn check(value: &Value) -> Result<DocumentInput, Vec<(String, String)>> {
        let compiled = schemas::of_requests().unwrap();
        let checked = compiled["DocumentCreate"].check::<DocumentInput>(value);
        checked.map_err(|violations| {
            let mut found: Vec<_> = violations
                .into_iter()
                .map(|v| (v.pointer, v.rule))
                .collect();
            found.sort();
            found
        })
    }

    fn one(pointer: &str, rule: &str) -> Vec<(String, String)> {
        vec![(pointer.to_owned(), rule.to_owned())]
    }

    #[test]
    fn defaults_appear_and_values_are_normalized() {
        let input = check(&json!({
            "brief": " A deck.\n", "target_domain": "https://www.Acme.example/de?x=1",
            "template_urls": ["https://acme.example/a.pdf#page=2", "https://acme.example/a.pdf"],
            "title": " Metering ", "format": "pptx", "document_type": "deck",
        }));
        assert_eq!(
            serde_json::to_value(input.unwrap()).unwrap(),
            json!({
                "brief": "A deck.", "document_type": "deck", "format": "pptx",
                "target_domain": "acme.example", "brand": null, "offer": null,
                "template_urls": ["https://acme.example/a.pdf"], "title": "Metering", "external_ref": null,
            })
        );
        let least = check(&json!({"brief": "A", "template_urls": null, "format": null})).unwrap();
        assert_eq!((least.template_urls, least.format), (Vec::new(), None));
    }

    #[test]
    fn single_rules() {
        let with = |name: &str, value: Value| json!({"brief": "A", name: value});
        for (body, want) in [
            (json!([]), one("", "type")),
            (json!({}), one("/brief", "required")),
            (json!({"brief": null}), one("/brief", "type")),
            (json!({"brief": " \n"}), one("/brief", "pattern")),
            (json!({"brief": "a\u{7}"}), one("/brief", "pattern")),
            (
                json!({"brief": "x".repeat(50_001)}),
                one("/brief", "maxLength"),
            ),
            (
                with("surprise", json!(1)),
                one("/surprise", "additionalProperties"),
            ),
            (
                with("document_type", json!("poem")),
                one("/document_type", "enum"),
            ),
            (with("format", json!("odt")), one("/format", "enum")),
            (
                with("target_domain", json!("localhost")),
                one("/target_domain", "domain"),
            ),
            (
                with("target_domain", json!("")),
                one("/target_domain", "domain"),
            ),
            (with("brand", json!("a b")), one("/brand", "pattern")),
            (with("offer", json!("")), one("/offer", "pattern")),
            (
                with("template_urls", json!("https://a.example")),
                one("/template_urls", "type"),
            ),
            (
                with("template_urls", json!(["ftp://a.example/x"])),
                one("/template_urls/0", "url"),
            ),
            (
                with("template_urls", json!([1])),
                one("/template_urls/0", "type"),
            ),
            (
                with("template_urls", json!(vec!["https://a.example/x"; 4])),
                one("/template_urls", "maxItems"),
            ),
            (with("title", json!("a\nb")), one("/title", "pattern")),
            (
                with("external_ref", json!("x".repeat(201))),
                one("/external_ref", "maxLength"),
            ),
        ] {
            assert_eq!(check(&body).unwrap_err(), want, "{body}");
        }
    }

    #[test]
    fn all_violations_come_at_once() {
        let body = json!({"target_domain": "10.0.0.1", "template_urls": ["x"], "format": "odt"});
        let found = check(&body).unwrap_err();
        let want = [
            ("/brief", "required"),
            ("/format", "enum"),
            ("/target_domain", "domain"),
            ("/template_urls/0", "url"),
        ];
        let want = want.map(|(pointer, rule)| (pointer.to_owned(), rule.to_owned()));
        assert_eq!(found, want);
    }
}
