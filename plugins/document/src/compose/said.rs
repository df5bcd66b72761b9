//! What a document says already, so that nothing of the sender's is said a second time: a brief often has the very figure that
//! the guideline has as its proof.

use std::collections::{BTreeSet, HashMap};

use gtm_lexicon::numbers::{self, InWords};
use gtm_writing::wording::subjects;

use crate::brief::{Brief, texts_of};
use crate::runs::sentences_of;
use crate::sender::{Said, Sender};

/// Most sentences that are remembered; nobody reads on to compare.
const MOST: usize = 2_000;
/// Fewest subjects of a text without a number that can be said again.
const LEAST_SUBJECTS: usize = 2;

/// The sentences that are said.
#[derive(Debug, Default)]
struct Told {
    sentences: Vec<BTreeSet<String>>,
    /// For each subject, the sentences that have it.
    about: HashMap<String, Vec<usize>>,
}

impl Told {
    fn add(&mut self, text: &str, language: &str) {
        for place in sentences_of(text, language) {
            if self.sentences.len() >= MOST {
                return;
            }
            let sentence = text.get(place).unwrap_or_default();
            let at = self.sentences.len();
            self.sentences.push(figures(sentence));
            for subject in subjects(sentence) {
                self.about.entry(subject).or_default().push(at);
            }
        }
    }

    /// Whether one sentence says what the text says: all its numbers of the same thing, or nearly all that it is about.
    fn has(&self, text: &str) -> bool {
        let wanted = subjects(text);
        let numbers = figures(text);
        let words = wanted.iter().filter(|word| !is_number(word));
        let all = words.clone().count();
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for word in words {
            for at in self.about.get(word).into_iter().flatten() {
                *shared.entry(*at).or_default() += 1;
            }
        }
        shared.into_iter().any(|(at, count)| {
            let known = self.sentences.get(at);
            let same = known.is_some_and(|known| numbers.is_subset(known));
            // Three of four words that tell something.
            let alike = all >= LEAST_SUBJECTS && count * 4 >= all * 3;
            same && (alike || (!numbers.is_empty() && count * 3 >= all))
        })
    }

    /// Whether the text is new; if so, it is said from now on.
    fn takes(&mut self, text: &str, language: &str) -> bool {
        let new = !self.has(text);
        if new {
            self.add(text, language);
        }
        new
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The numbers of a text in their one form.
fn figures(text: &str) -> BTreeSet<String> {
    numbers::read(text, InWords::Ignored)
        .map(|number| number.form().to_owned())
        .collect()
}

/// What the sender says without what the brief says, and without what it says twice itself. What is asked for stays: a
/// price, whom it serves, and what is answered to objections.
#[must_use]
pub fn without_repetition(sender: &Sender, brief: &Brief, language: &str) -> Sender {
    let mut told = Told::default();
    for chapter in &brief.chapters {
        for text in texts_of(&chapter.blocks) {
            told.add(&text, language);
        }
    }
    let mut kept = sender.clone();
    let mut new = |said: &Said| told.takes(&said.text, language);
    kept.summary = kept.summary.filter(&mut new);
    kept.propositions.retain(|known| new(&known.said));
    kept.facts.retain(&mut new);
    kept.proofs.retain(|known| new(&known.said));
    kept.differentiators.retain(&mut new);
    kept.description = kept.description.filter(&mut new);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_new(known: &str, text: &str, language: &str) -> bool {
        let mut told = Told::default();
        told.add(known, language);
        told.takes(text, language)
    }

    #[test]
    fn the_same_figure_of_the_same_thing_is_said_once() {
        for (language, known, again) in [
            (
                "en",
                "Today we serve 210 producers from Leeds to Hull.",
                "210 producers served",
            ),
            (
                "de",
                "Bei Tannach sparen wir 38 % der Ablesungen.",
                "38 % weniger Ablesungen",
            ),
            (
                "fr",
                "Nous livrons 210 producteurs chaque matin.",
                "210 producteurs livrés",
            ),
            (
                "es",
                "Hoy servimos a 210 productores de la costa.",
                "210 productores servidos",
            ),
            (
                "en",
                "The bridge needs no change to the sensors.",
                "No change to the sensors of the bridge.",
            ),
        ] {
            assert!(!is_new(known, again, language), "{again}");
        }
        for (known, other) in [
            ("We serve 210 producers.", "212 producers served"),
            ("The hall has 210 lamps.", "210 producers served"),
            ("We read meters by radio.", "One bill for each flat."),
        ] {
            assert!(is_new(known, other, "en"), "{other}");
        }
    }
}
