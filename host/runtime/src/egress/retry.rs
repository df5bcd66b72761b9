//! When a request is retried, and how long the gate waits before. Only the host retries.

use std::cell::OnceCell;
use std::time::Duration;

use gtm_domain::Timestamp;
use http::HeaderMap;
use serde_json::Value;

use super::grant::CallGrant;
use super::spool::LARGEST_IN_MEMORY;
use crate::manifest::{Match, RateHeaders, ResetFormat};
use crate::schema::{MAX_NODES, nodes_of_text};

/// The longest wait that the gate chooses by itself.
const MAX_BACKOFF: Duration = Duration::from_secs(30);
/// Maximum number of attempts, whatever a manifest says.
const MAX_ATTEMPTS: u32 = 5;

/// When a failed attempt may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    /// It would fail again, or must not be repeated.
    Never,
    /// Nothing of the request was sent.
    Always,
    /// The request may have been performed.
    IfReplaySafe,
}

impl Repeat {
    /// Whether this call may repeat the request.
    pub(super) const fn allowed(self, grant: &CallGrant) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::IfReplaySafe => replayable(grant),
        }
    }
}

/// Whether a request that may have been performed can be sent again.
const fn replayable(grant: &CallGrant) -> bool {
    grant.replay_safe || grant.idempotency.is_some()
}

/// How many attempts a call allows.
pub(super) fn max_attempts(grant: &CallGrant) -> u32 {
    grant.retry.max_attempts.clamp(1, MAX_ATTEMPTS)
}

/// Whether an answer's status calls for a retry. If a repeat is not safe, only statuses that say that
/// nothing was done.
pub(super) fn by_status(grant: &CallGrant, status: u16) -> bool {
    grant.retry.statuses.contains(&status) && (replayable(grant) || matches!(status, 429 | 503))
}

/// Whether a status may mean `exhausted`, before the body is known.
pub(super) fn may_be_exhausted(grant: &CallGrant, status: u16) -> bool {
    grant
        .retry
        .exhausted
        .iter()
        .any(|m| m.statuses.as_ref().is_none_or(|s| s.contains(&status)))
}

/// Whether an answer matches one of these patterns, such as those for exhausted credit or quota. The body
/// is parsed once for all of them.
pub(super) fn fits_any(patterns: &[Match], status: u16, body: &[u8]) -> bool {
    let json = OnceCell::new();
    let json = || json.get_or_init(|| short_json(body)).as_ref();
    patterns.iter().any(|pattern| fits(pattern, status, json))
}

/// Whether an answer matches a pattern.
pub(super) fn matches(pattern: &Match, status: u16, body: &[u8]) -> bool {
    fits_any(std::slice::from_ref(pattern), status, body)
}

/// A body as JSON, unless it is not JSON or so long that parsing it would hold up others. The answers
/// matched here are short.
fn short_json(body: &[u8]) -> Option<Value> {
    let short = Some(body).filter(|body| body.len() <= LARGEST_IN_MEMORY)?;
    let text = std::str::from_utf8(short).ok()?;
    if nodes_of_text(text) > MAX_NODES {
        return None;
    }
    serde_json::from_str(text).ok()
}

/// All members present in the pattern must match. An empty pattern matches nothing.
fn fits<'a>(pattern: &Match, status: u16, json: impl FnOnce() -> Option<&'a Value>) -> bool {
    if pattern
        .statuses
        .as_ref()
        .is_some_and(|s| !s.contains(&status))
    {
        return false;
    }
    if pattern.pointer.is_none() && pattern.equals.is_none() {
        return pattern.statuses.is_some();
    }
    let found =
        json().and_then(|json| json.pointer(pattern.pointer.as_deref().unwrap_or_default()));
    match (&pattern.equals, found) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(wanted), Some(value)) => wanted == value,
    }
}

/// The wait before attempt number `next` (two or more): exponential, with `random` choosing between half
/// and all of it, so that callers do not come back together.
pub(super) fn backoff(base: Duration, next: u32, random: u16) -> Duration {
    let full = base
        .saturating_mul(1 << next.saturating_sub(2).min(16))
        .min(MAX_BACKOFF);
    full / 2 + full.mul_f64(f64::from(random) / f64::from(u16::MAX) / 2.0)
}

/// When to come back according to an answer: `retry-after-ms`, the manifest's own header or `retry-after`
/// (seconds or an HTTP date), else the end of the provider's rate window.
pub(super) fn wanted_wait(
    headers: &HeaderMap,
    names: &RateHeaders,
    now: Timestamp,
) -> Option<Duration> {
    let text = |name: &str| {
        headers
            .get(name)
            .and_then(|v| v.to_str().ok())
            .map(str::trim)
    };
    let own = |name: &Option<String>| name.as_deref().and_then(text);
    text("retry-after-ms")
        .and_then(|t| t.parse::<f64>().ok())
        .and_then(|ms| seconds(ms / 1000.0))
        .or_else(|| own(&names.retry_after).and_then(|t| span(t, now)))
        .or_else(|| text("retry-after").and_then(|t| span(t, now)))
        .or_else(|| {
            own(&names.reset).and_then(|t| {
                reset(
                    t,
                    names.reset_format.unwrap_or(ResetFormat::DeltaSeconds),
                    now,
                )
            })
        })
}

fn span(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(number) = text.parse::<f64>() {
        return seconds(number);
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new()
        .parse_timestamp(text)
        .ok()?;
    Some(Timestamp::from_micros(date.as_microsecond()).since(now))
}

/// The wait until a rate window ends.
fn reset(text: &str, format: ResetFormat, now: Timestamp) -> Option<Duration> {
    match format {
        ResetFormat::DeltaSeconds => text.parse().ok().and_then(seconds),
        ResetFormat::Duration => seconds(text.parse::<jiff::SignedDuration>().ok()?.as_secs_f64()),
        ResetFormat::EpochSeconds => {
            seconds((text.parse::<f64>().ok()? - now.micros() as f64 / 1e6).max(0.0))
        }
        ResetFormat::Rfc3339 => Some(text.parse::<Timestamp>().ok()?.since(now)),
    }
}

/// Up to a day; larger, negative and not-a-number values are ignored.
fn seconds(number: f64) -> Option<Duration> {
    (0.0..=86_400.0)
        .contains(&number)
        .then(|| Duration::from_secs_f64(number))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use http::HeaderValue;
    use serde_json::json;

    fn wait(name: &'static str, value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).unwrap());
        let names = RateHeaders {
            retry_after: Some("x-wait".into()),
            ..RateHeaders::default()
        };
        wanted_wait(&headers, &names, "2015-10-21T07:28:00Z".parse().unwrap())
    }

    #[test]
    fn ends_of_rate_windows() {
        for (format, value, wanted) in [
            (ResetFormat::DeltaSeconds, "7", 7_000),
            (ResetFormat::Duration, "6m0s", 360_000),
            (ResetFormat::Duration, "350ms", 350),
            (ResetFormat::EpochSeconds, "1445412485", 5_000),
            (ResetFormat::EpochSeconds, "1445412000", 0),
            (ResetFormat::Rfc3339, "2015-10-21T07:28:09Z", 9_000),
        ] {
            let now = "2015-10-21T07:28:00Z".parse().unwrap();
            assert_eq!(
                reset(value, format, now),
                Some(Duration::from_millis(wanted)),
                "{value}"
            );
            assert_eq!(reset("soon", format, now), None);
        }
    }

    #[test]
    fn hints_of_the_provider() {
        assert_eq!(wait("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(
            wait("retry-after", "Wed, 21 Oct 2015 07:28:05 GMT"),
            Some(Duration::from_secs(5))
        );
        assert_eq!(
            wait("retry-after", "Wed, 21 Oct 2015 07:27:00 GMT"),
            Some(Duration::ZERO)
        );
        assert_eq!(
            wait("retry-after-ms", "120"),
            Some(Duration::from_millis(120))
        );
        assert_eq!(wait("x-wait", "0.5"), Some(Duration::from_millis(500)));
        for nonsense in ["-1", "NaN", "inf", "1e300", "soon", ""] {
            assert_eq!(wait("retry-after", nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn waits_double_within_bounds() {
        let base = Duration::from_millis(100);
        assert_eq!(backoff(base, 2, 0), Duration::from_millis(50));
        assert_eq!(backoff(base, 2, u16::MAX), base);
        assert_eq!(backoff(base, 4, u16::MAX), Duration::from_millis(400));
        assert!(backoff(base, 99, u16::MAX) <= MAX_BACKOFF);
    }

    #[test]
    fn patterns_need_all_their_members() {
        let body = br#"{"error":{"code":"out_of_credit"}}"#;
        let pattern = |v: Value| serde_json::from_value::<Match>(v).unwrap();
        assert!(matches(&pattern(json!({"statuses":[402]})), 402, b""));
        assert!(!matches(&pattern(json!({"statuses":[402]})), 403, body));
        assert!(matches(
            &pattern(json!({"pointer":"/error/code","equals":"out_of_credit"})),
            429,
            body
        ));
        assert!(!matches(
            &pattern(json!({"statuses":[402],"pointer":"/error/code"})),
            429,
            body
        ));
        assert!(!matches(
            &pattern(json!({"pointer":"/error/code","equals":"x"})),
            429,
            body
        ));
        assert!(!matches(
            &pattern(json!({"pointer":"/error"})),
            429,
            b"not json"
        ));
        assert!(!matches(&pattern(json!({})), 200, body));
    }
}
