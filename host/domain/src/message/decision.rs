//! The verdict on a message to one prospect (`docs/message-gates.md`, The verdict).
//!
//! DANGER: the order matters. Nothing is written about a person who objected or was rejected, in a preview either;
//! and whoever adds a cause of BLOCKED breaks the specification, which has three.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::compliance::{CheckOutcome, ComplianceOutcome, ContentCheck, Gate, GateOutcome};
use super::gates::Facts;
use super::prospect_message::MessagePurpose;
use super::values::{UnfilledVariable, VariableProblem};
use crate::prospecting::QualificationStatus;

/// The status of a result of a message-template job (specification, Message-template result status).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MessageStatus {
    /// There is a draft that a person may approve.
    DraftReady,
    /// Something is missing that the caller, or whoever keeps the facts, can supply.
    NeedsInput,
    /// Nothing may be written.
    Blocked,
    /// There is a preview, not to be sent.
    DemonstrationOnly,
}

impl MessageStatus {
    /// Whether the result has a subject and a body.
    #[must_use]
    pub const fn is_drafted(self) -> bool {
        matches!(self, Self::DraftReady | Self::DemonstrationOnly)
    }

    /// The same as `compliance_verification.outcome`.
    #[must_use]
    pub const fn outcome(self) -> ComplianceOutcome {
        match self {
            Self::DraftReady => ComplianceOutcome::Passed,
            Self::NeedsInput => ComplianceOutcome::NeedsInput,
            Self::Blocked => ComplianceOutcome::Blocked,
            Self::DemonstrationOnly => ComplianceOutcome::Demonstration,
        }
    }
}

/// A cause of a status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MessageReason {
    /// Stable code.
    pub code: String,
    /// RFC 6901 pointer into the request to what can be mended; null where nothing there can.
    #[schema(required)]
    pub pointer: Option<String>,
    /// What to know or to do, in one sentence.
    pub message: String,
}

/// What blocks a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Block {
    /// An entry of the outcome ledger speaks against writing.
    SuppressionMatch,
    /// The prospect was rejected.
    QualificationRejected,
    /// Made-up facts for a message to a real person.
    SyntheticNotDemonstration,
}

impl Block {
    /// All causes, in the order in which they are given.
    pub const ALL: [Self; 3] = [
        Self::SuppressionMatch,
        Self::QualificationRejected,
        Self::SyntheticNotDemonstration,
    ];

    /// The code of its reason.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::SuppressionMatch => "suppression_match",
            Self::QualificationRejected => "qualification_rejected",
            Self::SyntheticNotDemonstration => "synthetic_not_demonstration",
        }
    }

    fn reason(self) -> MessageReason {
        let (pointer, message) = match self {
            Self::SuppressionMatch => (
                None,
                "The outcome ledger speaks against writing to this prospect.",
            ),
            Self::QualificationRejected => (None, "The prospect was rejected."),
            Self::SyntheticNotDemonstration => (
                Some("/purpose"),
                "The prospect or the cited evidence is made up; only a demonstration can be made of it.",
            ),
        };
        MessageReason {
            code: self.code().to_owned(),
            pointer: pointer.map(str::to_owned),
            message: message.to_owned(),
        }
    }
}

/// What blocks a message under these facts, in the order in which it is told.
#[must_use]
pub fn blocks(facts: &Facts<'_>) -> Vec<Block> {
    let applies = |block: &Block| match block {
        Block::SuppressionMatch => (facts.ledger).is_some_and(|ledger| ledger.matched),
        Block::QualificationRejected => facts.candidate.is_some_and(|candidate| {
            candidate.qualification.status == QualificationStatus::Rejected
        }),
        Block::SyntheticNotDemonstration => {
            facts.request.purpose == MessagePurpose::RealRecipient && facts.is_synthetic()
        }
    };
    Block::ALL.into_iter().filter(applies).collect()
}

/// Everything that can keep a message from being drafted.
#[derive(Debug, Clone, Copy)]
pub struct Causes<'c> {
    /// What the message is for.
    pub purpose: MessagePurpose,
    pub blocks: &'c [Block],
    pub gates: &'c [Gate],
    /// Required variables that cannot be filled.
    pub unfilled: &'c [UnfilledVariable],
    /// Checks of the text; empty, or all skipped, as long as there is none.
    pub checks: &'c [ContentCheck],
}

/// The verdict. Asked before the text is made, it says whether the text is to be made; asked with the checks of the
/// text, it says what becomes of it.
#[must_use]
pub fn status(causes: &Causes<'_>) -> MessageStatus {
    if !causes.blocks.is_empty() {
        return MessageStatus::Blocked;
    }
    if !causes.unfilled.is_empty() {
        return MessageStatus::NeedsInput;
    }
    if causes.purpose == MessagePurpose::Demonstration {
        return MessageStatus::DemonstrationOnly;
    }
    if causes.gates.iter().any(is_closed) || causes.checks.iter().any(is_failed) {
        return MessageStatus::NeedsInput;
    }
    MessageStatus::DraftReady
}

/// Every cause of the status, and none of another one.
#[must_use]
pub fn reasons(causes: &Causes<'_>) -> Vec<MessageReason> {
    match status(causes) {
        MessageStatus::DraftReady | MessageStatus::DemonstrationOnly => Vec::new(),
        MessageStatus::Blocked => causes.blocks.iter().copied().map(Block::reason).collect(),
        MessageStatus::NeedsInput => {
            let mut variables: Vec<&UnfilledVariable> = causes.unfilled.iter().collect();
            variables.sort_by_key(|unfilled| unfilled.problem);
            let variables = variables.into_iter().map(of_variable);
            match causes.purpose {
                MessagePurpose::Demonstration => variables.collect(),
                MessagePurpose::RealRecipient => {
                    let gates = causes.gates.iter().filter(|gate| is_closed(gate));
                    let checks = causes.checks.iter().filter(|check| is_failed(check));
                    gates
                        .map(of_gate)
                        .chain(variables)
                        .chain(checks.map(of_check))
                        .collect()
                }
            }
        }
    }
}

/// Whether a gate keeps a message from a real person.
#[must_use]
pub const fn is_closed(gate: &Gate) -> bool {
    match gate.outcome {
        GateOutcome::Failed | GateOutcome::Unknown => true,
        GateOutcome::Passed | GateOutcome::NotApplicable => false,
    }
}

const fn is_failed(check: &ContentCheck) -> bool {
    matches!(check.outcome, CheckOutcome::Failed)
}

fn of_gate(gate: &Gate) -> MessageReason {
    MessageReason {
        code: format!("gate:{}", gate.gate.as_str()),
        pointer: gate.pointer.clone(),
        message: gate.message.clone().unwrap_or_default(),
    }
}

fn of_variable(unfilled: &UnfilledVariable) -> MessageReason {
    let code = match unfilled.problem {
        VariableProblem::Missing => "variables_missing",
        VariableProblem::Unsupported => "variables_unsupported",
    };
    MessageReason {
        code: code.to_owned(),
        pointer: unfilled.pointer.clone(),
        message: unfilled.message.clone(),
    }
}

/// DANGER: reasons outlive an erasure, so they quote nothing of the text.
fn of_check(check: &ContentCheck) -> MessageReason {
    let name = check.check.as_str();
    let places = match check.pointers.is_empty() {
        true => String::new(),
        false => format!(" at {} of the template", check.pointers.join(", ")),
    };
    MessageReason {
        code: format!("check:{name}"),
        pointer: check.mend.map(str::to_owned),
        message: format!(
            "The text does not pass the check {name}{places}. {}",
            check.check.advice()
        ),
    }
}
