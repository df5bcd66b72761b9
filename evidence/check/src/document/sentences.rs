//! Sentences of a text, and what it quotes.

use std::ops::Range;

use gtm_lexicon::sentences::ABBREVIATIONS;

/// The byte ranges of the sentences of a text, each with the white space behind it; together they are the text. Where
/// it is uncertain whether a sentence ends, it goes on: rather too much is left out than half a sentence kept.
pub(crate) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let ends = match c {
            '\n' => true,
            '。' | '！' | '？' | '．' | '؟' | '।' | '۔' => true,
            '!' | '?' => true,
            '.' | '…' => !goes_on(&text[start..at]),
            _ => false,
        };
        if !ends {
            continue;
        }
        let mut end = at + c.len_utf8();
        // Closing marks and further signs belong to the sentence.
        while let Some((at, next)) = characters
            .next_if(|(_, next)| is_closing(*next) || matches!(next, '.' | '!' | '?' | '…'))
        {
            end = at + next.len_utf8();
        }
        let spaced = characters
            .peek()
            .is_none_or(|(_, next)| next.is_whitespace());
        if !(spaced || c == '\n' || !c.is_ascii()) {
            continue;
        }
        while let Some((at, next)) = characters.next_if(|(_, next)| next.is_whitespace()) {
            end = at + next.len_utf8();
        }
        // A sentence does not begin with a small letter.
        if c == '.'
            && characters
                .peek()
                .is_some_and(|(_, next)| next.is_lowercase())
        {
            continue;
        }
        found.push(start..end);
        start = end;
    }
    if start < text.len() {
        found.push(start..text.len());
    }
    found
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '”' | '’' | '»' | '“' | ')' | ']' | '」' | '』' | '）' | '\''
    )
}

/// As much of what stands before a dot as is looked at, in bytes: no abbreviation is longer.
const LONGEST: usize = 64;

/// Whether a dot behind this text does not end a sentence: after an abbreviation, an initial or an ordinal.
pub(crate) fn goes_on(before: &str) -> bool {
    // DANGER: what stands before may be one word of any length, and each of its dots is asked for.
    let near = before.floor_char_boundary(before.len().saturating_sub(LONGEST));
    let near = before.get(near..).unwrap_or_default();
    let word = near
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '„' | '«'))
        .next()
        .unwrap_or_default();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let ordinal = letters == 0 && (1..=2).contains(&digits) && word.len() == digits;
    let initial = letters == 1 && word.chars().count() == 1;
    let dotted = word.contains('.') && digits == 0 && letters <= 4;
    ordinal || initial || dotted || ABBREVIATIONS.contains(word.to_lowercase().as_str())
}

/// Opening marks with what closes them.
const MARKS: [(char, &[char]); 8] = [
    ('“', &['”', '“']),
    ('„', &['“', '”', '‟']),
    ('«', &['»']),
    ('»', &['«']),
    ('‹', &['›']),
    ('「', &['」']),
    ('『', &['』']),
    ('"', &['"']),
];

/// Words between quotation marks. A single word is no quotation: marks also set off names and terms.
pub(super) fn quotations(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((at, open)) = rest
        .char_indices()
        .find(|(_, c)| MARKS.iter().any(|(open, _)| open == c))
    {
        let inside = &rest[at + open.len_utf8()..];
        let closing = MARKS.iter().find(|(mark, _)| *mark == open);
        let closing = closing.map(|(_, closing)| *closing).unwrap_or_default();
        let Some(end) = inside.find(closing) else {
            rest = inside;
            continue;
        };
        let words = inside[..end].trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, '.' | ',' | '!' | '?' | '…' | ';' | ':')
        });
        let spaced = words.split_whitespace().count() >= 2;
        let unspaced = !words.is_ascii()
            && words
                .chars()
                .filter(|c| gtm_lexicon::numbers::is_unspaced(*c))
                .count()
                >= 4;
        if spaced || unspaced {
            found.push(words);
        }
        let closed = inside[end..].chars().next().map_or(0, char::len_utf8);
        rest = &inside[end + closed..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text)
            .into_iter()
            .map(|range| text[range].trim_end())
            .collect()
    }

    #[test]
    fn a_text_is_split_where_sentences_end() {
        for (text, parts) in [
            ("One. Two! Three?", vec!["One.", "Two!", "Three?"]),
            (
                "It grew by 4.5 per cent. Then it fell.",
                vec!["It grew by 4.5 per cent.", "Then it fell."],
            ),
            (
                "Am 23. November 2026 beginnt es. Gut.",
                vec!["Am 23. November 2026 beginnt es.", "Gut."],
            ),
            ("See e.g. page 4. Done.", vec!["See e.g. page 4. Done."]),
            (
                "Mr. Okafor said “Go on.” He left.",
                vec!["Mr. Okafor said “Go on.”", "He left."],
            ),
            (
                "これは文です。次の文です。",
                vec!["これは文です。", "次の文です。"],
            ),
            ("no end", vec!["no end"]),
            ("a line\nanother", vec!["a line", "another"]),
            (
                "see acme.example for more",
                vec!["see acme.example for more"],
            ),
        ] {
            assert_eq!(split(text), parts, "{text}");
        }
    }

    #[test]
    fn what_stands_between_marks_is_quoted() {
        assert_eq!(
            quotations(
                "They say “one bill per flat.” and „ein Zähler je Wohnung“, «un compteur», \"x\"."
            ),
            ["one bill per flat", "ein Zähler je Wohnung", "un compteur"]
        );
        assert_eq!(quotations("“open end"), Vec::<&str>::new());
        assert_eq!(quotations("「毎月一枚の請求書」です"), ["毎月一枚の請求書"]);
        assert_eq!(quotations("the \"smart\" meter"), Vec::<&str>::new());
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "[a-zA-Z0-9.!?…„“”\"« »\n。é ]{0,80}|\\PC{0,80}") {
            let joined: String = sentences(&text).into_iter().map(|range| text[range].to_owned()).collect();
            prop_assert_eq!(&joined, &text);
            for quoted in quotations(&text) { prop_assert!(text.contains(quoted)); }
        }
    }
}
