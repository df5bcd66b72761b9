//! `gtm config …`.

use clap::Subcommand;
use serde_json::{Value, json};

use crate::configuration::Effective;
use crate::failure::Failure;
use crate::logging;
use crate::output::{Output, table};

/// Commands on the configuration.
#[derive(Debug, Subcommand)]
pub enum Config {
    /// Check it and print every value with where it comes from
    Check,
}

/// Run one.
///
/// # Errors
/// If a value has the right type and yet cannot be used, or nothing can be printed. What has a wrong
/// type did not get here.
pub fn run(command: &Config, effective: &Effective, output: Output) -> Result<(), Failure> {
    let Config::Check = command;
    logging::filter(&effective.configuration.log)?;
    effective.check_paths()?;
    let shown = effective.shown();
    let value = json!({
        "settings": shown.iter().map(|s| json!({ "name": s.name, "value": s.value, "origin": s.origin.to_string() })).collect::<Vec<_>>(),
        "ignored_variables": effective.ignored_variables,
    });
    output.print(&value, || {
        let rows: Vec<_> = shown
            .iter()
            .map(|s| vec![s.name.to_owned(), text(&s.value), s.origin.to_string()])
            .collect();
        let mut out = table(&["SETTING", "VALUE", "ORIGIN"], &rows);
        for name in &effective.ignored_variables {
            out.push_str(&format!("\n{name} is set but names no setting"));
        }
        out
    })
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
