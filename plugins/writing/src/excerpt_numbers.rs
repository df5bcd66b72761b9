//! Numbers of excerpts that a model writes into its prose: `[E12]`, `(see E3 and E4)`. They mean something in a prompt only.
//!
//! In brackets they are taken out. A sentence that speaks of an excerpt by its number falls: nothing of it would make sense without.

use std::collections::BTreeSet;

use gtm_site_research::words;
use serde_json::{Map, Value};

use crate::wording;

/// Most other words in brackets with the number of an excerpt: `see`, `and`.
const MOST_WORDS: usize = 2;
/// Longest content of such brackets, in bytes.
const LONGEST: usize = 80;
const BRACKETS: [(char, char); 4] = [('[', ']'), ('(', ')'), ('（', '）'), ('【', '】')];

/// How a job's excerpts are numbered.
#[derive(Debug, Clone)]
pub struct ExcerptNumbers {
    /// The highest number.
    last: u64,
    /// What looks like a number of an excerpt, but stands on a page or in the caller's words: a road, a fuel.
    printed: BTreeSet<String>,
    language: String,
}

impl ExcerptNumbers {
    /// The numbers of so many excerpts, told from what `texts` print.
    pub fn new<'a>(count: usize, texts: impl IntoIterator<Item = &'a str>, language: &str) -> Self {
        let printed = texts.into_iter().flat_map(|text| {
            let bare = text.split(|c: char| !c.is_alphanumeric());
            bare.filter(|word| numbered(word).is_some())
                .map(str::to_owned)
        });
        Self {
            last: u64::try_from(count).unwrap_or(u64::MAX),
            printed: printed.collect(),
            language: language.to_owned(),
        }
    }

    /// The unit of an answer without such numbers in its texts, and how many sentences of its claim that cost.
    pub fn without(&self, unit: &Map<String, Value>) -> (Value, usize) {
        let mut lost = 0;
        let members = unit.iter().map(|(name, member)| {
            let mut of_member = 0;
            let member = match name.as_str() {
                "citations" => member.clone(),
                _ => self.value(member, &mut of_member),
            };
            if name != "reason" {
                lost += of_member;
            }
            (name.clone(), member)
        });
        let members = Value::Object(members.collect());
        (members, lost)
    }

    fn value(&self, value: &Value, lost: &mut usize) -> Value {
        match value {
            Value::String(text) => Value::from(self.text(text, lost)),
            Value::Array(items) => items.iter().map(|item| self.value(item, lost)).collect(),
            other => other.clone(),
        }
    }

    fn text(&self, text: &str, lost: &mut usize) -> String {
        let text = self.without_brackets(text);
        if !self.speaks_of_one(&text) {
            return text;
        }
        let sentences = wording::sentences(&text, &self.language);
        let all = sentences.len();
        let kept: Vec<&str> = sentences
            .into_iter()
            .filter(|sentence| !self.speaks_of_one(sentence))
            .collect();
        *lost += all - kept.len();
        wording::joined(&kept)
    }

    fn without_brackets(&self, text: &str) -> String {
        let mut kept = String::new();
        let mut rest = text;
        while let Some((at, open)) = rest.char_indices().find(|(_, c)| opened(*c).is_some()) {
            let (before, inside) = (
                rest.get(..at).unwrap_or_default(),
                rest.get(at + open.len_utf8()..).unwrap_or_default(),
            );
            kept.push_str(before);
            let end = opened(open).and_then(|close| inside.find(close).map(|end| (end, close)));
            match end {
                Some((end, close))
                    if end <= LONGEST
                        && self.refers(inside.get(..end).unwrap_or_default(), open) =>
                {
                    let spaced = kept.ends_with(char::is_whitespace);
                    kept.truncate(kept.trim_end().len());
                    rest = inside.get(end + close.len_utf8()..).unwrap_or_default();
                    if spaced && rest.starts_with(char::is_alphanumeric) {
                        kept.push(' ');
                    }
                }
                _ => {
                    kept.push(open);
                    rest = inside;
                }
            }
        }
        kept.push_str(rest);
        kept.trim().to_owned()
    }

    /// Whether what stands in brackets only names excerpts.
    fn refers(&self, inside: &str, open: char) -> bool {
        let words: Vec<&str> = inside
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let is_number = |word: &&str| {
            let number = word.parse::<u64>();
            number.is_ok_and(|number| (1..=self.last).contains(&number))
        };
        let numbers = words.iter().filter(|word| is_number(word)).count();
        let marked = words.iter().filter(|word| self.is_one(word)).count();
        if marked > 0 {
            return words.len() - numbers - marked <= MOST_WORDS;
        }
        let all_numbers = numbers > 0 && numbers == words.len();
        (all_numbers && matches!(open, '[' | '【'))
            || (words.len() - numbers <= MOST_WORDS + 1 && self.speaks_of_one(inside))
    }

    /// Whether a text names an excerpt by its number.
    fn speaks_of_one(&self, text: &str) -> bool {
        let plain: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let told = |pair: &[&str]| {
            let [word, number] = pair else { return false };
            // The prompt calls them so, in whatever language the model writes.
            matches!(words::fold(word).as_str(), "excerpt" | "excerpts")
                && number.parse::<u64>().is_ok()
        };
        plain.iter().any(|word| self.is_one(word)) || plain.windows(2).any(told)
    }

    fn is_one(&self, word: &str) -> bool {
        numbered(word).is_some_and(|number| (1..=self.last).contains(&number))
            && !self.printed.contains(word)
    }
}

fn opened(open: char) -> Option<char> {
    BRACKETS
        .into_iter()
        .find_map(|(known, close)| (known == open).then_some(close))
}

/// 12 of `E12`.
fn numbered(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('E')?;
    let all = digits.chars().all(|c| c.is_ascii_digit());
    all.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    fn without(unit: &Value) -> (Value, usize) {
        let numbers = ExcerptNumbers::new(40, ["Take the E22 to Malmö.", "E10 fuel"], "en");
        numbers.without(unit.as_object().unwrap())
    }

    #[test]
    fn numbers_in_brackets_are_taken_out() {
        for (text, expected) in [
            ("It copies readings [E12].", "It copies readings."),
            (
                "It copies (E3, E4) by hand [E12][E13].",
                "It copies by hand.",
            ),
            (
                "[E1] It copies (see E3 and E4), daily.",
                "It copies, daily.",
            ),
            (
                "It copies [12, 14] by hand (excerpt 12).",
                "It copies by hand.",
            ),
            ("手作業です（E3）。", "手作業です。"),
            (
                "It has five sites (2007) and [99] tanks (E45).",
                "It has five sites (2007) and [99] tanks (E45).",
            ),
            (
                "It sells E10 along the E22 (E22).",
                "It sells E10 along the E22 (E22).",
            ),
            (
                "A [note] of 3 (three) words ([E",
                "A [note] of 3 (three) words ([E",
            ),
        ] {
            assert_eq!(
                without(&json!({"text": text})),
                (json!({"text": expected}), 0),
                "{text}"
            );
        }
    }

    #[test]
    fn a_sentence_that_speaks_of_an_excerpt_falls() {
        let unit = json!({"text": "It copies by hand. As E12 says, it is slow. Excerpt 4 adds more.", "list": ["Fast", "See E3"],
            "reason": "E12 says so.", "citations": ["E12"]});
        let expected = json!({"text": "It copies by hand.", "list": ["Fast", ""], "reason": "", "citations": ["E12"]});
        assert_eq!(without(&unit), (expected, 3));
    }
}
