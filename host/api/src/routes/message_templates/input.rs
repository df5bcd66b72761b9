//! `MessageTemplateRevisionCreate` of a request: rules that its schema cannot express, and its normalized form. The
//! rules of the structure itself belong to the domain.

use gtm_domain::Timestamp;
use gtm_domain::message::Structure;
use gtm_engine::{OfferOfTemplate, ReviewedTemplate};
use serde::Deserialize;
use serde_json::Value;

use super::options;
use crate::validation::{RequestBody, Violation};

#[derive(Deserialize)]
struct Sent {
    template_key: String,
    name: String,
    audience: String,
    objective: String,
    #[serde(default)]
    offer: Option<String>,
    #[serde(default)]
    offer_summary: Option<String>,
    desired_next_step: String,
    #[serde(default)]
    reason: Option<String>,
    structure: Structure,
    review: SentReview,
}

#[derive(Deserialize)]
struct SentReview {
    reviewed_by: String,
    statement: String,
}

impl RequestBody for ReviewedTemplate {
    const SCHEMA: &'static str = "MessageTemplateRevisionCreate";

    fn from_value(value: &Value) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        let tag = options::tag(&value["language"], "/language", &mut violations);
        let options = options::read(value.get("options"), tag.as_deref(), &mut violations);
        let reviewed_at = value["review"]["reviewed_at"].as_str();
        let reviewed_at = reviewed_at.map(str::parse::<Timestamp>);
        if let Some(Err(_)) = reviewed_at {
            violations.push(Violation::new(
                "/review/reviewed_at",
                "format",
                "must be an RFC 3339 instant",
            ));
        }
        let given = |name: &str| value.get(name).is_some_and(|it| !it.is_null());
        match (given("offer"), given("offer_summary")) {
            (true, true) => violations.push(Violation::new(
                "/offer_summary",
                "offer_or_summary",
                "must not be given together with offer",
            )),
            (false, false) => violations.push(Violation::new(
                "/offer_summary",
                "offer_or_summary",
                "is required unless offer is given",
            )),
            _ => {}
        }
        // The schema has already reported whatever fails here.
        let sent = Sent::deserialize(value).map_err(|_| violations.clone())?;
        let offer = match (sent.offer, sent.offer_summary) {
            (Some(name), None) => Some(OfferOfTemplate::Named(name)),
            (None, Some(summary)) => Some(OfferOfTemplate::Summary(summary.trim().to_owned())),
            _ => None,
        };
        let (Some(language), Some(Ok(reviewed_at)), Some(offer), true) =
            (tag, reviewed_at, offer, violations.is_empty())
        else {
            return Err(violations);
        };
        let trimmed = |text: String| text.trim().to_owned();
        Ok(Self {
            template_key: sent.template_key,
            name: trimmed(sent.name),
            language,
            audience: trimmed(sent.audience),
            objective: trimmed(sent.objective),
            offer,
            desired_next_step: trimmed(sent.desired_next_step),
            options,
            reason: sent.reason.map(trimmed),
            structure: sent.structure.cleaned(),
            reviewed_by: trimmed(sent.review.reviewed_by),
            reviewed_at,
            statement: trimmed(sent.review.statement),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;
    use crate::schemas;

    fn valid() -> Value {
        let mut example = schemas::named(ReviewedTemplate::SCHEMA)["examples"][0].clone();
        example["language"] = json!("EN-gb");
        example
    }

    fn check(value: &Value) -> Result<ReviewedTemplate, Vec<(String, String)>> {
        let compiled = schemas::of_requests().unwrap();
        let checked = compiled[ReviewedTemplate::SCHEMA].check::<ReviewedTemplate>(value);
        checked.map_err(|violations| {
            violations
                .into_iter()
                .map(|it| (it.pointer, it.rule))
                .collect()
        })
    }

    #[test]
    fn a_request_is_normalized() {
        let mut body = valid();
        body["name"] = json!("  Handover ");
        body["options"] =
            json!({"max_words": 40.0, "locale": null, "forbidden_claims": [" Never "]});
        body["structure"]["subject"][0]["v"] = json!("Cafe\u{301}\r\n\u{202e} ");
        let template = check(&body).unwrap();
        assert_eq!(template.name, "Handover");
        assert_eq!(template.language, "en-GB");
        assert_eq!(template.options.locale, "en-GB");
        assert_eq!(
            (template.options.max_words, template.options.max_links),
            (40, 1)
        );
        assert_eq!(template.options.tone, "consultative");
        assert_eq!(template.options.forbidden_claims, ["Never"]);
        let subject = serde_json::to_value(&template.structure.subject).unwrap();
        assert_eq!(subject[0]["v"], "Caf\u{e9}  ");
    }

    #[test]
    fn single_rules() {
        #[rustfmt::skip]
        let cases = [
            ("/template_key", json!("a b"), "/template_key", "pattern"),
            ("/name", json!(" "), "/name", "pattern"),
            ("/name", json!("a\nb"), "/name", "pattern"),
            ("/language", json!("english!"), "/language", "language"),
            ("/language", Value::Null, "/language", "type"),
            ("/audience", json!("\n"), "/audience", "pattern"),
            ("/objective", json!(""), "/objective", "pattern"),
            ("/desired_next_step", json!(" "), "/desired_next_step", "pattern"),
            ("/offer", json!("meters"), "/offer_summary", "offer_or_summary"),
            ("/offer_summary", Value::Null, "/offer_summary", "offer_or_summary"),
            ("/options", json!({"tone": "pushy"}), "/options/tone", "enum"),
            ("/options", json!({"locale": "x"}), "/options/locale", "language"),
            ("/options", json!({"max_words": 19}), "/options/max_words", "minimum"),
            ("/options", json!({"max_links": 6}), "/options/max_links", "maximum"),
            ("/options", json!({"max_links": 1.5}), "/options/max_links", "type"),
            ("/options", json!({"style": 1}), "/options/style", "additionalProperties"),
            ("/structure/subject/0", json!({"t": "html", "v": "<b>"}), "/structure/subject/0", "oneOf"),
            ("/structure/subject/0", json!({"t": "text", "v": "a", "raw": true}), "/structure/subject/0", "oneOf"),
            ("/structure/blocks/0/kind", json!("footer"), "/structure/blocks/0/kind", "enum"),
            ("/structure/blocks/0/if", json!("x"), "/structure/blocks/0/if", "additionalProperties"),
            ("/structure/css", json!("x"), "/structure/css", "additionalProperties"),
            ("/review/reviewed_at", json!("yesterday"), "/review/reviewed_at", "format"),
            ("/review/reviewed_by", json!(" "), "/review/reviewed_by", "pattern"),
            ("/review/approved", json!(true), "/review/approved", "additionalProperties"),
            ("/status", json!("SENT"), "/status", "additionalProperties"),
        ];
        for (at, value, pointer, rule) in cases {
            let mut body = valid();
            let (parent, name) = at.rsplit_once('/').unwrap();
            let parent = body.pointer_mut(parent).unwrap();
            match name.parse::<usize>() {
                Ok(index) => parent[index] = value,
                Err(_) => parent[name] = value,
            }
            let found = check(&body).unwrap_err();
            assert_eq!(found, [(pointer.to_owned(), rule.to_owned())], "{at}");
        }
    }

    #[test]
    fn what_is_required_is_told_at_once() {
        let mut found = check(&json!({})).unwrap_err();
        found.sort();
        let required = [
            "audience",
            "desired_next_step",
            "language",
            "name",
            "objective",
            "review",
            "structure",
            "template_key",
        ];
        let mut want: Vec<_> = required
            .map(|name| (format!("/{name}"), "required".to_owned()))
            .into();
        want.push(("/offer_summary".to_owned(), "offer_or_summary".to_owned()));
        want.sort();
        assert_eq!(found, want);
    }
}
