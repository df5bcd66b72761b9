//! What only a model can write: position, audience, voice and messages, from numbered excerpts and checked
//! against them. Without a model, a guideline has none of it.

mod parts;
mod prompt;

use gtm_site_research::claim::Claim;
use gtm_site_research::evidence::Evidence;
use gtm_site_research::failure::{self, Failure};
use gtm_site_research::host::{Call, Host};
use gtm_site_research::writing::check::{Ground, Verdict};
use gtm_site_research::writing::form::Layout;
use gtm_site_research::writing::{call, read};
use serde_json::{Map, Value, json};

use crate::draft::{BRAND_NAME, Draft, Many, PILLARS, SEGMENTS, VALUE_PROPOSITIONS};
use crate::facts::unique_slug;
use crate::settings::Settings;
use crate::site::Site;
use parts::{Goes, PARTS, Part};
use prompt::Prompt;

/// Most elements of a list, including those that the site states.
const MOST: usize = 8;

/// Lets the model write what the site doesn't state, and keeps what the excerpts support. An unusable answer
/// leaves its parts empty; what the site states stays.
///
/// # Errors
/// A failure to reach the model, as a job's error: `backend_unavailable`, `backend_timeout`,
/// `connector_credentials_rejected`, `quota_exceeded`, `canceled`.
pub fn compose(
    host: &dyn Host,
    site: &Site,
    evidence: &Evidence,
    settings: &Settings,
    draft: &mut Draft,
) -> Result<(), Failure> {
    let model = settings.model();
    let name = draft
        .one(BRAND_NAME)
        .and_then(|claim| claim.value.as_str())
        .unwrap_or(&site.research.domain)
        .to_owned();
    let prompts: Vec<Prompt> = parts::calls(PARTS, model.context_chars)
        .iter()
        .map(|parts| {
            prompt::prompt(
                parts,
                &name,
                site,
                evidence,
                model.context_chars,
                host.now_ms(),
            )
        })
        // Without excerpts, an answer would have nothing to cite.
        .filter(|prompt| !prompt.excerpts.is_empty())
        .collect();
    if prompts.is_empty() {
        return Ok(());
    }
    if host.canceled() {
        return Err(failure::canceled());
    }
    host.report(74, "Asking the model to write from numbered excerpts");
    let calls: Vec<Call> = prompts
        .iter()
        .map(|prompt| {
            call(
                &prompt.messages,
                &parts::for_schema(&prompt.parts),
                prompt.excerpts.len(),
                "guideline_part",
                model,
            )
        })
        .collect();
    let answers = host.invoke(&calls);
    host.report(90, "Checking what the model wrote against its citations");
    let company = format!(
        "{} {} {name}",
        site.research.names.join(" "),
        site.research.domain
    );
    let (mut kept, mut dropped) = (0, 0);
    for (prompt, answer) in prompts.iter().zip(answers) {
        let answer = answer
            .map_err(failure::of_model_call)
            .and_then(|answer| read(&answer, "guideline"));
        match answer {
            Ok(answer) => {
                let ground = Ground {
                    excerpts: &prompt.excerpts,
                    caller: "",
                    company: &company,
                    language: &site.research.language,
                };
                for part in &prompt.parts {
                    if let Some(value) = answer.get(part.name) {
                        let (more_kept, more_dropped) = keep(part, value, &ground, draft);
                        kept += more_kept;
                        dropped += more_dropped;
                    }
                }
            }
            Err(failure) if failure::is_invalid_answer(&failure) => {
                host.note(&format!(
                    "a model answer could not be used: {}",
                    failure.code
                ));
            }
            // The model can't be reached. Fail: empty parts would claim that the site says nothing about
            // them.
            Err(failure) => return Err(failure),
        }
    }
    host.note(&format!("model claims kept: {kept}, dropped: {dropped}"));
    Ok(())
}

/// Checks one part of an answer and puts what passes into the draft. Returns the numbers of claims kept and
/// dropped.
fn keep(part: &Part, value: &Value, ground: &Ground<'_>, draft: &mut Draft) -> (usize, usize) {
    let (mut kept, mut dropped) = (0, 0);
    let mut verdict = |verdict: Verdict| match verdict {
        Verdict::Kept(claim) => {
            kept += 1;
            Some(claim)
        }
        Verdict::Dropped => {
            dropped += 1;
            None
        }
        Verdict::Empty => None,
    };
    match (part.layout, part.goes) {
        (Layout::One(unit), Goes::One(field)) => {
            let claim = verdict(ground.check(unit, value));
            draft.set(field, claim);
        }
        (Layout::Many(unit, most), Goes::Many(field)) => {
            for item in value.as_array().into_iter().flatten().take(most) {
                if let Some(claim) = verdict(ground.check(unit, item)) {
                    add(draft, field, claim);
                }
            }
        }
        _ => {}
    }
    (kept, dropped)
}

/// Adds an element in the shape of its list, unless the list already says it.
fn add(draft: &mut Draft, field: Many, claim: Claim) {
    let known = draft.many(field);
    let first = main_text(&claim.value);
    let said = known.iter().any(|other| {
        main_text(&other.value).is_some_and(|text| {
            Some(text.to_lowercase()) == first.as_deref().map(str::to_lowercase)
        })
    });
    if said || known.len() >= MOST {
        return;
    }
    let taken: Vec<String> = known
        .iter()
        .filter_map(|claim| claim.value.get("key")?.as_str().map(str::to_owned))
        .collect();
    let keyed = |fallback: &str, mut value: Value| {
        let key = unique_slug(first.as_deref().unwrap_or_default(), fallback, &taken);
        if let Some(object) = value.as_object_mut() {
            let mut whole = Map::new();
            whole.insert("key".to_owned(), json!(key));
            whole.append(object);
            *object = whole;
        }
        value
    };
    let mut value = claim.value.clone();
    match field {
        VALUE_PROPOSITIONS => value = keyed("value", value),
        SEGMENTS => value = keyed("segment", value),
        PILLARS => {
            // The model doesn't see the keys of proof points, so it can't say which of them support a pillar.
            value["proof_point_keys"] = json!([]);
            value = keyed("pillar", value);
        }
        _ => {}
    }
    draft.push(field, Claim { value, ..claim });
}

/// The text that identifies an element: the element itself, or its first text member other than `key`.
fn main_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(object) => object
            .iter()
            .filter(|(name, _)| *name != "key")
            .find_map(|(_, member)| member.as_str().map(str::to_owned)),
        _ => None,
    }
}
