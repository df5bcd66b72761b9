//! Scores the drafts of `message_drafts/` and compares each verdict with the one that a person wrote down. README.md
//! there says how to read them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use gtm_domain::message::{
    Block, BlockKind, Href, Inline, MessageFault, Rubric, RubricKey, Structure, TemplateOptions,
};
use gtm_evidence_check::message::{DraftToScore, assess, draft_differs};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    language: String,
    audience: String,
    objective: String,
    desired_next_step: String,
    approved_texts: Vec<String>,
    forbidden_claims: Vec<String>,
    max_words: u32,
    max_links: u32,
    closing: BTreeMap<String, String>,
    draft: Vec<Draft>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Draft {
    name: String,
    kind: Kind,
    subject: String,
    #[serde(default)]
    preview: String,
    blocks: Vec<(BlockKind, String)>,
    /// Whether the file's closing blocks follow.
    #[serde(default = "yes")]
    closing: bool,
    #[serde(default)]
    refused: bool,
    passes: Option<bool>,
    #[serde(default)]
    hard: BTreeSet<String>,
    #[serde(default)]
    fails: BTreeSet<String>,
    why: Option<String>,
}

#[derive(Deserialize, Debug, PartialEq, Eq, Clone, Copy, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Good,
    Bland,
    Pushy,
    FalseUrgency,
    TwoAsks,
    UnapprovedNumber,
    TooLong,
    BrokenPlaceholder,
}

/// Reads the draft as the host reads a backend's: with the rules of drafts and of structures.
fn as_template(file: &File, draft: &Draft) -> Result<(), Vec<MessageFault>> {
    let block = |kind: &BlockKind, text: &str| serde_json::json!({"kind": kind, "text": text, "optional": false, "fallback": null});
    let closing = file.closing.iter().filter(|_| draft.closing);
    let closing = closing.map(|(kind, text)| {
        let kind = serde_json::from_value(kind.as_str().into()).expect("a kind of block");
        block(&kind, text)
    });
    let blocks = draft.blocks.iter().map(|(kind, text)| block(kind, text));
    let value = serde_json::json!({
        "subject": draft.subject,
        "preview_text": (!draft.preview.is_empty()).then_some(&draft.preview),
        "blocks": blocks.chain(closing).collect::<Vec<_>>(),
    });
    gtm_domain::message::draft::read(&value).map(|_| ())
}

#[derive(Debug, PartialEq, Eq)]
struct Verdict {
    passes: bool,
    hard: BTreeSet<String>,
    fails: BTreeSet<String>,
}

const fn yes() -> bool {
    true
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/message_drafts")
}

fn files() -> Vec<File> {
    ["de", "en", "es", "fr"]
        .into_iter()
        .map(|code| {
            let text = fs::read_to_string(folder().join(format!("{code}.toml"))).unwrap();
            toml::from_str(&text).unwrap_or_else(|e| panic!("{code}: {e}"))
        })
        .collect()
}

/// Tokens and links of a text that has them in the right form. Reading drafts that have not is the domain's.
fn inlines(text: &str) -> Vec<Inline> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[']) {
        let (before, behind) = rest.split_at(at);
        if !before.is_empty() {
            found.push(Inline::Text {
                v: before.to_owned(),
            });
        }
        if let Some(token) = behind.strip_prefix("{{") {
            let (name, after) = token.split_once("}}").expect("a token ends");
            found.push(Inline::Var {
                name: name.to_owned(),
            });
            rest = after;
        } else {
            let link = behind.strip_prefix('[').expect("a link");
            let (label, after) = link.split_once("](").expect("a link has an address");
            let (href, after) = after.split_once(')').expect("a link ends");
            let href = match href
                .strip_prefix("{{")
                .and_then(|href| href.strip_suffix("}}"))
            {
                Some(name) => Href::Var(name.to_owned()),
                None => Href::Https(href.to_owned()),
            };
            found.push(Inline::Link {
                href,
                label: label.to_owned(),
            });
            rest = after;
        }
    }
    if !rest.is_empty() {
        found.push(Inline::Text { v: rest.to_owned() });
    }
    found
}

fn structure(file: &File, draft: &Draft) -> Structure {
    let closing = [
        BlockKind::Signature,
        BlockKind::PostalIdentity,
        BlockKind::PrivacyNotice,
        BlockKind::OptOut,
    ];
    let closing = closing
        .into_iter()
        .filter(|_| draft.closing)
        .map(|kind| (kind, file.closing[kind.as_str()].clone()));
    let blocks = draft.blocks.iter().cloned().chain(closing).enumerate();
    Structure {
        subject: inlines(&draft.subject),
        preview_text: inlines(&draft.preview),
        blocks: blocks
            .map(|(at, (kind, text))| Block {
                id: format!("b{}", at + 1),
                kind,
                inlines: inlines(&text),
                optional: kind == BlockKind::PrivacyNotice,
                fallback: Vec::new(),
            })
            .collect(),
    }
}

/// The verdict on the deterministic part: what there is if a judge gives all its points.
fn verdict(file: &File, draft: &Draft) -> (Verdict, Rubric) {
    let structure = structure(file, draft);
    let options = TemplateOptions {
        tone: TemplateOptions::DEFAULT_TONE.to_owned(),
        locale: file.language.clone(),
        max_words: file.max_words,
        max_links: file.max_links,
        forbidden_claims: file.forbidden_claims.clone(),
    };
    let differs = draft_differs(&structure, &file.language);
    assert!(!differs, "{}: {}: its language", file.language, draft.name);
    let assessment = assess(&DraftToScore {
        structure: &structure,
        language: &file.language,
        options: &options,
        audience: &file.audience,
        objective: &file.objective,
        desired_next_step: &file.desired_next_step,
        approved_texts: &file.approved_texts,
        forbidden_claims: &[],
    });
    let judged = RubricKey::ALL.iter().filter(|key| key.is_judged());
    let judged = judged.map(|key| key.judged(key.points(), None));
    let checks = assessment.checks.iter().cloned().chain(judged).collect();
    let rubric = Rubric::score(checks, assessment.hard_failures, 1, None);
    let verdict = Verdict {
        passes: rubric.passed,
        hard: rubric
            .hard_failures
            .iter()
            .map(|it| it.code.clone())
            .collect(),
        fails: rubric
            .checks
            .iter()
            .filter(|check| check.points < check.max)
            .map(|check| check.key.clone())
            .collect(),
    };
    (verdict, rubric)
}

/// Disagreements that are known, by language and name of the draft, with the reason.
fn known() -> BTreeMap<String, String> {
    let text = fs::read_to_string(folder().join("disagreements.toml")).unwrap();
    let known: BTreeMap<String, String> = toml::from_str(&text).unwrap();
    for (draft, reason) in &known {
        assert!(reason.split(' ').count() >= 5, "{draft}: {reason}");
    }
    known
}

#[test]
fn verdicts_agree_with_those_that_a_person_expects() {
    let mut known = known();
    let mut unexplained = Vec::new();
    let mut by_kind: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
    let (mut drafts, mut refused, mut passes, mut hard, mut same, mut checks) = (0, 0, 0, 0, 0, 0);
    for file in files() {
        for draft in &file.draft {
            let name = format!("{}: {}", &file.language[..2], draft.name);
            assert!(
                draft.why.as_deref().is_none_or(|why| why.len() > 20),
                "{name}"
            );
            if draft.refused {
                refused += 1;
                assert_eq!(draft.kind, Kind::BrokenPlaceholder, "{name}");
                let read = as_template(&file, draft);
                let faults = read.err().unwrap_or_else(|| panic!("{name} is a template"));
                let broken = faults.iter().any(|it| it.rule == "placeholder_not_allowed");
                assert!(broken, "{name}: {faults:?}");
                continue;
            }
            let expected = Verdict {
                passes: draft.passes.unwrap_or_else(|| panic!("{name}: no verdict")),
                hard: draft.hard.clone(),
                fails: draft.fails.clone(),
            };
            for key in &expected.fails {
                let key = RubricKey::parse(key).unwrap_or_else(|| panic!("{name}: {key}"));
                assert!(!key.is_judged(), "{name}: {key:?}");
            }
            let (found, rubric) = verdict(&file, draft);
            drafts += 1;
            passes += usize::from(found.passes == expected.passes);
            hard += usize::from(found.hard == expected.hard);
            checks += found.fails.symmetric_difference(&expected.fails).count();
            let agrees = found == expected;
            same += usize::from(agrees);
            let of_kind = by_kind.entry(draft.kind).or_default();
            of_kind.0 += usize::from(agrees);
            of_kind.1 += 1;
            match (agrees, known.remove(&name)) {
                (true, None) | (false, Some(_)) => {}
                (true, Some(_)) => unexplained.push(format!("{name}: agrees, but is said not to")),
                (false, None) => {
                    let missed: Vec<_> = expected.fails.difference(&found.fails).collect();
                    let extra: Vec<String> = rubric
                        .checks
                        .iter()
                        .filter(|check| {
                            check.points < check.max && !expected.fails.contains(&check.key)
                        })
                        .map(|check| {
                            format!("{} ({:?}; {:?})", check.key, check.observed, check.message)
                        })
                        .collect();
                    unexplained.push(format!(
                        "{name}: passes {} for {}, hard {:?} for {:?}, missed {missed:?}, extra {extra:?}, total {}",
                        found.passes, expected.passes, found.hard, expected.hard, rubric.total
                    ));
                }
            }
        }
    }
    println!(
        "{drafts} drafts scored, {refused} refused before; whole verdict {same}, passing {passes}, hard failures {hard} \
         agree; {checks} of {} checks differ",
        drafts * 18
    );
    for (kind, (agree, all)) in by_kind {
        println!("  {kind:?}: {agree} of {all}");
    }
    assert!(drafts >= 60, "{drafts}");
    assert_eq!(known, BTreeMap::new(), "no such drafts");
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}
