//! `GET /docs/errors`: the error codes as a page for people, each with its own anchor, where an error's
//! `docs_url` leads by default. Generated from the table that the API's description publishes.

use std::fmt::Write as _;

use gtm_domain::JobErrorCode;
use gtm_domain::job_error_code::{AnotherJob, PublishedJobError};

use crate::openapi::{Row, error_table};

pub(super) fn page() -> String {
    let table = error_table();
    let mut index = String::new();
    let mut sections = String::new();
    for row in table.rows() {
        let code = escaped(row.published.code);
        // Writing to a String does not fail.
        let _ = writeln!(index, "      <li><a href=\"#{code}\">{code}</a></li>");
        section(&mut sections, row);
    }
    let mut job_index = String::new();
    let mut job_sections = String::new();
    for row in JobErrorCode::all_published() {
        let code = escaped(row.code);
        let _ = writeln!(
            job_index,
            "      <li><a href=\"#job-{code}\">{code}</a></li>"
        );
        job_section(&mut job_sections, &row);
    }
    format!(
        "<!doctype html>
<html lang=\"en\">
  <head>
    <meta charset=\"utf-8\">
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
    <title>Error codes</title>
    <link rel=\"icon\" href=\"data:,\">
    <link rel=\"stylesheet\" href=\"errors.css\">
  </head>
  <body>
    <h1>Error codes</h1>
    <p>
      What <code>error.code</code> of an answer of this API means. Branch on the code, not on the status
      alone; treat a code that you do not know by its status. The codes of failed jobs
      <a href=\"#jobs\">stand below</a>. <code>error.message</code> says what was
      wrong with the very request, and <code>error.request_id</code> is what to quote when you report it.
      The whole API is described at <a href=\"../docs\">docs</a>.
    </p>
    <ul>
{index}    </ul>
{sections}    <h1 id=\"jobs\">Codes of failed jobs</h1>
    <p>
      What <code>error.code</code> of a job means whose <code>status</code> is <code>failed</code>. Such a
      job stays as it is: another attempt is another job, with an idempotency key of its own. Where the
      charge is <em>actual</em>, the job is charged what its provider calls cost that were settled before
      its end, and <code>usage.cost_usd</code> tells how much.
    </p>
    <ul>
{job_index}    </ul>
{job_sections}  </body>
</html>
"
    )
}

fn section(out: &mut String, row: &Row) {
    let published = row.published;
    let code = escaped(published.code);
    let statuses: Vec<String> = row.statuses.iter().map(u16::to_string).collect();
    let retry = if published.transient {
        "Yes: it may pass by itself. Repeat with bounded backoff and jitter."
    } else if published.retry.is_some() {
        "Yes, later: repeat the same request after a short delay. It is refused only until what is under way has ended."
    } else {
        "No: the same request is refused again until something changes."
    };
    let _ = writeln!(
        out,
        "    <section id=\"{code}\">
      <h2><code>{code}</code></h2>
      <dl>
        <dt>Status</dt><dd>{}</dd>
        <dt>When</dt><dd>{}</dd>
        <dt>What to do</dt><dd>{}</dd>
        <dt>Repeat it</dt><dd>{retry}</dd>
      </dl>
    </section>",
        statuses.join(", "),
        escaped(published.condition),
        escaped(published.action),
    );
}

fn job_section(out: &mut String, row: &PublishedJobError) {
    let code = escaped(row.code);
    let retry = match row.retry {
        AnotherJob::Yes => "Another job may succeed.",
        AnotherJob::Maybe => "Another job may succeed, though the cause may be the request.",
        AnotherJob::No => "Another job fails too until something changes.",
    };
    let _ = writeln!(
        out,
        "    <section id=\"job-{code}\">
      <h2><code>{code}</code></h2>
      <dl>
        <dt>When</dt><dd>{}</dd>
        <dt>What to do</dt><dd>{}</dd>
        <dt>Again</dt><dd>{retry}</dd>
        <dt>Charged</dt><dd>{}</dd>
      </dl>
    </section>",
        escaped(row.condition),
        escaped(row.action),
        escaped(row.billed.as_str()),
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
