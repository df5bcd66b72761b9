//! A project with a template, a prospect and an allowed policy.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::idempotency::Create;
use gtm_domain::job::Job;
use gtm_domain::message::compliance::{AddressSourceClass, LawfulBasis};
use gtm_domain::message::prospect_message::{
    EvidenceReferences, MessageOffer, MessagePurpose, NextStep, PolicyReference, PostalIdentity,
    PrivacyNotice, ProspectMessageInput, Reply, Sender,
};
use gtm_domain::message::revision::template_hash;
use gtm_domain::message::{
    Block, BlockKind, Inline, NewRevision, PLACEHOLDER_CATALOG_VERSION, Placeholder,
    RevisionOrigin, Structure, TemplateOffer, TemplateOptions, TemplateRevision, Variable,
};
use gtm_domain::outcome_ledger::{OutcomeKind, ReportedOutcome, Subject};
use gtm_domain::prospecting::{
    Candidate, CandidateCompany, CandidatePerson, Decision, EvidenceKind, ImportedCandidate,
    ImportedEvidence, Qualification, QualificationStatus,
};
use gtm_domain::{Clock, Digest, MessageTemplateRevisionId, Timestamp};
use gtm_engine::{CreateError, CreateOutcome, Engine, Workers, job_types};
use gtm_store::{CandidatePage, NewMessageTemplateRevision, ProspectImport, uuid_v7};
use serde_json::{Value, json};

use crate::harness::{Harness, answer};
use crate::scripted::{Script, identity, script};
use crate::scripted_pure::ScriptedPure;

pub const ADDRESS: &str = "sam.okafor@acme-estates.example";
pub const NOTICE: &str =
    "Answer with \u{201c}no thanks\u{201d}, and we will not write to you again.";
const SUMMARY: &str = "Metering that is ready at handover, with one bill for each flat.";
const HOOK: &str = "Your March notice says that the Canal Street block opens in June.";

pub struct World {
    pub harness: Harness,
    pub revision: TemplateRevision,
    pub candidate: Candidate,
}

pub fn policy() -> PolicyReference {
    PolicyReference {
        policy_ref: "gb-corporate-outreach".into(),
        policy_version: "2026-01".into(),
    }
}

/// A policy that finds nothing wrong.
pub fn verdict() -> Value {
    json!({
        "jurisdiction": "met", "basis_rule": "corporate_subscriber", "opt_in_required": false,
        "basis": "met", "lawful_basis": "legitimate_interests", "address_source": "met",
        "privacy_notice_required": false, "privacy_notice_text": null,
        "opt_out": {"notice_id": "opt-out-en-1", "language": "en", "text": NOTICE},
        "demonstration_marker": "[Demonstration]",
    })
}

/// A backend that nobody may ask.
fn unasked() -> Script {
    script(|_, _| async move { panic!("a message to a prospect asks no backend") })
}

impl World {
    pub async fn new(harness: Harness) -> Self {
        Self::with(harness, |_| {}).await
    }

    /// With another candidate than the one that nothing is wrong with.
    pub async fn with(harness: Harness, change: impl FnOnce(&mut ImportedCandidate)) -> Self {
        let operator = harness.store.operator();
        let mut candidate = candidate(harness.clock.now());
        change(&mut candidate);
        let import = ProspectImport {
            candidates: vec![candidate],
            format: "json",
            file: Digest::of(b"file"),
        };
        let job = operator
            .import_prospects(harness.project, None, import)
            .await
            .unwrap();
        let page = CandidatePage {
            after: None,
            limit: 2,
        };
        let candidates = harness.store.candidates(&harness.scope, job.id, page).await;
        let candidate = candidates.unwrap().unwrap().remove(0);
        let new = NewMessageTemplateRevision {
            id: MessageTemplateRevisionId::from_uuid(uuid_v7(harness.clock.now())),
            content: revision(),
            created_at: harness.clock.now(),
        };
        let made = harness
            .store
            .create_message_template_revision(&harness.scope, new, None, |_| answer("{}"))
            .await;
        let Create::Created(revision) = made.unwrap() else {
            panic!("replayed")
        };
        let world = Self {
            harness,
            revision,
            candidate,
        };
        world.allowed().await;
        world
    }

    pub fn engine(&self, pure: Arc<ScriptedPure>) -> Engine {
        self.harness.engine_of(unasked(), job_types::ALL, pure)
    }

    pub fn sound() -> Arc<ScriptedPure> {
        Arc::new(ScriptedPure::with_policy(verdict()))
    }

    /// A request with which nothing is wrong.
    pub fn request(&self) -> ProspectMessageInput {
        let record = |kind| {
            let mut records = self.candidate.evidence.iter();
            records.find(|record| record.kind == kind).unwrap().id
        };
        ProspectMessageInput {
            operation: "prospect_message".into(),
            revision_id: self.revision.id,
            prospecting_job_id: self.candidate.job_id,
            prospect_id: self.candidate.id,
            purpose: MessagePurpose::RealRecipient,
            sender: Sender {
                full_name: "Ada Byrne".into(),
                role: "Account lead".into(),
                organization: "Northwind Metering".into(),
                email: "ada@northwind-metering.example".into(),
            },
            reply: Reply {
                email: "ada@northwind-metering.example".into(),
                monitored: true,
            },
            postal_identity: PostalIdentity {
                organization: "Northwind Metering Ltd".into(),
                address_lines: vec!["1 Quay Street".into()],
                locality: "Bristol".into(),
                region: None,
                postal_code: "BS1 4DJ".into(),
                country: "GB".into(),
            },
            evidence: EvidenceReferences {
                basis_evidence_id: record(EvidenceKind::LawfulBasis),
                address_provenance_id: record(EvidenceKind::AddressProvenance),
                personalization_evidence_ids: vec![record(EvidenceKind::Personalization)],
            },
            policy: policy(),
            privacy_notice: Some(PrivacyNotice {
                url: "https://northwind-metering.example/privacy".into(),
                version: "3".into(),
            }),
            offer: MessageOffer::Summary {
                offer_summary: SUMMARY.into(),
            },
            next_step: NextStep {
                ask: "Is metering for the next block already contracted?".into(),
                url: None,
            },
            expected_template_hash: None,
            external_ref: Some("crm-7".into()),
        }
    }

    pub async fn created(
        &self,
        engine: &Engine,
        request: ProspectMessageInput,
    ) -> Result<Job, CreateError> {
        let made = engine
            .create_prospect_message(&self.harness.scope, request, None, |_| answer("{}"))
            .await?;
        match made {
            CreateOutcome::Created { resource, .. } => Ok(*resource),
            CreateOutcome::Reused(_) | CreateOutcome::Replayed(_) => panic!("replayed"),
        }
    }

    /// Creates a job and runs it to its end.
    pub async fn ran(&self, pure: Arc<ScriptedPure>, request: ProspectMessageInput) -> Job {
        let engine = self.engine(pure);
        let job = self.created(&engine, request).await.unwrap();
        self.run_to_its_end(&engine, &job).await
    }

    pub async fn run_to_its_end(&self, engine: &Engine, job: &Job) -> Job {
        let workers = Workers::start(engine);
        let ended = self.harness.ended(job.id).await;
        workers.shutdown(Duration::from_secs(1)).await;
        ended
    }

    /// Somebody decides about the candidate.
    pub async fn decided(&self, decision: Decision) {
        let operator = self.harness.store.operator();
        let (job, id) = (self.candidate.job_id, self.candidate.id);
        let decided = operator
            .qualify_prospect(job, id, decision, Some("asked by phone"))
            .await;
        decided.unwrap();
    }

    /// The operator allows the policy.
    pub async fn allowed(&self) {
        let component = identity("echo-evaluator").digest;
        let operator = self.harness.store.operator();
        let allowed = operator.allow_policy(policy(), "echo-evaluator", "1.0.0", component);
        allowed.await.unwrap();
    }

    /// The prospect objects.
    pub async fn objected(&self) {
        let outcome = ReportedOutcome {
            kind: OutcomeKind::Unsubscribe,
            subject: Subject::Address(ADDRESS.parse().unwrap()),
            occurred_at: self.harness.clock.now(),
            source: "reply".into(),
        };
        let operator = self.harness.store.operator();
        operator
            .record_outcomes(self.harness.project, vec![outcome])
            .await
            .unwrap();
    }
}

/// The gates of a result that are not passed: their keys and reason codes.
pub fn closed(job: &Job) -> Vec<(String, String)> {
    let result = job.result.as_ref().unwrap();
    let gates = result["compliance_verification"]["gates"]
        .as_array()
        .unwrap();
    assert_eq!(gates.len(), 14);
    let told = gates.iter().filter(|gate| !gate["reason_code"].is_null());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    told.map(|gate| (text(&gate["gate"]), text(&gate["reason_code"])))
        .collect()
}

/// The codes of a result's reasons.
pub fn reasons(job: &Job) -> Vec<String> {
    let reasons = job.result.as_ref().unwrap()["reasons"].as_array().unwrap();
    let code = |reason: &Value| reason["code"].as_str().unwrap().to_owned();
    reasons.iter().map(code).collect()
}

fn candidate(now: Timestamp) -> ImportedCandidate {
    let now = Timestamp::from_millis(now.millis());
    let evidence = |kind| ImportedEvidence {
        kind,
        url: Some("https://acme-estates.example/team".to_owned()),
        source_label: Some("Team page".to_owned()),
        retrieved_at: now,
        observed_on: None,
        content_digest: Digest::of(b"page"),
        excerpt: format!("Sam Okafor, Head of operations. {HOOK}"),
        hook: (kind == EvidenceKind::Personalization).then(|| HOOK.to_owned()),
        address_source_class: (kind == EvidenceKind::AddressProvenance)
            .then_some(AddressSourceClass::PublishedByCompany),
        lawful_basis: (kind == EvidenceKind::LawfulBasis)
            .then_some(LawfulBasis::LegitimateInterests),
        synthetic: false,
    };
    ImportedCandidate {
        synthetic: false,
        qualification: Qualification {
            status: QualificationStatus::Accepted,
            reason: None,
            decided_at: Some(now),
        },
        person: CandidatePerson {
            first_name: Some("Sam".to_owned()),
            full_name: Some("Sam Okafor".to_owned()),
            role: Some("Head of operations".to_owned()),
        },
        company: CandidateCompany {
            name: Some("Acme Estates".to_owned()),
            domain: Some("acme-estates.example".to_owned()),
            country: Some("GB".to_owned()),
            legal_form: Some("limited_company".to_owned()),
            industry: None,
            location: None,
        },
        address: ADDRESS.parse().unwrap(),
        evidence: [
            EvidenceKind::AddressProvenance,
            EvidenceKind::LawfulBasis,
            EvidenceKind::Personalization,
        ]
        .map(evidence)
        .to_vec(),
        expires_at: now.plus(Duration::from_secs(10 * 86_400)),
    }
}

fn var(placeholder: Placeholder) -> Inline {
    Inline::Var {
        name: placeholder.name().to_owned(),
    }
}

fn text(text: &str) -> Inline {
    Inline::Text { v: text.to_owned() }
}

fn block(kind: BlockKind, inlines: Vec<Inline>) -> Block {
    Block {
        id: kind.as_str().to_owned(),
        kind,
        inlines,
        optional: false,
        fallback: Vec::new(),
    }
}

fn revision() -> NewRevision {
    use Placeholder as P;
    let structure = Structure {
        subject: vec![text("Metering at "), var(P::CompanyName)],
        preview_text: Vec::new(),
        blocks: vec![
            Block {
                fallback: vec![text("Hello,")],
                ..block(
                    BlockKind::Greeting,
                    vec![text("Hello "), var(P::RecipientFirstName), text(",")],
                )
            },
            block(BlockKind::EvidenceHook, vec![var(P::EvidenceHook)]),
            block(BlockKind::Value, vec![var(P::OfferValueProposition)]),
            block(BlockKind::Cta, vec![var(P::NextStepAsk)]),
            block(
                BlockKind::Signature,
                vec![
                    var(P::SenderFullName),
                    text(", "),
                    var(P::SenderRole),
                    text(", "),
                    var(P::SenderOrganization),
                ],
            ),
            block(
                BlockKind::PostalIdentity,
                vec![var(P::CompliancePostalIdentity)],
            ),
            Block {
                optional: true,
                ..block(
                    BlockKind::PrivacyNotice,
                    vec![var(P::CompliancePrivacyNotice)],
                )
            },
            block(BlockKind::OptOut, vec![var(P::ComplianceOptOut)]),
        ],
    };
    let used = [
        P::CompanyName,
        P::RecipientFirstName,
        P::EvidenceHook,
        P::OfferValueProposition,
        P::NextStepAsk,
        P::SenderFullName,
        P::SenderRole,
        P::SenderOrganization,
        P::CompliancePostalIdentity,
        P::CompliancePrivacyNotice,
        P::ComplianceOptOut,
    ];
    let variables: Vec<Variable> = used
        .into_iter()
        .map(|placeholder| Variable {
            name: placeholder.name().to_owned(),
            kind: placeholder.kind(),
            max_length: placeholder.max_chars(),
            required: placeholder.is_required(),
            source: placeholder.source(),
        })
        .collect();
    let options = TemplateOptions {
        tone: "direct".into(),
        locale: "en-GB".into(),
        max_words: 110,
        max_links: 1,
        forbidden_claims: Vec::new(),
    };
    let version = PLACEHOLDER_CATALOG_VERSION;
    NewRevision {
        template_key: "handover".into(),
        name: "Handover".into(),
        origin: RevisionOrigin::Reviewed,
        language: "en-GB".into(),
        audience: "Heads of operations".into(),
        objective: "Start a conversation about metering at handover".into(),
        offer: TemplateOffer {
            offer_id: None,
            summary: Some(SUMMARY.into()),
            offer_hash: Digest::of(SUMMARY.as_bytes()),
        },
        desired_next_step: "Ask whether metering for the next block is already contracted.".into(),
        template_hash: template_hash("en-GB", &options, &structure, &variables, version).unwrap(),
        options,
        reason: None,
        structure,
        variables,
        rubric: None,
        review: None,
        placeholder_catalog_version: version.into(),
    }
}
