//! Splits a block's text into sentences, verbatim: each is a substring of the text.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use gtm_lexicon::company::REFERRING;
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::sentences::{ABBREVIATIONS, COMPANY_FORMS, OPENINGS};
use gtm_page_text::primary_language;

/// Abbreviations in legal forms, lower case without their last full stop: `pvt` of `Pvt. Ltd.`.
static PARTS_OF_FORMS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let forms = gtm_lexicon::legal_forms().iter();
    let words = forms.flat_map(|form| form.written.iter().flat_map(|form| form.split(' ')));
    words
        .filter_map(|word| word.strip_suffix('.'))
        .map(str::to_lowercase)
        .collect()
});

/// The first letters of German and English months, in lower case: a number before one is a day and ends no sentence. Those
/// of other languages begin like words of all kinds: `set`, `out`.
static MONTHS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let read = gtm_lexicon::languages().iter();
    let read = read.filter(|language| matches!(language.code, "de" | "en"));
    read.flat_map(|language| language.months.into_iter().flatten())
        .map(|name| name.chars().take(MONTH_LETTERS).collect::<String>())
        .map(|letters| letters.to_lowercase())
        .collect()
});
/// As many of them tell a month.
const MONTH_LETTERS: usize = 3;

/// Whether a sentence, as folded words, begins by pointing at what stands before it, and so says little alone.
#[must_use]
pub fn refers_back(words: &[&str]) -> bool {
    let Some(first) = words.first() else {
        return false;
    };
    // Where no blank ends it, the word is the beginning of a longer run: `この技術は`.
    let opens = |opening: &str| opening.starts_with(is_unspaced) && first.starts_with(opening);
    REFERRING.contains(first) || REFERRING.iter().any(opens)
}

/// The sentences of a text in order. `language` is a BCP 47 tag; only its primary part matters.
pub fn split<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    let german = primary_language(language).eq_ignore_ascii_case("de");
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut start = 0usize;
    let mut i = 0usize;
    while let Some(&(at, c)) = chars.get(i) {
        if c == '\n' {
            push(&mut found, text, start, at);
            start = at + 1;
        } else if matches!(c, '。' | '！' | '？') {
            let end = at + c.len_utf8();
            push(&mut found, text, start, end);
            start = end;
        } else if matches!(c, '.' | '!' | '?' | '…') {
            let mut end = i + 1;
            while chars
                .get(end)
                .is_some_and(|&(_, next)| is_closing(next) || matches!(next, '.' | '!' | '?'))
            {
                end += 1;
            }
            let after = chars.get(end).map(|&(_, next)| next);
            if after.is_none_or(char::is_whitespace) {
                let next = chars
                    .get(end..)
                    .and_then(|rest| rest.iter().position(|&(_, c)| !c.is_whitespace()));
                let next_at = next.map(|offset| end + offset);
                if ends_sentence(text, &chars, start, i, c, next_at, german) {
                    let end_byte = chars.get(end).map_or(text.len(), |&(at, _)| at);
                    push(&mut found, text, start, end_byte);
                    start = end_byte;
                }
            }
            i = end;
            continue;
        }
        i += 1;
    }
    push(&mut found, text, start, text.len());
    found
}

/// The abbreviation that is an ordinary word as well.
const NUMBER: &str = "no";

/// How names of streets end that are shortened.
const STREET: &str = "str";

/// Most letters of the name of a register or of a country before a number.
const LONGEST_REGISTER: usize = 4;

/// Whether a text begins with a number of something, perhaps behind the name of a register: `14`, `A12`, `GB 123`,
/// `HRB 1234`, `X-A`.
fn begins_with_number(text: &str) -> bool {
    let has_figure = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    let letters = || first.chars().filter(|c| c.is_alphabetic());
    let in_capitals =
        (1..=LONGEST_REGISTER).contains(&letters().count()) && letters().all(char::is_uppercase);
    has_figure(first)
        || !begins_like_a_sentence(text) && (in_capitals || words.next().is_some_and(has_figure))
}

fn push<'a>(found: &mut Vec<&'a str>, text: &'a str, start: usize, end: usize) {
    let sentence = text.get(start..end).unwrap_or_default().trim();
    if !sentence.is_empty() {
        found.push(sentence);
    }
}

fn is_closing(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | ')' | ']' | '»' | '\u{201d}' | '\u{2019}' | '\u{201c}'
    )
}

fn ends_sentence(
    text: &str,
    chars: &[(usize, char)],
    start: usize,
    stop: usize,
    mark: char,
    next: Option<usize>,
    german: bool,
) -> bool {
    let Some(next) = next else { return true };
    let Some(&(next_byte, next_char)) = chars.get(next) else {
        return true;
    };
    if next_char.is_lowercase() {
        return false;
    }
    if mark != '.' {
        return true;
    }
    let stop_byte = chars.get(stop).map_or(text.len(), |&(at, _)| at);
    let before = text.get(start..stop_byte).unwrap_or_default();
    let last = before
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '„' | '\u{201c}'))
        .next()
        .unwrap_or_default();
    let lower = last.to_lowercase();
    // `whether it rained or no. The wells …`: as an abbreviation, it stands before a number.
    if lower == NUMBER && !begins_with_number(text.get(next_byte..).unwrap_or_default()) {
        return true;
    }
    let form = COMPANY_FORMS.contains(&lower) || PARTS_OF_FORMS.contains(&lower);
    if form || ABBREVIATIONS.contains(&lower) {
        // "Acme Inc. The …" does end here: a short word that begins a sentence follows.
        return form && begins_like_a_sentence(text.get(next_byte..).unwrap_or_default());
    }
    // A German street before its number: `Hafenstr. 50`.
    let numbered = next_char.is_ascii_digit();
    if numbered && lower.ends_with(STREET) {
        return false;
    }
    // Whatever else is shortened twice in one word: "D.Lgs. 81/08".
    if is_shortened(last) {
        return begins_like_a_sentence(text.get(next_byte..).unwrap_or_default());
    }
    if last.chars().count() == 1 && last.chars().all(char::is_uppercase) {
        return false;
    }
    if !last.is_empty() && last.chars().all(|c| c.is_ascii_digit()) && last.len() <= 2 {
        let following: String = text
            .get(next_byte..)
            .unwrap_or_default()
            .chars()
            .take(MONTH_LETTERS)
            .collect::<String>()
            .to_lowercase();
        if MONTHS.contains(&following) {
            return false;
        }
        if german && !begins_like_a_sentence(text.get(next_byte..).unwrap_or_default()) {
            return false;
        }
    }
    true
}

/// Whether a word has a full stop behind its first letter or two: `D.Lgs`, `p.ej`. Addresses have longer parts.
fn is_shortened(word: &str) -> bool {
    let mut parts = word.split('.');
    let first = parts.next().unwrap_or_default().chars().count();
    let short = |part: &str| {
        (1..=4).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic)
    };
    (1..=2).contains(&first) && word.contains('.') && word.split('.').all(short)
}

fn begins_like_a_sentence(rest: &str) -> bool {
    let word: String = rest.chars().take_while(|c| c.is_alphabetic()).collect();
    OPENINGS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_may_point_back() {
        let back = |text: &str| refers_back(&crate::words::split(&crate::words::fold(text)));
        for text in [
            "この技術は長年の経験から生まれました。",
            "その結果、納期が半分になりました。",
            "These are made by hand.",
        ] {
            assert!(back(text), "{text}");
        }
        for text in [
            "青葉精機は研削盤を製造しています。",
            "There is a roof for each house.",
        ] {
            assert!(!back(text), "{text}");
        }
    }

    #[test]
    fn a_word_that_is_an_abbreviation_too_ends_a_sentence_unless_a_number_follows() {
        assert_eq!(
            split("Regaban, lloviera o no. El consumo era alto.", "es"),
            ["Regaban, lloviera o no.", "El consumo era alto."]
        );
        assert_eq!(
            split("Whether they agreed or no. The wells are 9 m deep.", "en").len(),
            2
        );
        for text in [
            "See no. 14 and No. A12.",
            "Our VAT No. GB 123 4567 89 is on each bill.",
            "We are listed in Ulm as No. HRB 1234.",
            "Company No. SC 123456.",
            "Tax No. Ulm 1234.",
            "The rope, article No. X-A, is new.",
        ] {
            assert_eq!(split(text, "en"), [text]);
        }
    }

    #[test]
    fn splits_at_ends_and_not_at_abbreviations() {
        assert_eq!(
            split(
                "Dr. Smith runs Acme Inc. in Leeds. It employs approx. 40 people! Really? Yes.",
                "en"
            ),
            [
                "Dr. Smith runs Acme Inc. in Leeds.",
                "It employs approx. 40 people!",
                "Really?",
                "Yes."
            ]
        );
        assert_eq!(
            split("Made by Acme Ltd. We ship worldwide.", "en"),
            ["Made by Acme Ltd.", "We ship worldwide."]
        );
        assert_eq!(
            split(
                "Acme Pvt. Ltd. Leeds is a maker. At Acme Pvt. Ltd., we ship. Acme S.r.l. Bologna rents.",
                "en"
            ),
            [
                "Acme Pvt. Ltd. Leeds is a maker.",
                "At Acme Pvt. Ltd., we ship.",
                "Acme S.r.l. Bologna rents."
            ]
        );
        assert_eq!(
            split(
                "It plans the D.Lgs. 81/08 checks. See acme.com. Write to us.",
                "en"
            ),
            [
                "It plans the D.Lgs. 81/08 checks.",
                "See acme.com.",
                "Write to us."
            ]
        );
        assert_eq!(
            split("Version 2.5 is out. J. P. Doe wrote it.", "en"),
            ["Version 2.5 is out.", "J. P. Doe wrote it."]
        );
    }

    #[test]
    fn german_ordinals_and_abbreviations_hold_together() {
        let address = "Besuchen Sie uns in der Hafenstr. 50, 89077 Ulm.";
        assert_eq!(split(address, "de"), [address]);
        assert_eq!(
            split("Wir sind in der Hafenstr. Kommen Sie vorbei.", "de").len(),
            2
        );
        assert_eq!(
            split(
                "Am 12. März 2026 eröffneten wir z. B. Werk Nr. 2. Es liegt in Ulm.",
                "de"
            ),
            [
                "Am 12. März 2026 eröffneten wir z. B. Werk Nr. 2.",
                "Es liegt in Ulm."
            ]
        );
    }

    #[test]
    fn quotes_lines_and_other_scripts() {
        assert_eq!(
            split("He said \"Go.\" Then he left.", "en"),
            ["He said \"Go.\"", "Then he left."]
        );
        assert_eq!(
            split("One line\nAnother line", "en"),
            ["One line", "Another line"]
        );
        assert_eq!(
            split("我们制造仪表。总部在上海。", "zh"),
            ["我们制造仪表。", "总部在上海。"]
        );
        assert!(split("   ", "en").is_empty());
    }

    #[test]
    fn every_sentence_is_a_substring() {
        let text = "A. B? C! 3. Mai… x.y z... (end.) «Fin.» Ende";
        for sentence in split(text, "de") {
            assert!(text.contains(sentence));
        }
    }
}
