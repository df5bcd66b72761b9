//! Sentences and quotations of what a model wrote, and whether texts share words.

use std::collections::BTreeSet;

use gtm_page_text::primary_language;
use gtm_site_research::{sentences as split, words};

use crate::excerpts::is_unspaced;

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

/// The texts between quotation marks that are long enough to be somebody's words.
pub fn quotations(text: &str) -> Vec<&str> {
    const MARKS: [(char, &[char]); 5] = [
        ('“', &['”']),
        ('„', &['“', '”']),
        ('«', &['»']),
        ('"', &['"']),
        ('「', &['」']),
    ];
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((at, open)) = rest
        .char_indices()
        .find(|(_, c)| MARKS.iter().any(|(open, _)| open == c))
    {
        let inside = rest.get(at + open.len_utf8()..).unwrap_or_default();
        let closing = MARKS
            .iter()
            .find(|(known, _)| *known == open)
            .map_or(&[] as &[char], |(_, closing)| closing);
        let Some(end) = inside.find(closing) else {
            rest = inside;
            continue;
        };
        let quoted = inside.get(..end).unwrap_or_default().trim();
        let unspaced = quoted.chars().filter(|c| is_unspaced(*c)).count();
        if quoted.split_whitespace().count() >= QUOTED_WORDS || unspaced >= QUOTED_CHARS {
            found.push(quoted);
        }
        let behind = inside.get(end..).unwrap_or_default();
        rest = behind
            .char_indices()
            .nth(1)
            .and_then(|(next, _)| behind.get(next..))
            .unwrap_or_default();
    }
    found
}

/// Whether a text holds these words, whatever their case and the signs between them.
pub fn holds(text: &str, words_of: &str) -> bool {
    let plain = |text: &str| {
        let folded = words::fold(text);
        format!(" {} ", words::split(&folded).join(" "))
    };
    let wanted = plain(words_of);
    if words_of.chars().any(is_unspaced) {
        return plain(text).contains(wanted.trim());
    }
    !wanted.trim().is_empty() && plain(text).contains(&wanted)
}

/// Whether two texts share a subject: a stem, or two neighbouring letters of a script without spaces.
pub fn share_a_word(one: &str, other: &str) -> bool {
    !words::stems(one).is_disjoint(&words::stems(other)) || !pairs(one).is_disjoint(&pairs(other))
}

fn pairs(text: &str) -> BTreeSet<(char, char)> {
    text.chars()
        .zip(text.chars().skip(1))
        .filter(|(one, other)| is_unspaced(*one) && is_unspaced(*other))
        .collect()
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
        assert!(quotations("5\" pipes and no end").is_empty());
        assert!(holds("There is No more paper, here!", "no more paper here"));
        assert!(!holds("There is no more paper", "more paper here"));
    }

    #[test]
    fn texts_without_spaces_share_pairs() {
        assert!(share_a_word("施設管理の責任者", "管理システム"));
        assert!(!share_a_word("施設", "水道"));
        assert!(share_a_word("smart meters", "metering of flats"));
    }
}
