//! `gtm org …`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Subcommand};
use gtm_domain::OrganizationId;
use gtm_domain::money::BillingMode;
use gtm_domain::tenant::{CapabilitySwitch, Organization};
use gtm_engine::job_types::implements;
use serde_json::{Value, json};

use super::api_names::with_api_names;
use super::name::parse_name;
use super::usage_tier::Standing;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

#[derive(Debug, Subcommand)]
pub enum OrganizationCommand {
    /// Create an organization
    ///
    /// An organization is the tenant: it owns projects, pays for their jobs, and has a usage tier.
    /// Prepaid ones can create jobs once they have credit (`gtm credit grant`).
    #[command(after_help = "Example:\n  gtm org create Acme --billing postpaid")]
    Create {
        /// Display name, 1 to 200 characters
        #[arg(value_parser = parse_name)]
        name: String,
        /// How it pays: prepaid spends credit that was granted to it; postpaid needs no credit
        #[arg(long, value_name = "MODE", default_value = "prepaid")]
        billing: BillingMode,
    },
    /// Change how an organization pays, or pin its usage tier
    ///
    /// A pinned tier applies whatever the organization has paid; `--tier none` returns to the one that
    /// it has earned. `gtm config check` lists the tiers.
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true).args(["billing", "tier"]),
        after_help = "Example:\n  gtm org update ORG --tier tier_3"
    )]
    Update {
        /// The organization's id
        #[arg(value_name = "ORG")]
        id: OrganizationId,
        /// How it pays from now on: prepaid or postpaid
        #[arg(long, value_name = "MODE")]
        billing: Option<BillingMode>,
        /// Key of a usage tier, or none to unpin it
        #[arg(long, value_name = "TIER")]
        tier: Option<String>,
    },
    /// List all organizations, oldest first
    #[command(after_help = "Example:\n  gtm org list")]
    List,
    /// Show an organization: billing, usage tier, and what it may use
    ///
    /// Money is in US dollars. The usage tier is the one that holds now; `next tier` says what the one
    /// after it asks for.
    #[command(after_help = "Example:\n  gtm org show ORG")]
    Show {
        /// The organization's id
        #[arg(value_name = "ORG")]
        id: OrganizationId,
    },
    /// Archive an organization with all its projects
    ///
    /// Danger: this cannot be undone. Its keys get 403 project_archived from then on, queued jobs are
    /// canceled, and running ones are asked to stop.
    #[command(after_help = "Example:\n  gtm org archive ORG")]
    Archive {
        /// The organization's id
        #[arg(value_name = "ORG")]
        id: OrganizationId,
    },
    /// Enable or disable the capabilities of an organization
    #[command(subcommand)]
    Capability(Capability),
}

/// Commands on what an organization may use.
#[derive(Debug, Subcommand)]
pub enum Capability {
    /// Enable a capability for an organization
    #[command(after_help = "Example:\n  gtm org capability enable ORG playbooks")]
    Enable {
        /// The organization's id
        #[arg(value_name = "ORG")]
        organization: OrganizationId,
        /// The capability's key
        #[arg(value_parser = capability())]
        capability: gtm_domain::Capability,
    },
    /// Disable a capability for an organization: its API keys then get 403 capability_disabled
    #[command(after_help = "Example:\n  gtm org capability disable ORG playbooks")]
    Disable {
        /// The organization's id
        #[arg(value_name = "ORG")]
        organization: OrganizationId,
        /// The capability's key
        #[arg(value_parser = capability())]
        capability: gtm_domain::Capability,
    },
}

/// Runs a command.
///
/// # Errors
/// If the store refuses, or the organization does not exist.
pub async fn run(
    command: OrganizationCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        OrganizationCommand::Create { name, billing } => {
            let mut row = operator.create_organization(&name).await?;
            if billing != row.billing {
                row = operator.set_billing(row.id, Some(billing), None).await?;
            }
            print(&row, installation, output)
        }
        OrganizationCommand::Update { id, billing, tier } => {
            let tier = tier.map(|key| (key != "none").then_some(key));
            let row = operator.set_billing(id, billing, tier).await?;
            print(&row, installation, output)
        }
        OrganizationCommand::Show { id } => show(id, installation, output).await,
        OrganizationCommand::Capability(command) => {
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
            show(id, installation, output).await
        }
        OrganizationCommand::Archive { id } => {
            let row = operator.archive_organization(id).await?;
            print(&row, installation, output)
        }
        OrganizationCommand::List => {
            let rows = operator.list_organizations().await?;
            let list: Vec<_> = rows.iter().map(|row| as_json(row, installation)).collect();
            output.print(&json!({ "organizations": list }), || {
                let cells = |r: &Organization| {
                    let now = installation.clock.now();
                    let tier = Standing::of(r, installation.store.tiers(), now);
                    vec![
                        r.id.to_string(),
                        r.name.clone(),
                        r.billing.to_string(),
                        tier.key().to_owned(),
                        r.created_at.to_string(),
                        or_dash(r.archived_at),
                    ]
                };
                table(
                    &["ID", "NAME", "BILLING", "TIER", "CREATED", "ARCHIVED"],
                    &rows.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
    }
}

/// Prints an organization and what it may use.
async fn show(
    id: OrganizationId,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    let row = operator
        .show_organization(id)
        .await?
        .ok_or_else(|| Failure::absent("org", id))?;
    let switches = operator.organization_capabilities(id).await?;
    let switches = switches.into_iter();
    let capabilities: Vec<_> = switches.map(|s| Usable::of(s, installation)).collect();
    let mut value = as_json(&row, installation);
    value["capabilities"] = capabilities.iter().map(Usable::json).collect();
    output.print(&value, || {
        let states = capabilities.iter().map(|c| (c.key(), c.state()));
        let facts = facts(&row, installation);
        fields(&facts.into_iter().chain(states).collect::<Vec<_>>())
    })
}

/// Whether an organization may use a capability, and what prevents it.
struct Usable {
    switch: CapabilitySwitch,
    implemented: bool,
    offered: bool,
}

impl Usable {
    fn of(switch: CapabilitySwitch, installation: &Installation) -> Self {
        let disabled = &installation.effective.configuration.disabled_capabilities;
        let key = switch.capability.key();
        Self {
            switch,
            implemented: implements(switch.capability.job_type()),
            offered: !disabled.iter().any(|c| c.0 == key),
        }
    }

    fn key(&self) -> &'static str {
        self.switch.capability.key()
    }

    /// As in `GET /v1/capabilities`: a create call is not answered with 403 `capability_disabled`.
    fn enabled(&self) -> bool {
        self.implemented && self.offered && self.switch.enabled
    }

    fn json(&self) -> Value {
        json!({
            "key": self.key(),
            "name": self.switch.capability.name(),
            "enabled": self.enabled(),
            "implemented": self.implemented,
            "offered": self.offered,
            "allowed": self.switch.enabled,
        })
    }

    fn state(&self) -> String {
        match self {
            Self {
                implemented: false, ..
            } => "not in this build".to_owned(),
            Self { offered: false, .. } => {
                "disabled by disabled_capabilities of the configuration".to_owned()
            }
            _ if self.switch.enabled => "enabled".to_owned(),
            _ => "disabled for this organization".to_owned(),
        }
    }
}

/// Reads the key of a capability; help lists them all.
fn capability() -> impl TypedValueParser<Value = gtm_domain::Capability> {
    use gtm_domain::Capability as C;
    let keys: Vec<_> = C::all().map(C::key).collect();
    PossibleValuesParser::new(keys).try_map(|key| C::from_key(&key).ok_or("no such capability"))
}

fn print(row: &Organization, installation: &Installation, output: Output) -> Result<(), Failure> {
    output.print(&as_json(row, installation), || {
        fields(&facts(row, installation))
    })
}

/// With money in dollars, and the usage tier that applies next to the one that an operator pinned.
fn as_json(row: &Organization, installation: &Installation) -> Value {
    let mut value = with_api_names(row);
    if let Some(members) = value.as_object_mut() {
        members.shift_remove("paid_total");
        members.shift_remove("tier");
        members.insert("paid_total_usd".to_owned(), row.paid_total.usd().into());
        members.insert("pinned_tier".to_owned(), json!(row.tier));
    }
    let now = installation.clock.now();
    Standing::of(row, installation.store.tiers(), now).add_to(&mut value);
    value
}

fn facts(row: &Organization, installation: &Installation) -> Vec<(&'static str, String)> {
    let standing = Standing::of(row, installation.store.tiers(), installation.clock.now());
    let mut facts = vec![
        ("id", row.id.to_string()),
        ("name", row.name.clone()),
        ("created", row.created_at.to_string()),
        ("archived", or_dash(row.archived_at)),
        ("billing", row.billing.to_string()),
        ("paid", row.paid_total.to_string()),
    ];
    facts.extend(standing.facts(row));
    facts
}
