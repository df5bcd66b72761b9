//! `gtm org …`.

use clap::{ArgGroup, Subcommand};
use gtm_domain::OrganizationId;
use gtm_domain::capability::ProductCapability;
use gtm_store::{BillingMode, Operator, OrganizationRow};
use serde_json::{Value, json};

use super::parse_name;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Commands on organizations.
#[derive(Debug, Subcommand)]
pub enum Organization {
    /// Make one
    Create {
        /// Name for people
        #[arg(value_parser = parse_name)]
        name: String,
        /// prepaid: spends credit that was granted before; postpaid: needs none
        #[arg(long, value_name = "MODE", default_value = "prepaid")]
        billing: BillingMode,
    },
    /// Change how one pays, or its usage tier
    #[command(group = ArgGroup::new("change").required(true).multiple(true).args(["billing", "tier"]))]
    Update {
        /// Its id
        id: OrganizationId,
        /// prepaid or postpaid
        #[arg(long, value_name = "MODE")]
        billing: Option<BillingMode>,
        /// Key of a usage tier that holds whatever was paid; none for the one that it grew into
        #[arg(long, value_name = "KEY")]
        tier: Option<String>,
    },
    /// List all
    List,
    /// Show one
    Show {
        /// Its id
        id: OrganizationId,
    },
    /// Archive one with all its projects; their keys are refused from then on
    Archive {
        /// Its id
        id: OrganizationId,
    },
    /// Which capabilities it may use
    #[command(subcommand)]
    Capability(Capability),
}

/// Commands on what an organization may use.
#[derive(Debug, Subcommand)]
pub enum Capability {
    /// Let it use a capability
    Enable {
        /// The organization's id
        organization: OrganizationId,
        /// playbooks, brands, documents or message_templates
        #[arg(value_parser = parse_capability)]
        capability: ProductCapability,
    },
    /// Refuse it a capability: its keys get 403 capability_disabled
    Disable {
        /// The organization's id
        organization: OrganizationId,
        /// playbooks, brands, documents or message_templates
        #[arg(value_parser = parse_capability)]
        capability: ProductCapability,
    },
}

/// Run one.
///
/// # Errors
/// If the store refuses, or the organization does not exist.
pub async fn run(
    command: Organization,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        Organization::Create { name, billing } => {
            let mut row = operator.create_organization(&name).await?;
            if billing != row.billing {
                row = operator.set_billing(row.id, Some(billing), None).await?;
            }
            print(&row, output)
        }
        Organization::Update { id, billing, tier } => {
            let tier = tier.map(|key| (key != "none").then_some(key));
            print(&operator.set_billing(id, billing, tier).await?, output)
        }
        Organization::Show { id } => show(id, &operator, output).await,
        Organization::Capability(command) => {
            let (id, capability, enabled) = match command {
                Capability::Enable {
                    organization,
                    capability,
                } => (organization, capability, true),
                Capability::Disable {
                    organization,
                    capability,
                } => (organization, capability, false),
            };
            operator.set_capability(id, capability, enabled).await?;
            show(id, &operator, output).await
        }
        Organization::Archive { id } => print(&operator.archive_organization(id).await?, output),
        Organization::List => {
            let rows = operator.list_organizations().await?;
            output.print(
                &json!({ "organizations": rows.iter().map(as_json).collect::<Vec<_>>() }),
                || {
                    let cells = |r: &OrganizationRow| {
                        vec![
                            r.id.to_string(),
                            r.name.clone(),
                            r.created_at.to_string(),
                            or_dash(r.archived_at),
                        ]
                    };
                    table(
                        &["ID", "NAME", "CREATED", "ARCHIVED"],
                        &rows.iter().map(cells).collect::<Vec<_>>(),
                    )
                },
            )
        }
    }
}

/// An organization with what it may use.
async fn show(id: OrganizationId, operator: &Operator, output: Output) -> Result<(), Failure> {
    let row = operator
        .show_organization(id)
        .await?
        .ok_or_else(|| Failure::absent("org", id))?;
    let switches = operator.organization_capabilities(id).await?;
    let mut value = as_json(&row);
    value["capabilities"] = switches
        .iter()
        .map(|s| (s.capability.key().to_owned(), Value::from(s.enabled)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    output.print(&value, || {
        let state = |enabled| if enabled { "enabled" } else { "disabled" };
        let switches = switches.iter();
        let switches = switches.map(|s| (s.capability.key(), state(s.enabled).to_owned()));
        fields(&facts(&row).into_iter().chain(switches).collect::<Vec<_>>())
    })
}

fn parse_capability(key: &str) -> Result<ProductCapability, String> {
    ProductCapability::from_key(key).ok_or_else(|| {
        let all = ProductCapability::ALL.map(ProductCapability::key);
        format!("expected one of {}", all.join(", "))
    })
}

fn print(row: &OrganizationRow, output: Output) -> Result<(), Failure> {
    output.print(&as_json(row), || fields(&facts(row)))
}

/// With money in dollars, as everywhere.
fn as_json(row: &OrganizationRow) -> Value {
    let mut value = serde_json::to_value(row).unwrap_or(Value::Null);
    if let Some(members) = value.as_object_mut() {
        members.remove("paid_total");
        members.insert("paid_total_usd".to_owned(), row.paid_total.usd().into());
    }
    value
}

fn facts(row: &OrganizationRow) -> Vec<(&'static str, String)> {
    vec![
        ("id", row.id.to_string()),
        ("name", row.name.clone()),
        ("created", row.created_at.to_string()),
        ("archived", or_dash(row.archived_at)),
        ("billing", row.billing.to_string()),
        ("paid", row.paid_total.to_string()),
        ("tier", or_dash(row.tier.as_ref())),
    ]
}
