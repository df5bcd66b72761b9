//! What the host tells of a document on its way: repaired colours, files and what renderers found.

use std::collections::BTreeMap;

use gtm_document_model::Theme;
use gtm_domain::Timestamp;
use gtm_domain::document::{DocumentFormat, Milestone};
use serde_json::Value;

use super::super::JobRun;
use super::super::cited::unreadable;
use super::texts;
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
pub(super) async fn tell_theme(host: &JournaledHost, percent: u8, language: &str, theme: &Theme) {
    for message in repairs(language, theme) {
        host.tell(percent, "theme.contrast", &message).await;
    }
}

fn repairs(language: &str, theme: &Theme) -> Vec<String> {
    let one_by_one = theme.repairs.iter().take(MAX_REPAIRS);
    let mut told: Vec<String> = one_by_one
        .filter_map(|repair| {
            let name = match repair.against.as_str() {
                "background" => "repaired_on_page",
                "surface" => "repaired_on_boxes",
                _ => "repaired_elsewhere",
            };
            let (from, to) = (repair.from.to_string(), repair.to.to_string());
            let role = repair.role.replace('_', " ");
            let ground = repair.against.replace('_', " ");
            let places: [(&str, &str); 4] = [
                ("from", &from),
                ("role", &role),
                ("ground", &ground),
                ("to", &to),
            ];
            texts::said(name, language, &places)
        })
        .collect();
    let more = theme.repairs.len().saturating_sub(MAX_REPAIRS);
    if more > 0 {
        let count = more.to_string();
        told.extend(texts::said("more_repaired", language, &[("count", &count)]));
    }
    told
}

/// Tells that a file is made.
pub(super) async fn tell_file(
    host: &JournaledHost,
    percent: u8,
    language: &str,
    format: DocumentFormat,
    pages: Option<u64>,
) {
    let name = match (pages, format) {
        (Some(1), DocumentFormat::Pptx) => "made_one_slide",
        (Some(_), DocumentFormat::Pptx) => "made_slides",
        (Some(1), _) => "made_one_page",
        (Some(_), _) => "made_pages",
        (None, _) => "made",
    };
    let kind = format.as_str().to_uppercase();
    let count = pages.unwrap_or_default().to_string();
    let places: [(&str, &str); 2] = [("kind", &kind), ("count", &count)];
    if let Some(message) = texts::said(name, language, &places) {
        host.tell(percent, "render", &message).await;
    }
}

/// Tells that a copy could not be made.
pub(super) async fn tell_missing(
    host: &JournaledHost,
    percent: u8,
    language: &str,
    format: DocumentFormat,
    code: &str,
) {
    let kind = format.as_str().to_uppercase();
    let places = [("kind", kind.as_str()), ("code", code)];
    if let Some(message) = texts::said("no_copy", language, &places) {
        host.tell(percent, "render.failed", &message).await;
    }
}

/// Tells what a renderer found, once for each kind.
pub(super) async fn tell_diagnostics(
    host: &JournaledHost,
    percent: u8,
    language: &str,
    format: DocumentFormat,
    answer: &Value,
) {
    for (code, message) in diagnostics(language, format, answer) {
        host.tell(percent, &code, &message).await;
    }
}

/// What a renderer found, as codes with texts. Its own words are English, so a document in another language is told of in ours.
fn diagnostics(language: &str, format: DocumentFormat, answer: &Value) -> Vec<(String, String)> {
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
            let ours = match texts::is_told_in_english(language) {
                true => None,
                false => texts::said(&code, language, &[]),
            };
            let message = match (ours, message.is_empty()) {
                (Some(ours), _) => ours,
                (None, false) => message,
                (None, true) => code.replace('_', " "),
            };
            let said = format!("{kind}: {message}");
            let counted = match count {
                1 => None,
                count => {
                    let count = count.to_string();
                    texts::said("times", language, &[("said", &said), ("count", &count)])
                }
            };
            (format!("render.{code}"), counted.unwrap_or(said))
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
            diagnostics("en", DocumentFormat::Pptx, &answer),
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
        assert_eq!(
            diagnostics("de", DocumentFormat::Pptx, &answer),
            [
                (
                    "render.missing_glyph".to_owned(),
                    "PPTX: Manche Zeichen hat keine der Schriften.".to_owned()
                ),
                (
                    "render.overflow".to_owned(),
                    "PPTX: Für einen Text ist weniger Platz da, als er braucht. (2-mal)".to_owned()
                ),
            ]
        );
        assert_eq!(
            diagnostics("en", DocumentFormat::Pdf, &json!({"pages": 1})),
            []
        );
    }
}
