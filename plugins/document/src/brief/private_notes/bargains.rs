//! How far a price may fall, beside it: `€ 420 (mag naar 380 als hij moeilijk doet)`, `£900 – could do 700 at a push`.
//!
//! Danger: `£900 (£700 from the second site)` and `€ 420 (you can pay 380 at once)` are for the reader. So a lower figure stands
//! directly beside a higher one, and what is said of it speaks of somebody else, or says what may be, and to nobody.

use std::ops::Range;

use gtm_lexicon::company::YOU;
use gtm_lexicon::documents::{
    ADDRESSING, ALLOWANCES, CASES, CLAUSE_OPENINGS, PRICE_LIMITS, SOMEBODY,
};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::numbers::{self, InWords};
use gtm_lexicon::prose::{FAMILIAR, I};
use gtm_lexicon::{fold, split, with_ascii_digits};
use gtm_page_text::primary_language;

use super::super::price_lines::has_money;
use super::super::soft_breaks::SOFT_BREAK_CHAR;
use super::labels::BRACKETS;

/// Most words between a price and what stands beside it: `190 € al mese - ma …`.
const WORDS_BETWEEN: usize = 3;
/// Longest text that says how far a price may fall, in words.
const MOST_WORDS: usize = 16;
/// How far such words are searched for their end, and before them a price, in characters.
const REACH: usize = 200;
const REACH_BEFORE: usize = 60;
/// How much of a price must be left for a figure to be a lower one, where nobody is spoken of.
const LEAST_LEFT: f64 = 0.5;
/// Prices are told in thousands, too.
const THOUSAND: f64 = 1_000.0;
/// Signs behind which such words go on.
const SIGNS: [&str; 6] = [" - ", " – ", " — ", ", ", "; ", "، "];

/// Where a text says how far a price may fall, each with the sign before it.
pub fn places(text: &str, language: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (begin, end) in BRACKETS {
        for (at, sign) in text.match_indices(begin) {
            let inner = near_end(text.get(at + sign.len()..).unwrap_or_default());
            let Some(length) = inner.find(end) else {
                continue;
            };
            let before = text.get(..at).unwrap_or_default();
            if is_one(before, inner.get(..length).unwrap_or_default(), language) {
                let begin = before.trim_end_matches(' ').len();
                found.push(begin..at + sign.len() + length + end.len_utf8());
            }
        }
    }
    for sign in SIGNS {
        for (at, _) in text.match_indices(sign) {
            let behind = near_end(text.get(at + sign.len()..).unwrap_or_default());
            let end = end_of(behind);
            let said = behind.get(..end).unwrap_or_default();
            if is_one(text.get(..at).unwrap_or_default(), said, language) {
                found.push(at..at + sign.len() + end);
            }
        }
    }
    found
}

/// As much of a text as is searched for the end of such words: many signs must not take quadratic time.
fn near_end(text: &str) -> &str {
    let end = text
        .char_indices()
        .nth(REACH)
        .map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// Where words end that go on behind a sign: with their sentence, or their line.
fn end_of(text: &str) -> usize {
    let ends = |(at, c): &(usize, char)| {
        let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
        matches!(*c, '\n' | SOFT_BREAK_CHAR | '|' | '。')
            || matches!(*c, '.' | '!' | '?' | ')') && !behind.starts_with(char::is_alphanumeric)
    };
    let end = text.char_indices().find(ends);
    end.map_or(text.len(), |(at, _)| at)
}

/// Whether words beside what stands before them say how far its price may fall.
fn is_one(before: &str, said: &str, language: &str) -> bool {
    if said.split_whitespace().count() > MOST_WORDS {
        return false;
    }
    let begin = before
        .char_indices()
        .rev()
        .nth(REACH_BEFORE)
        .map_or(0, |(at, _)| at);
    let before = before.get(begin..).unwrap_or_default();
    let figures = (last_figure(before), first_figure(said));
    let (Some((price, between)), Some((lower, behind))) = figures else {
        return false;
    };
    if !has_money(before) {
        return false;
    }
    if between.split_whitespace().count() > WORDS_BETWEEN || lower >= price {
        return false;
    }
    let primary = primary_language(language);
    let printed: Vec<String> = said
        .split(|c: char| !c.is_alphabetic())
        .map(str::to_lowercase)
        .collect();
    let folded = fold(said);
    let words = split(&folded);
    let has = |list: &gtm_lexicon::ByLanguage| {
        let list = list.of(primary);
        printed.iter().any(|word| list.contains(word))
    };
    let to_the_reader = split(said).iter().any(|word| ADDRESSING.any_has(word))
        || words.iter().any(|word| YOU.has_word(word)) && !has(&FAMILIAR);
    // `me planto en 3.200`
    let own = has(&I) || printed.iter().any(|word| word == "me" || word == "mi");
    let near =
        lower >= price * LEAST_LEFT || (price * LEAST_LEFT..price).contains(&(lower * THOUSAND));
    let opens = CLAUSE_OPENINGS.open(&words);
    // `they last 12 years` counts something else.
    let behind = fold(&behind);
    let behind = split(&behind);
    let cases = CASES.of(primary);
    let bare = behind.first().is_none_or(|word| cases.contains(word));
    !to_the_reader
        && (PRICE_LIMITS.any_in(&words)
            || has(&SOMEBODY) && (near || bare)
            || has(&ALLOWANCES) && has(&I)
            || near && names_somebody(said)
            || near && (has(&ALLOWANCES) || own || has(&FAMILIAR) || opens))
}

/// `Ivo says 1,200 is doable`
fn names_somebody(said: &str) -> bool {
    let first = split(said).first().copied().unwrap_or_default();
    first.starts_with(char::is_uppercase) && GIVEN_NAMES.contains(fold(first).as_str())
}

/// The last figure of a text, and what stands behind it.
fn last_figure(text: &str) -> Option<(f64, String)> {
    let text = with_ascii_digits(text);
    let last = numbers::read(&text, InWords::Ignored).last()?;
    let behind = text.get(last.place.end..).unwrap_or_default().to_owned();
    last.value()
        .filter(|_| !last.is_percent())
        .map(|value| (value, behind))
}

/// The first figure of a text, and what stands behind it.
fn first_figure(text: &str) -> Option<(f64, String)> {
    let text = with_ascii_digits(text);
    let first = numbers::read(&text, InWords::Ignored).next()?;
    let behind = text.get(first.place.end..).unwrap_or_default().to_owned();
    first
        .value()
        .filter(|_| !first.is_percent())
        .map(|value| (value, behind))
}

#[cfg(test)]
mod tests {
    use gtm_test_support::growth;

    use super::super::super::Brief;

    /// What a cell with this price prints.
    fn cell(said: &str, language: &str) -> String {
        let brief =
            format!("# A\n\n## B\n\n| Vela | Halden |\n|---|---|\n| Alba | {said} |\n| Tor | 77 |");
        Brief::read(&brief, language).text()
    }

    #[test]
    fn how_far_a_price_may_fall_is_not_printed() {
        for (language, price, said) in [
            ("en", "£900", " (could do 710 if he digs his heels in)"),
            ("en", "£900", " – they'd sign at 710"),
            ("de", "11.200 €", " (notfalls 10.500, wenn er rumeiert)"),
            ("de", "350 €", " – 310 gehen auch"),
            ("fr", "12 500 €", " (on peut lâcher 1 000 s'ils râlent)"),
            ("es", "3.480 €", ", si él se pone pesado 3.200"),
            ("it", "190 € al mese", " - ma fino a 160 ci si arriva"),
            ("nl", "€ 420", " (mag naar 380 als hij moeilijk doet)"),
            ("nl", "€ 64.500", " (hij wou eerst 58)"),
            ("pt", "390 €", " (podes descer a 370)"),
            ("es", "0,011 € por página", " (me planto en 0,010)"),
            ("nl", "€ 2.950", " (kan ik met 200 zakken)"),
            ("en", "£1,400", " (Ivan says 1,200 is doable)"),
            ("ja", "月額38,000円", "（35,000円までなら下げてもいい）"),
        ] {
            let text = cell(&format!("{price}{said}"), language);
            assert!(
                text.contains(price) && !text.contains(said.trim()),
                "{text}"
            );
            let line = Brief::read(
                &format!("# A\n\n## B\n\n- Alba: {price}{said}\n- Tor: 77"),
                language,
            )
            .text();
            assert!(
                line.contains(price) && !line.contains(said.trim()),
                "{line}"
            );
        }
    }

    #[test]
    fn what_a_reader_may_pay_stays() {
        for (language, said, figure) in [
            ("en", "£900 (£700 from the second site)", "700"),
            ("en", "£900 (you can pay 750 by card)", "750"),
            ("en", "£900, installation can start in 3 weeks", "3 weeks"),
            ("en", "£900 (they last 12 years)", "12 years"),
            ("de", "11.200 € (inkl. 10 % Rabatt)", "10"),
            ("de", "350 € (300 € ab 2 Stück)", "300"),
            ("fr", "12 500 € (dont 1 000 € de pose)", "000"),
            ("es", "3.480 € (3.200 € si contrata dos años)", "3.200"),
            ("nl", "€ 420 (€ 380 excl. btw)", "380"),
            ("it", "190 € al mese (160 € il secondo anno)", "160"),
        ] {
            let text = cell(said, language);
            assert!(text.contains(figure), "{said}: {text}");
        }
    }

    #[test]
    fn hostile_texts_are_searched_in_no_time() {
        growth::takes_at_most(20, || {
            for text in [
                "9 - ".repeat(12_000),
                "(".repeat(25_000),
                "9 (8, ".repeat(8_000),
            ] {
                let _ = super::places(&text, "en");
            }
        });
    }
}
