//! `gtm connection …`.

use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Subcommand;
use gtm_domain::connection::{Connection, ConnectionStatus};
use gtm_domain::{ConnectionId, ProjectId};
use gtm_runtime::{Catalog, Manifest, Plugin, PluginKind};
use gtm_store::{ConnectionChange, NewConnection};
use secrecy::SecretString;

use super::connection_verification::{self, Verify};
use super::connection_view;
use super::name::parse_name;
use super::owner::{require_connection, require_project};
use super::plugin_settings::{self, SettingOptions};
use crate::credential_input::{Sources, require_all};
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::Output;

#[derive(Debug, Subcommand)]
pub enum ConnectionCommand {
    /// Create a connection; credentials come from standard input or the environment, never an argument
    ///
    /// `gtm connector show` names the fields and settings of a connector.
    #[command(after_help = r#"Example:
  gtm connection create --project PRJ --provider openai-compatible \
    --credential-env api_key=OPENAI_API_KEY --settings-json '{
      "base_url": "https://api.example.com/v1", "model": "NAME",
      "prices": {"input_per_million_usd": 2, "output_per_million_usd": 8}}'"#)]
    Create {
        /// Project that owns the connection
        #[arg(long, value_name = "PRJ")]
        project: ProjectId,
        /// Key of the connector, as `gtm connector list` shows it
        #[arg(long, value_name = "CONNECTOR")]
        provider: String,
        /// Display name, different from those of the project's other connections; by default the connector's key, with a
        /// number if that is taken
        #[arg(long, value_parser = parse_name)]
        name: Option<String>,
        #[command(flatten)]
        settings: SettingOptions,
        #[command(flatten)]
        credentials: Sources,
    },
    /// Change a connection; what you do not give stays as it is
    ///
    /// Settings are replaced as a whole. The connection stays at the version of its connector unless
    /// --newest-version or --version moves it; `gtm plugin diff` says what that would change.
    #[command(after_help = "Examples:
  gtm connection update CONN --credential-stdin api_key < key.txt
  gtm connection update CONN --newest-version")]
    Update {
        /// The connection's id
        #[arg(value_name = "CONN")]
        id: ConnectionId,
        /// New display name, different from those of the project's other connections
        #[arg(long, value_parser = parse_name)]
        name: Option<String>,
        #[command(flatten)]
        settings: SettingOptions,
        #[command(flatten)]
        credentials: Sources,
        /// Remove this credential; may be repeated
        #[arg(long = "remove-credential", value_name = "FIELD")]
        remove_credentials: Vec<String>,
        /// Move to the newest version of the connector
        #[arg(long, conflicts_with = "version")]
        newest_version: bool,
        /// Move to this version of the connector
        #[arg(long)]
        version: Option<String>,
    },
    /// List all connections, or those of one project, oldest first
    #[command(after_help = "Example:\n  gtm connection list --project PRJ")]
    List {
        /// Show only connections of this project
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
    },
    /// Show a connection, without its secrets
    #[command(after_help = "Example:\n  gtm connection show CONN")]
    Show {
        /// The connection's id
        #[arg(value_name = "CONN")]
        id: ConnectionId,
    },
    /// Check a connection's credentials; exit code 0 only if they are verified
    ///
    /// Asks the provider if the connector has a request for that; otherwise only the form is checked.
    /// The status is verified, failed, pending (nothing was decided) or unavailable (nothing checks it).
    #[command(after_help = "Example:\n  gtm connection verify CONN")]
    Verify(Verify),
    /// Disable a connection: jobs that need it fail until it is enabled again
    #[command(after_help = "Example:\n  gtm connection disable CONN")]
    Disable {
        /// The connection's id
        #[arg(value_name = "CONN")]
        id: ConnectionId,
    },
    /// Enable a disabled connection
    #[command(after_help = "Example:\n  gtm connection enable CONN")]
    Enable {
        /// The connection's id
        #[arg(value_name = "CONN")]
        id: ConnectionId,
    },
}

/// Runs a command.
///
/// # Errors
/// If connector, fields or settings are invalid, or the store refuses.
pub async fn run(
    command: ConnectionCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    if let ConnectionCommand::Verify(command) = &command {
        return connection_verification::run(command, installation, output).await;
    }
    // Checked before the plug-ins are loaded, which may compile for minutes.
    match &command {
        ConnectionCommand::List { project } => require_project(&operator, *project).await?,
        ConnectionCommand::Create { project, .. } => {
            require_project(&operator, Some(*project)).await?;
        }
        ConnectionCommand::Update { id, .. } => {
            require_change(&command)?;
            require_connection(&operator, *id).await?;
        }
        ConnectionCommand::Show { id }
        | ConnectionCommand::Disable { id }
        | ConnectionCommand::Enable { id } => require_connection(&operator, *id).await?,
        ConnectionCommand::Verify(_) => {}
    }
    let runtime = match &command {
        ConnectionCommand::Create { .. } | ConnectionCommand::Update { .. } => {
            installation.start_recording_runtime().await?
        }
        _ => installation.start_runtime().await?,
    };
    let (catalog, now) = (runtime.catalog(), installation.clock.now());
    let sets_up = matches!(
        &command,
        ConnectionCommand::Create { .. } | ConnectionCommand::Update { .. }
    );
    let id = match command {
        ConnectionCommand::List { project } => {
            let rows = connection_view::all(&operator, project, catalog, now).await?;
            return connection_view::print_all(&rows, output);
        }
        ConnectionCommand::Create {
            project,
            provider,
            name,
            settings,
            credentials,
        } => {
            let manifest = listed(catalog, &provider, None)?;
            let settings = settings.read(manifest)?;
            let credentials = credentials.read(manifest)?;
            require_all(manifest, &credentials)?;
            let others = operator.list_connections(Some(project)).await?;
            let name = match name {
                Some(name) => require_free(name, others.iter())?,
                None => numbered(&provider, &others),
            };
            let new = NewConnection {
                provider_key: provider,
                manifest_version: manifest.manifest_version.to_string(),
                name,
                settings,
                credentials,
            };
            operator.create_connection(project, new).await?.id
        }
        ConnectionCommand::Update {
            id,
            name,
            settings,
            credentials,
            remove_credentials,
            newest_version,
            version,
        } => {
            let row = operator
                .show_connection(id)
                .await?
                .ok_or_else(|| Failure::absent("connection", id))?;
            let others = operator.list_connections(Some(row.project)).await?;
            let others = others.iter().filter(|other| other.id != id);
            let name = name.map(|name| require_free(name, others)).transpose()?;
            let moves = newest_version || version.is_some();
            let stands_at = Some(row.manifest_version.as_str());
            let manifest = if newest_version {
                listed(catalog, &row.provider_key, None)
            } else {
                listed(catalog, &row.provider_key, version.as_deref().or(stands_at))
            };
            // Changing the name or removing a credential needs no manifest, so the version may be gone.
            let needed = moves || settings.is_given() || credentials.is_given();
            let manifest = match manifest {
                Err(failure) if needed => return Err(failure),
                found => found.ok(),
            };
            let (settings, credentials) = match manifest {
                Some(manifest) => {
                    let settings = if settings.is_given() {
                        Some(settings.read(manifest)?)
                    } else {
                        if moves {
                            // Another version may have a different settings schema.
                            plugin_settings::check(manifest, &row.settings)?;
                        }
                        None
                    };
                    (settings, credentials.read(manifest)?)
                }
                None => (None, BTreeMap::new()),
            };
            for name in &remove_credentials {
                removable(name, manifest, &row, &credentials)?;
            }
            let change = ConnectionChange {
                name,
                manifest_version: manifest
                    .filter(|_| moves)
                    .map(|manifest| manifest.manifest_version.to_string()),
                settings,
                credentials,
                remove_credentials,
                status: None,
            };
            operator.update_connection(id, change).await?.id
        }
        ConnectionCommand::Disable { id } => operator.disable_connection(id).await?.id,
        ConnectionCommand::Enable { id } => {
            let change = ConnectionChange {
                status: Some(ConnectionStatus::Configured),
                ..ConnectionChange::default()
            };
            operator.update_connection(id, change).await?.id
        }
        ConnectionCommand::Show { id } => id,
        ConnectionCommand::Verify(command) => command.id,
    };
    let shown = connection_view::one(&operator, id, catalog, now).await?;
    shown.print(output)?;
    if sets_up {
        shown.warn_of_missing_price();
    }
    Ok(())
}

/// The name, if no other connection of the project has it. Danger: whoever reads a list, or is told a name, takes one of
/// two for the other, and changes its credentials.
fn require_free<'c>(
    name: String,
    mut others: impl Iterator<Item = &'c Connection>,
) -> Result<String, Failure> {
    match others.find(|other| is_same_name(&other.name, &name)) {
        None => Ok(name),
        Some(other) => Err(Failure::new(format!(
            "connection {} of this project is already called {}",
            other.id, other.name
        ))
        .hint(format!(
            "choose another --name, or change that one: `gtm connection update {}`",
            other.id
        ))),
    }
}

/// A name after the connector, for whoever gives none.
fn numbered(provider: &str, others: &[Connection]) -> String {
    let is_taken = |name: &str| others.iter().any(|other| is_same_name(&other.name, name));
    let more = (2_u32..).map(|number| format!("{provider} {number}"));
    let mut names = std::iter::once(provider.to_owned()).chain(more);
    // There are more numbers than connections.
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

fn is_same_name(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Fails if an update would change nothing.
fn require_change(command: &ConnectionCommand) -> Result<(), Failure> {
    match command {
        ConnectionCommand::Update {
            id,
            name: None,
            settings,
            credentials,
            remove_credentials,
            newest_version: false,
            version: None,
        } if !settings.is_given() && !credentials.is_given() && remove_credentials.is_empty() => {
            Err(Failure::new(format!(
                "nothing to change: no option says what to change about {id}"
            ))
            .hint(
                "give --name, --setting, --settings-json, --credential-stdin, --credential-env, \
                 --credentials-from-environment, --remove-credential, --newest-version or --version",
            ))
        }
        _ => Ok(()),
    }
}

/// The manifest of the connector with this key, whether it runs or is only listed: the named version, else
/// the one that new connections use.
fn listed<'c>(
    catalog: &'c Catalog,
    key: &str,
    version: Option<&str>,
) -> Result<&'c Manifest, Failure> {
    let connector = catalog.connector(key, version).ok_or_else(|| {
        let named = version.map_or_else(String::new, |version| format!(" {version}"));
        let there = version.is_some() && catalog.connector(key, None).is_some();
        Failure::new(format!("the catalog has no connector {key}{named}")).hint(if there {
            "`gtm plugin list` shows all packages, including pending and refused ones; \
             `gtm connection update CONN --newest-version` moves a connection to what connections are made for"
        } else {
            "`gtm connector list` shows all connectors, `gtm plugin list` the refused packages and why"
        })
    })?;
    Ok(connector.manifest)
}

/// The connector version that a connection uses, if it runs.
pub fn running(catalog: &Catalog, row: &Connection) -> Result<Arc<Plugin>, Failure> {
    let (key, version) = (&row.provider_key, &row.manifest_version);
    if let Some(plugin) = catalog.find(PluginKind::Connector, key, Some(version)) {
        return Ok(plugin);
    }
    Err(match catalog.connector(key, Some(version)) {
        Some(_) => Failure::new(format!(
            "the connector {key} {version} does not run here, so it serves nothing"
        ))
        .hint(format!(
            "`gtm connector show {key}` says whether it is only listed or blocked"
        )),
        None => {
            Failure::new(format!("the catalog has no connector {key} {version}")).hint(format!(
                "`gtm plugin list` shows what is loaded, pending or refused, and why; \
             `gtm connection update {} --newest-version` moves the connection",
                row.id
            ))
        }
    })
}

/// A credential can be removed only if it is one of the connector's or is left over from an earlier
/// version.
fn removable(
    name: &str,
    manifest: Option<&Manifest>,
    row: &Connection,
    given: &BTreeMap<String, SecretString>,
) -> Result<(), Failure> {
    if given.contains_key(name) {
        return Err(Failure::new(format!(
            "credential {name} is both given and removed"
        )));
    }
    let fields = manifest.map_or(&[][..], |manifest| &manifest.credential_fields);
    let known =
        fields.iter().any(|f| f.key == name) || row.configured_fields.iter().any(|f| f == name);
    if known {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{} has no credential field {name}",
        row.provider_key
    )))
}
