//! `gtm template …`: an organization's own PPTX or DOCX, whose look its documents have.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, Subcommand};
use gtm_domain::document::{DocumentFormat, DocumentTemplate};
use gtm_domain::{DocumentTemplateId, OrganizationId, ProjectId};
use gtm_ooxml::template::{Kind, MAX_BYTES, Template};
use serde_json::{Value, json};

use super::name::parse_name;
use super::owner::require_organization;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, or_dash, table};

#[derive(Debug, Subcommand)]
pub enum TemplateCommand {
    /// Register a PPTX or DOCX as the template of documents
    ///
    /// The slide masters, layouts and theme of a PPTX carry the slides of documents; the styles, theme, header, footer
    /// and page of a DOCX carry their pages. The file is checked first: one with macros, with references to other
    /// files, or that is larger than it should be, is refused. It takes the place of the template of the same format
    /// that the organization or project has; jobs that exist keep theirs.
    #[command(after_help = "Examples:
  gtm template add --org ORG company.pptx
  gtm template add --project PRJ letter.docx --name 'Letter 2026'")]
    Add {
        #[command(flatten)]
        whose: Whose,
        /// The template; its name ends with .pptx or .docx
        file: PathBuf,
        /// Its name for people; by default that of the file
        #[arg(long, value_name = "NAME", value_parser = parse_name)]
        name: Option<String>,
    },
    /// List the templates in use, newest first
    #[command(after_help = "Example:\n  gtm template list --org ORG")]
    List {
        /// Show only templates of this organization
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// List those that are not used any more instead
        #[arg(long)]
        removed: bool,
    },
    /// Show a template
    #[command(after_help = "Example:\n  gtm template show TMPL")]
    Show {
        /// The template's id
        #[arg(value_name = "TMPL")]
        id: DocumentTemplateId,
    },
    /// Remove a template: documents created from now on do not have its look
    #[command(after_help = "Example:\n  gtm template remove TMPL")]
    Remove {
        /// The template's id
        #[arg(value_name = "TMPL")]
        id: DocumentTemplateId,
    },
}

/// Whose template it is.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("whose").required(true).args(["org", "project"]))]
pub struct Whose {
    /// For all projects of this organization
    #[arg(long, value_name = "ORG")]
    org: Option<OrganizationId>,
    /// For this project alone, before that of its organization
    #[arg(long, value_name = "PRJ")]
    project: Option<ProjectId>,
}

/// Runs a command.
///
/// # Errors
/// If the file is no template, the store refuses, or there is no such template.
pub async fn run(
    command: TemplateCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        TemplateCommand::Add { whose, file, name } => {
            let (format, bytes) = checked(&file)?;
            let organization = match (whose.org, whose.project) {
                (Some(organization), _) => organization,
                (None, Some(project)) => {
                    let found = operator.show_project(project).await?;
                    let found = found.ok_or_else(|| Failure::absent("project", project))?;
                    found.organization
                }
                // The grammar allows no such command.
                (None, None) => return Err(Failure::new("give --org or --project")),
            };
            let name = name.unwrap_or_else(|| file_name(&file));
            let made = operator
                .add_template(organization, whose.project, format, &name, bytes.into())
                .await?;
            print(&made, output)
        }
        TemplateCommand::List { org, removed } => {
            require_organization(&operator, org).await?;
            let rows = operator.list_templates(org, removed).await?;
            let listed = json!({ "templates": rows.iter().map(as_json).collect::<Vec<_>>() });
            output.print(&listed, || listing(&rows))
        }
        TemplateCommand::Show { id } => {
            let found = operator.show_template(id).await?;
            print(
                &found.ok_or_else(|| Failure::absent("template", id))?,
                output,
            )
        }
        TemplateCommand::Remove { id } => print(&operator.remove_template(id).await?, output),
    }
}

/// The format of a file that can be a template.
pub(super) fn format_of(path: &Path) -> Option<(DocumentFormat, Kind)> {
    let end = path.extension()?.to_str()?;
    let known = [
        (DocumentFormat::Pptx, Kind::Presentation),
        (DocumentFormat::Docx, Kind::Document),
    ];
    known
        .into_iter()
        .find(|(format, _)| end.eq_ignore_ascii_case(format.as_str()))
}

/// Reads a template, and says why it is none.
pub(super) fn checked(path: &Path) -> Result<(DocumentFormat, Vec<u8>), Failure> {
    let (format, kind) = format_of(path).ok_or_else(|| {
        Failure::new(format!("{} is no template", path.display()))
            .hint("its name must end with .pptx or .docx")
    })?;
    let cannot = |error| Failure::new(format!("cannot read {}: {error}", path.display()));
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    let file = File::open(path).map_err(cannot)?;
    file.take(most).read_to_end(&mut bytes).map_err(cannot)?;
    Template::read(&bytes, kind)
        .map_err(|why| Failure::new(format!("{} is no template: {why}", path.display())))?;
    Ok((format, bytes))
}

fn file_name(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain = name.chars().filter(|c| !c.is_control()).take(100);
    plain.collect()
}

fn as_json(row: &DocumentTemplate) -> Value {
    json!({
        "id": row.id,
        "organization": row.organization,
        "project": row.project,
        "format": row.format,
        "name": row.name,
        "digest": row.digest,
        "size_bytes": row.size_bytes,
        "created_at": row.created_at,
        "removed_at": row.removed_at,
    })
}

fn listing(rows: &[DocumentTemplate]) -> String {
    let cells = |row: &DocumentTemplate| {
        vec![
            row.id.to_string(),
            row.format.as_str().to_owned(),
            row.name.clone(),
            row.organization.to_string(),
            or_dash(row.project),
            row.size_bytes.to_string(),
            row.created_at.to_string(),
        ]
    };
    table(
        &[
            "ID",
            "FORMAT",
            "NAME",
            "ORGANIZATION",
            "PROJECT",
            "BYTES",
            "CREATED",
        ],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

fn print(row: &DocumentTemplate, output: Output) -> Result<(), Failure> {
    output.print(&as_json(row), || {
        fields(&[
            ("id", row.id.to_string()),
            ("organization", row.organization.to_string()),
            ("project", or_dash(row.project)),
            ("format", row.format.as_str().to_owned()),
            ("name", row.name.clone()),
            ("digest", row.digest.to_string()),
            ("bytes", row.size_bytes.to_string()),
            ("created", row.created_at.to_string()),
            ("removed", or_dash(row.removed_at)),
        ])
    })
}
