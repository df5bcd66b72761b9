//! No draft and no filled message breaks the checks of messages, and their work grows linearly with the text.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};

use gtm_domain::Digest;
use gtm_domain::message::compliance::{CheckKey, CheckOutcome};
use gtm_domain::message::render::render;
use gtm_domain::message::{
    Block, BlockKind, HardFailureKind, Href, Inline, Placeholder, RenderedMessage, RubricKey,
    Structure, TemplateOptions, ValueKind,
};
use gtm_evidence_check::message::{
    Assessment, CheckedMessage, DraftToScore, MessageToCheck, OfferToRepeat, assess, content_checks,
};
use gtm_test_support::growth;
use proptest::prelude::*;

/// Code points of a subject that the renderer accepts.
const SUBJECT_CHARS: usize = 60;

fn options() -> TemplateOptions {
    TemplateOptions {
        tone: "direct".to_owned(),
        locale: "en".to_owned(),
        max_words: 120,
        max_links: 1,
        forbidden_claims: vec!["guaranteed savings".to_owned()],
    }
}

fn scored(structure: &Structure, language: &str) -> Assessment {
    scored_by(structure, language, &options())
}

fn scored_by(structure: &Structure, language: &str, options: &TemplateOptions) -> Assessment {
    assess(&DraftToScore {
        structure,
        language,
        options,
        audience: "Heads of operations at landlords",
        objective: "Start a conversation",
        desired_next_step: "Ask whether metering is contracted.",
        approved_texts: &["18,000 flats billed monthly".to_owned()],
        forbidden_claims: &["no risk".to_owned()],
    })
}

fn text(v: &str) -> Inline {
    Inline::Text { v: v.to_owned() }
}

fn of_one_text(v: &str) -> Structure {
    let block = |at: usize, kind: BlockKind| Block {
        id: format!("b{at}"),
        kind,
        inlines: vec![text(v)],
        optional: false,
        fallback: vec![text(v)],
    };
    Structure {
        subject: vec![text(v)],
        preview_text: vec![text(v)],
        blocks: vec![block(1, BlockKind::Value), block(2, BlockKind::Cta)],
    }
}

/// A message of one paragraph, of which some part is a value, as the renderer fills it.
fn filled(v: &str, value: (usize, usize), placeholder: Placeholder) -> RenderedMessage {
    let length = v.chars().count();
    let (from, to) = (value.0.min(length), value.1.min(length));
    let (from, to) = (from.min(to), from.max(to));
    let part = |from: usize, to: usize| v.chars().skip(from).take(to - from).collect::<String>();
    let given = match placeholder.kind() {
        ValueKind::HttpsUrl => "https://meters.example/".to_owned(),
        ValueKind::AddrSpec => "ada@meters.example".to_owned(),
        ValueKind::Date => "2026-11-23".to_owned(),
        // The renderer fills nothing with a blank.
        ValueKind::Name | ValueKind::Text | ValueKind::Sentence => {
            let words = part(from, to.min(from + placeholder.max_chars() - 1));
            format!("{words}.")
        }
    };
    let inlines = vec![
        text(&part(0, from)),
        Inline::Var {
            name: placeholder.name().to_owned(),
        },
        text(&part(to, length)),
    ];
    let structure = Structure {
        subject: vec![text(&part(0, SUBJECT_CHARS))],
        preview_text: inlines.clone(),
        blocks: vec![Block {
            id: "b1".to_owned(),
            kind: BlockKind::Value,
            inlines,
            optional: false,
            fallback: Vec::new(),
        }],
    };
    let values = BTreeMap::from([(placeholder.name().to_owned(), given)]);
    render(&structure, "en", &values, Digest::of(b"")).unwrap()
}

fn checked(message: &RenderedMessage, language: &str) -> CheckedMessage {
    content_checks(&MessageToCheck {
        message,
        language,
        options: &options(),
        desired_next_step: "Ask.",
        evidence: &[],
        recipient: &[],
        offer: OfferToRepeat {
            reference: "offer_summary",
            texts: &["18,000 flats billed monthly".to_owned()],
            forbidden_claims: &[],
        },
        foreign_hosts: &[],
        own_sites: &[],
        values: &BTreeMap::new(),
        privacy_notice_required: false,
        opt_out_notice: "Reply stop.",
        text_begins_at: 7,
    })
}

fn language() -> impl Strategy<Value = String> {
    "en-GB|de|fr-CA|es|it|ja|x|[a-z]{2}"
}

fn words() -> impl Strategy<Value = String> {
    let phrases = "Act now|nur heute|Reply|oder|rufen Sie|40 %|1\\. |18,000|please|You|wir|\\? |\\. |; |, |the best|Re: |half of|23 March|don’t|\u{200b}|é";
    let part = prop_oneof![
        phrases.prop_map(|it: String| it),
        "\\PC{0,6}".prop_map(|it: String| it),
        "[a-z ]{0,8}".prop_map(|it: String| it),
    ];
    proptest::collection::vec(part, 0..14).prop_map(|parts| parts.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_draft_is_scored(texts in proptest::collection::vec(words(), 1..5), names in proptest::collection::vec(0..Placeholder::ALL.len(), 5), language in language()) {
        let mut inlines = Vec::new();
        for (v, name) in texts.iter().zip(&names) {
            inlines.push(text(v));
            inlines.push(Inline::Var { name: Placeholder::ALL[*name].name().to_owned() });
        }
        inlines.push(Inline::Link { href: Href::Var("offer.url".to_owned()), label: texts[0].clone() });
        let mut structure = of_one_text(&texts[0]);
        structure.blocks[0].inlines = inlines;
        let found = scored(&structure, &language);
        let keys: Vec<&str> = found.checks.iter().map(|check| check.key.as_str()).collect();
        let expected: Vec<&str> = RubricKey::ALL.iter().filter(|key| !key.is_judged()).map(|key| key.as_str()).collect();
        prop_assert_eq!(keys, expected);
        for check in &found.checks {
            prop_assert!(check.points == 0 || check.points == check.max);
            prop_assert_eq!(check.message.is_some(), check.points == 0);
            prop_assert!(check.observed.is_some());
        }
        let codes: BTreeSet<&str> = HardFailureKind::ALL.iter().map(|kind| kind.as_str()).collect();
        let value = serde_json::to_value(&structure).unwrap();
        for failure in &found.hard_failures {
            prop_assert!(codes.contains(failure.code.as_str()));
            prop_assert!(value.pointer(&failure.pointer).is_some(), "{}", failure.pointer);
        }
        // What fails hard fails its check, too.
        let points = |key: RubricKey| found.checks.iter().find(|check| check.key == key.as_str()).unwrap().points;
        for failure in &found.hard_failures {
            let key = match failure.code.as_str() {
                "unapproved_number" => RubricKey::ApprovedNumbers,
                "too_many_words" => RubricKey::WordLimit,
                "too_many_links" => RubricKey::LinkLimit,
                _ => RubricKey::HonestWording,
            };
            // What is forbidden counts in signature and notices as well.
            if failure.code != "forbidden_claim" { prop_assert_eq!(points(key), 0); }
        }
        prop_assert_eq!(&scored(&structure, &language), &found);
    }

    #[test]
    fn any_message_is_checked(v in words(), value in (0usize..60, 0usize..60), name in 0..Placeholder::ALL.len(), language in language()) {
        let message = filled(&v, value, Placeholder::ALL[name]);
        let (checks, anchors) = checked(&message, &language);
        let keys: Vec<CheckKey> = checks.iter().map(|check| check.check).collect();
        prop_assert_eq!(keys, CheckKey::ALL);
        let (begin, end) = (7, 7 + message.text.chars().count());
        for check in &checks {
            prop_assert!(check.outcome != CheckOutcome::Skipped);
            if check.outcome == CheckOutcome::Passed { prop_assert!(check.spans.is_empty()); }
            for span in &check.spans { prop_assert!(begin <= span.start && span.start <= span.end && span.end <= end); }
        }
        prop_assert!(anchors.is_sorted_by_key(|anchor| anchor.start));
        for anchor in &anchors { prop_assert!(begin <= anchor.start && anchor.end <= end); }
    }
}

/// Makes a text of a given size.
type Make = fn(usize) -> String;

#[test]
fn hostile_texts_take_linear_work() {
    let makers: [(&str, Make); 17] = [
        ("words", |n| "metering is dull ".repeat(n)),
        ("asks", |n| "Reply or book a call. ".repeat(n)),
        ("numbers", |n| "40 % of 1,200 in 3 weeks ".repeat(n)),
        ("multiples", |n| "half of it, twice as much ".repeat(n)),
        ("blanks behind a full stop", |n| {
            format!("a.{}", " ".repeat(n * 12))
        }),
        ("closing marks behind a full stop", |n| {
            format!("a.{}", ")".repeat(n * 12))
        }),
        ("marks behind a full stop", |n| {
            format!("a.{}", "\u{301}".repeat(n * 12))
        }),
        ("digits of another script", |n| "٤٠ ".repeat(n)),
        ("one long word", |n| "é".repeat(n * 8)),
        ("urgency", |n| "Act now! ".repeat(n)),
        ("letters and dots", |n| "a.b.".repeat(n * 2)),
        ("denials", |n| "not ".repeat(n * 2)),
        ("one word again and again", |n| "storage ".repeat(n)),
        ("question marks", |n| "? ".repeat(n * 2)),
        ("opening brackets", |n| "(".repeat(n * 4)),
        ("letters one by one", |n| "a b c ".repeat(n)),
        ("mailboxes", |n| "a@b.".repeat(n * 2)),
    ];
    for (what, make) in makers {
        growth::is_linear(
            what,
            |size| make(10 * size),
            |v| drop(scored(&of_one_text(v), "en")),
        );
        growth::is_linear(
            what,
            |size| make(10 * size),
            |v| drop(checked(&filled(v, (3, 9), Placeholder::NextStepAsk), "en")),
        );
    }
}

/// A structure at the bounds of its size, of these texts.
fn of_the_largest(words: impl Fn(usize) -> String) -> Structure {
    let mut structure = of_one_text(&words(0));
    let block = structure.blocks[0].clone();
    let lines =
        |from: usize| -> Vec<Inline> { (from..from + 6).map(|at| text(&words(at))).collect() };
    structure.blocks = (0..3)
        .map(|at| Block {
            id: format!("b{at}"),
            inlines: lines(12 * at),
            fallback: lines(12 * at + 6),
            ..block.clone()
        })
        .collect();
    structure
}

/// A word that is none, different for each number, of so many letters.
fn word(number: usize, begins: &str, letters: usize) -> String {
    let mut word = begins.to_owned();
    let mut rest = number;
    while word.len() < letters {
        word.push(char::from(b'a' + u8::try_from(rest % 26).unwrap()));
        rest /= 26;
    }
    word
}

/// Fifty claims of as many words as are read, against lines of their words, of forms of them, and of words that only begin
/// like them.
#[test]
fn many_long_claims_hold_nobody_up() {
    let claims_of = |word: &dyn Fn(usize) -> String| -> Vec<String> {
        let claim = |at: usize| {
            (0..12)
                .map(|own| word(12 * at + own))
                .collect::<Vec<_>>()
                .join(" ")
        };
        (0..50).map(claim).collect()
    };
    let known = [
        "guaranteed",
        "savings",
        "promised",
        "sparen",
        "garantie",
        "assured",
    ];
    let of_known = |at: usize| known[at % known.len()].to_owned();
    let alike = |at: usize| word(at, "guaranteed", 17);
    let compounds = |at: usize| word(at, "spargaran", 17);
    let pairs: Vec<String> = (0..50)
        .map(|at| format!("garantierte {}", word(at, "einspar", 14)))
        .collect();
    let by = |word: &dyn Fn(usize) -> String, from: usize, letters: usize| -> String {
        let mut line = String::new();
        for at in from.. {
            if line.len() >= letters {
                break;
            }
            line.push_str(&word(at));
            line.push(' ');
        }
        line.chars().take(letters).collect()
    };
    for (claims, line) in [
        (claims_of(&of_known), &of_known as &dyn Fn(usize) -> String),
        (claims_of(&alike), &alike),
        (claims_of(&alike), &|at| word(at, "guaranteed", 19)),
        (pairs, &compounds),
    ] {
        let structure = of_the_largest(|at| by(line, 30 * at, 500));
        let options = TemplateOptions {
            forbidden_claims: claims,
            ..options()
        };
        growth::takes_at_most(20, || drop(scored_by(&structure, "en", &options)));
    }
}

/// DANGER: whoever creates a template decides what it says, up to the bounds of a structure (decision 0129).
#[test]
fn the_largest_structure_holds_nobody_up() {
    for piece in [
        "a.b.",
        "not ",
        "storage ",
        "a. ",
        "40 % of 1,200 in 3 weeks ",
        "a@b.",
        "guaranteed savings ",
        "a b c ",
    ] {
        let words: String = piece.chars().cycle().take(500).collect();
        let structure = of_the_largest(|_| words.clone());
        growth::takes_at_most(20, || drop(scored(&structure, "en")));
    }
}
