//! Sentences that say how a document is to sound or to look, wherever a brief has them.

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{HINTS, LOOKS, NAMING, NEGATIONS, POLITENESS, SPEAKERS, TONE_ORDERS};
use gtm_lexicon::{fold, split};

use super::mentions;
use super::openings::opens;

/// Longest words on the tone and on the look, and longest refusal, in words.
const TONE_WORDS: usize = 10;
const LOOK_WORDS: usize = 10;
const REFUSAL_WORDS: usize = 7;
/// Longest sentence that says who shows the slides, in words.
const SPEAKER_WORDS: usize = 20;

/// Whether a sentence tells the writer how to write, and nothing else.
pub fn is_told(sentence: &str) -> bool {
    is_tone(sentence) || is_look(sentence) || is_refusal(sentence) || names_the_speaker(sentence)
}

/// Whether a sentence says how the document is to sound, and nothing else.
fn is_tone(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded).len();
    let plain = mentions::plain_words(sentence);
    let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
    words <= TONE_WORDS && (opens(&TONE_ORDERS, sentence) || TONE_ORDERS.open(&plain))
}

/// Whether a sentence orders how the document is to look or to be worded, and nothing else: `Use the blue logo.`
fn is_look(sentence: &str) -> bool {
    let words = mentions::plain_words(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.len() <= LOOK_WORDS
        && LOOKS.any_in(&words)
        && (HINTS.open(&words) || is_request(sentence))
}

/// Whether a sentence asks its reader politely, wherever the word for it stands: `The logo at the top please.`
fn is_request(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    words
        .iter()
        .any(|word| HINTS.has_word(word) && POLITENESS.has_word(word))
}

/// Whether a few words ask for something to be kept out: `No marketing speak please.`
fn is_refusal(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let asked = words
        .last()
        .is_some_and(|word| HINTS.has_word(word) && POLITENESS.has_word(word));
    let plain = mentions::plain_words(sentence);
    let plain: Vec<&str> = plain.iter().map(String::as_str).collect();
    // `Bitte keine Konkurrenten nennen.`
    let names = is_request(sentence) && NEGATIONS.open(&plain) && NAMING.any_in(&plain);
    // `No jargon.`
    let refuses_look = NEGATIONS
        .at_start(&words)
        .any(|no| LOOKS.are(words.get(no.len()..).unwrap_or_default()));
    words.len() <= REFUSAL_WORDS && (names || refuses_look || (asked && NEGATIONS.open(&words)))
}

/// Whether a sentence says who of the sender's own people shows the slides: `Speaker is our sales director.`
fn names_the_speaker(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    // An article may stand before it, and a verb behind it.
    let at = (0..=1).find(|at| SPEAKERS.open(words.get(*at..).unwrap_or_default()));
    let own = at.and_then(|at| words.get(at + 1..(at + 4).min(words.len())));
    words.len() <= SPEAKER_WORDS && own.is_some_and(|words| WE.any_in(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_speaks_is_nothing_for_the_audience() {
        for sentence in [
            "Speaker is our sales director, who has ten minutes.",
            "The presenter will be our CEO.",
            "Referentin ist unsere Vertriebsleiterin.",
            "L'orateur est notre directeur commercial.",
            "La ponente es nuestra directora comercial.",
        ] {
            assert!(is_told(sentence), "{sentence}");
        }
        for sentence in [
            "The speaker is waterproof.",
            "Speaker: Dr Olsen, 10:30",
            "Our speakers reach every seat.",
        ] {
            assert!(!is_told(sentence), "{sentence}");
        }
    }
}
