//! The playbook with a model: prompts of numbered excerpts, and answers that are checked.
//!
//! Which sentences may be quoted at all is decided in `gtm_site_research::evidence`; facts that need no
//! model are in `quotes`.

mod parts;
mod prompt;

use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::failure::{self, Failure};
use gtm_site_research::host::{Call, Host};
use gtm_site_research::reading::Research;
use gtm_site_research::writing;
use gtm_site_research::writing::check::{Ground, Verdict};
use gtm_site_research::writing::form::Layout;
use gtm_site_research::writing::schema::Part;
use serde_json::{Value, json};

use crate::draft::{Draft, Profile, Risk, RiskKind, TalkTrack};
use crate::quotes;
use crate::request::{Request, Section};
use crate::settings::Settings;
use prompt::Prompt;

/// Counts of the model's claims.
struct Tally {
    kept: usize,
    dropped: usize,
    failed: Vec<Section>,
}

/// Has the model write the sections, and keeps what its excerpts support.
///
/// # Errors
/// The model's failure when nothing of it is usable: `backend_invalid_response`, `backend_refused`,
/// `backend_timeout`, `backend_unavailable`, `connector_credentials_rejected`, `quota_exceeded`,
/// `canceled`.
pub fn compose(
    host: &dyn Host,
    request: &Request,
    research: &Research,
    evidence: &Evidence,
    settings: &Settings,
) -> Result<Draft, Failure> {
    let now_ms = host.now_ms();
    let sections: Vec<Section> = Section::ALL
        .into_iter()
        .filter(|section| request.wants(*section))
        .collect();
    let prompts: Vec<Prompt> = prompt::split(&sections, settings)
        .iter()
        .map(|part| prompt::prompt(part, request, research, evidence, settings, now_ms))
        .collect();
    host.report(60, "Asking the model to write from numbered excerpts");
    let calls: Vec<Call> = prompts
        .iter()
        .map(|prompt| {
            let parts: Vec<Part> = prompt
                .sections
                .iter()
                .map(|section| (section.key(), parts::layout(*section)))
                .collect();
            let cited = prompt.excerpts.len();
            writing::call(
                &prompt.messages,
                &parts,
                cited,
                "playbook_part",
                settings.model(),
            )
        })
        .collect();
    let answers = host.invoke(&calls);
    host.report(88, "Checking what the model wrote against its citations");

    // Facts that the site states need no model; the model adds to them.
    let quoted = quotes::compose(request, research, evidence, now_ms);
    let mut draft = Draft {
        company_profile: quoted.company_profile,
        buying_signals: quoted.buying_signals,
        proof_points: quoted
            .proof_points
            .into_iter()
            .filter(|claim| claim.excerpts.is_empty())
            .collect(),
        risks: quoted
            .risks
            .into_iter()
            .filter(|risk| risk.kind != RiskKind::Unknown)
            .collect(),
        ..Draft::default()
    };
    let mut tally = Tally {
        kept: 0,
        dropped: 0,
        failed: Vec::new(),
    };
    let mut first_failure: Option<Failure> = None;
    for (prompt, answer) in prompts.iter().zip(answers) {
        match answer
            .map_err(failure::of_model_call)
            .and_then(|answer| writing::read(&answer, "playbook"))
        {
            Ok(answer) => keep(&answer, prompt, request, research, &mut draft, &mut tally),
            Err(failure) if failure::is_invalid_answer(&failure) => {
                host.note(&format!(
                    "a model answer could not be used: {}",
                    failure.code
                ));
                tally.failed.extend(&prompt.sections);
                first_failure.get_or_insert(failure);
            }
            // The model cannot be reached, and the other answers do not make a playbook.
            Err(failure) => return Err(failure),
        }
    }
    if let Some(failure) = first_failure.filter(|_| tally.failed.len() == sections.len()) {
        return Err(failure);
    }
    host.note(&format!(
        "model claims kept: {}, dropped: {}",
        tally.kept, tally.dropped
    ));
    say_what_is_missing(request, research, &tally, &mut draft);
    Ok(draft)
}

fn keep(
    answer: &Value,
    prompt: &Prompt,
    request: &Request,
    research: &Research,
    draft: &mut Draft,
    tally: &mut Tally,
) {
    let seller = request.seller.text();
    let target = format!("{} {}", research.names.join(" "), research.domain);
    let ground = Ground {
        excerpts: &prompt.excerpts,
        caller: &seller,
        company: &target,
        language: &research.language,
    };
    for &section in &prompt.sections {
        let Some(part) = answer.get(section.key()) else {
            continue;
        };
        match section {
            Section::BusinessSummary => {
                draft.business_summary = one(&ground, parts::layout(section), part, tally)
            }
            Section::CompanyProfile => {
                add_to_profile(&mut draft.company_profile, &ground, part, tally);
            }
            Section::TalkTrack => {
                let mut of = |name: &str| group_one(&ground, section, name, part, tally);
                draft.talk_track = TalkTrack {
                    opening: of("opening"),
                    bridge: of("bridge"),
                    ask: of("ask"),
                };
            }
            Section::Risks => {
                for claim in many(&ground, parts::layout(section), part, tally) {
                    draft.risks.extend(risk(&claim.value));
                }
            }
            Section::ProofPoints => {
                let claims = many(&ground, parts::layout(section), part, tally);
                draft
                    .proof_points
                    .extend(claims.into_iter().map(|claim| Claim {
                        value: json!({"text": claim.value, "origin": "public"}),
                        ..claim
                    }));
            }
            list => {
                let claims = many(&ground, parts::layout(list), part, tally);
                if let Some(known) = draft.list_mut(list) {
                    add_new(known, claims);
                }
            }
        }
    }
}

fn one(ground: &Ground<'_>, layout: Layout, part: &Value, tally: &mut Tally) -> Option<Claim> {
    match layout {
        Layout::One(unit) => counted(ground.check(unit, part), tally),
        _ => None,
    }
}

fn many(ground: &Ground<'_>, layout: Layout, part: &Value, tally: &mut Tally) -> Vec<Claim> {
    let Layout::Many(unit, most) = layout else {
        return Vec::new();
    };
    let items = part.as_array().into_iter().flatten();
    let mut claims = Vec::new();
    add_new(
        &mut claims,
        items
            .take(most)
            .filter_map(|item| counted(ground.check(unit, item), tally))
            .collect(),
    );
    claims
}

fn counted(verdict: Verdict, tally: &mut Tally) -> Option<Claim> {
    match verdict {
        Verdict::Kept(claim) => {
            tally.kept += 1;
            Some(claim)
        }
        Verdict::Empty => None,
        Verdict::Dropped => {
            tally.dropped += 1;
            None
        }
    }
}

/// Small models tend to repeat themselves.
fn add_new(known: &mut Vec<Claim>, claims: Vec<Claim>) {
    for claim in claims {
        let main = |claim: &Claim| match &claim.value {
            Value::Object(object) => object.values().next().cloned(),
            other => Some(other.clone()),
        };
        if !known.iter().any(|other| main(other) == main(&claim)) {
            known.push(claim);
        }
    }
}

fn group_layout(section: Section, name: &str) -> Option<Layout> {
    match parts::layout(section) {
        Layout::Group(layouts) => layouts
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, layout)| *layout),
        _ => None,
    }
}

fn group_one(
    ground: &Ground<'_>,
    section: Section,
    name: &str,
    part: &Value,
    tally: &mut Tally,
) -> Option<Claim> {
    one(ground, group_layout(section, name)?, part.get(name)?, tally)
}

fn add_to_profile(profile: &mut Profile, ground: &Ground<'_>, part: &Value, tally: &mut Tally) {
    let section = Section::CompanyProfile;
    for (name, known) in [
        ("industry", &mut profile.industry),
        ("employee_range", &mut profile.employee_range),
        ("headquarters", &mut profile.headquarters),
        ("business_model", &mut profile.business_model),
    ] {
        if known.is_none() {
            *known = group_one(ground, section, name, part, tally);
        }
    }
    for (name, known) in [
        ("offerings", &mut profile.offerings),
        ("markets", &mut profile.markets),
    ] {
        if let (true, Some(layout), Some(part)) = (
            known.is_empty(),
            group_layout(section, name),
            part.get(name),
        ) {
            *known = many(ground, layout, part, tally);
        }
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

fn say_what_is_missing(request: &Request, research: &Research, tally: &Tally, draft: &mut Draft) {
    for section in Section::ALL {
        if section == Section::Risks || !request.wants(section) || !draft.is_empty(section) {
            continue;
        }
        let text = if tally.failed.contains(&section) {
            format!(
                "No {}: the model's answer for it could not be used.",
                section.title()
            )
        } else {
            format!(
                "No {}: the evidence didn't support anything for it.",
                section.title()
            )
        };
        draft.risk(RiskKind::Unknown, text);
    }
    if tally.dropped > 0 {
        let text = format!(
            "Statements of the model left out because the excerpts they cite don't support them: {}.",
            tally.dropped
        );
        draft.risk(RiskKind::Unknown, text);
    }
    for miss in &research.misses {
        draft.risk(RiskKind::Unknown, miss.to_string());
    }
}
