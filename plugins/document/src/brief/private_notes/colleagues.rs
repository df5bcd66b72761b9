//! Notes that say to whom of the writer's people they are: `Tessa: their buyer leaves in May.`, `(Para Marta: …)`, `Note for
//! Marcus: …`, `Paul, can you read this again?`
//!
//! Danger: `Anna: 14 places`, `Tessa Ward: "It works."` and `For the fitter: two hours` are for the reader. So a given name stands
//! alone. Without a preposition before it, it begins a paragraph, a sentence stands behind it, and nothing else in the brief has it.

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    ADDRESSING, ANYBODY, CHAT_QUESTIONS, COLLEAGUE_ENDINGS, EDITING, FAMILIAR_YOU, HINTS,
    LETTER_READER_LABELS, LIMITS, NEEDS, NOTE_FILLERS, NOTE_WORDS, NOTICES, ORDERS, POLITENESS,
    RECIPIENTS,
};
use gtm_lexicon::names::{GIVEN_NAMES, GIVEN_NAMES_OF_OTHERS};
use gtm_lexicon::trade::ARTICLES;
use gtm_lexicon::{Phrases, fold, is_month, split};

use super::super::line_kinds;
use super::clauses::is_colon;
use super::others;

/// Longest label that names a colleague, in words and in characters.
const LABEL_WORDS: usize = 7;
const LABEL_CHARS: usize = 40;
/// Fewest words of what a colleague is told.
const SAID_WORDS: usize = 4;
/// Marks with which what somebody said begins.
const QUOTES: [char; 6] = ['"', '“', '„', '«', '»', '「'];
/// Signs behind the name of who is called.
const CALL_SIGNS: [&str; 6] = [",", "，", "、", " – ", " — ", " - "];

/// Longest name that a month's abbreviation may be as well, in letters: `Jan`. `Março` is not `Marco`.
const MONTH_LETTERS: usize = 4;

/// Whether a word is a given name by itself, as it is printed. `Max` is a limit as well, and `Victoria` a place.
fn is_given(word: &str) -> bool {
    let folded = fold(word);
    !word.starts_with(char::is_lowercase)
        && GIVEN_NAMES.contains(folded.as_str())
        && !GIVEN_NAMES_OF_OTHERS.contains(folded.as_str())
        && !LIMITS.has_word(&folded)
        && !(is_month(&folded) && (!word.is_ascii() || word.len() <= MONTH_LETTERS))
}

/// Whether a text ends as names do by which colleagues call one another: `山本さん`, `山本さんへ`. `患者さん` is anybody.
fn is_called_like_a_colleague(label: &str) -> bool {
    let bare = label.trim();
    let mut names = COLLEAGUE_ENDINGS
        .iter()
        .filter_map(|end| bare.strip_suffix(end))
        .filter(|name| !name.is_empty());
    names.any(|name| !ANYBODY.contains(name))
        && bare.chars().count() <= LABEL_CHARS
        && !bare.contains(char::is_whitespace)
}

/// Whether a label says to which colleague what stands behind it is: `Note for Marcus`, `Para Marta`, `Nota para ti`, `山本さんへ`.
/// `Für Anna Roth` names who a reader may be.
pub fn is_label(label: &str) -> bool {
    if is_called_like_a_colleague(label) {
        return true;
    }
    let printed = split(label);
    let folded = fold(label);
    let words = split(&folded);
    if words.len() != printed.len() || !(2..=LABEL_WORDS).contains(&words.len()) {
        return false;
    }
    let Some((name, before)) = words.split_last() else {
        return false;
    };
    let named = printed.last().is_some_and(|word| is_given(word));
    let is_you = FAMILIAR_YOU.has_word(name);
    let notes = [&NOTE_WORDS, &NOTICES]
        .into_iter()
        .any(|list| list.any_in(before));
    let leads = before
        .iter()
        .any(|word| RECIPIENTS.any_has(word) || LETTER_READER_LABELS.has_word(word));
    (named && leads || is_you && notes && leads) && says_nothing_else(before)
}

/// Whether words before a name are those of a note, prepositions and articles alone.
fn says_nothing_else(words: &[&str]) -> bool {
    let lists: [&'static Phrases; 4] =
        [&NOTE_WORDS, &NOTICES, &NOTE_FILLERS, &LETTER_READER_LABELS];
    let mut at = 0;
    while at < words.len() {
        let rest = words.get(at..).unwrap_or_default();
        let known = lists.iter().flat_map(|list| list.at_start(rest));
        let single = rest.first().is_some_and(|word| {
            RECIPIENTS.any_has(word) || ARTICLES.iter().any(|(_, list)| list.contains(word))
        });
        let length = known.map(<[_]>::len).max();
        match length.or(single.then_some(1)) {
            Some(length) => at += length,
            None => return false,
        }
    }
    true
}

/// The colleague with whose name a text begins, before a colon, and what stands behind it.
pub fn named_first(text: &str) -> Option<(&str, &str)> {
    let (label, said) = text.split_once(is_colon)?;
    let (label, said) = (label.trim(), said.trim());
    let is_one = is_given(label) && split(label).len() == 1 || is_called_like_a_colleague(label);
    let words = said.split_whitespace().count();
    let tells = words >= SAID_WORDS || line_kinds::is_sentence(said) && !said.is_ascii();
    let plain = !said.starts_with(QUOTES) && !said.contains('@');
    (is_one && tells && plain && line_kinds::is_sentence(said)).then_some((label, said))
}

/// The name with which a line calls somebody, and what stands behind it: `Sven, wirf noch einen Blick drauf.` Whoever is described
/// behind the name is not called: `Tessa, our head of projects, …`.
fn called(line: &str) -> Option<(&str, &str)> {
    let signs = CALL_SIGNS
        .iter()
        .filter_map(|sign| line.split_once(sign))
        .min_by_key(|(name, _)| name.len());
    let (name, said) = signs?;
    let (name, said) = (name.trim(), said.trim());
    let folded = fold(said);
    let words = split(&folded);
    let first = words.first().copied().unwrap_or_default();
    let describes = WE.has_word(first) || ARTICLES.iter().any(|(_, list)| list.contains(first));
    let is_word = split(name).len() == 1 && name.starts_with(char::is_uppercase);
    (is_word && !describes && !words.is_empty()).then_some((name, said))
}

/// Whether words ask somebody for something.
fn asks(said: &str) -> bool {
    let folded = fold(said);
    let words = split(&folded);
    [&CHAT_QUESTIONS, &ORDERS, &NEEDS, &EDITING, &HINTS]
        .into_iter()
        .any(|list| list.open(&words))
}

/// Whether a line below a signature calls somebody by name whom the text does not name, and so not its reader. `Please, can you
/// sign?` and `Tomorrow, please, …` call nobody.
fn calls(line: &str, is_cast: &dyn Fn(&str) -> bool) -> bool {
    called(line).is_some_and(|(name, said)| {
        let folded = fold(said);
        let is_polite = POLITENESS.has_word(&fold(name)) || POLITENESS.open(&split(&folded));
        (is_given(name) || !is_polite && asks(said)) && !is_cast(name)
    })
}

/// Whether a paragraph calls somebody by a given name, and asks for something.
pub fn calls_to_do_something(text: &str, is_cast: &dyn Fn(&str) -> bool) -> bool {
    let to_the_reader = split(text)
        .iter()
        .any(|word| ADDRESSING.any_has(word) && !word.eq_ignore_ascii_case("you"));
    let calls = |(name, said): (&str, &str)| {
        is_given(name) && (said.ends_with('?') || asks(said)) && !is_cast(name)
    };
    !to_the_reader && called(text).is_some_and(calls)
}

/// Whether a line below a signature names or calls one of the writer's people.
pub fn is_for_one(line: &str, is_cast: &dyn Fn(&str) -> bool) -> bool {
    let line = line.trim();
    let labeled = line
        .split_once(is_colon)
        .is_some_and(|(label, _)| is_label(label));
    labeled || calls(line, is_cast) || named_first(line).is_some_and(|(name, _)| !is_cast(name))
}

/// Whether a line below the signature of a letter is said to one of the writer's people, or speaks of the reader as of others.
pub fn is_said_to_one(line: &str, letter: &[&str]) -> bool {
    let is_cast = |name: &str| letter.iter().any(|line| split(line).contains(&name));
    is_for_one(line, &is_cast) || line_kinds::is_sentence(line.trim()) && others::are_told_of(line)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::super::Brief;
    use super::{is_label, is_said_to_one};

    #[test]
    fn labels_name_a_colleague() {
        for label in [
            "Note for Marcus",
            "An Thomas",
            "Para Marta",
            "Para o Paulo",
            "Pour Karim",
            "Per Luca",
            "Voor Joost",
            "Nota para ti",
            "Nota per te",
            "Hinweis für dich",
            "山本さんへ",
        ] {
            assert!(is_label(label), "{label}");
        }
        for label in [
            "For the fitter",
            "Für Anna Roth",
            "Note",
            "To",
            "Anna",
            "Price for Leeds",
            "Note for you",
            "山本様",
            "患者さんへ",
            "皆さん",
            "Pour vous",
        ] {
            assert!(!is_label(label), "{label}");
        }
    }

    #[test]
    fn a_name_that_nobody_else_has_begins_a_note() {
        let text =
            |last: &str| Brief::read(&format!("# A\n\n## B\n\nRooms.\n\n{last}"), "en").text();
        for note in [
            "Marta: the board is about to change.",
            "Marta: can you add your figures?",
            "Marta, can you add the figures?",
            "Speaker note: stress this, their board is split.",
        ] {
            assert_eq!(text(note).trim_end(), "A\nB\nRooms.", "{note}");
        }
        for kept in [
            "Marta: 14 places",
            "Marta: \"It has not failed us once.\"",
            "Marta Roth: the board has approved it.",
            "Marta, our head of projects, calls you in May.",
            "Leeds: all gates were replaced in May.",
            "Victoria: all gates were replaced in May.",
            "Max: five pallets go on a rack.",
        ] {
            assert!(
                text(kept).contains(kept.trim_matches('"').get(..9).unwrap()),
                "{kept}"
            );
        }
        let known = "Marta Roth leads the work.\n\nMarta: the hall opens at nine.";
        assert!(text(known).contains("opens at nine"));
        let talk = "Marta: How many gates leak?\n\nPaul: Two of the nine leak.\n\nJulie: They leak by night.";
        assert!(text(talk).contains("Two of the nine"));
    }

    #[test]
    fn a_letter_calls_its_reader_by_name() {
        let letter = "Dear Marta,\n\nthe new gate is quiet.\n\nMarta, can we come on Friday?\n\nBest wishes,\n\nJo\n\n\
            P.S. Marta, the drawings are on their way.";
        let text = Brief::read(letter, "en").text();
        assert!(
            text.contains("on Friday?") && text.contains("on their way"),
            "{text}"
        );
        let other = letter.replace("Dear Marta", "Dear Ms Olsen");
        let other = other.replace("P.S. Marta, the", "P.S. The");
        let text = Brief::read(&other, "en").text();
        assert!(!text.contains("on Friday?"), "{text}");
        assert!(text.contains("on their way"), "{text}");
    }

    #[test]
    fn what_stands_below_a_signature_may_be_said_to_a_colleague() {
        for line in [
            "Dan, can you chase the drawings before this goes off?",
            "Sven, wirf bitte noch mal einen Blick drauf.",
            "They still owe us for March.",
            "Marta: please read this again before Friday.",
        ] {
            assert!(is_said_to_one(line, &[]), "{line}");
        }
        for line in [
            "Jo Marsh, Head of Sales",
            "Halden Gates Ltd, registered in Hull.",
            "Enclosures: price list, drawings",
            "Please, can you sign by May?",
            "This letter is valid without a signature.",
        ] {
            assert!(!is_said_to_one(line, &[]), "{line}");
        }
        let line = "Marta, can you sign by Friday?";
        assert!(!is_said_to_one(line, &["Hi Marta,"]));
    }
}
