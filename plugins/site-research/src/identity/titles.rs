//! Names in titles and copyright lines: what separates their parts, and what they say besides the name.

use gtm_lexicon::company::{BESIDE_NAMES, SITE_WORDS, SITES_OF_SECTIONS};
use gtm_lexicon::legal::COPYRIGHT;
use gtm_lexicon::numbers::is_unspaced;
use gtm_page_text::normalize;

use super::{LONGEST, could_be_a_name, letters};
use crate::words;
/// Whom a copyright line names: `© 2015–2026 Acme Rail Ltd. All rights reserved.` has Acme Rail Ltd.
pub(super) fn copyright_holder(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    // Some letters change their length with their case; a line with one of them says nothing then.
    let at = COPYRIGHT
        .iter()
        .filter_map(|mark| lower.find(mark).map(|at| at + mark.len()))
        .max()?;
    let rest = text.get(at..)?;
    let begun = rest.trim_start_matches(|c: char| !c.is_alphabetic());
    let before_year = text
        .get(..at)?
        .trim_end_matches(|c: char| !c.is_alphabetic());
    let line = if begun.is_empty() { before_year } else { begun };
    let end = [
        ". ", " | ", " – ", " — ", " - ", "|", "·", "•", "®", "。", " 20", " 19", ";",
    ]
    .iter()
    .filter_map(|mark| line.find(mark))
    .min()
    .unwrap_or(line.len());
    let holder = line.get(..end)?.trim().trim_end_matches(['.', ',']);
    let first = holder.split_whitespace().next()?;
    let holder = if words::fold(first) == "by" {
        holder.get(first.len()..)?.trim()
    } else {
        holder
    };
    let fits = !holder.is_empty() && holder.chars().count() <= LONGEST * 2;
    fits.then(|| normalize(holder))
}

/// Marks that separate the parts of a page's title.
const TITLE_MARKS: &[&str] = &[
    " | ", " – ", " — ", " - ", " · ", " • ", " :: ", ": ", " » ", "｜", "|", "／", " / ", "【",
    "】", "「", "」",
];

/// The segments of a title, in order.
pub(super) fn segments(title: &str) -> Vec<&str> {
    let mut parts = vec![title];
    for mark in TITLE_MARKS {
        parts = parts
            .into_iter()
            .flat_map(|part| part.split(mark))
            .collect();
    }
    // Where words have no blanks between them, a mark has none either.
    parts
        .into_iter()
        .flat_map(|part| {
            let signs = part
                .chars()
                .filter(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
            let dense = signs.count() * 2 > part.chars().count();
            let marks: &[char] = if dense {
                &['-', '－', '–', '—', '―']
            } else {
                &[]
            };
            part.split(marks)
        })
        .map(|part| without_site_words(part.trim()))
        .filter(|part| !part.is_empty())
        .collect()
}

/// A title that is two names with a stroke between them and nothing else.
pub(super) fn joined_names(title: &str) -> Option<&str> {
    let title = title.trim();
    let (first, second) = title.split_once('／').or_else(|| title.split_once(" / "))?;
    let names = [first, second];
    let are_names = names
        .iter()
        .all(|name| could_be_a_name(name) && segments(name).len() == 1);
    are_names.then_some(title)
}

/// A part of a title without the words at its end or beginning that say it is a site's: `Acme official website`.
pub fn without_site_words(text: &str) -> &str {
    let is_known = |words: &str| {
        let folded = words::fold(words);
        SITE_WORDS.contains(&words::split(&folded).join(" "))
    };
    let mut blanks = text.match_indices(char::is_whitespace).map(|(at, _)| at);
    let rest = blanks
        .clone()
        .find(|at| is_known(&text[*at..]))
        .map(|at| &text[..at])
        .or_else(|| {
            let at = blanks.rfind(|at| is_known(&text[..*at]))?;
            // What follows such words with a preposition is no bare name.
            let rest = text[at..].trim_start();
            rest.starts_with(char::is_uppercase).then_some(rest)
        })
        // In scripts without blanks, a particle may join the two.
        .or_else(|| {
            let words = SITE_WORDS.iter().filter(|word| !word.is_ascii());
            let rest = words.filter_map(|word| text.strip_suffix(word));
            let rest = rest.min_by_key(|rest| rest.len())?;
            Some(rest.strip_suffix('の').unwrap_or(rest))
        });
    rest.map(str::trim)
        .filter(|rest| !rest.is_empty())
        .unwrap_or(text)
}

/// Whether a name is that of a site for one purpose (`Acme Careers`), unless the domain is called so.
pub fn names_a_section(name: &str, labels: &[String]) -> bool {
    let folded = words::fold(name);
    let words = words::split(&folded);
    let last = words.last().filter(|_| words.len() > 1);
    let glued = || {
        let mut sections = SITES_OF_SECTIONS.iter().filter(|word| !word.is_ascii());
        sections.any(|word| name.ends_with(word) && name != word)
    };
    (last.is_some_and(|last| SITES_OF_SECTIONS.contains(last)) || glued())
        && !labels.contains(&letters(name))
}
/// A name without the words that stand beside it in a logo's description: `Acme` of `Acme logo`. A script without blanks joins
/// them, perhaps by a particle or a colon: `緑原ロゴ`, `緑原のロゴ`.
#[must_use]
pub fn without_words_beside(text: &str) -> String {
    let kept = text
        .split_whitespace()
        .filter(|word| !BESIDE_NAMES.contains(&words::fold(word)));
    let joined = kept.collect::<Vec<_>>().join(" ");
    let mut bare = joined.as_str();
    for word in BESIDE_NAMES
        .iter()
        .filter(|word| word.chars().all(is_unspaced))
    {
        let marks = |c: char| matches!(c, ':' | '：' | ' ' | '｜' | '|' | '・');
        if let Some(name) = bare.strip_suffix(word).filter(|name| !name.is_empty()) {
            bare = name
                .strip_suffix('の')
                .unwrap_or(name)
                .trim_end_matches(marks);
        }
        let behind = bare.strip_prefix(word);
        if let Some(name) = behind.filter(|name| name.starts_with(marks)) {
            bare = name.trim_start_matches(marks);
        }
    }
    bare.to_owned()
}
