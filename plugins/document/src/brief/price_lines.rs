//! Lines of prices: each names a thing and ends with what it costs, perhaps behind dots that lead the eye there: `Basic plan
//! ........ 49 €`. Markdown would make one sentence of them.
//!
//! Danger: prose has amounts and dots as well. So several lines must look so, directly below one another.

use std::borrow::Cow;

use gtm_lexicon::currency_of;
use gtm_lexicon::numbers::is_currency;

use super::line_kinds::{self, Line};

/// Fewest signs that lead to a price.
const DOTS: usize = 3;
/// Signs of leaders.
const SIGNS: [char; 5] = ['.', '…', '·', '_', '・'];
/// Most words behind leaders, and behind an amount that ends a line: `per month and seat`.
const WORDS_BEHIND: usize = 5;
/// Longest line, in characters.
const LINE_CHARS: usize = 110;

/// Whether a text names an amount of money.
pub fn has_money(text: &str) -> bool {
    let sign = |c: char| is_currency(c) || currency_of(c.encode_utf8(&mut [0; 4])).is_some();
    let mut words = text.split(|c: char| !c.is_alphabetic());
    text.contains(char::is_numeric)
        && (text.contains(sign) || words.any(|word| currency_of(word).is_some()))
}

/// Whether several lines each name a thing and end with what it costs.
pub fn are_priced(lines: &[String]) -> bool {
    lines.len() > 1 && lines.iter().all(|line| is_priced(line))
}

fn is_priced(line: &str) -> bool {
    let line = line.trim();
    let amount = line.rfind(char::is_numeric);
    let behind = amount.and_then(|at| line.get(at..)).unwrap_or_default();
    let words = behind.split_whitespace().skip(1);
    let before = line.find(char::is_numeric).and_then(|at| line.get(..at));
    let named = before.is_some_and(|before| before.contains(char::is_alphabetic));
    named
        && has_money(line)
        && line.chars().count() <= LINE_CHARS
        && !line.starts_with(char::is_lowercase)
        && words.count() <= WORDS_BEHIND
}

/// The text with a colon in the place of the signs that lead from a name to its price or its page.
pub fn without_leaders(text: &str) -> Cow<'_, str> {
    let lines: Vec<&str> = text.lines().collect();
    let kinds = line_kinds::kinds(&lines);
    let read: Vec<Option<(&str, &str)>> = lines
        .iter()
        .zip(&kinds)
        .map(|(line, kind)| leading(line).filter(|_| matches!(kind, Line::Plain | Line::Item)))
        .collect();
    let leads = |at: usize| read.get(at).is_some_and(Option::is_some);
    let beside = |at: usize| leads(at + 1) || at.checked_sub(1).is_some_and(leads);
    if !(0..lines.len()).any(|at| leads(at) && beside(at)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        match read.get(at).copied().flatten().filter(|_| beside(at)) {
            Some((name, said)) => out.push_str(&format!("{name}: {said}")),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    Cow::Owned(out)
}

/// What stands before and behind the signs of a line that lead from one to the other.
fn leading(line: &str) -> Option<(&str, &str)> {
    let is_sign = |c: char| SIGNS.contains(&c);
    let begin = line.match_indices(is_sign).map(|(at, _)| at).find(|at| {
        let run = line.get(*at..).unwrap_or_default();
        let run: Vec<char> = run
            .chars()
            .take_while(|c| is_sign(*c) || *c == ' ')
            .collect();
        // `…` is three dots.
        let dots = run.iter().map(|c| match c {
            '…' => DOTS,
            c => usize::from(is_sign(*c)),
        });
        dots.sum::<usize>() >= DOTS
    })?;
    let (name, rest) = line.split_at(begin);
    let said = rest
        .trim_start_matches(|c: char| is_sign(c) || c == ' ')
        .trim();
    let name = name.trim_end().trim_end_matches([':', '：']);
    let fits = name.contains(char::is_alphabetic)
        && said.contains(char::is_numeric)
        && said.split_whitespace().count() <= WORDS_BEHIND
        && !line_kinds::is_sentence(name);
    fits.then_some((name, said))
}

#[cfg(test)]
mod tests {
    use super::super::{Brief, texts_of};
    use super::*;

    fn texts(brief: &str, language: &str) -> Vec<String> {
        let brief = Brief::read(brief, language);
        let chapters = brief.chapters.iter();
        chapters.flat_map(|it| texts_of(&it.blocks)).collect()
    }

    #[test]
    fn lines_of_prices_are_one_each() {
        for (language, lines, expected) in [
            (
                "en",
                "Basic plan … 49 €\nPro plan … 99 €",
                ["Basic plan: 49 €", "Pro plan: 99 €"],
            ),
            (
                "de",
                "Grundtarif ........ 49,00 € im Monat\nProfitarif ........ 99,00 € im Monat",
                [
                    "Grundtarif: 49,00 € im Monat",
                    "Profitarif: 99,00 € im Monat",
                ],
            ),
            (
                "fr",
                "Formule de base, 49 € par mois.\nFormule pro, 99 € par mois.",
                [
                    "Formule de base, 49 € par mois.",
                    "Formule pro, 99 € par mois.",
                ],
            ),
            (
                "ja",
                "基本プラン……月額4,900円\nプロプラン……月額9,900円",
                ["基本プラン: 月額4,900円", "プロプラン: 月額9,900円"],
            ),
        ] {
            let found = texts(&format!("# A\n\n## B\n\n{lines}\n"), language);
            assert_eq!(found, expected, "{lines}");
        }
    }

    #[test]
    fn dots_and_amounts_of_prose_stay() {
        for text in [
            "We waited ... and then 40 cranes stood still.",
            "See 1.2.3 and 4.5.6 …",
        ] {
            assert_eq!(without_leaders(text), text);
            let found = texts(&format!("# A\n\n## B\n\n{text}\n"), "en");
            assert_eq!(found.len(), 1, "{found:?}");
        }
    }
}
