//! `gtm dev …`: helps people who write clients of the API. Running an installation does not need it.

mod seed;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use clap::Subcommand;
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, table};

/// Commands for people who write clients.
#[derive(Debug, Subcommand)]
pub enum Dev {
    /// Create organizations with keys in every state, and say how each key is answered
    ///
    /// Valid, rotated, revoked and expired keys; an archived project; a disabled capability; no credit; a
    /// quota and a budget that are reached; a rate limit of one; each usage tier. None of it costs
    /// anything: the model has a host name that no resolver knows, so accepted jobs fail.
    ///
    /// Each run adds a new set, changes nothing in the earlier ones and names them; use `gtm org archive`
    /// when you are done with one. The secrets are shown once. With --json, requests have their bodies.
    #[command(after_help = "Example:\n  gtm dev seed --json > cases.json")]
    Seed,
}

/// Runs a command.
///
/// # Errors
/// If the catalog lacks a required plug-in, or the store refuses.
pub async fn run(command: Dev, installation: &Installation, output: Output) -> Result<(), Failure> {
    match command {
        Dev::Seed => {
            let set = seed::create_all(installation).await?;
            let base_url = base_url(installation.effective.configuration.listen);
            let value = json!({
                "base_url": base_url,
                "cases": set.cases,
                "earlier_organizations": set.earlier,
            });
            output.print(&value, || text(&set, &base_url))
        }
    }
}

/// The URL at which a host with this configuration is reached from the same machine.
fn base_url(listen: SocketAddr) -> String {
    let mut address = listen;
    if address.ip().is_unspecified() {
        address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
    format!("http://{address}")
}

fn text(set: &seed::Set, base_url: &str) -> String {
    let answers = |case: &seed::Case| {
        vec![
            case.name.clone(),
            case.request.to_string(),
            case.expected.to_string(),
            case.secret.clone(),
        ]
    };
    let owners = |case: &seed::Case| {
        vec![
            case.name.clone(),
            case.key_id.clone(),
            case.project_id.clone(),
            case.organization_id.clone(),
        ]
    };
    let rows = |cells: &dyn Fn(&seed::Case) -> Vec<String>| {
        set.cases.iter().map(cells).collect::<Vec<_>>()
    };
    let mut out = table(&["CASE", "REQUEST", "ANSWER", "KEY"], &rows(&answers));
    out.push('\n');
    let headings = ["CASE", "KEY ID", "PROJECT", "ORGANIZATION"];
    out.push_str(&table(&headings, &rows(&owners)));
    out.push_str(&format!(
        "\nThe keys are not shown again. A host with this configuration answers at {base_url}:\n\
         curl -sS {base_url}/v1/usage -H 'Authorization: Bearer KEY'\n"
    ));
    if !set.earlier.is_empty() {
        out.push_str(&format!(
            "\nThis is a further set. {} organizations of earlier ones are still active, with their \
             keys; `gtm org archive ORG` puts one away:\n",
            set.earlier.len()
        ));
        for id in &set.earlier {
            out.push_str(&format!("  {id}\n"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_base_url_is_one_that_can_be_asked() {
        for (listen, url) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:8080", "http://127.0.0.1:8080"),
            ("[::1]:8080", "http://[::1]:8080"),
        ] {
            assert_eq!(base_url(listen.parse().unwrap()), url);
        }
    }
}
