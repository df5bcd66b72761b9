//! What the seller said of itself, beside what the model writes from the same words.

use std::collections::BTreeSet;

use gtm_lexicon::numbers::{self, InWords, Number};
use gtm_site_research::claim::Claim;
use gtm_site_research::words;
use gtm_writing::found::main_text;
use gtm_writing::wording::subjects;

/// The seller's own proofs before those of the model, each once: of the same proof its own words stand, unless what the model
/// cites has the figures.
pub fn beside(own: Vec<Claim>, mut written: Vec<Claim>) -> Vec<Claim> {
    written.retain(|claim| {
        let told = own.iter().any(|known| is_same_proof(known, claim));
        !told || cites_its_figures(claim)
    });
    // One that has figures beyond those of the model says more than that.
    let mut proofs: Vec<Claim> = own
        .into_iter()
        .filter(|known| !written.iter().any(|claim| is_covered(known, claim)))
        .collect();
    proofs.extend(written);
    proofs
}

/// Whether a claim has figures and its excerpts bear out all of them.
fn cites_its_figures(claim: &Claim) -> bool {
    let cited: BTreeSet<String> = claim
        .excerpts
        .iter()
        .flat_map(|excerpt| numbers::offered(&excerpt.text))
        .collect();
    let told = text(claim);
    let figures: Vec<Number> = numbers::read(&told, InWords::Ignored).collect();
    !figures.is_empty() && figures.iter().all(|number| number.stands_in(&[&cited]))
}

/// Whether two proofs have the same words, or the same figures and a subject in common.
fn is_same_proof(one: &Claim, other: &Claim) -> bool {
    is_covered(one, other) || is_covered(other, one)
}

/// Whether another proof has the same words as one, or all of its figures and a subject in common.
fn is_covered(one: &Claim, other: &Claim) -> bool {
    let (one, other) = (text(one), text(other));
    if words::letters(&one) == words::letters(&other) {
        return true;
    }
    let (figures, others) = (numbers::offered(&one), numbers::offered(&other));
    !figures.is_empty()
        && figures.is_subset(&others)
        && !subjects(&one).is_disjoint(&subjects(&other))
}

/// Whether two claims rest on a common excerpt and share half of their subjects: two ways to say that something is not known.
pub fn tells_the_same(one: &Claim, other: &Claim) -> bool {
    let shares = one
        .excerpts
        .iter()
        .any(|known| other.excerpts.contains(known));
    let (one, other): (BTreeSet<String>, BTreeSet<String>) =
        (subjects(&text(one)), subjects(&text(other)));
    let common = one.intersection(&other).count();
    let fewer = one.len().min(other.len()).max(1);
    common * 4 >= fewer * 3 || (shares && common * 2 >= fewer)
}

fn text(claim: &Claim) -> String {
    main_text(&claim.value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_site_research::claim::{Basis, Excerpt};
    use serde_json::json;

    fn own(text: &str) -> Claim {
        Claim::provided(
            json!({"text": text, "origin": "offer"}),
            "The request says so.",
        )
    }

    fn written(text: &str, from: &[&str]) -> Claim {
        let excerpts = from.iter().map(|text| Excerpt {
            page: 0,
            text: (*text).to_owned(),
        });
        Claim {
            basis: Basis::Inferred,
            ..Claim::stated(
                json!({"text": text, "origin": "public"}),
                excerpts.collect(),
            )
        }
    }

    fn texts(proofs: Vec<Claim>) -> Vec<String> {
        proofs.iter().map(text).collect()
    }

    #[test]
    fn a_proof_stands_once() {
        let said = "On average of 38 customers quotes take 4 days instead of 11.";
        let other = "18,000 flats are billed.";
        let again = "38 customers cut their quotes from 11 to 4 days";
        let proofs = beside(vec![own(said), own(other)], vec![written(again, &[])]);
        assert_eq!(texts(proofs), [said, other]);
        // An excerpt without the figures proves none of them.
        let fitted = written(again, &["Ask us for a quote."]);
        let proofs = beside(vec![own(said), own(other)], vec![fitted]);
        assert_eq!(texts(proofs), [said, other]);
        let shorter = "38 customers: quotes take 4 days instead of 11";
        let cited = written(shorter, &["38 customers: quotes take 4 days, not 11."]);
        let proofs = beside(vec![own(said), own(other)], vec![cited]);
        assert_eq!(texts(proofs), [other, shorter]);
        // One figure of three and a word in common do not replace the whole.
        let short = "38 customers quote with it";
        let part = written(short, &["38 customers"]);
        let proofs = beside(vec![own(said)], vec![part]);
        assert_eq!(texts(proofs), [said, short]);
        let apart = written("They weld in 3 halls", &["3 halls"]);
        assert_eq!(beside(vec![own(said)], vec![apart]).len(), 2);
    }

    #[test]
    fn a_gap_that_a_risk_tells_is_none() {
        let risk = written(
            "References are only given on request",
            &["References on request."],
        );
        let gap = written(
            "Which references they have is told on request",
            &["References on request."],
        );
        assert!(tells_the_same(&risk, &gap));
        let other = written("Who signs orders", &["Who we are."]);
        assert!(!tells_the_same(&risk, &other));
    }
}
