//! The generation of a template revision: the request in its normalized form, what it lacks, and the result of
//! its job (annex A4.3, A6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::decision::{MessageReason, MessageStatus};
use super::revision::TemplateOptions;
use super::rubric::Rubric;
use crate::fixed::Zero;
use crate::{Digest, MessageTemplateRevisionId};

/// The value of `operation`.
pub const GENERATE: &str = "generate";

/// The normalized request. Context that the request left out or blank is null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GenerateInput {
    /// Always `generate`.
    #[schema(pattern = "^generate$")]
    pub operation: String,
    /// Names the template; its revisions are numbered.
    pub template_key: String,
    /// Name for people.
    pub name: String,
    /// BCP 47 tag of the text.
    pub language: String,
    /// Whom it is written for.
    #[schema(required)]
    pub audience: Option<String>,
    /// What it is meant to achieve.
    #[schema(required)]
    pub objective: Option<String>,
    /// Id or key of the offer, as it was given.
    #[schema(required)]
    pub offer: Option<String>,
    /// The caller's own summary of what is sold.
    #[schema(required)]
    pub offer_summary: Option<String>,
    /// What the recipient is asked to do.
    #[schema(required)]
    pub desired_next_step: Option<String>,
    /// How it is written, and its limits.
    pub options: TemplateOptions,
    /// Why it is made, in the caller's words.
    #[schema(required)]
    pub reason: Option<String>,
}

impl GenerateInput {
    /// The context that is missing. A request that lacks some is accepted, and its job says so.
    #[must_use]
    pub fn missing(&self) -> Vec<MessageReason> {
        let offer = self.offer.as_ref().or(self.offer_summary.as_ref());
        let given = [
            self.audience.is_some(),
            self.objective.is_some(),
            offer.is_some(),
            self.desired_next_step.is_some(),
        ];
        CONTEXT
            .iter()
            .zip(given)
            .filter(|(_, given)| !given)
            .map(|(context, _)| context.reason())
            .collect()
    }

    /// What is asked for if the offer's texts are in another language than the template: nothing is translated, since
    /// nobody would have approved the translation.
    #[must_use]
    pub fn offer_in_another_language(&self) -> MessageReason {
        let pointer = match self.offer {
            Some(_) => "/offer",
            None => "/offer_summary",
        };
        MessageReason {
            code: "offer_language_differs".to_owned(),
            pointer: Some(pointer.to_owned()),
            message: "The offer's texts are in another language than the template. Approve an offer in its language, or \
                      summarize in it what is offered."
                .to_owned(),
        }
    }

    /// The context that a writer asks for by the codes of reasons, for texts that are not blank but say nothing.
    /// Codes of anything else are left out.
    #[must_use]
    pub fn asked_for(codes: &[&str]) -> Vec<MessageReason> {
        let asked = CONTEXT.iter();
        asked
            .filter(|context| codes.contains(&context.code))
            .map(Context::reason)
            .collect()
    }
}

/// What nothing can be written without.
struct Context {
    code: &'static str,
    pointer: &'static str,
    message: &'static str,
}

const CONTEXT: [Context; 4] = [
    Context {
        code: "audience_missing",
        pointer: "/audience",
        message: "Say whom the template is written for.",
    },
    Context {
        code: "objective_missing",
        pointer: "/objective",
        message: "Say what the template is meant to achieve.",
    },
    Context {
        code: "offer_missing",
        pointer: "/offer_summary",
        message: "Name an approved offer, or summarize what is offered.",
    },
    Context {
        code: "desired_next_step_missing",
        pointer: "/desired_next_step",
        message: "Say what the recipient is asked to do.",
    },
];

impl Context {
    fn reason(&self) -> MessageReason {
        MessageReason {
            code: self.code.to_owned(),
            pointer: Some(self.pointer.to_owned()),
            message: self.message.to_owned(),
        }
    }
}

/// The result of a job that generates a revision.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct GenerateResult {
    /// Always `generate`.
    #[schema(pattern = "^generate$")]
    pub operation: &'static str,
    /// `DRAFT_READY` or `NEEDS_INPUT`.
    #[schema(inline)]
    pub status: MessageStatus,
    /// What is missing; empty for `DRAFT_READY`.
    pub reasons: Vec<MessageReason>,
    /// The new revision; null where something is missing.
    #[schema(value_type = Option<String>, required, pattern = "^mtr_[0-9a-hjkmnp-tv-z]{26}$")]
    pub revision_id: Option<MessageTemplateRevisionId>,
    /// As in the request.
    pub template_key: String,
    /// Number of the new revision.
    #[schema(required, minimum = 1)]
    pub revision: Option<u64>,
    /// Hash of the new revision.
    #[schema(value_type = Option<String>, required, pattern = "^sha256:[0-9a-f]{64}$")]
    pub template_hash: Option<Digest>,
    /// Its score.
    #[schema(required)]
    pub rubric: Option<Rubric>,
    /// Nothing is ever enqueued.
    #[schema(inline)]
    pub messages_enqueued: Zero,
    /// Nothing is ever sent.
    #[schema(inline)]
    pub messages_sent: Zero,
}

impl GenerateResult {
    /// The result of a request that lacks context.
    #[must_use]
    pub const fn needs_input(template_key: String, reasons: Vec<MessageReason>) -> Self {
        Self {
            operation: GENERATE,
            status: MessageStatus::NeedsInput,
            reasons,
            revision_id: None,
            template_key,
            revision: None,
            template_hash: None,
            rubric: None,
            messages_enqueued: Zero,
            messages_sent: Zero,
        }
    }

    /// The result of a draft that passed. Its number is known when it is stored.
    #[must_use]
    pub const fn draft_ready(
        template_key: String,
        revision_id: MessageTemplateRevisionId,
        template_hash: Digest,
        rubric: Rubric,
    ) -> Self {
        Self {
            operation: GENERATE,
            status: MessageStatus::DraftReady,
            reasons: Vec::new(),
            revision_id: Some(revision_id),
            template_key,
            revision: None,
            template_hash: Some(template_hash),
            rubric: Some(rubric),
            messages_enqueued: Zero,
            messages_sent: Zero,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_where_it_belongs() {
        let input = GenerateInput {
            operation: GENERATE.to_owned(),
            template_key: "handover".to_owned(),
            name: "Handover".to_owned(),
            language: "en".to_owned(),
            audience: Some("Heads of operations".to_owned()),
            objective: None,
            offer: None,
            offer_summary: None,
            desired_next_step: None,
            options: TemplateOptions {
                tone: TemplateOptions::DEFAULT_TONE.to_owned(),
                locale: "en".to_owned(),
                max_words: TemplateOptions::DEFAULT_MAX_WORDS,
                max_links: TemplateOptions::DEFAULT_MAX_LINKS,
                forbidden_claims: Vec::new(),
            },
            reason: None,
        };
        let reasons = input.missing();
        let told: Vec<_> = reasons
            .iter()
            .map(|reason| (reason.code.as_str(), reason.pointer.as_deref()))
            .collect();
        assert_eq!(
            told,
            [
                ("objective_missing", Some("/objective")),
                ("offer_missing", Some("/offer_summary")),
                ("desired_next_step_missing", Some("/desired_next_step")),
            ]
        );
        let reason = input.offer_in_another_language();
        assert_eq!(reason.pointer.as_deref(), Some("/offer_summary"));
        let offered = GenerateInput {
            offer: Some("meters".to_owned()),
            ..input
        };
        assert_eq!(offered.missing().len(), 2);
        let reason = offered.offer_in_another_language();
        assert_eq!(reason.pointer.as_deref(), Some("/offer"));
    }

    #[test]
    fn a_writer_asks_for_nothing_but_context() {
        let codes = ["offer_missing", "password_missing", "audience_missing"];
        let reasons = GenerateInput::asked_for(&codes);
        let codes: Vec<&str> = reasons.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, ["audience_missing", "offer_missing"]);
    }
}
