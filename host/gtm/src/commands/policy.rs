//! `gtm policy …`.

use std::str::FromStr;

use clap::{Args, Subcommand};
use gtm_domain::message::prospect_message::PolicyReference;
use gtm_domain::policy::AllowedPolicy;
use gtm_runtime::{Catalog, Plugin, PluginKind};
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Longest reference or version, in characters.
const MAX_CHARS: usize = 100;

/// Commands on policies.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Allow a policy: messages to real people may be written under it
    ///
    /// A policy says what the law of a country asks of a message to a stranger, as an evaluator of the catalog. It is
    /// allowed with exactly the component that the catalog holds now; another one needs to be allowed anew.
    ///
    /// Danger: a policy is no legal advice, and none is allowed when gtm is installed. Have counsel review it first.
    #[command(after_help = "Examples:
  gtm policy allow gb-corporate-outreach 2026-01 --evaluator policy-gb
  gtm policy allow us-commercial-email 2026-01 --evaluator policy-us@0.1.0")]
    Allow {
        /// The policy's reference and version, as requests name them
        #[command(flatten)]
        policy: Named,
        /// The evaluator that answers for it, and its version if it is not to be the newest
        #[arg(long, value_name = "KEY[@VERSION]")]
        evaluator: EvaluatorName,
    },
    /// Take a policy off the list
    ///
    /// From then on a message to a real person that names it needs input. Messages that were written under it stay.
    #[command(after_help = "Example:\n  gtm policy revoke gb-corporate-outreach 2026-01")]
    Revoke {
        /// The policy's reference and version, as requests name them
        #[command(flatten)]
        policy: Named,
    },
    /// List the policies that are allowed, newest first
    #[command(after_help = "Examples:\n  gtm policy list\n  gtm policy list --revoked")]
    List {
        /// List revoked policies instead
        #[arg(long)]
        revoked: bool,
    },
}

/// A policy as requests name it.
#[derive(Debug, Args)]
pub struct Named {
    /// The policy's reference, such as gb-corporate-outreach
    #[arg(value_name = "REF", value_parser = parse_part)]
    policy_ref: String,
    /// The policy's version, such as 2026-01
    #[arg(value_name = "VERSION", value_parser = parse_part)]
    policy_version: String,
}

impl From<Named> for PolicyReference {
    fn from(named: Named) -> Self {
        Self {
            policy_ref: named.policy_ref,
            policy_version: named.policy_version,
        }
    }
}

fn parse_part(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    if text.is_empty() || text.len() > MAX_CHARS || !text.chars().all(fits) {
        return Err(format!(
            "expected 1 to {MAX_CHARS} letters, digits, dots, hyphens or underscores"
        ));
    }
    Ok(text.to_owned())
}

/// An evaluator of the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluatorName {
    key: String,
    version: Option<String>,
}

impl FromStr for EvaluatorName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (key, version) = match text.split_once('@') {
            Some((key, version)) => (key, Some(version.to_owned())),
            None => (text, None),
        };
        if key.is_empty() || version.as_deref() == Some("") {
            return Err(
                "expected KEY or KEY@VERSION, such as policy-gb or policy-gb@0.1.0".to_owned(),
            );
        }
        Ok(Self {
            key: key.to_owned(),
            version,
        })
    }
}

/// Runs a command.
///
/// # Errors
/// If the catalog has no such evaluator, or the store refuses.
pub async fn run(
    command: PolicyCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        PolicyCommand::Allow { policy, evaluator } => {
            let runtime = installation.start_recording_runtime().await?;
            let plugin = find(runtime.catalog(), &evaluator)?;
            let version = plugin.version.to_string();
            let allowed = operator
                .allow_policy(policy.into(), &plugin.key, &version, plugin.digest)
                .await?;
            print(&allowed, output)
        }
        PolicyCommand::Revoke { policy } => {
            let policy = PolicyReference::from(policy);
            let told = format!("policy {} {}", policy.policy_ref, policy.policy_version);
            match operator.revoke_policy(policy).await {
                Ok(revoked) => print(&revoked, output),
                Err(gtm_store::StoreError::Absent { .. }) => {
                    Err(Failure::new(format!("{told} is not allowed"))
                        .hint("`gtm policy list` shows those that are"))
                }
                Err(error) => Err(error.into()),
            }
        }
        PolicyCommand::List { revoked } => {
            let mut rows = operator.list_policies().await?;
            rows.retain(|row| row.revoked_at.is_some() == revoked);
            output.print(&json!({ "policies": rows }), || {
                let cells = |row: &AllowedPolicy| {
                    vec![
                        row.policy.policy_ref.clone(),
                        row.policy.policy_version.clone(),
                        format!("{}@{}", row.evaluator, row.evaluator_version),
                        row.allowed_by.clone(),
                        row.allowed_at.to_string(),
                        or_dash(row.revoked_at),
                    ]
                };
                table(
                    &["REF", "VERSION", "EVALUATOR", "BY", "ALLOWED", "REVOKED"],
                    &rows.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
    }
}

fn find(catalog: &Catalog, name: &EvaluatorName) -> Result<std::sync::Arc<Plugin>, Failure> {
    let kind = PluginKind::Evaluator;
    if let Some(plugin) = catalog.find(kind, &name.key, name.version.as_deref()) {
        return Ok(plugin);
    }
    let refused = catalog
        .refused()
        .iter()
        .find(|package| package.key.as_deref() == Some(&name.key));
    if let Some(package) = refused {
        return Err(Failure::new(format!(
            "the package {} was refused ({}): {}",
            package.path.display(),
            package.code,
            package.reason
        )));
    }
    let mut there: Vec<String> = (catalog.plugins().iter())
        .filter(|plugin| plugin.kind == kind)
        .map(|plugin| format!("{}@{}", plugin.key, plugin.version))
        .collect();
    there.sort();
    let wanted = match &name.version {
        Some(version) => format!("{}@{version}", name.key),
        None => name.key.clone(),
    };
    let failure = Failure::new(format!("the catalog has no evaluator {wanted}"));
    Err(failure.hint(match there.as_slice() {
        [] => "it has no evaluator at all; --catalog names directories with packages".to_owned(),
        there => format!("it has {}", there.join(", ")),
    }))
}

fn print(row: &AllowedPolicy, output: Output) -> Result<(), Failure> {
    output.print(&json!(row), || {
        fields(&[
            ("policy", row.policy.policy_ref.clone()),
            ("version", row.policy.policy_version.clone()),
            (
                "evaluator",
                format!("{}@{}", row.evaluator, row.evaluator_version),
            ),
            ("component", row.component.to_string()),
            ("allowed by", row.allowed_by.clone()),
            ("allowed", row.allowed_at.to_string()),
            ("revoked", or_dash(row.revoked_at)),
        ])
    })
}
