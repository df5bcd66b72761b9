//! A project with a writer of message templates and a judge, both scripted.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::binding::{BindingScope, BindingTarget, BindingTerms};
use gtm_domain::job::Job;
use gtm_domain::message::generation::GenerateInput;
use gtm_domain::message::{TemplateOptions, TemplateRevision};
use gtm_domain::offer::OfferInput;
use gtm_domain::{JobId, MicroUsd, OfferId};
use gtm_engine::{CreateError, CreateOutcome, Engine, StoreError, Workers, job_types};
use gtm_store::MessageTemplateRevisionPage;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::harness::{Harness, answer};
use crate::scripted::{Script, ScriptedConnectors, answers, ask, complete, completion, script};
use crate::scripted_pure::ScriptedPure;

pub const SUMMARY: &str = "Handover-ready sub-metering with per-flat billing; 18,000 flats billed monthly. \
    Meters are installed before handover. One bill per flat from day one.";
/// What one round costs: its call of the model.
pub const ROUND: MicroUsd = MicroUsd::from_micros(2000);

/// A model that answers each call with ten tokens in and one out.
pub fn model() -> Arc<ScriptedConnectors> {
    ScriptedConnectors::new(answers(|_| async move { completion("x", 10, 1) }))
}

pub fn input() -> GenerateInput {
    GenerateInput {
        operation: "generate".into(),
        template_key: "handover".into(),
        name: "Handover".into(),
        language: "en-GB".into(),
        audience: Some("Heads of operations at build-to-rent landlords".into()),
        objective: Some("Start a conversation about metering at handover".into()),
        offer: None,
        offer_summary: Some(SUMMARY.into()),
        desired_next_step: Some(
            "Ask whether metering for the next block is already contracted.".into(),
        ),
        options: TemplateOptions {
            tone: "direct".into(),
            locale: "en-GB".into(),
            max_words: 110,
            max_links: 1,
            forbidden_claims: vec!["guaranteed savings".into()],
        },
        reason: Some("Q2 handovers".into()),
    }
}

fn drafted(subject: &str, paragraphs: &[(&str, &str)]) -> Value {
    let closing = [
        (
            "signature",
            "{{sender.full_name}}, {{sender.role}}, {{sender.organization}}",
        ),
        ("postal_identity", "{{compliance.postal_identity}}"),
        ("privacy_notice", "{{compliance.privacy_notice}}"),
        ("opt_out", "{{compliance.opt_out}}"),
    ];
    let blocks = paragraphs.iter().chain(&closing).map(|(kind, text)| {
        json!({
            "kind": kind,
            "text": text,
            "optional": *kind == "privacy_notice",
            "fallback": (*kind == "greeting").then_some("Hello,"),
        })
    });
    json!({"subject": subject, "preview_text": null, "blocks": blocks.collect::<Vec<_>>()})
}

const GREETING: (&str, &str) = ("greeting", "Hello {{recipient.first_name}},");
const HOOK: (&str, &str) = ("evidence_hook", "{{evidence.hook}}");
const CTA: (&str, &str) = ("cta", "{{next_step.ask}}");

/// A draft with which nothing is wrong.
pub fn good() -> Value {
    saying("For landlords the billing begins on the day of handover. {{offer.value_proposition}}")
}

/// A draft of which only the part about the value is not fixed.
pub fn saying(value: &str) -> Value {
    drafted(
        "Metering at {{company.name}}",
        &[GREETING, HOOK, ("value", value), CTA],
    )
}

/// A template that could be sent to anybody.
pub fn weak() -> Value {
    drafted(
        "Introduction",
        &[
            GREETING,
            (
                "opening",
                "I hope this email finds you well. We are a leading provider of innovative solutions.",
            ),
            ("value", "We help companies grow with our platform."),
            ("cta", "Let me know if you are interested."),
        ],
    )
}

/// A weak template, though less so than [`weak`].
pub fn less_weak() -> Value {
    drafted(
        "Introduction",
        &[
            GREETING,
            ("opening", "I hope this email finds you well."),
            ("value", "{{offer.value_proposition}}"),
            ("cta", "Let me know if you are interested."),
        ],
    )
}

/// The points that the judge gives.
pub fn judgement() -> Value {
    let notes = json!({
        "relevance.serves_objective": "Name the handover.",
        "evidence.faithful_paraphrase": null,
        "clarity.one_idea": null,
        "recipient_value.concrete_outcome": null,
    });
    json!({
        "points": {
            "relevance.serves_objective": 4,
            "evidence.faithful_paraphrase": 4,
            "clarity.one_idea": 4,
            "recipient_value.concrete_outcome": 6,
        },
        "notes": notes,
    })
}

pub fn judge() -> Arc<ScriptedPure> {
    Arc::new(ScriptedPure::with_judge(judgement()))
}

/// What the writer was given, a round at a time.
pub type Asked = watch::Sender<Vec<Value>>;

/// The prompt of a round of a job.
pub fn prompt(template_key: &str, attempt: u64) -> String {
    format!("{template_key}, round {attempt}")
}

/// A writer that calls the model once a round and answers with this output of the round, or with the last one.
pub fn answering(outputs: Vec<Value>, asked: &Asked) -> Script {
    let asked = asked.clone();
    script(move |host, request| {
        assert_eq!(request.task, "message_templates");
        asked.send_modify(|asked| asked.push(request.input.clone()));
        let attempt = request.input["attempt"].as_u64().unwrap();
        let key = request.input["input"]["template_key"].as_str().unwrap();
        let call = complete(&prompt(key, attempt), 10);
        let round = usize::try_from(attempt).unwrap() - 1;
        let output = outputs.get(round).or(outputs.last()).unwrap().clone();
        async move {
            ask(&host, vec![call]).await?.remove(0).unwrap();
            Ok(output)
        }
    })
}

/// Like [`answering`], with drafts.
pub fn writing(drafts: Vec<Value>, asked: &Asked) -> Script {
    let drafts = drafts.into_iter();
    let outputs = drafts.map(|draft| json!({"draft": draft, "notes": null}));
    answering(outputs.collect(), asked)
}

pub fn offer_content() -> Value {
    json!({
        "name": "Handover meters",
        "value_propositions": [{"key": "bill", "text": "One bill per flat from day one."}],
        "proof_points": [{"key": "flats", "text": "18,000 flats billed monthly"}],
        "forbidden_claims": ["no price increases"],
    })
}

/// An approved offer.
pub async fn offer(harness: &Harness, key: &str) -> OfferId {
    let content = OfferInput::read(&offer_content()).unwrap().content;
    let operator = harness.store.operator();
    let organization = harness.scope.organization();
    let made = operator.create_offer(organization, key.parse().unwrap(), content);
    let id = made.await.unwrap().offer.id;
    operator.approve_offer(id, Some(1), "Ada").await.unwrap();
    id
}

/// Binds the writer and its model.
pub async fn bind(harness: &mut Harness) {
    bind_with(harness, json!({})).await;
}

pub async fn bind_with(harness: &mut Harness, settings: Value) {
    harness.requires = vec![("model.complete".to_owned(), false)];
    let prices =
        json!({"prices": {"input_per_million_usd": 100.0, "output_per_million_usd": 1000.0}});
    harness
        .bind_connection("model.complete", "model.complete", prices)
        .await;
    bound_to(harness, settings, None).await.unwrap();
}

/// Binds the writer alone, to an offer if the store lets it.
pub async fn bound_to(
    harness: &Harness,
    settings: Value,
    offer: Option<OfferId>,
) -> Result<(), StoreError> {
    let target = BindingTarget::Backend {
        key: "playbook".into(),
        version: Some("1.0.0".into()),
    };
    let scope = BindingScope::Project(harness.project);
    let terms = BindingTerms {
        offer,
        ..BindingTerms::default()
    };
    let operator = harness.store.operator();
    let bound = operator.set_binding_on(scope, "message_templates", target, settings, terms);
    bound.await.map(drop)
}

pub fn engine(harness: &Harness, script: Script, pure: &Arc<ScriptedPure>) -> Engine {
    harness.engine_of(script, job_types::ALL, Arc::clone(pure))
}

pub async fn create(
    harness: &Harness,
    engine: &Engine,
    input: GenerateInput,
) -> Result<JobId, CreateError> {
    let made = engine.generate_message_template(&harness.scope, input, None, |_| answer("{}"));
    match made.await? {
        CreateOutcome::Created { resource: job, .. } => Ok(job.id),
        other => panic!("{other:?}"),
    }
}

pub async fn to_its_end(harness: &Harness, engine: &Engine, id: JobId) -> Job {
    let workers = Workers::start(engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    job
}

pub async fn ran(harness: &Harness, engine: &Engine, input: GenerateInput) -> Job {
    let id = create(harness, engine, input).await.unwrap();
    to_its_end(harness, engine, id).await
}

/// The project's revisions, newest first.
pub async fn revisions(harness: &Harness) -> Vec<TemplateRevision> {
    let page = MessageTemplateRevisionPage {
        template_key: None,
        language: None,
        before: None,
        limit: 100,
    };
    let listed = harness
        .store
        .list_message_template_revisions(&harness.scope, page);
    listed.await.unwrap()
}

/// The result of a job that succeeded.
pub fn result(job: &Job) -> &Value {
    match &job.result {
        Some(result) => result,
        None => panic!("{:?}", job.error),
    }
}
