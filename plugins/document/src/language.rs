//! The language of the document.

use gtm_document_model::document::Direction;
use gtm_page_text::{detect_language, is_in_another_language, primary_language};

use crate::brief::Brief;
use crate::labels;
use crate::request::Request;

/// Characters of a brief that are compared with one language after the other.
const SAMPLE: usize = 2_000;

/// The languages of short briefs, likeliest first: those that labels know.
fn candidates(request: &Request) -> Vec<String> {
    let own = request.sender.language().map(str::to_owned);
    let known = labels::AGENDA.languages().map(str::to_owned);
    own.into_iter().chain(known).collect()
}

/// The language in which the document is to be written. `writes` says whether a model does, which can translate.
#[must_use]
pub fn of(request: &Request, brief: &Brief, wanted: Option<&str>, writes: bool) -> String {
    if let Some(wanted) = wanted {
        return wanted.to_owned();
    }
    let content = brief.text();
    let all = format!("{content}\n{}", brief.directions.join("\n"));
    let detected = detect_language([content.as_str()]).or_else(|| detect_language([all.as_str()]));
    let sample: String = all.chars().take(SAMPLE).collect();
    let found = match detected {
        Some(found) => found.to_owned(),
        None => candidates(request)
            .into_iter()
            .find(|language| !is_in_another_language(&sample, language))
            .unwrap_or_else(|| "en".to_owned()),
    };
    // Without a model, a document of the sender's words is in the sender's language.
    let only_sender = !writes && !brief.has_content() && request.sender.says_something();
    let (speaking, _) = request.sender.speaking(&found);
    match request.sender.language() {
        Some(own) if only_sender && !speaking.says_something() => own.to_owned(),
        // The sender's tag may say the same more exactly: `en-GB`.
        Some(own) if primary_language(own) == primary_language(&found) => own.to_owned(),
        _ => found,
    }
}

/// The direction in which a language is read.
#[must_use]
pub fn direction(language: &str) -> Direction {
    match primary_language(language) {
        "ar" | "ckb" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi" => Direction::Rtl,
        _ => Direction::Ltr,
    }
}
