//! `gtm prospecting …`.

mod erased;
mod search;
mod view;

use std::time::Duration;

use clap::Subcommand;
use gtm_domain::domain_name::DomainName;
use gtm_domain::job::{JOB_RETENTION, Job, ListedJob};
use gtm_domain::outcome_ledger::{MailAddress, Subject};
use gtm_domain::prospecting::import::{csv_columns, read_csv, read_json};
use gtm_domain::prospecting::search::{SearchCountry, SearchInput};
use gtm_domain::prospecting::{Candidate, Decision, ImportTerms};
use gtm_domain::{Digest, JobId, JobType, KeyRecordId, ProjectId, ProspectId};
use gtm_store::{CandidatePage, JobFilter, Operator, ProspectImport, StoreError, Unread};
use serde_json::{Value, json};

use self::erased::{erased_text, is_complete};
use self::search::{Decided, parse_country};
use self::view::{job_json, listing, print_candidate, print_job};
use super::import_file::ImportFile;
use super::owner::require_project;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::json_input;
use crate::output::{Output, note};

/// A file with every list full is smaller.
const MAX_BYTES: u64 = 16 << 20;
/// Candidates that are read at a time; no file has more.
const ALL: u32 = 1000;
const DAY: Duration = Duration::from_secs(86_400);

/// A file with everything that may stand in it, for the help.
const EXAMPLE: &str = r#"{"synthetic": false, "candidates": [{
 "qualification": {"status": "accepted", "reason": "ICP match",
 "decided_at": "2026-03-01T12:10:00Z"},
 "person": {"first_name": "Sam", "full_name": "Sam Okafor",
 "role": "Head of operations"},
 "company": {"name": "Acme Estates", "domain": "acme-estates.example",
 "country": "GB", "legal_form": "limited_company",
 "industry": "Property", "location": "Leeds"},
 "address": "sam@acme-estates.example",
 "expires_at": null,
 "evidence": [
 {"kind": "address_provenance", "source_label": "Team page",
 "url": "https://acme-estates.example/team",
 "retrieved_at": "2026-03-01T12:00:00Z", "observed_on": "2026-03-01",
 "content": "<p>Sam Okafor, Head of operations</p>",
 "excerpt": "Sam Okafor, Head of operations",
 "address_source_class": "published_by_company"},
 {"kind": "lawful_basis", "source_label": "Assessment 12",
 "retrieved_at": "2026-03-01T12:00:00Z",
 "content_digest":
 "sha256:9999999999999999999999999999999999999999999999999999999999999999",
 "excerpt": "The interests were weighed.",
 "lawful_basis": "legitimate_interests"},
 {"kind": "personalization", "source_label": "News",
 "url": "https://acme-estates.example/news",
 "retrieved_at": "2026-03-01T12:00:00Z", "observed_on": "2026-02-28",
 "content_base64":
 "PHA+VGhlIENhbmFsIFN0cmVldCBibG9jayBvcGVucyBpbiBKdW5lLjwvcD4=",
 "excerpt": "The Canal Street block opens in June.",
 "hook": "Your March notice says the Canal Street block opens in June."
 }]}]}"#;

/// Commands on prospecting jobs.
#[derive(Debug, Subcommand)]
pub enum ProspectingCommand {
    /// Import reviewed candidates with their evidence, as a prospecting job
    ///
    /// The file is JSON, or CSV if its name ends with .csv or .tsv; standard input is JSON if it begins with a brace, and
    /// CSV otherwise. CSV has one line for each
    /// evidence record, with commas, semicolons or tabs between its fields; lines with the same address belong to one
    /// candidate. Nothing of a file with a fault is imported.
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
A file with all that may stand in it. Evidence has a content_digest, or the content itself, which the\nexcerpt must quote word for word; \u{2026} stands for words that are left out:\n{EXAMPLE}\n\n\
Columns of a CSV: {}", csv_columns().collect::<Vec<_>>().join(", ")))]
    Import {
        /// JSON or CSV file; - for standard input
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
    /// Have a connector search for people, as a prospecting job
    ///
    /// The connection that is bound to people.search is asked once, and people whose address at work it tells become
    /// candidates, each with the evidence that the provider's answer gives. Nobody has reviewed them: they are pending
    /// until `gtm prospecting qualify` accepts or rejects them. Whom the outcome ledger names is left out.
    ///
    /// Danger: a search costs what the provider charges for each person that it returns, whether it becomes a
    /// candidate or not. --limit is the most that it can be. The people are as real as the connector says; only one
    /// that is marked as making up its data finds made-up people.
    ///
    /// A worker (`gtm serve`) runs the job. Its candidates and the provider's answer go after 30 days.
    #[command(after_help = "Examples:
  gtm prospecting search PRJ --role 'head of operations' --company-domain acme-estates.example
  gtm prospecting search PRJ --role cfo --role 'finance director' --country GB --country IE --limit 25
  gtm prospecting search PRJ --company-domain acme-estates.example --expires-in-days 7")]
    Search {
        /// Project that the candidates are for
        #[arg(value_name = "PRJ")]
        project: ProjectId,
        /// Job title, in the words in which people state it; any of several
        #[arg(
            long = "role",
            value_name = "TITLE",
            required_unless_present = "company_domains"
        )]
        roles: Vec<String>,
        /// Domain of the company where they work; any of several
        #[arg(long = "company-domain", value_name = "DOMAIN")]
        company_domains: Vec<DomainName>,
        /// Country of the company's head office, ISO 3166-1 alpha-2 such as GB; any of several
        #[arg(long = "country", value_name = "CODE", value_parser = parse_country)]
        countries: Vec<SearchCountry>,
        /// Find at most this many people
        #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=100))]
        limit: u16,
        /// Days until the candidates expire [default: 30, when the job expires]
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u16).range(1..=30))]
        expires_in_days: Option<u16>,
        /// Key that the job is charged to; by default the project's newest active key
        #[arg(long, value_name = "KEY")]
        key: Option<KeyRecordId>,
    },
    /// Accept or reject a candidate
    ///
    /// The decision holds from now on, for messages too; the audit log records it. Another decision may follow it; to
    /// accept whom somebody rejected takes a reason.
    #[command(after_help = "Examples:
  gtm prospecting qualify JOB PRS --status accepted --reason 'ICP match'
  gtm prospecting qualify JOB PRS --status rejected --reason 'left the company'")]
    Qualify {
        /// The prospecting job's id
        #[arg(value_name = "JOB")]
        id: JobId,
        /// The candidate's id
        #[arg(value_name = "PRS")]
        prospect: ProspectId,
        /// What was decided
        #[arg(long, value_enum)]
        status: Decided,
        /// Why; it is shown by the API, so it must contain nobody's address
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
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
    /// With them goes every answer of a provider that a search has kept and in which the address stands; --json counts
    /// them. A search that has not ended does not store the person; what it received goes when it ends. Answers that are
    /// kept as files in `blob_dir` are deleted by a later sweep, an hour later at the earliest.
    ///
    /// Danger: this cannot be undone. Results of jobs that wrote to the person keep their decision and lose their text.
    /// What the outcome ledgers say about the address stays: they hold a keyed hash of
    /// it and nothing else, and without it the person would be written to again. An erasure keeps no list of whom it
    /// erased: with --suppress, the address also goes on the platform's list of whom nobody writes to, as a keyed hash,
    /// before anything is erased.
    ///
    /// Where an answer of a search cannot be read, nobody can say whether the person is in it: it stays, the command says
    /// so and exits with 1. Look first whether the data directory is the right one; then repeat the command, with
    /// --unreadable if the answers are lost for good. It also exits with 1 if searches ended faster than it could read
    /// them: repeat it, or leave them to the next sweep.
    #[command(after_help = "Example:\n  gtm prospecting erase sam@acme-estates.example")]
    Erase {
        /// The person's e-mail address
        #[arg(value_parser = parse_address)]
        address: MailAddress,
        /// Also erase the journals of searches whose answers cannot be read
        #[arg(long)]
        unreadable: bool,
        /// Also put the address on the platform's list, so that no search stores it and no project writes to it again
        #[arg(long)]
        suppress: bool,
    },
}

/// Where the platform's list says that an address comes from.
const SUPPRESSED_BY_ERASURE: &str = "erasure";

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
        ProspectingCommand::Search {
            project,
            roles,
            company_domains,
            countries,
            limit,
            expires_in_days,
            key,
        } => {
            let search =
                SearchInput::new(&roles, &company_domains, &countries, limit, expires_in_days)
                    .map_err(Failure::new)?;
            search::run(project, key, &search, installation, output).await
        }
        ProspectingCommand::Qualify {
            id,
            prospect,
            status,
            reason,
        } => {
            prospecting_job(&operator, id).await?;
            let decision = match status {
                Decided::Accepted => Decision::Accepted,
                Decided::Rejected => Decision::Rejected,
            };
            let decided = operator
                .qualify_prospect(id, prospect, decision, reason.as_deref())
                .await;
            let candidate = decided.map_err(|error| match error {
                StoreError::Absent { .. } => no_candidate(id, prospect),
                other => other.into(),
            })?;
            print_candidate(&candidate, None, output)
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
            let found = found.ok_or_else(|| no_candidate(id, prospect))?;
            let clear = match address {
                true => Some(operator.read_address(prospect).await?.in_clear()),
                false => None,
            };
            print_candidate(found, clear.as_deref(), output)
        }
        ProspectingCommand::Erase {
            address,
            unreadable,
            suppress,
        } => {
            // First: a search that ends meanwhile must not store the person either.
            if suppress {
                let subjects = [Subject::Address(address.clone())];
                let added = operator.add_do_not_contact(&subjects, SUPPRESSED_BY_ERASURE);
                added.await?;
            }
            let unread = match unreadable {
                true => Unread::Erase,
                false => Unread::Keep,
            };
            let erased = operator.erase_prospects(&address, unread).await?;
            let shown = json!({
                "erased": erased.candidates,
                "messages_erased": erased.messages,
                "answers_erased": erased.answers,
                "searches_under_way": erased.searches_under_way,
                "searches_unread": erased.searches_unread,
                "searches_pending": erased.searches_pending,
                "log_held": erased.log_held,
                "suppressed": suppress,
            });
            output.print(&shown, || match suppress {
                true => format!(
                    "{}\nno project writes to the address any more",
                    erased_text(&erased)
                ),
                false => erased_text(&erased),
            })?;
            is_complete(&erased)
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
        quotes: gtm_engine::quotation,
    };
    let name = file.name().to_lowercase();
    let is_csv = match file.is_standard_input() {
        true => !begins_like_json(&bytes),
        false => name.ends_with(".csv") || name.ends_with(".tsv"),
    };
    let (format, candidates) = if is_csv {
        ("csv", read_csv(&bytes, &terms))
    } else {
        let value = json_input::parse(&bytes).map_err(|error| {
            Failure::new(format!("{} is not JSON: {error}", file.name()))
                .hint("the name of a CSV file must end with .csv or .tsv")
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

/// Whether a text is JSON, if it is one of the two: no CSV begins with a brace.
fn begins_like_json(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
}

fn no_candidate(job: JobId, prospect: ProspectId) -> Failure {
    Failure::new(format!("job {job} has no candidate {prospect}")).hint(format!(
        "`gtm prospecting show {job}` shows those that it has"
    ))
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn standard_input_says_what_it_is() {
        for text in [&b"{}"[..], b" \n{", b"[", b"\xef\xbb\xbf{"] {
            assert!(begins_like_json(text), "{text:?}");
        }
        for text in [
            &b"address;kind\n"[..],
            b"\xef\xbb\xbfaddress",
            b"\"address\",kind",
        ] {
            assert!(!begins_like_json(text), "{text:?}");
        }
    }

    #[test]
    fn the_example_of_the_help_is_a_file_with_everything() {
        let value: Value = serde_json::from_str(EXAMPLE).unwrap();
        let now: gtm_domain::Timestamp = "2026-03-04T10:00:00Z".parse().unwrap();
        let terms = ImportTerms {
            synthetic: None,
            now,
            expires_at: now.plus(DAY),
            job_expires_at: now.plus(JOB_RETENTION),
            quotes: gtm_engine::quotation,
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
