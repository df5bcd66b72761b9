//! `GET /docs/errors`: the error codes as a page to read, each at an anchor of its own, where
//! `docs_url` of an error leads by default. Written from the table that the API's description
//! publishes.

use std::fmt::Write as _;

use crate::openapi::{Row, error_table};

/// The page.
pub(super) fn page() -> String {
    let table = error_table();
    let mut index = String::new();
    let mut sections = String::new();
    for row in table.rows() {
        let code = escaped(&row.code);
        // Writing to a String does not fail.
        let _ = writeln!(index, "      <li><a href=\"#{code}\">{code}</a></li>");
        section(&mut sections, row);
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
      alone; treat a code that you do not know by its status. <code>error.message</code> says what was
      wrong with the very request, and <code>error.request_id</code> is what to quote when you report it.
      The whole API is described at <a href=\"../docs\">docs</a>.
    </p>
    <ul>
{index}    </ul>
{sections}  </body>
</html>
"
    )
}

fn section(out: &mut String, row: &Row) {
    let code = escaped(&row.code);
    let statuses: Vec<String> = row.statuses.iter().map(u16::to_string).collect();
    let retry = if row.transient {
        "Yes: it may pass by itself. Repeat with bounded backoff and jitter."
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
        <dt>Transient</dt><dd>{retry}</dd>
      </dl>
    </section>",
        statuses.join(", "),
        escaped(&row.condition),
        escaped(&row.action),
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
