//! `gtm suppression …`.

use clap::{Args, Subcommand};
use gtm_domain::ProjectId;
use gtm_domain::domain_name::DomainName;
use gtm_domain::outcome_ledger::import::{self, checked_source, instant, named};
use gtm_domain::outcome_ledger::{MailAddress, OutcomeKind, ReportedOutcome, Subject};
use gtm_store::{DoNotContact, LedgerCheck, OutcomesRecorded, PlatformListCheck, SuppressionMatch};
use serde_json::json;

use super::import_file::ImportFile;
use super::owner::require_project;
use super::prospecting::parse_address;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, note, or_dash, table};

/// A file with as many lines as may be imported at once is smaller.
const MAX_BYTES: u64 = 32 << 20;

/// Commands on outcome ledgers.
#[derive(Debug, Subcommand)]
pub enum SuppressionCommand {
    /// Import outcomes, such as unsubscribes, from a CSV file into a project's ledger
    ///
    /// The first line names the columns, in any order: kind, occurred_at, and address, domain, or person with domain;
    /// source is optional. Commas, semicolons or tabs separate them. Nothing of a file with a fault is imported. What the
    /// ledger says already is not entered again.
    ///
    /// Danger: nothing can be taken out of a ledger again. It keeps a keyed hash of whom a line names, never the name.
    #[command(after_help = "Example:
  gtm suppression import unsubscribes.csv --project PRJ --source newsletter\n
A file with all that may stand in it:
kind,address,domain,person,occurred_at,source
unsubscribe,sam@acme.example,,,2026-03-01T10:00:00Z,
objection,,quiet.example,,2026-03-02,letter
do_not_contact,,acme.example,Sam Okafor,2026-03-02,call\n
Kinds: unsubscribe, objection, complaint, do_not_contact, hard_bounce, soft_bounce; the last one stops no message.")]
    Import {
        /// CSV file; - for standard input
        file: ImportFile,
        /// Project whose ledger it is
        #[arg(long, value_name = "PRJ")]
        project: ProjectId,
        /// Source of lines that name none; kept for ever, so it must not name a person
        #[arg(long, value_name = "NAME", default_value = "csv import", value_parser = parse_source)]
        source: String,
    },
    /// Enter one outcome into a project's ledger
    ///
    /// Danger: nothing can be taken out of a ledger again.
    #[command(after_help = "Examples:
  gtm suppression add --project PRJ --kind unsubscribe --address sam@acme.example
  gtm suppression add --project PRJ --kind objection --domain quiet.example --source letter
  gtm suppression add --project PRJ --kind do_not_contact --person 'Sam Okafor' --domain acme.example")]
    Add {
        /// Project whose ledger it is
        #[arg(long, value_name = "PRJ")]
        project: ProjectId,
        /// What happened: unsubscribe, objection, complaint, do_not_contact, hard_bounce or soft_bounce
        #[arg(long, value_name = "KIND", value_parser = parse_kind)]
        kind: OutcomeKind,
        /// Whom it names
        #[command(flatten)]
        subject: SubjectOptions,
        /// When it happened: a day, or an instant of RFC 3339 [default: now]
        #[arg(long, value_name = "TIME")]
        occurred_at: Option<String>,
        /// Where it was learned; kept for ever, so it must not name a person
        #[arg(long, value_name = "NAME", default_value = "operator", value_parser = parse_source)]
        source: String,
    },
    /// Look up what speaks against writing to an address; exits with 1 if anything does
    ///
    /// Looks for the address itself, for its domain, and with --person and --company for the person, in the ledgers
    /// and on the platform's list. Soft bounces are shown and speak against nothing.
    ///
    /// Danger: entries that name a person by name and company are found only with --person and --company. A message to a
    /// prospect is checked against all of them.
    #[command(after_help = "Examples:
  gtm suppression check sam@acme.example
  gtm suppression check sam@acme.example --project PRJ
  gtm suppression check sam@acme.example --person 'Sam Okafor' --company acme.example")]
    Check {
        /// The address that is to be written to
        #[arg(value_parser = parse_address)]
        address: MailAddress,
        /// Look only into the ledger of this project, and on the platform's list [default: all projects]
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
        /// Name of the person whose address it is
        #[arg(long, value_name = "NAME", requires = "company")]
        person: Option<String>,
        /// Domain of the person's company
        #[arg(long, value_name = "DOMAIN", requires = "person")]
        company: Option<String>,
    },
    /// Check that no entry of the ledgers was changed or removed; exits with 1 if one was
    ///
    /// Every entry is chained to the one before by its hash. Danger: who can write the whole database can also write a
    /// ledger anew from its first entry; the audit log, whose heads can be kept elsewhere, holds its hashes as well.
    #[command(
        after_help = "Examples:\n  gtm suppression verify\n  gtm suppression verify --project PRJ"
    )]
    Verify {
        /// Check only the ledger of this project
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
    },
    /// Manage the platform's list of whom no project writes to
    #[command(subcommand)]
    Platform(PlatformCommand),
}

/// Commands on the platform's list.
#[derive(Debug, Subcommand)]
pub enum PlatformCommand {
    /// Put somebody on the list: no project writes to them any more
    ///
    /// Danger: nothing can be taken off the list again.
    #[command(after_help = "Examples:
  gtm suppression platform add --address sam@acme.example
  gtm suppression platform add --domain quiet.example --source letter")]
    Add {
        /// Whom it names
        #[command(flatten)]
        subject: SubjectOptions,
        /// Where it was learned; kept for ever, so it must not name a person
        #[arg(long, value_name = "NAME", default_value = "operator", value_parser = parse_source)]
        source: String,
    },
    /// List the entries, oldest first; whom each names is a keyed hash
    #[command(after_help = "Example:\n  gtm suppression platform list")]
    List,
}

/// Whom an entry names.
#[derive(Debug, Args)]
pub struct SubjectOptions {
    /// E-mail address
    #[arg(
        long,
        value_name = "ADDRESS",
        help = "The e-mail address that it names"
    )]
    address: Option<String>,
    /// Mail domain
    #[arg(
        long,
        value_name = "DOMAIN",
        help = "The mail domain that it names, or with --person the domain of the person's company"
    )]
    domain: Option<String>,
    /// Person
    #[arg(
        long,
        value_name = "NAME",
        help = "The person that it names, by name and company; needs --domain"
    )]
    person: Option<String>,
}

impl SubjectOptions {
    fn read(&self) -> Result<Subject, Failure> {
        let [address, domain, person] =
            [&self.address, &self.domain, &self.person].map(Option::as_deref);
        named(address, domain, person).map_err(|(option, fault)| match option {
            Some(option) => Failure::new(format!("--{option} {fault}")),
            None => Failure::new("give --address, --domain, or --person with --domain"),
        })
    }
}

fn parse_kind(text: &str) -> Result<OutcomeKind, String> {
    let all = OutcomeKind::ALL.map(OutcomeKind::as_str).join(", ");
    OutcomeKind::parse(text).ok_or_else(|| format!("expected one of {all}"))
}

fn parse_source(text: &str) -> Result<String, String> {
    checked_source(text).map_err(|fault| format!("it {fault}"))
}

/// Runs a command.
///
/// # Errors
/// If a file or a name has a fault, the store refuses, something speaks against writing, or a ledger does not hold.
pub async fn run(
    command: SuppressionCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        SuppressionCommand::Import {
            file,
            project,
            source,
        } => {
            require_project(&operator, Some(project)).await?;
            let bytes = file.read(MAX_BYTES)?;
            let now = installation.clock.now();
            let outcomes = import::read(&bytes, &source, now).map_err(|faults| {
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                Failure::new(format!("nothing was imported: {}", faults.join("; ")))
                    .hint("`gtm help suppression import` shows a file with all its columns")
            })?;
            print_recorded(operator.record_outcomes(project, outcomes).await?, output)
        }
        SuppressionCommand::Add {
            project,
            kind,
            subject,
            occurred_at,
            source,
        } => {
            require_project(&operator, Some(project)).await?;
            let now = installation.clock.now();
            let occurred_at = match occurred_at {
                None => now,
                Some(text) => instant(&text, now)
                    .map_err(|fault| Failure::new(format!("--occurred-at {fault}")))?,
            };
            let outcome = ReportedOutcome {
                kind,
                subject: subject.read()?,
                occurred_at,
                source,
            };
            let recorded = operator.record_outcomes(project, vec![outcome]).await?;
            print_recorded(recorded, output)
        }
        SuppressionCommand::Check {
            address,
            project,
            person,
            company,
        } => {
            require_project(&operator, project).await?;
            if let (Some(_), Some(_)) = (&person, &company) {
                // Says what is wrong with the name or the domain.
                let options = SubjectOptions {
                    address: None,
                    domain: company.clone(),
                    person: person.clone(),
                };
                options.read()?;
            }
            let company = company.map(|domain| domain.parse::<DomainName>());
            let company = company
                .transpose()
                .map_err(|fault| Failure::new(format!("--company {fault}")))?;
            let subjects = Subject::against(&address, person.as_deref(), company.as_ref());
            let found = operator.look_up_outcomes(project, &subjects).await?;
            print_check(&address, person.is_some(), &found, output)
        }
        SuppressionCommand::Verify { project } => {
            require_project(&operator, project).await?;
            let ledgers = operator.verify_outcome_ledgers(project).await?;
            let platform = match project {
                Some(_) => None,
                None => Some(operator.verify_do_not_contact().await?),
            };
            print_verified(&ledgers, platform.as_ref(), output)
        }
        SuppressionCommand::Platform(PlatformCommand::Add { subject, source }) => {
            let added = operator
                .add_do_not_contact(&[subject.read()?], &source)
                .await?;
            output.print(&json!({ "added": added }), || match added {
                0 => "the list names them already".to_owned(),
                _ => "no project writes to them any more".to_owned(),
            })
        }
        SuppressionCommand::Platform(PlatformCommand::List) => {
            let rows = operator.list_do_not_contact().await?;
            output.print(&json!({ "do_not_contact": rows }), || {
                let cells = |row: &DoNotContact| {
                    vec![
                        row.subject_type.as_str().to_owned(),
                        row.hmac.to_string(),
                        row.source.clone(),
                        row.added_by.clone(),
                        row.added_at.to_string(),
                    ]
                };
                table(
                    &["TYPE", "HASH", "SOURCE", "BY", "ADDED"],
                    &rows.iter().map(cells).collect::<Vec<_>>(),
                )
            })
        }
    }
}

fn print_recorded(recorded: OutcomesRecorded, output: Output) -> Result<(), Failure> {
    output.print(&json!(recorded), || {
        fields(&[
            ("added", recorded.added.to_string()),
            ("already known", recorded.already_known.to_string()),
            ("last entry", or_dash(recorded.sequence)),
        ])
    })
}

fn print_check(
    address: &MailAddress,
    for_person: bool,
    found: &[SuppressionMatch],
    output: Output,
) -> Result<(), Failure> {
    let against = found.iter().filter(|one| one.kind.suppresses()).count();
    let value = json!({
        "suppressed": against > 0,
        "looked_for_person": for_person,
        "matches": found,
    });
    if !for_person && against == 0 {
        note(
            "looked for the address and its domain, not for entries that name a person: give --person and --company too",
        );
    }
    output.print(&value, || {
        let cells = |one: &SuppressionMatch| {
            vec![
                one.project_id
                    .map_or_else(|| "platform".to_owned(), |id| id.to_string()),
                or_dash(one.environment.map(|environment| environment.as_str())),
                or_dash(one.sequence),
                one.kind.as_str().to_owned(),
                one.r#match.as_str().to_owned(),
                one.occurred_at.to_string(),
                one.source.clone(),
            ]
        };
        table(
            &[
                "LEDGER",
                "ENVIRONMENT",
                "ENTRY",
                "KIND",
                "NAMES",
                "OCCURRED",
                "SOURCE",
            ],
            &found.iter().map(cells).collect::<Vec<_>>(),
        )
    })?;
    if against > 0 {
        // Exit code 1, so that scripts can tell.
        return Err(Failure::new(format!(
            "{} must not be written to",
            address.masked()
        )));
    }
    Ok(())
}

fn print_verified(
    checks: &[LedgerCheck],
    platform: Option<&PlatformListCheck>,
    output: Output,
) -> Result<(), Failure> {
    let broken = checks.iter().filter(|check| check.breach.is_some()).count();
    let list_fault = platform.and_then(|list| list.fault.as_deref());
    let is_sound = broken == 0 && list_fault.is_none();
    let value = json!({ "sound": is_sound, "ledgers": checks, "platform_list": platform });
    output.print(&value, || {
        let cells = |check: &LedgerCheck| {
            let breach = check.breach.as_ref();
            vec![
                check.project_id.to_string(),
                check.environment.as_str().to_owned(),
                check.entries.to_string(),
                breach.map_or_else(
                    || "sound".to_owned(),
                    |breach| format!("entry {}: {}", breach.sequence, breach.fault),
                ),
            ]
        };
        let mut rows: Vec<_> = checks.iter().map(cells).collect();
        rows.extend(platform.map(|list| {
            let state = list.fault.clone().unwrap_or_else(|| "sound".to_owned());
            let (name, entries) = ("platform".to_owned(), list.entries.to_string());
            vec![name, or_dash(None::<&str>), entries, state]
        }));
        table(&["PROJECT", "ENVIRONMENT", "ENTRIES", "STATE"], &rows)
    })?;
    if let Some(fault) = list_fault {
        let told = Failure::new(format!("the platform's list does not hold: {fault}"));
        return Err(told.hint(
            "compare with a backup and with `gtm audit list --action do_not_contact.added`",
        ));
    }
    if broken > 0 {
        return Err(
            Failure::new(format!("{broken} of {} ledgers do not hold", checks.len())).hint(
                "compare with a backup and with `gtm audit list --action outcome_ledger.recorded`",
            ),
        );
    }
    Ok(())
}
