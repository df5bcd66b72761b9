//! The language of the document.

use gtm_document_model::document::Direction;
use gtm_lexicon::{fold, is_month};
use gtm_page_text::{detect_language, language_among, primary_language};

use crate::brief::Brief;
use crate::labels;
use crate::request::Request;

/// English in Britain.
const BRITISH: &str = "en-GB";

/// The languages of short texts: those that labels know, and the sender's.
fn candidates<'r>(request: &'r Request) -> Vec<&'r str> {
    let mut found: Vec<&'r str> = labels::AGENDA.languages().collect();
    found.extend(request.sender.language());
    found
}

/// The language of a text. Some forty characters tell it among the languages that documents are written in; fewer tell
/// nothing, and nobody guesses.
fn of_text(text: &str, request: &Request) -> Option<&'static str> {
    detect_language([text]).or_else(|| language_among(text, candidates(request)))
}

/// The language in which most of the texts are, by their letters: each is judged by itself, so that one line of orders in another
/// language makes no document in that one.
fn of_most<'t>(texts: impl Iterator<Item = &'t str>, request: &Request) -> Option<&'static str> {
    let mut found: Vec<(&'static str, usize)> = Vec::new();
    for text in texts {
        let Some(language) = of_text(text, request) else {
            continue;
        };
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        match found.iter_mut().find(|(known, _)| *known == language) {
            Some((_, known)) => *known += letters,
            None => found.push((language, letters)),
        }
    }
    let most = found.into_iter().rev().max_by_key(|(_, letters)| *letters);
    most.map(|(language, _)| language)
}

/// The language that stands where texts tell none: the sender's.
fn otherwise(request: &Request) -> String {
    request.sender.language().unwrap_or("en").to_owned()
}

/// The language of a brief as far as it can be told before the brief is read.
#[must_use]
pub fn at_first(request: &Request, wanted: Option<&str>) -> String {
    let found = || {
        let brief = request.brief.as_str();
        let found = detect_language([brief]).or_else(|| of_most(brief.lines(), request));
        found.or_else(|| of_text(brief, request)).map(str::to_owned)
    };
    let wanted = wanted.map(str::to_owned);
    wanted.or_else(found).unwrap_or_else(|| otherwise(request))
}

/// The language in which the document is to be written. `writes` says whether a model does, which can translate.
#[must_use]
pub fn of(request: &Request, brief: &Brief, wanted: Option<&str>, writes: bool) -> String {
    if let Some(wanted) = wanted {
        return wanted.to_owned();
    }
    let content = brief.text();
    let all = format!("{content}\n{}", brief.directions.join("\n"));
    // What is printed tells it; the orders only where that says too little.
    let found = detect_language([content.as_str()])
        .or_else(|| of_most(content.lines(), request))
        .or_else(|| of_text(&content, request))
        .or_else(|| of_text(&all, request))
        .map_or_else(|| otherwise(request), str::to_owned);
    let found = with_region(&found, request, &all).unwrap_or(found);
    // Without a model, a document of the sender's words is in the sender's language.
    let only_sender = !writes && !brief.has_content() && request.sender.says_something();
    let (speaking, _) = request.sender.speaking(&found);
    match request.sender.language() {
        Some(own) if only_sender && !speaking.says_something() => own.to_owned(),
        // English for readers in Britain is no other one because the sender's site says `en-US`.
        Some(own) if found == BRITISH && is_anywhere(own) => found,
        // The sender's tag may say the same more exactly: `en-GB`.
        Some(own) if primary_language(own) == primary_language(&found) => own.to_owned(),
        _ => found,
    }
}

/// The tag with which an English document is one for readers in Britain: with pounds, for a company at `.uk`, or with days
/// before their months. Its dates are written like that.
fn with_region(language: &str, request: &Request, text: &str) -> Option<String> {
    let dollars = text.contains('$') || text.contains("USD");
    let pounds = text.contains('£') || text.contains("GBP");
    let at_uk = request
        .target_domain
        .as_deref()
        .is_some_and(|domain| domain.ends_with(".uk"));
    let british = pounds || at_uk || names_a_day_first(text);
    (is_anywhere(language) && british && (!dollars || at_uk)).then(|| BRITISH.to_owned())
}

/// Whether a tag is English of no place, or as sites have it that never chose one.
fn is_anywhere(language: &str) -> bool {
    matches!(language.to_ascii_lowercase().as_str(), "en" | "en-us")
}

/// Whether a day stands before its month: `14 April 2027`.
fn names_a_day_first(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let is_day = |word: &str| word.parse().is_ok_and(|day: u8| (1..=31).contains(&day));
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    words.windows(3).any(|words| {
        let &[day, month, year] = words else {
            return false;
        };
        is_day(day) && is_year(year) && is_month(&fold(month))
    })
}

/// The direction in which a language is read.
#[must_use]
pub fn direction(language: &str) -> Direction {
    match primary_language(language) {
        "ar" | "ckb" | "dv" | "fa" | "he" | "ps" | "sd" | "ug" | "ur" | "yi" => Direction::Rtl,
        _ => Direction::Ltr,
    }
}
