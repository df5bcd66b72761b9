//! `gtm prospecting …`.

use std::time::Duration;

use clap::Subcommand;
use gtm_domain::job::{JOB_RETENTION, Job, ListedJob};
use gtm_domain::outcome_ledger::MailAddress;
use gtm_domain::prospecting::import::{csv_columns, read_csv, read_json};
use gtm_domain::prospecting::{Candidate, ImportTerms, ProspectingResult, QualificationStatus};
use gtm_domain::{Digest, JobId, JobType, KeyRecordId, ProjectId, ProspectId};
use gtm_store::{CandidatePage, JobFilter, Operator, ProspectImport};
use serde_json::{Value, json};

use super::import_file::ImportFile;
use super::owner::require_project;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, note, or_dash, table};

/// A file with every list full is smaller.
const MAX_BYTES: u64 = 16 << 20;
/// Candidates that are read at a time; no file has more.
const ALL: u32 = 1000;
const DAY: Duration = Duration::from_secs(86_400);

/// A file with everything that may stand in it, for the help.
const EXAMPLE: &str = r#"{"synthetic": false, "candidates": [{
 "qualification": {"status": "accepted", "reason": "ICP match", "decided_at": "2026-03-01T12:10:00Z"},
 "person": {"first_name": "Sam", "full_name": "Sam Okafor", "role": "Head of operations"},
 "company": {"name": "Acme Estates", "domain": "acme-estates.example", "country": "GB",
 "legal_form": "limited_company", "industry": "Property", "location": "Leeds"},
 "address": "sam@acme-estates.example",
 "expires_at": null,
 "evidence": [
 {"kind": "address_provenance", "url": "https://acme-estates.example/team", "source_label": "Team page",
 "retrieved_at": "2026-03-01T12:00:00Z", "observed_on": "2026-03-01", "content": "<html>the page</html>",
 "excerpt": "Sam Okafor, Head of operations", "address_source_class": "published_by_company"},
 {"kind": "lawful_basis", "source_label": "Assessment 12", "retrieved_at": "2026-03-01T12:00:00Z",
 "content_digest": "sha256:9999999999999999999999999999999999999999999999999999999999999999",
 "excerpt": "The interests were weighed.", "lawful_basis": "legitimate_interests"},
 {"kind": "personalization", "url": "https://acme-estates.example/news", "source_label": "News",
 "retrieved_at": "2026-03-01T12:00:00Z", "observed_on": "2026-02-28", "content_base64": "PGh0bWw+",
 "excerpt": "The Canal Street block opens in June.",
 "hook": "Your March notice says the Canal Street block opens in June."}]}]}"#;

/// Commands on prospecting jobs.
#[derive(Debug, Subcommand)]
pub enum ProspectingCommand {
    /// Import reviewed candidates with their evidence, as a prospecting job
    ///
    /// The file is JSON, or CSV if its name ends with .csv; standard input is JSON. CSV has one line for each
    /// evidence record; lines with the same address belong to one candidate. Nothing of a file with a fault is
    /// imported.
    ///
    /// Danger: say whether the people are made up. Messages to made-up people are only ever demonstrations, and a
    /// real person must not be imported as a made-up one. There is no default: --synthetic, the file or each candidate
    /// must say so.
    ///
    /// Addresses are stored encrypted and are never shown by the API. The job is charged to a key of the project,
    /// costs nothing, and goes with all of its candidates after 30 days.
    #[command(after_help = format!("Examples:
  gtm prospecting import candidates.json --project PRJ --synthetic false
  gtm prospecting import candidates.csv --project PRJ --synthetic true --expires-in-days 7\n\n\
A file with all that may stand in it. Evidence has a content_digest, or the content itself:\n{EXAMPLE}\n\n\
Columns of a CSV: {}", csv_columns().collect::<Vec<_>>().join(", ")))]
    Import {
        /// JSON or CSV file; - for JSON from standard input
        file: ImportFile,
        /// Project that the candidates are for
        #[arg(long, value_name = "PRJ")]
        project: ProjectId,
        /// Whether the people in the file are made up, if the file does not say so
        #[arg(long, value_name = "true|false")]
        synthetic: Option<bool>,
        /// Days until candidates expire that do not say so themselves [default: 30, when the job expires]
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u16).range(1..=30))]
        expires_in_days: Option<u16>,
        /// Key that the job is charged to; by default the project's newest active key
        #[arg(long, value_name = "KEY")]
        key: Option<KeyRecordId>,
    },
    /// List prospecting jobs that have not expired, newest first
    #[command(after_help = "Example:\n  gtm prospecting list --project PRJ")]
    List {
        /// Show only jobs of this project
        #[arg(long, value_name = "PRJ")]
        project: Option<ProjectId>,
        /// At most this many jobs
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
    },
    /// Show the candidates of a prospecting job, or one of them with its evidence
    ///
    /// Addresses are masked. --address also prints the address of the candidate in clear; the audit log records who
    /// read it.
    #[command(after_help = "Examples:
  gtm prospecting show JOB
  gtm prospecting show JOB --prospect PRS
  gtm prospecting show JOB --prospect PRS --address")]
    Show {
        /// The job's id
        #[arg(value_name = "JOB")]
        id: JobId,
        /// Candidate to show with its evidence
        #[arg(long, value_name = "PRS")]
        prospect: Option<ProspectId>,
        /// Print the candidate's address in clear; this is recorded
        #[arg(long, requires = "prospect")]
        address: bool,
    },
    /// Erase a person's candidates with their evidence and the texts written to them, in all projects
    ///
    /// Danger: this cannot be undone. Results of jobs that wrote to the person keep their decision and lose their text.
    /// What the outcome ledgers say about the address stays: they hold a keyed hash of
    /// it and nothing else, and without it the person would be written to again. To keep a person who asks for an
    /// erasure from being imported and written to again, first run `gtm suppression add`.
    #[command(after_help = "Example:\n  gtm prospecting erase sam@acme-estates.example")]
    Erase {
        /// The person's e-mail address
        #[arg(value_parser = parse_address)]
        address: MailAddress,
    },
}

/// Reads an address.
pub(super) fn parse_address(text: &str) -> Result<MailAddress, String> {
    text.parse().map_err(|fault| format!("it {fault}"))
}

/// Runs a command.
///
/// # Errors
/// If the file has faults, the store refuses, or there is no such job or candidate.
pub async fn run(
    command: ProspectingCommand,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    match command {
        ProspectingCommand::Import {
            file,
            project,
            synthetic,
            expires_in_days,
            key,
        } => {
            require_project(&operator, Some(project)).await?;
            let import = read(&file, synthetic, expires_in_days, installation)?;
            let job = operator.import_prospects(project, key, import).await;
            let job = job.map_err(|error| {
                Failure::from(error)
                    .hint("`gtm key list` shows the project's keys, `gtm quota list` its quotas")
            })?;
            print_job(&job, &candidates(&operator, &job).await?, output)
        }
        ProspectingCommand::List { project, limit } => {
            require_project(&operator, project).await?;
            let filter = JobFilter {
                job_type: Some(JobType::Prospecting),
                limit,
                ..JobFilter::default()
            };
            let rows: Vec<Job> = operator
                .list_jobs(project, &filter)
                .await?
                .into_iter()
                .filter_map(|row| match row {
                    ListedJob::Job(row) => Some(row.job),
                    ListedJob::Unreadable { id, damage, .. } => {
                        note(&format!("job {id} cannot be read: {damage}"));
                        None
                    }
                })
                .filter(|job| !job.expired)
                .collect();
            let list: Vec<Value> = rows.iter().map(job_json).collect();
            output.print(&json!({ "prospecting_jobs": list }), || listing(&rows))
        }
        ProspectingCommand::Show {
            id,
            prospect,
            address,
        } => {
            let job = prospecting_job(&operator, id).await?;
            let all = candidates(&operator, &job).await?;
            let Some(prospect) = prospect else {
                return print_job(&job, &all, output);
            };
            let found = all.iter().find(|candidate| candidate.id == prospect);
            let found = found.ok_or_else(|| {
                Failure::new(format!("job {id} has no candidate {prospect}")).hint(format!(
                    "`gtm prospecting show {id}` shows those that it has"
                ))
            })?;
            let clear = match address {
                true => Some(operator.read_address(prospect).await?.in_clear()),
                false => None,
            };
            print_candidate(found, clear.as_deref(), output)
        }
        ProspectingCommand::Erase { address } => {
            let erased = operator.erase_prospects(&address).await?;
            output.print(&json!({ "erased": erased }), || match erased {
                1 => "1 candidate was erased".to_owned(),
                erased => format!("{erased} candidates were erased"),
            })
        }
    }
}

fn read(
    file: &ImportFile,
    synthetic: Option<bool>,
    expires_in_days: Option<u16>,
    installation: &Installation,
) -> Result<ProspectImport, Failure> {
    let bytes = file.read(MAX_BYTES)?;
    let now = installation.clock.now();
    let job_expires_at = now.plus(JOB_RETENTION);
    let terms = ImportTerms {
        synthetic,
        now,
        expires_at: expires_in_days.map_or(job_expires_at, |days| now.plus(DAY * u32::from(days))),
        job_expires_at,
    };
    let is_csv = file.name().to_lowercase().ends_with(".csv");
    let (format, candidates) = if is_csv {
        ("csv", read_csv(&bytes, &terms))
    } else {
        let value = serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(format!("{} is not JSON: {error}", file.name()))
                .hint("the name of a CSV file must end with .csv")
        })?;
        ("json", read_json(&value, &terms))
    };
    let candidates = candidates.map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure::new(format!("nothing was imported: {}", faults.join("; ")))
            .hint("`gtm help prospecting import` shows a file with all its members")
    })?;
    Ok(ProspectImport {
        candidates,
        format,
        file: Digest::of(&bytes),
    })
}

async fn prospecting_job(operator: &Operator, id: JobId) -> Result<Job, Failure> {
    let none =
        |told: String| Failure::new(told).hint("`gtm prospecting list` shows those that exist");
    let found = operator.show_job(id).await?;
    let found = found.ok_or_else(|| none(format!("prospecting job {id} does not exist")))?;
    let job = found.job;
    if job.job_type != JobType::Prospecting {
        let what = job.job_type.as_str();
        return Err(none(format!("job {id} is of type {what}, not prospecting")));
    }
    if job.expired {
        return Err(none(format!(
            "job {id} expired at {}, and its candidates with it",
            job.expires_at
        )));
    }
    Ok(job)
}

async fn candidates(operator: &Operator, job: &Job) -> Result<Vec<Candidate>, Failure> {
    let page = CandidatePage {
        after: None,
        limit: ALL,
    };
    Ok(operator.list_candidates(job.project, job.id, page).await?)
}

/// How many candidates the job has; nothing of one that has no result.
fn counts(job: &Job) -> ProspectingResult {
    let result = job.result.clone().unwrap_or_default();
    serde_json::from_value(result).unwrap_or_default()
}

fn job_json(job: &Job) -> Value {
    json!({
        "id": job.id,
        "project_id": job.project,
        "key_id": job.key,
        "status": job.status,
        "input": job.input,
        "result": job.result,
        "created_at": job.created_at,
        "expires_at": job.expires_at,
    })
}

fn listing(rows: &[Job]) -> String {
    let cells = |job: &Job| {
        let counts = counts(job);
        vec![
            job.id.to_string(),
            job.project.to_string(),
            counts.candidates.to_string(),
            counts.accepted.to_string(),
            counts.rejected.to_string(),
            counts.pending.to_string(),
            counts.synthetic.to_string(),
            job.expires_at.to_string(),
        ]
    };
    table(
        &[
            "ID",
            "PROJECT",
            "CANDIDATES",
            "ACCEPTED",
            "REJECTED",
            "PENDING",
            "SYNTHETIC",
            "EXPIRES",
        ],
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

const fn status(status: QualificationStatus) -> &'static str {
    match status {
        QualificationStatus::Accepted => "accepted",
        QualificationStatus::Rejected => "rejected",
        QualificationStatus::Pending => "pending",
    }
}

fn print_job(job: &Job, candidates: &[Candidate], output: Output) -> Result<(), Failure> {
    let mut value = job_json(job);
    value["candidates"] = json!(candidates);
    output.print(&value, || {
        let cells = |candidate: &Candidate| {
            vec![
                candidate.id.to_string(),
                or_dash(candidate.person.full_name.as_ref()),
                or_dash(candidate.company.name.as_ref()),
                candidate.address.masked.clone(),
                status(candidate.qualification.status).to_owned(),
                candidate.synthetic.to_string(),
                candidate.evidence.len().to_string(),
                candidate.expires_at.to_string(),
            ]
        };
        let headings = [
            "ID",
            "NAME",
            "COMPANY",
            "ADDRESS",
            "QUALIFICATION",
            "SYNTHETIC",
            "EVIDENCE",
            "EXPIRES",
        ];
        let rows: Vec<_> = candidates.iter().map(cells).collect();
        let about = fields(&[
            ("job", job.id.to_string()),
            ("project", job.project.to_string()),
            ("charged to", job.key.to_string()),
            ("expires", job.expires_at.to_string()),
        ]);
        format!("{about}\n{}", table(&headings, &rows))
    })
}

fn print_candidate(
    candidate: &Candidate,
    clear: Option<&str>,
    output: Output,
) -> Result<(), Failure> {
    let mut value = json!(candidate);
    if let Some(clear) = clear {
        value["address"]["in_clear"] = json!(clear);
    }
    output.print(&value, || {
        let (person, company) = (&candidate.person, &candidate.company);
        let address = clear.unwrap_or(&candidate.address.masked).to_owned();
        let qualification = &candidate.qualification;
        let about = fields(&[
            ("id", candidate.id.to_string()),
            ("job", candidate.job_id.to_string()),
            ("synthetic", candidate.synthetic.to_string()),
            ("qualification", status(qualification.status).to_owned()),
            ("reason", or_dash(qualification.reason.as_ref())),
            ("decided", or_dash(qualification.decided_at)),
            ("name", or_dash(person.full_name.as_ref())),
            ("first name", or_dash(person.first_name.as_ref())),
            ("role", or_dash(person.role.as_ref())),
            ("company", or_dash(company.name.as_ref())),
            ("domain", or_dash(company.domain.as_ref())),
            ("country", or_dash(company.country.as_ref())),
            ("legal form", or_dash(company.legal_form.as_ref())),
            ("industry", or_dash(company.industry.as_ref())),
            ("location", or_dash(company.location.as_ref())),
            ("address", address),
            ("expires", candidate.expires_at.to_string()),
        ]);
        let rows: Vec<Vec<String>> = candidate
            .evidence
            .iter()
            .map(|record| {
                let kind = json!(record.kind).as_str().unwrap_or_default().to_owned();
                let source = record.url.as_ref().or(record.source_label.as_ref());
                vec![
                    record.id.to_string(),
                    kind,
                    record.retrieved_at.to_string(),
                    or_dash(source),
                    record.hook.as_ref().unwrap_or(&record.excerpt).clone(),
                ]
            })
            .collect();
        let headings = ["EVIDENCE", "KIND", "RETRIEVED", "SOURCE", "SAYS"];
        format!("{about}\n{}", table(&headings, &rows))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_example_of_the_help_is_a_file_with_everything() {
        let value: Value = serde_json::from_str(EXAMPLE).unwrap();
        let now: gtm_domain::Timestamp = "2026-03-04T10:00:00Z".parse().unwrap();
        let terms = ImportTerms {
            synthetic: None,
            now,
            expires_at: now.plus(DAY),
            job_expires_at: now.plus(JOB_RETENTION),
        };
        let read = read_json(&value, &terms).unwrap();
        assert_eq!(read[0].evidence.len(), 3);
        let company = serde_json::to_value(&read[0].company).unwrap();
        assert!(
            company
                .as_object()
                .unwrap()
                .values()
                .all(|member| !member.is_null())
        );
    }
}
