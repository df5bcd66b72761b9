//! Usage meters: what the provider's own answers say a call consumed. The guest has no say in it.

use gtm_domain::{Failure, FailureKind};
use serde_json::Value;

use crate::calls::{Meters, RawTokens};
use crate::interfaces::http::RecordedExchange;
use crate::manifest::{Meter, UsageSource};

/// The meters of a call, summed over its exchanges, and the failure that a successful call turns
/// into because none of its exchanges shows a required meter.
pub fn measure(
    sources: &[UsageSource],
    operation: &str,
    exchanges: &[RecordedExchange],
) -> (Meters, Option<Failure>) {
    let sent = exchanges.iter().filter(|recorded| recorded.sent).count();
    let mut meters = Meters {
        requests: u64::try_from(sent).unwrap_or(u64::MAX),
        ..Meters::default()
    };
    let concerned: Vec<&UsageSource> = sources
        .iter()
        .filter(|source| {
            source
                .operations
                .as_ref()
                .is_none_or(|ids| ids.iter().any(|id| id == operation))
        })
        .collect();
    if concerned.is_empty() {
        return (meters, None);
    }
    let bodies: Vec<Option<Value>> = if concerned
        .iter()
        .any(|source| source.from.starts_with("body:"))
    {
        exchanges
            .iter()
            .map(|recorded| serde_json::from_slice(&recorded.exchange.body).ok())
            .collect()
    } else {
        vec![None; exchanges.len()]
    };
    let mut missing = None;
    for source in concerned {
        let found = if let Some(constant) = source.from.strip_prefix("const:") {
            constant.parse().ok()
        } else {
            exchanges
                .iter()
                .zip(&bodies)
                .filter_map(|(recorded, body)| read(&source.from, recorded, body.as_ref()))
                .reduce(|a, b| a + b)
        };
        match found {
            Some(amount) => add(&mut meters, source.meter, amount),
            None if source.optional || missing.is_some() => {}
            None => {
                missing = Some(Failure::new(
                    FailureKind::Upstream,
                    "usage_meter_missing",
                    format!("the provider did not say `{}`", source.meter.key()),
                ));
            }
        }
    }
    (meters, missing)
}

/// A figure of one exchange: a number, or a text that is one, and not below zero.
fn read(from: &str, recorded: &RecordedExchange, body: Option<&Value>) -> Option<f64> {
    let amount = if let Some(name) = from.strip_prefix("header:") {
        recorded
            .headers
            .iter()
            .find(|(header, _)| header.eq_ignore_ascii_case(name))?
            .1
            .trim()
            .parse()
            .ok()?
    } else {
        match body?.pointer(from.strip_prefix("body:")?)? {
            Value::Number(number) => number.as_f64()?,
            Value::String(text) => text.trim().parse().ok()?,
            _ => return None,
        }
    };
    (f64::is_finite(amount) && amount >= 0.0).then_some(amount)
}

fn add(meters: &mut Meters, meter: Meter, amount: f64) {
    // A count of a provider fits a u64; `as` saturates where a provider jokes.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and saturating is what is wanted"
    )]
    let count = amount.round() as u64;
    let tokens = |place: fn(&mut RawTokens) -> &mut Option<u64>, meters: &mut Meters| {
        let slot = place(meters.tokens.get_or_insert_with(RawTokens::default));
        *slot = Some(slot.unwrap_or(0).saturating_add(count));
    };
    match meter {
        Meter::InputTokens => tokens(|t| &mut t.input, meters),
        Meter::CachedInputTokens => tokens(|t| &mut t.cached_input, meters),
        Meter::CacheWriteTokens => tokens(|t| &mut t.cache_write, meters),
        Meter::OutputTokens => tokens(|t| &mut t.output, meters),
        Meter::ReasoningTokens => tokens(|t| &mut t.reasoning, meters),
        Meter::TotalTokens => tokens(|t| &mut t.total, meters),
        Meter::Credits => *meters.credits.get_or_insert(0.0) += amount,
        Meter::CostUsd => *meters.cost_usd.get_or_insert(0.0) += amount,
        Meter::Requests => meters.requests = count,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::calls::Exchange;
    use bytes::Bytes;
    use gtm_domain::receipt::Receipt;
    use gtm_domain::{ReceiptId, Timestamp};

    fn exchange(body: &str, headers: &[(&str, &str)]) -> RecordedExchange {
        let receipt = Receipt {
            id: ReceiptId::from_uuid(uuid::Uuid::from_u128(1)),
            method: "POST".into(),
            url: "https://api.example.com/".into(),
            final_url: "https://api.example.com/".into(),
            host: "api.example.com".into(),
            port: 443,
            status: Some(200),
            content_type: None,
            request_bytes: 0,
            response_bytes: 0,
            response_digest: None,
            at: Timestamp::EPOCH,
            duration_ms: 1,
            attempts: 1,
            decision: "allowed".into(),
            credentials: Vec::new(),
        };
        RecordedExchange {
            exchange: Exchange {
                receipt,
                body: Bytes::from(body.to_owned()),
            },
            headers: headers
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
                .collect(),
            sent: true,
            exhausted: false,
        }
    }
    fn source(meter: Meter, from: &str, optional: bool) -> UsageSource {
        UsageSource {
            meter,
            from: from.into(),
            operations: None,
            optional,
        }
    }

    #[test]
    fn figures_of_several_exchanges_add_up() {
        let exchanges = [
            exchange(r#"{"usage":{"prompt_tokens":10}}"#, &[("X-Credits", "1.5")]),
            exchange(r#"{"usage":{"prompt_tokens":"5"}}"#, &[("x-credits", "2")]),
        ];
        let sources = [
            source(Meter::InputTokens, "body:/usage/prompt_tokens", false),
            source(Meter::Credits, "header:x-credits", false),
        ];
        let (meters, missing) = measure(&sources, "op", &exchanges);
        assert_eq!(missing, None);
        assert_eq!(meters.tokens.unwrap().input, Some(15));
        assert_eq!(meters.credits, Some(3.5));
        assert_eq!(meters.requests, 2);
    }

    #[test]
    fn a_required_meter_that_is_missing_is_said() {
        let exchanges = [exchange("{}", &[])];
        let (_, missing) = measure(
            &[source(
                Meter::OutputTokens,
                "body:/usage/completion_tokens",
                false,
            )],
            "op",
            &exchanges,
        );
        assert_eq!(missing.unwrap().code, "usage_meter_missing");
        let (_, missing) = measure(
            &[source(
                Meter::OutputTokens,
                "body:/usage/completion_tokens",
                true,
            )],
            "op",
            &exchanges,
        );
        assert_eq!(missing, None);
        // Nonsense counts as missing.
        for body in [r#"{"n":-5}"#, r#"{"n":"NaN"}"#, r#"{"n":[1]}"#, "no json"] {
            let (_, missing) = measure(
                &[source(Meter::Credits, "body:/n", false)],
                "op",
                &[exchange(body, &[])],
            );
            assert!(missing.is_some(), "{body}");
        }
    }

    #[test]
    fn a_source_of_another_operation_does_not_concern_a_call() {
        let mut only = source(Meter::Credits, "const:2", false);
        only.operations = Some(vec!["other".into()]);
        assert_eq!(measure(&[only.clone()], "op", &[]).0.credits, None);
        assert_eq!(measure(&[only], "other", &[]).0.credits, Some(2.0));
    }
}
