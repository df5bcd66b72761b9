//! `gtm project …`.

use clap::Subcommand;
use gtm_domain::{OrganizationId, ProjectId};
use gtm_store::ProjectRow;
use serde_json::{Value, json};

use super::parse_name;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

/// Commands on projects.
#[derive(Debug, Subcommand)]
pub enum Project {
    /// Make one
    Create {
        /// Organization that it belongs to
        #[arg(long, value_name = "ORG")]
        org: OrganizationId,
        /// Name for people
        #[arg(value_parser = parse_name)]
        name: String,
    },
    /// List all, or those of one organization
    List {
        /// Only this organization's
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
    },
    /// Show one
    Show {
        /// Its id
        id: ProjectId,
    },
    /// Archive one: its keys are refused, its queued jobs canceled, its running jobs asked to stop
    Archive {
        /// Its id
        id: ProjectId,
    },
}

/// Run one.
///
/// # Errors
/// If the store refuses, or the project does not exist.
pub async fn run(
    command: Project,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        Project::Create { org, name } => print(&operator.create_project(org, &name).await?, output),
        Project::Show { id } => print(
            &operator
                .show_project(id)
                .await?
                .ok_or_else(|| Failure::absent("project", id))?,
            output,
        ),
        Project::Archive { id } => print(&operator.archive_project(id).await?, output),
        Project::List { org } => {
            let rows = operator.list_projects(org).await?;
            output.print(&json!({ "projects": rows }), || {
                let cells = |r: &ProjectRow| {
                    vec![
                        r.id.to_string(),
                        r.organization.to_string(),
                        r.name.clone(),
                        r.created_at.to_string(),
                        or_dash(r.archived_at),
                    ]
                };
                table(
                    &["ID", "ORGANIZATION", "NAME", "CREATED", "ARCHIVED"],
                    &rows.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
    }
}

fn print(row: &ProjectRow, output: Output) -> Result<(), Failure> {
    let value = serde_json::to_value(row).unwrap_or(Value::Null);
    output.print(&value, || {
        fields(&[
            ("id", row.id.to_string()),
            ("organization", row.organization.to_string()),
            ("name", row.name.clone()),
            ("created", row.created_at.to_string()),
            ("archived", or_dash(row.archived_at)),
        ])
    })
}
