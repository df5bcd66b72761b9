//! Awards, told from what only sounds like one: in some languages a prize and a price are one word.

use gtm_lexicon::PhrasesByLanguage;
use gtm_lexicon::numbers::is_currency;
use gtm_lexicon::proofs::{AWARDS, PRICE_CUES, PRIZE_CUES, PRIZES};
use gtm_site_research::words;

/// The language that writes every noun like a name.
const CAPITALIZING: &str = "de";

/// Whether a text names an award.
pub fn names_award(text: &str) -> bool {
    let folded = words::fold(text);
    let words = words::split(&folded);
    // One language's word for a prize alone may be another's for both.
    let priced = |code: &str| has(&PRIZES, code, &words) && has(&PRICE_CUES, code, &words);
    let prize = |code: &str| {
        let is_named = || code != CAPITALIZING && is_named(code, text);
        has(&PRIZES, code, &words) && (has(&PRIZE_CUES, code, &words) || is_named())
    };
    let codes: Vec<&str> = PRIZES.iter().map(|(code, _)| code).collect();
    if codes.iter().copied().any(priced) {
        return false;
    }
    // Beside the sign of a currency, a prize is a price.
    AWARDS.any_in(&words) || !text.contains(is_currency) && codes.into_iter().any(prize)
}

fn has(phrases: &PhrasesByLanguage, code: &str, words: &[&str]) -> bool {
    phrases
        .of(code)
        .is_some_and(|phrases| phrases.any_in(words))
}

/// Whether a capitalized word for a prize stands within a text before another with a capital: `le Prix Boréal`,
/// `le Prix de l’Innovation`.
fn is_named(code: &str, text: &str) -> bool {
    let Some(prizes) = PRIZES.of(code) else {
        return false;
    };
    let words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    words.windows(2).enumerate().any(|(at, pair)| {
        let [before, word] = pair else { return false };
        let mut behind = words.iter().skip(at + 2).take(4);
        // All in capitals, nothing is told by them.
        !capital(before)
            && capital(word)
            && prizes.has_word(&words::fold(word))
            && behind
                .find(|word| word.chars().count() > 3 || capital(word))
                .is_some_and(|word| capital(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prize_is_won_or_bears_a_name_and_a_price_does_neither() {
        for text in [
            "2023 haben wir den zweiten Preis der Handwerkskammer gewonnen.",
            "Acme wurde der Preis für junge Werkstätten verliehen.",
            "En 2022, nous avons remporté un prix pour nos bêches.",
            "Nous avons reçu le Prix de l’Artisanat en 2021.",
            "Notre atelier est titulaire du Prix Boréal.",
            "Nel 2019 abbiamo vinto un premio per le nostre scale.",
            "In 2020 wonnen wij een prijs met onze trappen.",
            "We won the Spade of the Year award.",
        ] {
            assert!(names_award(text), "{text}");
        }
        for text in [
            "Wir nennen Ihnen den Preis, bevor wir anfangen, und halten ihn.",
            "Unser Preis steht fest.",
            "Bei uns erhalten Sie den Preis schriftlich.",
            "Nous soignons le rapport qualité/prix.",
            "Nos Prix Nets sont affichés.",
            "Nous obtenons pour vous le meilleur prix.",
            "Il premio della polizza non cambia con noi.",
            "Wij noemen vooraf een prijs en houden ons eraan.",
        ] {
            assert!(!names_award(text), "{text}");
        }
    }
}
