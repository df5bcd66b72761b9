//! Splits copy into sentences, and counts the clauses that are joined in one.

use gtm_lexicon::judging::JOINTS;
use gtm_lexicon::sentences::ABBREVIATIONS;

use crate::markup::Piece;

/// Fewest words that make a clause of their own.
const CLAUSE: usize = 3;

/// A sentence: its words as they stand, and its placeholders.
#[derive(Debug, Default, Clone)]
pub struct Raw {
    pub text: String,
    pub placeholders: Vec<String>,
}

/// Placeholders whose value is a sentence of its own.
fn is_sentence(placeholder: &str) -> bool {
    matches!(placeholder, "evidence.hook" | "next_step.ask")
}

/// The sentences of a block. A placeholder whose value is a sentence ends one where a blank or nothing follows.
pub fn split(pieces: &[Piece]) -> Vec<Raw> {
    let mut found = Vec::new();
    let mut open = Raw::default();
    for (index, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Placeholder(name) => {
                // So that words before and behind don't grow together.
                open.text.push('\u{fffc}');
                open.placeholders.push(name.clone());
                let goes_on = matches!(pieces.get(index + 1), Some(Piece::Words(words)) if !words.starts_with(char::is_whitespace));
                if is_sentence(name) && !goes_on {
                    close(&mut found, &mut open);
                }
            }
            Piece::Words(words) => add_words(&mut found, &mut open, words),
        }
    }
    close(&mut found, &mut open);
    found
}

fn add_words(found: &mut Vec<Raw>, open: &mut Raw, words: &str) {
    let mut chars = words.chars().peekable();
    while let Some(c) = chars.next() {
        open.text.push(c);
        let ends = match c {
            '\n' | '。' | '！' | '？' => true,
            '.' | '!' | '?' | '…' => {
                while let Some(closing) = chars.next_if(|next| is_closing(*next)) {
                    open.text.push(closing);
                }
                chars.peek().is_none_or(|next| next.is_whitespace())
                    && !(c == '.' && is_shortened(&open.text))
            }
            _ => false,
        };
        if ends {
            close(found, open);
        }
    }
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '"' | '\'' | ')' | ']' | '»' | '“' | '”' | '’'
    )
}

/// Whether the full stop at the end belongs to an abbreviation.
fn is_shortened(text: &str) -> bool {
    let before = text.trim_end_matches('.');
    let last = before.rsplit(char::is_whitespace).next();
    let last = last.unwrap_or_default().to_lowercase();
    ABBREVIATIONS.contains(&last) || last.contains('.')
}

fn close(found: &mut Vec<Raw>, open: &mut Raw) {
    let sentence = std::mem::take(open);
    let says = sentence.text.chars().any(char::is_alphanumeric);
    if says || !sentence.placeholders.is_empty() {
        found.push(sentence);
    } else if let Some(last) = found.last_mut() {
        // A mark behind a placeholder that ended its sentence.
        last.text.push_str(&sentence.text);
    }
}

/// How many clauses a sentence joins. `language` is the primary subtag.
pub fn clauses(text: &str, language: &str) -> usize {
    let joints = JOINTS.of(language);
    let mut clauses = 1;
    let mut since = 0;
    let words: Vec<&str> = text.split_whitespace().collect();
    for (index, word) in words.iter().enumerate() {
        let bare = gtm_lexicon::fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
        let left = words.len() - index;
        let dash = matches!(*word, "–" | "—" | "-");
        if (dash || joints.contains(&bare)) && since >= CLAUSE && left > CLAUSE {
            clauses += 1;
            since = 0;
            continue;
        }
        since += usize::from(!bare.is_empty());
        if word.ends_with([';', ':']) && since >= CLAUSE && left > CLAUSE {
            clauses += 1;
            since = 0;
        }
    }
    clauses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::pieces;

    fn of(text: &str) -> Vec<String> {
        let sentences = split(&pieces(text)).into_iter();
        sentences
            .map(|sentence| sentence.text.trim().to_owned())
            .collect()
    }

    #[test]
    fn copy_is_split_into_sentences() {
        assert_eq!(
            of("One bill, e.g. per flat. From £3.20! Is it open?"),
            ["One bill, e.g. per flat.", "From £3.20!", "Is it open?"]
        );
        assert_eq!(of("{{evidence.hook}} {{offer.value_proposition}}").len(), 2);
        assert_eq!(of("Your note: {{evidence.hook}}.").len(), 1);
        assert_eq!(of("{{next_step.ask}}"), ["\u{fffc}"]);
        assert_eq!(of(" \n "), Vec::<String>::new());
    }

    #[test]
    fn clauses_are_counted_by_what_joins_them() {
        for (text, language, expected) in [
            ("We install meters before handover.", "en", 1),
            ("We sell meters and bills.", "en", 1),
            (
                "We install meters before handover, and every flat gets one bill.",
                "en",
                2,
            ),
            (
                "We install the meters; you get the bills; they pay every month.",
                "en",
                3,
            ),
            (
                "Wir bauen die Zähler ein und jede Wohnung erhält eine Rechnung.",
                "de",
                2,
            ),
            (
                "We are here – as always – and we help you to grow and to save more money.",
                "en",
                3,
            ),
        ] {
            assert_eq!(clauses(text, language), expected, "{text}");
        }
    }
}
