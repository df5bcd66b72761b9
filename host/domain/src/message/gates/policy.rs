//! The gates that ask the policy. It only answers; whether its answer is good enough is decided here, and where the
//! retained evidence says less than the policy believes, the evidence holds.

use super::request::{may_show, what_would_allow};
use super::{Facts, Finding, PASSED, PolicyStanding, closed, failed, prospect_gone, unknown};
use crate::message::compliance::{AddressSourceClass, GateOutcome, LawfulBasis};
use crate::message::link::HttpsAddress;
use crate::message::placeholder::Placeholder;
use crate::message::revision::{TemplateRevision, Variable};
use crate::message::structure::{Href, Inline};
use crate::policy::{Finding as Found, PolicyVerdict};
use crate::prospecting::{Candidate, EvidenceKind};

/// The policy's answer, or that there is none.
fn answer<'f>(facts: &Facts<'f>) -> Result<&'f PolicyVerdict, super::Closed> {
    facts.verdict().ok_or_else(|| {
        closed(
            GateOutcome::Unknown,
            "policy_not_loaded",
            "/policy",
            "The policy was not asked, because the operator's list does not allow it.",
        )
    })
}

/// Whether the policy says nothing of something because the company is in a country that it does not cover.
fn is_elsewhere(verdict: &PolicyVerdict, found: Found) -> bool {
    verdict.jurisdiction == Found::NotMet && found == Found::Unknown
}

/// DANGER: no evidence mends it, so none is pointed to.
fn not_covered() -> Finding {
    unknown(
        "country_not_covered",
        "",
        "The policy does not cover the company's country, so it did not judge this evidence.",
    )
}

fn undecided(pointer: &str) -> Finding {
    unknown("policy_undecided", pointer, UNDECIDED)
}

const UNDECIDED: &str = "The policy cannot tell from the retained facts.";

/// In some countries the ground depends on what the company is, so whoever has to mend it is told what is known of that.
fn undecided_of_the_ground(candidate: &Candidate) -> Finding {
    let form = candidate.company.legal_form.as_deref();
    let known = match form.filter(|form| !super::is_blank(form)) {
        Some(form) => format!("The company's legal form there is \"{form}\"."),
        None => "They do not tell the company's legal form.".to_owned(),
    };
    unknown(
        "policy_undecided",
        "/evidence/basis_evidence_id",
        format!("{UNDECIDED} {known}"),
    )
}

/// Asks for a country of the company that the policy covers.
pub(super) fn company_jurisdiction(facts: &Facts<'_>) -> Finding {
    let candidate = facts.candidate.ok_or_else(prospect_gone)?;
    let found = answer(facts).map(|verdict| verdict.jurisdiction);
    if found == Ok(Found::NotMet) {
        return failed(
            "not_covered",
            "",
            "The policy does not cover the company's country.",
        );
    }
    let country = candidate.company.country.as_deref();
    if country.is_none_or(super::is_blank) {
        return unknown(
            "country_unknown",
            "",
            "The company's country is not among the retained facts.",
        );
    }
    match found? {
        Found::Met => PASSED,
        Found::NotMet | Found::Unknown => undecided(""),
    }
}

/// Asks for the notice on data protection that the policy wants, and for a template that shows it.
pub(super) fn privacy_notice(facts: &Facts<'_>) -> Finding {
    let verdict = answer(facts)?;
    if !verdict.privacy_notice_required {
        return Ok(GateOutcome::NotApplicable);
    }
    let Some(notice) = &facts.request.privacy_notice else {
        return failed(
            "missing",
            "/privacy_notice",
            "The policy wants a notice on data protection, and the request names none.",
        );
    };
    let Ok(link) = HttpsAddress::read(&notice.url) else {
        return failed(
            "link_malformed",
            "/privacy_notice/url",
            "The notice has no https address without user information.",
        );
    };
    // DANGER: it stands in every message below the policy's own words, which a reader trusts.
    if !may_show(facts, &link) {
        return failed(
            "link_not_allowed",
            "/privacy_notice/url",
            format!(
                "The notice stands neither at a host that the offer allows nor at the sender's domain, or at a port of its own. {}",
                what_would_allow(facts)
            ),
        );
    }
    if !always_shows_the_notice(facts.revision) {
        return failed(
            "not_in_template",
            "",
            "The policy wants a notice on data protection, and the template does not show one in every case.",
        );
    }
    let sentence = verdict.privacy_notice_text.as_deref();
    if sentence.is_none_or(super::is_blank) {
        return failed(
            "not_worded",
            "",
            "The policy wants a notice on data protection and does not word it in this language.",
        );
    }
    // DANGER: a value that does not fit would be dropped in silence, as that of any variable that is not required.
    let value = privacy_notice_value(facts);
    let is_notice = |variable: &&Variable| variable.name == NOTICE;
    let variable = facts.revision.variables.iter().find(is_notice);
    if !variable
        .zip(value)
        .is_some_and(|(it, value)| it.holds(&value))
    {
        return failed(
            "too_long",
            "/privacy_notice/url",
            "The notice on data protection has more characters than the template has room for.",
        );
    }
    PASSED
}

const NOTICE: &str = Placeholder::CompliancePrivacyNotice.name();

/// The policy's sentence on data protection with the address of the request's notice; `None` unless the policy wants
/// one and words it, and the request has one that the message may show.
pub(crate) fn privacy_notice_value(facts: &Facts<'_>) -> Option<String> {
    let verdict = facts.verdict().filter(|it| it.privacy_notice_required)?;
    let sentence = verdict.privacy_notice_text.as_deref();
    let sentence = sentence.filter(|text| !super::is_blank(text))?;
    let notice = facts.request.privacy_notice.as_ref()?;
    let link = HttpsAddress::read(&notice.url).ok()?;
    may_show(facts, &link).then(|| format!("{} {}", sentence.trim(), notice.url))
}

/// Whether a message shows the notice whatever else is known of the prospect: in a block, and in what stands in its
/// place, beside nothing that may be missing.
fn always_shows_the_notice(revision: &TemplateRevision) -> bool {
    let is_certain = |name: &str| {
        let mut variables = revision.variables.iter();
        variables.any(|it| it.name == name && (it.required || name == NOTICE))
    };
    let names = |inlines: &[Inline]| -> Vec<String> {
        let of = |inline: &Inline| match inline {
            Inline::Var { name } => Some(name.clone()),
            Inline::Link {
                href: Href::Var(name),
                ..
            } => Some(name.clone()),
            Inline::Link { .. } | Inline::Text { .. } => None,
        };
        inlines.iter().filter_map(of).collect()
    };
    revision.structure.blocks.iter().any(|block| {
        let (line, fallback) = (names(&block.inlines), names(&block.fallback));
        let shows = |line: &[String]| line.iter().any(|name| name == NOTICE);
        let is_whole = |line: &[String]| line.iter().all(|name| is_certain(name));
        shows(&line) && (is_whole(&line) || (shows(&fallback) && is_whole(&fallback)))
    })
}

/// Asks for an entry of the operator's list.
pub(super) fn allow_list(facts: &Facts<'_>) -> Finding {
    match facts.policy {
        PolicyStanding::Allowed { .. } => PASSED,
        PolicyStanding::Revoked => failed(
            "revoked",
            "/policy",
            "The operator has taken this policy off the list.",
        ),
        PolicyStanding::NotAllowed => failed(
            "not_allowed",
            "/policy",
            "The operator's list has no policy with exactly this reference and version.",
        ),
    }
}

/// Asks for a ground that this prospect's evidence bears out and the policy accepts.
pub(super) fn basis(facts: &Facts<'_>) -> Finding {
    const AT: &str = "/evidence/basis_evidence_id";
    let candidate = facts.candidate.ok_or_else(prospect_gone)?;
    let Some(record) = facts.record(facts.request.evidence.basis_evidence_id) else {
        return failed(
            "not_retained",
            AT,
            "No such evidence is retained for this prospect.",
        );
    };
    if !is_of_a_ground(record.kind) {
        return failed(
            "wrong_kind",
            AT,
            "This evidence is neither of a lawful basis nor of a consent.",
        );
    }
    let verdict = answer(facts)?;
    // A ground of consent needs the consent, whether the policy remembers to ask for it or not.
    let is_consent = |basis: Option<LawfulBasis>| basis == Some(LawfulBasis::Consent);
    let wants_consent = verdict.opt_in_required == Some(true)
        || is_consent(verdict.lawful_basis)
        || is_consent(record.lawful_basis);
    if wants_consent && facts.consents().next().is_none() {
        let message = match verdict.opt_in_required {
            Some(true) => {
                "The policy wants this person's consent before the first message, and no evidence of kind \
                 consent_record is retained for this prospect; import the prospect with one, or do not write."
            }
            _ => {
                "The ground is this person's consent, and no evidence of kind consent_record is retained for this \
                 prospect; import the prospect with one, or cite another ground."
            }
        };
        return failed("consent_missing", AT, message);
    }
    if is_elsewhere(verdict, verdict.basis) {
        return not_covered();
    }
    match verdict.basis {
        Found::Met => PASSED,
        Found::NotMet => failed(
            "not_sufficient",
            AT,
            "The policy does not accept the ground that the evidence is of.",
        ),
        Found::Unknown => undecided_of_the_ground(candidate),
    }
}

/// Whether a record can be evidence of the ground for writing.
pub(crate) const fn is_of_a_ground(kind: EvidenceKind) -> bool {
    matches!(
        kind,
        EvidenceKind::LawfulBasis | EvidenceKind::ConsentRecord
    )
}

/// Asks for evidence of where the address comes from, and for a source that the policy accepts.
pub(super) fn address_provenance(facts: &Facts<'_>) -> Finding {
    const AT: &str = "/evidence/address_provenance_id";
    let candidate = facts.candidate.ok_or_else(prospect_gone)?;
    let cited = facts.request.evidence.address_provenance_id;
    let Some(record) = candidate.evidence(cited) else {
        return failed(
            "not_retained",
            AT,
            "No such evidence is retained for this prospect.",
        );
    };
    if record.kind != EvidenceKind::AddressProvenance {
        return failed(
            "wrong_kind",
            AT,
            "This evidence is not of where an address comes from.",
        );
    }
    if candidate.address.address_evidence_id != cited {
        return failed(
            "not_of_the_address",
            AT,
            "This evidence is of another address than the retained one.",
        );
    }
    let class = record.address_source_class;
    let found = answer(facts).map(|verdict| verdict.address_source);
    if found == Ok(Found::NotMet) {
        return failed(
            "source_not_allowed",
            AT,
            "The policy does not accept an address from this source.",
        );
    }
    if class.is_none_or(|class| class == AddressSourceClass::Unknown) {
        return unknown(
            "source_unknown",
            AT,
            "The evidence does not tell how the address came to be known.",
        );
    }
    if answer(facts).is_ok_and(|verdict| is_elsewhere(verdict, verdict.address_source)) {
        return not_covered();
    }
    match found? {
        Found::Met => PASSED,
        Found::NotMet | Found::Unknown => undecided(AT),
    }
}
