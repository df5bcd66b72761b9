//! What the host tells of a document on its way: repaired colours, files and what renderers found.

use std::collections::BTreeMap;

use gtm_document_model::Theme;
use gtm_domain::Timestamp;
use gtm_domain::document::{DocumentFormat, Milestone};
use serde_json::Value;

use super::super::JobRun;
use super::super::cited::unreadable;
use crate::ending::Ending;
use crate::journal::JournaledHost;
use crate::timeline::MAX_REPORTS;

/// Most repaired colours that are told one by one.
const MAX_REPAIRS: usize = 10;
/// Most kinds of diagnostics of one file that are told.
const MAX_KINDS: usize = 8;
/// Longest code of a diagnostic.
const CODE_CHARS: usize = 64;
/// Longest message of a diagnostic in characters.
const MESSAGE_CHARS: usize = 200;

/// Tells which colours of the brand were changed so that they can be read.
pub(super) async fn tell_theme(host: &JournaledHost, percent: u8, theme: &Theme) {
    for repair in theme.repairs.iter().take(MAX_REPAIRS) {
        let message = format!(
            "The brand's colour {} ({}) is hard to read on {}, so {} stands in its place.",
            repair.from,
            repair.role.replace('_', " "),
            ground_in_words(&repair.against),
            repair.to,
        );
        host.tell(percent, "theme.contrast", &message).await;
    }
    if let Some(more) = theme
        .repairs
        .len()
        .checked_sub(MAX_REPAIRS)
        .filter(|more| *more > 0)
    {
        let message = format!("{more} more colours were changed so that they can be read.");
        host.tell(percent, "theme.contrast", &message).await;
    }
}

/// The ground of a colour, as somebody calls it who sees the document.
fn ground_in_words(ground: &str) -> String {
    match ground {
        "background" => "the page".to_owned(),
        "surface" => "the boxes of the page".to_owned(),
        other => other.replace('_', " "),
    }
}

/// Tells that a file is made.
pub(super) async fn tell_file(
    host: &JournaledHost,
    percent: u8,
    format: DocumentFormat,
    pages: Option<u64>,
) {
    let kind = format.as_str().to_uppercase();
    let message = match (pages, format) {
        (Some(1), DocumentFormat::Pptx) => format!("The {kind} is made: 1 slide."),
        (Some(pages), DocumentFormat::Pptx) => format!("The {kind} is made: {pages} slides."),
        (Some(1), _) => format!("The {kind} is made: 1 page."),
        (Some(pages), _) => format!("The {kind} is made: {pages} pages."),
        (None, _) => format!("The {kind} is made."),
    };
    host.tell(percent, "render", &message).await;
}

/// Tells that a copy could not be made.
pub(super) async fn tell_missing(
    host: &JournaledHost,
    percent: u8,
    format: DocumentFormat,
    code: &str,
) {
    let kind = format.as_str().to_uppercase();
    let message = format!("The copy in {kind} could not be made: {code}.");
    host.tell(percent, "render.failed", &message).await;
}

/// Tells what a renderer found, once for each kind.
pub(super) async fn tell_diagnostics(
    host: &JournaledHost,
    percent: u8,
    format: DocumentFormat,
    answer: &Value,
) {
    for (code, message) in diagnostics(format, answer) {
        host.tell(percent, &code, &message).await;
    }
}

fn diagnostics(format: DocumentFormat, answer: &Value) -> Vec<(String, String)> {
    let listed = answer.get("diagnostics").and_then(Value::as_array);
    let mut kinds: BTreeMap<String, (String, usize)> = BTreeMap::new();
    for diagnostic in listed.into_iter().flatten() {
        let text = |member: &str| diagnostic.get(member).and_then(Value::as_str);
        let plain = |code: &&str| {
            (1..=CODE_CHARS).contains(&code.len())
                && code
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        };
        let Some(code) = text("code").filter(plain) else {
            continue;
        };
        let message = gtm_page_text::normalize(text("message").unwrap_or_default());
        let message: String = message.chars().take(MESSAGE_CHARS).collect();
        let (_, count) = kinds.entry(code.to_owned()).or_insert((message, 0));
        *count += 1;
    }
    let told = kinds
        .into_iter()
        .take(MAX_KINDS)
        .map(|(code, (message, count))| {
            let kind = format.as_str().to_uppercase();
            let more = match count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            let message = match message.is_empty() {
                true => code.replace('_', " "),
                false => message,
            };
            (format!("render.{code}"), format!("{kind}: {message}{more}"))
        });
    told.collect()
}

/// The milestones of the job with the times of their events, which a resumed run does not repeat.
pub(super) async fn told(run: &JobRun, host: &JournaledHost) -> Result<Vec<Milestone>, Ending> {
    let told = host.milestones().await;
    let mut times: BTreeMap<u64, Timestamp> = BTreeMap::new();
    if let Some(leased) = &run.leased {
        let (scope, job) = (leased.lease.scope(), run.job.id);
        let events = leased.store.job_events(&scope, job, 0, MAX_REPORTS).await;
        let events = events.map_err(unreadable)?.unwrap_or_default();
        times.extend(events.into_iter().map(|event| (event.ordinal, event.at)));
    }
    let now = run.clock.now();
    let milestone = |told: crate::journal::reports::ToldMilestone| Milestone {
        at: times.get(&told.ordinal).copied().unwrap_or(now),
        code: told.code,
        message: told.message,
        percent: told.percent,
    };
    Ok(told.into_iter().map(milestone).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_kind_of_diagnostic_is_told_once() {
        let answer = json!({"pages": 3, "diagnostics": [
            {"code": "overflow", "pointer": "/sections/1", "message": "A text did not fit."},
            {"code": "overflow", "pointer": "/sections/2", "message": "Another text did not fit."},
            {"code": "missing_glyph", "pointer": "/sections/2", "message": ""},
            {"code": "Buy now!", "message": "at evil.example"},
            "no diagnostic",
        ]});
        assert_eq!(
            diagnostics(DocumentFormat::Pptx, &answer),
            [
                (
                    "render.missing_glyph".to_owned(),
                    "PPTX: missing glyph".to_owned()
                ),
                (
                    "render.overflow".to_owned(),
                    "PPTX: A text did not fit. (2 times)".to_owned()
                ),
            ]
        );
        assert_eq!(diagnostics(DocumentFormat::Pdf, &json!({"pages": 1})), []);
    }
}
