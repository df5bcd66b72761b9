//! What `/metrics` exposes: every metric family with its meaning. The recorder produces the Prometheus text
//! but leaves out families without series; here they are named from the first scrape on, so that somebody
//! can build a dashboard on a quiet day.

use std::collections::BTreeSet;

/// What the values of a family are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A sum of this process that only grows.
    Counter,
    /// The same in dollars, which the recorder counts in millionths.
    CounterOfMicros,
    /// A current value.
    Gauge,
    /// A distribution.
    Histogram,
}

/// A metric family.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    pub name: &'static str,
    pub kind: Kind,
    /// What it means, in one line.
    pub help: &'static str,
}

const fn family(name: &'static str, kind: Kind, help: &'static str) -> Family {
    Family { name, kind, help }
}

pub const FAMILIES: &[Family] = &[
    family(
        "gtm_jobs_open",
        Kind::Gauge,
        "Jobs of the installation that have not ended, by type and status (queued, running).",
    ),
    family(
        "gtm_job_queue_depth",
        Kind::Gauge,
        "Jobs of the installation that wait for a worker.",
    ),
    family(
        "gtm_job_queue_oldest_age_seconds",
        Kind::Gauge,
        "How long the oldest job that waits for a worker has waited; 0 if none waits.",
    ),
    family(
        "gtm_calls_awaiting_reconciliation",
        Kind::Gauge,
        "Provider calls of the installation whose cost waits for an operator (gtm ledger reconcile).",
    ),
    family(
        "gtm_backlog_read_timestamp_seconds",
        Kind::Gauge,
        "When the gauges of the installation were last read from the database, in seconds since 1970.",
    ),
    family(
        "gtm_backlog_read_failures_total",
        Kind::Counter,
        "How often the gauges of the installation could not be read from the database.",
    ),
    family("gtm_jobs_running", Kind::Gauge, "Jobs that this node runs."),
    family(
        "gtm_jobs_ended_total",
        Kind::Counter,
        "Jobs that this node ran to their end, by type and status (succeeded, failed, canceled).",
    ),
    family(
        "gtm_spend_usd_total",
        Kind::CounterOfMicros,
        "US dollars that provider calls of this node were charged, by capability.",
    ),
    family(
        "gtm_provider_calls_total",
        Kind::Counter,
        "Provider calls of this node, by connector and outcome (ok, or the kind of failure).",
    ),
    family(
        "gtm_provider_retries_total",
        Kind::Counter,
        "Requests to providers that were retried, by connector.",
    ),
    family(
        "gtm_egress_denied_total",
        Kind::Counter,
        "Requests of plug-ins that the host refused, by reason.",
    ),
    family(
        "gtm_plugin_instances_busy",
        Kind::Gauge,
        "Instances of plug-ins that run on this node.",
    ),
    family(
        "gtm_plugin_instances_limit",
        Kind::Gauge,
        "Instances of plug-ins that may run on this node at once (limits.plugin_instances).",
    ),
    family(
        "gtm_compile_cache_lookups_total",
        Kind::Counter,
        "Look-ups of plug-ins in the compile cache, by result (hit, miss).",
    ),
    family(
        "gtm_http_requests_total",
        Kind::Counter,
        "Requests of the API, by method, route and status.",
    ),
    family(
        "gtm_http_request_duration_seconds",
        Kind::Histogram,
        "How long requests of the API took, by method, route and status.",
    ),
    family(
        "gtm_http_connections_shed_total",
        Kind::Counter,
        "Connections that were closed to make room, by which limit was reached (room, address).",
    ),
    family(
        "gtm_http_connections_cut_total",
        Kind::Counter,
        "Connections that were closed by a deadline, by cause (head_not_sent, write_stalled, answer_not_taken).",
    ),
    family(
        "gtm_api_key_lookups_total",
        Kind::Counter,
        "Look-ups of API keys, by outcome (accepted, refused, failed).",
    ),
    family(
        "gtm_rate_limit_redis_outages_total",
        Kind::Counter,
        "How often Redis stopped answering the rate limit.",
    ),
    family(
        "gtm_rate_limit_fallback_total",
        Kind::Counter,
        "Requests that were rate-limited without Redis, by mode (memory, allow, refuse).",
    ),
];

/// Registers each family's meaning with the recorder.
pub fn describe() {
    for Family { name, kind, help } in FAMILIES {
        match kind {
            Kind::Counter | Kind::CounterOfMicros => metrics::describe_counter!(*name, *help),
            Kind::Gauge => metrics::describe_gauge!(*name, *help),
            Kind::Histogram => metrics::describe_histogram!(*name, *help),
        }
    }
}

/// The recorder's text with amounts in dollars and with the families that have no series yet.
#[must_use]
pub fn complete(rendered: &str) -> String {
    let mut out = String::with_capacity(rendered.len() + 4096);
    let mut there = BTreeSet::new();
    for line in rendered.lines() {
        if let Some(name) = line
            .strip_prefix("# TYPE ")
            .and_then(|rest| rest.split(' ').next())
        {
            there.insert(name);
        }
        match in_dollars(line) {
            Some(line) => out.push_str(&line),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    for family in FAMILIES.iter().filter(|f| !there.contains(f.name)) {
        let kind = match family.kind {
            Kind::Counter | Kind::CounterOfMicros => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram",
        };
        let Family { name, help, .. } = family;
        out.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n\n"));
    }
    out
}

/// Converts a line with an amount in millionths of a dollar to dollars.
fn in_dollars(line: &str) -> Option<String> {
    let (series, value) = line.rsplit_once(' ')?;
    let name = series.split('{').next()?;
    FAMILIES
        .iter()
        .find(|family| family.name == name && family.kind == Kind::CounterOfMicros)?;
    let micros: u64 = value.parse().ok()?;
    Some(format!(
        "{series} {}.{:06}",
        micros / 1_000_000,
        micros % 1_000_000
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_host_names_every_family() {
        let text = complete("");
        for family in FAMILIES {
            for begin in ["# HELP", "# TYPE"] {
                let begin = format!("{begin} {} ", family.name);
                assert_eq!(text.matches(&begin).count(), 1, "{begin}");
            }
        }
        // Applied again, it adds nothing.
        assert_eq!(complete(&text), text);
    }

    #[test]
    fn amounts_are_told_in_dollars() {
        let text = "# TYPE gtm_spend_usd_total counter\n\
                    gtm_spend_usd_total{capability=\"model.complete\"} 1300000\n\
                    gtm_spend_usd_total{capability=\"web.fetch\"} 0\n\
                    gtm_jobs_running 1300000\n";
        let text = complete(text);
        for line in [
            "gtm_spend_usd_total{capability=\"model.complete\"} 1.300000\n",
            "gtm_spend_usd_total{capability=\"web.fetch\"} 0.000000\n",
            "gtm_jobs_running 1300000\n",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn the_operators_guide_has_every_family() {
        let guide = include_str!("../../../docs/operating.md");
        for family in FAMILIES {
            assert!(
                guide.contains(&format!("`{}`", family.name)),
                "{}",
                family.name
            );
        }
    }
}
