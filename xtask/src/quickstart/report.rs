//! Renders a finished job for a person to read.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

/// The result of a succeeded job, and the evidence behind it.
pub fn render(job: &Value) -> String {
    let result = &job["result"];
    let mut out = String::new();
    let target = &result["target"];
    let name = target["company"]
        .as_str()
        .or_else(|| target["domain"].as_str())
        .unwrap_or("the company");
    heading(&mut out, &format!("Playbook for {name}"));
    match result["business_summary"].as_str() {
        Some(summary) => paragraph(&mut out, summary, 2),
        None => line(&mut out, "(no summary: nothing on the pages supports one)"),
    }
    list(&mut out, "Sales angles", &texts(&result["sales_angles"]));
    list(&mut out, "Company", &profile(&result["company_profile"]));
    list(
        &mut out,
        "What each page says, in its own words",
        &digest(&result["site_digest"]),
    );
    list(&mut out, "Evidence", &evidence(result));
    let risks: Vec<String> = array(&result["risks"])
        .filter_map(|risk| Some(format!("{}: {}", text(risk, "kind")?, text(risk, "text")?)))
        .collect();
    list(&mut out, "Risks and unknowns", &risks);
    list(&mut out, "Usage", &[usage(job)]);
    out
}

/// What a succeeded documents job made, and how.
pub fn render_document(job: &Value) -> String {
    let result = &job["result"];
    let mut out = String::new();
    heading(&mut out, text(result, "title").unwrap_or("Document"));
    let files: Vec<String> = array(&result["files"])
        .filter_map(|file| {
            let size = file["size_bytes"].as_u64().unwrap_or(0);
            Some(format!("{} ({size} bytes)", text(file, "filename")?))
        })
        .collect();
    list(&mut out, "Files", &files);
    let told: Vec<String> = array(&result["progress"])
        .filter_map(|milestone| text(milestone, "message").map(str::to_owned))
        .collect();
    list(&mut out, "How it was made", &told);
    list(&mut out, "Usage", &[usage(job)]);
    out
}

/// The message of a failed job.
pub fn render_failure(job: &Value) -> String {
    let error = &job["error"];
    format!(
        "the job {}: {}: {}",
        text(job, "status").unwrap_or("ended"),
        text(error, "code").unwrap_or("no code"),
        text(error, "message").unwrap_or("no message")
    )
}

/// The same two calls as `curl` commands. They read the key from the state file, so that it does not appear
/// on the screen again and again. `body` is quoted already.
pub fn curl_commands(base: &str, state: &Path, path: &str, body: &str, job_id: &str) -> String {
    format!(
        "export GTM_KEY=\"$(sed -n 's/.*\"key\": \"\\(.*\\)\".*/\\1/p' {})\"\n\
         KEY=$(uuidgen || cat /proc/sys/kernel/random/uuid)\n\
         curl -sS {base}{path} -H \"Authorization: Bearer $GTM_KEY\" \\\n  \
           -H 'Content-Type: application/json' -H \"Idempotency-Key: $KEY\" \\\n  \
           -d {body}\n\
         curl -sS {base}/v1/jobs/{job_id} -H \"Authorization: Bearer $GTM_KEY\"\n",
        quoted(&state.display().to_string())
    )
}

/// A text as one argument of a shell: `'\''` ends the quotation, adds a single quote, and begins a new quotation.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The `curl` commands that research the playbook's company as a brand. The job's answer names the brand.
pub fn brand_commands(base: &str, input: &Value) -> String {
    let domain = text(input, "target_company_domain").unwrap_or_default();
    format!(
        "KEY=$(uuidgen || cat /proc/sys/kernel/random/uuid)\n\
         BRAND=\"$(curl -sS {base}/v1/brands -H \"Authorization: Bearer $GTM_KEY\" \\\n  \
           -H 'Content-Type: application/json' -H \"Idempotency-Key: $KEY\" \\\n  \
           -d '{{\"website_url\": \"https://{domain}/\"}}' |\n  \
           sed -n 's/.*\"brand_profile_id\": *\"\\([^\"]*\\)\".*/\\1/p')\"\n\
         curl -sS {base}/v1/brands/$BRAND -H \"Authorization: Bearer $GTM_KEY\"\n\
         # once its research_status is ready:\n\
         curl -sS {base}/v1/brands/$BRAND/guideline -H \"Authorization: Bearer $GTM_KEY\" \\\n  \
           -H 'Accept: text/markdown'\n"
    )
}

fn profile(profile: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for (member, label) in [
        ("industry", "Industry"),
        ("business_model", "Business model"),
        ("employee_range", "Employees"),
        ("headquarters", "Headquarters"),
    ] {
        if let Some(value) = text(profile, member) {
            lines.push(format!("{label}: {value}"));
        }
    }
    for (member, label) in [
        ("offerings", "Offers"),
        ("markets", "Markets"),
        ("particulars", "Particulars"),
    ] {
        let values = texts(&profile[member]);
        if !values.is_empty() {
            lines.push(format!("{label}: {}", values.join("; ")));
        }
    }
    lines
}

/// What each page says: its name once, and below it the headings with their texts.
fn digest(entries: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    let mut above = None;
    for entry in array(entries) {
        let page = text(entry, "page").unwrap_or("(no name)");
        if above != Some(page) {
            lines.push(page.to_owned());
            above = Some(page);
        }
        let said = text(entry, "text").unwrap_or_default();
        lines.push(match text(entry, "heading") {
            Some(heading) => format!("    {heading}: {said}"),
            None => format!("    {said}"),
        });
    }
    lines
}

/// Each source with its excerpts, and each excerpt with the statements that it supports.
fn evidence(result: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    for source in array(&result["sources"]) {
        let url = text(source, "final_url")
            .or_else(|| text(source, "url"))
            .unwrap_or("?");
        let title = text(source, "title").unwrap_or("");
        lines.push(format!("{url}  {title}").trim_end().to_owned());
        for excerpt in array(&source["excerpts"]) {
            let (Some(id), Some(quoted)) = (text(excerpt, "id"), text(excerpt, "text")) else {
                continue;
            };
            let carries: Vec<&str> = array(&result["basis"])
                .filter(|basis| array(&basis["excerpt_ids"]).any(|excerpt_id| excerpt_id == id))
                .filter_map(|basis| text(basis, "pointer"))
                .collect();
            lines.push(format!("    “{quoted}” → {}", carries.join(", ")));
        }
    }
    lines
}

fn usage(job: &Value) -> String {
    let usage = &job["usage"];
    let number = |member: &str| usage[member].as_u64().unwrap_or(0);
    format!(
        "{} tokens, {:.6} USD, {} provider requests, {} ms of backend time; job {}",
        number("tokens"),
        usage["cost_usd"].as_f64().unwrap_or(0.0),
        number("backend_requests"),
        number("backend_runtime_ms"),
        text(job, "id").unwrap_or("?")
    )
}

fn text<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value[member].as_str()
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn texts(value: &Value) -> Vec<String> {
    array(value)
        .filter_map(|item| item.as_str().map(str::to_owned))
        .collect()
}

fn heading(out: &mut String, title: &str) {
    let _ = writeln!(out, "\n{title}\n{}", "─".repeat(title.chars().count()));
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "  {text}");
}

fn list(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    heading(out, title);
    for item in items {
        // An indented item belongs to the one above it.
        let bullet = if item.starts_with(' ') { "" } else { "- " };
        paragraph(out, &format!("{bullet}{item}"), 2);
    }
}

/// Breaks a text into lines of at most 100 characters. All lines keep the indentation of the first one; those
/// of a list item are also indented by the width of its bullet.
fn paragraph(out: &mut String, text: &str, indent: usize) {
    const WIDTH: usize = 100;
    let own = text.len() - text.trim_start().len();
    let first = " ".repeat(indent + own);
    let hanging = if text.starts_with("- ") { 2 } else { 0 };
    let other = " ".repeat(indent + own + hanging);
    let mut line = first;
    for word in text.split_whitespace() {
        let empty = line.trim().is_empty();
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(out, "{line}");
            line.clone_from(&other);
        } else if !empty {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(out, "{line}");
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn a_result_is_shown_with_its_evidence() {
        let job = json!({
            "id": "job_1", "status": "succeeded",
            "usage": {"tokens": 12, "cost_usd": 0.0015, "backend_requests": 3, "backend_runtime_ms": 40},
            "result": {
                "target": {"company": "Acme", "domain": "acme.example"},
                "business_summary": "Acme makes anvils.",
                "sales_angles": ["Anvils wear out."],
                "company_profile": {"industry": "Metal", "offerings": ["Anvils", "Hammers"], "markets": []},
                "risks": [{"kind": "unknown", "text": "No prices found."}],
                "basis": [{"pointer": "/business_summary", "excerpt_ids": ["ex_01"]}],
                "sources": [{"final_url": "http://acme.example/", "title": "Acme",
                             "excerpts": [{"id": "ex_01", "text": "We make anvils"}]}],
            },
        });
        let shown = render(&job);
        for part in [
            "Acme makes anvils.",
            "Anvils wear out.",
            "Offers: Anvils; Hammers",
            "“We make anvils” → /business_summary",
            "unknown: No prices found.",
            "12 tokens, 0.001500 USD",
        ] {
            assert!(shown.contains(part), "{part} is not in\n{shown}");
        }
    }

    #[test]
    fn the_commands_survive_a_quote_in_the_input() {
        let shown = curl_commands(
            "http://h",
            Path::new("quickstart.json"),
            "/v1/playbooks",
            &quoted(r#"{"target_company":"O'Neil"}"#),
            "job_1",
        );
        assert!(
            shown.contains(r#"{"target_company":"O'\''Neil"}"#),
            "{shown}"
        );
    }
}
