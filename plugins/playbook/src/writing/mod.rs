//! The playbook with a model: what it is asked for, and where its claims go. The writing itself is in `gtm-writing`.
//!
//! Which sentences may be quoted at all is decided in `gtm_site_research::evidence`; facts that need no
//! model are in `quotes`, and the model decides which of them stay.

mod parts;
mod prompt;
mod proofs;

use gtm_site_facts::site::Site;
use gtm_site_research::claim::{Basis, Claim};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::failure::Failure;
use gtm_site_research::host::Host;
use gtm_writing::course;
use gtm_writing::found::Found;
use gtm_writing::task::Task;
use gtm_writing::written::{Written, part_of};
use serde_json::{Value, json};

use crate::draft::{Draft, Profile, Risk, RiskKind, TalkTrack};
use crate::quotes;
use crate::request::{Request, Section};
use crate::salience::Cues;
use crate::settings::Settings;

/// Has the model write the sections, and keeps what its excerpts support.
///
/// # Errors
/// The model's failure when nothing of it is usable: `backend_invalid_response`, `backend_refused`,
/// `backend_timeout`, `backend_unavailable`, `connector_credentials_rejected`, `quota_exceeded`,
/// `canceled`.
pub fn compose(
    host: &dyn Host,
    request: &Request,
    site: &Site,
    evidence: &Evidence,
    settings: &Settings,
) -> Result<Draft, Failure> {
    let research = &site.research;
    let sections: Vec<Section> = Section::ALL
        .into_iter()
        .filter(|section| request.wants(*section))
        .collect();
    let language = settings.shared.prose_language(&research.language);
    let quoted = quotes::compose(request, site, evidence, host.now_ms(), language);
    let cues = Cues::new(request, research);
    let worth = |excerpt: &Sentence| prompt::worth(excerpt, &cues);
    let caller = request.seller.text();
    let company = format!("{} {}", research.names.join(" "), research.domain);
    let model = settings.shared.model();
    let shown_of_brief: Vec<&str> = (parts::BRIEF.iter().map(|part| part.name))
        .filter(|name| is_shown(request, name))
        .collect();
    let task = Task {
        what: "playbook",
        purpose: prompt::PURPOSE,
        style: &prompt::style(request),
        context: &prompt::context(request, research, model.context_chars / 5),
        brief: parts::BRIEF,
        shown_of_brief: &shown_of_brief,
        parts: &parts::of(&sections),
        found: found(request, &quoted),
        research,
        evidence,
        worth: &worth,
        caller: &caller,
        company: &company,
        language,
        supported: Basis::Observed,
        reasons: true,
        model,
        progress: (60, 93),
    };
    let mut written = course::write(host, task)?;
    let mut draft = placed(request, &mut written);
    draft.language = settings.shared.language.clone();
    // What the seller said of itself, what identifies the target and what rules found wrong needs no model.
    if request.wants(Section::CompanyProfile) {
        draft.company_profile.particulars = quoted.company_profile.particulars;
    }
    let own_proofs: Vec<Claim> = (quoted.proof_points.into_iter())
        .filter(|claim| claim.excerpts.is_empty())
        .collect();
    draft.proof_points = proofs::beside(own_proofs, draft.proof_points);
    let found_risks = quoted
        .risks
        .into_iter()
        .filter(|risk| risk.kind != RiskKind::Unknown);
    draft.risks.splice(0..0, found_risks);
    // Small models write no brief, and a brand's own answers are better than none.
    if draft.why_now.is_empty() {
        draft.why_now = quotes::why_now(&draft.buying_signals);
    }
    if draft.objections.is_empty() {
        draft.objections = quoted.objections;
    }
    draft.left_out = written
        .left_out()
        .into_iter()
        .filter(|(path, ..)| is_shown(request, part_of(path)))
        .map(|(path, reason, count)| (format!("/{path}"), reason, count))
        .collect();
    Ok(draft)
}

/// Whether the result has the part: of the brief, it has what comes with a requested section.
fn is_shown(request: &Request, part: &str) -> bool {
    let of_brief = parts::BRIEF.iter().any(|known| known.name == part);
    match part {
        "fit" => request.wants(Section::SalesAngles),
        "why_now" => request.wants(Section::BuyingSignals),
        "gaps" => request.wants(Section::Risks),
        _ => !of_brief,
    }
}

const PROFILE: &str = "company_profile";
/// Most facts of one list that the model decides on: it sees the pages themselves, too.
const MOST_FOUND: usize = 8;

/// What rules found in the requested sections, for the model to decide on.
fn found(request: &Request, quoted: &Draft) -> Found {
    let mut found = Found::default();
    if request.wants(Section::CompanyProfile) {
        let profile = &quoted.company_profile;
        for (name, claim) in [
            ("industry", &profile.industry),
            ("employee_range", &profile.employee_range),
            ("headquarters", &profile.headquarters),
            ("business_model", &profile.business_model),
        ] {
            found.add(&format!("{PROFILE}/{name}"), claim.clone());
        }
        for (name, claims) in [
            ("offerings", &profile.offerings),
            ("markets", &profile.markets),
        ] {
            let first = claims.iter().take(MOST_FOUND);
            found.add(&format!("{PROFILE}/{name}"), first.cloned());
        }
    }
    for section in [
        Section::BuyingSignals,
        Section::BuyingCommittee,
        Section::Priorities,
        Section::ProofPoints,
    ] {
        let claims = quoted
            .list(section)
            .filter(|_| request.wants(section))
            .into_iter()
            .flatten()
            .filter(|claim| !claim.excerpts.is_empty());
        found.add(section.key(), claims.cloned());
    }
    found
}

/// The claims in their places.
fn placed(request: &Request, written: &mut Written) -> Draft {
    let mut draft = Draft::default();
    for section in Section::ALL {
        if !request.wants(section) {
            continue;
        }
        let key = section.key();
        match section {
            Section::BusinessSummary => draft.business_summary = written.one(key),
            Section::CompanyProfile => draft.company_profile = profile(written),
            Section::TalkTrack => {
                let mut of = |name: &str| written.one(&format!("{key}/{name}"));
                draft.talk_track = TalkTrack {
                    opening: of("opening"),
                    bridge: of("bridge"),
                    ask: of("ask"),
                };
            }
            Section::Risks => {
                let risks = written.list(key);
                draft.risks = risks
                    .iter()
                    .filter_map(|claim| risk(&claim.value))
                    .collect();
                // What the seller has to find out is paid for with the brief, and is of use, unless a risk says it already.
                for gap in written.list("gaps") {
                    if risks.iter().any(|risk| proofs::tells_the_same(risk, &gap)) {
                        continue;
                    }
                    if let Some(text) = gap.value.get("text").and_then(Value::as_str) {
                        draft.risk(RiskKind::Unknown, text);
                    }
                }
            }
            Section::ProofPoints => {
                draft.proof_points = written.list(key).into_iter().map(public_proof).collect();
            }
            list => {
                let claims = written.list(list.key());
                if let Some(known) = draft.list_mut(list) {
                    *known = claims;
                }
            }
        }
    }
    draft.fit_verdict = written.one("fit/verdict");
    draft.fit_reasons = written.list("fit/reasons");
    draft.why_now = written.list("why_now");
    draft.messages_by_persona = written.list("messages_by_persona");
    draft.business_case = written.list("business_case");
    draft
}

fn profile(written: &mut Written) -> Profile {
    let path = |name: &str| format!("{PROFILE}/{name}");
    Profile {
        industry: written.one(&path("industry")),
        employee_range: written.one(&path("employee_range")),
        headquarters: written.one(&path("headquarters")),
        business_model: written.one(&path("business_model")),
        offerings: written.list(&path("offerings")),
        markets: written.list(&path("markets")),
        particulars: Vec::new(),
    }
}

/// A proof that the model wrote as a text; one that rules found has its origin already.
fn public_proof(claim: Claim) -> Claim {
    match claim.value {
        Value::String(text) => Claim {
            value: json!({"text": text, "origin": "public"}),
            ..claim
        },
        _ => claim,
    }
}

fn risk(value: &Value) -> Option<Risk> {
    let kind = match value.get("kind")?.as_str()? {
        "conflict" => RiskKind::Conflict,
        "stale" => RiskKind::Stale,
        "compliance" => RiskKind::Compliance,
        _ => RiskKind::Unknown,
    };
    Some(Risk {
        text: value.get("text")?.as_str()?.to_owned(),
        kind,
    })
}
