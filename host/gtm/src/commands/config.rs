//! `gtm config …`.

use std::path::Path;

use clap::Subcommand;
use gtm_domain::{TierTable, UsageTier};
use gtm_runtime::PluginKind;
use gtm_store::DatabaseKind;
use serde_json::{Value, json};

use crate::configuration::sections::Configuration;
use crate::configuration::{Effective, reference};
use crate::document_fonts;
use crate::failure::Failure;
use crate::output::{Output, print_own, table};

/// The setting that is shown in a table of its own.
const TIERS: &str = "usage_tiers";

/// Commands on the configuration.
#[derive(Debug, Subcommand)]
pub enum Config {
    /// Check the configuration; print every value and where it comes from
    ///
    /// The file overrides the defaults, GTM_* variables override the file, and flags override all of
    /// them. Passwords are masked.
    #[command(after_help = "Example:\n  gtm config check")]
    Check,
    /// List every setting: what it takes, its default and its meaning
    #[command(after_help = "Example:\n  gtm config reference")]
    Reference {
        /// Print tables in Markdown
        #[arg(long, conflicts_with = "json")]
        markdown: bool,
    },
}

/// Runs a command. Whoever looks up a setting may be repairing a configuration that does not load, so the
/// configuration is loaded only if it is needed.
///
/// # Errors
/// If the configuration does not load, a value has the right type but is unusable, or printing fails.
pub fn run(
    command: &Config,
    load: impl FnOnce() -> Result<Effective, Failure>,
    output: Output,
) -> Result<(), Failure> {
    match command {
        Config::Check => check(&load()?, output),
        Config::Reference { markdown: true } => print_own(&reference::as_markdown()),
        Config::Reference { markdown: false } => {
            output.print(&reference::as_json(), reference::as_text)
        }
    }
}

fn check(effective: &Effective, output: Output) -> Result<(), Failure> {
    effective.check_paths()?;
    check_values(&effective.configuration)?;
    let shown = effective.shown();
    let configuration = &effective.configuration;
    let tiers = configuration
        .usage_tiers
        .table(configuration.limits.requests_per_minute)
        .map_err(|error| Failure::new(format!("configuration: {TIERS}: {error}")))?;
    let unknown = unknown_plugins(effective);
    let value = json!({
        "settings": shown.iter().map(|s| json!({ "name": s.name, "value": s.value, "origin": s.origin.to_string() })).collect::<Vec<_>>(),
        "ignored_variables": effective.ignored_variables,
        "unknown_plugins": unknown.iter().map(|u| json!({ "setting": u.setting, "kind": u.kind.to_string(), "key": u.key })).collect::<Vec<_>>(),
    });
    output.print(&value, || {
        let rows: Vec<_> = shown
            .iter()
            .map(|s| {
                let value = match (s.name, &s.value) {
                    (TIERS, Value::Array(tiers)) => format!("{} tiers, see below", tiers.len()),
                    (_, value) => text(value),
                };
                // Last, because nothing is aligned behind it: an address may be long.
                vec![s.name.to_owned(), s.origin.to_string(), value]
            })
            .collect();
        let mut out = table(&["SETTING", "ORIGIN", "VALUE"], &rows);
        out.push_str(&format!("\n{TIERS}\n{}", tier_table(&tiers)));
        for name in &effective.ignored_variables {
            out.push_str(&format!("\n{name} is set but names no setting"));
        }
        for UnknownPlugin { setting, kind, key } in &unknown {
            out.push_str(&format!(
                "\n{setting} names the {kind} {key}, which no catalog directory has, and permits nothing"
            ));
        }
        out
    })
}

/// A plug-in that the configuration permits something and that is in no catalog directory.
struct UnknownPlugin<'c> {
    setting: &'static str,
    kind: PluginKind,
    key: &'c str,
}

/// Danger: a permission under a mistyped name permits nothing, which otherwise shows only when a job fails for want
/// of it. As long as no catalog directory exists, nothing can be said.
fn unknown_plugins(effective: &Effective) -> Vec<UnknownPlugin<'_>> {
    let configuration = &effective.configuration;
    let dirs = configuration.catalog_dirs.iter().flatten();
    let dirs: Vec<_> = dirs.filter(|dir| dir.is_dir()).collect();
    let is_there = |kind: PluginKind, key: &str| {
        let package = Path::new(kind.key()).join(key);
        dirs.iter().any(|dir| dir.join(&package).is_dir())
    };
    let permitted = configuration.egress.plugins();
    permitted
        .filter(|(_, kind, key)| !dirs.is_empty() && !is_there(*kind, key))
        .map(|(setting, kind, key)| UnknownPlugin { setting, kind, key })
        .collect()
}

/// What `serve` would refuse, although each value has the right type.
fn check_values(configuration: &Configuration) -> Result<(), Failure> {
    if let Some(url) = &configuration.database_url {
        DatabaseKind::of_url(url)
            .map_err(|fault| Failure::new(format!("configuration: database_url: {fault}")))?;
    }
    // With port 0 the system gives each of them one of its own.
    let is_same = configuration.metrics_listen == Some(configuration.listen);
    if is_same && configuration.listen.port() != 0 {
        return Err(Failure::new(format!(
            "configuration: metrics_listen is {}, where the API listens: give it a port of its own",
            configuration.listen
        )));
    }
    if let Some(folder) = &configuration.document_fonts_dir {
        document_fonts::read(folder)?;
    }
    Ok(())
}

/// The tiers with the rate limit that applies in each.
fn tier_table(tiers: &TierTable) -> String {
    let cells = |tier: &UsageTier| {
        vec![
            tier.key.clone(),
            tier.name.clone(),
            tier.rate_limit_per_minute.to_string(),
            tier.monthly_cost_cap.to_string(),
            tier.from_paid.to_string(),
            tier.from_age_days.to_string(),
        ]
    };
    table(
        &[
            "KEY",
            "NAME",
            "REQUESTS IN 60 S",
            "MONTHLY COST CAP",
            "FROM PAID",
            "FROM AGE IN DAYS",
        ],
        &tiers.tiers().iter().map(cells).collect::<Vec<_>>(),
    )
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
