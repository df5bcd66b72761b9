//! `gtm binding …`.

use clap::{ArgGroup, Args, Subcommand};
use gtm_domain::binding::{Binding, BindingScope, BindingTarget, BindingTerms};
use gtm_domain::start_url::StartUrl;
use gtm_domain::{BindingId, ConnectionId, JobType, MicroUsd, OrganizationId, ProjectId};
use gtm_runtime::{Catalog, PluginKind};
use gtm_store::StartUrlChange;
use serde_json::{Value, json};

use super::binding_offer::sold;
use super::binding_start_url::{self, BindingStartUrl, parse_pair};
use super::connection::running;
use super::connection_view::{self, Shown};
use super::missing_price::{MissingPrice, missing_settings};
use super::owner::{require_organization, require_project};
use super::plugin_settings::SettingOptions;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

#[derive(Debug, Subcommand)]
pub enum BindingCommand {
    /// Bind a capability, replacing what the same scope had bound to it
    ///
    /// A project's binding takes precedence over its organization's, and that over the platform's. The
    /// plug-in's version is stored: the binding stays at it, even if it is made again with other settings,
    /// until --newest-version or --plugin-version moves it. Start URLs of a replaced binding are kept.
    #[command(after_help = "Examples:
  gtm binding create --project PRJ --capability web.fetch --connection CONN
  gtm binding create --platform --capability playbooks --backend playbook
  gtm binding create --platform --capability playbooks --backend playbook --newest-version
  gtm binding create --platform --role render.pptx --renderer render-pptx
  gtm binding create --platform --capability playbooks --backend playbook --expected-cost-usd 0.10
  gtm binding create --project PRJ --capability playbooks --backend playbook --offer starter-plan")]
    Create(Box<Create>),
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
    /// Remove a binding; that of the next wider scope takes effect
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
#[command(group = ArgGroup::new("what").required(true).args(["backend", "renderer", "evaluator", "connection"]))]
#[command(group = ArgGroup::new("plugin").args(["backend", "renderer", "evaluator"]))]
pub struct Create {
    /// Bind it for all organizations
    #[arg(long)]
    platform: bool,
    /// Bind it for all projects of this organization
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// Bind it for this project only
    #[arg(long, value_name = "PRJ")]
    project: Option<ProjectId>,
    /// Product capability such as playbooks, provider capability such as web.fetch, or another role in jobs
    /// such as render.pptx
    #[arg(long, visible_alias = "role")]
    capability: String,
    /// Key of the generation backend that serves the capability
    #[arg(long, value_name = "KEY")]
    backend: Option<String>,
    /// Key of the renderer that serves the role
    #[arg(long, value_name = "KEY")]
    renderer: Option<String>,
    /// Key of the evaluator that serves the role
    #[arg(long, value_name = "KEY")]
    evaluator: Option<String>,
    /// Exact version of the plug-in; by default the binding's current one, else the newest
    #[arg(
        long,
        visible_alias = "backend-version",
        value_name = "VERSION",
        requires = "plugin"
    )]
    plugin_version: Option<String>,
    /// Move the binding to the newest version of the plug-in
    #[arg(long, requires = "plugin", conflicts_with = "plugin_version")]
    newest_version: bool,
    /// What a job is expected to cost, in dollars with at most six decimals: reserved when the job is
    /// created. By default it is learned from jobs that succeeded, starting at
    /// engine.job_cost_estimate_usd. Never more than engine.job_cost_cap_usd
    #[arg(
        long,
        value_name = "USD",
        requires = "backend",
        allow_negative_numbers = true
    )]
    expected_cost_usd: Option<MicroUsd>,
    /// Offer that playbooks sell, by id or key: an approved one of the organization. Each job is bound to the
    /// revision that is approved when it is created. A binding made again without it sells none
    #[arg(long, value_name = "OFFER", requires = "backend")]
    offer: Option<String>,
    /// Id of the connection that serves the capability
    #[arg(long, value_name = "CONN")]
    connection: Option<ConnectionId>,
    /// Where research of a domain begins, if not at https://DOMAIN/; may be repeated
    #[arg(long = "start-url", value_name = "DOMAIN=URL", requires = "backend", value_parser = parse_pair)]
    start_urls: Vec<StartUrl>,
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

    /// The plug-in named to serve the role, with its kind.
    fn plugin(&self) -> Option<(PluginKind, &str)> {
        let named = [
            (PluginKind::GenerationBackend, &self.backend),
            (PluginKind::DocumentRenderer, &self.renderer),
            (PluginKind::Evaluator, &self.evaluator),
        ];
        named
            .into_iter()
            .find_map(|(kind, key)| Some((kind, key.as_deref()?)))
    }
}

/// The binding target for a plug-in.
fn target_of(kind: PluginKind, key: String, version: String) -> Option<BindingTarget> {
    let version = Some(version);
    match kind {
        PluginKind::GenerationBackend => Some(BindingTarget::Backend { key, version }),
        PluginKind::DocumentRenderer => Some(BindingTarget::Renderer { key, version }),
        PluginKind::Evaluator => Some(BindingTarget::Evaluator { key, version }),
        PluginKind::Connector => None,
    }
}

/// The kind of plug-in that a target names; `None` for a connection.
const fn kind_of(target: &BindingTarget) -> Option<PluginKind> {
    match target {
        BindingTarget::Backend { .. } => Some(PluginKind::GenerationBackend),
        BindingTarget::Renderer { .. } => Some(PluginKind::DocumentRenderer),
        BindingTarget::Evaluator { .. } => Some(PluginKind::Evaluator),
        BindingTarget::Connection { .. } => None,
    }
}

/// The word for a kind in messages.
const fn word(kind: PluginKind) -> &'static str {
    match kind {
        PluginKind::GenerationBackend => "generation backend",
        PluginKind::DocumentRenderer => "renderer",
        PluginKind::Evaluator => "evaluator",
        PluginKind::Connector => "connector",
    }
}

/// Runs a command.
///
/// # Errors
/// If backend, connection or settings do not match, or the store refuses.
pub async fn run(
    command: BindingCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        BindingCommand::Create(create) => {
            let create = *create;
            // Before the plug-ins are loaded, which may compile for minutes.
            require_organization(&operator, create.org).await?;
            require_project(&operator, create.project).await?;
            let runtime = installation.start_recording_runtime().await?;
            let Resolved {
                target,
                settings,
                missing_price,
                connection,
            } = resolve(&create, installation, runtime.catalog()).await?;
            let offer = match &create.offer {
                Some(named) => Some(sold(create.scope(), named, &operator).await?),
                None => None,
            };
            let row = operator
                .set_binding_on(
                    create.scope(),
                    &create.capability,
                    target,
                    settings,
                    BindingTerms {
                        expected_cost: create.expected_cost_usd,
                        offer,
                    },
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
            if let Some(connection) = &connection {
                value["missing_fields"] = json!(connection.missing_fields());
            }
            print(&row, &value, held.len(), output)?;
            if let Some(connection) = connection {
                connection.warn_of_missing_fields();
            }
            if let Some(missing) = missing_price {
                missing.warn();
            }
            Ok(())
        }
        BindingCommand::StartUrl(command) => {
            binding_start_url::run(command, installation, output).await
        }
        BindingCommand::Show { id } => {
            let row = operator.show_binding(id).await?;
            let row = row.ok_or_else(|| Failure::absent("binding", id))?;
            let held = operator.binding_start_urls(id).await?;
            print(&row, &as_json(&row, held.len()), held.len(), output)
        }
        BindingCommand::Remove { id } => match operator.remove_binding(id).await? {
            true => output.print(&json!({ "id": id, "removed": true }), || {
                format!("{id} is removed")
            }),
            false => Err(Failure::absent("binding", id)),
        },
        BindingCommand::List => {
            let rows = operator.list_bindings().await?;
            let counts = operator.start_url_counts().await?;
            let held = |row: &Binding| counts.get(&row.id).copied().unwrap_or(0);
            let as_json = |row: &Binding| as_json(row, held(row));
            output.print(
                &json!({ "bindings": rows.iter().map(as_json).collect::<Vec<_>>() }),
                || {
                    let cells = |r: &Binding| {
                        vec![
                            r.id.to_string(),
                            scope_text(r.scope),
                            r.capability.clone(),
                            r.target.kind().to_owned(),
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
                            "KIND",
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

/// The parts of a new binding, checked against the catalog.
struct Resolved {
    target: BindingTarget,
    settings: Value,
    /// The price that the connection needs for calls of the capability but does not have.
    missing_price: Option<MissingPrice>,
    /// The connection, if that is what is bound.
    connection: Option<Shown>,
}

async fn resolve(
    create: &Create,
    installation: &Installation,
    catalog: &Catalog,
) -> Result<Resolved, Failure> {
    if let Some((kind, key)) = create.plugin() {
        fits(create, kind)?;
        let version = wanted_version(create, kind, key, installation).await?;
        let plugin = catalog.find(kind, key, version.as_deref()).ok_or_else(|| {
            let hint = match (&version, &create.plugin_version) {
                (Some(_), None) => "the binding stays at that version; --newest-version moves it",
                _ => "`gtm plugin list` shows what is loaded, pending or refused, and why",
            };
            Failure::new(format!(
                "the catalog has no {} {key}{}",
                word(kind),
                version_text(version.as_deref())
            ))
            .hint(hint)
        })?;
        serves(key, &plugin.manifest.capabilities, &create.capability)?;
        let settings = match kind {
            PluginKind::Evaluator => json!({}),
            _ => create.settings.read(&plugin.manifest).map_err(|failure| {
                // Before migration 0016, start URLs were settings of the bundled backends.
                if failure.message.contains("start_urls") {
                    failure.hint(
                        "start URLs are not a setting: give --start-url, or use `gtm binding start-url`",
                    )
                } else {
                    failure
                }
            })?,
        };
        let target = target_of(kind, key.to_owned(), plugin.version.to_string())
            .ok_or_else(|| Failure::new("a connector can only be bound through a connection"))?;
        return Ok(Resolved {
            target,
            settings,
            missing_price: None,
            connection: None,
        });
    }
    let id = create
        .connection
        .ok_or_else(|| Failure::new("give --backend, --renderer, --evaluator or --connection"))?;
    if is_product(&create.capability) {
        return Err(not_a_backend(&create.capability, "connection"));
    }
    if create.settings.is_given() {
        return Err(Failure::new("a connection has its own settings")
            .hint("`gtm connection update` changes them"));
    }
    let operator = installation.operator();
    let row = operator.show_connection(id).await?;
    let row = row.ok_or_else(|| Failure::absent("connection", id))?;
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
        connection: Some(
            connection_view::one(&operator, id, catalog, installation.clock.now()).await?,
        ),
    })
}

/// Whether only a generation backend can produce the jobs of this name.
fn is_product(capability: &str) -> bool {
    JobType::parse(capability)
        .and_then(JobType::capability)
        .is_some()
}

fn not_a_backend(capability: &str, what: &str) -> Failure {
    let article = if what.starts_with('e') { "an" } else { "a" };
    Failure::new(format!(
        "{capability} is served by a generation backend, not by {article} {what}"
    ))
}

/// Whether a binding to this kind of plug-in makes sense, whatever its manifest says. Danger: settings that
/// are stored but never used would mislead everybody who reads the binding.
fn fits(create: &Create, kind: PluginKind) -> Result<(), Failure> {
    if kind != PluginKind::GenerationBackend && is_product(&create.capability) {
        return Err(not_a_backend(&create.capability, word(kind)));
    }
    if kind == PluginKind::Evaluator && create.settings.is_given() {
        return Err(Failure::new(
            "an evaluator takes no settings: it sees what it judges and nothing else",
        ));
    }
    Ok(())
}

/// The version to bind: the requested one, else the version of the binding that this one replaces, else
/// `None` for the newest. A plug-in of another kind has its own versions, even under the same key.
async fn wanted_version(
    create: &Create,
    kind: PluginKind,
    key: &str,
    installation: &Installation,
) -> Result<Option<String>, Failure> {
    if create.plugin_version.is_some() || create.newest_version {
        return Ok(create.plugin_version.clone());
    }
    let scope = create.scope();
    let rows = installation.operator().list_bindings().await?;
    let replaced = rows
        .into_iter()
        .find(|row| row.scope == scope && row.capability == create.capability);
    Ok(replaced.and_then(|row| {
        let (held, version) = row.target.plugin()?;
        let same = kind_of(&row.target) == Some(kind) && held == key;
        version.filter(|_| same).map(str::to_owned)
    }))
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
        BindingTarget::Backend { key, version }
        | BindingTarget::Renderer { key, version }
        | BindingTarget::Evaluator { key, version } => {
            format!("{key}{}", version_text(version.as_deref()))
        }
        BindingTarget::Connection { connection } => connection.to_string(),
    }
}

/// A binding as JSON, with the same member names as limits and jobs.
fn as_json(row: &Binding, start_urls: usize) -> Value {
    let (scope, scope_id) = match row.scope {
        BindingScope::Platform => ("platform", None),
        BindingScope::Organization(id) => ("organization", Some(id.to_string())),
        BindingScope::Project(id) => ("project", Some(id.to_string())),
    };
    let target = match &row.target {
        BindingTarget::Backend { key, version }
        | BindingTarget::Renderer { key, version }
        | BindingTarget::Evaluator { key, version } => {
            json!({ "kind": row.target.kind(), "key": key, "version": version })
        }
        BindingTarget::Connection { connection } => {
            json!({ "kind": row.target.kind(), "connection_id": connection })
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
        "offer_id": row.offer,
        "start_url_count": start_urls,
        "created_at": row.created_at,
        "updated_at": row.updated_at,
    })
}

fn print(row: &Binding, value: &Value, start_urls: usize, output: Output) -> Result<(), Failure> {
    output.print(value, || {
        fields(&[
            ("id", row.id.to_string()),
            ("scope", scope_text(row.scope)),
            ("role", row.capability.clone()),
            ("kind", row.target.kind().to_owned()),
            ("served by", target_text(&row.target)),
            ("settings", row.settings.to_string()),
            ("expected cost", or_dash(row.expected_cost)),
            ("offer", or_dash(row.offer)),
            ("start urls", start_urls.to_string()),
        ])
    })
}
