//! `PlaybookInput` of a request: rules that its schema cannot express, and its normalized form
//! (specification, Playbooks input).

use gtm_domain::domain_name::DomainName;
use gtm_domain::playbook::{PlaybookInput, PlaybookSection, Tone};
use serde::Deserialize;
use serde_json::Value;

use crate::validation::{RequestBody, Violation};

/// The request as sent: every member may be missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sent {
    target_company: Option<String>,
    target_company_domain: Option<String>,
    anchor_company: Option<String>,
    product_info: Option<String>,
    tone: Tone,
    sections: Option<Vec<PlaybookSection>>,
    model: String,
    brand_profile_id: Option<String>,
    brand_profile_key: Option<String>,
}

impl Default for Sent {
    fn default() -> Self {
        Self {
            target_company: None,
            target_company_domain: None,
            anchor_company: None,
            product_info: None,
            tone: Tone::default(),
            sections: None,
            model: "default".to_owned(),
            brand_profile_id: None,
            brand_profile_key: None,
        }
    }
}

impl RequestBody for PlaybookInput {
    const SCHEMA: &'static str = "PlaybookInput";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        let domain = value
            .get("target_company_domain")
            .and_then(Value::as_str)
            .map(str::parse::<DomainName>);
        let domain = domain.transpose().map_err(|fault| {
            vec![Violation::new(
                "/target_company_domain",
                "domain",
                format!("is not accepted: {fault}"),
            )]
        })?;
        // The schema has already reported whatever fails here.
        let sent = Sent::deserialize(value).map_err(|_| Vec::new())?;
        let trimmed = |text: Option<String>| text.map(|t| t.trim().to_owned());
        Ok(Self {
            target_company: trimmed(sent.target_company),
            target_company_domain: domain.map(|d| d.as_str().to_owned()),
            anchor_company: trimmed(sent.anchor_company),
            product_info: trimmed(sent.product_info),
            tone: sent.tone,
            sections: sent.sections,
            model: sent.model,
            brand_profile_id: sent.brand_profile_id,
            brand_profile_key: sent.brand_profile_key,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::schemas;
    use serde_json::json;

    fn check(value: &Value) -> Result<PlaybookInput, Vec<(String, String)>> {
        let compiled = schemas::of_requests().unwrap();
        compiled["PlaybookInput"]
            .check::<PlaybookInput>(value)
            .map_err(|violations| {
                violations
                    .into_iter()
                    .map(|v| (v.pointer, v.rule))
                    .collect()
            })
    }

    fn rules(value: &Value) -> Vec<(String, String)> {
        let mut found = check(value).unwrap_err();
        found.sort();
        found
    }

    fn one(pointer: &str, rule: &str) -> Vec<(String, String)> {
        vec![(pointer.to_owned(), rule.to_owned())]
    }

    #[test]
    fn defaults_appear_and_texts_are_trimmed() {
        let input = check(&json!({ "target_company": "  Acme Estates\u{a0}", "target_company_domain": "Bücher.example." })).unwrap();
        assert_eq!(
            serde_json::to_value(input).unwrap(),
            json!({
                "target_company": "Acme Estates", "target_company_domain": "xn--bcher-kva.example", "anchor_company": null,
                "product_info": null, "tone": "consultative", "sections": null, "model": "default",
                "brand_profile_id": null, "brand_profile_key": null,
            })
        );
    }

    #[test]
    fn a_target_is_required() {
        for none in [
            json!({}),
            json!({ "target_company": null }),
            json!({ "target_company": null, "target_company_domain": null, "tone": "direct" }),
        ] {
            assert_eq!(rules(&none), one("", "anyOf"), "{none}");
        }
        assert!(check(&json!({ "target_company_domain": "acme.example" })).is_ok());
    }

    #[test]
    fn single_rules() {
        let with = |name: &str, value: Value| json!({ "target_company": "Acme", name: value });
        for (body, want) in [
            (json!([]), one("", "type")),
            (json!("x"), one("", "type")),
            (
                with("surprise", json!(1)),
                one("/surprise", "additionalProperties"),
            ),
            (
                with("anchor_company", json!(5)),
                one("/anchor_company", "type"),
            ),
            (
                with("anchor_company", json!("")),
                one("/anchor_company", "pattern"),
            ),
            (
                with("anchor_company", json!(" \t ")),
                one("/anchor_company", "pattern"),
            ),
            (
                with("anchor_company", json!("a\u{7}b")),
                one("/anchor_company", "pattern"),
            ),
            (
                with("anchor_company", json!("x".repeat(201))),
                one("/anchor_company", "maxLength"),
            ),
            (
                with("product_info", json!("x".repeat(20_001))),
                one("/product_info", "maxLength"),
            ),
            (
                with("product_info", json!("\n")),
                one("/product_info", "pattern"),
            ),
            (with("tone", json!("loud")), one("/tone", "enum")),
            (with("model", json!("gpt")), one("/model", "enum")),
            (with("sections", json!([])), one("/sections", "minItems")),
            (
                with("sections", json!(["risks", "risks"])),
                one("/sections", "uniqueItems"),
            ),
            (
                with("sections", json!(["weather"])),
                one("/sections/0", "enum"),
            ),
            (
                with("target_company_domain", json!("")),
                one("/target_company_domain", "domain"),
            ),
            (
                with("target_company_domain", json!("https://acme.example")),
                one("/target_company_domain", "domain"),
            ),
            (
                with("target_company_domain", json!("127.0.0.1")),
                one("/target_company_domain", "domain"),
            ),
            (
                with("brand_profile_id", json!("a b")),
                one("/brand_profile_id", "pattern"),
            ),
        ] {
            let found = check(&body).unwrap_err();
            assert!(
                want.iter().all(|w| found.contains(w)) && found.len() <= 2,
                "{body}: {found:?}"
            );
        }
        assert!(check(&with("product_info", json!("line\n\tline"))).is_ok());
    }

    #[test]
    fn all_violations_come_at_once() {
        let body = json!({ "target_company": 1, "target_company_domain": "localhost", "tone": "loud", "sections": [], "extra": true });
        let mut want = vec![
            ("/target_company".to_owned(), "type".to_owned()),
            ("/target_company_domain".to_owned(), "domain".to_owned()),
            ("/tone".to_owned(), "enum".to_owned()),
            ("/sections".to_owned(), "minItems".to_owned()),
            ("/extra".to_owned(), "additionalProperties".to_owned()),
        ];
        want.sort();
        assert_eq!(rules(&body), want);
    }

    #[test]
    fn the_published_sections_are_the_domain_s() {
        let all: Vec<&str> = PlaybookSection::ALL.iter().map(|s| s.key()).collect();
        let published = schemas::named("PlaybookInput")
            .pointer("/properties/sections/items/enum")
            .cloned();
        assert_eq!(published, Some(json!(all)));
    }
}
