//! What each setting takes, in words of an operator and with an example, so that a wrong value is not
//! told in words of the language that the program is written in.

/// What one setting takes.
pub struct Explanation {
    /// Name of the setting.
    pub name: &'static str,
    /// What is allowed.
    pub allowed: &'static str,
    /// A value as the configuration file has it.
    pub example: &'static str,
}

const POSITIVE: &str = "a whole number from 1 on";
const POSITIVE_32: &str = "a whole number from 1 to 4294967295";
const AMOUNT: &str = "an amount of US dollars over 0 and below a million";
const SWITCH: &str = "true or false";
const NETWORKS: &str =
    "a list of networks, each an address with the length of its prefix, or one address";
const ADDRESS: &str = "an IP address and a port";
const WEB_ADDRESS: &str = "an http or https URL without user, query and fragment";
const KEYS: &str = "a list of keys of plug-ins";

const fn takes(name: &'static str, allowed: &'static str, example: &'static str) -> Explanation {
    Explanation {
        name,
        allowed,
        example,
    }
}

/// All settings, in the order of [`super::settings::SETTINGS`].
pub const EXPLANATIONS: &[Explanation] = &[
    takes("listen", ADDRESS, "\"127.0.0.1:8080\""),
    takes("metrics_listen", ADDRESS, "\"127.0.0.1:9090\""),
    takes("public_url", WEB_ADDRESS, "\"https://gtm.example.com\""),
    takes(
        "docs_url",
        WEB_ADDRESS,
        "\"https://docs.example.com/errors\"",
    ),
    takes("trusted_proxies", NETWORKS, "[\"10.0.0.0/8\"]"),
    takes(
        "database_url",
        "sqlite:///path or postgres://user@host/database",
        "\"sqlite:///srv/gtm/gtm.db\"",
    ),
    takes("allow_unrestricted_database_role", SWITCH, "false"),
    takes(
        "redis_url",
        "redis://host:port/number, or rediss:// for TLS",
        "\"redis://127.0.0.1:6379/0\"",
    ),
    takes(
        "redis_root_certificates",
        "the path of a PEM file",
        "\"/etc/gtm/redis.pem\"",
    ),
    takes("redis_timeout_ms", POSITIVE, "200"),
    takes(
        "rate_limit_fallback",
        "memory, allow or refuse",
        "\"memory\"",
    ),
    takes("blob_dir", "the path of a folder", "\"/srv/gtm/blobs\""),
    takes(
        "catalog_dirs",
        "a list of paths of folders",
        "[\"/srv/gtm/catalog\"]",
    ),
    takes(
        "trusted_publishers",
        "tables with id, publisher, keys and public_key, in the file",
        "[[trusted_publishers]]",
    ),
    takes("allow_unsigned", SWITCH, "false"),
    takes("allow_changed_packages", SWITCH, "false"),
    takes(
        "blocked_digests",
        "a list of digests of components, as `gtm plugin list` shows them",
        "[\"sha256:0000000000000000000000000000000000000000000000000000000000000000\"]",
    ),
    takes(
        "usage_tiers",
        "tables with key, name and monthly_cost_cap_usd, in the file",
        "[[usage_tiers]]",
    ),
    takes(
        "disabled_capabilities",
        "a list of product capabilities",
        "[\"brands\"]",
    ),
    takes("shutdown_grace_seconds", "a whole number from 0 on", "10"),
    takes(
        "egress.private_hosts",
        "tables with host, port and connectors, in the file",
        "[[egress.private_hosts]]",
    ),
    takes("egress.deny_networks", NETWORKS, "[\"203.0.113.0/24\"]"),
    takes("egress.open_web", KEYS, "[\"web-fetch\"]"),
    takes("egress.free_urls", KEYS, "[\"playbook\"]"),
    takes("egress.nat64", SWITCH, "false"),
    takes(
        "egress.extra_root_certificates",
        "a list of paths of PEM files",
        "[\"/etc/gtm/root.pem\"]",
    ),
    takes("limits.requests_per_minute", POSITIVE_32, "120"),
    takes("limits.body_bytes", POSITIVE, "1048576"),
    takes("limits.body_seconds", POSITIVE, "15"),
    takes("limits.answer_seconds", POSITIVE, "20"),
    takes("limits.write_stall_seconds", POSITIVE, "10"),
    takes("limits.delivery_seconds", POSITIVE, "60"),
    takes("limits.connections", POSITIVE, "4096"),
    takes("limits.connections_per_address", POSITIVE, "64"),
    takes(
        "limits.failed_authentications_per_minute",
        POSITIVE_32,
        "60",
    ),
    takes("limits.readiness_checks_per_minute", POSITIVE_32, "240"),
    takes("limits.plugin_memory_bytes", POSITIVE, "268435456"),
    takes("limits.plugin_wall_seconds", POSITIVE, "120"),
    takes("limits.plugin_cpu_seconds", POSITIVE, "30"),
    takes("limits.plugin_output_bytes", POSITIVE, "8388608"),
    takes("limits.plugin_instances", POSITIVE_32, "64"),
    takes("limits.plugin_egress_requests", POSITIVE_32, "64"),
    takes("limits.plugin_egress_bytes_in", POSITIVE, "67108864"),
    takes("limits.plugin_egress_bytes_out", POSITIVE, "16777216"),
    takes("engine.workers", POSITIVE, "4"),
    takes("engine.per_project_running", POSITIVE, "2"),
    takes("engine.lease_seconds", POSITIVE, "30"),
    takes("engine.job_deadline_seconds", POSITIVE, "900"),
    takes("engine.call_concurrency", POSITIVE, "8"),
    takes("engine.max_calls", POSITIVE, "200"),
    takes("engine.job_cost_cap_usd", AMOUNT, "5.0"),
    takes("engine.job_cost_estimate_usd", AMOUNT, "0.25"),
    takes("log.format", "text or json", "\"text\""),
    takes(
        "log.level",
        "error, warn, info, debug or trace, or such levels for parts of the program",
        "\"info,gtm_engine=debug\"",
    ),
];

impl Explanation {
    /// That of the setting which stands at a path of the configuration, or around it.
    #[must_use]
    pub fn around(path: &str) -> Option<&'static Self> {
        EXPLANATIONS.iter().find(|explanation| {
            path.strip_prefix(explanation.name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        })
    }

    /// The example as a line of the file.
    #[must_use]
    pub fn line(&self) -> String {
        if self.example.starts_with("[[") {
            return format!("`{}`", self.example);
        }
        match self.name.split_once('.') {
            Some((section, name)) => {
                format!("`{name} = {}` in the section [{section}]", self.example)
            }
            None => format!("`{} = {}`", self.name, self.example),
        }
    }

    /// The example as a variable.
    #[must_use]
    pub fn assignment(&self, variable: &str) -> String {
        let bare: String = self
            .example
            .chars()
            .filter(|character| !matches!(character, '"' | '[' | ']'))
            .collect();
        format!("`{variable}={bare}`")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::configuration::sections::Configuration;
    use crate::configuration::settings::SETTINGS;

    #[test]
    fn every_setting_is_explained() {
        let explained: Vec<_> = EXPLANATIONS.iter().map(|e| e.name).collect();
        let settings: Vec<_> = SETTINGS.iter().map(|(name, _)| *name).collect();
        assert_eq!(explained, settings);
    }

    #[test]
    fn every_example_is_a_value_that_is_taken() {
        for explanation in EXPLANATIONS.iter().filter(|e| !e.example.starts_with("[[")) {
            let text = match explanation.name.split_once('.') {
                Some((section, name)) => format!("[{section}]\n{name} = {}", explanation.example),
                None => format!("{} = {}", explanation.name, explanation.example),
            };
            let read: Result<Configuration, _> = toml::from_str(&text);
            assert!(read.is_ok(), "{text}: {read:?}");
        }
    }

    #[test]
    fn a_setting_is_found_by_what_stands_in_it() {
        let name = |path: &str| Explanation::around(path).map(|e| e.name);
        assert_eq!(name("listen"), Some("listen"));
        assert_eq!(name("trusted_proxies[0]"), Some("trusted_proxies"));
        assert_eq!(
            name("egress.private_hosts[1].port"),
            Some("egress.private_hosts")
        );
        assert_eq!(name("limits.connections"), Some("limits.connections"));
        assert_eq!(
            name("limits.connections_per_address"),
            Some("limits.connections_per_address")
        );
        assert_eq!((name("engine"), name("listening")), (None, None));
    }
}
