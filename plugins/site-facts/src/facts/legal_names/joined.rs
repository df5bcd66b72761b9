//! Registered names in scripts without blanks, where the legal form is joined to the name: `株式会社青波社`.

use gtm_lexicon::company::BEFORE_NAMES;
use gtm_lexicon::legal::COPYRIGHT;
use gtm_lexicon::{LegalForm, Letters, legal_forms};
use gtm_site_research::words;

/// Most characters of a name without its form.
const LONGEST: usize = 30;
/// Most Latin words of a name.
const LATIN_WORDS: usize = 4;

/// Letters of grammar: behind a name they belong to the sentence. A name of such letters alone is not cut.
fn is_particle(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}')
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '・' | 'ー' | '&' | '＆' | '-' | '.' | '’' | '\'')
}

/// The first form in a text at or behind a byte, the longest of several at one place.
fn next_form(text: &str, from: usize) -> Option<(usize, usize, &'static LegalForm)> {
    let rest = text.get(from..)?;
    legal_forms()
        .iter()
        .filter(|form| form.letters == Letters::Joined)
        .flat_map(|form| form.written.iter().map(move |written| (*written, form)))
        .filter_map(|(written, form)| Some((rest.find(written)?, written.len(), form)))
        .min_by_key(|(at, length, _)| (*at, std::cmp::Reverse(*length)))
        .map(|(at, length, form)| (from + at, from + at + length, form))
}

/// The names in a text, as byte ranges.
pub fn places(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some((begin, end, _)) = next_form(text, from) {
        let known = found.last().map_or(0, |(_, end)| *end);
        let before = text
            .get(known..begin)
            .map_or(begin, |before| begin - name_behind(before));
        let after = text.get(end..).map_or(end, |after| end + name_ahead(after));
        // A name right before the form: the form ends it, whatever follows.
        let range = if before < begin {
            (before, end)
        } else {
            (begin, after)
        };
        from = range.1.max(end);
        if range != (begin, end) {
            found.push(range);
        }
    }
    found
}

/// Length in bytes of the name with which a text begins, perhaps after a blank.
fn name_ahead(text: &str) -> usize {
    let blank = text.chars().next().filter(|c| c.is_whitespace());
    let skipped = blank.map_or(0, char::len_utf8);
    let mut end = 0;
    let mut last: Option<char> = None;
    for (at, c) in text
        .get(skipped..)
        .unwrap_or_default()
        .char_indices()
        .take(LONGEST)
    {
        let grammar = is_particle(c) && last.is_some_and(|last| !is_particle(last));
        if !is_of_name(c) || grammar {
            break;
        }
        end = at + c.len_utf8();
        last = Some(c);
    }
    if end == 0 { 0 } else { skipped + end }
}

/// Length in bytes of the name with which a text ends. A blank between two Latin words is inside the name.
fn name_behind(text: &str) -> usize {
    let mut length = 0;
    for words in 0..LATIN_WORDS {
        let rest = text.get(..text.len() - length).unwrap_or_default();
        let blank = if words == 0 { "" } else { " " };
        let Some(before) = rest.strip_suffix(blank) else {
            break;
        };
        let word: Vec<char> = before
            .chars()
            .rev()
            .take(LONGEST)
            .take_while(|c| is_of_name(*c) && !is_particle(*c))
            .collect();
        let latin =
            word.last().is_some_and(char::is_ascii_uppercase) && word.iter().all(char::is_ascii);
        let bytes: usize = word.iter().map(|c| c.len_utf8()).sum();
        let is_other = before
            .get(before.len() - bytes..)
            .is_some_and(|word| BEFORE_NAMES.contains(&words::fold(word)) || is_mark(word));
        if words > 0 && (!latin || is_other) {
            break;
        }
        length += blank.len() + bytes;
        if !latin {
            break;
        }
    }
    length
}

/// Whether a word marks a copyright.
fn is_mark(word: &str) -> bool {
    let folded = words::fold(word);
    COPYRIGHT.iter().any(|mark| *mark == folded)
}

/// The legal form of a name.
pub fn form_of(name: &str) -> Option<&'static LegalForm> {
    next_form(name, 0).map(|(_, _, form)| form)
}

/// The name without its legal form.
pub fn without_form(name: &str) -> Option<&str> {
    let (begin, end, _) = next_form(name, 0)?;
    let (before, after) = (name.get(..begin)?.trim(), name.get(end..)?.trim());
    [before, after].into_iter().find(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_out_of_texts_without_blanks() {
        let names = |text: &'static str| -> Vec<&str> {
            let places = places(text).into_iter();
            places
                .filter_map(|(begin, end)| text.get(begin..end))
                .collect()
        };
        for (text, expected) in [
            ("株式会社青波社", vec!["株式会社青波社"]),
            (
                "株式会社ナギ・システムは、Kelvio正規代理店です。",
                vec!["株式会社ナギ・システム"],
            ),
            (
                "株式会社 青波社の代表取締役でございます。",
                vec!["株式会社 青波社"],
            ),
            ("企業情報｜青葉印刷株式会社", vec!["青葉印刷株式会社"]),
            ("私たち青葉印刷株式会社は", vec!["青葉印刷株式会社"]),
            (
                "© 2026 株式会社のぞみ All rights reserved.",
                vec!["株式会社のぞみ"],
            ),
            (
                "上海青叶印刷有限公司成立于2009年",
                vec!["上海青叶印刷有限公司"],
            ),
            (
                "運営会社：Aonami Digital Works株式会社",
                vec!["Aonami Digital Works株式会社"],
            ),
            ("© 2026 Aonami Works株式会社", vec!["Aonami Works株式会社"]),
            (
                "Copyright Aonami Works株式会社",
                vec!["Aonami Works株式会社"],
            ),
            ("会社名 Aonami株式会社", vec!["Aonami株式会社"]),
            ("made by Aonami株式会社", vec!["Aonami株式会社"]),
            ("株式会社", vec![]),
            ("会社概要", vec![]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
        assert_eq!(without_form("株式会社 青波社"), Some("青波社"));
        assert_eq!(without_form("青葉印刷株式会社"), Some("青葉印刷"));
        assert_eq!(without_form("青波社"), None);
    }
}
