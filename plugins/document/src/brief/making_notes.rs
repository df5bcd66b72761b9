//! What is said to those who make a document of the document itself: `Add a nice picture of the plant here`, `Dan sends the logo
//! tomorrow`, `Update the figures before it goes out`, `Is that still true? Ask Priya.`
//!
//! Danger: it would be printed. And a reader is told much of that form: `Add a photo of the meter to your request`, `We will send the
//! drawings`. So it speaks of a part of the document at hand, or of what was said just before, and neither to the reader nor of those
//! who write.

use gtm_lexicon::documents::{
    APPROVALS, ASKING_SOMEBODY, BEFORE_HANDING_IN, EDITING, EXHIBITS, HERE, OWN_DEPARTMENTS,
    OWN_DOUBTS, PENDING, PLACING, SELF_QUESTIONS, SUPPLYING, TEXTS,
};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::{Phrase, fold, split};

use super::spoken_to::{is_to_the_reader, says_you};

/// Longest wish for a part of the document, in words.
const WISH_WORDS: usize = 16;
/// How far from the beginning of a wish the verb stands, or from its end, in words.
const BEFORE_THE_VERB: usize = 3;
const BEHIND_THE_VERB: usize = 1;
/// Longest question that a writer asks of what he wrote, in words.
const QUESTION_WORDS: usize = 8;
/// Most words behind the name of whoever is to be asked.
const BEHIND_A_NAME: usize = 1;

/// Whether a sentence is said to whoever makes the document.
pub fn is_one(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let whole = std::iter::once(sentence);
    if clauses(sentence).chain(whole).any(waits_for_an_approval) {
        return true;
    }
    if is_to_the_reader(sentence) || says_you(&words) {
        return false;
    }
    let asks = sentence.contains(['?', '？']);
    questions_itself(&words, asks)
        || !asks && (asks_for_a_part(&words) || somebody_supplies(sentence, &words))
        || is_to_be_changed(&words)
        || OWN_DOUBTS.any_in(&words)
        || clauses(sentence).any(asks_somebody)
}

/// Whether a sentence asks for a part of the document or to change it before it goes out: not even a letter says so to its reader.
pub fn asks_for_a_change(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let asks = sentence.contains(['?', '？']);
    !is_to_the_reader(sentence)
        && !says_you(&words)
        && (!asks && asks_for_a_part(&words) || is_to_be_changed(&words))
}

fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([',', ';', ':', '–', '—', '(', '、'])
}

/// Whether a phrase is found within a run of letters: of a language that puts no blanks between words.
fn in_one_run(phrase: Phrase) -> bool {
    phrase.first().is_some_and(|word| word.starts_with('*'))
}

/// Whether a word, as it is printed, is a given name.
fn is_name(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && GIVEN_NAMES.contains(fold(word).as_str())
}

/// `Bitte hier noch ein schönes Zitat vom Kunden rein`, `A photo goes here`. `Here is the table` puts nothing anywhere.
fn asks_for_a_part(words: &[&str]) -> bool {
    words.len() <= WISH_WORDS
        && HERE.any_in(words)
        && EXHIBITS.any_in(words)
        && PLACING.places(words).any(|(at, verb)| {
            at <= BEFORE_THE_VERB || at + verb.len() + BEHIND_THE_VERB >= words.len()
        })
}

/// `Das Logo schickt Dan noch nach.` `Dan schickt die Paletten` is for the reader, and so is what one regularly gets.
fn somebody_supplies(sentence: &str, words: &[&str]) -> bool {
    let printed = split(sentence);
    // Whoever stands behind the verb without an article: many a short name is a word of another language.
    let behind = |(at, verb): (usize, Phrase)| {
        let word = printed.get(at + verb.len()).copied().unwrap_or_default();
        word.starts_with(char::is_uppercase)
            && word.contains(char::is_lowercase)
            && !EXHIBITS.has_word(&fold(word))
    };
    let named = printed.iter().any(|word| is_name(word))
        || printed.len() == words.len() && SUPPLYING.places(words).any(behind);
    EXHIBITS.any_in(words) && SUPPLYING.any_in(words) && PENDING.any_in(words) && named
}

/// `The figures are last year's – update before it goes out.` What is checked before it goes out is no text: `Each pallet`.
fn is_to_be_changed(words: &[&str]) -> bool {
    BEFORE_HANDING_IN.any_in(words)
        && EDITING.any_in(words)
        && (EXHIBITS.any_in(words) || TEXTS.any_in(words))
}

/// `Hang on, is that still true?`
fn questions_itself(words: &[&str], asks: bool) -> bool {
    let short = words.len() <= QUESTION_WORDS;
    asks && short && SELF_QUESTIONS.any_in(words)
}

/// `Ask Priya.` What a reader may ask somebody about stands behind the name: `Ask Priya Shah about delivery`.
fn asks_somebody(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    let printed = split(clause);
    let ends = |phrase: Phrase| {
        let named = printed.get(phrase.len()).is_some_and(|word| is_name(word));
        let behind = printed.len().saturating_sub(phrase.len() + 1);
        named && behind <= BEHIND_A_NAME
    };
    words.len() == printed.len() && ASKING_SOMEBODY.at_start(&words).any(ends)
        || ASKING_SOMEBODY
            .places(&words)
            .any(|(_, phrase)| in_one_run(phrase))
}

/// `…, legal must see it first`, `Alan wants to approve this before it goes out`. A driver signs off loads.
fn waits_for_an_approval(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    let is_own = OWN_DEPARTMENTS.open(&words)
        || words.first().is_some_and(|word| GIVEN_NAMES.contains(word));
    is_own && APPROVALS.any_in(&words) && !is_to_the_reader(clause)
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn what_is_said_to_whoever_makes_a_document_is_known() {
        for sentence in [
            "Add a nice picture of the plant here.",
            "Here goes the chart with the savings.",
            "Bitte hier noch ein schönes Foto rein.",
            "An dieser Stelle fehlt noch ein Zitat.",
            "Insérer un graphique ici.",
            "Aquí quedaría bien un gráfico.",
            "Inserire qui una foto.",
            "Hier ontbreekt nog een citaat.",
            "Falta aqui um gráfico.",
            "ここにグラフを入れる。",
            "Das Logo schickt Dan noch nach.",
            "Maria sends the photos later.",
            "The figures are old – update before it goes out.",
            "Los números son viejos, actualizar antes de enviar.",
            "Hang on, is that still true?",
            "Stimmt das noch?",
            "Ask Maria.",
            "We keep 40, legal must see it first.",
            "Someone needs to check the 40.",
        ] {
            assert!(is_one(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_a_reader_is_told_is_none() {
        for sentence in [
            "Here is a photo of the plant.",
            "Here you see the chart.",
            "Add a photo of the meter to your request.",
            "Add a second reader at the gate.",
            "We add a photo of each pallet here.",
            "Fügen Sie hier ein Foto ein.",
            "Dan sends the pallets tomorrow.",
            "Dan sends a report every Monday.",
            "We will send the drawings later.",
            "Each pallet is checked before it goes out.",
            "Check the seal before sending.",
            "Is it still true that paper costs you a day?",
            "Ask Maria Shah about delivery.",
            "Legal must approve every contract.",
            "Aquí tiene una foto de la planta.",
            "Hier ist die Tabelle.",
        ] {
            assert!(!is_one(sentence), "{sentence}");
        }
    }
}
