//! Configuration, tenant, backends and web connector: created once, then used again. `model` sets up the
//! language model.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::host::Installation;
use super::state::State;
use crate::plugins::{Publisher, Purpose};
use crate::rendering::east_asian_font;
use crate::workspace::Workspace;

/// Catalog key of the connector that reads web pages.
pub const WEB_FETCH: &str = "web-fetch";
/// Catalog key of the playbook backend.
const PLAYBOOK: &str = "playbook";
/// Catalog key of the brand backend.
const BRAND: &str = "brand";

/// The publisher of the plug-ins in a checkout, as their manifests name it.
const FIRST_PARTY: &str = "dev.gtm.first-party";
/// The plug-ins that the development key may sign: all that a checkout may build.
const SIGNED_HERE: [&str; 4] = [
    "connector/*",
    "generation_backend/*",
    "document_renderer/*",
    "evaluator/*",
];

/// First line of a configuration file that quickstart may overwrite.
const WRITTEN_HERE: &str =
    "# Written by `cargo xtask quickstart` at every start; changes here are lost.";

/// A private host that one connector may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivateHost {
    pub host: String,
    pub port: u16,
    /// Key of the connector.
    pub connector: &'static str,
    /// Whether that connector reads pages there.
    pub open_web: bool,
}

impl PrivateHost {
    /// The entry in `egress.private_hosts`.
    fn entry(&self) -> toml::Table {
        let mut entry = toml::Table::new();
        entry.insert("host".into(), self.host.clone().into());
        entry.insert("port".into(), i64::from(self.port).into());
        entry.insert("connectors".into(), vec![self.connector].into());
        if self.open_web {
            entry.insert("open_web".into(), true.into());
        }
        entry
    }
}

/// Writes the host's configuration: this checkout's catalog, the publisher that signed it, and the private
/// hosts that may be reached. Fails if somebody else wrote the existing file.
pub fn write_config(
    workspace: &Workspace,
    installation: &Installation,
    publisher: &Publisher,
    private_hosts: &[PrivateHost],
) -> Result<()> {
    let path = installation.config();
    if fs::read_to_string(&path).is_ok_and(|text| !text.starts_with(WRITTEN_HERE)) {
        bail!(
            "{} is not quickstart's; choose another --data-dir",
            path.display()
        );
    }
    let mut egress = toml::Table::new();
    let entries: Vec<toml::Table> = private_hosts.iter().map(PrivateHost::entry).collect();
    egress.insert("private_hosts".into(), entries.into());
    egress.insert("open_web".into(), vec![WEB_FETCH].into());
    let mut trusted = toml::Table::new();
    trusted.insert("id".into(), publisher.id.clone().into());
    trusted.insert("publisher".into(), FIRST_PARTY.into());
    trusted.insert("public_key".into(), publisher.public_key.clone().into());
    trusted.insert("keys".into(), SIGNED_HERE.to_vec().into());
    let catalog = workspace
        .catalog(Purpose::Development)
        .to_string_lossy()
        .into_owned();
    let mut config = toml::Table::new();
    config.insert("catalog_dirs".into(), vec![catalog].into());
    config.insert("trusted_publishers".into(), vec![trusted].into());
    // A checkout rebuilds its plug-ins without changing their versions.
    config.insert("allow_changed_packages".into(), true.into());
    config.insert("egress".into(), egress.into());
    if let Some(folder) = fonts(&installation.data)? {
        let folder = folder.to_string_lossy().into_owned();
        config.insert("document_fonts_dir".into(), folder.into());
    }
    let text = format!("{WRITTEN_HERE}\n{}", toml::to_string_pretty(&config)?);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// A folder with this machine's font for Chinese, Japanese and Korean, which no renderer brings along: without it a PDF in one
/// of these languages has a box for each word.
fn fonts(data: &Path) -> Result<Option<PathBuf>> {
    let Some((name, font)) = east_asian_font() else {
        return Ok(None);
    };
    let folder = data.join("document-fonts");
    let name = Path::new(&name).file_name();
    let copy = folder.join(name.context("a font without a name")?);
    if !copy.exists() {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        fs::copy(&font, &copy).with_context(|| format!("cannot copy {}", font.display()))?;
    }
    Ok(Some(folder))
}

/// Creates organization, project and key, unless the state names some that the host still knows. Returns
/// whether they are new.
pub fn ensure_tenant(installation: &Installation, state: &mut State) -> Result<bool> {
    if let Some(project) = &state.project
        && state.key.is_some()
        && installation.admin(&["project", "show", project]).is_ok()
    {
        return Ok(false);
    }
    let ports = (state.port, state.site_port);
    *state = State::default();
    (state.port, state.site_port) = ports;
    let organization = text(&installation.admin(&["org", "create", "Quickstart"])?, "id")?;
    let project =
        installation.admin(&["project", "create", "--org", &organization, "quickstart"])?;
    let project = text(&project, "id")?;
    let key = installation.admin(&["key", "create", "--project", &project, "quickstart"])?;
    state.organization = Some(organization);
    state.project = Some(project);
    state.key = Some(text(&key, "secret")?);
    state.save(&installation.data)?;
    Ok(true)
}

/// Credit in US dollars for the quickstart's organization, to pay for a model with prices.
pub const CREDIT_USD: &str = "25";

/// Grants the organization credit, once. Returns whether it did.
pub fn ensure_credit(installation: &Installation, state: &mut State) -> Result<bool> {
    let Some(organization) = state
        .organization
        .as_deref()
        .filter(|_| !state.credit_granted)
    else {
        return Ok(false);
    };
    installation.admin(&[
        "credit",
        "grant",
        organization,
        CREDIT_USD,
        "--note",
        "quickstart",
    ])?;
    state.credit_granted = true;
    state.save(&installation.data)?;
    Ok(true)
}

/// Binds the backends and the web connector; binds them again if their settings have changed.
pub fn ensure_backends(
    installation: &Installation,
    state: &mut State,
    start_urls: &Value,
) -> Result<()> {
    let project = project_of(state)?;
    if state.web_connection.is_none() {
        let connection = connect(installation, &project, WEB_FETCH, &json!({}), None)?;
        bind_connection(installation, &project, "web.fetch", &connection)?;
        state.web_connection = Some(connection);
        state.save(&installation.data)?;
    }
    follow_the_checkout(installation, state)?;
    let settings = json!({
        "max_pages": 8,
        "allow_evidence_only": true,
        "start_urls": start_urls,
    });
    if state.backend_settings.as_ref() != Some(&settings) {
        bind_backend(installation, &project, "playbooks", PLAYBOOK, &settings)?;
        state.backend_settings = Some(settings);
        state.save(&installation.data)?;
    }
    let settings = json!({ "start_urls": start_urls });
    if state.brand_settings.as_ref() != Some(&settings) {
        bind_backend(installation, &project, "brands", BRAND, &settings)?;
        state.brand_settings = Some(settings);
        state.save(&installation.data)?;
    }
    Ok(())
}

/// Moves bindings and connections from an earlier version of a plug-in to the version that this checkout
/// builds, because its catalog has no other.
fn follow_the_checkout(installation: &Installation, state: &mut State) -> Result<()> {
    let list = installation.admin(&["plugin", "list"])?;
    let version = |key: &str| {
        let plugins = list["plugins"].as_array().into_iter().flatten();
        let mut own = plugins.filter(|plugin| plugin["key"] == key);
        own.next().map(|plugin| plugin["version"].clone())
    };
    let connections = [&state.web_connection, &state.model_connection];
    for connection in connections.into_iter().flatten() {
        let shown = installation.admin(&["connection", "show", connection])?;
        let newest = version(shown["provider_key"].as_str().unwrap_or_default());
        if newest.is_some_and(|newest| newest != shown["manifest_version"]) {
            installation.admin(&["connection", "update", connection, "--newest-version"])?;
        }
    }
    let list = installation.admin(&["binding", "list"])?;
    for binding in list["bindings"].as_array().into_iter().flatten() {
        let target = &binding["target"];
        let newest = version(target["key"].as_str().unwrap_or_default());
        if newest.is_some_and(|newest| newest != target["version"]) {
            // Backends and renderers are then bound again.
            state.backend_settings = None;
            state.brand_settings = None;
            state.document_settings = None;
            state.renderers.clear();
        }
    }
    Ok(())
}

/// Lets a generation backend serve a capability of the project, in place of the previous one. The setting
/// `start_urls` belongs to the binding, not to the backend.
pub fn bind_backend(
    installation: &Installation,
    project: &str,
    capability: &str,
    backend: &str,
    settings: &Value,
) -> Result<()> {
    let mut settings = settings.clone();
    let members = settings.as_object_mut();
    let start_urls = members.and_then(|members| members.remove("start_urls"));
    let settings = settings.to_string();
    let mut arguments = vec![
        "binding",
        "create",
        "--project",
        project,
        "--capability",
        capability,
        "--backend",
        backend,
        "--newest-version",
        "--settings-json",
        &settings,
    ];
    let pairs: Vec<String> = (start_urls.as_ref().and_then(Value::as_object).into_iter())
        .flatten()
        .filter_map(|(domain, url)| Some(format!("{domain}={}", url.as_str()?)))
        .collect();
    for pair in &pairs {
        arguments.extend(["--start-url", pair]);
    }
    installation.admin(&arguments).map(drop)
}

/// Creates a connection and returns its ID. `credential` is `FIELD=VARIABLE`.
pub fn connect(
    installation: &Installation,
    project: &str,
    provider: &str,
    settings: &Value,
    credential: Option<&str>,
) -> Result<String> {
    let settings = settings.to_string();
    let mut arguments = vec![
        "connection",
        "create",
        "--project",
        project,
        "--provider",
        provider,
        "--settings-json",
        &settings,
    ];
    if let Some(credential) = credential {
        arguments.extend(["--credential-env", credential]);
    }
    text(&installation.admin(&arguments)?, "id")
}

/// Lets a connection serve a capability of the project, in place of the previous one.
pub fn bind_connection(
    installation: &Installation,
    project: &str,
    capability: &str,
    connection: &str,
) -> Result<()> {
    installation
        .admin(&[
            "binding",
            "create",
            "--project",
            project,
            "--capability",
            capability,
            "--connection",
            connection,
        ])
        .map(drop)
}

/// The project that the state names.
pub fn project_of(state: &State) -> Result<String> {
    state
        .project
        .clone()
        .context("the project was not made before")
}

/// A text member of a command's JSON output.
pub fn text(value: &Value, member: &str) -> Result<String> {
    value[member]
        .as_str()
        .map(str::to_owned)
        .with_context(|| format!("the host's answer has no `{member}`"))
}
