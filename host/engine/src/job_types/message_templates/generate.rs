//! The operation `generate`: the writer drafts, the host checks and scores, and the writer mends what failed,
//! for a bounded number of rounds. Nothing below the threshold is saved (specification, Message template
//! revision and prospect message; annex A6).

use gtm_domain::job::{NewTemplateRevision, Product};
use gtm_domain::message::decision::MessageReason;
use gtm_domain::message::generation::{GenerateInput, GenerateResult};
use gtm_domain::message::revision::template_hash;
use gtm_domain::message::rubric::{
    DimensionKey, JUDGED_FLOOR, Judge, Rubric, RubricCheck, RubricKey, THRESHOLD,
};
use gtm_domain::message::written::written;
use gtm_domain::message::{
    MessageFault, NewRevision, PLACEHOLDER_CATALOG_VERSION, Placeholder, RevisionOrigin, Structure,
    TemplateOffer, Variable, draft, structure,
};
use gtm_domain::offer::OfferContent;
use gtm_domain::{Digest, JobType, MessageTemplateRevisionId, Usage};
use gtm_evidence_check::message::{
    Assessment, DraftToScore, WRONG_LANGUAGE, assess, draft_differs, limits, offer_differs,
    usual_words,
};
use serde::Deserialize;
use serde::Serialize;
use serde_json::{Value, json};

use super::super::backend::{Generated, Writer};
use super::super::checking::off_the_event_loop;
use super::super::cited::fault;
use super::super::derived_ids::derived_id;
use super::super::{JobRun, bound};
use super::refused::Failed;
use crate::ending::Ending;
use crate::job_error;
use crate::offered_words::OfferedWords;
use crate::plan::{Plan, PlannedOffer, PlannedRole, Role};

/// The evaluator that gives the judged points.
const JUDGE: &str = "judge.message_template";
/// The judge where an operator has bound none: lexical, without a model.
const DEFAULT_JUDGE: &str = "judge-message";
/// Most drafts that a job asks for, unless the writer's setting `attempts` says otherwise.
const ATTEMPTS: u32 = 3;
/// Most drafts that the setting can ask for.
const MAX_ATTEMPTS: u32 = 5;
/// Most faults that the writer is told of at once.
const TOLD_FAULTS: usize = 20;

/// What a job that generates needs: a writer and a judge.
pub fn plan(input: &Value) -> Plan {
    let offer = input.get("offer").and_then(Value::as_str);
    Plan {
        roles: vec![
            PlannedRole::writer(JobType::MessageTemplates),
            PlannedRole::evaluator(JUDGE).or(DEFAULT_JUDGE),
        ],
        may_cost: true,
        // What is sold is the request's own: an offer of the binding would say what nobody asked for.
        offer: offer.map_or(PlannedOffer::None, |offer| {
            PlannedOffer::Named(offer.to_owned())
        }),
        ..Plan::default()
    }
}

/// Why nothing in a value proposition without a ground is a faithful paraphrase.
const UNFOUNDED: &str = "The value or proof claims what rests on no placeholder and no approved text, or a talk is pretended, so nothing is paraphrased.";

/// What the drafts are written and judged by.
struct Task {
    input: GenerateInput,
    offer: Option<OfferContent>,
    offered: OfferedWords,
    judge: Judge,
    /// Most drafts that are asked for.
    attempts: u32,
}

/// Runs a job that generates a revision.
pub async fn run(mut run: JobRun) -> (Ending, Usage) {
    let none = Usage::default();
    // Without a writer the job fails, whatever else is wrong with the request (specification, General rules 3).
    if run.pins.writer().is_none() {
        let error = job_error::backend_not_configured(JobType::MessageTemplates.as_str());
        return (Ending::Failed(error), none);
    }
    let input = match GenerateInput::deserialize(&run.job.input) {
        Ok(input) => input,
        Err(error) => return (fault(&run, &error), none),
    };
    let missing = input.missing();
    if !missing.is_empty() {
        let result = GenerateResult::needs_input(input.template_key, missing);
        return (succeeded(&run, &result, Product::None), none);
    }
    let task = match task(&run, input).await {
        Ok(task) => task,
        Err(ending) => return (ending, none),
    };
    if offer_differs(&task.offered.texts, &task.input.language) {
        let reasons = vec![task.input.offer_in_another_language()];
        let result = GenerateResult::needs_input(task.input.template_key, reasons);
        return (succeeded(&run, &result, Product::None), none);
    }
    let first = question(&run, &task, 1, None, &[]);
    let writer = match Writer::of(&mut run, JobType::MessageTemplates, &first) {
        Ok(writer) => writer,
        Err(ending) => return (ending, none),
    };
    let written = write(&run, &task, &writer, first).await;
    let checked = match written {
        Ok(checked) => writer.made_every_call().map(|()| checked),
        Err(ending) => Err(ending),
    };
    let Generated { usage, .. } = writer.done(Ok(Value::Null));
    let ending = match checked {
        Ok(Written::Passed(passed)) => finish(&run, task, *passed),
        Ok(Written::Missing(reasons)) => {
            let result = GenerateResult::needs_input(task.input.template_key, reasons);
            succeeded(&run, &result, Product::None)
        }
        Err(ending) => ending,
    };
    (ending, usage)
}

async fn task(run: &JobRun, input: GenerateInput) -> Result<Task, Ending> {
    let offer = bound::offer(run).await?.map(OfferContent::for_texts);
    let judge = run.judge(&Role::named(JUDGE))?;
    let offered = OfferedWords::of(offer.as_ref(), input.offer_summary.as_deref());
    let settings = run.pins.writer().map(|writer| &writer.settings);
    let attempts = settings.and_then(|settings| settings.get("attempts")?.as_u64());
    let attempts = attempts.and_then(|attempts| u32::try_from(attempts).ok());
    Ok(Task {
        input,
        offer,
        offered,
        judge,
        attempts: attempts.map_or(ATTEMPTS, |attempts| attempts.clamp(1, MAX_ATTEMPTS)),
    })
}

/// What comes of the rounds.
enum Written {
    /// A draft that passed.
    Passed(Box<Passed>),
    /// The writer finds that context is given in name only, such as an audience of dashes.
    Missing(Vec<MessageReason>),
}

/// A draft that passed.
struct Passed {
    structure: Structure,
    variables: Vec<Variable>,
    rubric: Rubric,
}

async fn write(
    run: &JobRun,
    task: &Task,
    writer: &Writer,
    first: Value,
) -> Result<Written, Ending> {
    let mut question_now = first;
    let mut attempt = 1;
    let mut best: Option<Failed> = None;
    loop {
        let output = writer.write(run, question_now).await?;
        let missing = asked_for(&output);
        if !missing.is_empty() {
            return Ok(Written::Missing(missing));
        }
        let draft_value = output.get("draft").cloned().unwrap_or(Value::Null);
        let failed = match judged(run, task, &draft_value, attempt).await? {
            Ok(passed) => return Ok(Written::Passed(Box::new(passed))),
            Err(failed) => failed,
        };
        let faults = failed.faults();
        tracing::info!(
            attempt,
            faults = faults.len(),
            "a drafted template did not pass"
        );
        let failed = match best {
            Some(before) if before.rank() > failed.rank() => before,
            _ => failed,
        };
        if attempt >= task.attempts {
            return Err(Ending::Failed(failed.error()));
        }
        best = Some(failed);
        attempt += 1;
        question_now = question(run, task, attempt, Some(&draft_value), &faults);
    }
}

/// The context that the writer asks for instead of a draft. Its codes count; the words are the host's.
fn asked_for(output: &Value) -> Vec<MessageReason> {
    let asked = output.get("needs_input").and_then(Value::as_array);
    let asked = asked.into_iter().flatten();
    let codes: Vec<&str> = asked
        .filter_map(|reason| reason.get("code")?.as_str())
        .collect();
    GenerateInput::asked_for(&codes)
}

/// What the writer is asked in one round.
fn question(
    run: &JobRun,
    task: &Task,
    attempt: u32,
    previous: Option<&Value>,
    faults: &[MessageFault],
) -> Value {
    let placeholders: Vec<Value> = Placeholder::ALL
        .iter()
        .map(|placeholder| {
            let (words, chars) = usual_words(*placeholder, &task.input.language);
            json!({
                "name": placeholder.name(),
                "type": placeholder.kind(),
                "max_length": placeholder.max_chars(),
                "required": placeholder.is_required(),
                "source": placeholder.source(),
                "usual_words": words,
                "usual_chars": chars,
            })
        })
        .collect();
    json!({
        "input": task.input,
        "offer": task.offer,
        "placeholders": placeholders,
        "limits": told_limits(&task.input.language),
        "attempt": attempt,
        "previous": previous,
        "faults": faults.iter().take(TOLD_FAULTS).collect::<Vec<_>>(),
        "now": run.started_at,
    })
}

/// What drafts are measured by and scored for.
fn told_limits(language: &str) -> Value {
    let limits = limits(language);
    let dimensions: Vec<Value> = DimensionKey::ALL
        .iter()
        .map(|dimension| {
            let checks = RubricKey::ALL.iter();
            let checks: Vec<Value> = checks
                .filter(|check| check.dimension() == *dimension)
                .map(|check| json!({"key": check.as_str(), "points": check.points(), "judged": check.is_judged()}))
                .collect();
            json!({
                "key": dimension,
                "points": dimension.points(),
                "floor": dimension.floor(),
                "checks": checks,
            })
        })
        .collect();
    let (_, max_blocks) = structure::BLOCKS;
    json!({
        "max_blocks": max_blocks,
        "text_chars": structure::TEXT_CHARS,
        "subject_chars": limits.subject_chars,
        "block_words": whole(limits.block_words),
        "sentence_words": whole(limits.sentence_words),
        "reading_grade": limits.reading_grade.map(whole),
        "threshold": THRESHOLD,
        "judged_floor": JUDGED_FLOOR,
        "dimensions": dimensions,
    })
}

/// A limit as a whole number: schemas of writers want one.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small and not negative, and a cast saturates"
)]
fn whole(limit: f64) -> u32 {
    limit as u32
}

/// Checks and scores a draft. The outer error ends the job; the inner one is the draft's.
async fn judged(
    run: &JobRun,
    task: &Task,
    value: &Value,
    attempts: u32,
) -> Result<Result<Passed, Failed>, Ending> {
    let value = value.clone();
    let (input, offered) = (task.input.clone(), task.offered.clone());
    let checked = off_the_event_loop(run, move |_| checked(&value, &input, &offered)).await?;
    let Checked {
        structure,
        variables,
        assessment,
    } = match checked {
        Ok(checked) => checked,
        Err(faults) => return Ok(Err(Failed::Faulty(faults))),
    };
    let Assessment {
        mut checks,
        hard_failures,
        value_is_founded,
    } = assessment;
    let points = run
        .evaluate(&Role::named(JUDGE), for_judge(task, &structure))
        .await?;
    let mut judged = judged_checks(&points);
    if !value_is_founded {
        // DANGER: a value proposition that rests on nothing would else cost too little to be refused.
        let is_faithful =
            |check: &&mut RubricCheck| check.key == RubricKey::FaithfulParaphrase.as_str();
        if let Some(check) = judged.iter_mut().find(is_faithful) {
            *check = RubricKey::FaithfulParaphrase.judged(0, Some(UNFOUNDED.to_owned()));
        }
    }
    checks.extend(judged);
    let rubric = Rubric::score(checks, hard_failures, attempts, Some(task.judge.clone()));
    if rubric.passed {
        return Ok(Ok(Passed {
            structure,
            variables,
            rubric,
        }));
    }
    Ok(Err(Failed::Weak(rubric)))
}

/// A draft that is a structure, and what can be told of it without a judge.
struct Checked {
    structure: Structure,
    variables: Vec<Variable>,
    assessment: Assessment,
}

/// Reads a draft and assesses it, or tells why it is no structure in the language that was asked for.
fn checked(
    value: &Value,
    input: &GenerateInput,
    offered: &OfferedWords,
) -> Result<Checked, Vec<MessageFault>> {
    let structure = draft::read(value)?;
    let variables = structure::check(&structure, &input.options)?;
    if draft_differs(&structure, &input.language) {
        let message = format!(
            "The draft is not written in the language “{}”, which the request asks for.",
            input.language
        );
        return Err(vec![MessageFault {
            pointer: String::new(),
            rule: WRONG_LANGUAGE.to_owned(),
            message,
        }]);
    }
    let assessment = assess(&DraftToScore {
        structure: &structure,
        language: &input.language,
        options: &input.options,
        audience: input.audience.as_deref().unwrap_or_default(),
        objective: input.objective.as_deref().unwrap_or_default(),
        desired_next_step: input.desired_next_step.as_deref().unwrap_or_default(),
        approved_texts: &offered.texts,
        forbidden_claims: &offered.forbidden_claims,
    });
    Ok(Checked {
        structure,
        variables,
        assessment,
    })
}

/// The judge's points, as far as it gave any. It can neither give more than a check is worth nor decide a check
/// of the host's.
fn judged_checks(answer: &Value) -> Vec<RubricCheck> {
    let judged = RubricKey::ALL.iter().filter(|key| key.is_judged());
    judged
        .map(|key| {
            let given = answer.get("points").and_then(|all| all.get(key.as_str()));
            let points = given.and_then(Value::as_u64).unwrap_or(0);
            let note = answer.get("notes").and_then(|all| all.get(key.as_str()));
            let note = note.and_then(Value::as_str).map(str::to_owned);
            key.judged(u32::try_from(points).unwrap_or(u32::MAX), note)
        })
        .collect()
}

/// Stores the draft that passed as the next revision.
fn finish(run: &JobRun, task: Task, passed: Passed) -> Ending {
    let Passed {
        structure,
        variables,
        rubric,
    } = passed;
    let input = task.input;
    let hash = template_hash(
        &input.language,
        &input.options,
        &structure,
        &variables,
        PLACEHOLDER_CATALOG_VERSION,
    );
    let template_hash = match hash {
        Ok(hash) => hash,
        Err(error) => return fault(run, &error),
    };
    let offer_hash = match (&run.pins.offer, &input.offer_summary) {
        (Some(bound), _) => bound.offer_hash,
        (None, Some(summary)) => Digest::of(summary.as_bytes()),
        (None, None) => return fault(run, &"a template sells something"),
    };
    let id = MessageTemplateRevisionId::from_uuid(derived_id(
        run.job.id,
        run.job.created_at,
        "revision",
    ));
    let result = GenerateResult::draft_ready(
        input.template_key.clone(),
        id,
        template_hash,
        rubric.clone(),
    );
    let revision = NewRevision {
        template_key: input.template_key,
        name: input.name,
        origin: RevisionOrigin::Generated,
        language: input.language,
        audience: input.audience.unwrap_or_default(),
        objective: input.objective.unwrap_or_default(),
        offer: TemplateOffer {
            offer_id: run.pins.offer.as_ref().map(|bound| bound.offer_id),
            summary: input.offer_summary,
            offer_hash,
        },
        desired_next_step: input.desired_next_step.unwrap_or_default(),
        options: input.options,
        reason: input.reason,
        structure,
        variables,
        rubric: Some(rubric),
        template_hash,
        review: None,
        placeholder_catalog_version: PLACEHOLDER_CATALOG_VERSION.to_owned(),
    };
    let product = Product::TemplateRevision(Box::new(NewTemplateRevision { id, revision }));
    succeeded(run, &result, product)
}

fn succeeded(run: &JobRun, result: &impl Serialize, product: Product) -> Ending {
    match serde_json::to_value(result) {
        Ok(result) => Ending::Succeeded { result, product },
        Err(error) => fault(run, &error),
    }
}

/// What the judge reads.
fn for_judge(task: &Task, structure: &Structure) -> Value {
    let blocks: Vec<Value> = structure
        .blocks
        .iter()
        .map(|block| json!({"kind": block.kind, "text": written(&block.inlines)}))
        .collect();
    json!({
        "rubric_version": gtm_domain::message::rubric::RUBRIC_VERSION,
        "language": task.input.language,
        "audience": task.input.audience,
        "objective": task.input.objective,
        "desired_next_step": task.input.desired_next_step,
        "offer": task.offered.texts,
        "value_propositions": task.offered.value_propositions,
        "subject": written(&structure.subject),
        "blocks": blocks,
    })
}
