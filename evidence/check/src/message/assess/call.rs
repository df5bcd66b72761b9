//! What a draft asks for, and what its reader gains before.

use gtm_domain::message::{BlockKind, Placeholder, RubricCheck, RubricKey};
use serde_json::json;
use unicode_segmentation::UnicodeSegmentation as _;

use super::super::passage::Source;
use super::super::stems::{Stems, bare};
use super::super::template::{Line, Place};
use super::{Finding, Reader, findings, named};

/// The share of the wished step's words that a literal ask must have, in percent.
const SAME_STEP: usize = 50;

impl Reader<'_> {
    pub(super) fn value_before_ask(&self) -> RubricCheck {
        let says_value = |kind: BlockKind, line: &Line| {
            matches!(kind, BlockKind::Value | BlockKind::Proof)
                || line.passage.values().any(|value| {
                    matches!(
                        value,
                        Placeholder::OfferValueProposition | Placeholder::OfferProofPoint
                    )
                })
        };
        let blocks: Vec<(BlockKind, &Line)> = self.template.message().collect();
        let value = blocks
            .iter()
            .position(|(kind, line)| says_value(*kind, line));
        let ask = blocks
            .iter()
            .position(|(kind, line)| *kind == BlockKind::Cta || !line.asks.is_empty());
        let passed = match (value, ask) {
            (Some(value), Some(ask)) => value < ask,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let observed = match (value, passed) {
            (None, _) => "no value",
            (_, true) => "value first",
            (_, false) => "ask first",
        };
        RubricKey::ValueBeforeAsk.decided(
            passed,
            Some(json!(observed)),
            Some(json!("value first")),
            || {
                "Say what the recipient gains, in a block value or proof, before anything is asked."
                    .to_owned()
            },
        )
    }

    pub(super) fn you_to_we(&self) -> RubricCheck {
        let texts: Vec<String> = self
            .template
            .message()
            .map(|(_, line)| line.passage.blanked(Source::is_own))
            .collect();
        let words = texts.iter().flat_map(|text| text.unicode_words());
        let Some((you, we)) = self.vocabulary.you_and_we(words) else {
            return self.not_looked_for(RubricKey::YouToWe);
        };
        // The recipient's own name and company speak of him as `you` does.
        let values = self
            .template
            .message()
            .flat_map(|(_, line)| line.passage.values());
        let (mut of_reader, mut of_sender) = (0, 0);
        for value in values {
            match value {
                Placeholder::RecipientRole
                | Placeholder::RecipientFullName
                | Placeholder::CompanyName
                | Placeholder::CompanyIndustry
                | Placeholder::CompanyLocation
                | Placeholder::EvidenceHook => of_reader += 1,
                Placeholder::SenderOrganization => of_sender += 1,
                _ => {}
            }
        }
        let (you, we) = (you + of_reader, we + of_sender);
        RubricKey::YouToWe.decided(
            you >= we,
            Some(json!(format!("{you}:{we}"))),
            Some(json!("1:1")),
            || "Speak of the recipient at least as often as of yourself.".to_owned(),
        )
    }

    pub(super) fn single_ask(&self) -> RubricCheck {
        let times = |line: &Line| line.asks.iter().map(|ask| ask.times).sum::<usize>();
        let lines = || self.template.lines.iter();
        let blocks = || lines().filter(|line| matches!(line.place, Place::Block(_)));
        let asks: usize = blocks().map(times).sum();
        // A block that asks twice in the place of one that asks once.
        let fallbacks = lines().filter(|line| matches!(line.place, Place::Fallback(_)));
        let most = fallbacks.map(times).max().unwrap_or(0).max(asks);
        let key = RubricKey::SingleAsk;
        let missing = self.vocabulary.ask_openings.is_none();
        let observed = match missing {
            true => json!(format!(
                "{most}, of which no list for “{}” knows requests",
                self.vocabulary.language
            )),
            false => json!(most),
        };
        key.decided(
            asks == 1 && most == 1,
            Some(observed),
            Some(json!(1)),
            || {
                let asking = blocks().flat_map(|line| {
                    let sentences = line.asks.iter().map(|ask| ask.sentence.clone());
                    findings(line, sentences.collect())
                });
                let asking: Vec<Finding> = asking.collect();
                match asking.is_empty() {
                    true => "Ask for one thing.".to_owned(),
                    false => format!("Ask for one thing; these ask: {}.", named(&asking)),
                }
            },
        )
    }

    pub(super) fn desired_next_step(&self) -> RubricCheck {
        let key = RubricKey::DesiredNextStep;
        let limit = Some(json!(
            "next_step.ask, or half of the words of the desired next step"
        ));
        let mut cta = self
            .template
            .message()
            .filter(|(kind, _)| *kind == BlockKind::Cta);
        let Some((_, line)) = cta.next() else {
            return key.decided(false, Some(json!("no cta")), limit, || {
                "Ask in a block cta.".to_owned()
            });
        };
        let asks: usize = line.asks.iter().map(|ask| ask.times).sum();
        if line
            .passage
            .values()
            .any(|value| value == Placeholder::NextStepAsk)
        {
            return key.decided(asks <= 1, Some(json!("next_step.ask")), limit, || {
                "Let {{next_step.ask}} alone ask.".to_owned()
            });
        }
        let step = gtm_lexicon::fold(self.draft.desired_next_step);
        let step = gtm_lexicon::split(&step);
        let said = Stems::of(bare(&line.words));
        let (all, covered) = said.covered(step);
        let observed = match all {
            0 => json!("the desired next step has no words to compare"),
            _ => json!(format!("{covered} of {all} words")),
        };
        key.decided(
            covered * 100 >= all * SAME_STEP,
            Some(observed),
            limit,
            || "Ask for the desired next step: use {{next_step.ask}}, or its words.".to_owned(),
        )
    }
}
