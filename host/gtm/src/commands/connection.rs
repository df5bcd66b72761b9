//! `gtm connection …`.

use clap::Subcommand;
use gtm_domain::{ConnectionId, ProjectId};
use gtm_runtime::{Catalog, Manifest, PluginKind};
use gtm_store::{ConnectionChange, ConnectionRow, ConnectionStatus, NewConnection};
use serde_json::{Value, json};

use super::connection_verification::{self, Verify};
use super::parse_name;
use super::plugin_settings::SettingOptions;
use crate::credential_input::{Sources, require_all};
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, table};

/// Commands on connections.
#[derive(Debug, Subcommand)]
pub enum Connection {
    /// Make one; credentials come from standard input or the environment, never from an argument
    Create {
        /// Project that owns it
        #[arg(long, value_name = "PRJ")]
        project: ProjectId,
        /// Key of the connector
        #[arg(long, value_name = "KEY")]
        provider: String,
        /// Name for people; the connector's key if absent
        #[arg(long, value_parser = parse_name)]
        name: Option<String>,
        /// Settings.
        #[command(flatten)]
        settings: SettingOptions,
        /// Credentials.
        #[command(flatten)]
        credentials: Sources,
    },
    /// Change one; what is not given stays, settings are replaced as a whole
    Update {
        /// Its id
        id: ConnectionId,
        /// New name
        #[arg(long, value_parser = parse_name)]
        name: Option<String>,
        /// Settings.
        #[command(flatten)]
        settings: SettingOptions,
        /// Credentials.
        #[command(flatten)]
        credentials: Sources,
        /// Remove this credential; may be repeated
        #[arg(long = "remove-credential", value_name = "FIELD")]
        remove_credentials: Vec<String>,
    },
    /// List all, or those of one project
    List {
        /// Only this project's
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
    },
    /// Show one, without its secrets
    Show {
        /// Its id
        id: ConnectionId,
    },
    /// Ask the provider whether it takes one's credentials; exit code 0 only if it does
    Verify(Verify),
    /// Disable one: bindings to it stop to resolve
    Disable {
        /// Its id
        id: ConnectionId,
    },
    /// Enable a disabled one
    Enable {
        /// Its id
        id: ConnectionId,
    },
}

/// Run one.
///
/// # Errors
/// If connector, fields or settings do not fit, or the store refuses.
pub async fn run(
    command: Connection,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        Connection::Create {
            project,
            provider,
            name,
            settings,
            credentials,
        } => {
            let runtime = installation.start_runtime().await?;
            let manifest = connector(runtime.catalog(), &provider)?;
            let settings = settings.read(&manifest)?;
            let credentials = credentials.read(&manifest)?;
            require_all(&manifest, &credentials)?;
            let new = NewConnection {
                provider_key: provider.clone(),
                manifest_version: manifest.manifest_version.to_string(),
                name: name.unwrap_or(provider),
                settings,
                credentials,
            };
            print(&operator.create_connection(project, new).await?, output)
        }
        Connection::Update {
            id,
            name,
            settings,
            credentials,
            remove_credentials,
        } => {
            let row = operator
                .show_connection(id)
                .await?
                .ok_or_else(|| Failure::absent("connection", id))?;
            let runtime = installation.start_runtime().await?;
            let manifest = connector(runtime.catalog(), &row.provider_key)?;
            let given = !settings.settings.is_empty() || settings.settings_json.is_some();
            let change = ConnectionChange {
                name,
                manifest_version: Some(manifest.manifest_version.to_string()),
                settings: if given {
                    Some(settings.read(&manifest)?)
                } else {
                    None
                },
                credentials: credentials.read(&manifest)?,
                remove_credentials,
                status: None,
            };
            print(&operator.update_connection(id, change).await?, output)
        }
        Connection::Show { id } => print(
            &operator
                .show_connection(id)
                .await?
                .ok_or_else(|| Failure::absent("connection", id))?,
            output,
        ),
        Connection::Verify(command) => {
            connection_verification::run(&command, installation, output).await
        }
        Connection::Disable { id } => print(&operator.disable_connection(id).await?, output),
        Connection::Enable { id } => {
            let change = ConnectionChange {
                status: Some(ConnectionStatus::Configured),
                ..ConnectionChange::default()
            };
            print(&operator.update_connection(id, change).await?, output)
        }
        Connection::List { project } => {
            let rows = operator.list_connections(project).await?;
            output.print(&json!({ "connections": rows }), || {
                let cells = |r: &ConnectionRow| {
                    vec![
                        r.id.to_string(),
                        r.project.to_string(),
                        r.provider_key.clone(),
                        r.name.clone(),
                        r.status.as_str().to_owned(),
                        r.configured_fields.join(","),
                    ]
                };
                table(
                    &["ID", "PROJECT", "PROVIDER", "NAME", "STATUS", "CREDENTIALS"],
                    &rows.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
    }
}

/// The manifest of the newest connector with this key.
pub fn connector(catalog: &Catalog, key: &str) -> Result<Manifest, Failure> {
    let plugin = catalog
        .find(PluginKind::Connector, key, None)
        .ok_or_else(|| {
            Failure::new(format!("the catalog has no connector {key}"))
                .hint("`gtm plugin list` shows what is loaded, and what was refused and why")
        })?;
    Ok(plugin.manifest.clone())
}

fn print(row: &ConnectionRow, output: Output) -> Result<(), Failure> {
    let value = serde_json::to_value(row).unwrap_or(Value::Null);
    output.print(&value, || {
        fields(&[
            ("id", row.id.to_string()),
            ("project", row.project.to_string()),
            (
                "provider",
                format!("{} {}", row.provider_key, row.manifest_version),
            ),
            ("name", row.name.clone()),
            ("status", row.status.as_str().to_owned()),
            ("settings", row.settings.to_string()),
            (
                "credentials",
                format!(
                    "{} (version {})",
                    row.configured_fields.join(", "),
                    row.credentials_version
                ),
            ),
        ])
    })
}
