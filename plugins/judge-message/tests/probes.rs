//! Whole drafts through the host's checks and the judge together. What still passes although it should not is named in the
//! table, so that nobody takes a pass for more than it says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};

use gtm_domain::message::rubric::{Rubric, RubricKey};
use gtm_domain::message::{TemplateOptions, draft};
use gtm_evidence_check::message::{Assessment, DraftToScore, assess, draft_differs};
use gtm_judge_message::JudgeMessage;
use gtm_sdk::{Evaluator, Value, json::json};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    about: BTreeMap<String, About>,
    draft: Vec<Draft>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    language: String,
    audience: String,
    objective: String,
    next: String,
    #[serde(default)]
    values: Vec<String>,
    #[serde(default)]
    texts: Vec<String>,
    /// Stands for an offer.
    summary: Option<String>,
    #[serde(default)]
    forbidden: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Draft {
    name: String,
    kind: String,
    about: String,
    subject: String,
    #[serde(default)]
    preview: String,
    /// Kind, text, and a fallback if there is one.
    blocks: Vec<Vec<String>>,
    passes: bool,
    hard: BTreeSet<String>,
    #[serde(default)]
    differs: bool,
    why: Option<String>,
}

/// The draft as a backend gives it.
fn whole(draft: &Draft) -> Value {
    let block = |kind: &str, text: &str, fallback: Option<&str>, optional: bool| json!({"kind": kind, "text": text, "optional": optional, "fallback": fallback});
    let mut blocks = vec![block(
        "greeting",
        "Hello {{recipient.first_name}},",
        Some("Hello,"),
        false,
    )];
    let own = draft.blocks.iter();
    blocks.extend(own.map(|own| block(&own[0], &own[1], own.get(2).map(String::as_str), false)));
    for (kind, text) in [
        (
            "signature",
            "{{sender.full_name}}, {{sender.role}}, {{sender.organization}}",
        ),
        ("postal_identity", "{{compliance.postal_identity}}"),
        ("privacy_notice", "{{compliance.privacy_notice}}"),
        ("opt_out", "{{compliance.opt_out}}"),
    ] {
        blocks.push(block(kind, text, None, kind == "privacy_notice"));
    }
    let preview = (!draft.preview.is_empty()).then_some(&draft.preview);
    json!({"subject": draft.subject, "preview_text": preview, "blocks": blocks})
}

fn scored(about: &About, draft: &Draft) -> (Rubric, bool) {
    let value = whole(draft);
    let structure = draft::read(&value).unwrap_or_else(|e| panic!("{}: {e:?}", draft.name));
    let options = TemplateOptions {
        tone: TemplateOptions::DEFAULT_TONE.to_owned(),
        locale: about.language.clone(),
        max_words: TemplateOptions::DEFAULT_MAX_WORDS,
        max_links: TemplateOptions::DEFAULT_MAX_LINKS,
        forbidden_claims: Vec::new(),
    };
    let texts: Vec<String> = (about.texts.iter().chain(&about.values))
        .chain(&about.summary)
        .cloned()
        .collect();
    let Assessment {
        mut checks,
        hard_failures,
        ..
    } = assess(&DraftToScore {
        structure: &structure,
        language: &about.language,
        options: &options,
        audience: &about.audience,
        objective: &about.objective,
        desired_next_step: &about.next,
        approved_texts: &texts,
        forbidden_claims: &about.forbidden,
    });
    let blocks: Vec<Value> = value["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|block| json!({"kind": block["kind"], "text": block["text"]}))
        .collect();
    let judgement = JudgeMessage::evaluate(json!({
        "rubric_version": "1", "language": about.language, "audience": about.audience,
        "objective": about.objective, "desired_next_step": about.next, "offer": texts,
        "value_propositions": about.values, "subject": draft.subject, "blocks": blocks,
    }))
    .unwrap();
    for key in RubricKey::ALL.iter().filter(|key| key.is_judged()) {
        let points = judgement["points"][key.as_str()].as_u64().unwrap();
        let note = judgement["notes"][key.as_str()].as_str().map(str::to_owned);
        assert!(note.as_ref().is_none_or(|note| note.chars().count() <= 300));
        checks.push(key.judged(u32::try_from(points).unwrap(), note));
    }
    let differs = draft_differs(&structure, &about.language);
    (Rubric::score(checks, hard_failures, 1, None), differs)
}

#[test]
fn drafts_pass_and_fail_as_the_table_says() {
    let Table { about, draft } = toml::from_str(include_str!("probes.toml")).unwrap();
    let mut misses = Vec::new();
    for draft in &draft {
        let (rubric, differs) = scored(&about[&draft.about], draft);
        let hard: BTreeSet<String> = rubric
            .hard_failures
            .iter()
            .map(|it| it.code.clone())
            .collect();
        let passes = rubric.passed && !differs;
        if (passes, differs, &hard) != (draft.passes, draft.differs, &draft.hard) {
            let lost = rubric
                .checks
                .iter()
                .filter(|check| check.points < check.max);
            let lost: Vec<String> = lost
                .map(|check| {
                    format!(
                        "{} {}/{} {:?}",
                        check.key, check.points, check.max, check.message
                    )
                })
                .collect();
            misses.push(format!(
                "{}: passes {passes}, another language {differs}, {} points, {hard:?}\n  {}",
                draft.name,
                rubric.total,
                lost.join("\n  ")
            ));
        }
        let is_gap = draft.kind == "bad" && draft.passes;
        assert_eq!(draft.why.is_some(), is_gap, "{}: why", draft.name);
    }
    assert!(misses.is_empty(), "\n{}", misses.join("\n"));
}
