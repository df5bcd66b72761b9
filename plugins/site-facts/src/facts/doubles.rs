//! Tells whether something is told already: pages show the same figure as a tile, a badge and a sentence, and the same promise
//! under several headings.

use std::collections::BTreeSet;

use gtm_lexicon::proofs::{NUMBERED_STANDARDS, PRODUCT_LABELS, STANDARDS};
use gtm_site_research::claim::{Basis, Claim};
use gtm_site_research::words;

use super::counts::{YEARS, counts, counts_at};
use super::introduction::is_doubled;
use super::letters;
use crate::draft::{DIFFERENTIATORS, Draft, VALUE_PROPOSITIONS};

/// Fewest digits of a number that two texts hardly share by chance.
const LARGE: usize = 3;

/// Fewest letters of a statement that another one has in it.
const LEAST_WITHIN: usize = 12;

/// Leaves each statement of the offer in one field: what a heading announces as that which sets the company apart is no promise
/// once more, and what is promised sets nobody apart by its form alone.
pub fn tell_once(draft: &mut Draft) {
    let text = |claim: &Claim| claim.value.as_str().map(str::to_owned);
    let announced = draft.many(DIFFERENTIATORS).iter();
    let announced: Vec<String> = announced
        .filter(|claim| claim.basis != Basis::Inferred)
        .filter_map(text)
        .collect();
    let mut promises = draft.take_many(VALUE_PROPOSITIONS);
    promises.retain(|claim| !says_one_of(claim, &announced));
    let mut apart = draft.take_many(DIFFERENTIATORS);
    apart.retain(|claim| {
        let own: Vec<String> = text(claim).into_iter().collect();
        !promises.iter().any(|promise| says_one_of(promise, &own))
    });
    draft.extend(VALUE_PROPOSITIONS, promises);
    draft.extend(DIFFERENTIATORS, apart);
}

/// Whether a promise, or what comes of it, is what one of the texts says.
fn says_one_of(promise: &Claim, texts: &[String]) -> bool {
    let parts = ["statement", "benefit"].into_iter();
    let mut parts = parts.filter_map(|part| promise.value[part].as_str());
    parts.any(|part| texts.iter().any(|text| is_same(part, text)))
}

fn is_same(one: &str, other: &str) -> bool {
    let (short, long) = (letters(one), letters(other));
    let (short, long) = match short.len() <= long.len() {
        true => (short, long),
        false => (long, short),
    };
    short == long
        || short.chars().count() >= LEAST_WITHIN && long.contains(&short)
        || is_doubled(one, other) && is_doubled(other, one)
}

/// Whether one of the known proofs tells what this text tells.
pub fn is_told(kind: &str, text: &str, known: &[Claim]) -> bool {
    let told = |claim: &Claim| claim.value["text"].as_str().unwrap_or_default().to_owned();
    let of_kind = || {
        known
            .iter()
            .filter(|claim| claim.value["kind"] == kind)
            .map(told)
    };
    let is_same = || known.iter().any(|claim| claim.value["text"] == text);
    is_same()
        || match kind {
            // On pages about customers a company may tell of all that it has done.
            "case_study" => {
                let large = |(number, _): &&(String, String)| number.len() >= LARGE;
                let counted = [counts(text), counts_at(text, 2)].concat();
                let counted: Vec<&(String, String)> = counted.iter().filter(large).collect();
                let mut figures = known.iter().filter(|claim| claim.value["kind"] == "metric");
                figures.any(|claim| {
                    let other = counts(&told(claim));
                    other.iter().any(|one| counted.contains(&one))
                })
            }
            "metric" => {
                let counted = counts(text);
                let further = counts_at(text, 2);
                of_kind().any(|known| {
                    let other = counts(&known);
                    let years =
                        |all: &[(String, String)]| all.iter().any(|(_, unit)| unit == YEARS);
                    // `1000 projects completed` and `1,000 completed projects` count the same.
                    let behind = counts_at(&known, 2);
                    // Of two ages, only one can be true.
                    years(&counted) && years(&other)
                        || counted
                            .iter()
                            .any(|one| other.contains(one) || behind.contains(one))
                        || other.iter().any(|one| further.contains(one))
                })
            }
            // The same words stand on a card with their author and in structured data without.
            "testimonial" => {
                let new = letters(text);
                of_kind().any(|known| {
                    let known = letters(&known);
                    let shorter = known.len().min(new.len());
                    shorter > 0 && (known.contains(&new) || new.contains(&known))
                })
            }
            "certification" => {
                let standards = standards(text);
                let all: BTreeSet<String> = of_kind()
                    .flat_map(|other| self::standards(&other))
                    .collect();
                !standards.is_empty() && standards.is_subset(&all)
            }
            "award" => {
                let names = names(text);
                of_kind().any(|other| names.intersection(&self::names(&other)).count() >= 2)
            }
            _ => false,
        }
}

/// The age that a text states.
pub fn years(text: &str) -> Option<u64> {
    counts(text)
        .into_iter()
        .find(|(_, unit)| unit == YEARS)
        .and_then(|(number, _)| number.parse().ok())
}

/// The standards that a text names, numbered ones by their numbers: 9001 and 14001 of `ISO 9001 and 14001`.
fn standards(text: &str) -> BTreeSet<String> {
    let folded = words::fold(text);
    let words = words::split(&folded);
    let named = STANDARDS.places(&words).map(|(_, phrase)| phrase.join(" "));
    let labels = words.iter().filter(|word| PRODUCT_LABELS.contains(word));
    let labels = labels.map(|word| (*word).to_owned());
    let named: BTreeSet<String> = named.chain(labels).collect();
    if !words.iter().any(|word| NUMBERED_STANDARDS.contains(word)) {
        return named;
    }
    let numbers = words.into_iter().filter(|word| word.len() >= 4);
    let numbers = numbers.filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    // The year of an edition follows a colon: `ISO 9001:2015`.
    let is_edition = |number: &str| text.contains(&format!(":{number}"));
    numbers
        .filter(|number| !is_edition(number))
        .map(str::to_owned)
        .chain(named)
        .collect()
}

/// The longer names within a text: words with a capital that do not open it.
fn names(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= 4 && word.starts_with(char::is_uppercase))
        .map(|word| words::fold(word).chars().take(5).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_same_proof_is_told_once() {
        let known = |kind: &str, text: &str| {
            [Claim::stated(
                json!({"key": "k", "kind": kind, "text": text}),
                Vec::new(),
            )]
        };
        for (kind, one, other) in [
            (
                "metric",
                "+45 Años de experiencia",
                "Tenemos más de 45 años de experiencia en limpieza.",
            ),
            (
                "metric",
                "60+ Jaar ervaring",
                "Met ruim 40 jaar werkervaring staan wij klaar.",
            ),
            (
                "metric",
                "500+ Clienti attivi",
                "Serviamo 500 clienti in Emilia.",
            ),
            (
                "metric",
                "1000+ Projects Completed",
                "More than 1,000 completed projects later, we still care.",
            ),
            (
                "certification",
                "ISO 9001 · ISO 14001",
                "Certificaciones ISO 9001 y 14001 de calidad.",
            ),
            (
                "certification",
                "HACCP",
                "Our kitchens have been HACCP certified since 2010.",
            ),
            (
                "certification",
                "青波株式会社はプライバシーマークを取得しております。",
                "プライバシーマーク取得しており、適切な管理を行っています。",
            ),
            (
                "testimonial",
                "“They hung the bells in two days.” Anna Berg, Ripon",
                "They hung the bells in two days.",
            ),
            (
                "testimonial",
                "They hung the bells in two days.",
                "They hung the bells in two days. Anna Berg",
            ),
            (
                "award",
                "We won a Golden Valve and Delta Prizes.",
                "Golden Valve and Delta prizes back up our word.",
            ),
        ] {
            assert!(is_told(kind, other, &known(kind, one)), "{other}");
        }
        for (kind, one, other) in [
            ("metric", "500+ Clienti attivi", "500+ Mezzi disponibili"),
            ("metric", "12 sites", "14 sites"),
            (
                "testimonial",
                "They hung the bells in two days. Anna Berg",
                "The old clock strikes again. Anna Berg",
            ),
            (
                "case_study",
                "1000 roofs",
                "Globex saved 11 hours a month with our roofs.",
            ),
            ("certification", "ISO 9001:2015", "ISO 14001:2015"),
            ("certification", "VCA-gecertificeerd", "ISO 9001"),
            (
                "award",
                "We won the Golden Valve.",
                "We won the Silver Pump.",
            ),
        ] {
            assert!(!is_told(kind, other, &known(kind, one)), "{other}");
        }
        assert_eq!(years("22+ Years in Business"), Some(22));
    }
}
