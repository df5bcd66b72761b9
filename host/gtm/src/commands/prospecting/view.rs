//! How prospecting jobs and candidates are shown to operators.

use gtm_domain::job::Job;
use gtm_domain::prospecting::{Candidate, ProspectingResult, QualificationStatus};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{Output, fields, or_dash, table};

/// How many candidates the job has; nothing of one that has no result.
fn counts(job: &Job) -> ProspectingResult {
    let result = job.result.clone().unwrap_or_default();
    serde_json::from_value(result).unwrap_or_default()
}

pub(super) fn job_json(job: &Job) -> Value {
    json!({
        "id": job.id,
        "project_id": job.project,
        "key_id": job.key,
        "status": job.status,
        "input": job.input,
        "result": job.result,
        "error": job.error,
        "cost_usd": job.usage.cost.usd(),
        "created_at": job.created_at,
        "expires_at": job.expires_at,
    })
}

pub(super) fn listing(rows: &[Job]) -> String {
    let cells = |job: &Job| {
        let counts = counts(job);
        vec![
            job.id.to_string(),
            job.project.to_string(),
            job.status.as_str().to_owned(),
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
            "STATUS",
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

pub(super) fn print_job(
    job: &Job,
    candidates: &[Candidate],
    output: Output,
) -> Result<(), Failure> {
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

pub(super) fn print_candidate(
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
