//! `gtm connector …`: the catalog of connectors as the API shows it, and what else an operator wants to
//! know before giving one a key.

use clap::Subcommand;
use gtm_runtime::ConnectorEntry;
use serde_json::json;

use super::connector_view;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, table};

/// Commands on the connectors of the catalog.
#[derive(Debug, Subcommand)]
pub enum Connector {
    /// List all connectors: whether they run, and how their credentials are checked
    ///
    /// Availability: catalog_only (listed, nothing runs), preview, available, deprecated, retired or
    /// blocked. Verification: live_probe (the provider is asked), format (only the form is checked) or unavailable.
    #[command(after_help = "Example:\n  gtm connector list")]
    List,
    /// Show a connector: credentials, settings, the hosts it reaches, and what is known of the provider
    #[command(after_help = "Example:\n  gtm connector show openai-compatible")]
    Show {
        /// The connector's key
        #[arg(value_name = "CONNECTOR")]
        key: String,
    },
}

/// Runs a command.
///
/// # Errors
/// If the runtime does not start, or there is no such connector.
pub async fn run(
    command: Connector,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let runtime = installation.start_runtime().await?;
    let now = installation.clock.now();
    match command {
        Connector::List => {
            let catalog = runtime.catalog().connector_catalog(now);
            output.print(&json!(catalog), || {
                table(
                    &[
                        "KEY",
                        "NAME",
                        "VERSION",
                        "CATEGORY",
                        "AVAILABILITY",
                        "VERIFICATION",
                        "CAPABILITIES",
                    ],
                    &catalog.connectors.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
        Connector::Show { key } => {
            let connector = runtime
                .catalog()
                .connector(&key, None)
                .ok_or_else(|| Failure::absent("connector", &key))?;
            output.print(&connector_view::json(&connector, now), || {
                connector_view::text(&connector, now)
            })
        }
    }
}

fn cells(entry: &ConnectorEntry) -> Vec<String> {
    vec![
        entry.key.clone(),
        entry.name.clone(),
        entry.manifest_version.clone(),
        entry.category.clone(),
        entry.availability.as_str().to_owned(),
        entry.verification_mode.as_str().to_owned(),
        entry.capabilities.join(","),
    ]
}
