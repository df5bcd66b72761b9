//! `MessageTemplateGenerate` of a request: rules that its schema cannot express, and its normalized form.

use gtm_domain::message::generation::{GENERATE, GenerateInput};
use serde_json::Value;

use super::options;
use crate::validation::{RequestBody, Violation};

impl RequestBody for GenerateInput {
    const SCHEMA: &'static str = "MessageTemplateGenerate";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let language = options::tag(&value["language"], "/language", &mut violations);
        let options = options::read(value.get("options"), language.as_deref(), &mut violations);
        // Blank context is as good as none, and is no violation: the job says what is missing.
        let context = |name: &str| {
            let text = value.get(name).and_then(Value::as_str).map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let (offer, offer_summary) = (context("offer"), context("offer_summary"));
        if offer.is_some() && offer_summary.is_some() {
            violations.push(Violation::new(
                "/offer_summary",
                "offer_or_summary",
                "must not be given together with offer",
            ));
        }
        let (Some(language), Some(template_key), Some(name), true) = (
            language,
            context("template_key"),
            context("name"),
            violations.is_empty(),
        ) else {
            // The schema has already reported whatever else is missing.
            return Err(violations);
        };
        Ok(Self {
            operation: GENERATE.to_owned(),
            template_key,
            name,
            language,
            audience: context("audience"),
            objective: context("objective"),
            offer,
            offer_summary,
            desired_next_step: context("desired_next_step"),
            options,
            reason: context("reason"),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::schemas;

    fn check(value: &Value) -> Result<GenerateInput, Vec<(String, String)>> {
        let compiled = schemas::of_requests().unwrap();
        let checked = compiled[GenerateInput::SCHEMA].check::<GenerateInput>(value);
        checked.map_err(|violations| {
            violations
                .into_iter()
                .map(|it| (it.pointer, it.rule))
                .collect()
        })
    }

    #[test]
    fn context_may_be_missing_and_the_rest_has_defaults() {
        let least = json!({
            "template_key": "handover", "name": " Handover ", "language": "EN-gb",
            "audience": "  ", "offer_summary": null,
        });
        let input = check(&least).unwrap();
        assert_eq!(
            serde_json::to_value(&input).unwrap(),
            json!({
                "operation": "generate", "template_key": "handover", "name": "Handover", "language": "en-GB",
                "audience": null, "objective": null, "offer": null, "offer_summary": null,
                "desired_next_step": null, "reason": null,
                "options": {"tone": "consultative", "locale": "en-GB", "max_words": 120, "max_links": 1,
                    "forbidden_claims": []},
            })
        );
        assert_eq!(input.missing().len(), 4);
        let whole = schemas::named(GenerateInput::SCHEMA)["examples"][0].clone();
        assert_eq!(check(&whole).unwrap().missing(), []);
    }

    #[test]
    fn what_a_revision_can_have_can_be_asked_for() {
        let [generate, create] = [GenerateInput::SCHEMA, "MessageTemplateRevisionCreate"]
            .map(|name| schemas::named(name)["properties"].clone());
        for pointer in [
            "/template_key/maxLength",
            "/template_key/pattern",
            "/name/maxLength",
            "/name/pattern",
            "/language/maxLength",
            "/audience/maxLength",
            "/objective/maxLength",
            "/offer_summary/maxLength",
            "/desired_next_step/maxLength",
            "/reason/maxLength",
            "/options/properties/forbidden_claims/maxItems",
            "/options/properties/forbidden_claims/items/maxLength",
            "/options/properties/max_words",
            "/options/properties/max_links",
        ] {
            let limit = generate.pointer(pointer);
            assert!(limit.is_some(), "{pointer}");
            assert_eq!(limit, create.pointer(pointer), "{pointer}");
        }
    }

    #[test]
    fn single_rules() {
        let with = |name: &str, value: Value| {
            let mut body = json!({"template_key": "a", "name": "A", "language": "en"});
            body[name] = value;
            body
        };
        for (body, pointer, rule) in [
            (
                with("template_key", json!("A b")),
                "/template_key",
                "pattern",
            ),
            (
                with("template_key", json!("-a")),
                "/template_key",
                "pattern",
            ),
            (with("name", json!(" ")), "/name", "pattern"),
            (with("language", json!("english!")), "/language", "language"),
            (with("audience", json!("a\u{7}")), "/audience", "pattern"),
            (
                with("options", json!({"max_words": 5})),
                "/options/max_words",
                "minimum",
            ),
            (
                with("options", json!({"tone": "pushy"})),
                "/options/tone",
                "enum",
            ),
            (
                with("approved", json!(true)),
                "/approved",
                "additionalProperties",
            ),
        ] {
            let found = check(&body).unwrap_err();
            assert_eq!(found, [(pointer.to_owned(), rule.to_owned())], "{body}");
        }
        let mut both = with("offer", json!("meters"));
        both["offer_summary"] = json!("Meters.");
        let found = check(&both).unwrap_err();
        assert_eq!(
            found,
            [("/offer_summary".to_owned(), "offer_or_summary".to_owned())]
        );
    }
}
