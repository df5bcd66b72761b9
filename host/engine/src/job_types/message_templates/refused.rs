//! Drafts that did not pass: what their writer is told, and how the job fails if none was better.
//!
//! DANGER: a job's error is read by callers, and a judge is a plug-in whose author may write anything (decision 0055). So the
//! error quotes the draft, the caller's own text, through the host's checks alone; of the judge only points are shown. The
//! writer reads the judge's notes, too.

use gtm_domain::JobErrorCode;
use gtm_domain::job::JobError;
use gtm_domain::message::rubric::{JUDGED_FLOOR, JUDGED_POINTS, Rubric, RubricCheck};
use gtm_domain::message::{MessageFault, draft};
use gtm_evidence_check::message::WRONG_LANGUAGE;
use serde_json::{Value, json};

use super::pointers::in_draft;
use crate::job_error;

/// The rule of drafts that a placeholder breaks which no template may have.
const PLACEHOLDER_RULE: &str = "placeholder_not_allowed";
/// The hard failure of a text that claims what it must not.
const FORBIDDEN_CLAIM: &str = "forbidden_claim";
/// The rule under which a writer reads how far a draft is from passing.
const THRESHOLD_RULE: &str = "quality_threshold";
/// Most characters of what an error says of one check or failure.
const TOLD_CHARS: usize = 240;
/// Most checks and failures that an error names.
const TOLD: usize = 12;

/// Why a draft did not pass. That of the best one is why the job fails.
pub enum Failed {
    /// It is no template, or one with what a template must not have.
    Faulty(Vec<MessageFault>),
    /// It is a template, but not good enough.
    Weak(Rubric),
}

impl Failed {
    /// What the writer is told: what decides by itself first, then how many points are missing, then the checks that cost
    /// most.
    pub fn faults(&self) -> Vec<MessageFault> {
        match self {
            Self::Faulty(faults) => faults
                .iter()
                .map(|fault| MessageFault {
                    pointer: draft::pointer_into_draft(&fault.pointer),
                    ..fault.clone()
                })
                .collect(),
            Self::Weak(rubric) => {
                let hard = rubric.hard_failures.iter().map(|failure| MessageFault {
                    pointer: draft::pointer_into_draft(&failure.pointer),
                    rule: failure.code.clone(),
                    message: format!("Decides, whatever the points: {}", failure.message),
                });
                let mut lost: Vec<&RubricCheck> = lost(rubric)
                    .filter(|check| !is_told_already(check, rubric))
                    .collect();
                lost.sort_by_key(|check| std::cmp::Reverse(check.max - check.points));
                let lost = lost.into_iter().map(|check| costs(check, rubric));
                hard.chain(missing_points(rubric)).chain(lost).collect()
            }
        }
    }

    /// What is no template is worst, then what has a hard failure, then what has fewer points.
    pub fn rank(&self) -> (u8, u32) {
        match self {
            Self::Faulty(_) => (0, 0),
            Self::Weak(rubric) => (1 + u8::from(rubric.hard_failures.is_empty()), rubric.total),
        }
    }

    /// How the job fails if this was the best draft.
    pub fn error(&self) -> JobError {
        match self {
            Self::Faulty(faults) => {
                let is_placeholder = |fault: &MessageFault| fault.rule == PLACEHOLDER_RULE;
                if !faults.is_empty() && faults.iter().all(is_placeholder) {
                    let message = "The draft uses placeholders that no template may have.";
                    let pointers: Vec<_> = faults.iter().map(|fault| &fault.pointer).collect();
                    let details = json!({"pointers": pointers});
                    return job_error::error(
                        JobErrorCode::PlaceholderNotAllowed,
                        message.to_owned(),
                        Some(details),
                    );
                }
                let language = faults.iter().any(|fault| fault.rule == WRONG_LANGUAGE);
                let message = match language {
                    true => {
                        "The generation backend wrote in another language than the request asks for."
                    }
                    false => "The generation backend wrote no template that keeps the rules.",
                };
                let rules: Vec<_> = faults
                    .iter()
                    .take(TOLD)
                    .map(|fault| {
                        json!({
                            "pointer": fault.pointer,
                            "rule": fault.rule,
                            "message": bounded(&fault.message),
                        })
                    })
                    .collect();
                job_error::error(
                    JobErrorCode::BackendInvalidResponse,
                    message.to_owned(),
                    Some(json!({"violations": rules})),
                )
            }
            Self::Weak(rubric) => of_rubric(rubric),
        }
    }
}

fn of_rubric(rubric: &Rubric) -> JobError {
    let forbidden = rubric
        .hard_failures
        .iter()
        .find(|failure| failure.code == FORBIDDEN_CLAIM);
    if let Some(failure) = forbidden {
        return job_error::error(
            JobErrorCode::ForbiddenClaim,
            "The draft claims what it must not claim.".to_owned(),
            Some(json!({"pointer": failure.pointer, "message": bounded(&failure.message)})),
        );
    }
    let failing: Vec<_> = rubric.failing_dimensions().collect();
    let hard: Vec<_> = rubric.hard_failures.iter().map(|it| &it.code).collect();
    let failures: Vec<Value> = (rubric.hard_failures.iter().take(TOLD))
        .map(|it| json!({"code": it.code, "pointer": it.pointer, "message": bounded(&it.message)}))
        .collect();
    let lost: Vec<Value> = lost(rubric).take(TOLD).map(told_of_check).collect();
    job_error::error(
        JobErrorCode::QualityThresholdNotMet,
        why_not(rubric),
        Some(json!({
            "total": rubric.total,
            "threshold": rubric.threshold,
            "judged_points": rubric.judged_points(),
            "judged_floor": JUDGED_FLOOR,
            "failing_dimensions": failing,
            "hard_failures": hard,
            "failures": failures,
            "lost_checks": lost,
        })),
    )
}

/// What an error says of a check that lost points.
fn told_of_check(check: &RubricCheck) -> Value {
    let message = match check.is_judged() {
        true => Some(format!(
            "The judge gave {} of {} points.",
            check.points, check.max
        )),
        false => check.message.as_deref().map(bounded),
    };
    json!({
        "key": check.key,
        "points": check.points,
        "max": check.max,
        "message": message,
    })
}

fn lost(rubric: &Rubric) -> impl Iterator<Item = &RubricCheck> {
    rubric
        .checks
        .iter()
        .filter(|check| check.points < check.max)
}

/// Whether hard failures say all that a check found: the writer would read each hit twice.
fn is_told_already(check: &RubricCheck, rubric: &Rubric) -> bool {
    let codes: &[&str] = match check.key.as_str() {
        "evidence.approved_numbers" => &["unapproved_number"],
        "mobile_readability.word_limit" => &["too_many_words"],
        "mobile_readability.link_limit" => &["too_many_links"],
        // Superlatives are found by the check alone.
        "trust.honest_wording" => &[FORBIDDEN_CLAIM, "false_prefix", "false_urgency"],
        _ => return false,
    };
    let failures = rubric.hard_failures.iter();
    let told = failures
        .filter(|failure| codes.contains(&failure.code.as_str()))
        .count();
    let hits = match check.key.as_str() {
        "trust.honest_wording" => check.observed.as_ref().and_then(Value::as_u64),
        _ => None,
    };
    let hits = hits.and_then(|hits| usize::try_from(hits).ok());
    told > 0 && hits.is_none_or(|hits| hits <= told)
}

/// How far a draft is from passing by points. Nothing if it has enough of them.
fn missing_points(rubric: &Rubric) -> Option<MessageFault> {
    let mut says = Vec::new();
    if rubric.total < rubric.threshold {
        says.push(format!(
            "it has {} of at least {} points",
            rubric.total, rubric.threshold
        ));
    }
    let judged = rubric.judged_points();
    if judged < JUDGED_FLOOR {
        says.push(format!(
            "{judged} of at least {JUDGED_FLOOR} of the judge's {JUDGED_POINTS}"
        ));
    }
    let below = rubric.dimensions.iter().filter(|it| !it.is_met());
    says.extend(below.map(|dimension| {
        format!(
            "{} of at least {} in {}",
            dimension.score,
            dimension.floor,
            dimension.key.as_str()
        )
    }));
    (!says.is_empty()).then(|| MessageFault {
        pointer: String::new(),
        rule: THRESHOLD_RULE.to_owned(),
        message: format!("Decides: {}.", says.join(", ")),
    })
}

/// What a check costs, and whether its dimension is below its floor.
fn costs(check: &RubricCheck, rubric: &Rubric) -> MessageFault {
    let says = check
        .message
        .clone()
        .unwrap_or_else(|| format!("{} of {} points were given.", check.points, check.max));
    let (pointer, says) = in_draft(&says);
    let below = rubric
        .failing_dimensions()
        .any(|dimension| dimension == check.dimension);
    let (cost, max) = (check.max - check.points, check.max);
    let message = match below {
        true => {
            format!("Costs {cost} of {max} points, and its dimension is below its floor: {says}")
        }
        false => format!("Costs {cost} of {max} points: {says}"),
    };
    MessageFault {
        pointer,
        rule: check.key.clone(),
        message,
    }
}

/// Text of the host about the draft, cut. It may quote words of the draft.
fn bounded(message: &str) -> String {
    let mut told: String = message.chars().take(TOLD_CHARS).collect();
    if message.chars().nth(TOLD_CHARS).is_some() {
        told.push('…');
    }
    told
}

/// Why the best draft is not good enough, in one sentence.
fn why_not(rubric: &Rubric) -> String {
    if !rubric.hard_failures.is_empty() {
        return "The best draft has faults for which a template is refused however many points it has; failures tells \
                each of them."
            .to_owned();
    }
    if rubric.total < rubric.threshold {
        return format!(
            "The best draft has {} of the {} points that a template needs.",
            rubric.total, rubric.threshold
        );
    }
    "The best draft has enough points, but too few in one dimension or from the judge.".to_owned()
}
