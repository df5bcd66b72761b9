//! `CompanyDossierSpecificationCreate` of a request: rules that its schema cannot express, and its
//! normalized form (annex A8).

use gtm_domain::MicroUsd;
use gtm_domain::domain_name::DomainName;
use gtm_domain::dossier::{
    CollectionBudgets, DossierRequest, DossierSection, Purpose, PurposeCode, TargetCompany,
};
use serde::{Deserialize, Deserializer, de};
use serde_json::{Number, Value};

use crate::validation::{RequestBody, Violation};

#[derive(Deserialize)]
struct Sent {
    target_company: SentCompany,
    connector_revision: SentRevision,
    requested_sections: Vec<DossierSection>,
    collection_budgets: SentBudgets,
    purpose: SentPurpose,
    policy_version: String,
    #[serde(default)]
    external_ref: Option<String>,
}

#[derive(Deserialize)]
struct SentCompany {
    /// Parsed separately, to say what is wrong with it.
    #[serde(default)]
    name: Option<String>,
}

#[derive(Deserialize)]
struct SentRevision {
    connector_key: String,
    manifest_version: String,
}

#[derive(Deserialize)]
struct SentBudgets {
    #[serde(deserialize_with = "whole")]
    max_requests: u64,
    #[serde(deserialize_with = "whole")]
    max_bytes: u64,
    #[serde(deserialize_with = "whole")]
    max_sources: u64,
    #[serde(deserialize_with = "whole")]
    max_duration_seconds: u64,
    max_cost_usd: f64,
}

#[derive(Deserialize)]
struct SentPurpose {
    code: PurposeCode,
    statement: String,
}

/// A whole number in the sense of JSON Schema, which includes `40.0`. The schema has checked its range.
fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = Number::deserialize(deserializer)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked: whole, not negative, and exact below 2^53"
    )]
    let of_float = || {
        number
            .as_f64()
            .filter(|n| n.fract() == 0.0 && (0.0..9e15).contains(n))
            .map(|n| n as u64)
    };
    number
        .as_u64()
        .or_else(of_float)
        .ok_or_else(|| de::Error::custom("not a whole number"))
}

/// Dollars in micro-dollars. An amount that is not exact in micro-dollars is refused, not rounded.
fn exact(usd: f64) -> Option<MicroUsd> {
    #[expect(
        clippy::float_cmp,
        reason = "the question is whether it is the same number"
    )]
    MicroUsd::from_usd(usd).filter(|amount| amount.usd() == usd)
}

impl RequestBody for DossierRequest {
    const SCHEMA: &'static str = "CompanyDossierSpecificationCreate";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let domain = value
            .pointer("/target_company/domain")
            .and_then(Value::as_str)
            .map(str::parse::<DomainName>);
        if let Some(Err(fault)) = &domain {
            violations.push(Violation::new(
                "/target_company/domain",
                "domain",
                format!("is not accepted: {fault}"),
            ));
        }
        let cost = value
            .pointer("/collection_budgets/max_cost_usd")
            .and_then(Value::as_f64);
        if cost.is_some_and(|usd| exact(usd).is_none()) {
            violations.push(Violation::new(
                "/collection_budgets/max_cost_usd",
                "decimals",
                "must have at most six decimals",
            ));
        }
        // The schema has already reported whatever fails here.
        let sent = Sent::deserialize(value).map_err(|_| violations.clone())?;
        let cost = exact(sent.collection_budgets.max_cost_usd);
        let (Some(max_cost_usd), true) = (cost, violations.is_empty()) else {
            return Err(violations);
        };
        let budgets = sent.collection_budgets;
        Ok(Self {
            target_company: TargetCompany {
                name: sent.target_company.name.map(|name| name.trim().to_owned()),
                domain: domain
                    .and_then(Result::ok)
                    .map(|domain| domain.as_str().to_owned()),
            },
            connector_key: sent.connector_revision.connector_key,
            manifest_version: sent.connector_revision.manifest_version,
            requested_sections: sent.requested_sections,
            collection_budgets: CollectionBudgets {
                max_requests: budgets.max_requests,
                max_bytes: budgets.max_bytes,
                max_sources: budgets.max_sources,
                max_duration_seconds: budgets.max_duration_seconds,
                max_cost_usd,
            },
            purpose: Purpose {
                code: sent.purpose.code,
                statement: sent.purpose.statement.trim().to_owned(),
            },
            policy_version: sent.policy_version.trim().to_owned(),
            external_ref: sent.external_ref,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::schemas;
    use serde_json::json;

    fn valid() -> Value {
        json!({
            "target_company": { "name": " Acme Estates ", "domain": "Bücher.example" },
            "connector_revision": { "connector_key": "web-fetch", "manifest_version": "1.0.0" },
            "requested_sections": ["news", "company_overview"],
            "collection_budgets": {
                "max_requests": 40.0, "max_bytes": 20_000_000, "max_sources": 15, "max_duration_seconds": 120, "max_cost_usd": 0.5,
            },
            "purpose": { "code": "account_planning", "statement": "Prepare\nthe plan." },
            "policy_version": "2026-01",
        })
    }

    fn check(value: &Value) -> Result<DossierRequest, Vec<(String, String)>> {
        let compiled = schemas::of_requests().unwrap();
        compiled[DossierRequest::SCHEMA]
            .check::<DossierRequest>(value)
            .map_err(|violations| {
                violations
                    .into_iter()
                    .map(|v| (v.pointer, v.rule))
                    .collect()
            })
    }

    #[test]
    fn a_request_is_normalized() {
        let request = check(&valid()).unwrap();
        assert_eq!(request.target_company.name.as_deref(), Some("Acme Estates"));
        assert_eq!(
            request.target_company.domain.as_deref(),
            Some("xn--bcher-kva.example")
        );
        assert_eq!(request.collection_budgets.max_requests, 40);
        assert_eq!(
            request.collection_budgets.max_cost_usd,
            MicroUsd::from_micros(500_000)
        );
        assert_eq!(
            request.requested_sections,
            [DossierSection::News, DossierSection::CompanyOverview]
        );
        assert_eq!(request.external_ref, None);
    }

    #[test]
    fn a_collection_may_cost_nothing() {
        for nothing in [json!(0), json!(0.0), json!(-0.0)] {
            let mut body = valid();
            body["collection_budgets"]["max_cost_usd"] = nothing;
            let budgets = check(&body).unwrap().collection_budgets;
            assert_eq!(budgets.max_cost_usd, MicroUsd::ZERO);
        }
    }

    #[test]
    fn single_rules() {
        let cases = [
            ("/target_company", json!({}), "/target_company", "anyOf"),
            (
                "/target_company",
                json!({"name": null, "domain": null}),
                "/target_company",
                "anyOf",
            ),
            (
                "/target_company/name",
                json!(" "),
                "/target_company/name",
                "pattern",
            ),
            (
                "/target_company/domain",
                json!("localhost"),
                "/target_company/domain",
                "domain",
            ),
            (
                "/target_company/logo",
                json!(1),
                "/target_company/logo",
                "additionalProperties",
            ),
            (
                "/connector_revision/connector_key",
                json!(""),
                "/connector_revision/connector_key",
                "pattern",
            ),
            (
                "/connector_revision/manifest_digest",
                json!("x"),
                "/connector_revision/manifest_digest",
                "additionalProperties",
            ),
            (
                "/requested_sections",
                json!([]),
                "/requested_sections",
                "minItems",
            ),
            (
                "/requested_sections",
                json!(["news", "news"]),
                "/requested_sections",
                "uniqueItems",
            ),
            (
                "/requested_sections",
                json!(["weather"]),
                "/requested_sections/0",
                "enum",
            ),
            (
                "/collection_budgets/max_requests",
                json!(0),
                "/collection_budgets/max_requests",
                "minimum",
            ),
            (
                "/collection_budgets/max_requests",
                json!(1.5),
                "/collection_budgets/max_requests",
                "type",
            ),
            (
                "/collection_budgets/max_bytes",
                json!(1e30),
                "/collection_budgets/max_bytes",
                "maximum",
            ),
            (
                "/collection_budgets/max_sources",
                json!(-3),
                "/collection_budgets/max_sources",
                "minimum",
            ),
            (
                "/collection_budgets/max_duration_seconds",
                json!("60"),
                "/collection_budgets/max_duration_seconds",
                "type",
            ),
            (
                "/collection_budgets/max_cost_usd",
                json!(-0.000_001),
                "/collection_budgets/max_cost_usd",
                "minimum",
            ),
            (
                "/collection_budgets/max_cost_usd",
                json!(1e9),
                "/collection_budgets/max_cost_usd",
                "maximum",
            ),
            (
                "/collection_budgets/max_cost_usd",
                json!(0.000_000_1),
                "/collection_budgets/max_cost_usd",
                "decimals",
            ),
            ("/purpose/code", json!("spam"), "/purpose/code", "enum"),
            (
                "/purpose/statement",
                json!("\n "),
                "/purpose/statement",
                "pattern",
            ),
            (
                "/purpose/statement",
                json!("x".repeat(501)),
                "/purpose/statement",
                "maxLength",
            ),
            ("/policy_version", json!(" "), "/policy_version", "pattern"),
            ("/policy_version", Value::Null, "/policy_version", "type"),
            (
                "/external_ref",
                json!("x".repeat(201)),
                "/external_ref",
                "maxLength",
            ),
            ("/surprise", json!(1), "/surprise", "additionalProperties"),
        ];
        for (at, value, pointer, rule) in cases {
            let mut body = valid();
            let (parent, name) = at.rsplit_once('/').unwrap();
            body.pointer_mut(parent).unwrap()[name] = value;
            let found = check(&body).unwrap_err();
            assert_eq!(found, [(pointer.to_owned(), rule.to_owned())], "{at}");
        }
    }

    #[test]
    fn every_member_is_required_but_the_reference() {
        let mut found = check(&json!({})).unwrap_err();
        found.sort();
        let required = [
            "collection_budgets",
            "connector_revision",
            "policy_version",
            "purpose",
            "requested_sections",
            "target_company",
        ];
        let want: Vec<_> = required
            .map(|name| (format!("/{name}"), "required".to_owned()))
            .into();
        assert_eq!(found, want);
    }

    #[test]
    fn the_published_names_are_the_domain_s() {
        let schema = schemas::named(DossierRequest::SCHEMA);
        let published = |pointer: &str| schema.pointer(&format!("/properties{pointer}")).cloned();
        assert_eq!(
            published("/requested_sections/items/enum"),
            Some(json!(DossierSection::ALL))
        );
        assert_eq!(
            published("/purpose/properties/code/enum"),
            Some(json!(PurposeCode::ALL))
        );
    }
}
