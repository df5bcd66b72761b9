//! What a critic's verdicts mean for a claim: of a text of several sentences, each is judged by itself.

use std::collections::BTreeMap;

use crate::check::Checked;
use crate::form::Unit;
use crate::wording;

/// What the critic says of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The excerpts or the context say it, in whatever words.
    Supported,
    /// It goes beyond them, as judgement may.
    Inferred,
    /// They say otherwise, or it tells as a fact what nobody says.
    Contradicted,
}

/// A finding, with the words of the claim that are wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What the critic says.
    pub finding: Finding,
    /// The faulty words; empty if the critic copied none.
    pub faulty: String,
}

/// What a verdict is about: the number of a claim and of its sentence, which is 0 for the whole claim.
pub type Place = (u64, usize);

/// The verdicts of a critic.
pub type Verdicts = BTreeMap<Place, Verdict>;

/// A claim to be read again.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    /// Its number in the critic's task.
    pub number: u64,
    /// Where it stands in the answer.
    pub path: &'a str,
    /// Its form.
    pub unit: Unit,
    /// What passed the check.
    pub checked: &'a Checked,
    /// Its sentences, if it is a text of several; they are judged one by one.
    pub sentences: Vec<&'a str>,
}

impl<'a> Subject<'a> {
    /// A claim in a language, with its number.
    #[must_use]
    pub fn new(
        number: u64,
        path: &'a str,
        unit: Unit,
        checked: &'a Checked,
        language: &str,
    ) -> Self {
        let text = checked.value.as_str().unwrap_or_default();
        let mut sentences = wording::sentences(text, language);
        if sentences.len() < 2 {
            sentences.clear();
        }
        Self {
            number,
            path,
            unit,
            checked,
            sentences,
        }
    }

    /// What the verdicts say of the claim.
    #[must_use]
    pub fn judged(&self, verdicts: &Verdicts) -> Judgement {
        let whole = verdicts.get(&(self.number, 0));
        let Some(last) = self.sentences.len().checked_sub(1) else {
            let verdict = graver(whole, verdicts.get(&(self.number, 1)));
            let wrong = verdict.filter(|verdict| verdict.finding == Finding::Contradicted);
            return Judgement {
                finding: verdict.map(|verdict| verdict.finding),
                faulty: wrong
                    .map(|verdict| verdict.faulty.clone())
                    .into_iter()
                    .collect(),
                rest: None,
            };
        };
        // Of a verdict on all of it, the faulty words tell the sentence.
        let is_meant = |verdict: &Verdict, sentence: &str| {
            let elsewhere = self
                .sentences
                .iter()
                .any(|other| wording::holds(other, &verdict.faulty));
            verdict.finding != Finding::Contradicted
                || !elsewhere
                || wording::holds(sentence, &verdict.faulty)
        };
        let mut faulty = Vec::new();
        let mut rest = Vec::new();
        let mut findings = Vec::new();
        for (at, sentence) in (0..=last).zip(&self.sentences) {
            let own = verdicts.get(&(self.number, at + 1));
            let of_whole = whole.filter(|whole| is_meant(whole, sentence));
            let copied = |verdict: &&Verdict| wording::holds(sentence, &verdict.faulty);
            let verdict = match own {
                Some(own) => graver(Some(own), of_whole.filter(copied)),
                None => of_whole,
            };
            match verdict {
                Some(verdict) if verdict.finding == Finding::Contradicted => {
                    let copied = wording::holds(sentence, &verdict.faulty);
                    let words = if copied { &verdict.faulty } else { *sentence };
                    faulty.push(words.to_owned());
                }
                other => {
                    rest.push(*sentence);
                    findings.push(other.map(|verdict| verdict.finding));
                }
            }
        }
        // What stands is as sure as its weakest sentence.
        let finding = if rest.is_empty() {
            Some(Finding::Contradicted)
        } else if findings.contains(&None) {
            None
        } else if findings.contains(&Some(Finding::Inferred)) {
            Some(Finding::Inferred)
        } else {
            Some(Finding::Supported)
        };
        let lost = !faulty.is_empty() && !rest.is_empty();
        Judgement {
            finding,
            faulty,
            rest: lost.then(|| wording::joined(&rest)),
        }
    }
}

/// Of two verdicts on the same words the one that contradicts them, otherwise the first.
fn graver<'v>(first: Option<&'v Verdict>, second: Option<&'v Verdict>) -> Option<&'v Verdict> {
    let contradicts = |verdict: &&Verdict| verdict.finding == Finding::Contradicted;
    let graver = [first, second].into_iter().flatten().find(contradicts);
    graver.or(first).or(second)
}

/// What a critic's verdicts mean for a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The finding on what stands of it: `Contradicted` if nothing does, none if not all of that was read.
    pub finding: Option<Finding>,
    /// The faulty words, where something is contradicted.
    pub faulty: Vec<String>,
    /// The sentences that stand, if others are contradicted.
    pub rest: Option<String>,
}

impl Judgement {
    /// Whether something of the claim is contradicted.
    #[must_use]
    pub fn objects(&self) -> bool {
        self.finding == Some(Finding::Contradicted) || self.rest.is_some()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::critique::read;
    use crate::critique::tests::{checked, subject};
    use serde_json::{Value, json};

    #[test]
    fn a_text_is_judged_sentence_by_sentence() {
        let text = checked("It stores food. It earns well. It keeps records.", &[]);
        let of = |verdicts: Value| {
            let verdicts = read(&json!({"verdicts": verdicts}));
            subject(&text).judged(&verdicts)
        };
        let supported = |claim: &str| json!({"claim": claim, "verdict": "supported", "faulty": ""});
        let wrong = |claim: &str, faulty: &str| json!({"claim": claim, "verdict": "contradicted", "faulty": faulty});
        let part = of(json!([
            supported("C3.1"),
            wrong("C3.2", ""),
            supported("C3.3")
        ]));
        assert_eq!(
            part.rest.as_deref(),
            Some("It stores food. It keeps records.")
        );
        assert_eq!(part.faulty, ["It earns well."]);
        assert_eq!(part.finding, Some(Finding::Supported));
        // A verdict on all of it that names words of one sentence.
        let told = of(json!([wrong("C3", "earns well")]));
        assert_eq!(told.rest, part.rest);
        assert_eq!(
            (told.faulty, told.finding),
            (vec!["earns well".to_owned()], None)
        );
        let all = of(json!([wrong("C3", "")]));
        assert_eq!((all.finding, all.rest), (Some(Finding::Contradicted), None));
        assert!(!of(json!([supported("C3")])).objects());
        assert_eq!(of(json!([supported("C3.1")])).finding, None);
        assert_eq!(of(json!([])).finding, None);
    }

    #[test]
    fn of_two_verdicts_on_a_sentence_the_graver_counts() {
        let verdict = |claim: &str, verdict: &str, faulty: &str| json!({"claim": claim, "verdict": verdict, "faulty": faulty});
        let of = |text: &str, verdicts: Value| {
            let text = checked(text, &[]);
            let verdicts = read(&json!({"verdicts": verdicts}));
            subject(&text).judged(&verdicts)
        };
        for (whole, sentence) in [("supported", "contradicted"), ("contradicted", "inferred")] {
            let verdicts = json!([verdict("C3", whole, ""), verdict("C3.1", sentence, "")]);
            let judged = of("It stores food.", verdicts);
            assert_eq!(judged.finding, Some(Finding::Contradicted));
            assert!(judged.objects());
        }
        let named = json!([
            verdict("C3", "contradicted", "earns well"),
            verdict("C3.1", "supported", ""),
            verdict("C3.2", "supported", ""),
        ]);
        let judged = of("It stores food. It earns well.", named);
        assert_eq!(judged.rest.as_deref(), Some("It stores food."));
    }
}
