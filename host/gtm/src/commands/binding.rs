//! `gtm binding …`.

use clap::{ArgGroup, Args, Subcommand};
use gtm_domain::capability::ProductCapability;
use gtm_domain::start_url::StartUrl;
use gtm_domain::{BindingId, ConnectionId, MicroUsd, OrganizationId, ProjectId};
use gtm_runtime::{Catalog, PluginKind};
use gtm_store::{BindingRow, BindingScope, BindingTarget, StartUrlChange};
use serde_json::{Value, json};

use super::binding_start_url::{self, BindingStartUrl, parse_pair};
use super::connection::running;
use super::missing_price::{MissingPrice, missing_settings};
use super::plugin_settings::SettingOptions;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Commands on bindings.
#[derive(Debug, Subcommand)]
pub enum Binding {
    /// Bind a capability, replacing what the same scope had bound to it
    ///
    /// A project's binding goes before its organization's, and that before the platform's. A backend's
    /// version is stored: the binding stays at it, also when it is made anew with other settings, until
    /// --newest-version or --backend-version moves it. Start URLs that the replaced binding has stay.
    #[command(after_help = "Examples:
  gtm binding create --project PRJ --capability web.fetch --connection CONN
  gtm binding create --platform --capability playbooks --backend playbook
  gtm binding create --platform --capability playbooks --backend playbook --newest-version
  gtm binding create --platform --capability playbooks --backend playbook --expected-cost-usd 0.10")]
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
    /// Where research of a domain begins, for sites that are not at https://DOMAIN/
    #[command(subcommand)]
    StartUrl(BindingStartUrl),
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
    /// Exact version of the backend; if absent, the one that the binding stands at, else the newest
    #[arg(long, value_name = "VERSION", requires = "backend")]
    backend_version: Option<String>,
    /// Move to the newest version of the backend
    #[arg(long, requires = "backend", conflicts_with = "backend_version")]
    newest_version: bool,
    /// What a job of it is expected to cost, in dollars with at most six decimals: reserved for each
    /// job at its creation. If absent, it is learned from the jobs that succeeded, beginning at
    /// engine.job_cost_estimate_usd. Never more than engine.job_cost_cap_usd
    #[arg(
        long,
        value_name = "USD",
        requires = "backend",
        allow_negative_numbers = true
    )]
    expected_cost_usd: Option<MicroUsd>,
    /// Connection that serves it
    #[arg(long, value_name = "CONN")]
    connection: Option<ConnectionId>,
    /// Where research of a domain begins, if not at https://DOMAIN/; may be repeated
    #[arg(long = "start-url", value_name = "DOMAIN=URL", requires = "backend", value_parser = parse_pair)]
    start_urls: Vec<StartUrl>,
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
            let runtime = installation.start_recording_runtime().await?;
            let Resolved {
                target,
                settings,
                missing_price,
            } = resolve(&create, installation, runtime.catalog()).await?;
            let row = operator
                .set_binding_expecting(
                    create.scope(),
                    &create.capability,
                    target,
                    settings,
                    create.expected_cost_usd,
                )
                .await?;
            let added = StartUrlChange::Add(create.start_urls);
            let held = match &added {
                StartUrlChange::Add(urls) if urls.is_empty() => {
                    operator.binding_start_urls(row.id).await?
                }
                _ => operator.change_start_urls(row.id, added).await?,
            };
            let mut value = as_json(&row, held.len());
            value["missing_settings"] = missing_settings(missing_price.as_ref());
            print(&row, &value, held.len(), output)?;
            if let Some(missing) = missing_price {
                missing.warn();
            }
            Ok(())
        }
        Binding::StartUrl(command) => binding_start_url::run(command, installation, output).await,
        Binding::Show { id } => {
            let row = operator.show_binding(id).await?;
            let row = row.ok_or_else(|| Failure::absent("binding", id))?;
            let held = operator.binding_start_urls(id).await?;
            print(&row, &as_json(&row, held.len()), held.len(), output)
        }
        Binding::Remove { id } => match operator.remove_binding(id).await? {
            true => output.print(&json!({ "id": id, "removed": true }), || {
                format!("{id} is removed")
            }),
            false => Err(Failure::absent("binding", id)),
        },
        Binding::List => {
            let rows = operator.list_bindings().await?;
            let counts = operator.start_url_counts().await?;
            let held = |row: &BindingRow| counts.get(&row.id).copied().unwrap_or(0);
            let as_json = |row: &BindingRow| as_json(row, held(row));
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
                            held(r).to_string(),
                        ]
                    };
                    table(
                        &[
                            "ID",
                            "SCOPE",
                            "CAPABILITY",
                            "SERVED BY",
                            "SETTINGS",
                            "START URLS",
                        ],
                        &rows.iter().map(cells).collect::<Vec<_>>(),
                    )
                },
            )
        }
    }
}

/// What a binding is made of, checked against the catalog.
struct Resolved {
    target: BindingTarget,
    settings: Value,
    /// What the connection lacks for calls of the capability.
    missing_price: Option<MissingPrice>,
}

async fn resolve(
    create: &Create,
    installation: &Installation,
    catalog: &Catalog,
) -> Result<Resolved, Failure> {
    if let Some(key) = &create.backend {
        let version = wanted_version(create, key, installation).await?;
        let plugin = catalog
            .find(PluginKind::GenerationBackend, key, version.as_deref())
            .ok_or_else(|| {
                let hint = match (&version, &create.backend_version) {
                    (Some(_), None) => {
                        "the binding stands at that version; --newest-version moves it"
                    }
                    _ => "`gtm plugin list` shows what is loaded, pending or refused, and why",
                };
                Failure::new(format!(
                    "the catalog has no generation backend {key}{}",
                    version_text(version.as_deref())
                ))
                .hint(hint)
            })?;
        serves(key, &plugin.manifest.capabilities, &create.capability)?;
        let settings = create.settings.read(&plugin.manifest).map_err(|failure| {
            // Until 0016 they were settings of the bundled backends.
            if failure.message.contains("start_urls") {
                failure.hint(
                    "start URLs are no setting: give --start-url, or use `gtm binding start-url`",
                )
            } else {
                failure
            }
        })?;
        return Ok(Resolved {
            target: BindingTarget::Backend {
                key: key.clone(),
                version: Some(plugin.version.to_string()),
            },
            settings,
            missing_price: None,
        });
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
    let plugin = running(catalog, &row)?;
    serves(
        &row.provider_key,
        &plugin.manifest.capabilities,
        &create.capability,
    )?;
    Ok(Resolved {
        target: BindingTarget::Connection { connection: id },
        settings: json!({}),
        missing_price: MissingPrice::of(catalog, &row, Some(&create.capability)),
    })
}

/// The version that the command asks for: the one that is named, else the one at which the binding that
/// it replaces stands; none for the newest.
async fn wanted_version(
    create: &Create,
    key: &str,
    installation: &Installation,
) -> Result<Option<String>, Failure> {
    if create.backend_version.is_some() || create.newest_version {
        return Ok(create.backend_version.clone());
    }
    let scope = create.scope();
    let rows = installation.operator().list_bindings().await?;
    let replaced = rows
        .into_iter()
        .find(|row| row.scope == scope && row.capability == create.capability);
    Ok(match replaced.map(|row| row.target) {
        Some(BindingTarget::Backend { key: held, version }) if held == key => version,
        _ => None,
    })
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
fn as_json(row: &BindingRow, start_urls: usize) -> Value {
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
        "expected_cost_usd": row.expected_cost.map(MicroUsd::usd),
        "start_url_count": start_urls,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    })
}

fn print(
    row: &BindingRow,
    value: &Value,
    start_urls: usize,
    output: Output,
) -> Result<(), Failure> {
    output.print(value, || {
        fields(&[
            ("id", row.id.to_string()),
            ("scope", scope_text(row.scope)),
            ("capability", row.capability.clone()),
            ("served by", target_text(&row.target)),
            ("settings", row.settings.to_string()),
            ("expected cost", or_dash(row.expected_cost)),
            ("start urls", start_urls.to_string()),
        ])
    })
}
