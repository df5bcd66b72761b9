//! Configuration, tenant, backend and web connector: made once, then used again. The language model
//! is `model`'s.

use std::fs;

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::host::Installation;
use super::state::State;
use crate::plugins::Publisher;
use crate::workspace::Workspace;

/// Catalog key of the connector that reads web pages.
const WEB_FETCH: &str = "web-fetch";
/// Catalog key of the playbook backend.
const PLAYBOOK: &str = "playbook";
/// Catalog key of the brand backend.
const BRAND: &str = "brand";

/// First line of a configuration file that may be written over.
const WRITTEN_HERE: &str =
    "# Written by `cargo xtask quickstart` at every start; changes here are lost.";

/// Writes the host's configuration: the catalog of this checkout, the publisher that signed it, and
/// the private hosts that may be reached. Fails where somebody else's configuration is.
pub fn write_config(
    workspace: &Workspace,
    installation: &Installation,
    publisher: &Publisher,
    private_hosts: &[String],
) -> Result<()> {
    let path = installation.config();
    if fs::read_to_string(&path).is_ok_and(|text| !text.starts_with(WRITTEN_HERE)) {
        bail!(
            "{} is not quickstart's; choose another --data-dir",
            path.display()
        );
    }
    let mut egress = toml::Table::new();
    egress.insert("private_hosts".into(), private_hosts.to_vec().into());
    egress.insert("open_web".into(), vec![WEB_FETCH].into());
    let mut trusted = toml::Table::new();
    trusted.insert("id".into(), publisher.id.clone().into());
    trusted.insert("public_key".into(), publisher.public_key.clone().into());
    let catalog = workspace.catalog().to_string_lossy().into_owned();
    let mut config = toml::Table::new();
    config.insert("catalog_dirs".into(), vec![catalog].into());
    config.insert("trusted_publishers".into(), vec![trusted].into());
    // The plug-ins of a checkout are rebuilt under one version.
    config.insert("allow_changed_packages".into(), true.into());
    config.insert("egress".into(), egress.into());
    let text = format!("{WRITTEN_HERE}\n{}", toml::to_string_pretty(&config)?);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Makes organization, project and key unless the state names some that the host still knows.
/// Returns whether they are new.
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

/// Dollars of credit that the quickstart's organization gets, to pay for a model with prices.
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

/// Binds the backends and the web connector, and again where the settings have changed.
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

/// Lets a generation backend serve a capability of the project, in place of what did before.
fn bind_backend(
    installation: &Installation,
    project: &str,
    capability: &str,
    backend: &str,
    settings: &Value,
) -> Result<()> {
    installation
        .admin(&[
            "binding",
            "create",
            "--project",
            project,
            "--capability",
            capability,
            "--backend",
            backend,
            "--settings-json",
            &settings.to_string(),
        ])
        .map(drop)
}

/// Makes a connection and returns its id. `credential` is `FIELD=VARIABLE`.
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
        "--name",
        provider,
        "--settings-json",
        &settings,
    ];
    if let Some(credential) = credential {
        arguments.extend(["--credential-env", credential]);
    }
    text(&installation.admin(&arguments)?, "id")
}

/// Lets a connection serve a capability of the project, in place of what did before.
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

/// A text member of what a command printed.
pub fn text(value: &Value, member: &str) -> Result<String> {
    value[member]
        .as_str()
        .map(str::to_owned)
        .with_context(|| format!("the host's answer has no `{member}`"))
}
