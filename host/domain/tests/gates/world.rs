//! Facts under which a message to a real person is drafted, to deviate from.

use std::sync::LazyLock;

use gtm_domain::message::compliance::{AddressSourceClass, Environment, LawfulBasis};
use gtm_domain::message::gates::{Facts, LoadedPolicy, OfferStanding, PolicyStanding};
use gtm_domain::message::prospect_message::{
    EvidenceReferences, MessageOffer, MessagePurpose, NextStep, PolicyReference, PostalIdentity,
    PrivacyNotice, ProspectMessageInput, Reply, Sender,
};
use gtm_domain::message::revision::template_hash;
use gtm_domain::message::rubric::Judge;
use gtm_domain::message::{
    Block, BlockKind, Inline, NewRevision, PLACEHOLDER_CATALOG_VERSION, Placeholder,
    RevisionOrigin, Structure, TemplateOffer, TemplateOptions, TemplateRevision, Variable,
};
use gtm_domain::offer::{OfferContent, OfferText};
use gtm_domain::outcome_ledger::Suppression;
use gtm_domain::policy::{Finding, OptOutNotice, PolicyVerdict};
use gtm_domain::prospecting::{
    Candidate, CandidateAddress, CandidateCompany, CandidatePerson, EvidenceKind, EvidenceRecord,
    Qualification, QualificationStatus,
};
use gtm_domain::{
    Digest, EvidenceId, JobId, MessageTemplateRevisionId, OfferId, ProjectId, ProspectId, Timestamp,
};
use uuid::Uuid;

pub const NOW: Timestamp = Timestamp::from_millis(1_790_000_000_000);
pub const NOTICE: &str = "Reply \u{201c}stop\u{201d} and we will not write to you again.";

/// All facts, owned.
#[derive(Debug, Clone)]
pub struct World {
    pub revision: TemplateRevision,
    pub request: ProspectMessageInput,
    pub job_expires_at: Option<Timestamp>,
    pub candidate: Option<Candidate>,
    pub offer: OfferStanding,
    pub offer_content: Option<OfferContent>,
    pub policy: PolicyStanding,
    pub loaded: Option<LoadedPolicy>,
    pub ledger: Option<Suppression>,
    pub sender_country: Option<&'static str>,
}

pub fn evidence_id(n: u128) -> EvidenceId {
    EvidenceId::from_uuid(Uuid::from_u128(0xe000 + n))
}
pub const fn days(n: u64) -> std::time::Duration {
    std::time::Duration::from_secs(n * 86_400)
}
fn offer_id() -> OfferId {
    OfferId::from_uuid(Uuid::from_u128(0x0ffe))
}
pub fn offer_hash() -> Digest {
    Digest::of(b"offer, revision 2")
}

impl World {
    /// Nothing is wrong.
    pub fn sound() -> Self {
        static SOUND: LazyLock<World> = LazyLock::new(World::made);
        SOUND.clone()
    }

    fn made() -> Self {
        Self {
            revision: revision(),
            request: request(),
            job_expires_at: Some(NOW.plus(days(20))),
            candidate: Some(candidate()),
            offer: OfferStanding::Approved {
                offer_hash: offer_hash(),
            },
            offer_content: Some(OfferContent {
                name: "Handover metering".into(),
                url: Some("https://northwind-metering.example/handover".into()),
                value_propositions: vec![OfferText {
                    key: "vp-1".into(),
                    text: "One bill per flat from day one.".into(),
                }],
                allowed_link_hosts: vec!["northwind-metering.example".into()],
                ..OfferContent::default()
            }),
            policy: PolicyStanding::Allowed {
                policy_hash: Digest::of(b"policy"),
            },
            loaded: Some(LoadedPolicy {
                verdict: verdict(),
                evaluator: Judge {
                    key: "policy-gb".into(),
                    version: "1.0.0".into(),
                    digest: Digest::of(b"component"),
                },
            }),
            ledger: Some(Suppression {
                sequence: Some(48_211),
                matched: false,
                r#match: None,
            }),
            sender_country: Some("United Kingdom"),
        }
    }

    pub fn facts(&self) -> Facts<'_> {
        Facts {
            revision: &self.revision,
            request: &self.request,
            job_expires_at: self.job_expires_at,
            candidate: self.candidate.as_ref(),
            offer: self.offer,
            offer_content: self.offer_content.as_ref(),
            policy: self.policy,
            loaded: self.loaded.as_ref(),
            ledger: self.ledger,
            sender_country: self.sender_country,
            environment: Environment::Production,
            now: NOW,
        }
    }

    pub fn candidate(&mut self) -> &mut Candidate {
        self.candidate.as_mut().expect("a candidate")
    }
    pub fn verdict(&mut self) -> &mut PolicyVerdict {
        &mut self.loaded.as_mut().expect("a loaded policy").verdict
    }
    /// The retained record with this number.
    pub fn record(&mut self, n: u128) -> &mut EvidenceRecord {
        let records = &mut self.candidate().evidence;
        let found = records
            .iter_mut()
            .find(|record| record.id == evidence_id(n));
        found.expect("a record")
    }
}

fn variable(placeholder: Placeholder) -> Variable {
    Variable {
        name: placeholder.name().to_owned(),
        kind: placeholder.kind(),
        max_length: placeholder.max_chars(),
        required: placeholder.is_required(),
        source: placeholder.source(),
    }
}

fn block(kind: BlockKind, names: &[Placeholder]) -> Block {
    Block {
        id: kind.as_str().to_owned(),
        kind,
        inlines: names.iter().copied().map(var).collect(),
        optional: kind == BlockKind::PrivacyNotice,
        fallback: match kind {
            BlockKind::Greeting => vec![Inline::Text { v: "Hello,".into() }],
            _ => Vec::new(),
        },
    }
}

fn var(placeholder: Placeholder) -> Inline {
    Inline::Var {
        name: placeholder.name().to_owned(),
    }
}

const USED: [Placeholder; 12] = [
    Placeholder::RecipientFirstName,
    Placeholder::CompanyName,
    Placeholder::EvidenceHook,
    Placeholder::OfferValueProposition,
    Placeholder::NextStepAsk,
    Placeholder::NextStepUrl,
    Placeholder::SenderFullName,
    Placeholder::SenderRole,
    Placeholder::SenderOrganization,
    Placeholder::CompliancePostalIdentity,
    Placeholder::CompliancePrivacyNotice,
    Placeholder::ComplianceOptOut,
];

fn revision() -> TemplateRevision {
    use Placeholder as P;
    let structure = Structure {
        subject: vec![
            Inline::Text {
                v: "Metering at ".into(),
            },
            var(P::CompanyName),
        ],
        preview_text: Vec::new(),
        blocks: vec![
            block(BlockKind::Greeting, &[P::RecipientFirstName]),
            block(BlockKind::EvidenceHook, &[P::EvidenceHook]),
            block(BlockKind::Value, &[P::OfferValueProposition]),
            Block {
                optional: true,
                ..block(BlockKind::Proof, &[P::NextStepUrl])
            },
            block(BlockKind::Cta, &[P::NextStepAsk]),
            block(
                BlockKind::Signature,
                &[P::SenderFullName, P::SenderRole, P::SenderOrganization],
            ),
            block(BlockKind::PostalIdentity, &[P::CompliancePostalIdentity]),
            block(BlockKind::PrivacyNotice, &[P::CompliancePrivacyNotice]),
            block(BlockKind::OptOut, &[P::ComplianceOptOut]),
        ],
    };
    let options = TemplateOptions {
        tone: "direct".into(),
        locale: "en-GB".into(),
        max_words: 110,
        max_links: 1,
        forbidden_claims: Vec::new(),
    };
    let variables: Vec<Variable> = USED.into_iter().map(variable).collect();
    let version = PLACEHOLDER_CATALOG_VERSION;
    let template_hash = template_hash("en-GB", &options, &structure, &variables, version).unwrap();
    let new = NewRevision {
        template_key: "handover".into(),
        name: "Handover".into(),
        origin: RevisionOrigin::Reviewed,
        language: "en-GB".into(),
        audience: "Heads of operations".into(),
        objective: "Start a conversation".into(),
        offer: TemplateOffer {
            offer_id: Some(offer_id()),
            summary: None,
            offer_hash: offer_hash(),
        },
        desired_next_step: "Ask for a call.".into(),
        options,
        reason: None,
        structure,
        variables,
        rubric: None,
        template_hash,
        review: None,
        placeholder_catalog_version: version.into(),
    };
    let id = MessageTemplateRevisionId::from_uuid(Uuid::from_u128(1));
    let project = ProjectId::from_uuid(Uuid::from_u128(2));
    new.stored(id, project, (1, None), None, NOW)
}

fn request() -> ProspectMessageInput {
    ProspectMessageInput {
        operation: "prospect_message".into(),
        revision_id: MessageTemplateRevisionId::from_uuid(Uuid::from_u128(1)),
        prospecting_job_id: JobId::from_uuid(Uuid::from_u128(3)),
        prospect_id: ProspectId::from_uuid(Uuid::from_u128(4)),
        purpose: MessagePurpose::RealRecipient,
        sender: Sender {
            full_name: "Ada Byrne".into(),
            role: "Account lead".into(),
            organization: "Northwind Metering".into(),
            email: "ada@mail.northwind-metering.example".into(),
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
            basis_evidence_id: evidence_id(1),
            address_provenance_id: evidence_id(2),
            personalization_evidence_ids: vec![evidence_id(3), evidence_id(4)],
        },
        policy: PolicyReference {
            policy_ref: "gb-corporate-outreach".into(),
            policy_version: "2026-01".into(),
        },
        privacy_notice: Some(PrivacyNotice {
            url: "https://northwind-metering.example/privacy".into(),
            version: "3".into(),
        }),
        offer: MessageOffer::Offer {
            offer_id: offer_id(),
        },
        next_step: NextStep {
            ask: "Is metering for the next block already contracted?".into(),
            url: Some("https://northwind-metering.example/call".into()),
        },
        expected_template_hash: None,
        external_ref: Some("crm-7".into()),
    }
}

fn record(n: u128, kind: EvidenceKind) -> EvidenceRecord {
    EvidenceRecord {
        id: evidence_id(n),
        kind,
        url: Some("https://acme-estates.example/team".into()),
        source_label: Some(format!("Source {n}")),
        retrieved_at: NOW.minus(days(3)),
        observed_on: Some("2026-09-01".into()),
        content_digest: Digest::of(&n.to_be_bytes()),
        excerpt: "Sam Okafor, Head of operations".into(),
        hook: None,
        address_source_class: None,
        lawful_basis: None,
        synthetic: false,
    }
}

fn candidate() -> Candidate {
    Candidate {
        id: ProspectId::from_uuid(Uuid::from_u128(4)),
        job_id: JobId::from_uuid(Uuid::from_u128(3)),
        synthetic: false,
        qualification: Qualification {
            status: QualificationStatus::Accepted,
            reason: None,
            decided_at: Some(NOW.minus(days(2))),
        },
        person: CandidatePerson {
            first_name: Some("Sam".into()),
            full_name: Some("Sam Okafor".into()),
            role: Some("Head of operations".into()),
        },
        company: CandidateCompany {
            name: Some("Acme Estates".into()),
            domain: Some("acme-estates.example".into()),
            country: Some("GB".into()),
            legal_form: Some("limited_company".into()),
            industry: None,
            location: None,
        },
        address: CandidateAddress {
            kind: "email".into(),
            masked: "s***@acme-estates.example".into(),
            address_evidence_id: evidence_id(2),
        },
        evidence: vec![
            EvidenceRecord {
                lawful_basis: Some(LawfulBasis::LegitimateInterests),
                ..record(1, EvidenceKind::LawfulBasis)
            },
            EvidenceRecord {
                address_source_class: Some(AddressSourceClass::PublishedByCompany),
                ..record(2, EvidenceKind::AddressProvenance)
            },
            record(3, EvidenceKind::CompanyFact),
            EvidenceRecord {
                hook: Some(
                    "Your March notice says that the Canal Street block opens in June.".into(),
                ),
                ..record(4, EvidenceKind::Personalization)
            },
        ],
        expires_at: NOW.plus(days(25)),
    }
}

pub fn verdict() -> PolicyVerdict {
    PolicyVerdict {
        jurisdiction: Finding::Met,
        basis_rule: Some("corporate_subscriber".into()),
        opt_in_required: Some(false),
        basis: Finding::Met,
        lawful_basis: Some(LawfulBasis::LegitimateInterests),
        address_source: Finding::Met,
        privacy_notice_required: true,
        privacy_notice_text: Some("How we use your data:".into()),
        opt_out: OptOutNotice {
            notice_id: "opt-out-en-1".into(),
            language: "en".into(),
            text: NOTICE.into(),
        },
        demonstration_marker: "[Demonstration]".into(),
    }
}
