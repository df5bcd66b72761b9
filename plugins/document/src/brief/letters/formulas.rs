//! The lines with which a letter begins and ends: `Dear Ms Olsen,` and `Kind regards,`.

use gtm_lexicon::documents::{
    GREETINGS, HELLOS, LETTER_CLOSINGS, POSTSCRIPTS, RECIPIENTS, SALUTATIONS, SUBJECTS,
};
use gtm_lexicon::{fold, split};

use super::super::line_kinds::{is_sentence, item_of, without_emphasis};

/// Longest line that addresses the reader, and longest with nothing behind the name, in words.
const SALUTATION_WORDS: usize = 10;
const BARE_SALUTATION_WORDS: usize = 5;
/// Longest closing formula: in French it is a sentence.
const CLOSING_WORDS: usize = 22;
/// How many lines from the end a closing line without a known formula stands, how long it is, and how long the name below it.
const FORM_LINES: usize = 6;
const FORM_WORDS: usize = 6;
const NAME_WORDS: usize = 4;
/// Fewest words of a closing formula that stands behind a clause.
const LONG_FORMULA: usize = 4;
/// Longest closing formula of one word with a name behind it: `Cheers, Mia`.
const CLOSING_NAME_WORDS: usize = 4;

/// Whether a line addresses the reader: `Dear Ms Olsen,`, `Estimada señora:`, `拝啓`.
pub fn is_salutation(line: &str) -> bool {
    if item_of(line.trim()).is_some() {
        return false;
    }
    let line = without_emphasis(line);
    let folded = fold(line);
    let words = split(&folded);
    let opening = [&SALUTATIONS, &HELLOS]
        .into_iter()
        .flat_map(|formulas| formulas.at_start(&words))
        .map(<[_]>::len)
        .max();
    let Some(opening) = opening.filter(|_| !closes(line)) else {
        return false;
    };
    // Japanese has no blanks, and the sentence goes on.
    if is_unspaced(line) {
        return true;
    }
    // `Dag 1: Hull` is a day, and `Liebe zum Detail` a virtue.
    let behind = words.get(opening).copied().unwrap_or_default();
    let goes_on = [&RECIPIENTS, &SUBJECTS]
        .into_iter()
        .any(|prepositions| prepositions.any_has(behind));
    if goes_on || behind.starts_with(char::is_numeric) {
        return false;
    }
    let marked = line.ends_with([',', '،', ':', '!', ';', '.', '–', '-']);
    let name = line.split([',', '،', '!', ':']).next().unwrap_or_default();
    let named = line.contains([',', '،']) && name.split_whitespace().count() <= SALUTATION_WORDS;
    // With nothing behind it, only a name tells it from other words: `Hello Sam`.
    let bare = split(line);
    let is_name = bare
        .get(opening)
        .is_none_or(|word| word.starts_with(char::is_uppercase))
        || GREETINGS.are(&words);
    named
        || (marked && words.len() <= SALUTATION_WORDS)
        || (is_name && words.len() <= BARE_SALUTATION_WORDS)
}

/// Whether a line greets like a colleague does, and some letters do.
pub fn is_hello(line: &str) -> bool {
    let folded = fold(line);
    HELLOS.open(&split(&folded))
}

/// Whether a line closes a letter: `Kind regards,`, `Cheers, Mia`.
pub fn closes(line: &str) -> bool {
    let line = without_emphasis(line);
    let folded = fold(line);
    let words = split(&folded);
    if is_unspaced(line) {
        // `敬　具`
        let bare: String = folded.split_whitespace().collect();
        return LETTER_CLOSINGS.any_in(&words) || LETTER_CLOSINGS.are(&split(&bare));
    }
    // `Dans l'attente de votre réponse, nous vous prions d'agréer …`
    let clauses = line.split([',', ';']).skip(1).map(fold);
    let behind_a_clause = words.len() <= CLOSING_WORDS
        && clauses.into_iter().any(|clause| {
            let formulas = LETTER_CLOSINGS
                .iter()
                .filter(|formula| formula.len() >= LONG_FORMULA);
            let words = split(&clause);
            formulas
                .into_iter()
                .any(|formula| words.starts_with(formula))
        });
    let formula = LETTER_CLOSINGS.at_start(&words).map(<[_]>::len).max();
    // `Thank you for the visit` goes on.
    let is_long = is_sentence(line) || words.len() > FORM_WORDS;
    let goes_on = formula.filter(|_| is_long).is_some_and(|length| {
        let behind = words.get(length).copied().unwrap_or_default();
        [&RECIPIENTS, &SUBJECTS]
            .into_iter()
            .any(|prepositions| prepositions.any_has(behind))
    });
    behind_a_clause
        || formula.filter(|_| !goes_on).is_some_and(|length| {
            // `Best of all, …` and `Yours is the …` are no formulas.
            let first = line.split_whitespace().next().unwrap_or_default();
            let named = |sign: char| first.ends_with(sign) && words.len() <= CLOSING_NAME_WORDS;
            // `Thanks!! Priya`
            let mut behind = line.split_whitespace().skip(1);
            let thanks = named('!') && behind.all(|word| word.starts_with(char::is_uppercase));
            let apart = length > 1 || named(',') || thanks;
            words.len() == length || (apart && words.len() <= CLOSING_WORDS)
        })
}

/// The line that closes a letter without a known formula: a few words and a comma above the name that ends the text.
pub fn closing_by_form(lines: &[&str]) -> Option<usize> {
    let filled = |line: &&str| !line.trim().is_empty();
    let last = lines
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, line)| filled(line));
    let last: Vec<(usize, &str)> = last
        .map(|(at, line)| (at, line.trim()))
        .take(FORM_LINES)
        .collect();
    let is_name = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let capital = words
            .iter()
            .all(|word| word.starts_with(char::is_uppercase));
        (1..=NAME_WORDS).contains(&words.len()) && capital && !line.ends_with([',', ':', '.'])
    };
    last.windows(2).find_map(|pair| {
        let [(_, name), (at, closing)] = pair else {
            return None;
        };
        let words = closing.split_whitespace().count();
        let closes = closing.ends_with([',', '،']) && (1..=FORM_WORDS).contains(&words);
        (closes && is_name(name) && item_of(closing).is_none()).then_some(*at)
    })
}

/// Whether a line begins what a letter says below its signature: `P.S. The drawings are attached.`
pub fn is_postscript(line: &str) -> bool {
    let folded = fold(without_emphasis(line));
    POSTSCRIPTS.open(&split(&folded))
}

/// Whether a line is of a script without blanks.
pub fn is_unspaced(line: &str) -> bool {
    let mut letters = line.chars().filter(|c| c.is_alphanumeric());
    letters.any(gtm_writing::excerpts::is_unspaced)
}
