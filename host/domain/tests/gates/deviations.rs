//! What can be wrong with the facts, and which gates and variables must show it.

use gtm_domain::message::compliance::GateKey::{self, *};
use gtm_domain::message::compliance::GateOutcome::{self, Failed, NotApplicable, Unknown};
use gtm_domain::message::compliance::{AddressSourceClass, LawfulBasis};
use gtm_domain::message::gates::{OfferStanding, PolicyStanding};
use gtm_domain::message::prospect_message::MessageOffer;
use gtm_domain::policy::Finding;
use gtm_domain::prospecting::EvidenceKind;
use gtm_domain::{Digest, OfferId};
use uuid::Uuid;

use super::world::{NOW, World, days, evidence_id};

/// A gate with what it must find.
pub type Shown = (GateKey, GateOutcome, &'static str);

/// Something that is wrong.
pub struct Deviation {
    pub name: &'static str,
    pub apply: fn(&mut World),
    /// The gates that are not passed.
    pub shown: &'static [Shown],
    /// Required variables without a value.
    pub missing: usize,
    /// Whether it is in the policy's answer, or shows only if the policy is asked.
    pub by_policy: bool,
}

const fn one(name: &'static str, apply: fn(&mut World), shown: &'static [Shown]) -> Deviation {
    Deviation {
        name,
        apply,
        shown,
        missing: 0,
        by_policy: false,
    }
}

const fn emptying(
    name: &'static str,
    apply: fn(&mut World),
    shown: &'static [Shown],
    missing: usize,
) -> Deviation {
    Deviation {
        name,
        apply,
        shown,
        missing,
        by_policy: false,
    }
}

const fn asking(name: &'static str, apply: fn(&mut World), shown: &'static [Shown]) -> Deviation {
    Deviation {
        name,
        apply,
        shown,
        missing: 0,
        by_policy: true,
    }
}

fn unload(world: &mut World, policy: PolicyStanding) {
    world.policy = policy;
    world.loaded = None;
}

const UNASKED: &str = "policy_not_loaded";
const GONE: &str = "prospect_gone";

/// The prospect is gone: it is not combined with what else is wrong with a prospect.
pub const PROSPECT_GONE: Deviation = Deviation {
    name: "the prospect is gone",
    apply: |world| {
        world.candidate = None;
        world.job_expires_at = None;
        world.ledger = None;
        world.loaded = None;
    },
    shown: &[
        (ProspectFreshness, Failed, GONE),
        (Qualification, Unknown, GONE),
        (Identity, Unknown, GONE),
        (Evidence, Unknown, GONE),
        (CompanyJurisdiction, Unknown, GONE),
        (PrivacyNotice, Unknown, UNASKED),
        (Basis, Unknown, GONE),
        (AddressProvenance, Unknown, GONE),
        (Suppression, Unknown, GONE),
    ],
    // The company's name and the hook.
    missing: 2,
    by_policy: false,
};

#[rustfmt::skip]
pub const ALL: &[Deviation] = &[
    one("catalog", |w| {
        w.revision.placeholder_catalog_version = "0".into();
    }, &[(TemplateRevision, Failed, "catalog_outdated")]),
    one("template hash", |w| w.revision.template_hash = Digest::of(b"other"),
        &[(TemplateRevision, Failed, "hash_mismatch")]),
    one("job expired", |w| w.job_expires_at = Some(NOW),
        &[(ProspectFreshness, Failed, "job_expired")]),
    one("candidate expired", |w| w.candidate().expires_at = NOW.minus(days(1)),
        &[(ProspectFreshness, Failed, "candidate_expired")]),
    one("no person", |w| w.candidate().person.full_name = Some(" ".into()),
        &[(Identity, Failed, "person_not_named")]),
    emptying("no company", |w| w.candidate().company.name = None,
        &[(Identity, Failed, "company_not_named")], 1),
    emptying("nothing cited", |w| w.request.evidence.personalization_evidence_ids.clear(),
        &[(Evidence, Failed, "none_cited")], 1),
    emptying("another prospect's evidence",
        |w| w.request.evidence.personalization_evidence_ids = vec![evidence_id(9)],
        &[(Evidence, Failed, "not_retained")], 1),
    one("evidence of another kind",
        |w| w.request.evidence.personalization_evidence_ids.push(evidence_id(1)),
        &[(Evidence, Failed, "wrong_kind")]),
    emptying("no hook", |w| w.record(4).hook = None, &[], 1),
    emptying("blank sender", |w| w.request.sender.role = "\u{a0}\u{2800}\u{200b}".into(),
        &[(Sender, Failed, "blank")], 1),
    one("no street", |w| w.request.postal_identity.address_lines.clear(),
        &[(Sender, Failed, "blank")]),
    one("nobody reads answers", |w| w.request.reply.monitored = false,
        &[(Sender, Failed, "reply_not_monitored")]),
    emptying("no such country", |w| w.sender_country = None,
        &[(Sender, Failed, "country_unknown")], 1),
    one("another offer",
        |w| w.request.offer = MessageOffer::Offer { offer_id: OfferId::from_uuid(Uuid::from_u128(77)) },
        &[(Offer, Failed, "not_of_the_revision")]),
    one("offer archived", |w| w.offer = OfferStanding::Archived, &[(Offer, Failed, "archived")]),
    one("offer not approved", |w| w.offer = OfferStanding::NotApproved,
        &[(Offer, Failed, "not_approved")]),
    emptying("offer changed", |w| {
        w.offer = OfferStanding::Approved { offer_hash: Digest::of(b"offer, revision 3") };
        w.offer_content = None;
    }, &[(Offer, Failed, "changed")], 1),
    emptying("summary for an offer",
        |w| w.request.offer = MessageOffer::Summary { offer_summary: "Meters.".into() },
        &[(Offer, Failed, "not_of_the_revision")], 1),
    emptying("no ask", |w| w.request.next_step.ask = String::new(),
        &[(NextStep, Failed, "blank")], 1),
    one("no https link", |w| w.request.next_step.url = Some("http://northwind-metering.example/".into()),
        &[(NextStep, Failed, "link_malformed")]),
    one("a link elsewhere", |w| w.request.next_step.url = Some("https://tracker.example/x".into()),
        &[(NextStep, Failed, "link_not_allowed")]),
    one("no country", |w| w.candidate().company.country = None,
        &[(CompanyJurisdiction, Unknown, "country_unknown")]),
    asking("country not covered", |w| policy(w, |v| v.jurisdiction = Finding::NotMet),
        &[(CompanyJurisdiction, Failed, "not_covered")]),
    asking("country not covered, and nothing else judged",
        |w| policy(w, |v| {
            v.jurisdiction = Finding::NotMet;
            v.basis = Finding::Unknown;
            v.address_source = Finding::Unknown;
        }),
        &[(CompanyJurisdiction, Failed, "not_covered"), (Basis, Unknown, "country_not_covered"),
          (AddressProvenance, Unknown, "country_not_covered")]),
    asking("country undecided", |w| policy(w, |v| worse(&mut v.jurisdiction)),
        &[(CompanyJurisdiction, Unknown, "policy_undecided")]),
    asking("no privacy notice", |w| w.request.privacy_notice = None,
        &[(PrivacyNotice, Failed, "missing")]),
    asking("privacy notice without https",
        |w| w.request.privacy_notice.as_mut().unwrap().url = "ftp://northwind.example/p".into(),
        &[(PrivacyNotice, Failed, "link_malformed")]),
    asking("privacy notice of others",
        |w| w.request.privacy_notice.as_mut().unwrap().url = "https://prizes.example/win".into(),
        &[(PrivacyNotice, Failed, "link_not_allowed")]),
    asking("privacy notice at a number",
        |w| w.request.privacy_notice.as_mut().unwrap().url = "https://10.0.0.1/p".into(),
        &[(PrivacyNotice, Failed, "link_not_allowed")]),
    asking("privacy notice at a port",
        |w| w.request.privacy_notice.as_mut().unwrap().url = "https://northwind-metering.example:8443/p".into(),
        &[(PrivacyNotice, Failed, "link_not_allowed")]),
    asking("privacy notice without words", |w| policy(w, |v| v.privacy_notice_text = None),
        &[(PrivacyNotice, Failed, "not_worded")]),
    asking("privacy notice longer than its place",
        |w| w.request.privacy_notice.as_mut().unwrap().url = long_address(),
        &[(PrivacyNotice, Failed, "too_long")]),
    asking("no privacy notice wanted", |w| policy(w, |v| v.privacy_notice_required = false),
        &[(PrivacyNotice, NotApplicable, "")]),
    one("policy not allowed", |w| unload(w, PolicyStanding::NotAllowed), &[
        (CompanyJurisdiction, Unknown, UNASKED), (PrivacyNotice, Unknown, UNASKED),
        (PolicyAllowList, Failed, "not_allowed"), (Basis, Unknown, UNASKED),
        (AddressProvenance, Unknown, UNASKED),
    ]),
    one("policy revoked", |w| unload(w, PolicyStanding::Revoked), &[
        (CompanyJurisdiction, Unknown, UNASKED), (PrivacyNotice, Unknown, UNASKED),
        (PolicyAllowList, Failed, "revoked"), (Basis, Unknown, UNASKED),
        (AddressProvenance, Unknown, UNASKED),
    ]),
    one("another prospect's ground", |w| w.request.evidence.basis_evidence_id = evidence_id(9),
        &[(Basis, Failed, "not_retained")]),
    one("ground of another kind", |w| w.request.evidence.basis_evidence_id = evidence_id(3),
        &[(Basis, Failed, "wrong_kind")]),
    asking("no consent", |w| policy(w, |v| v.opt_in_required = Some(true)),
        &[(Basis, Failed, "consent_missing")]),
    asking("a policy's consent that nobody gave",
        |w| policy(w, |v| v.lawful_basis = Some(LawfulBasis::Consent)),
        &[(Basis, Failed, "consent_missing")]),
    asking("a record's consent that nobody gave",
        |w| w.record(1).lawful_basis = Some(LawfulBasis::Consent),
        &[(Basis, Failed, "consent_missing")]),
    asking("ground not good enough", |w| policy(w, |v| v.basis = Finding::NotMet),
        &[(Basis, Failed, "not_sufficient")]),
    asking("ground undecided", |w| policy(w, |v| worse(&mut v.basis)),
        &[(Basis, Unknown, "policy_undecided")]),
    one("another prospect's address", |w| w.request.evidence.address_provenance_id = evidence_id(9),
        &[(AddressProvenance, Failed, "not_retained")]),
    one("provenance of another kind", |w| w.record(2).kind = EvidenceKind::CompanyFact,
        &[(AddressProvenance, Failed, "wrong_kind")]),
    one("provenance of another address",
        |w| w.candidate().address.address_evidence_id = evidence_id(8),
        &[(AddressProvenance, Failed, "not_of_the_address")]),
    asking("source not allowed", |w| policy(w, |v| v.address_source = Finding::NotMet),
        &[(AddressProvenance, Failed, "source_not_allowed")]),
    one("source unknown", |w| w.record(2).address_source_class = Some(AddressSourceClass::Unknown),
        &[(AddressProvenance, Unknown, "source_unknown")]),
    asking("source undecided", |w| policy(w, |v| worse(&mut v.address_source)),
        &[(AddressProvenance, Unknown, "policy_undecided")]),
];

/// An address that leaves no room for the policy's sentence.
fn long_address() -> String {
    format!("https://northwind-metering.example/{}", "p".repeat(560))
}

/// Undecided, unless it is not met already.
fn worse(finding: &mut Finding) {
    if *finding == Finding::Met {
        *finding = Finding::Unknown;
    }
}

/// Changes the policy's answer, if it was asked.
fn policy(world: &mut World, change: fn(&mut gtm_domain::policy::PolicyVerdict)) {
    if world.loaded.is_some() {
        change(world.verdict());
    }
}
