//! The names of all settings: how each is written in the file, and in which variable it is looked
//! for. `listen` is `GTM_LISTEN`, `engine.workers` is `GTM_ENGINE_WORKERS`.

use gtm_engine::fail_points;

/// What sort of value a setting takes, so that a variable's text can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A path; relative ones in a file are relative to that file.
    Path,
    /// Texts, separated by commas in a variable.
    TextList,
    /// Paths, separated by commas in a variable.
    PathList,
    /// Only in a file.
    FileOnly,
}

/// All settings.
pub const SETTINGS: &[(&str, Kind)] = &[
    ("listen", Kind::Text),
    ("metrics_listen", Kind::Text),
    ("public_url", Kind::Text),
    ("docs_url", Kind::Text),
    ("trusted_proxies", Kind::TextList),
    ("database_url", Kind::Text),
    ("allow_unrestricted_database_role", Kind::Boolean),
    ("redis_url", Kind::Text),
    ("redis_root_certificates", Kind::Path),
    ("redis_timeout_ms", Kind::Integer),
    ("rate_limit_fallback", Kind::Text),
    ("blob_dir", Kind::Path),
    ("catalog_dirs", Kind::PathList),
    ("trusted_publishers", Kind::FileOnly),
    ("allow_unsigned", Kind::Boolean),
    ("allow_changed_packages", Kind::Boolean),
    ("blocked_digests", Kind::TextList),
    ("usage_tiers", Kind::FileOnly),
    ("disabled_capabilities", Kind::TextList),
    ("shutdown_grace_seconds", Kind::Integer),
    ("egress.private_hosts", Kind::FileOnly),
    ("egress.deny_networks", Kind::TextList),
    ("egress.open_web", Kind::TextList),
    ("egress.free_urls", Kind::TextList),
    ("egress.nat64", Kind::Boolean),
    ("egress.extra_root_certificates", Kind::PathList),
    ("limits.requests_per_minute", Kind::Integer),
    ("limits.body_bytes", Kind::Integer),
    ("limits.body_seconds", Kind::Integer),
    ("limits.answer_seconds", Kind::Integer),
    ("limits.write_stall_seconds", Kind::Integer),
    ("limits.delivery_seconds", Kind::Integer),
    ("limits.connections", Kind::Integer),
    ("limits.connections_per_address", Kind::Integer),
    ("limits.failed_authentications_per_minute", Kind::Integer),
    ("limits.readiness_checks_per_minute", Kind::Integer),
    ("limits.plugin_memory_bytes", Kind::Integer),
    ("limits.plugin_wall_seconds", Kind::Integer),
    ("limits.plugin_cpu_seconds", Kind::Integer),
    ("limits.plugin_output_bytes", Kind::Integer),
    ("limits.plugin_instances", Kind::Integer),
    ("limits.plugin_egress_requests", Kind::Integer),
    ("limits.plugin_egress_bytes_in", Kind::Integer),
    ("limits.plugin_egress_bytes_out", Kind::Integer),
    ("engine.workers", Kind::Integer),
    ("engine.per_project_running", Kind::Integer),
    ("engine.lease_seconds", Kind::Integer),
    ("engine.job_deadline_seconds", Kind::Integer),
    ("engine.call_concurrency", Kind::Integer),
    ("engine.max_calls", Kind::Integer),
    ("engine.job_cost_cap_usd", Kind::Number),
    ("engine.job_cost_estimate_usd", Kind::Number),
    ("log.format", Kind::Text),
    ("log.level", Kind::Text),
];

/// Variables with a meaning of their own, besides those of the settings.
pub const OTHER_VARIABLES: [&str; 6] = [
    DATA_DIR,
    CONFIG,
    MASTER_KEY,
    PEPPER,
    OPERATOR,
    fail_points::VARIABLE,
];

/// The data directory.
pub const DATA_DIR: &str = "GTM_DATA_DIR";
/// The configuration file.
pub const CONFIG: &str = "GTM_CONFIG";
/// Master keys in base64, the current one first, instead of `master.key`.
pub const MASTER_KEY: &str = "GTM_MASTER_KEY";
/// Peppers in base64, if they are not to be derived from the master keys.
pub const PEPPER: &str = "GTM_PEPPER";
/// Who the audit log says did what the command line does, instead of the login name.
pub const OPERATOR: &str = "GTM_OPERATOR";

/// The variable of a setting.
#[must_use]
pub fn variable(setting: &str) -> String {
    format!("GTM_{}", setting.replace('.', "_").to_ascii_uppercase())
}
