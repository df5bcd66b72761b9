//! `gtm binding …`.

use clap::{ArgGroup, Args, Subcommand};
use gtm_domain::capability::ProductCapability;
use gtm_domain::{BindingId, ConnectionId, OrganizationId, ProjectId};
use gtm_runtime::{Catalog, PluginKind};
use gtm_store::{BindingRow, BindingScope, BindingTarget};
use serde_json::{Value, json};

use super::connection::connector;
use super::plugin_settings::SettingOptions;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, table};

/// Commands on bindings.
#[derive(Debug, Subcommand)]
pub enum Binding {
    /// Bind a capability, replacing what the same scope had bound to it
    ///
    /// A project's binding goes before its organization's, and that before the platform's.
    #[command(after_help = "Examples:
  gtm binding create --project PRJ --capability web.fetch --connection CONN
  gtm binding create --platform --capability playbooks --backend playbook")]
    Create(Create),
    /// List all bindings, by scope and capability
    #[command(after_help = "Example:\n  gtm binding list")]
    List,
    /// Show a binding
    #[command(after_help = "Example:\n  gtm binding show BND")]
    Show {
        /// The binding's id
        #[arg(value_name = "BND")]
        id: BindingId,
    },
    /// Remove a binding: the next wider scope's holds from then on
    #[command(after_help = "Example:\n  gtm binding remove BND")]
    Remove {
        /// The binding's id
        #[arg(value_name = "BND")]
        id: BindingId,
    },
}

/// What to bind where.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("where").required(true).args(["platform", "org", "project"]))]
#[command(group = ArgGroup::new("what").required(true).args(["backend", "connection"]))]
pub struct Create {
    /// Everywhere
    #[arg(long)]
    platform: bool,
    /// In this organization
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// In this project
    #[arg(long, value_name = "PRJ")]
    project: Option<ProjectId>,
    /// Product capability such as playbooks, or provider capability such as web.fetch
    #[arg(long)]
    capability: String,
    /// Key of the generation backend that serves it
    #[arg(long, value_name = "KEY")]
    backend: Option<String>,
    /// Exact version of the backend; the newest if absent
    #[arg(long, value_name = "VERSION", requires = "backend")]
    backend_version: Option<String>,
    /// Connection that serves it
    #[arg(long, value_name = "CONN")]
    connection: Option<ConnectionId>,
    /// Settings.
    #[command(flatten)]
    settings: SettingOptions,
}

impl Create {
    fn scope(&self) -> BindingScope {
        match (self.org, self.project) {
            (Some(organization), _) => BindingScope::Organization(organization),
            (None, Some(project)) => BindingScope::Project(project),
            (None, None) => BindingScope::Platform,
        }
    }
}

/// Run one.
///
/// # Errors
/// If backend, connection or settings do not fit, or the store refuses.
pub async fn run(
    command: Binding,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        Binding::Create(create) => {
            let runtime = installation.start_runtime().await?;
            let (target, settings) = resolve(&create, installation, runtime.catalog()).await?;
            print(
                &operator
                    .set_binding(create.scope(), &create.capability, target, settings)
                    .await?,
                output,
            )
        }
        Binding::Show { id } => print(
            &operator
                .show_binding(id)
                .await?
                .ok_or_else(|| Failure::absent("binding", id))?,
            output,
        ),
        Binding::Remove { id } => match operator.remove_binding(id).await? {
            true => output.print(&json!({ "id": id, "removed": true }), || {
                format!("{id} is removed")
            }),
            false => Err(Failure::absent("binding", id)),
        },
        Binding::List => {
            let rows = operator.list_bindings().await?;
            output.print(
                &json!({ "bindings": rows.iter().map(as_json).collect::<Vec<_>>() }),
                || {
                    let cells = |r: &BindingRow| {
                        vec![
                            r.id.to_string(),
                            scope_text(r.scope),
                            r.capability.clone(),
                            target_text(&r.target),
                            r.settings.to_string(),
                        ]
                    };
                    table(
                        &["ID", "SCOPE", "CAPABILITY", "SERVED BY", "SETTINGS"],
                        &rows.iter().map(cells).collect::<Vec<_>>(),
                    )
                },
            )
        }
    }
}

/// The target and its settings, checked against the catalog.
async fn resolve(
    create: &Create,
    installation: &Installation,
    catalog: &Catalog,
) -> Result<(BindingTarget, Value), Failure> {
    if let Some(key) = &create.backend {
        let plugin = catalog
            .find(
                PluginKind::GenerationBackend,
                key,
                create.backend_version.as_deref(),
            )
            .ok_or_else(|| {
                Failure::new(format!(
                    "the catalog has no generation backend {key}{}",
                    version_text(create.backend_version.as_deref())
                ))
                .hint("`gtm plugin list` shows what is loaded, and what was refused and why")
            })?;
        serves(key, &plugin.manifest.capabilities, &create.capability)?;
        let settings = create.settings.read(&plugin.manifest)?;
        return Ok((
            BindingTarget::Backend {
                key: key.clone(),
                version: create.backend_version.clone(),
            },
            settings,
        ));
    }
    let id = create
        .connection
        .ok_or_else(|| Failure::new("give --backend or --connection"))?;
    if ProductCapability::from_key(&create.capability).is_some() {
        return Err(Failure::new(format!(
            "{} is served by a backend, not by a connection",
            create.capability
        )));
    }
    if !create.settings.settings.is_empty() || create.settings.settings_json.is_some() {
        return Err(Failure::new("a connection has its own settings")
            .hint("`gtm connection update` changes them"));
    }
    let row = installation
        .operator()
        .show_connection(id)
        .await?
        .ok_or_else(|| Failure::absent("connection", id))?;
    let manifest = connector(catalog, &row.provider_key)?;
    serves(
        &row.provider_key,
        &manifest.capabilities,
        &create.capability,
    )?;
    Ok((BindingTarget::Connection { connection: id }, json!({})))
}

fn serves(key: &str, served: &[String], capability: &str) -> Result<(), Failure> {
    if served.iter().any(|c| c == capability) {
        return Ok(());
    }
    Err(Failure::new(format!("{key} does not serve {capability}"))
        .hint(format!("it serves {}", served.join(", "))))
}

fn version_text(version: Option<&str>) -> String {
    version.map_or_else(String::new, |version| format!(" {version}"))
}

fn scope_text(scope: BindingScope) -> String {
    match scope {
        BindingScope::Platform => "platform".to_owned(),
        BindingScope::Organization(id) => id.to_string(),
        BindingScope::Project(id) => id.to_string(),
    }
}

fn target_text(target: &BindingTarget) -> String {
    match target {
        BindingTarget::Backend { key, version } => {
            format!("{key}{}", version_text(version.as_deref()))
        }
        BindingTarget::Connection { connection } => connection.to_string(),
    }
}

/// With the names that limits and jobs have as well.
fn as_json(row: &BindingRow) -> Value {
    let (scope, scope_id) = match row.scope {
        BindingScope::Platform => ("platform", None),
        BindingScope::Organization(id) => ("organization", Some(id.to_string())),
        BindingScope::Project(id) => ("project", Some(id.to_string())),
    };
    let target = match &row.target {
        BindingTarget::Backend { key, version } => {
            json!({ "kind": "backend", "key": key, "version": version })
        }
        BindingTarget::Connection { connection } => {
            json!({ "kind": "connection", "connection_id": connection })
        }
    };
    json!({
        "id": row.id,
        "scope": scope,
        "scope_id": scope_id,
        "capability": row.capability,
        "target": target,
        "settings": row.settings,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    })
}

fn print(row: &BindingRow, output: Output) -> Result<(), Failure> {
    output.print(&as_json(row), || {
        fields(&[
            ("id", row.id.to_string()),
            ("scope", scope_text(row.scope)),
            ("capability", row.capability.clone()),
            ("served by", target_text(&row.target)),
            ("settings", row.settings.to_string()),
        ])
    })
}
