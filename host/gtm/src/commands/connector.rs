//! `gtm connector …`: the catalog of connectors as the API shows it, and what an operator wants to know
//! beyond it before giving one a key.

use clap::Subcommand;
use gtm_runtime::ConnectorEntry;
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Commands on the connectors of the catalog.
#[derive(Debug, Subcommand)]
pub enum Connector {
    /// List all, with whether they run and how their credentials are checked
    List,
    /// Show one: its fields and settings, the hosts it reaches, and where that is known from
    Show {
        /// Its key
        key: String,
    },
}

/// Run one.
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
            let (entry, manifest) = (connector.entry(now), connector.manifest);
            let value = json!({
                "connector": entry,
                "hosts": manifest.egress.iter().map(|rule| &rule.host).collect::<Vec<_>>(),
                "settings_schema": manifest.settings_schema,
                "facts": manifest.facts,
            });
            output.print(&value, || {
                let credentials: Vec<&str> = (entry.credential_fields.iter())
                    .map(|field| field.key.as_str())
                    .collect();
                let hosts: Vec<&str> = (manifest.egress.iter())
                    .map(|rule| rule.host.as_str())
                    .collect();
                format!(
                    "{}\n\nknown facts\n{}",
                    fields(&[
                        ("key", entry.key.clone()),
                        ("name", entry.name.clone()),
                        ("version", entry.manifest_version.clone()),
                        ("availability", entry.availability.as_str().to_owned()),
                        ("verification", entry.verification_mode.as_str().to_owned()),
                        ("capabilities", entry.capabilities.join(", ")),
                        ("credentials", credentials.join(", ")),
                        ("hosts", hosts.join(", ")),
                        ("documentation", or_dash(entry.docs_url.as_ref())),
                        ("keys", or_dash(entry.key_acquisition_url.as_ref())),
                    ]),
                    table(
                        &["CLAIM", "SOURCE", "CHECKED"],
                        &(manifest.facts.iter())
                            .map(|fact| {
                                vec![
                                    fact.claim.clone(),
                                    fact.source.clone(),
                                    fact.checked_on.clone(),
                                ]
                            })
                            .collect::<Vec<_>>()
                    )
                )
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
