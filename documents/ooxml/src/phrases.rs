//! Where a title breaks in a language without blanks: between phrases, never inside a word or before what belongs to it.
//!
//! Typesetters break Japanese between any two characters. In running text readers are used to it; in large letters
//! a word that is torn apart looks like a mistake.

use budoux_phf_rs::Parser;
use gtm_language_tag::primary_language;

/// Characters that no line may begin with or end with, beside those that a phrase keeps together anyway.
const CLOSING: &str = "、。，．・」』）】》〉］｝：；！？ー…‥々ゝゞ,.)]}:;!?%％";
const OPENING: &str = "「『（【《〈［｛([{";
/// Signs that make another word of the one before them: `見える化`.
const SUFFIXES: &str = "化的性";
/// Signs that stand before the word that they honour.
const PREFIXES: &str = "ごお";
/// Characters of a phrase that is parted where a word ends in it, and of one that is parted within a word of two scripts.
const LONG: usize = 8;
const TOO_LONG: usize = 13;
/// How often lines are tried to be made more alike.
const TRIES: i64 = 24;

/// Whether a word ends between two characters, before the text behind them.
type EndsAWord = fn(char, char, Option<&str>) -> bool;

/// The phrases of a text, none where its language parts its words with blanks.
#[must_use]
pub fn phrases<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    if !primary_language(language).eq_ignore_ascii_case("ja") {
        return Vec::new();
    }
    let mut ends: Vec<usize> = Vec::new();
    let mut at = 0;
    Parser::japanese_parser().parse_with(text, |phrase| {
        at += phrase.len();
        ends.push(at);
    });
    let may_end = |end: &usize| {
        // Nothing says that the parser's phrases are exactly the text.
        let Some((before, after)) = text.split_at_checked(*end) else {
            return false;
        };
        let (before, after) = (before.chars().next_back(), after.chars().next());
        // Words of another script are not in the model.
        let inside_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        !(after.is_some_and(|c| CLOSING.contains(c) || SUFFIXES.contains(c))
            || before.is_some_and(|c| OPENING.contains(c))
            || (inside_word(before) && inside_word(after)))
    };
    let mut found = Vec::new();
    let mut from = 0;
    for end in ends.into_iter().filter(may_end) {
        found.extend(text.get(from..end));
        from = end;
    }
    found.extend(text.get(from..).filter(|rest| !rest.is_empty()));
    for (most, ends_a_word) in [
        (LONG, ends_in_hiragana as EndsAWord),
        (TOO_LONG, changes_script),
    ] {
        found = (found.into_iter())
            .flat_map(|phrase| match phrase.chars().count() > most {
                true => split(phrase, ends_a_word),
                false => vec![phrase],
            })
            .collect();
    }
    found
}

/// A phrase at the places between two characters where a word ends.
fn split(phrase: &str, ends_a_word: EndsAWord) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut previous: Option<char> = None;
    for (at, character) in phrase.char_indices() {
        if let Some(previous) = previous
            && ends_a_word(previous, character, phrase.get(at + character.len_utf8()..))
        {
            found.extend(phrase.get(from..at));
            from = at;
        }
        previous = Some(character);
    }
    found.extend(phrase.get(from..));
    found
}

/// `向け` ends before `在庫`; `ご` belongs to `提案`, and `化` to `見える`.
fn ends_in_hiragana(before: char, after: char, behind: Option<&str>) -> bool {
    let is_word = |c: char| is_kanji(c) || is_katakana(c);
    let next = behind.and_then(|behind| behind.chars().next());
    is_hiragana(before) && !PREFIXES.contains(before) && is_word(after) && next.is_some_and(is_word)
}

/// `可視化` ends before `サービス`.
fn changes_script(before: char, after: char, _: Option<&str>) -> bool {
    is_kanji(before) && is_katakana(after) || is_katakana(before) && is_kanji(after)
}

const fn is_hiragana(character: char) -> bool {
    matches!(character, '\u{3041}'..='\u{3096}')
}

const fn is_katakana(character: char) -> bool {
    matches!(character, '\u{30a1}'..='\u{30fa}' | 'ー')
}

const fn is_kanji(character: char) -> bool {
    matches!(character, '\u{4e00}'..='\u{9fff}' | '々')
}

/// The text with line breaks between its phrases, so that no line is wider than `limit` and all are about as wide as each
/// other. It stays as it is where it fits, where nothing is known of its phrases, or where one alone is too wide.
#[must_use]
pub fn in_lines(text: &str, language: &str, limit: i64, width: impl Fn(&str) -> i64) -> String {
    if text.contains('\n') || width(text) <= limit {
        return text.to_owned();
    }
    let phrases = phrases(text, language);
    let Some(fewest) = filled(&phrases, limit, &width) else {
        return text.to_owned();
    };
    let mut best = fewest;
    for step in 1..TRIES {
        match filled(&phrases, limit * (TRIES - step) / TRIES, &width) {
            Some(lines) if lines.len() == best.len() => best = lines,
            _ => break,
        }
    }
    best.join("\n")
}

/// Lines of phrases, each as full as it can be; nothing where a phrase is wider than a line, or where there is none.
fn filled(phrases: &[&str], limit: i64, width: &impl Fn(&str) -> i64) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for phrase in phrases {
        if width(phrase.trim()) > limit {
            return None;
        }
        match lines.last_mut() {
            Some(line) if width(&format!("{line}{}", phrase.trim_end())) <= limit => {
                line.push_str(phrase);
            }
            _ => lines.push(phrase.trim_start().to_owned()),
        }
    }
    for line in &mut lines {
        line.truncate(line.trim_end().len());
    }
    (!lines.is_empty()).then_some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square for each character.
    fn squares(text: &str) -> i64 {
        i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
    }

    #[test]
    fn a_line_ends_where_a_phrase_does() {
        for (title, limit, lines) in [
            (
                "中堅製造業向け在庫可視化サービスのご提案",
                14,
                "中堅製造業向け\n在庫可視化サービスのご提案",
            ),
            (
                "倉庫の在庫を見える化するサービスです",
                14,
                "倉庫の在庫を見える化する\nサービスです",
            ),
            (
                "棚卸しにかかる日数を大きく減らします",
                12,
                "棚卸しにかかる日数を\n大きく減らします",
            ),
        ] {
            assert_eq!(in_lines(title, "ja", limit, squares), lines);
        }
    }

    #[test]
    fn what_fits_or_has_blanks_stays() {
        assert_eq!(in_lines("在庫の数", "ja", 10, squares), "在庫の数");
        let english = "A title of many words";
        assert_eq!(in_lines(english, "en", 5, squares), english);
        // One phrase that is wider than the line is left to whoever lays it out.
        assert_eq!(
            in_lines("在庫可視化サービス", "ja", 4, squares),
            "在庫可視化サービス"
        );
    }

    #[test]
    fn no_phrase_begins_with_a_sign_that_closes() {
        for title in [
            "「数える」仕事から（棚卸し）、使う仕事へ。",
            "ERP System 連携：15分ごとの更新",
        ] {
            let found = phrases(title, "ja-JP");
            assert_eq!(found.concat(), title);
            assert!(found.len() > 1, "{found:?}");
            for phrase in found {
                assert!(!phrase.starts_with(|c| CLOSING.contains(c)), "{phrase}");
                assert!(!phrase.ends_with(|c| OPENING.contains(c)), "{phrase}");
            }
        }
    }
}
