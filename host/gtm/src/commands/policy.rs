//! `gtm policy …`.

use clap::{Args, Subcommand};
use gtm_domain::message::prospect_message::PolicyReference;
use gtm_domain::policy::AllowedPolicy;
use gtm_runtime::PluginKind;
use serde_json::json;

use super::plugin_name::PluginName;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Longest reference or version, in characters.
const MAX_CHARS: usize = 100;

#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Allow a policy: messages to real people may be written under it
    ///
    /// A policy says what the law of a country asks of a message to a stranger, as an evaluator of the catalog. It is
    /// allowed with exactly the component that the catalog holds now; another one needs to be allowed anew.
    ///
    /// The reference is yours to choose, and gtm cannot tell whether it fits the evaluator: what the evaluator says of
    /// itself is shown.
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
        #[arg(long, value_name = "KEY[@VERSION]", value_parser = evaluator_name)]
        evaluator: PluginName,
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

fn evaluator_name(text: &str) -> Result<PluginName, String> {
    PluginName::read(text, "policy-gb")
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
            let plugin = evaluator.find(
                runtime.catalog(),
                (PluginKind::Evaluator, "evaluator"),
                "; --catalog names directories with packages",
            )?;
            let manifest = &plugin.manifest;
            require_policy(&plugin.key, &manifest.capabilities)?;
            let version = plugin.version.to_string();
            let allowed = operator
                .allow_policy(policy.into(), &plugin.key, &version, plugin.digest)
                .await?;
            let mut value = json!(allowed);
            value["evaluator_name"] = json!(manifest.name);
            value["evaluator_description"] = json!(manifest.description);
            let mut pairs = pairs(&allowed);
            pairs.push(("says of itself", or_dash(manifest.description.as_ref())));
            output.print(&value, || fields(&pairs))
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

/// The capability of evaluators that answer for a policy.
const CAPABILITY: &str = "policy.prospect_message";

/// Refuses an evaluator of something else, such as a judge: each message under it would fail.
fn require_policy(key: &str, capabilities: &[String]) -> Result<(), Failure> {
    if capabilities.iter().any(|it| it == CAPABILITY) {
        return Ok(());
    }
    let told = format!("the evaluator {key} answers for no policy");
    Err(Failure::new(told).hint(format!(
        "a policy's evaluator has the capability {CAPABILITY}; `gtm plugin show` names those of a plug-in"
    )))
}

fn print(row: &AllowedPolicy, output: Output) -> Result<(), Failure> {
    output.print(&json!(row), || fields(&pairs(row)))
}

fn pairs(row: &AllowedPolicy) -> Vec<(&'static str, String)> {
    vec![
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
    ]
}
