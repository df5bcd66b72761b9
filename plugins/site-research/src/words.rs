//! Words of a text: folding, matching of small word patterns, and stems for overlap.

use std::collections::BTreeSet;

/// Lower case without the common Latin diacritics, so that `Über` and `uber` are one word; without the vowel
/// marks of Arabic and Hebrew, which most texts leave out; and with one form of the digits.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ą' | 'ă' => folded.push('a'),
            'ç' | 'č' | 'ć' => folded.push('c'),
            'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ě' => folded.push('e'),
            'ì' | 'í' | 'î' | 'ï' => folded.push('i'),
            'ñ' | 'ń' | 'ň' => folded.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => folded.push('o'),
            'ù' | 'ú' | 'û' | 'ü' | 'ů' => folded.push('u'),
            'ý' | 'ÿ' => folded.push('y'),
            'š' | 'ś' => folded.push('s'),
            'ž' | 'ź' | 'ż' => folded.push('z'),
            'ł' => folded.push('l'),
            'ß' => folded.push_str("ss"),
            'œ' => folded.push_str("oe"),
            'æ' => folded.push_str("ae"),
            '\u{2019}' => folded.push('\''),
            '\u{0591}'..='\u{05bd}' | '\u{05bf}' | '\u{05c1}' | '\u{05c2}' => {}
            '\u{0640}' | '\u{064b}'..='\u{0652}' | '\u{0670}' => {}
            other if digit(other).is_some() => folded.extend(digit(other)),
            other => folded.push(other),
        }
    }
    folded
}

/// The ASCII digit that an Arabic-Indic or Persian digit stands for.
fn digit(c: char) -> Option<char> {
    let value = match c {
        '\u{0660}'..='\u{0669}' => u32::from(c) - 0x0660,
        '\u{06f0}'..='\u{06f9}' => u32::from(c) - 0x06f0,
        _ => return None,
    };
    char::from_digit(value, 10)
}

/// The text with ASCII digits for those of Arabic and Persian; anything else stays as it is.
pub fn with_ascii_digits(text: &str) -> String {
    text.chars().map(|c| digit(c).unwrap_or(c)).collect()
}

/// The alphanumeric runs of an already folded text.
pub fn split(folded: &str) -> Vec<&str> {
    folded
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect()
}

/// Whether the words hold the pattern: words in a row, where `wor*` matches what begins with `wor`.
pub fn has(words: &[&str], pattern: &str) -> bool {
    position(words, pattern).is_some()
}

/// Whether the words hold any of the patterns.
pub fn has_any(words: &[&str], patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| has(words, pattern))
}

/// Whether the words begin with any of the patterns.
pub fn starts_with_any(words: &[&str], patterns: &[&str]) -> bool {
    patterns.iter().any(|pattern| {
        let parts: Vec<&str> = pattern.split(' ').collect();
        words.len() >= parts.len() && matches_at(words, &parts)
    })
}

/// Index of the first word of the pattern's first occurrence.
pub fn position(words: &[&str], pattern: &str) -> Option<usize> {
    let parts: Vec<&str> = pattern.split(' ').collect();
    if parts.len() > words.len() {
        return None;
    }
    (0..=words.len() - parts.len()).find(|&start| {
        words
            .get(start..)
            .is_some_and(|rest| matches_at(rest, &parts))
    })
}

fn matches_at(words: &[&str], parts: &[&str]) -> bool {
    parts
        .iter()
        .zip(words)
        .all(|(part, word)| match part.strip_suffix('*') {
            Some(prefix) => word.starts_with(prefix),
            None => part == word,
        })
}

/// Words that carry no subject, in the languages whose sites the backend reads.
const STOPWORDS: &[&str] = &[
    "about", "after", "also", "andere", "avec", "been", "before", "being", "both", "cada", "como",
    "company", "dans", "dass", "dein", "depuis", "desde", "diese", "dieser", "doch", "durch",
    "each", "eine", "einem", "einen", "einer", "entre", "esta", "este", "ever", "every", "from",
    "haben", "have", "here", "ihre", "ihren", "into", "just", "leur", "leurs", "like", "make",
    "many", "mehr", "more", "most", "much", "muss", "nach", "nicht", "nous", "nuestra", "nuestro",
    "oder", "only", "other", "over", "para", "pero", "plus", "pour", "sein", "sera", "sich",
    "sind", "sobre", "some", "sont", "such", "than", "that", "their", "them", "then", "there",
    "these", "they", "this", "those", "through", "todo", "todos", "tous", "tout", "uber", "unser",
    "unsere", "unter", "very", "votre", "want", "were", "what", "when", "where", "which", "while",
    "whole", "will", "wird", "with", "within", "without", "wurde", "your",
];

/// Content words cut to five letters: enough to bring `meters` and `metering` together.
pub fn stems(text: &str) -> BTreeSet<String> {
    let folded = fold(text);
    split(&folded)
        .into_iter()
        .filter(|word| word.chars().count() >= 4 && word.chars().any(char::is_alphabetic))
        .filter(|word| STOPWORDS.binary_search(word).is_err())
        .map(|word| word.chars().take(5).collect())
        .collect()
}

/// The words between white space, each with its byte range.
pub fn tokens(text: &str) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some(at),
            (true, Some(begin)) => {
                found.push((begin, at, text.get(begin..at).unwrap_or_default()));
                start = None;
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_and_matches() {
        let folded = fold("Über uns – Größe zählt");
        assert_eq!(split(&folded), ["uber", "uns", "grosse", "zahlt"]);
        assert!(has(&split(&folded), "uber uns"));
        assert!(has(&split(&folded), "zahl*"));
        assert!(!has(&split(&folded), "uns zahlt"));
        assert!(starts_with_any(&split(&folded), &["uber"]));
        assert!(!starts_with_any(&[], &["uber"]));
    }

    #[test]
    fn vowel_marks_and_digits_of_other_scripts_fold() {
        assert_eq!(fold("٨٥ موظفاً"), "85 موظفا");
        assert_eq!(fold("شَرِكَة"), "شركة");
        assert_eq!(fold("حـــلال"), "حلال");
        assert_eq!(fold("שָׁלוֹם"), "שלום");
        assert_eq!(with_ascii_digits("عام ٢٠٠٩"), "عام 2009");
    }

    #[test]
    fn stems_bring_forms_together() {
        assert!(stems("metering of buildings").contains("meter"));
        assert!(stems("smart meters").contains("meter"));
        assert!(stems("with your the and").is_empty());
        let mut sorted = STOPWORDS.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, STOPWORDS, "binary search needs order");
    }
}
