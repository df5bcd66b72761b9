//! What only a model can write: position, audience, voice and messages, from numbered excerpts and checked
//! against them. Without a model, a guideline has none of it.

mod parts;
mod prompt;

use gtm_site_research::claim::{Basis, Claim};
use gtm_site_research::evidence::{Evidence, Sentence};
use gtm_site_research::failure::{self, Failure};
use gtm_site_research::host::Host;
use gtm_writing::course;
use gtm_writing::form::Part;
use gtm_writing::found::{Found, main_text};
use gtm_writing::prompt::one_line;
use gtm_writing::task::Task;
use gtm_writing::written::part_of;
use serde_json::{Map, Value, json};

use crate::draft::{
    ALTERNATIVES, BRAND_NAME, DESCRIPTION_SHORT, Draft, EXCLUSIONS, FOUNDED_YEAR, INDUSTRIES,
    LEGAL_NAME, MISSION, Many, One, PILLARS, PREFERRED, PROOF_POINTS, PURPOSE, SEGMENTS, TAGLINE,
    VALUE_PROPOSITIONS, VISION,
};
use crate::facts::unique_slug;
use crate::settings::Settings;
use crate::site::Site;
use parts::{BRIEF, Goes, IF_NOT_FOUND, OF_THE_SITE, PARTS};

/// Most elements of a list, including those that the site states.
const MOST: usize = 12;
/// Most names of products: a writer needs all of them.
const MOST_NAMES: usize = 24;

const WRITER: &str = "You write parts of a brand guideline from what a company's own site says.";

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
    let name = draft
        .one(BRAND_NAME)
        .and_then(|claim| claim.value.as_str())
        .unwrap_or(&site.research.domain)
        .to_owned();
    let company = format!(
        "{} {} {name}",
        site.research.names.join(" "),
        site.research.domain
    );
    let worth = |excerpt: &Sentence| prompt::worth(excerpt, site);
    let model = settings.shared.model();
    // A small model gets only what rules can't find: each part more is a call more.
    let asked: Vec<(Part, Goes)> = match model.has_room() {
        true => {
            let unknown = IF_NOT_FOUND
                .iter()
                .filter(|(_, goes)| is_unknown(draft, *goes));
            let known = OF_THE_SITE.iter().chain(unknown);
            known.chain(PARTS).copied().collect()
        }
        false => PARTS.to_vec(),
    };
    let parts: Vec<Part> = asked.iter().map(|(part, _)| *part).collect();
    let task = Task {
        what: "guideline",
        purpose: WRITER,
        style: "",
        context: &format!(
            "Company: {} ({})",
            one_line(&name, 80),
            site.research.domain
        ),
        brief: BRIEF,
        shown_of_brief: &[],
        parts: &parts,
        found: offered(draft, &asked),
        research: &site.research,
        evidence,
        worth: &worth,
        caller: "",
        company: &company,
        language: settings.shared.prose_language(&site.research.language),
        supported: Basis::Observed,
        reasons: false,
        model,
        progress: (74, 93),
    };
    let mut written = match course::write(host, task) {
        Ok(written) => written,
        // Nothing that it wrote is usable, which costs its parts only.
        Err(failure) if failure::is_invalid_answer(&failure) => {
            host.note(&format!(
                "nothing of the model can be used: {}",
                failure.code
            ));
            return Ok(());
        }
        // The model can't be reached. Fail: empty parts would claim that the site says nothing about
        // them.
        Err(failure) => return Err(failure),
    };
    for (part, goes) in &asked {
        match goes {
            Goes::One(field) => {
                draft.take_one(*field);
                let claim = written.one_if(part.name, |claim| stands(*field, claim));
                draft.set(*field, claim.and_then(|claim| in_its_form(*field, claim)));
            }
            Goes::Many(field) => {
                draft.take_many(*field);
                for claim in written.list(part.name) {
                    add(draft, *field, claim);
                }
            }
        }
    }
    let is_asked = |path: &str| parts.iter().any(|part| part.name == path);
    for (field, path) in JUDGED_ONES.iter().filter(|(_, path)| !is_asked(path)) {
        draft.take_one(*field);
        draft.set(*field, written.one(path));
    }
    for (field, path) in JUDGED_LISTS.iter().filter(|(_, path)| !is_asked(path)) {
        draft.take_many(*field);
        draft.extend(*field, written.list(path));
    }
    // Only now is it known what the lists had no room for.
    for (path, reason, count) in written.left_out() {
        let part = asked.iter().find(|(part, _)| part.name == part_of(&path));
        if let Some((_, goes)) = part {
            draft.leave_out(goes.pointer(), reason, count);
        }
    }
    Ok(())
}

/// What only the site's own print can be: a slogan, a name, a year, the line by which it introduces itself.
const PRINTED: &[One] = &[
    TAGLINE,
    DESCRIPTION_SHORT,
    LEGAL_NAME,
    FOUNDED_YEAR,
    MISSION,
    VISION,
];
/// Longest short description, in characters (annex A2).
const LONGEST_SHORT: usize = 160;

/// Whether the model's claim can stand in the field.
fn stands(field: One, claim: &Claim) -> bool {
    let text = claim.value.as_str().unwrap_or_default();
    (!PRINTED.contains(&field) || claim.basis == Basis::Stated)
        && (field != DESCRIPTION_SHORT || text.chars().count() <= LONGEST_SHORT)
}

/// The claim as its field holds it: a year is a number.
fn in_its_form(field: One, claim: Claim) -> Option<Claim> {
    match claim.value.as_str() {
        Some(text) if field == FOUNDED_YEAR => {
            let year: i64 = text.trim().parse().ok()?;
            Some(Claim {
                value: json!(year),
                ..claim
            })
        }
        _ => Some(claim),
    }
}

/// Whether rules found nothing for a field, not even values that contradict each other.
fn is_unknown(draft: &Draft, goes: Goes) -> bool {
    match goes {
        Goes::One(field) => {
            draft.one(field).is_none() && draft.contradiction(field).next().is_none()
        }
        Goes::Many(field) => draft.many(field).is_empty(),
    }
}

/// Fields that only rules fill and that they mistake most: a model that sees the pages keeps or rejects what they found.
const JUDGED_ONES: &[(One, &str)] = &[
    (MISSION, "mission"),
    (VISION, "vision"),
    (PURPOSE, "purpose"),
];
/// Lists of that kind.
const JUDGED_LISTS: &[(Many, &str)] = &[(EXCLUSIONS, "not_for"), (ALTERNATIVES, "alternatives")];

/// What rules found, for the model to keep, merge or reject. What it writes stands beside what it keeps, and a value that is the
/// site's own stays the site's.
fn offered(draft: &Draft, asked: &[(Part, Goes)]) -> Found {
    let mut found = Found::default();
    for (field, path) in JUDGED_ONES {
        found.add(path, draft.one(*field).cloned());
    }
    for (field, path) in JUDGED_LISTS {
        found.add(path, draft.many(*field).iter().cloned());
    }
    for (part, goes) in asked {
        match goes {
            Goes::One(field) => found.add(part.name, draft.one(*field).cloned()),
            Goes::Many(field) => found.add(part.name, draft.many(*field).iter().cloned()),
        }
    }
    found
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
    let most = if field == PREFERRED { MOST_NAMES } else { MOST };
    if said || known.len() >= most {
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
            object.remove("key");
            whole.append(object);
            *object = whole;
        }
        value
    };
    let mut value = claim.value.clone();
    match field {
        INDUSTRIES if value.get("scheme").is_none() => {
            value = json!({"scheme": "free_text", "code": null, "label": value["label"]});
        }
        PROOF_POINTS => value = keyed("proof", value),
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
