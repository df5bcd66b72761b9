//! Configuration, tenant, connections and bindings: made once, then used again.

use std::fs;
use std::net::IpAddr;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use url::{Host, Url};

use super::host::Installation;
use super::state::{Model, State};
use crate::plugins::Publisher;
use crate::workspace::Workspace;

/// Catalog key of the connector that reads web pages.
const WEB_FETCH: &str = "web-fetch";
/// Catalog key of the connector to language models.
const OPENAI_COMPATIBLE: &str = "openai-compatible";
/// Catalog key of the playbook backend.
const PLAYBOOK: &str = "playbook";
/// The usual variable for an API key of an OpenAI-compatible server.
const MODEL_KEY_VARIABLE: &str = "OPENAI_API_KEY";

/// Writes the host's configuration: the catalog of this checkout, the publisher that signed it, and
/// the private hosts that may be reached.
pub fn write_config(
    workspace: &Workspace,
    installation: &Installation,
    publisher: &Publisher,
    private_hosts: &[String],
) -> Result<()> {
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
    let text = format!(
        "# Written by `cargo xtask quickstart` at every start; changes here are lost.\n{}",
        toml::to_string_pretty(&config)?
    );
    fs::write(installation.config(), text)
        .with_context(|| format!("cannot write {}", installation.config().display()))
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

/// Binds the backend and the web connector, and again where the settings have changed.
pub fn ensure_backend(
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
        installation.admin(&[
            "binding",
            "create",
            "--project",
            &project,
            "--capability",
            "playbooks",
            "--backend",
            PLAYBOOK,
            "--settings-json",
            &settings.to_string(),
        ])?;
        state.backend_settings = Some(settings);
        state.save(&installation.data)?;
    }
    Ok(())
}

/// Binds the model unless it is bound already.
pub fn ensure_model(
    installation: &Installation,
    state: &mut State,
    url: &Url,
    name: &str,
) -> Result<()> {
    let with_key = std::env::var_os(MODEL_KEY_VARIABLE).is_some_and(|value| !value.is_empty());
    let model = Model {
        url: url.to_string(),
        name: name.to_owned(),
        with_key,
    };
    if state.model.as_ref() == Some(&model) {
        return Ok(());
    }
    let project = project_of(state)?;
    let mut settings = json!({ "base_url": url.as_str().trim_end_matches('/'), "model": name });
    if !with_key {
        settings["authentication"] = "none".into();
    }
    // A server of one's own has no price list.
    if private_host(url).is_some() {
        settings["free"] = true.into();
    }
    let credential = with_key.then(|| format!("api_key={MODEL_KEY_VARIABLE}"));
    let connection = connect(
        installation,
        &project,
        OPENAI_COMPATIBLE,
        &settings,
        credential.as_deref(),
    )?;
    bind_connection(installation, &project, "model.complete", &connection)?;
    state.model = Some(model);
    state.save(&installation.data)
}

/// `host:port` of a URL whose host is private by its very form: such a host the egress gate refuses
/// unless the configuration names it. A name is left to the gate to resolve and judge.
pub fn private_host(url: &Url) -> Option<String> {
    let private = match url.host()? {
        Host::Ipv4(address) => {
            address.is_loopback() || address.is_private() || address.is_link_local()
        }
        Host::Ipv6(address) => {
            address.is_loopback()
                || address.is_unique_local()
                || IpAddr::V6(address).is_unspecified()
        }
        Host::Domain(name) => !name.contains('.') || name.ends_with(".local"),
    };
    private.then(|| {
        format!(
            "{}:{}",
            url.host_str().unwrap_or_default(),
            url.port_or_known_default().unwrap_or_default()
        )
    })
}

fn connect(
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

fn bind_connection(
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

fn project_of(state: &State) -> Result<String> {
    state
        .project
        .clone()
        .context("the project was not made before")
}

fn text(value: &Value, member: &str) -> Result<String> {
    value[member]
        .as_str()
        .map(str::to_owned)
        .with_context(|| format!("the host's answer has no `{member}`"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn only_hosts_that_are_private_by_form_are_named() {
        let host = |url: &str| private_host(&Url::parse(url).unwrap());
        assert_eq!(
            host("http://127.0.0.1:8000/v1").as_deref(),
            Some("127.0.0.1:8000")
        );
        assert_eq!(
            host("http://localhost:11434/v1").as_deref(),
            Some("localhost:11434")
        );
        assert_eq!(host("http://10.1.2.3/v1").as_deref(), Some("10.1.2.3:80"));
        assert_eq!(host("http://[::1]:9/").as_deref(), Some("[::1]:9"));
        assert_eq!(host("https://models.example.com/v1"), None);
    }
}
