//! What the check keeps and drops of the claims in `tests/claims`, which were labelled by hand before it ran on them.
//!
//! Three readers judge the same claims: the competitor, which keeps a claim if enough of its words stand in its cited
//! excerpts; the deterministic check; and the check with the critic's verdicts that the table records. Run by
//! `cargo xtask bench claims`; `--verbose` names the wrong decisions on English claims. The other languages are held out:
//! who mends the check looks at causes in English, and the figures of the others say whether the mend is general.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use gtm_site_research::evidence::Sentence;
use gtm_site_research::page::BlockKind;
use gtm_site_research::roles::Role;
use gtm_site_research::words;
use gtm_writing::check::{Ground, Verdict};
use gtm_writing::excerpts::Excerpts;
use gtm_writing::form::{Field, Form, Support, Unit, Words, needed, plain};
use gtm_writing::numbers::Derivation;
use serde_json::{Value, json};

const LANGUAGES: [&str; 6] = ["en", "de", "fr", "es", "it", "ja"];
const GOOD: [&str; 3] = ["quoted", "paraphrase", "fair_inference"];
const BAD: [&str; 6] = [
    "wrong_number",
    "wrong_subject",
    "invented_seller_property",
    "contradicted",
    "invented_fact",
    "literal_falsehood",
];
/// Share of a claim's words that the competitor wants in the cited excerpts.
const OVERLAP: f64 = 0.4;

const TEXT: Field = needed("text", Form::Text(1_200));
const PLAIN: &[Field] = &[TEXT];
const PROPOSAL: &[Field] = &[TEXT.of(Words::Proposal)];
const ROLE: &[Field] = &[TEXT.of(Words::Role)];

/// What a reader does with a claim.
#[derive(Clone, Copy, PartialEq)]
enum Decision {
    Kept,
    /// All of it, or the words at fault, or (of a good claim) a sentence; for this reason.
    Dropped(&'static str),
}

impl Decision {
    fn is_kept(self) -> bool {
        self == Self::Kept
    }
}

fn main() {
    let verbose = std::env::args().any(|argument| argument == "--verbose");
    let cases: Vec<Value> = LANGUAGES.into_iter().flat_map(read).collect();
    type Reader = fn(&Value) -> Decision;
    let readers: [(&str, Reader); 3] = [
        ("words in common (competitor)", by_words),
        ("deterministic check", by_check),
        ("check and recorded critic", by_check_and_critic),
    ];
    let mut shares = Vec::new();
    for (name, reader) in readers {
        println!("\n{name}");
        let decided: Vec<(&Value, Decision)> =
            cases.iter().map(|case| (case, reader(case))).collect();
        matrix(&decided);
        shares.push(summary(&decided));
        if verbose {
            wrong_decisions(&decided);
        }
    }
    let [competitor, _, critic] = shares[..] else {
        unreachable!("there are three readers")
    };
    println!(
        "\nwrong decisions, competitor to check and critic: {:.1} to 1",
        competitor / critic.max(1e-9)
    );
}

fn read(language: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/claims")
        .join(format!("{language}.jsonl"));
    let text = fs::read_to_string(&path).expect("the table is part of the repository");
    text.lines()
        .map(|line| {
            let case: Value = serde_json::from_str(line).expect("each line is a JSON object");
            let label = case["label"].as_str().expect("each claim has a label");
            assert!(GOOD.contains(&label) || BAD.contains(&label), "{label}");
            case
        })
        .collect()
}

fn is_good(case: &Value) -> bool {
    GOOD.contains(&case["label"].as_str().unwrap())
}

fn by_words(case: &Value) -> Decision {
    let folded = words::fold(case["claim"].as_str().unwrap());
    let claim = words::split(&folded);
    let cited: String = case["excerpts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|excerpt| words::fold(&text_of(excerpt)) + " ")
        .collect();
    let cited = words::split(&cited);
    let common = claim.iter().filter(|word| cited.contains(word)).count();
    #[allow(clippy::cast_precision_loss)]
    let share = common as f64 / claim.len().max(1) as f64;
    match share >= OVERLAP {
        true => Decision::Kept,
        false => Decision::Dropped("few words in common"),
    }
}

/// The heading belongs to the excerpt: the prompt shows it above.
fn text_of(excerpt: &Value) -> String {
    let text = excerpt["text"].as_str().unwrap();
    match excerpt["heading"].as_str() {
        Some(heading) => format!("{heading}\n{text}"),
        None => text.to_owned(),
    }
}

fn by_check(case: &Value) -> Decision {
    let mut texts: BTreeMap<u64, String> = BTreeMap::new();
    for group in ["excerpts", "shown"] {
        for excerpt in case[group].as_array().unwrap() {
            texts.insert(excerpt["n"].as_u64().unwrap(), text_of(excerpt));
        }
    }
    let numbers: Vec<u64> = texts.keys().copied().collect();
    let excerpts = Excerpts {
        all: texts.into_values().enumerate().map(sentence).collect(),
        ..Excerpts::default()
    };
    let cited: Vec<usize> = case["cited"]
        .as_array()
        .unwrap()
        .iter()
        .map(|cited| numbers.iter().position(|n| cited == n).unwrap() + 1)
        .collect();
    let ground = Ground::new(
        &excerpts,
        case["seller"].as_str().unwrap_or(""),
        case["company"].as_str().unwrap(),
        case["language"].as_str().unwrap(),
    );
    let derivations: Vec<Derivation> = case["derivation"]
        .as_str()
        .into_iter()
        .flat_map(|sums| sums.split(';'))
        .filter_map(|sum| sum.split_once('='))
        .filter_map(|(formula, result)| Derivation::read(formula, result))
        .collect();
    let claim = case["claim"].as_str().unwrap();
    let answer = json!({"text": claim, "citations": cited, "reason": ""});
    let checked = match ground.check(unit(case), &answer, &derivations) {
        Verdict::Kept(checked) => checked,
        Verdict::Empty => return Decision::Dropped("empty"),
        Verdict::Dropped(fault) => return Decision::Dropped(fault.key()),
    };
    let kept = checked.value.as_str().unwrap();
    let stands = match case["faulty"].as_str() {
        Some(faulty) => kept.contains(faulty),
        None => letters(kept) == letters(claim),
    };
    match stands {
        true => Decision::Kept,
        false => Decision::Dropped(checked.lost.first().map_or("cut", |fault| fault.key())),
    }
}

fn by_check_and_critic(case: &Value) -> Decision {
    match case["critic"]["verdict"].as_str() {
        Some("contradicted") => Decision::Dropped("contradicted"),
        _ => by_check(case),
    }
}

fn unit(case: &Value) -> Unit {
    match case["kind"].as_str().unwrap() {
        "fact" | "summary" => plain(PLAIN, Support::Fact),
        "advice" => plain(PLAIN, Support::Advice),
        "question" | "ask" => plain(PROPOSAL, Support::Advice),
        "role" => plain(ROLE, Support::Advice),
        other => panic!("unknown kind {other}"),
    }
}

fn sentence((position, text): (usize, String)) -> Sentence {
    Sentence {
        page: 0,
        block: position,
        position,
        role: Role::Home,
        kind: BlockKind::Paragraph,
        folded: words::fold(&text),
        text,
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn matrix(decided: &[(&Value, Decision)]) {
    println!("{:<26}{:>6}{:>6}{:>9}", "label", "all", "kept", "dropped");
    for label in GOOD.into_iter().chain(BAD) {
        let of = || decided.iter().filter(|(case, _)| case["label"] == label);
        let kept = of().filter(|(_, decision)| decision.is_kept()).count();
        let all = of().count();
        println!("{label:<26}{all:>6}{kept:>6}{:>9}", all - kept);
    }
    for language in LANGUAGES {
        let of = |good: bool| {
            decided
                .iter()
                .filter(move |(case, _)| of_file(case, language) && is_good(case) == good)
        };
        let dropped = of(true).filter(|(_, it)| !it.is_kept()).count();
        let kept = of(false).filter(|(_, it)| it.is_kept()).count();
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, decision) in of(true) {
            if let Decision::Dropped(reason) = decision {
                *reasons.entry(reason).or_default() += 1;
            }
        }
        let reasons: Vec<String> = reasons
            .iter()
            .map(|(reason, count)| format!("{reason} {count}"))
            .collect();
        println!(
            "{language}: {dropped} of {} good dropped ({}), {kept} of {} bad kept",
            of(true).count(),
            reasons.join(", "),
            of(false).count()
        );
        let literal = of(false)
            .filter(|(case, it)| case["label"] == "literal_falsehood" && it.is_kept())
            .count();
        if literal > 0 {
            println!("{language}: {literal} literal falsehoods kept");
        }
    }
}

fn of_file(case: &Value, language: &str) -> bool {
    case["id"].as_str().unwrap().starts_with(language)
}

/// Prints the two rates, and returns the share of wrong decisions.
#[allow(clippy::cast_precision_loss)]
fn summary(decided: &[(&Value, Decision)]) -> f64 {
    let good: Vec<_> = decided.iter().filter(|(case, _)| is_good(case)).collect();
    let bad: Vec<_> = decided.iter().filter(|(case, _)| !is_good(case)).collect();
    let dropped = good.iter().filter(|(_, it)| !it.is_kept()).count();
    let kept = bad.iter().filter(|(_, it)| it.is_kept()).count();
    println!(
        "wrong drops: {dropped} of {} = {:.1} %; unsupported kept: {kept} of {} = {:.1} %",
        good.len(),
        dropped as f64 / good.len() as f64 * 100.0,
        bad.len(),
        kept as f64 / bad.len() as f64 * 100.0
    );
    (dropped + kept) as f64 / decided.len() as f64
}

fn wrong_decisions(decided: &[(&Value, Decision)]) {
    for (case, decision) in decided {
        if of_file(case, "en") && is_good(case) != decision.is_kept() {
            let reason = match decision {
                Decision::Kept => "kept",
                Decision::Dropped(reason) => reason,
            };
            println!(
                "  {} {reason} {} {}: {}",
                case["id"].as_str().unwrap(),
                case["kind"].as_str().unwrap(),
                case["label"].as_str().unwrap(),
                case["claim"].as_str().unwrap()
            );
        }
    }
}
