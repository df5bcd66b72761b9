//! Usage meters: what a call consumed, according to the provider's answers. The guest has no say in it, and
//! the provider is not trusted blindly: what is not a figure, or exceeds any real one, counts as not
//! reported.

use gtm_domain::{Failure, FailureKind};
use serde_json::Value;

use crate::guest::connector::RecordedExchange;
use crate::manifest::{Meter, UsageSource};
use crate::outcome::{Meters, RawTokens};

/// Failure code of a call whose provider did not report a required figure.
pub const USAGE_METER_MISSING: &str = "usage_meter_missing";

/// Largest figure that is believed, for one exchange and for a whole call: far above any real one, and
/// exact as a float. Sums of millions of them fit into 64 bits.
const LARGEST: f64 = 1_099_511_627_776.0;

/// What an exchange reports for a meter.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reading {
    Absent,
    /// Something that is not a figure, or cannot be true.
    Implausible,
    Figure(f64),
}

impl Reading {
    fn of(figure: f64) -> Self {
        // Not-a-number, infinite and negative values fail this test.
        if (0.0..=LARGEST).contains(&figure) {
            Self::Figure(figure)
        } else {
            Self::Implausible
        }
    }
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Implausible, _) | (_, Self::Implausible) => Self::Implausible,
            (Self::Absent, said) | (said, Self::Absent) => said,
            (Self::Figure(a), Self::Figure(b)) => Self::of(a + b),
        }
    }
}

/// The meters of a call, summed over its exchanges, and the failure that a successful call becomes if none
/// of its exchanges reports a required meter.
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
    let mut sums = vec![Reading::Absent; concerned.len()];
    let mut gaps = vec![false; concerned.len()];
    for recorded in exchanges {
        // One body at a time: parsed JSON takes many times its size. A long body is not searched for
        // meters.
        let body: Option<Value> = concerned
            .iter()
            .any(|source| source.from.starts_with("body:"))
            .then(|| recorded.exchange.body.in_memory())
            .flatten()
            .and_then(|bytes| serde_json::from_slice(bytes).ok());
        let answered = recorded
            .exchange
            .receipt
            .status
            .is_some_and(|status| (200..300).contains(&status));
        for ((source, sum), gap) in concerned.iter().zip(&mut sums).zip(&mut gaps) {
            let reading = read(&source.from, recorded, body.as_ref());
            *gap |= answered && reading == Reading::Absent;
            *sum = sum.plus(reading);
        }
    }
    let mut missing = None;
    for ((source, sum), gap) in concerned.into_iter().zip(sums).zip(gaps) {
        // A constant does not come from an exchange.
        meters.partial |= gap && !source.optional && !source.from.starts_with("const:");
        let said = match source.from.strip_prefix("const:") {
            Some(constant) => constant.parse().map_or(Reading::Absent, Reading::of),
            None => sum,
        };
        meters.implausible |= said == Reading::Implausible;
        match said {
            Reading::Figure(amount) => add(&mut meters, source.meter, amount),
            Reading::Absent | Reading::Implausible if source.optional || missing.is_some() => {}
            Reading::Absent | Reading::Implausible => {
                missing = Some(Failure::new(
                    FailureKind::Upstream,
                    USAGE_METER_MISSING,
                    format!("the provider did not report `{}`", source.meter.key()),
                ));
            }
        }
    }
    (meters, missing)
}

/// A figure of one exchange: a number, or a string that holds one.
fn read(from: &str, recorded: &RecordedExchange, body: Option<&Value>) -> Reading {
    let text = |text: &str| {
        text.trim()
            .parse()
            .map_or(Reading::Implausible, Reading::of)
    };
    if let Some(name) = from.strip_prefix("header:") {
        let mut headers = recorded.headers.iter();
        let header = headers.find(|(header, _)| header.eq_ignore_ascii_case(name));
        return header.map_or(Reading::Absent, |(_, value)| text(value));
    }
    let pointer = from.strip_prefix("body:");
    match pointer.and_then(|pointer| body?.pointer(pointer)) {
        None | Some(Value::Null) => Reading::Absent,
        Some(Value::Number(number)) => number.as_f64().map_or(Reading::Implausible, Reading::of),
        Some(Value::String(said)) => text(said),
        Some(_) => Reading::Implausible,
    }
}

fn add(meters: &mut Meters, meter: Meter, amount: f64) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "neither negative nor over what a float holds exactly"
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
    use crate::egress::KeptBody;
    use crate::outcome::Exchange;
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
                body: Bytes::from(body.to_owned()).into(),
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
    }

    #[test]
    fn an_answer_without_a_required_figure_makes_the_sums_partial() {
        let partial = |second: &str, status: Option<u16>, optional: bool, from: &str| {
            let mut exchanges = [exchange(r#"{"n":10}"#, &[]), exchange(second, &[])];
            exchanges[1].exchange.receipt.status = status;
            let sources = [source(Meter::InputTokens, from, optional)];
            let (meters, missing) = measure(&sources, "op", &exchanges);
            assert_eq!(missing, None);
            meters.partial
        };
        assert!(partial("cut off", Some(200), false, "body:/n"));
        assert!(!partial(r#"{"n":0}"#, Some(200), false, "body:/n"));
        assert!(!partial("busy", Some(503), false, "body:/n"));
        assert!(!partial("", None, false, "body:/n"));
        assert!(!partial("cut off", Some(200), true, "body:/n"));
        assert!(!partial("cut off", Some(200), false, "const:2"));
        // Half of the required figures is not complete either.
        let sources = [
            source(Meter::InputTokens, "header:x-input", false),
            source(Meter::OutputTokens, "body:/n", false),
        ];
        let cut_off = [exchange("cut off", &[("x-input", "10")])];
        let (meters, missing) = measure(&sources, "op", &cut_off);
        assert!(meters.partial && missing.is_some());
        assert_eq!(meters.tokens.unwrap().input, Some(10));
    }

    #[tokio::test]
    async fn the_figures_of_a_long_body_are_not_looked_for() {
        let dir = tempfile::tempdir().unwrap();
        let told = r#"{"n":10}"#;
        let of_length = async |length: usize| {
            let mut exchanges = [exchange("", &[("x-credits", "2")])];
            let body = Bytes::from(told.to_owned() + &" ".repeat(length - told.len()));
            exchanges[0].exchange.body = KeptBody::of(dir.path(), &body).await.unwrap();
            let sources = [
                source(Meter::InputTokens, "body:/n", false),
                source(Meter::Credits, "header:x-credits", false),
            ];
            let (meters, missing) = measure(&sources, "op", &exchanges);
            assert_eq!(meters.credits, Some(2.0), "what a header says is short");
            (
                meters.tokens.and_then(|tokens| tokens.input),
                meters.partial,
                missing.map(|failure| failure.code),
            )
        };
        let whole = of_length(1024 * 1024).await;
        assert_eq!(whole, (Some(10), false, None));
        let long = of_length(1024 * 1024 + 1).await;
        assert_eq!(long, (None, true, Some(USAGE_METER_MISSING.to_owned())));
    }

    #[test]
    fn what_cannot_be_true_counts_as_not_said() {
        let of = |meter, texts: &[&str]| {
            let exchanges: Vec<_> = texts
                .iter()
                .map(|text| exchange(&format!("{{\"n\":{text}}}"), &[]))
                .collect();
            let required = measure(&[source(meter, "body:/n", false)], "op", &exchanges);
            let optional = measure(&[source(meter, "body:/n", true)], "op", &exchanges);
            assert_eq!(optional.1, None);
            assert_eq!(required.0.partial, texts.contains(&"null"), "{texts:?}");
            // Only required figures can be missing.
            assert!(!optional.0.partial);
            let all_told = Meters {
                partial: false,
                ..required.0.clone()
            };
            assert_eq!(optional.0, all_told);
            assert_eq!(
                required.1.is_some(),
                required.0.implausible || texts == ["null"]
            );
            required.0
        };
        for meter in [Meter::InputTokens, Meter::Credits, Meter::CostUsd] {
            for nonsense in [
                "-5",
                "-1e-9",
                "\"NaN\"",
                "\"inf\"",
                "\"much\"",
                "\"\"",
                "[1]",
                "true",
                "1e18",
                "1e300",
                "9007199254740992",
                "\"1e300\"",
                "1099511627777",
                "18446744073709551616",
            ] {
                let meters = of(meter, &[nonsense]);
                assert!(meters.implausible, "{nonsense}");
                assert_eq!(
                    (meters.tokens, meters.credits, meters.cost_usd),
                    (None, None, None)
                );
            }
            // Two figures that add up to more than is believed are implausible; an implausible figure makes
            // the sum implausible.
            assert!(of(meter, &["1099511627776", "1"]).implausible);
            assert!(of(meter, &["5", "1e300"]).implausible);
            assert!(!of(meter, &["null"]).implausible);
            for zero in ["0", "-0", "-0.0", "\"-0\""] {
                assert!(!of(meter, &[zero]).implausible, "{zero}");
            }
        }
        let input = |text| of(Meter::InputTokens, &[text]).tokens.unwrap().input;
        assert_eq!(input("1099511627776"), Some(1 << 40));
        assert_eq!(input("-0"), Some(0));
        assert_eq!(of(Meter::CostUsd, &["0.25"]).cost_usd, Some(0.25));
    }

    #[test]
    fn a_source_of_another_operation_does_not_concern_a_call() {
        let mut only = source(Meter::Credits, "const:2", false);
        only.operations = Some(vec!["other".into()]);
        assert_eq!(measure(&[only.clone()], "op", &[]).0.credits, None);
        assert_eq!(measure(&[only], "other", &[]).0.credits, Some(2.0));
    }
}
