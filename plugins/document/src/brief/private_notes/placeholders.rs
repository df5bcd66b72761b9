//! Values that are still missing, which no reader is to see: `£XX`, `Price: to be added by Sophie`, `TBD`, lorem ipsum.
//!
//! Danger: `XX` is twenty, too, and `Status: pending` is a value. So crosses count beside a sign or a unit, and words where a label
//! stands before them.

use gtm_lexicon::documents::{ADDRESSING, BRACKET_TASKS, PLACEHOLDERS, STATUS_LABELS, TIME_UNITS};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{currency_of, fold, is_currency_code, split};

use super::clauses::is_colon;

/// Longest label, and most words behind a value that is missing, in words: `à compléter par Sophie`.
const LABEL_WORDS: usize = 6;
const BEHIND_WORDS: usize = 4;
/// Longest bracket that says that a value is missing, in words.
const BRACKET_WORDS: usize = 6;
/// Fewest capitals that are no number of the Romans.
const NO_ROMAN: usize = 4;
/// How text begins that only fills a place.
const FILLER: [&str; 2] = ["lorem", "ipsum"];

/// Whether a value is missing in a sentence.
pub fn is_one(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    words.windows(FILLER.len()).any(|pair| *pair == FILLER)
        || is_missing(sentence)
        || has_crosses(sentence)
        || is_mark(sentence)
}

/// Whether a text is a mark of three letters that stands for what is still to be settled: `TBD`.
fn is_mark(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    let is_short = bare.chars().filter(|c| c.is_alphabetic()).count() == 3;
    let folded = fold(bare);
    is_short && PLACEHOLDERS.are(&split(&folded))
}

/// `Prix : à compléter par Sophie`. What is settled with the reader is for him: `Start: to be agreed with you`.
fn is_missing(sentence: &str) -> bool {
    let Some((label, value)) = sentence.split_once(is_colon) else {
        return false;
    };
    let (label, folded) = (fold(label), fold(value));
    let (label, words) = (split(&label), split(&folded));
    let longest = PLACEHOLDERS.at_start(&words).map(<[_]>::len).max();
    let Some(behind) = longest.and_then(|length| words.get(length..)) else {
        return false;
    };
    let to_the_reader = split(value).iter().any(|word| ADDRESSING.any_has(word));
    let by_somebody =
        behind.len() <= BEHIND_WORDS && behind.iter().any(|word| GIVEN_NAMES.contains(word));
    (1..=LABEL_WORDS).contains(&label.len())
        && !STATUS_LABELS.any_in(&label)
        && !to_the_reader
        && (behind.is_empty() || by_somebody)
}

/// Whether what stands in a square bracket says that something is missing: `[PREZZO DA DEFINIRE]`.
pub fn ends_bracket(inner: &str) -> bool {
    let folded = fold(inner);
    let words = split(&folded);
    let ends = |(at, phrase): (usize, gtm_lexicon::Phrase)| at + phrase.len() == words.len();
    words.len() <= BRACKET_WORDS
        && (PLACEHOLDERS.places(&words).any(ends)
            || BRACKET_TASKS
                .places(&words)
                .any(|place| place.0 > 0 && ends(place)))
}

/// `£XX per pallet`, `xx %`, `in XX days`, `XX.XXX €`; and `€ ???`.
fn has_crosses(sentence: &str) -> bool {
    let tokens: Vec<&str> = sentence.split_whitespace().collect();
    (0..tokens.len()).any(|at| {
        let token = tokens.get(at).copied().unwrap_or_default();
        let neighbour = |at: Option<usize>| at.and_then(|at| tokens.get(at)).copied();
        let before = neighbour(at.checked_sub(1)).unwrap_or_default();
        let behind = neighbour(Some(at + 1)).unwrap_or_default();
        is_blank_number(token, before, behind)
    })
}

fn is_money(token: &str) -> bool {
    let bare = token.trim_matches(|c: char| matches!(c, '.' | ',' | ';' | ':' | ')'));
    let signed = !bare.is_empty()
        && bare
            .chars()
            .all(|c| matches!(c, '€' | '$' | '£' | '¥' | '%'));
    signed || is_currency_code(bare) || currency_of(&bare.to_lowercase()).is_some()
}

fn is_blank_number(token: &str, before: &str, behind: &str) -> bool {
    let bare = token.trim_end_matches(['.', ',', ';', ':', '!', ')', '。']);
    let core = bare.trim_matches(|c: char| matches!(c, '€' | '$' | '£' | '¥' | '%' | '~' | '('));
    let is_signed = core.len() < bare.trim_matches('(').len();
    let crosses: Vec<char> = core.chars().filter(|c| c.is_alphabetic()).collect();
    let all = |x: char| crosses.len() >= 2 && crosses.iter().all(|c| *c == x);
    let only = core
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, '.' | ',' | '\''));
    let crossed = only && (all('X') || all('x'));
    let is_asked = core.len() >= 2 && core.chars().all(|c| c == '?');
    if !crossed && !is_asked {
        return false;
    }
    let is_value = is_signed || is_money(before) || is_money(behind) || before.ends_with(is_colon);
    let is_parted = core.contains(['.', ',', '\'']);
    let folded = fold(behind);
    let is_counted = split(&folded)
        .first()
        .is_some_and(|word| TIME_UNITS.has_word(word));
    let is_no_roman = all('X') && crosses.len() >= NO_ROMAN;
    is_value || crossed && (is_parted || is_counted || is_no_roman)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_values_are_known() {
        for said in [
            "The unit price is £XX per pallet.",
            "It costs xx % less.",
            "It takes XX days.",
            "Preis: XX.XXX €",
            "Price: € ???",
            "Lorem ipsum dolor sit amet.",
            "Price: tbd",
            "Prix : à compléter par Sophie",
            "Referenz: wird nachgereicht",
            "TBD",
            "t.b.d.",
            "It costs XXXX.",
        ] {
            assert!(is_one(said), "{said}");
        }
        assert!(ends_bracket("PREZZO DA DEFINIRE"));
    }

    #[test]
    fn values_are_none() {
        for said in [
            "Sizes up to XXL.",
            "A house of the XX century.",
            "El siglo XX.",
            "Chapter XX: the end",
            "Status: tbd",
            "What now ???",
            "Start: to be agreed with your team",
            "Termin: folgt nach Ihrer Freigabe",
            "The tbd team.",
            "Max. 12 %",
        ] {
            assert!(!is_one(said), "{said}");
        }
        assert!(!ends_bracket("see the chart"));
    }
}
