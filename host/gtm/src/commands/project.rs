//! `gtm project …`.

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use gtm_domain::message::compliance::Environment;
use gtm_domain::tenant::Project;
use gtm_domain::{OrganizationId, ProjectId};
use serde_json::json;

use super::api_names::with_api_names;
use super::name::parse_name;
use super::owner::require_organization;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

#[derive(Debug, Subcommand)]
pub enum ProjectCommand {
    /// Create a project in an organization
    ///
    /// A project owns API keys, connections, jobs and their usage. Use a separate project for
    /// development, staging and production: its environment never changes, and neither does the outcome ledger that
    /// belongs to it.
    #[command(after_help = "Examples:
  gtm project create --org ORG main
  gtm project create --org ORG --environment staging tests")]
    Create {
        /// Organization that owns the project
        #[arg(long, value_name = "ORG")]
        org: OrganizationId,
        /// What its messages are for: production, staging or development
        #[arg(long, value_name = "ENVIRONMENT", default_value = "production",
            value_parser = PossibleValuesParser::new(Environment::ALL.map(Environment::as_str))
                .try_map(|name| name.parse::<Environment>()))]
        environment: Environment,
        /// Display name, 1 to 200 characters
        #[arg(value_parser = parse_name)]
        name: String,
    },
    /// List all projects, or those of one organization, oldest first
    #[command(after_help = "Example:\n  gtm project list --org ORG")]
    List {
        /// Show only projects of this organization
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
    },
    /// Show a project
    #[command(after_help = "Example:\n  gtm project show PRJ")]
    Show {
        /// The project's id
        #[arg(value_name = "PRJ")]
        id: ProjectId,
    },
    /// Archive a project
    ///
    /// Danger: this cannot be undone. Its keys get 403 project_archived from then on, queued jobs are
    /// canceled, and running ones are asked to stop.
    #[command(after_help = "Example:\n  gtm project archive PRJ")]
    Archive {
        /// The project's id
        #[arg(value_name = "PRJ")]
        id: ProjectId,
    },
}

/// Runs a command.
///
/// # Errors
/// If the store refuses, or the project does not exist.
pub async fn run(
    command: ProjectCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        ProjectCommand::Create {
            org,
            environment,
            name,
        } => print(
            &operator.create_project_in(org, &name, environment).await?,
            output,
        ),
        ProjectCommand::Show { id } => print(
            &operator
                .show_project(id)
                .await?
                .ok_or_else(|| Failure::absent("project", id))?,
            output,
        ),
        ProjectCommand::Archive { id } => print(&operator.archive_project(id).await?, output),
        ProjectCommand::List { org } => {
            require_organization(&operator, org).await?;
            let rows = operator.list_projects(org).await?;
            let list: Vec<_> = rows.iter().map(with_api_names).collect();
            output.print(&json!({ "projects": list }), || {
                let cells = |r: &Project| {
                    vec![
                        r.id.to_string(),
                        r.organization.to_string(),
                        r.name.clone(),
                        r.environment.as_str().to_owned(),
                        r.created_at.to_string(),
                        or_dash(r.archived_at),
                    ]
                };
                table(
                    &[
                        "ID",
                        "ORGANIZATION",
                        "NAME",
                        "ENVIRONMENT",
                        "CREATED",
                        "ARCHIVED",
                    ],
                    &rows.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
    }
}

fn print(row: &Project, output: Output) -> Result<(), Failure> {
    output.print(&with_api_names(row), || {
        fields(&[
            ("id", row.id.to_string()),
            ("organization", row.organization.to_string()),
            ("name", row.name.clone()),
            ("environment", row.environment.as_str().to_owned()),
            ("created", row.created_at.to_string()),
            ("archived", or_dash(row.archived_at)),
        ])
    })
}
