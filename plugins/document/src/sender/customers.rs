//! Leaves out what names the sender's customers, where a brief forbids to name them.
//!
//! Danger: a customer who is named against the order may be lost. So a proof is left out if it may name one: if a customer said
//! it, if it tells of one, or if a word in it is written like a name. Of names in other texts only those are known that proofs
//! gave away.

use std::collections::BTreeSet;

use gtm_lexicon::countries::Country;
use gtm_lexicon::documents::BEFORE_CUSTOMERS;
use gtm_lexicon::{fold, is_month, legal_forms, split};
use gtm_page_text::primary_language;

use super::{Proof, Sender};

/// Longest abbreviation that is no name, such as `ISO` and `HACCP`.
const LONGEST_ABBREVIATION: usize = 5;
/// Shortest name, in characters.
const SHORTEST_NAME: usize = 3;

impl Sender {
    /// Leaves out what names customers, and tells how much that was. `target` is the company that the document is for: it
    /// knows its own name.
    pub fn without_customers(&mut self, target: Option<&str>, language: &str) -> usize {
        let before = self.proofs.len();
        let own: BTreeSet<String> = [self.name.as_deref(), self.offer.as_deref(), target]
            .into_iter()
            .flatten()
            .flat_map(words_of)
            .collect();
        let mut customers: BTreeSet<String> = BTreeSet::new();
        for proof in &self.proofs {
            // `Head of Supply, Moss Dairies`
            let by = proof.testimonial.as_ref();
            let company = by
                .and_then(|said| said.by.rsplit_once(','))
                .map(|(_, name)| name.trim());
            customers.extend(
                company
                    .filter(|name| !is_own(name, &own))
                    .map(str::to_owned),
            );
        }
        self.proofs
            .retain(|proof| !names_one(proof, &own, language));
        customers.retain(|name| name.starts_with(char::is_uppercase) || !name.is_ascii());
        let count = before - self.proofs.len();
        self.forbidden.extend(customers);
        count
    }
}

fn names_one(proof: &Proof, own: &BTreeSet<String>, language: &str) -> bool {
    proof.testimonial.is_some()
        || proof.of_one_customer
        || has_a_name(&proof.said.text, own, language)
}

/// Whether a word is written like a name. Where all nouns have capitals, only what stands behind such as `bei` and before
/// a legal form, and words with capitals inside.
fn has_a_name(text: &str, own: &BTreeSet<String>, language: &str) -> bool {
    let primary = primary_language(language);
    let nouns = primary == "de";
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let mut begins = true;
    for (at, token) in tokens.iter().enumerate() {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        let before = at.checked_sub(1).and_then(|at| tokens.get(at));
        let behind = tokens
            .get(at + 1)
            .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()));
        let introduced = before
            .is_some_and(|before| BEFORE_CUSTOMERS.of(primary).contains(fold(before).as_str()));
        let company = behind.is_some_and(|word| {
            word.len() >= 2
                && legal_forms()
                    .iter()
                    .any(|form| form.written.contains(&word))
        });
        let inner =
            bare.chars().skip(1).any(char::is_uppercase) && bare.chars().any(char::is_lowercase);
        let telling = introduced || company || inner || (!nouns && !begins);
        if telling && bare.starts_with(char::is_uppercase) && is_a_name(bare, own) {
            return true;
        }
        begins = token.ends_with(['.', '!', '?', ':', '–', '—']);
    }
    false
}

fn is_a_name(word: &str, own: &BTreeSet<String>) -> bool {
    let letters = word.chars().count();
    let shouted = !word.chars().any(char::is_lowercase);
    let folded = fold(word);
    let known = (shouted && letters <= LONGEST_ABBREVIATION)
        || letters < SHORTEST_NAME
        || own.contains(&folded)
        || is_month(&folded)
        || gtm_lexicon::countries::all().any(|country: Country| {
            country
                .names()
                .any(|name| split(&fold(name)).contains(&folded.as_str()))
        });
    !known
}

fn is_own(name: &str, own: &BTreeSet<String>) -> bool {
    words_of(name).iter().any(|word| own.contains(word))
}

fn words_of(name: &str) -> Vec<String> {
    let folded = fold(name);
    let words = split(&folded).into_iter();
    words
        .filter(|word| word.len() >= SHORTEST_NAME)
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_other_words() {
        let own: BTreeSet<String> = ["coldwise".to_owned()].into();
        for (text, language, expected) in [
            ("In use at 41 cold stores in 6 countries.", "en", false),
            (
                "38 percent fewer alarms at night after three months",
                "en",
                false,
            ),
            ("Moss Dairies saved 40 hours a month.", "en", true),
            ("Saved 40 hours a month at Lidl", "en", true),
            (
                "Certified to ISO 9001 since May in Germany by Coldwise",
                "en",
                false,
            ),
            ("38 Prozent weniger Alarme nach drei Monaten", "de", false),
            ("Bei Nordkühl 40 Stunden je Monat gespart", "de", true),
            ("40 Stunden gespart bei Aldi", "de", true),
            ("Die Ablesung der Moss GmbH dauert eine Minute.", "de", true),
            ("40 heures gagnées chez Lidl", "fr", true),
            ("40 heures gagnées par mois", "fr", false),
        ] {
            assert_eq!(has_a_name(text, &own, language), expected, "{text}");
        }
    }
}
