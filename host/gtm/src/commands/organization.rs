//! `gtm org …`.

use clap::Subcommand;
use gtm_domain::OrganizationId;
use gtm_store::OrganizationRow;
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
        Organization::Create { name } => print(&operator.create_organization(&name).await?, output),
        Organization::Show { id } => print(
            &operator
                .show_organization(id)
                .await?
                .ok_or_else(|| Failure::absent("org", id))?,
            output,
        ),
        Organization::Archive { id } => print(&operator.archive_organization(id).await?, output),
        Organization::List => {
            let rows = operator.list_organizations().await?;
            output.print(&json!({ "organizations": rows }), || {
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
            })
        }
    }
}

fn print(row: &OrganizationRow, output: Output) -> Result<(), Failure> {
    let value = serde_json::to_value(row).unwrap_or(Value::Null);
    output.print(&value, || {
        fields(&[
            ("id", row.id.to_string()),
            ("name", row.name.clone()),
            ("created", row.created_at.to_string()),
            ("archived", or_dash(row.archived_at)),
        ])
    })
}
