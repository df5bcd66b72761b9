//! Sentences and quotations of what a model wrote, and whether texts share words.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::is_unspaced;
use gtm_page_text::primary_language;
use gtm_site_research::{sentences as split, words};

/// Fewest words of a quotation; a single word in quotation marks is an emphasis.
const QUOTED_WORDS: usize = 3;
/// Fewest characters of a quotation in a script without spaces.
const QUOTED_CHARS: usize = 8;

/// The sentences of a text.
pub fn sentences<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    split::split(text, primary_language(language))
}

/// Sentences put together again: with spaces between them, unless their script has none.
pub fn joined(sentences: &[&str]) -> String {
    let unspaced = sentences
        .iter()
        .any(|sentence| sentence.ends_with(['。', '！', '？']));
    sentences.join(if unspaced { "" } else { " " })
}

/// The text, cut at a sentence's end if it is much longer than `most` characters: models count badly, and half as much again
/// still fits the result.
pub fn cut(text: &str, most: usize, language: &str) -> String {
    let limit = most + most / 2;
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut length = 0;
    for sentence in sentences(text, language) {
        length += sentence.chars().count() + 1;
        if length > limit {
            break;
        }
        kept.push(sentence);
    }
    if !kept.is_empty() {
        return joined(&kept);
    }
    let head: String = text.chars().take(limit.saturating_sub(1)).collect();
    // A word that fills the whole text is none, except where words have no spaces between them.
    match head.rfind(char::is_whitespace) {
        Some(end) => format!("{}…", head.get(..end).unwrap_or(&head).trim_end()),
        None if head.chars().any(is_unspaced) => format!("{head}…"),
        None => String::new(),
    }
}

/// Opening quotation marks with those that end what they begin. Some languages end with what others begin with.
const MARKS: [(char, &[char]); 13] = [
    ('〝', &['〟']),
    ('＂', &['＂']),
    ('“', &['”', '“']),
    ('”', &['”']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('»', &['«', '»']),
    ('"', &['"']),
    ('「', &['」']),
    ('『', &['』']),
    ('‹', &['›']),
    ('‘', &['’']),
    ('\'', &['\'']),
];
/// The last of them are apostrophes, too.
const APOSTROPHES: [char; 3] = ['‘', '’', '\''];

/// The texts between quotation marks that are long enough to be somebody's words.
pub fn quotations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before: Option<char> = None;
    while let Some(c) = rest.chars().next() {
        let inside = rest.get(c.len_utf8()..).unwrap_or_default();
        let opens = MARKS.iter().find(|(open, _)| *open == c);
        let end = opens
            .filter(|_| !APOSTROPHES.contains(&c) || opens_quotation(before, inside))
            .and_then(|(_, closing)| end_of_quotation(inside, closing));
        let Some(end) = end else {
            before = Some(c);
            rest = inside;
            continue;
        };
        let quoted = inside.get(..end).unwrap_or_default().trim();
        let unspaced = quoted.chars().filter(|c| is_unspaced(*c)).count();
        if quoted.split_whitespace().count() >= QUOTED_WORDS || unspaced >= QUOTED_CHARS {
            found.push(quoted);
        }
        let behind = inside.get(end..).unwrap_or_default();
        before = behind.chars().next();
        rest = behind
            .get(before.map_or(0, char::len_utf8)..)
            .unwrap_or_default();
    }
    found
}

/// Whether an apostrophe begins a quotation: before a word, and behind none.
fn opens_quotation(before: Option<char>, inside: &str) -> bool {
    !before.is_some_and(char::is_alphanumeric) && inside.starts_with(char::is_alphanumeric)
}

/// Where the quotation ends; an apostrophe inside of a word does not end it.
fn end_of_quotation(inside: &str, closing: &[char]) -> Option<usize> {
    inside
        .char_indices()
        .filter(|(_, c)| closing.contains(c))
        .find(|(at, c)| {
            let behind = inside.get(at + c.len_utf8()..).unwrap_or_default();
            !(APOSTROPHES.contains(c) && behind.starts_with(char::is_alphanumeric))
        })
        .map(|(at, _)| at)
}

/// The parts of a quotation that stand in a row: words left out are told by dots.
pub fn quoted_parts(quotation: &str) -> impl Iterator<Item = &str> {
    quotation
        .split("...")
        .flat_map(|part| part.split('…'))
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()))
        .filter(|part| !part.is_empty())
}

/// Folded words in a row.
pub fn row(words: &[&str]) -> String {
    format!(" {} ", words.join(" "))
}

/// Whether a row of words holds those of a text.
pub fn row_holds(known: &str, text: &str) -> bool {
    let folded = words::fold(text);
    let wanted = row(&words::split(&folded));
    if text.chars().any(is_unspaced) {
        return known.contains(wanted.trim());
    }
    !wanted.trim().is_empty() && known.contains(&wanted)
}

/// Whether a text holds these words, whatever their case and the signs between them.
pub fn holds(text: &str, words_of: &str) -> bool {
    let folded = words::fold(text);
    row_holds(&row(&words::split(&folded)), words_of)
}

/// What a text is about: the stems of its words, and neighbouring letters of scripts without spaces.
pub fn subjects(text: &str) -> BTreeSet<String> {
    let pairs = text.chars().zip(text.chars().skip(1));
    let pairs = pairs.filter(|(one, other)| is_unspaced(*one) && is_unspaced(*other));
    let mut found = words::stems(text);
    found.extend(pairs.map(|(one, other)| format!("{one}{other}")));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_end_with_a_sentence() {
        let text = "One sentence here. Another one there. A third one follows.";
        assert_eq!(cut(text, 26, "en"), "One sentence here. Another one there.");
        assert_eq!(cut(text, 100, "en"), text);
        assert_eq!(
            cut("words without any end at all", 10, "en"),
            "words without…"
        );
    }

    #[test]
    fn quotations_are_somebody_s_words() {
        assert_eq!(
            quotations("They say “no more paper here” and \"go\" and «plus de papier ici»."),
            ["no more paper here", "plus de papier ici"]
        );
        for text in [
            "As they say, 'we buy no paper', so wait.",
            "As they say, ‘we don’t buy paper’, so wait.",
            "Man sagt »wir kaufen nie Papier« dort",
            "Man sagt „wir kaufen nie Papier“ dort",
            "On dit ‹ nous achetons le papier › ici",
            "『紙の台帳はもう使いません』",
        ] {
            assert_eq!(quotations(text).len(), 1, "{text}");
        }
        for text in [
            "5\" pipes and no end",
            "Don't trust the crews' own notes or today's plan",
            "l'équipe de l'atelier n'a pas d'outil d'appoint",
        ] {
            assert!(quotations(text).is_empty(), "{text}");
        }
        let parts: Vec<&str> = quoted_parts("no more … paper here").collect();
        assert_eq!(parts, ["no more", "paper here"]);
        assert!(holds("There is No more paper, here!", "no more paper here"));
        assert!(!holds("There is no more paper", "more paper here"));
    }

    #[test]
    fn texts_without_spaces_share_pairs() {
        let shared = |one: &str, other: &str| !subjects(one).is_disjoint(&subjects(other));
        assert!(shared("施設管理の責任者", "管理システム"));
        assert!(!shared("施設", "水道"));
        assert!(shared("smart meters", "metering of flats"));
    }
}
