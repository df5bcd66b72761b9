//! `gtm offer …`.

use clap::Subcommand;
use gtm_domain::offer::{OfferInput, OfferText, RevisedOffer};
use gtm_domain::{OfferId, OrganizationId};
use serde_json::{Value, json};

use super::import_file::ImportFile;
use super::name::parse_name;
use super::offer_file;
use super::owner::require_organization;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, one_line, or_dash, table};

/// A file with everything that may stand in it, for the help.
const EXAMPLE: &str = "\
key: submetering-handover
name: Handover-ready sub-metering
summary: Meters installed before handover, one bill per flat.
url: https://www.metering.example/handover
facts:
- {key: battery, text: 'The battery lasts ten years, without a change.'}
value_propositions:
- {key: one-bill, text: 'One bill per flat, from day one.'}
proof_points:
- {key: flats, text: '18,000 flats billed monthly', numeric_values: ['18,000'],
 source_url: 'https://www.metering.example/customers'}
pricing: {model: per_unit_month, currency: GBP, display: from £3.20 per flat, disclose_in_copy: true}
icp: {segments: [build-to-rent], roles: [head of operations], countries: [GB],
 employee_ranges: ['51-200'], exclusions: [owners of a single house]}
stage_fit: [prospecting, evaluation]
allowed_link_hosts: [www.metering.example]
forbidden_claims: [guaranteed savings]";

#[derive(Debug, Subcommand)]
pub enum OfferCommand {
    /// Create an offer from a file, as a draft
    ///
    /// An offer says what an organization sells, in words and numbers that a person has approved. Nothing uses it
    /// before `gtm offer approve`. Its key is unique in the organization and never changes.
    #[command(after_help = format!("Examples:
  gtm offer create --org ORG offer.yaml
  gtm offer create --org ORG - < offer.json\n\nA file with all that may stand in it; key and name must:\n{EXAMPLE}"))]
    Create {
        /// Organization that sells it
        #[arg(long, value_name = "ORG")]
        org: OrganizationId,
        /// JSON or YAML file; - for standard input
        file: ImportFile,
    },
    /// Add a revision to an offer from a file, as a draft
    ///
    /// The file replaces all that the offer says. The approved revision stays in use until the new one is approved.
    /// A file that says what the newest revision says adds none.
    #[command(after_help = "Example:\n  gtm offer revise OFFR offer.yaml")]
    Revise {
        /// The offer's id
        #[arg(value_name = "OFFR")]
        id: OfferId,
        /// JSON or YAML file; - for standard input
        file: ImportFile,
    },
    /// Approve the newest revision of an offer: jobs created from now on use it
    #[command(after_help = "Example:\n  gtm offer approve OFFR --revision 2 --by Ada")]
    Approve {
        /// The offer's id
        #[arg(value_name = "OFFR")]
        id: OfferId,
        /// The revision that was read; refused if there is a newer one
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        revision: Option<u64>,
        /// Who approved it; by default whoever runs this command
        #[arg(long, value_name = "NAME", value_parser = parse_name)]
        by: Option<String>,
    },
    /// Archive an offer for good
    ///
    /// It stays readable, and jobs that exist keep the revision that they were created with. Danger: playbooks are
    /// refused with offer_archived as long as it is bound; `gtm binding create` binds another one or none.
    #[command(after_help = "Example:\n  gtm offer archive OFFR")]
    Archive {
        /// The offer's id
        #[arg(value_name = "OFFR")]
        id: OfferId,
    },
    /// List the offers that are not archived, newest first
    #[command(after_help = "Example:\n  gtm offer list --org ORG")]
    List {
        /// Show only offers of this organization
        #[arg(long, value_name = "ORG")]
        org: Option<OrganizationId>,
        /// List archived offers instead
        #[arg(long)]
        archived: bool,
    },
    /// Show an offer in its newest revision, approved or not
    #[command(after_help = "Examples:
  gtm offer show OFFR
  gtm offer show OFFR --revision 1")]
    Show {
        /// The offer's id
        #[arg(value_name = "OFFR")]
        id: OfferId,
        /// Revision to show; by default the newest
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        revision: Option<u64>,
    },
}

/// Runs a command.
///
/// # Errors
/// If the file is no offer, the store refuses, or there is no such offer.
pub async fn run(
    command: OfferCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        OfferCommand::Create { org, file } => {
            let OfferInput { key, content } = offer_file::read(&file)?;
            let key = key.ok_or_else(|| {
                Failure::new("the offer is not valid: /key is required")
                    .hint("a key is lower-case letters, digits and single hyphens within")
            })?;
            print(&operator.create_offer(org, key, content).await?, output)
        }
        OfferCommand::Revise { id, file } => {
            let OfferInput { key, content } = offer_file::read(&file)?;
            print(&operator.revise_offer(id, key, content).await?, output)
        }
        OfferCommand::Approve { id, revision, by } => {
            let by = by.unwrap_or_else(|| installation.operator_name.clone());
            print(&operator.approve_offer(id, revision, &by).await?, output)
        }
        OfferCommand::Archive { id } => print(&operator.archive_offer(id).await?, output),
        OfferCommand::List { org, archived } => {
            require_organization(&operator, org).await?;
            let rows = operator.list_offers(org, archived).await?;
            output.print(
                &json!({ "offers": rows.iter().map(as_json).collect::<Vec<_>>() }),
                || listing(&rows),
            )
        }
        OfferCommand::Show { id, revision } => {
            let found = operator.show_offer(id, revision).await?;
            let found = match (found, revision) {
                (Some(found), _) => found,
                (None, Some(revision)) => {
                    let newest = operator.show_offer(id, None).await?;
                    let newest = newest.ok_or_else(|| Failure::absent("offer", id))?;
                    return Err(Failure::new(format!(
                        "offer {id} has no revision {revision}; the newest is {}",
                        newest.offer.revision
                    )));
                }
                (None, None) => return Err(Failure::absent("offer", id)),
            };
            print(&found, output)
        }
    }
}

/// An offer as the API shows it, with the members that only operators see.
fn as_json(row: &RevisedOffer) -> Value {
    let mut value = json!(gtm_api::routes::OfferEnvelope::from(row.clone()));
    value["approved_revision"] = json!(row.offer.approved_revision);
    value["newest_revision"] = json!(row.offer.revision);
    value
}

fn listing(rows: &[RevisedOffer]) -> String {
    let cells = |row: &RevisedOffer| {
        vec![
            row.offer.id.to_string(),
            row.offer.key.to_string(),
            row.revision.content.name.clone(),
            row.offer.status().as_str().to_owned(),
            row.offer.revision.to_string(),
            or_dash(row.offer.approved_revision),
        ]
    };
    table(
        &["ID", "KEY", "NAME", "STATUS", "REVISION", "APPROVED"],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

fn print(row: &RevisedOffer, output: Output) -> Result<(), Failure> {
    output.print(&as_json(row), || shown(row))
}

/// Everything in the offer, for people.
fn shown(row: &RevisedOffer) -> String {
    let RevisedOffer { offer, revision } = row;
    let content = &revision.content;
    let approval = revision.approval.as_ref();
    let list = |texts: &[String]| or_dash((!texts.is_empty()).then(|| texts.join(", ")));
    let stages = content
        .stage_fit
        .iter()
        .map(|stage| stage.as_str().to_owned());
    let stages: Vec<String> = stages.collect();
    let price = content.pricing.as_ref().map(|price| {
        let mut told = format!("{} ({}", price.display, price.model);
        if let Some(currency) = &price.currency {
            told.push_str(&format!(", {currency}"));
        }
        told + if price.disclose_in_copy {
            ")"
        } else {
            ", not disclosed in texts)"
        }
    });
    let mut out = fields(&[
        ("id", offer.id.to_string()),
        ("organization", offer.organization.to_string()),
        ("key", offer.key.to_string()),
        ("status", offer.status().as_str().to_owned()),
        ("newest revision", offer.revision.to_string()),
        ("approved revision", or_dash(offer.approved_revision)),
        ("shown revision", revision.revision.to_string()),
        ("hash", revision.hash.to_string()),
        ("approved by", or_dash(approval.map(|a| &a.by))),
        ("approved", or_dash(approval.map(|a| a.at))),
        ("name", content.name.clone()),
        ("summary", or_dash(content.summary.as_ref())),
        ("url", or_dash(content.url.as_ref())),
        ("price", or_dash(price)),
        ("stages", list(&stages)),
        ("segments", list(&content.icp.segments)),
        ("roles", list(&content.icp.roles)),
        ("countries", list(&content.icp.countries)),
        ("employees", list(&content.icp.employee_ranges)),
        ("not for", list(&content.icp.exclusions)),
        ("may link to", list(&content.allowed_link_hosts)),
        ("created", offer.created_at.to_string()),
        ("updated", offer.updated_at.to_string()),
    ]);
    let lines = |texts: &[OfferText]| {
        let line = |it: &OfferText| format!("{}: {}", it.key, it.text);
        texts.iter().map(line).collect::<Vec<_>>()
    };
    let proof = content.proof_points.iter().map(|it| {
        let numbers = it.numeric_values.join(", ");
        let numbers = Some(format!("; numbers that may be repeated: {numbers}"));
        let numbers = numbers.filter(|_| !it.numeric_values.is_empty());
        let source = it.source_url.as_deref().unwrap_or("no source");
        format!(
            "{}: {} ({source}{})",
            it.key,
            it.text,
            numbers.unwrap_or_default()
        )
    });
    for (heading, lines) in [
        ("facts", lines(&content.facts)),
        ("value propositions", lines(&content.value_propositions)),
        ("proof points", proof.collect()),
        ("forbidden claims", content.forbidden_claims.clone()),
    ] {
        if lines.is_empty() {
            continue;
        }
        out.push_str(&format!("\n{heading}\n"));
        for line in lines {
            out.push_str(&format!("  {}\n", one_line(&line)));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::offer_file::parse;
    use super::*;

    #[test]
    fn the_example_of_the_help_is_an_offer_with_everything() {
        let value = parse(EXAMPLE).unwrap();
        let OfferInput { key, content } = OfferInput::read(&value).unwrap();
        assert_eq!(key.unwrap().as_str(), "submetering-handover");
        let said = serde_json::to_value(&content).unwrap();
        for (member, value) in said.as_object().unwrap() {
            let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            assert!(!empty, "{member}");
        }
    }
}
