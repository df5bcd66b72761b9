//! Words whose letters stand one by one: `f r e e`, `f.r.e.e`. A reader reads the word, and lists of words find nothing.

use std::borrow::Cow;
use std::ops::Range;

use super::characters::is_default_ignorable;

/// Fewest letters that are read as a word.
const READ: usize = 3;
/// Fewest letters with blanks or strokes between them that are no abbreviation: `S p A` is a form of companies.
const REFUSED: usize = 4;
/// What may stand between the letters of such a word, besides blanks.
const BETWEEN: [char; 9] = [
    '.', '-', '\u{2011}', '_', '*', '/', '|', '\u{b7}', '\u{2022}',
];

/// The places of such words: at least three letters, with one and the same sign between each two of them. The letters are of one
/// case, or the first one is a capital: `S.p.A.` is none.
#[must_use]
pub fn letters_apart(text: &str) -> Vec<Range<usize>> {
    let runs = runs(text).into_iter();
    let runs = runs.filter(|run| run.letters.len() >= READ && run.is_of_one_case());
    runs.map(|run| run.range).collect()
}

/// Whether a text has a word of at least four letters that stand apart by blanks or strokes. Full stops part those of an
/// abbreviation: `S.A.R.L.`
#[must_use]
pub fn has_letters_apart(text: &str) -> bool {
    let mut runs = runs(text).into_iter();
    runs.any(|run| run.letters.len() >= REFUSED && run.sign != Some('.'))
}

/// The text with each such word written without what parts its letters. Others ask for a
/// [reading](super::plain_letters::Reading).
pub(super) fn joined(text: &str) -> Cow<'_, str> {
    let found = letters_apart(text);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for range in found {
        out.push_str(text.get(from..range.start).unwrap_or_default());
        let word = text.get(range.clone()).unwrap_or_default();
        out.extend(word.chars().filter(|c| c.is_alphabetic()));
        from = range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// Letters that stand apart.
struct Run {
    range: Range<usize>,
    letters: Vec<char>,
    /// What parts them; blanks of all kinds are one.
    sign: Option<char>,
}

impl Run {
    fn is_of_one_case(&self) -> bool {
        let behind = self.letters.get(1..).unwrap_or_default();
        behind.iter().all(|c| c.is_lowercase()) || self.letters.iter().all(|c| c.is_uppercase())
    }
}

fn runs(text: &str) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    let shown = text
        .char_indices()
        .filter(|(_, c)| !is_default_ignorable(*c));
    let mut chars = shown.peekable();
    // What stands before the next character: whether a letter or digit does, and the single sign behind the last run.
    let (mut is_word, mut sign) = (false, None);
    let mut goes_on = false;
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_alone = has_case(c) && !is_word && !next.is_some_and(char::is_alphanumeric);
        if is_alone {
            let end = at + c.len_utf8();
            match found.last_mut() {
                Some(run) if goes_on && (run.sign.is_none() || run.sign == sign) => {
                    run.sign = sign;
                    run.letters.push(c);
                    run.range.end = end;
                }
                _ => found.push(Run {
                    range: at..end,
                    letters: vec![c],
                    sign: None,
                }),
            }
            (goes_on, sign) = (true, None);
        } else if goes_on && sign.is_none() && parts(c).is_some() {
            sign = parts(c);
        } else {
            goes_on = false;
        }
        is_word = c.is_alphanumeric();
    }
    found
}

/// What a sign between two letters is told as.
fn parts(c: char) -> Option<char> {
    match c.is_whitespace() {
        true => Some(' '),
        false => BETWEEN.contains(&c).then_some(c),
    }
}

/// Whether it is a letter of a script with capitals: letters of others stand alone as words.
fn has_case(c: char) -> bool {
    c.is_lowercase() || c.is_uppercase()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_one_by_one_are_read_as_a_word() {
        for (text, want) in [
            ("It is f r e e.", "It is free."),
            ("F R E E now", "FREE now"),
            ("f.r.e.e now", "free now"),
            ("f-r-e-e", "free"),
            ("F\u{a0}r\u{a0}e\u{a0}e", "Free"),
            ("l a s t c h a n c e", "lastchance"),
            ("l a s t  c h a n c e", "last  chance"),
            ("f\u{200d} r\u{ad} e e", "free"),
            ("gr\u{e1} t i s", "gr\u{e1} tis"),
            ("\u{e9} t \u{e9}", "\u{e9}t\u{e9}"),
        ] {
            assert_eq!(joined(text), want);
        }
        for text in [
            "Hollis S.p.A. in Milan",
            "e. V.",
            "plan B or C",
            "M & S",
            "I am",
            "1 a 2 b 3 c",
            "\u{65e5} \u{672c} \u{8a9e}",
            "d'un c\u{f4}t\u{e9} \u{e0} l'autre",
        ] {
            assert_eq!(joined(text), text);
        }
    }

    #[test]
    fn a_word_of_four_letters_apart_is_no_abbreviation() {
        for text in ["f r e e", "n o r i s k", "F-R-E-E", "w i n_n", "f*r*e*e"] {
            assert_eq!(has_letters_apart(text), text != "w i n_n", "{text}");
        }
        for text in [
            "S p A",
            "S.A.R.L.",
            "a.s.b.l.",
            "J. R. R. Tolkien",
            "A, B, C and D",
        ] {
            assert!(!has_letters_apart(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn places_fit_the_text(text in "[a-c .\u{e9}\u{a0}-]{0,40}|\\PC{0,40}") {
            for range in letters_apart(&text) {
                prop_assert!(text.get(range).is_some());
            }
            prop_assert!(joined(&text).len() <= text.len());
        }

        #[test]
        fn every_word_is_found(word in "[a-z]{4,12}", sign in "[ _*|\u{a0}-]") {
            let apart: Vec<String> = word.chars().map(String::from).collect();
            let text = format!("now {} it", apart.join(&sign));
            prop_assert!(has_letters_apart(&text), "{}", text);
            if sign.trim().len() == sign.len() {
                prop_assert_eq!(joined(&text), format!("now {word} it"));
            }
        }
    }
}
