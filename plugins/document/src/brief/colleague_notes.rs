//! What a writer is told as a colleague, without anything secret in it: `Call me if anything is unclear`, `If there is room, add
//! something on Leeds`, `[check: 24 or 23?]`, `The picture is on the shared drive under /marketing`.
//!
//! Danger: it would be printed. And a reader may be told much of it, too: `Call us`, `Check the seal before it goes out`, `Not sure
//! which one you need?` So a sentence must speak of the writer's own house, and to nobody else.

use std::ops::Range;

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    ADDING, APPROVALS, BRACKET_ASIDES, BRACKET_TASKS, CALLING_ME, CHECKING, CLAUSE_OPENINGS,
    DOUBTS, HINTS, IF_ROOM, OPEN_LABELS, SHARED_DRIVES, THEY, UNCHECKED,
};
use gtm_lexicon::messages::CONDITIONS;
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{Phrase, Phrases, fold, split};

use super::spoken_to::{is_to_the_reader, says_you};
use super::{making_notes, private_notes};

/// How far the end of a bracket is searched, in characters.
const REACH: usize = 400;
/// How many words into a sentence what opens it may stand: `Oh, and if there is room, …`.
const WORDS_BEFORE: usize = 2;
/// Longest sentence that asks to be called and names no number, in words: `Call me old-fashioned`.
const SHORT_WORDS: usize = 4;
/// Longest run of letters that is a task by itself in a round bracket, in characters: `在庫を確認できます` is none.
const TASK_LETTERS: usize = 8;
/// What opens a bracket.
const OPENINGS: [char; 4] = ['(', '[', '（', '［'];

/// Whether a sentence is told to a colleague.
pub fn is_one(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    calls_back(sentence, &words)
        || UNCHECKED.any_in(&words) && !is_to_the_reader(sentence) && !says_you(&words)
        || asks_for_more(sentence, &words)
        || doubts(sentence, &words)
        || making_notes::is_one(sentence)
        || names_a_shared_file(sentence, &words)
        || waits_for_somebody(sentence)
}

/// Whether a sentence goes on with what was told before it: `Use whatever is in the annual report.`
pub fn goes_on(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    HINTS.open(&words) && !is_to_the_reader(sentence) && !says_you(&words)
}

/// Where the words behind some phrases begin that open a sentence.
fn behind(words: &[&str], phrases: &'static Phrases) -> Option<usize> {
    (0..=WORDS_BEFORE).find_map(|at| {
        let rest = words.get(at..)?;
        let longest = phrases.at_start(rest).map(<[_]>::len).max()?;
        let before = words.get(..at)?;
        let joined = before.iter().all(|word| CLAUSE_OPENINGS.has_word(word));
        joined.then_some(at + longest)
    })
}

/// `Call me on 07700 900123 if anything is unclear.` `Call me old-fashioned` asks for nothing, and `Drivers call me` neither.
fn calls_back(sentence: &str, words: &[&str]) -> bool {
    let opens = |clause: &str| {
        let folded = fold(clause);
        let words = split(&folded);
        // `If in doubt ring me`
        let conditional = CONDITIONS.open(&words) && CALLING_ME.any_in(&words);
        conditional || behind(&words, &CALLING_ME).is_some()
    };
    let quoted = sentence.contains(['"', '“', '„', '«', '「']);
    let asks = !quoted && sentence.split([',', ';', ':', '–', '—', '(']).any(opens);
    let reachable = sentence.contains(|c: char| c.is_ascii_digit()) || words.len() > SHORT_WORDS;
    asks && reachable && !words.iter().any(|word| WE.has_word(word))
}

/// `If there's room, add something on Leeds.` `If there is room, we store more` tells the reader something.
fn asks_for_more(sentence: &str, words: &[&str]) -> bool {
    behind(words, &IF_ROOM).is_some_and(|from| {
        let rest = words.get(from..).unwrap_or_default();
        ADDING.any_in(rest) && !is_to_the_reader(sentence)
    })
}

/// `Not sure whether it is 400 or 420, please check with Ops.` A question is the reader's own: `Not sure which?`
fn doubts(sentence: &str, words: &[&str]) -> bool {
    let open = sentence.contains(char::is_numeric) || CHECKING.any_in(words);
    let asked = sentence.contains(['?', '？']);
    open && !asked
        && !says_you(words)
        && !is_to_the_reader(sentence)
        && behind(words, &DOUBTS).is_some()
}

/// `The picture is on the shared drive under /marketing/2026.` Without a path it may be about the reader's own drive.
fn names_a_shared_file(sentence: &str, words: &[&str]) -> bool {
    let is_path = |word: &str| {
        let inner = word.trim_start_matches(['(', '"', '\'']);
        let inner = inner.strip_prefix(['/', '\\']);
        inner.is_some_and(|path| path.starts_with(|c: char| c.is_alphanumeric() || c == '\\'))
    };
    SHARED_DRIVES.any_in(words) && sentence.split_whitespace().any(is_path)
}

/// `Still open: number of positions, Anja clears that by Tuesday.`
fn waits_for_somebody(sentence: &str) -> bool {
    let Some((label, rest)) = sentence.split_once([':', '：']) else {
        return false;
    };
    let label = fold(label);
    let rest = fold(rest);
    OPEN_LABELS.are(&split(&label)) && split(&rest).iter().any(|word| GIVEN_NAMES.contains(word))
}

/// Brackets that are told to a colleague, each with the blank before it.
pub fn brackets(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, open) in text.match_indices(OPENINGS) {
        let inner = at + open.len();
        let rest = text.get(inner..).unwrap_or_default();
        let is_end = |(_, c): &(usize, char)| matches!(c, ')' | '）' | ']' | '］');
        let Some((length, close)) = rest.char_indices().take(REACH).find(is_end) else {
            continue;
        };
        let said = rest.get(..length).unwrap_or_default();
        let is_square = matches!(open, "[" | "［");
        // `[x](https://…)` is a link.
        let behind = rest.get(length + close.len_utf8()..).unwrap_or_default();
        if !behind.starts_with('(') && is_told(said, is_square) {
            let before = text.get(..at).unwrap_or_default();
            found.push(before.trim_end_matches(' ').len()..inner + length + close.len_utf8());
        }
    }
    found
}

/// Whether what stands in a bracket is told to a colleague.
fn is_told(said: &str, is_square: bool) -> bool {
    let folded = fold(said);
    let words = split(&folded);
    // `(要確認)`. A day may be said to be confirmed, to a reader too: `(tbc)`.
    let is_short = said.chars().count() <= TASK_LETTERS;
    let in_one_run = |task: Phrase| task.iter().any(|word| word.starts_with('*'));
    let is_task = is_short && BRACKET_TASKS.at_start(&words).any(in_one_run)
        || said
            .split([',', ';', '!', '.'])
            .any(private_notes::is_task_with_somebody);
    let missing = is_square && BRACKET_TASKS.open(&words) || is_task;
    // `(he'd like to see it before it goes out)`
    let waits = APPROVALS.any_in(&words) && words.first().is_some_and(|it| THEY.contains(it));
    let parts = said.split([',', ';', '?', '!', '.', '–', '？', '、', '。']);
    let mut parts = parts.map(fold);
    missing || waits || is_one(said) || parts.any(|part| BRACKET_ASIDES.are(&split(&part)))
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    fn read(language: &str, said: &str) -> (String, usize) {
        let brief = Brief::read(
            &format!("# A\n\n## B\n\nRoom.\n\n{said}\n\nA visit."),
            language,
        );
        (brief.text(), brief.directions.len() + brief.withheld.len())
    }

    #[test]
    fn what_colleagues_tell_each_other_is_no_content() {
        for (language, note) in [
            ("en", "Call me on 40 123 if anything is unclear."),
            ("en", "If in doubt ring me, I'm on 40 until 6."),
            ("en", "If there's room, add something on Leeds, 40 words."),
            (
                "en",
                "Not sure whether it is 40 or 41, please check with Ops.",
            ),
            (
                "en",
                "Alan wants to approve the 40, so he wants to see it before it goes out.",
            ),
            (
                "en",
                "Use the photo from the shared drive under /marketing/40.",
            ),
            (
                "en",
                "Not sure about the 40. Use whatever's in the annual report.",
            ),
            ("en", "Placeholder: [insert 40 quotes here]"),
            ("de", "Ruf mich an, wenn was unklar ist: 40 123."),
            (
                "de",
                "Falls noch Platz ist, schreib gern etwas zu Leeds, 40 Wörter.",
            ),
            ("de", "Noch offen: die 40 Plätze, klärt Anja bis Dienstag."),
            (
                "de",
                "Hab keine Freigabe geprüft für die 40, frag bitte Simon.",
            ),
            (
                "fr",
                "S'il reste de la place, ajoute un mot sur les 40 salles.",
            ),
            (
                "fr",
                "Appelle-moi au 40 12 si quelque chose n'est pas clair.",
            ),
            ("es", "Si queda sitio, añade algo sobre las 40 salas."),
            ("es", "Llámame al 40 12 si tienes dudas."),
            ("it", "Se c'è spazio, aggiungi qualcosa sulle 40 sale."),
            ("it", "Chiamami al 40 12 se qualcosa non è chiaro."),
            ("nl", "Als er nog ruimte is, schrijf iets over de 40 zalen."),
            ("pt", "Se houver espaço, acrescenta algo sobre as 40 salas."),
            ("ja", "余裕があれば、40の事例も入れてください。"),
        ] {
            let (text, told) = read(language, note);
            assert!(
                !text.contains("40") && text.contains("A visit."),
                "{note}: {text}"
            );
            assert!(!text.contains("annual") && told > 0, "{note}: {text}");
        }
    }

    #[test]
    fn brackets_to_a_colleague_leave_the_text_around_them() {
        for (said, kept) in [
            (
                "It saved 118 trips. (ok to use, signed off by Fiona)",
                "It saved 118 trips.",
            ),
            (
                "In 24 languages [check: is it 24 or 23?] and more.",
                "In 24 languages and more.",
            ),
            ("Cold (or something snappier? up to you).", "Cold."),
            (
                "Said Alan Finch (he'd like to see it before it goes out).",
                "Said Alan Finch.",
            ),
        ] {
            let (text, told) = read("en", said);
            assert!(text.lines().any(|line| line == kept), "{said}: {text}");
            assert!(told > 0, "{said}");
        }
    }

    #[test]
    fn what_a_reader_is_told_stays() {
        for (language, said) in [
            ("en", "Call us on 40 123 if anything is unclear."),
            ("en", "Call me old-fashioned."),
            ("en", "In 40 minutes they call me back."),
            ("en", "They'd like to see this in 40 more halls."),
            ("en", "If there is room, we store 40 more."),
            ("en", "If there is room, add your 40 pallets."),
            ("en", "Not sure which of the 40 you need? We help."),
            ("en", "Each pallet is checked before it goes out."),
            ("en", "We keep 40 copies on the shared drive."),
            ("en", "Probes (ok to use in wet rooms) cost 40."),
            ("en", "Choose one of 40 colours [see the chart]."),
            ("de", "Wenn noch Platz ist, lagern wir 40 Paletten ein."),
            ("fr", "Appelez-nous au 40 12."),
        ] {
            let (text, _) = read(language, said);
            assert!(text.contains(said), "{said}: {text}");
        }
        assert!(!super::is_one("Noch offen: der Termin im Herbst."));
    }
}
