//! Values that a sentence lists: `Care, calm and candour shape our days.`

use gtm_lexicon::company::{WE, WE_AND_YOU, YOU};
use gtm_lexicon::foundations::{
    AND, CLAUSE_OPENERS, NO_VALUES, OFFERS_HELP, VALUE_HEADINGS, VALUE_PHRASES,
};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::prose::SMALL_WORDS;
use gtm_site_research::words;

use super::MOST_VALUES;

/// Most words of a value that a sentence lists.
const LONGEST_VALUE: usize = 4;

/// The single words of the list with which a sentence about them begins: `Care, calm and an open ear for everybody shape
/// our days.` Where its last part ends, no form tells.
pub(super) fn opened(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for part in text.split([',', '、', '，']).map(str::trim) {
        let mut tokens = words::tokens(part).into_iter();
        let first = tokens.next();
        let joint = tokens.next();
        let first = first.map(|(.., word)| word);
        if first.is_some_and(|word| !may_be_value(word)) {
            return Vec::new();
        }
        found.extend(first);
        match joint {
            None => {}
            // The last part ends the sentence somewhere.
            Some((.., word)) if AND.contains(&words::fold(word)) && found.len() >= 2 => {
                return found;
            }
            Some(_) => return Vec::new(),
        }
    }
    Vec::new()
}

/// Whether a part of a list may be a value: no person's name, and no word such as `here` or `in`.
pub(super) fn may_be_value(part: &str) -> bool {
    let folded = words::fold(part);
    let word = words::split(&folded).join(" ");
    !GIVEN_NAMES.contains(&word) && !NO_VALUES.contains(&word) && !SMALL_WORDS.any_has(&word)
}

/// Whether a part of a sentence that lists values is one.
fn is_value(part: &str) -> bool {
    words::count(part) <= LONGEST_VALUE && !is_clause(part) && may_be_value(part)
}

/// Whether a part of a sentence is a clause: `we do not work on Sundays`.
fn is_clause(part: &str) -> bool {
    let folded = words::fold(part);
    let all = words::split(&folded);
    WE.open(&all)
        || WE_AND_YOU.open(&all)
        || YOU.open(&all)
        || all
            .first()
            .is_some_and(|word| CLAUSE_OPENERS.contains(word))
}

/// A list without its last part, if that goes on for too long: `… and treating every customer like family`.
fn without_long_end(mut names: Vec<&str>) -> Vec<&str> {
    let is_long = |part: &&str| words::count(part) > LONGEST_VALUE && !is_clause(part);
    if names.last().is_some_and(is_long) {
        names.pop();
    }
    names
}

/// What a sentence lists as what the company holds to: behind a phrase for it, or between dashes or brackets behind what
/// headings call it, `our values – care, calm and candour – are …`.
pub(super) fn told(text: &str) -> Vec<&str> {
    let tokens = words::tokens(text);
    let folded: Vec<String> = tokens
        .iter()
        .map(|(.., word)| words::split(&words::fold(word)).join(" "))
        .collect();
    let all: Vec<&str> = folded.iter().map(String::as_str).collect();
    // `Wir stehen für Fragen, Beratung und Termine bereit.`
    if OFFERS_HELP.any_in(&all) {
        return Vec::new();
    }
    let behind = |at: usize| {
        let (start, ..) = *tokens.get(at)?;
        let rest = text.get(start..)?;
        let end = [" – ", " — ", " - ", ")"]
            .iter()
            .filter_map(|mark| rest.find(mark))
            .min();
        Some(enumerated(rest.get(..end.unwrap_or(rest.len()))?))
    };
    let phrased = VALUE_PHRASES
        .places(&all)
        .filter_map(|(at, phrase)| behind(at + phrase.len()));
    let set_apart = VALUE_HEADINGS
        .places(&all)
        .filter(|(_, phrase)| phrase.len() > 1)
        .filter_map(|(at, phrase)| {
            let next = at + phrase.len();
            let (start, _, mark) = *tokens.get(next)?;
            match mark {
                "–" | "—" | "-" => behind(next + 1),
                _ => {
                    let rest = text.get(start..)?.strip_prefix('(')?;
                    Some(enumerated(rest.split(')').next()?))
                }
            }
        });
    phrased
        .chain(set_apart)
        .map(without_long_end)
        .find(|names| !names.is_empty() && names.iter().all(|name| is_value(name)))
        .unwrap_or_default()
}

/// The parts of a sentence that only lists them: `Care, calm and plain words.`
pub(super) fn enumerated(text: &str) -> Vec<&str> {
    let text = text.trim_end_matches(['.', '。', '!', '！']);
    let mut parts: Vec<&str> = text
        .split([',', ';', '、', '，', '・', '•', '·'])
        .map(str::trim)
        .collect();
    if let Some(last) = parts.pop() {
        let joint = words::tokens(last)
            .into_iter()
            .find(|(.., word)| AND.contains(&words::fold(word)));
        let (before, after) = joint.map_or(("", last), |(start, end, _)| {
            let (before, rest) = last.split_at(end);
            (before.get(..start).unwrap_or_default().trim(), rest.trim())
        });
        parts.extend([before, after].into_iter().filter(|part| !part.is_empty()));
    }
    let fits = |part: &&str| (1..=6).contains(&words::count(part));
    if parts.len() < 3 || parts.len() > MOST_VALUES || !parts.iter().all(fits) {
        return Vec::new();
    }
    parts
}
